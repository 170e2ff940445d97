"""Jobs of several processes over a Ray cluster: ranks of the program `ludus`, as mpirun starts them.

Rank 0 runs here, the others in actors. What they exchange is carried by the parent of each process
(apps/world_line.c has the form of the line): pieces go into Ray's object store, and an actor in
the middle, the board, hands each rank what the others gave. A rank that is lost ends the job, and it
begins again with what was kept: the last checkpoint of a training, the trials of a sweep.
"""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import struct
import subprocess
from collections.abc import Callable, Sequence
from typing import Any

import ray

from ludus.program import path

LARGE = 1 << 16  # bytes from which on a piece goes into the object store by itself
PATIENCE = 60.0  # seconds in which a rank must find a place in the cluster
VARIABLES = ("LUDUS_HOME", "LUDUS_ISA", "LUDUS_RUN_FOLDER", "LUDUS_LOG")  # what other machines are told

Pieces = list[bytes]
Swap = Callable[[Pieces], Pieces]


class Lost(RuntimeError):
    """A rank is lost."""


class Board:
    """The actor in the middle: all ranks of a job meet at it, one meeting after the other."""

    def __init__(self, ranks: int) -> None:
        """For so many."""
        self.ranks = ranks
        self.meetings: dict[int, tuple[dict[int, list[Any]], asyncio.Event]] = {}

    async def meet(self, number: int, rank: int, given: list[Any]) -> list[Any]:
        """What each rank gave this one, when all are there; one piece is for all of them."""
        there, full = self.meetings.setdefault(number, ({}, asyncio.Event()))
        there[rank] = given
        if len(there) == self.ranks:
            full.set()
            del self.meetings[number]
        await full.wait()
        gave = (there[other] for other in range(self.ranks))
        return [pieces[0] if len(pieces) == 1 else pieces[rank] for pieces in gave]


def _put(piece: bytes) -> Any:
    return [ray.put(piece)] if len(piece) >= LARGE else piece


def _got(given: Any) -> bytes:
    return bytes(ray.get(given[0])) if isinstance(given, list) else given


class Process:
    """The program as one rank, and the line to it."""

    def __init__(self, words: Sequence[str], rank: int, ranks: int, **how: Any) -> None:
        """`how` goes to Popen."""
        self.line, theirs = socket.socketpair()
        env = {**os.environ, **how.pop("env", {}), "LUDUS_RANKS": f"{theirs.fileno()} {rank} {ranks}"}
        # of a session of its own: Ctrl-C comes once, from this process
        self.child = subprocess.Popen(
            [path(), *words], env=env, pass_fds=[theirs.fileno()], start_new_session=True, **how
        )
        theirs.close()
        self.file = self.line.makefile("rwb")

    def _number(self) -> int | None:
        text = self.file.read(8)
        return struct.unpack("=Q", text)[0] if len(text) == 8 else None

    def serve(self, swap: Swap) -> int:
        """Carries what it exchanges until it ends; its exit code."""
        while (count := self._number()) is not None:
            given = [self.file.read(self._number() or 0) for _ in range(count)]
            try:
                for piece in swap(given):
                    self.file.write(struct.pack("=Q", len(piece)))
                    self.file.write(piece)
                self.file.flush()
            except BrokenPipeError:
                break
        return self.child.wait()

    def kill(self) -> None:
        """Ends it at once."""
        self.child.kill()
        self.child.wait()
        self.line.close()


class Rank:
    """What runs in an actor: a rank behind the first."""

    def run(self, board: Any, words: list[str], rank: int, ranks: int, env: dict[str, str], at: str) -> int:
        """To its end; the exit code. `at` is the folder of the call, where it is there too."""
        number = 0

        def swap(given: Pieces) -> Pieces:
            nonlocal number
            got = ray.get(board.meet.remote(number, rank, [_put(piece) for piece in given]))
            number += 1
            return [_got(one) for one in got]

        quiet = subprocess.DEVNULL
        where = at if os.path.isdir(at) else None
        process = Process(words, rank, ranks, env=env, cwd=where, stdin=quiet, stdout=quiet, stderr=quiet)
        return process.serve(swap)


class Job:
    """One try at a job: rank 0 here, the others in actors."""

    def __init__(self, words: Sequence[str], ranks: int, threads: int) -> None:
        """Starts them."""
        self.board = ray.remote(Board).options(num_cpus=0, max_concurrency=4 * ranks + 4).remote(ranks)
        make = ray.remote(Rank).options(num_cpus=max(threads, 1))
        self.actors = {rank: make.remote() for rank in range(1, ranks)}
        env = {name: os.environ[name] for name in VARIABLES if name in os.environ}
        self.others = {
            actor.run.remote(self.board, list(words), rank, ranks, env, os.getcwd()): rank
            for rank, actor in self.actors.items()
        }
        self.number = 0
        self.process = Process(words, 0, ranks)

    def _swap(self, given: Pieces) -> Pieces:
        meeting = self.board.meet.remote(self.number, 0, [_put(piece) for piece in given])
        patience = PATIENCE if self.number == 0 else None
        ready, _ = ray.wait([meeting, *self.others], num_returns=1, timeout=patience)
        self.number += 1
        if not ready:
            raise RuntimeError(
                f"not every rank found a place in the cluster within {PATIENCE:.0f} s: add nodes, or use "
                "fewer ranks"
            )
        if ready[0] != meeting:
            raise Lost(f"rank {self.others[ready[0]]} is lost")
        try:
            return [_got(one) for one in ray.get(meeting)]
        except ray.exceptions.RayError as problem:
            raise Lost(f"what ranks exchange is lost ({type(problem).__name__})") from None

    def run(self) -> int:
        """To its end; the exit code of rank 0."""

        def ask(number: int, frame: object) -> None:
            self.process.child.send_signal(number)

        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, ask)
        return self.process.serve(self._swap)

    def close(self) -> None:
        """Ends what is left of it."""
        if self.process.child.poll() is None:
            self.process.kill()
        for actor in (*self.actors.values(), self.board):
            ray.kill(actor)


def run(
    words: Sequence[str],
    ranks: int,
    threads: int,
    again: Callable[[], Sequence[str]],
    note: Callable[[str], None],
    tries: int = 5,
) -> int:
    """Runs `ludus WORDS` as so many ranks; where one is lost, `ludus again()`. The exit code of rank 0."""
    for left in range(tries, -1, -1):
        job = Job(words, ranks, threads)
        try:
            return job.run()
        except Lost as problem:
            if left == 0:
                told = f"{problem}, as in {tries} attempts before: what was saved is intact"
                raise RuntimeError(told) from None
            job.process.kill()
            words = again()
            note(f"{problem}: the job restarts from what was saved")
        finally:
            job.close()
    raise AssertionError
