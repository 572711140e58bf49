# SPDX-License-Identifier: MIT
"""Small pictures for the bench page: SVG with the colours of src/report/style.c, which the page's style turns with the screen."""
import html
import math

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 400, 250, 52, 18, 24, 40
C = {1: "#1f5fbf", 2: "#c8501e", 3: "#2a8a3e", 4: "#8a3fb0", 5: "#b8860b", 6: "#0f8a8a", 7: "#b02a5b", 8: "#555555"}
INK, AXIS, GRID = "#222222", "#888888", "#e2e2e2"


def number(x):
    """A tick: 0.01, 1, 1000, 1e6"""
    return f"{x:g}" if 1e-3 <= abs(x) < 1e5 else f"1e{round(math.log10(x))}"


class Log:
    """A logarithmic axis from a to b (values) on pixels p to q, widened to whole ticks."""

    def __init__(self, values, p, q, least=1):
        low, high = min(values), max(values)
        steps = (1, 2, 5) if high / low < 80 else (1,)
        every = 1 if high / low < 1e6 else 2
        all_ticks = [m * 10.0**k for k in range(-6, 13) if k % every == 0 or len(steps) == 3 for m in steps]
        self.low = max([t for t in all_ticks if t <= low * 1.001] or [low])
        self.high = max(min([t for t in all_ticks if t >= high * 0.999] or [high]), self.low * 10**least)
        self.ticks = [t for t in all_ticks if self.low <= t <= self.high]
        self.p, self.q = p, q

    def __call__(self, x):
        return self.p + (self.q - self.p) * math.log(x / self.low) / math.log(self.high / self.low)


def text(x, y, words, anchor="middle", size=12):
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size}" fill="{INK}">{html.escape(words)}</text>'


def line(x1, y1, x2, y2, colour=GRID, width=1):
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{colour}" stroke-width="{width}"/>'


def mark(x, y, look):
    """look: (colour, shape)"""
    if look[1] == "square":
        return f'<rect x="{x - 3.5:.1f}" y="{y - 3.5:.1f}" width="7" height="7" fill="{C[look[0]]}"/>'
    if look[1] == "ring":
        return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.4" fill="none" stroke="{C[look[0]]}" stroke-width="2"/>'
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="{C[look[0]]}"/>'


def svg(parts, height=HEIGHT):
    return f'<svg viewBox="0 0 {WIDTH} {height}" font-family="sans-serif" role="img">{"".join(parts)}</svg>'


def frame(x, y, below, above):
    """Grid and axes of two logarithmic scales."""
    out = []
    for t in x.ticks:
        out += [line(x(t), y.p, x(t), y.q), text(x(t), y.p + 15, number(t))]
    for t in y.ticks:
        out += [line(x.p, y(t), x.q, y(t)), text(x.p - 5, y(t) + 4, number(t), "end")]
    out += [line(x.p, y.p, x.q, y.p, AXIS), line(x.p, y.p, x.p, y.q, AXIS)]
    return out + [text((x.p + x.q) / 2, y.p + 33, below), text(4, 14, above, "start")]


def curves(series, below, above):
    """series: [(look, [(x, y) ...])], both logarithmic."""
    points = [p for _, s in series for p in s]
    x = Log([p[0] for p in points], LEFT, WIDTH - RIGHT)
    y = Log([p[1] for p in points], HEIGHT - BOTTOM, TOP)
    out = frame(x, y, below, above)
    for look, s in series:
        path = " ".join(f"{x(a):.1f},{y(b):.1f}" for a, b in s)
        out.append(f'<polyline points="{path}" fill="none" stroke="{C[look[0]]}" stroke-width="1.6"/>')
        out += [mark(x(a), y(b), look) for a, b in s]
    return svg(out)


def dots(rows, below):
    """rows: [(label, [(look, value) ...])]: a line a row, one logarithmic scale."""
    top = 4
    height = top + 30 * len(rows) + BOTTOM
    left = 12 + 7 * max(len(label) for label, _ in rows)
    x = Log([v for _, marks in rows for _, v in marks], left, WIDTH - RIGHT)
    bottom = height - BOTTOM
    out = [line(x(t), bottom, x(t), top) + text(x(t), bottom + 15, number(t)) for t in x.ticks]
    out += [line(left, bottom, x.q, bottom, AXIS), text((left + x.q) / 2, bottom + 33, below)]
    for k, (label, marks) in enumerate(rows):
        y = top + 30 * k + 15
        out += [line(left, y, x.q, y), text(left - 8, y + 4, label, "end")] + [mark(x(v), y, look) for look, v in marks]
    return svg(out, height)


def bars(bins, colour, below, above):
    """bins: [(from, to, count)]; both axes logarithmic, since what is rare is what matters."""
    x = Log([b[0] for b in bins] + [b[1] for b in bins], LEFT, WIDTH - RIGHT)
    y = Log([1, 1.1 * max(b[2] for b in bins)], HEIGHT - BOTTOM, TOP)
    y.low, y.ticks = 0.5, [t for t in y.ticks if t >= 1]  # one tick is a bar, too
    out = frame(x, y, below, above)
    for a, b, n in bins:
        out.append(f'<rect x="{x(a):.1f}" y="{y(n):.1f}" width="{max(1, x(b) - x(a) - 0.5):.1f}" height="{y.p - y(n):.1f}" fill="{C[colour]}"/>')
    return svg(out)
