"""A long time of everything at once: trainings that are killed and go on, a server under a ceiling of memory, people who play, viewers, and
clients that reset their connections. Every training is in the end the one that was never killed, and the server holds no more than at its start.

Usage: soak_test.py PATH_OF_LUDUS [SECONDS]      60 without a number; ./check --long takes an hour
"""

import json
import random
import resource
import shutil
import subprocess
import sys
import time

SECONDS = float(sys.argv.pop(2)) if len(sys.argv) > 2 else 60.0

from cli.helper import LUDUS, WORK, environment, ludus, main, test, until  # noqa: E402
from serve.client import Server, Socket  # noqa: E402
from serve.cuts import conversations  # noqa: E402
from serve.cutting import reset  # noqa: E402
from serve.shared import RUNS, SMALL, run_path, shared  # noqa: E402

CEILING = 1 << 30  # bytes of address space, of which threads and reserves take most
WORDS = ["--steps", "200k", "--set", "run.window_env_steps=4k", "--set", "run.checkpoint_updates=4", "--set", "eval.on=false", *SMALL]
dice = random.Random(7)


def play(server):
    answer = server.ask("POST", "/api/v1/sessions", body={"game": "cartpole", "seed": "3"})
    if answer.status == 201:
        path = f"/api/v1/sessions/{answer.json()['session']}"
        for _ in range(20):
            server.ask("POST", path + "/step", body={"actions": [[dice.randrange(2)]]})
        server.ask("DELETE", path)


def watch(server):
    with Socket(server, run_path("/replays/best/frames?rate=200")) as sock:
        for _ in range(20):
            sock.receive()


def cut(server):
    for data in conversations():
        sock = server.connect()
        sock.sendall(data[:dice.randrange(len(data) + 1)])
        time.sleep(dice.choice((0, 0.002)))
        reset(sock)


class Training:
    """One that is killed and resumed until it is done, and then the next; each is the one that was never killed."""

    def __init__(self):
        self.folder, self.said, self.child = WORK / "soak", WORK / "soak.said", None
        self.kills = self.done = 0
        self.hash = ludus("train", "cartpole", "--out", WORK / "straight", "--json", *WORDS).lines()[-1]["hash"]

    def start(self):
        words = ["--resume", "latest"] if list(self.folder.glob("*/checkpoints/ckpt_*/manifest.json")) else WORDS
        with self.said.open("w") as said:
            self.child = subprocess.Popen([LUDUS, "train", "cartpole", "--out", self.folder, "--json", *words], stdout=said,
                                          stderr=subprocess.DEVNULL, env=environment())
        self.until = time.time() + dice.uniform(1, 3)

    def go(self):
        if self.child is None:
            self.start()
        elif self.child.poll() is not None:
            assert self.child.returncode == 0, f"the training ended with {self.child.returncode}"
            assert json.loads(self.said.read_text().splitlines()[-1])["hash"] == self.hash, "other bits than those of a training that was not killed"
            shutil.rmtree(self.folder)
            self.child, self.done = None, self.done + 1
        elif time.time() > self.until:
            self.end()
            self.kills += 1

    def end(self):
        if self.child:
            self.child.kill()
            self.child.wait()
            self.child = None


@test
def everything_at_once_leaks_nothing():
    shared()
    with Server(RUNS, "--serve.requests_per_second", 0, "--serve.log", "none", "--serve.request_seconds", 1, "--serve.session_seconds", 2,
                limits={resource.RLIMIT_AS: CEILING}) as server:
        train = Training()
        samples, end, warm = [], time.time() + SECONDS, time.time() + min(SECONDS / 4, 60)
        while time.time() < end:
            train.go()
            for do in (play, watch, cut):
                do(server)
            if time.time() > warm:
                samples.append((server.memory(), server.descriptors()))
        train.end()
        until(lambda: server.get("/metrics").body.count(b"ludus_sessions 0\n") == 1, "no session")
        most = max(fds for _, fds in samples[:10])
        until(lambda: server.descriptors() <= most, f"at most {most} descriptors, as at the start")  # the last connection ends a moment later
        first, last = samples[0], (server.memory(), server.descriptors())
        assert last[0] < first[0] + (12 << 20), (first, last)
    print(f"     {train.kills} kills, {train.done} trainings to their end, {len(samples)} rounds, {first[0] >> 20} to {last[0] >> 20} MiB, "
          f"{first[1]} to {last[1]} descriptors")


if __name__ == "__main__":
    sys.exit(main("soak", __doc__))
