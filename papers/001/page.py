# SPDX-License-Identifier: MIT
"""Document 001: the trainer SDT, figure 3: torques by two algorithms, accelerations back from them."""
import math

from paper import Page, biggest, charts, rows_of, table

N = 4


def motion():
    """The paper prints no motion: a swing of all four axes, 12 s, smooth, of a size a trainer has."""
    t = [0.02 * k for k in range(601)]
    w = [2 * math.pi / p for p in (12.0, 6.0, 4.0, 3.0)]
    size = (1.2, 0.5, 0.6, 0.8)
    rows = []
    for x in t:
        phase = [wi * x for wi in w]
        rows.append([x] + [a * (1 - math.cos(p)) for a, p in zip(size, phase)] + [a * wi * math.sin(p) for a, p, wi in zip(size, phase, w)]
                    + [a * wi * wi * math.cos(p) for a, p, wi in zip(size, phase, w)])
    return t, rows


def page():
    p = Page("001", "Kvrgic and Vidakovic: achievable joint accelerations, mRNEA")
    p.section("Figure 3: torques of the trainer by RNEA and mRNEA, and the accelerations that follow from them",
              "The paper prints neither the inertias of the SDT nor the motion behind its figure: `sdt` has the oracle's numbers, the motion is "
              "ours. What can be compared is the claim: both algorithms give the same torques, and the torques give the accelerations back.")
    t, rows = motion()
    head = ["t"] + [f"{g}{k}" for g in ("q", "qd", "qdd") for k in range(1, N + 1)]
    text = table(head, rows)
    call = ("eval", "sdt", "--rigid", "--in", "-")
    ne = [r["id"] for r in rows_of(*call, "--want", "id", text=text)]
    other = [r["id"] for r in rows_of(*call, "--want", "id", "--method", "mrnea", text=text)]
    scale = biggest(x for r in ne for x in r)
    gap = biggest(a - b for r, s in zip(ne, other) for a, b in zip(r, s)) / scale
    p.row("Fig. 3(a)", "largest difference of the torques, relative", "the same results", f"{gap:.1e}", f"{gap:.1e}", gap < 1e-12,
          command="arne eval sdt --want id --method mrnea --in MOTION")
    back = table(head + [f"tau{k}" for k in range(1, N + 1)], [r + s for r, s in zip(rows, ne)])
    qdd = [r["fd"] for r in rows_of(*call, "--want", "fd", "--method", "mrnea", text=back)]
    gap = biggest(a - b for r, s in zip(rows, qdd) for a, b in zip(r[1 + 2 * N:], s))
    p.row("Fig. 3(b)", "largest difference of the accelerations, rad/s^2", "coincides with the input", f"{gap:.1e}", f"{gap:.1e}", gap < 1e-9,
          command="arne eval sdt --want fd --method mrnea --in MOTION")
    p.row("Fig. 3", "the curves themselves", "a figure", "the figures below", cannot="neither the motion nor the inertias behind it are printed")
    drawn = charts(table(["t"] + [f"tau{k}" for k in range(1, N + 1)] + [f"qdd{k}" for k in range(1, N + 1)],
                         [[r[0]] + s + a for r, s, a in zip(rows, ne, qdd)]))
    p.figure('<div class="charts">' + drawn["Torques"] + drawn["Accelerations"] + "</div>", "")
    p.words("Fig. 3(a), torques of our motion, by RNEA (those by mRNEA lie on them), and Fig. 3(b), the accelerations that come back from them.")
    return p
