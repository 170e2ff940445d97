"""What a game has: heads, observations, reward terms, infos and settings, from its own tables."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from operator import index
from typing import Any

import numpy as np
import numpy.typing as npt

from ludus import _native

Floats = npt.NDArray[np.float32]
Settings = Mapping[str, Any]


def as_json(settings: Settings | None) -> str:
    """Settings in the form the library reads; "" for none."""
    if settings is not None and not isinstance(settings, Mapping):
        raise TypeError(f"settings and options are values by name, not {type(settings).__name__}")
    return json.dumps(dict(settings), allow_nan=False) if settings else ""


def as_seed(seed: int) -> int:
    """An integer as a seed of the library: its lowest 64 bits."""
    return index(seed) & (2**64 - 1)


def put(target: npt.NDArray[Any], values: Any, what: str) -> None:
    """Copies integers of any type and shape into an array; refuses numbers that would change."""
    given = np.asarray(values)
    if given.dtype.kind not in "iub":
        raise TypeError(f"{what} must be integers, not {given.dtype}")
    if given.size != target.size:
        raise ValueError(f"{what} must hold {target.size} numbers, not {given.size}")
    given = given.reshape(target.shape)
    np.copyto(target, given, casting="unsafe")
    if given.itemsize >= target.itemsize and (target != given).any():
        raise ValueError(f"{what} must fit into 32 bits, but one is {given[target != given][0]}")


def games() -> list[str]:
    """Ids of all variants: ["acrobot-v1", ...]."""
    return list(json.loads(_native.games()))


@dataclass(frozen=True)
class Spec:
    """The facts of a variant. `whole` is all of them as JSON (`ludus spec GAME --json` and more)."""

    id: str
    name: str
    title: str
    sentence: str
    seats: int
    heads: tuple[int, ...]
    head_names: tuple[str, ...]
    options: tuple[tuple[str, ...], ...]
    terms: tuple[str, ...]
    infos: tuple[str, ...]
    info_kinds: tuple[str, ...]
    bots: tuple[str, ...]
    strongest: str
    headline: str
    observation_length: int
    critic_length: int
    mask_length: int
    longest: int
    hash: str
    depends: bool
    whole: Mapping[str, Any] = field(repr=False, compare=False)

    def bounds(self) -> tuple[Floats, Floats]:
        """The lowest and the highest value of every number of an observation."""
        low: list[float] = []
        high: list[float] = []
        for group in self.whole["spec"]["observation"]:
            fields = group["fields"] * int(group["slots"])
            low += [one["low"] for one in fields]
            high += [one["high"] for one in fields]
        return np.array(low, np.float32), np.array(high, np.float32)

    def offsets(self) -> list[int]:
        """The first byte of every head in a mask, and the length of the mask."""
        return [0, *np.cumsum(self.heads).tolist()]


@cache
def spec(game: str) -> Spec:
    """The facts of a variant, by its id or its folder's name."""
    whole = json.loads(_native.spec(game))
    one, facts = whole["spec"], whole["facts"]
    heads = one["heads"]
    return Spec(
        id=whole["id"],
        name=facts["name"],
        title=facts["title"],
        sentence=facts["sentence"],
        seats=one["seats"],
        heads=tuple(len(head["options"]) for head in heads),
        head_names=tuple(head["name"] for head in heads),
        options=tuple(tuple(head["options"]) for head in heads),
        terms=tuple(one["terms"]),
        infos=tuple(info["name"] for info in one["info"]),
        info_kinds=tuple(info["kind"] for info in one["info"]),
        bots=tuple(bot["name"] for bot in facts["bots"]),
        strongest=facts["strongest"],
        headline=facts["headline"],
        observation_length=whole["observation_length"],
        critic_length=whole["critic_length"],
        mask_length=whole["mask_length"],
        longest=one["longest"],
        hash=whole["hash"],
        depends=whole["submask"] or any(head["needs"] for head in heads),
        whole=whole,
    )
