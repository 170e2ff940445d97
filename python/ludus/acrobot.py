"""The tools of acrobot as functions; `dir(ludus.acrobot)` lists them."""

from __future__ import annotations

from ludus import tools as _tools


def __getattr__(name: str) -> _tools.Tool:
    return _tools.tool("acrobot", name)


def __dir__() -> list[str]:
    return sorted(_tools.registry().get("acrobot", {}))
