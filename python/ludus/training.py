"""Trainings by the library's own trainers, with their run folders: open, update, callbacks, stop."""

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
    """A training as `ludus train` makes it: the same settings, the same bits, the same run folder.

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
        """`settings` are those of the command line (`train.steps`, `net.hidden`, ...), and over a
        preset's. `resume` goes on with a run, `load` begins with the weights of a model. With
        `evaluate` a process beside the training judges every window. `collect` is called for the
        batch of every update: it has players elsewhere play, with `weights()`, and gives what they
        played to `take` (`ludus.ray` does so).
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
        """Where it is: run, path, updates, steps, window, judged, share, parts, done, hash."""
        return dict(json.loads(self._native.facts()))

    @property
    def done(self) -> bool:
        """Whether all its steps are done."""
        return bool(self.facts["done"])

    def update(self) -> bool:
        """One update with all that follows from it; whether the training is done."""
        self._watch()
        return self._native.update()

    def run(self, wait: float = 120.0) -> bool:
        """Updates until it is done or stopped; then waits up to `wait` seconds for the evaluator to
        judge what is left. Whether the training is done.
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
        """Ends this sitting behind the next update, in place of `stop_when`; `resume` goes on."""
        self._stopped = True

    def save(self, path: str) -> None:
        """Writes the model as it is: an archive where the name ends with .zip."""
        self._native.save(path)

    def settings(self) -> Row:
        """Its settings that differ from their defaults: what players elsewhere are made with."""
        return dict(json.loads(self._native.settings()))

    def weights(self) -> bytes:
        """Inside of `collect`: what the next batch is played with."""
        return self._native.weights()

    def place(self, part: int) -> bytes:
        """Inside of `collect`: where the environments of a part stand."""
        return self._native.place(part)

    def take(self, part: int, batch: Any, place: Any) -> None:
        """Inside of `collect`: what a player has played of a part, and where that leaves it."""
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
        """Ends the evaluator and lets go of the run. In a fork of the process that made it: nothing."""
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
