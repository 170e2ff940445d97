"""Many environments of one game, stepped together in numpy arrays without copies."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from ludus import _native
from ludus.game import Settings, as_json, as_seed, put, spec

Autoreset = Literal["same_step", "next_step", "disabled"]
_AUTORESET = {"same_step": 0, "next_step": 1, "disabled": 2}
Array = npt.NDArray[Any]

# what is bound unless it is asked for: infos and terms cost more than a small game's step
_USUAL = ("actions", "observation", "mask", "reward", "terminated", "truncated")
_FINAL = ("final_observation", "final_mask", "final_info", "final_seed")


def in_place(actions: Any) -> bool:
    """Whether the library reads them in place."""
    return actions is None or (
        isinstance(actions, np.ndarray) and actions.dtype == np.int32 and actions.flags.c_contiguous
    )


class Vector:
    """N environments of a variant. Nothing is copied: after `reset` and `step` the arrays hold the
    results, always in the same arrays.

    A row is a seat of an environment: `rows` = environments x seats. Arrays that only the library
    writes are read-only here, so a step need not rewrite what has not changed.
    """

    def __init__(
        self,
        game: str,
        environments: int,
        *,
        settings: Settings | None = None,
        options: Settings | None = None,
        seed: int = 0,
        threads: int = 1,
        autoreset: Autoreset = "same_step",
        infos: bool = False,
        terms: bool = False,
        finals: bool = True,
        buffers: dict[str, Array] | None = None,
    ) -> None:
        """`threads` 0 is one per processor. `infos`, `terms`, `finals`: what is written beside the
        usual. `buffers`: arrays of the caller to use in place of own ones, by the names below.
        """
        self.spec = spec(game)
        self.environments, self.rows = environments, environments * self.spec.seats
        self.seed, self.autoreset = seed, autoreset
        self._given = buffers or {}
        count = threads or os.cpu_count() or 1
        if autoreset not in _AUTORESET:
            raise ValueError(f"autoreset is one of {', '.join(_AUTORESET)}, not {autoreset!r}")
        self._vec = _native.Vec(
            self.spec.id,
            as_json(settings),
            as_json(options),
            environments,
            count,
            as_seed(seed),
            _AUTORESET[autoreset],
        )
        names = list(_USUAL) + (["info"] if infos else []) + (["terms"] if terms else [])
        names += (["illegal"] if infos else []) + (list(_FINAL) if finals else [])
        names += [name for name in self._given if name not in names]
        self._arrays = {name: self._make(name) for name in names}
        self._vec.bind(self._arrays)
        self.actions = self._arrays["actions"]
        self.observations = self._shown("observation")
        self.masks = self._shown("mask")
        self.rewards = self._shown("reward")
        self.terminated = self._shown("terminated").view(np.bool_)
        self.truncated = self._shown("truncated").view(np.bool_)
        self.infos = self._shown("info")
        self.terms = self._shown("terms")
        self.illegal = self._shown("illegal")
        self.final_observations = self._shown("final_observation")
        self.final_masks = self._shown("final_mask")
        self.final_infos = self._shown("final_info")
        self.final_seeds = self._shown("final_seed")

    def _make(self, name: str) -> Array:
        one, rows = self.spec, self.rows
        shapes: dict[str, tuple[tuple[int, ...], Any]] = {
            "actions": ((rows, len(one.heads)), np.int32),
            "observation": ((rows, one.observation_length), np.float32),
            "mask": ((rows, one.mask_length), np.uint8),
            "reward": ((rows,), np.float32),
            "terms": ((rows, len(one.terms)), np.float32),
            "info": ((rows, len(one.infos)), np.float64),
            "final_observation": ((rows, one.observation_length), np.float32),
            "final_mask": ((rows, one.mask_length), np.uint8),
            "final_info": ((rows, len(one.infos)), np.float64),
            "final_seed": ((self.environments,), np.uint64),
        }
        shape, kind = shapes.get(name, ((self.environments,), np.uint8))
        given = self._given.get(name)
        return np.zeros(shape, kind) if given is None else given

    def _shown(self, name: str) -> Array:
        array = self._arrays.get(name)
        if array is None:
            return np.zeros((0,))
        view = array.view()
        view.flags.writeable = False
        return view

    def reset(self, seed: int | None = None, options: Settings | None = None) -> None:
        """Starts episode 0 of every environment; the same seed gives the same episodes. Options
        apply to all later resets.
        """
        self.seed = self.seed if seed is None else seed
        wishes = None if options is None else (as_json(options) or "{}")
        self._vec.reset(as_seed(self.seed), wishes)

    def reset_some(
        self,
        which: Sequence[int] | Array,
        seeds: Sequence[int] | Array | None = None,
        options: Settings | None = None,
    ) -> None:
        """Starts the next episode of these environments (in ascending order), each with its seed."""
        chosen = np.zeros(len(which), np.int32)
        if len(which):
            put(chosen, which, "environments to reset")
        own = None if seeds is None else np.array([as_seed(one) for one in seeds], np.uint64)
        self._vec.reset_some(chosen, own, None if options is None else as_json(options) or "{}")

    def step(self, actions: Any = None) -> None:
        """One decision of every environment, from `self.actions` or from an integer array of the
        same size. A contiguous int32 array is read in place.
        """
        if not in_place(actions):
            put(self.actions, actions, "actions")
            actions = None
        self._vec.step(actions)

    def draw(self, seed: int) -> Array:
        """Writes a random legal action per row to `self.actions`, under all dependencies."""
        self._vec.draw(as_seed(seed))
        return self.actions

    def show(self, environment: int = 0, seat: int = 0) -> str:
        """The board of one environment as text."""
        return self._vec.show(environment, seat)

    def place(self, environment: int) -> tuple[int, int, int]:
        """Episodes finished, and the seed and decisions of the current one."""
        return self._vec.place(environment)

    def hash(self) -> int:
        """Hash over all states: equal for equal play, with any number of threads."""
        return self._vec.hash()
