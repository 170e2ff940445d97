"""Matches and evaluations, with the command line's JSON."""

from __future__ import annotations

import json
from typing import Any

from ludus import _native
from ludus.game import Settings, as_json

PUBLIC_SEED = 30000
"""The first of the seeds on which agents and bots are evaluated."""


def match(
    a: str,
    b: str,
    *,
    game: str = "",
    games: int = 800,
    first_seed: int = PUBLIC_SEED,
    settings: Settings | None = None,
    options: Settings | None = None,
    threads: int = 0,
    greedy: bool = False,
    runs: str = "",
    record: str = "",
) -> dict[str, Any]:
    """Two players against each other, every seed twice with sides swapped: who is stronger, and by
    how much, as `ludus match A B --json` reports it. A player is a model file, a run or a bot.
    """
    places = (runs or _native.place(), record)
    words = (game, as_json(settings) or "{}", as_json(options) or "{}", *places)
    numbers = (games, first_seed, threads, int(greedy))
    return dict(json.loads(_native.match(a, b, *words, *numbers, True, False)))


def evaluate(
    player: str,
    *,
    game: str = "",
    opponent: str | None = None,
    episodes: int = 400,
    first_seed: int = PUBLIC_SEED,
    settings: Settings | None = None,
    options: Settings | None = None,
    threads: int = 0,
    greedy: bool = False,
    runs: str = "",
    record: str = "",
    each: bool = False,
) -> dict[str, Any]:
    """A player on fixed seeds: means with intervals, how episodes ended and, with `each`, every
    episode. In a multiplayer game `opponent` plays the other seats.
    """
    places = (runs or _native.place(), record)
    words = (game, as_json(settings) or "{}", as_json(options) or "{}", *places)
    numbers = (episodes, first_seed, threads, int(greedy))
    return dict(json.loads(_native.match(player, opponent, *words, *numbers, False, each)))
