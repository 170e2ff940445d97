"""Work over a Ray cluster: `python -m ludus.ray train GAME --num-workers N --address auto`.

Workers of a training are persistent actors that play with the library's own roll-out. The learner, in
the process that is started, puts weights into Ray's object store, takes the batches that workers leave
there, learns, and keeps the run folder, as `ludus train` does. The bits are those of one process with
as many parts (`train.parts`), however many workers there are; a worker that is lost is replaced, and
its successor plays the same batch again. With `--num-learners N` a group learns: N ranks, each of which
plays and learns its parts. `sweep`, `eval` and `match` are those of `ludus`, cut over ranks in the same way
(`ludus.ray_ranks`). Needs Ray (`pip install "./python[ray]"`); docs/scale.md.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import logging
import os
import signal
import socket
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

try:
    import ray.exceptions
except ModuleNotFoundError:
    if __name__ != "__main__":
        raise
    sys.exit('ludus.ray: Ray is not installed; `pip install "./python[ray]"` installs it')

from ludus import _native, ray_ranks
from ludus.game import spec
from ludus.training import Row, Training

LOST = (ray.exceptions.RayActorError, ray.exceptions.ObjectLostError, ray.exceptions.WorkerCrashedError)
PATIENCE = 60.0  # seconds in which a worker must find a place in the cluster
TRIES = 5  # losses in one update, after which it is given up


class Worker:
    """What runs in an actor: a player of the library for some parts of a training."""

    def __init__(self, game: str, settings: str, rank: int, ranks: int, threads: int) -> None:
        """With the learner's settings."""
        self.words = (game, settings, rank, ranks, threads)

    def parts(self) -> tuple[int, int]:
        """Makes the player: the first of its parts, and how many they are."""
        self.player = _native.Player(*self.words)
        return self.player.parts()

    def collect(self, weights: Any, places: dict[int, Any]) -> list[tuple[int, Any, Any]]:
        """Plays a batch, from `places` where they are given: part, batch and place of each."""
        for part, place in places.items():
            self.player.stand(part, place)
        played = self.player.collect(weights)
        return [(part, np.frombuffer(b, np.uint8), np.frombuffer(p, np.uint8)) for part, b, p in played]


def _got(ref: Any) -> Any:
    """A result; an error of the library inside of a worker is its sentence."""
    try:
        return ray.get(ref)
    except ray.exceptions.RayTaskError as problem:
        raise RuntimeError(f"a worker failed: {problem.cause}") from None


class Workers:
    """The workers of a training, and what is done when one is lost."""

    def __init__(self, count: int, threads: int, note: Any) -> None:
        """They are made with the first batch; `note` gets sentences for people."""
        self.count, self.threads, self.note = count, threads, note
        self.lost = 0
        self._actors: dict[int, Any] = {}
        self._first: dict[int, tuple[int, int]] = {}
        self._new: set[int] = set()

    def _make(self, training: Training, rank: int) -> None:
        settings = json.dumps(training.settings())
        make = ray.remote(Worker).options(num_cpus=max(self.threads, 1))
        game = training.facts["game"]
        self._actors[rank] = make.remote(game, settings, rank, self.count, self.threads)
        self._first.pop(rank, None)
        self._new.add(rank)

    def _parts(self, rank: int) -> range:
        if rank not in self._first:
            asked = self._actors[rank].parts.remote()
            ready, _ = ray.wait([asked], timeout=PATIENCE)
            if not ready:
                raise RuntimeError(
                    f"worker {rank} found no place in the cluster within {PATIENCE:.0f} s: the last "
                    "checkpoint is complete; add nodes, or use fewer workers, and continue with --resume"
                )
            self._first[rank] = _got(asked)
        first, count = self._first[rank]
        return range(first, first + count)

    def _start(self, training: Training, rank: int, weights: Any) -> Any:
        places: dict[int, Any] = {}
        if rank in self._new:  # it begins where the learner knows its parts to stand
            places = {part: np.frombuffer(training.place(part), np.uint8) for part in self._parts(rank)}
            self._new.discard(rank)
        return self._actors[rank].collect.remote(weights, places)

    def _replace(self, training: Training, rank: int, weights: Any, losses: int) -> Any:
        self.lost += 1
        if losses > TRIES:
            raise RuntimeError(f"workers were lost {losses} times in one update: is there enough memory?")
        self.note(f"worker {rank} was lost: another one plays its batch again")
        self._make(training, rank)
        return self._start(training, rank, weights)

    def collect(self, training: Training) -> None:
        """The batch of an update: weights go out, what was played comes in, in any order."""
        weights = ray.put(np.frombuffer(training.weights(), np.uint8))
        losses = 0
        waiting: dict[Any, int] = {}
        for rank in range(self.count):
            if rank not in self._actors:
                self._make(training, rank)
        for rank in range(self.count):
            try:
                waiting[self._start(training, rank, weights)] = rank
            except LOST:
                losses += 1
                waiting[self._replace(training, rank, weights, losses)] = rank
        while waiting:
            ready, _ = ray.wait(list(waiting), num_returns=1)
            rank = waiting.pop(ready[0])
            try:
                played = _got(ready[0])
            except LOST:
                losses += 1
                waiting[self._replace(training, rank, weights, losses)] = rank
                continue
            for part, batch, place in played:
                training.take(part, batch, place)

    def close(self) -> None:
        """Ends the actors."""
        for actor in self._actors.values():
            ray.kill(actor)
        self._actors.clear()


def _answers(address: str) -> bool:
    """Whether anything listens there: Ray itself would try for minutes."""
    host, _, port = address.rpartition(":")
    try:
        with socket.create_connection((host, int(port)), 5.0):
            return True
    except (OSError, ValueError):
        return False


def _found() -> str:
    """What `auto` means: the cluster that RAY_ADDRESS names, or that was begun on this machine."""
    note = Path(os.environ.get("RAY_TMPDIR", "/tmp")) / "ray/ray_current_cluster"
    return os.environ.get("RAY_ADDRESS") or (note.read_text().strip() if note.exists() else "auto")


def connect(address: str, need: int) -> None:
    """Joins a cluster, or begins one here (`local`); refuses one that is too small."""
    at = _found() if address == "auto" else address
    if at != "local" and not at.startswith("ray://") and not _answers(at):
        raise SystemExit(
            f"ludus.ray: no Ray cluster answers at '{at}': start one (`ray start --head`), "
            "or leave out --address"
        )
    own: dict[str, Any] = {"num_cpus": need, "include_dashboard": False} if at == "local" else {}
    ray.init(at, log_to_driver=False, logging_level=logging.ERROR, **own)
    there = int(ray.cluster_resources().get("CPU", 0))
    if there < need:
        ray.shutdown()
        raise SystemExit(
            f"ludus.ray: the cluster has {there} processors, but the workers need {need}: "
            "use fewer (--num-workers, --worker-threads), or add nodes"
        )


def _settings(words: argparse.Namespace) -> Row:
    found: Row = {}
    for pair in words.set:
        key, equals, value = pair.partition("=")
        if not equals:
            raise SystemExit(f"ludus.ray: --set takes KEY=VALUE, not '{pair}'")
        found[key] = value
    for key in ("steps", "seed", "threads"):
        if getattr(words, key) is not None:
            found[f"train.{key}"] = getattr(words, key)
    if not words.resume:
        found.setdefault("train.parts", words.num_learners if words.num_learners > 1 else words.num_workers)
    return found


class _Display:
    """A line now and then, or every row as JSON."""

    def __init__(self, as_json: bool) -> None:
        self.as_json, self.shown, self.out = as_json, 0.0, sys.stdout

    def note(self, text: str) -> None:
        print(text, file=sys.stderr, flush=True)

    def line(self, text: str) -> None:
        print(text, file=self.out, flush=True)

    def event(self, kind: str, **row: Any) -> None:
        if self.as_json:
            self.line(json.dumps({"event": kind, **row}))

    def update(self, row: Row) -> None:
        self.event("update", **row)
        if not self.as_json and time.monotonic() - self.shown > 1.0:
            self.shown = time.monotonic()
            told = f"{row['env_steps']} steps, {row['steps_per_second']:.0f}/s"
            self.line(f"update {row['update']}: {told}, return {row['recent_return']:.2f}")


def train(words: argparse.Namespace, display: _Display) -> int:
    """The training; its exit code."""
    need = words.num_workers * max(words.worker_threads, 1)
    workers = Workers(words.num_workers, words.worker_threads, display.note)
    try:
        preset = words.preset
        if preset is None and not words.resume:
            preset = spec(words.game).whole["facts"].get("preset") or ""
        connect(words.address, need)
        training = Training(
            words.game,
            preset=preset or "",
            settings=_settings(words),
            runs=words.out,
            resume=words.resume,
            load=words.load,
            name=words.name,
            evaluate=not words.no_eval,
            collect=workers.collect,
        )
        with training:
            return _run(training, workers, display)
    except (_native.Error, RuntimeError) as problem:
        display.note(f"ludus.ray: {problem}")
        return getattr(problem, "exit_code", 1)
    finally:
        workers.close()
        ray.shutdown()


def _run(training: Training, workers: Workers, display: _Display) -> int:
    facts = training.facts
    parts, nodes = facts["parts"], len(ray.nodes())
    display.event("start", workers=workers.count, nodes=nodes, **facts)
    if not display.as_json:
        display.line(f"run {facts['run']}: {parts} parts on {workers.count} workers, {nodes} nodes")
    training.on_update = display.update
    training.on_window = lambda row: display.event("window", row=row)
    training.on_evaluation = lambda row: display.event("evaluation", row=row)
    asked: list[int] = []

    def ask(number: int, frame: object) -> None:
        asked.append(number)
        training.stop()

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, ask)
    done = training.run()
    facts = training.facts
    display.event("end", lost=workers.lost, **facts)
    if not display.as_json:
        state = "finished" if done else "stopped"
        told = f"{facts['steps']} steps, {workers.lost} workers lost and replaced"
        display.line(f"{state}: {told}, hash {facts['hash']}: {facts['path']}")
    if asked:
        display.note(f"interrupted: --resume {facts['run']} continues, here or with `ludus train`")
    return 130 if asked else 0


def _ranks(words: argparse.Namespace, command: list[str], again: Callable[[], list[str]], note: Any) -> int:
    """A job of ranks; the first is in this process and takes no processor of the cluster."""
    threads = max(words.worker_threads, 1)
    count = words.num_learners if words.verb == "train" else words.num_workers
    connect(words.address, (count - 1) * threads)
    try:
        return ray_ranks.run(command, count, threads, again, note)
    except RuntimeError as problem:
        note(f"ludus.ray: {problem}")
        return 1
    finally:
        ray.shutdown()


def learn_together(words: argparse.Namespace, note: Any) -> int:
    """A training whose ranks play and learn; its exit code."""
    runs = Path(words.out or _native.place())
    command = [
        "train",
        words.game,
        "--out",
        str(runs),
        "--threads",
        words.threads or str(words.worker_threads),
    ]
    command += ["--json"] if words.json else []
    command += ["--set", "eval.on=false"] if words.no_eval else []
    kept = words.resume or words.name or f"{time.strftime('%Y%m%dT%H%M%SZ', time.gmtime())}-{words.game}"

    def first() -> list[str]:
        settings = {k: v for k, v in _settings(words).items() if k != "train.threads"}
        found = [*command, "--name", kept]
        found += ["--preset", words.preset] if words.preset else []
        if words.preset == "":  # none, not the game's own: that is for an algorithm that nobody named
            settings.setdefault("algo", "ppo")
        found += ["--load", words.load] if words.load else []
        return found + [word for pair in settings.items() for word in ("--set", "{}={}".format(*pair))]

    def again() -> list[str]:
        nonlocal kept
        if list(runs.glob(f"{kept}/checkpoints/ckpt_*")):
            return [*command, "--resume", kept]
        kept += "-again"  # lost before anything was kept
        return first()

    return _ranks(words, [*command, "--resume", kept] if words.resume else first(), again, note)


def spread(words: argparse.Namespace, rest: list[str], note: Any) -> int:
    """A verb of `ludus` over ranks, with the words it was given; its exit code."""
    command = [words.verb, *rest, "--threads", str(words.worker_threads)]
    return _ranks(words, command, lambda: command, note)


def _where(one: argparse.ArgumentParser, workers: str) -> None:
    add = one.add_argument
    add("--num-workers", type=int, default=2, metavar="N", help=workers)
    add("--worker-threads", type=int, default=1, metavar="N", help="threads and CPUs of each [1]")
    told = "`auto`, HOST:PORT, or `local`, which starts a cluster [local]"
    add("--address", "--ray-address", default="local", metavar="A", help=told)


def parser() -> argparse.ArgumentParser:
    """The command line."""
    top = argparse.ArgumentParser(prog="python -m ludus.ray", description=__doc__.split("\n")[0])
    verbs = top.add_subparsers(dest="verb", required=True, metavar="train|sweep|eval|match")
    one = verbs.add_parser("train", help="trains with players as actors in a Ray cluster")
    add = one.add_argument
    add("game", help="an id, or the name of a game: prospector")
    add(
        "--num-learners",
        type=int,
        default=1,
        metavar="N",
        help="ranks that play and learn, instead of workers",
    )
    _where(one, "actors that play [2]")
    for verb, told in (("sweep", "trials"), ("eval", "episodes"), ("match", "games")):
        text = f"`ludus {verb}`, whose {told} are divided among ranks; takes its options: `ludus help {verb}`"
        _where(verbs.add_parser(verb, help=text, description=text), "ranks, including this process [2]")
    add("--preset", metavar="NAME", help="preset of settings; default: the game's own")
    add("--set", action="append", default=[], metavar="KEY=VALUE", help="one setting; may be repeated")
    add("--steps", metavar="N", help="environment steps")
    add("--seed", metavar="N", help="random seed")
    add("--threads", metavar="N", help="threads of the learner, 0 for one per processor")
    add("--out", default="", metavar="DIR", help="runs folder")
    add("--name", default="", metavar="RUN", help="name of the run's folder")
    add("--resume", default="", metavar="RUN", help="resumes a run, bit for bit")
    add("--load", default="", metavar="MODEL", help="starts from a model's weights")
    add("--no-eval", action="store_true", help="does not evaluate windows during training")
    add("--json", action="store_true", help="one line of JSON per update, window and evaluation")
    return top


def main(argv: Sequence[str] | None = None) -> int:
    """`python -m ludus.ray`."""
    top = parser()
    words, rest = top.parse_known_args(argv)
    if rest and words.verb == "train":
        top.error(f"unrecognized arguments: {' '.join(rest)}")
    if min(words.num_workers, words.worker_threads, getattr(words, "num_learners", 1)) < 1:
        print("ludus.ray: --num-workers, --num-learners and --worker-threads are 1 or more", file=sys.stderr)
        return 2
    display = _Display(getattr(words, "json", False))
    with contextlib.redirect_stdout(sys.stderr):  # Ray tells of what it lost there
        if words.verb != "train":
            return spread(words, rest, display.note)
        return learn_together(words, display.note) if words.num_learners > 1 else train(words, display)


if __name__ == "__main__":
    sys.exit(main())
