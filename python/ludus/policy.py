"""Inference with trained models, by the library's own nets, masks, normalisers and memory."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ludus import _native
from ludus.batch import Array
from ludus.game import as_seed, spec


def models() -> dict[str, Path]:
    """The published models by name: those of a checkout, or those in the package."""
    share = _native.share()
    found = sorted(Path(share, "models").glob("*.safetensors")) if share else []
    return {path.stem: path for path in found}


@dataclass(frozen=True)
class Answer:
    """A model's answer for a batch: an option per head, with logits, probabilities and values."""

    actions: Array
    logits: Array
    probabilities: Array
    values: Array


class Policy:
    """A trained model. `predict` gives actions for one observation or a batch.

    A recurrent net, or one that reads several frames, keeps its state per row between calls;
    `begin` clears all of it, `forget(row)` one row.
    """

    def __init__(self, native: _native.Policy) -> None:
        """By `Policy.load` or `Policy.of_bytes`."""
        self._native = native
        self.facts: dict[str, Any] = json.loads(native.facts())
        self.game = spec(self.facts["game"])
        self._rows, self._manner = 0, (True, 0.0)

    @classmethod
    def load(cls, name: str | os.PathLike[str], *, game: str | None = None, runs: str = "") -> Policy:
        """A model file (.safetensors or .zip), a published model by its name (`models()`), or a run:
        `latest`, `best`, RUN, RUN:7, RUN:best.
        """
        path = os.fspath(name)
        if not os.path.exists(path):
            path = _native.find("model", runs or _native.place(), path, game)
        return cls(_native.Policy(path))

    @classmethod
    def of_bytes(cls, data: bytes, name: str = "model") -> Policy:
        """A model file in memory."""
        return cls(_native.Policy(name, data))

    @property
    def recurrent(self) -> bool:
        """Whether answers depend on earlier observations."""
        return bool(self.facts["memory"]) or len(self.facts["ages"]) > 1

    def begin(
        self, rows: int = 1, *, seed: int = 0, deterministic: bool = True, temperature: float = 0.0
    ) -> None:
        """Starts this many rows, each of which follows an episode; forgets everything earlier."""
        self._rows, self._manner = rows, (deterministic, temperature)
        self._native.begin(rows, as_seed(seed), deterministic, temperature)

    def forget(self, row: int, seed: int = 0) -> None:
        """Row `row` starts a new episode."""
        self._native.forget(row, as_seed(seed))

    def answer(
        self,
        obs: Any,
        mask: Any = None,
        *,
        critic: Any = None,
        deterministic: bool = True,
        temperature: float = 0.0,
        seed: int = 0,
    ) -> Answer:
        """Actions, logits, probabilities and values for a batch (rows x numbers). Options are legal
        where the mask is 1 (None: all) and the choices of earlier heads allow them.
        """
        observation = np.ascontiguousarray(obs, np.float32)
        observation = observation.reshape(-1, observation.shape[-1])
        rows, numbers = observation.shape
        frames = numbers != self.game.observation_length
        if frames and numbers != self.facts["inputs"]:
            want = f"{self.game.observation_length} numbers"
            raise ValueError(f"an observation of {self.game.id} has {want}, not {numbers}")
        if rows != self._rows or (deterministic, temperature) != self._manner:
            self.begin(rows, seed=seed, deterministic=deterministic, temperature=temperature)
        length = self.game.mask_length
        legal = np.ones((rows, length), np.uint8)
        if mask is not None:
            legal = np.ascontiguousarray(np.asarray(mask).reshape(rows, length) != 0, np.uint8)
        further = None if critic is None else np.ascontiguousarray(critic, np.float32)
        actions = np.zeros((rows, len(self.game.heads)), np.int32)
        logits, probabilities = (np.zeros((rows, length), np.float32) for _ in range(2))
        values = np.zeros((rows,), np.float32)
        self._native.answer(rows, frames, observation, further, legal, actions, logits, probabilities, values)
        return Answer(actions, logits, probabilities, values)

    def predict(self, obs: Any, mask: Any = None, **words: Any) -> Any:
        """The actions only: an int for one observation of a game with one head, an array with one
        per row for a batch; with several heads, an option per head.
        """
        actions = self.answer(obs, mask, **words).actions
        single = np.ndim(obs) == 1
        if len(self.game.heads) == 1:
            return int(actions[0, 0]) if single else actions[:, 0]
        return actions[0] if single else actions

    def parameters(self) -> dict[str, Array]:
        """Copies of all tensors by name, with torch names and layout."""
        block = np.frombuffer(self._native.block(), np.float32)
        found = {}
        for tensor in self.facts["tensors"]:
            shape, first = tensor["shape"], tensor["offset"]
            found[tensor["name"]] = block[first : first + int(np.prod(shape))].reshape(shape).copy()
        return found
