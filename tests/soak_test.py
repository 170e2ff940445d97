"""A long time of everything at once: a training that is killed and goes on, a server under a ceiling of memory, people who play, viewers, and
clients that reset their connections. In the end the training is the one that was never killed, and the server holds no more than at its start.

Usage: soak_test.py PATH_OF_LUDUS [SECONDS]      60 without a number; ./check --long takes an hour
"""

import random
import resource
import subprocess
import sys
import time
from pathlib import Path

SECONDS = float(sys.argv.pop(2)) if len(sys.argv) > 2 else 60.0

from cli.helper import LUDUS, WORK, environment, ludus, main, test, until  # noqa: E402
from serve.client import Server, Socket  # noqa: E402
from serve.cuts import conversations, reset  # noqa: E402
from serve.shared import RUNS, SMALL, run_path, shared  # noqa: E402

CEILING = 1 << 30  # bytes of address space, of which threads and reserves take most
WORDS = ["--set", "run.window_env_steps=4k", "--set", "run.checkpoint_updates=4", "--set", "eval.on=false", *SMALL]
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


@test
def everything_at_once_leaks_nothing():
    shared()
    with Server(RUNS, "--serve.requests_per_second", 0, "--serve.log", "none", "--serve.request_seconds", 1, "--serve.session_seconds", 2,
                limits={resource.RLIMIT_AS: CEILING}) as server:
        folder = WORK / "soak"
        words = ["train", "cartpole", "--out", folder, "--json", "--steps", "100M", *WORDS]
        child, kills, samples = None, 0, []
        end, warm = time.time() + SECONDS, time.time() + min(SECONDS / 4, 60)
        while time.time() < end:
            if child is None:
                begun = list(folder.glob("*/checkpoints/ckpt_*/manifest.json"))
                more = ["train", "cartpole", "--out", folder, "--json", "--resume", "latest"] if begun else words
                child = subprocess.Popen([LUDUS, *map(str, more)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment())
                born = time.time()
            for do in (play, watch, cut):
                do(server)
            if time.time() - born > dice.uniform(1, 3):
                assert child.poll() is None, f"the training ended with {child.returncode}"
                child.kill()
                child.wait()
                child, kills = None, kills + 1
            if time.time() > warm:
                samples.append((server.memory(), server.descriptors()))
        if child:
            child.kill()
            child.wait()
        until(lambda: server.get("/metrics").body.count(b"ludus_sessions 0\n") == 1, "no session")
        first, last = samples[0], (server.memory(), server.descriptors())
        assert last[0] < first[0] + (12 << 20) and last[1] <= max(fds for _, fds in samples[:10]), (first, last)
    run = next(folder.glob("*/run.json")).parent
    stop = ludus("runs", "show", run, "--json").json()["update"] // 8 * 8 + 16
    gone = ludus("train", "cartpole", "--out", folder, "--json", "--resume", run, "--run.stop_update", stop).lines()[-1]
    straight = ludus("train", "cartpole", "--out", WORK / "straight", "--json", "--steps", "100M", *WORDS, "--run.stop_update", stop).lines()[-1]
    assert gone["hash"] == straight["hash"], "other bits than those of a training that was not killed"
    print(f"     {kills} kills, {len(samples)} rounds, {first[0] >> 20} to {last[0] >> 20} MiB, {first[1]} to {last[1]} descriptors")


if __name__ == "__main__":
    sys.exit(main("soak", __doc__))
