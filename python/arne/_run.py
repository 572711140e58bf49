# SPDX-License-Identifier: MIT
"""Tables that commands write, and pages about them."""
import csv
import html
import json
import pathlib
import re
import shutil

import numpy as np


def _read(path):
    """Columns of a CSV file by name: numbers (nothing: nan), or strings."""
    with open(path, newline="") as file:
        names = next(csv.reader(file))
        try:
            data = np.loadtxt(file, delimiter=",", ndmin=2)
            return dict(zip(names, data.T if len(data) else np.empty((len(names), 0))))
        except ValueError:
            file.seek(0)
            rows = list(csv.reader(file))[1:]
    columns = {}
    for name, *values in zip(names, *rows):
        try:
            columns[name] = np.array([float(v) if v else np.nan for v in values])
        except ValueError:
            columns[name] = np.array(values)
    return columns


class Run:
    """A table: run.t, run.q (N, n), run.tau, run["hand.x"], run.columns; and what was said about it: run.said, run.verdict ...

    run.plot() draws it (matplotlib), run.report() is the page of `arne report`."""

    def __init__(self, columns, said=None, path=None, name="run", about=None, robot=None):
        self.columns, self.said, self.path, self.name, self.about, self.robot = columns, said, path, name, about, robot

    @classmethod
    def read(cls, path, said=None, kept=None, robot=None):
        """From a CSV file; kept: where the user wants it to stay."""
        beside = pathlib.Path(path).with_suffix(".json")
        about = json.loads(beside.read_text()) if beside.exists() else None
        return cls(_read(path), said, kept and str(kept), pathlib.Path(kept).stem if kept else "run", about, robot)

    def save(self, path):
        """Writes the table, and what was said about it beside it."""
        if self.path and pathlib.Path(self.path).exists():
            shutil.copy(self.path, path)
        else:
            with open(path, "w", newline="") as file:
                out = csv.writer(file)
                out.writerow(self.columns)
                out.writerows(zip(*(["" if v != v else v for v in c.tolist()] for c in self.columns.values())))
        if self.about:
            pathlib.Path(path).with_suffix(".json").write_text(json.dumps(self.about))
        return path

    def __getitem__(self, name):
        return self.columns[name]

    def group(self, name):
        """The columns q1, q2, ... or q.shoulder, q.elbow, ... as one array (N, n); None: there are none."""
        found = [v for k, v in self.columns.items() if re.fullmatch(re.escape(name) + r"(\d+|\..+)", k)]
        return np.column_stack(found) if found and all(v.dtype == float for v in found) else None

    def __getattr__(self, name):
        if name.startswith("_") or name in ("columns", "said"):
            raise AttributeError(name)
        if name in self.columns:
            return self.columns[name]
        found = self.group(name)
        if found is not None:
            return found
        if hasattr(self.said, name):
            return getattr(self.said, name)
        raise AttributeError(f"there is no column {name} and nothing said of that name; columns: {', '.join(self.columns)}")

    def __len__(self):
        return len(next(iter(self.columns.values()), ()))

    def __repr__(self):
        return f"<arne.Run {self.name}: {len(self)} rows of {', '.join(self.columns)}>"

    def _repr_html_(self):
        """A small table, a row a group, for notebooks."""
        groups = {}
        for name, values in self.columns.items():
            if values.dtype == float and len(values):
                groups.setdefault(re.match(r"[^\d.]+\d*(?=\.)|[^\d.]*", name)[0] or name, []).append(values)
        rows = [f"<tr><td>{html.escape(name)}</td><td>{len(v)}</td><td>{np.nanmin(v):.6g}</td><td>{np.nanmax(v):.6g}</td></tr>"
                for name, v in groups.items() if not np.isnan(v).all()]
        return (f"<p><b>{html.escape(self.name)}</b>: {len(self)} rows</p><table><tr><th></th><th>columns</th><th>least</th>"
                f"<th>most</th></tr>{''.join(rows)}</table>")

    def plot(self, *groups):
        """A figure, one picture a group (q, qd, tau and r where they exist, unless groups are named); needs matplotlib."""
        try:
            from matplotlib.figure import Figure
        except ImportError:
            raise ImportError("run.plot() needs matplotlib (Debian: python3-matplotlib); run.report() does not") from None
        groups = groups or [k for k in ("q", "qd", "tau", "r") if self.group(k) is not None]
        figure = Figure(figsize=(8, 2.2 * max(1, len(groups))), layout="constrained")
        axes = figure.subplots(max(1, len(groups)), 1, sharex=True, squeeze=False)[:, 0]
        t = self.columns.get("t", np.arange(len(self)))
        for ax, name in zip(axes, groups):
            names = [k for k in self.columns if k == name or re.fullmatch(re.escape(name) + r"(\d+|\..+)", k)]
            for k in names:
                ax.plot(t, self.columns[k], label=k)
            ax.set_ylabel(name)
            ax.grid(alpha=0.3)
            if len(names) <= 10:
                ax.legend(loc="upper right", fontsize="small")
        axes[-1].set_xlabel("t, s" if "t" in self.columns else "row")
        return figure

    def report(self, out=None, **options):
        """The page of `arne report` about this run: shows itself in a notebook; out: also a file."""
        from ._commands import functions
        if self.robot is not None and not self.about:
            options.setdefault("robot", self.robot)
        return functions["report"](self, out=out, **options)


class Page:
    """An HTML page that shows itself in a notebook."""

    def __init__(self, text, path=None):
        self.html, self.path = text, path

    def _repr_html_(self):
        return f'<iframe srcdoc="{html.escape(self.html, quote=True)}" width="100%" height="700" style="border:0"></iframe>'

    def __repr__(self):
        return f"<arne.Page, {len(self.html)} characters{f', {self.path}' if self.path else ''}>"
