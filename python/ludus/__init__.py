"""Strategy games as fast environments, trained agents and tools: Python over libludus.

    import gymnasium, ludus
    env = gymnasium.make("ludus/prospector-v1")

`ludus.Vector` steps many environments at once, in numpy arrays without copies;
`ludus.env`, `ludus.vector`, `ludus.zoo` and `ludus.puffer` are the same games for gymnasium,
PettingZoo and PufferLib; where gymnasium is installed every variant is registered with it.
`ludus.Policy` runs trained models, `ludus.torch` gives them as torch modules,
`ludus.Training` trains. docs/python.md has the rest.
"""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from types import ModuleType

from ludus._native import Error
from ludus._native import version as __version__
from ludus.batch import Vector
from ludus.game import Spec, games, spec
from ludus.matches import evaluate, match
from ludus.policy import Answer, Policy, models
from ludus.training import Training

if find_spec("gymnasium"):
    from ludus.register import register_envs

    register_envs()

__all__ = [
    "Answer",
    "Error",
    "Policy",
    "Spec",
    "Training",
    "Vector",
    "__version__",
    "evaluate",
    "games",
    "match",
    "models",
    "spec",
]


def __getattr__(name: str) -> ModuleType:
    """The modules of the package come with their first use: `ludus.craft.optimize`, `ludus.runs`."""
    if name.startswith("_") or not find_spec(f"ludus.{name}"):
        raise AttributeError(f"ludus has no {name!r}")
    return import_module(f"ludus.{name}")
