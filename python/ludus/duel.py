"""The tools of duel as functions; `dir(ludus.duel)` lists them."""

from __future__ import annotations

from ludus import tools as _tools


def __getattr__(name: str) -> _tools.Tool:
    return _tools.tool("duel", name)


def __dir__() -> list[str]:
    return sorted(_tools.registry().get("duel", {}))
