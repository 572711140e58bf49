# SPDX-License-Identifier: MIT
"""Writes a run as `arne simulate` does, but by arithmetic: a robot swings along a smooth reference and lags behind it, torques come
from `arne eval`, a push on a link shows in the residuals as a first-order filter shows it. For tests of `arne report`."""
import csv
import io
import json
import math
import subprocess


def eval_rows(arne, robot, want, names, rows):
    text = ",".join(names) + "\n" + "".join(",".join("%.12g" % x for x in row) + "\n" for row in rows)
    r = subprocess.run([arne, "eval", robot, "--want", want, "--in", "-", "--format", "json", "--quiet"], input=text, capture_output=True,
                       text=True, timeout=60, check=True)
    return [json.loads(line) for line in r.stdout.splitlines()]


def write(path, arne, robot="kuka-lwr", dof=7, seconds=3.0, dt=0.01, push=(1.5, 1.7), delay=0.02, joints=None, title=None, change=None):
    """path without its ending; change(info, columns, rows) may spoil it"""
    times = [k * dt for k in range(int(round(seconds / dt)) + 1)]
    w = math.pi / seconds
    names = ["q%d" % (i + 1) for i in range(dof)] + ["qd%d" % (i + 1) for i in range(dof)] + ["qdd%d" % (i + 1) for i in range(dof)]
    size = [0.9 / (1 + 0.3 * i) for i in range(dof)]
    # q = a (1 - cos wt)/2 + c, smooth from rest to rest
    states = [[a * (1 - math.cos(w * t)) / 2 + 0.4 for a in size] + [a * w * math.sin(w * t) / 2 for a in size] +
              [a * w * w * math.cos(w * t) / 2 for a in size] for t in times]
    answers = eval_rows(arne, robot, "id,energy", names, states)
    columns = ["t"] + names[:2 * dof] + ["tau%d" % (i + 1) for i in range(dof)] + ["qr%d" % (i + 1) for i in range(dof)]
    columns += ["r%d" % (i + 1) for i in range(dof)] + ["contact", "kinetic", "potential"]
    rows, residual = [], [0.0] * dof
    for t, s, a in zip(times, states, answers):
        on = push is not None and push[0] <= t < push[1]
        for i in range(dof):
            hit = (12.0 - 2 * i if on and i < 4 else 0.0)
            residual[i] += (hit - residual[i]) * (1 - math.exp(-25 * dt))
        lag = [0.004 * math.sin(5 * w * t + i) for i in range(dof)]
        found = push is not None and push[0] + delay <= t < push[1] + delay
        rows.append([t] + s[:2 * dof] + a["id"] + [x + y for x, y in zip(s, lag)] + residual +
                    [1.0 if found else 0.0, a["energy"]["kinetic"], a["energy"]["potential"]])
    info = {"arne": "run", "version": 1, "title": title or "A pick motion, and a push", "robot": robot, "model": robot, "dof": dof,
            "joints": joints or ["j%d" % (i + 1) for i in range(dof)], "controller": "passivity", "integrator": "rk4", "period": dt,
            "duration": seconds, "status": "finished", "message": "", "limits": {"effort": [176.0] * dof}, "thresholds": [4.0] * dof,
            "link": None, "events": [], "summary": {"wall_s": 0.031}}
    if push:
        info["events"] = [
            {"t": push[0], "end": push[1], "kind": "wrench", "text": "20 N on link j4"},
            {"t": push[0] + delay, "end": push[1] + delay, "kind": "contact", "text": "contact at link j4, joint j4 speaks last"},
            {"t": push[0] + delay, "end": None, "kind": "stop", "text": "the robot brakes"}]
    if change:
        change(info, columns, rows)
    table = io.StringIO()
    out = csv.writer(table, lineterminator="\n")
    out.writerow(columns)
    for row in rows:
        out.writerow(["%.12g" % x for x in row])
    with open(path + ".csv", "w") as f:
        f.write(table.getvalue())
    with open(path + ".json", "w") as f:
        json.dump(info, f)
    return path + ".csv"
