"""Training by the library's own trainers, with run folders: open, update, callbacks, stop."""

from __future__ import annotations

import json
import os
import subprocess
import time
from collections.abc import Callable
from types import TracebackType
from typing import Any

from ludus import _native
from ludus.game import Settings, as_json, spec

Row = dict[str, Any]
Told = Callable[[Row], object]


class Training:
    """The training that `ludus train` does: the same settings, bits and run folder.

    with Training("cartpole-v1", preset="cartpole-classic") as training:
        training.on_window = lambda row: print(row["env_steps"], row["episode_return"])
        training.run()
    """

    def __init__(
        self,
        game: str,
        *,
        preset: str = "",
        settings: Settings | None = None,
        runs: str = "",
        resume: str = "",
        load: str = "",
        name: str = "",
        evaluate: bool = True,
        collect: Callable[[Training], object] | None = None,
    ) -> None:
        """`settings` are those of the command line (`train.steps`, `net.hidden`, ...) and override the
        preset's. `resume` continues a run, `load` starts from a model's weights. With `evaluate`,
        a separate process evaluates every window. `collect` is called for the batch of every
        update: it sends `weights()` to players elsewhere and hands what they played to `take`, as
        `ludus.ray` does.
        """
        self.on_update: Told | None = None
        self.on_window: Told | None = None
        self.on_evaluation: Told | None = None
        self.stop_when: Callable[[], bool] | None = None
        self._stopped = False
        self._process = os.getpid()
        self._runs = runs or _native.place()
        self._evaluator: subprocess.Popen[bytes] | None = None
        self._evaluate = evaluate
        own = {"eval.on": evaluate, **(settings or {})}
        where = ("" if preset == "none" else preset, as_json(own), self._runs, resume, load, name)
        self._collect = collect
        self._native = _native.Training(spec(game).id, *where, self._tell, collect is not None)

    def _tell(self, kind: str, text: str) -> bool:
        if kind == "stop":
            return self._stopped or (self.stop_when is not None and bool(self.stop_when()))
        if kind == "collect" and self._collect is not None:
            self._collect(self)
            return False
        told = {
            "update": self.on_update,
            "window": self.on_window,
            "evaluation": self.on_evaluation,
        }[kind]
        if told is not None:
            told(json.loads(text))
        return False

    @property
    def facts(self) -> Row:
        """The current state: run, path, updates, steps, window, judged, share, parts, done, hash."""
        return dict(json.loads(self._native.facts()))

    @property
    def done(self) -> bool:
        """Whether all steps are done."""
        return bool(self.facts["done"])

    def update(self) -> bool:
        """One update and everything that follows from it. Returns whether the training is done."""
        self._watch()
        return self._native.update()

    def run(self, wait: float = 120.0) -> bool:
        """Trains until done or stopped, then waits up to `wait` seconds for the remaining
        evaluations. Returns whether the training is done.
        """
        self._watch()
        done = self._native.go()
        until = time.monotonic() + wait
        while done and self._judging() and time.monotonic() < until:
            time.sleep(0.05)
            self._native.hear()
        self._native.hear()
        return done

    def stop(self) -> None:
        """Stops after the next update, like `stop_when`; `resume` continues later."""
        self._stopped = True

    def save(self, path: str) -> None:
        """Saves the current model; as an archive if the name ends in .zip."""
        self._native.save(path)

    def settings(self) -> Row:
        """The settings that differ from their defaults; remote players are created with them."""
        return dict(json.loads(self._native.settings()))

    def weights(self) -> bytes:
        """In `collect`: the weights for the next batch."""
        return self._native.weights()

    def place(self, part: int) -> bytes:
        """In `collect`: the state of a part's environments."""
        return self._native.place(part)

    def take(self, part: int, batch: Any, place: Any) -> None:
        """In `collect`: hands in what a player has played of a part, and its new state."""
        self._native.take(part, batch, place)

    def _watch(self) -> None:
        if self._evaluate and self._evaluator is None:
            from ludus.program import path

            words = [path(), "eval", "--follow", self.facts["path"]]
            quiet = subprocess.DEVNULL
            self._evaluator = subprocess.Popen(words, stdin=quiet, stdout=quiet, stderr=quiet)

    def _judging(self) -> bool:
        facts = self.facts
        alive = self._evaluator is not None and self._evaluator.poll() is None
        return alive and int(facts["judged"]) < int(facts["window"])

    def close(self) -> None:
        """Ends the evaluator and releases the run. Does nothing in a fork of the process that made it."""
        if self._process != os.getpid():
            return
        if self._evaluator is not None:
            self._evaluator.terminate()
            self._evaluator.wait()
            self._evaluator = None
        self._native.close()

    def __enter__(self) -> Training:
        """Itself."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Closes it."""
        self.close()
