# SPDX-License-Identifier: MIT
"""The dynamics of robots: arne.load("ur5e").id(q, qd, qdd).

m = arne.load("robot.urdf")     a robot: URDF, SDF, MJCF, YAML, .par, or a shipped one by its name (arne.robots())
m.id(q, qd, qdd)                every quantity of `arne eval --want` is a method on numpy arrays: one state or many
m.with_payload("tool0", 2.0)    other settings are another object of the same robot; nothing is global
m.compile()                     the same methods from C code of this robot alone
"""
from ._commands import functions as _functions
from ._model import Error, Limits, Model, Rollout, Warning, load, robots, table
from ._model import version as __version__
from ._run import Page, Run

__all__ = ["Error", "Limits", "Model", "Page", "Rollout", "Run", "Warning", "load", "robots", "table", *_functions]
globals().update(_functions)
