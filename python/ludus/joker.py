"""The tools of joker as functions; `dir(ludus.joker)` lists them."""

from __future__ import annotations

from ludus import tools as _tools


def __getattr__(name: str) -> _tools.Tool:
    return _tools.tool("joker", name)


def __dir__() -> list[str]:
    return sorted(_tools.registry().get("joker", {}))
