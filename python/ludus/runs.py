"""Runs: their rows as dicts, numpy or pandas, their models, and a writer for your own trainer."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Literal

import numpy as np

from ludus import _native
from ludus.batch import Array
from ludus.game import Settings, as_json, spec

Kind = Literal["windows", "updates", "evals", "leagues"]


def folder() -> str:
    """Where runs are by default."""
    return _native.place()


def find(name: str = "latest", *, game: str | None = None, runs: str = "") -> Path:
    """The folder of a run, named by its id, a unique prefix of it, `latest` or `best`."""
    return Path(_native.find("run", runs or folder(), name, game))


def find_model(name: str = "latest", *, game: str | None = None, runs: str = "") -> Path:
    """The model file of a run: RUN, RUN:7, RUN:best, `latest`, `best`."""
    return Path(_native.find("model", runs or folder(), name, game))


def find_replay(name: str = "latest", *, game: str | None = None, runs: str = "") -> Path:
    """A replay of a run: RUN, RUN:WINDOW, RUN:best, an id."""
    return Path(_native.find("replay", runs or folder(), name, game))


def listed(runs: str = "") -> list[dict[str, Any]]:
    """The run.json of every run in a folder, newest last."""
    found = sorted(Path(runs or folder()).glob("*/run.json"))
    return [json.loads(path.read_text()) for path in found]


def rows(run: str | Path, kind: Kind = "windows", *, runs: str = "") -> list[dict[str, Any]]:
    """Rows of a run, without those that a resume replaced."""
    path = run if isinstance(run, Path) else find(run, runs=runs)
    if not path.is_dir():
        raise FileNotFoundError(f"there is no run folder at {path}")
    return list(json.loads(_native.rows(str(path), kind)))


def _flat(row: Mapping[str, Any], before: str = "") -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in row.items():
        if isinstance(value, Mapping):
            found.update(_flat(value, f"{before}{key}."))
        else:
            found[before + key] = value
    return found


def columns(run: str | Path, kind: Kind = "windows", *, runs: str = "") -> dict[str, Array]:
    """One array per name ("terms.ko") with the numbers of all rows; NaN where a row has none."""
    flat = [_flat(row) for row in rows(run, kind, runs=runs)]
    names = {name: None for row in flat for name, value in row.items() if _is_number(value)}
    return {
        name: np.array([row[name] if _is_number(row.get(name)) else np.nan for row in flat], np.float64)
        for name in names
    }


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def frame(run: str | Path, kind: Kind = "windows", *, runs: str = "") -> Any:
    """The rows as a pandas DataFrame; needs pandas."""
    import pandas

    return pandas.DataFrame([_flat(row) for row in rows(run, kind, runs=runs)])


class Writer:
    """Writes a run folder for your own trainer: updates and windows go into the same files as those
    of `ludus train`, and every window saves a model, so `ludus eval`, the evaluator and the site can
    read it. The net is one of ludus's (settings `net.*`) with parameters from torch.
    """

    def __init__(
        self,
        game: str,
        *,
        algorithm: str,
        settings: Settings | None = None,
        preset: str = "",
        runs: str = "",
        name: str = "",
        seed: int = 0,
    ) -> None:
        """`algorithm` is what run.json says of the trainer: letters, digits and dashes."""
        where = (preset, as_json(settings) or "{}", runs or folder(), name, algorithm, seed)
        self._native = _native.Run(spec(game).id, *where)
        self.id, self.path = self._native.place()
        self._ended = False

    def model(self) -> bytes:
        """The model file of the current net, which `ludus.torch.module` can load."""
        return self._native.model()

    def update(
        self,
        *,
        updates: int,
        steps: int,
        episodes: int = 0,
        episode_return: float = 0.0,
        episode_length: float = 0.0,
        reward: float = 0.0,
        seconds: float = 0.0,
        figures: Mapping[str, float] | None = None,
        parameters: Array | None = None,
        closes: bool = False,
    ) -> None:
        """Records an update: counts so far, means over the episodes that ended in it, losses by name.
        `closes` ends the window; the net with `parameters` (one float32 array) becomes its
        checkpoint.
        """
        row = {
            "updates": updates,
            "steps": steps,
            "episodes": episodes,
            "episode_return": float(episode_return),
            "episode_length": float(episode_length),
            "reward": float(reward),
            "seconds": float(seconds),
            "figures": {key: float(value) for key, value in (figures or {}).items()},
        }
        self._native.update(json.dumps(row, allow_nan=False), parameters, closes)

    def end(self, status: Literal["finished", "stopped", "failed"] = "finished") -> None:
        """Ends the run with its final status."""
        if status not in ("finished", "stopped", "failed"):
            raise ValueError(f"a run is finished, stopped or failed, not {status!r}")
        if not self._ended:
            self._ended = True
            self._native.end(status)

    def __enter__(self) -> Writer:
        """Itself."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Finished, or failed where an error ends it."""
        self.end("finished" if kind is None else "failed")
