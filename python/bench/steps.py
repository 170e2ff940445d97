#!/usr/bin/env python3
"""Environment steps per second from Python, beside the C bench and gymnasium's own vectors.

Actions are uniform over all options and made before the clock starts, as `ludus bench` does;
observations, masks, rewards and ends are written. Rounds are short and the best counts: it met no
foreign load. The C bench, `ludus.Vector`, its gymnasium form, SyncVectorEnv and AsyncVectorEnv take
turns in one run, all with one thread (AsyncVectorEnv: a process per environment, hence fewer).

Usage: python/bench/steps.py [--seconds X] [--environments N] [--json] [GAME...]
"""

import argparse
import json
import platform
import subprocess
import time

import gymnasium
import numpy as np
from gymnasium.vector import AsyncVectorEnv, SyncVectorEnv

import ludus
from ludus.program import path

ASYNC = 8
POOL = 64


def best_round(step, environments, steps, seconds):
    """Environment steps per second of the best round within so many seconds."""
    best, until = 0.0, time.perf_counter() + seconds
    while time.perf_counter() < until:
        begin = time.perf_counter()
        for at in range(steps):
            step(at)
        best = max(best, environments * steps / (time.perf_counter() - begin))
    return best


def actions_of(game, environments):
    one, rng = ludus.spec(game), np.random.default_rng(0)
    rows = environments * one.seats
    drawn = [rng.integers(0, options, (POOL, rows), np.int32) for options in one.heads]
    return np.ascontiguousarray(np.stack(drawn, 2))


def c_bench(game, environments, seconds):
    """The best of many short calls, whose rounds are then as short as those below."""
    words = ["bench", game, "--threads", "1", "--environments", str(environments)]
    words += ["--seconds", "0.2", "--json"]
    best, until = 0.0, time.perf_counter() + seconds
    while time.perf_counter() < until:
        out = subprocess.run([path(), *words], capture_output=True, text=True, check=True).stdout
        best = max(best, json.loads(out)["games"][0]["one_thread"]["decisions_per_second"])
    return best


def ours(game, environments, seconds):
    vector = ludus.Vector(game, environments, finals=False)
    vector.reset(1)
    actions = actions_of(game, environments)
    return best_round(lambda at: vector.step(actions[at % POOL]), environments, 32, seconds)


def ours_gym(game, environments, seconds):
    vector = gymnasium.make_vec(f"ludus/{game}", num_envs=environments, autoreset_mode="SameStep")
    vector.reset(seed=1)
    actions = actions_of(game, environments)
    return best_round(lambda at: vector.step(actions[at % POOL]), environments, 32, seconds)


def theirs(kind, game, environments, seconds):
    vector = kind([lambda: gymnasium.make(f"ludus/{game}", disable_env_checker=True)] * environments)
    vector.reset(seed=1)
    actions = actions_of(game, environments)[:, :, 0]
    rate = best_round(lambda at: vector.step(actions[at % POOL]), environments, 2, seconds)
    vector.close()
    return rate


def measure(game, environments, seconds):
    rows = {}
    for turn in range(3):
        share = seconds / 3
        for name, rate in (
            ("C bench", lambda s: c_bench(game, environments, s)),
            ("ludus.Vector", lambda s: ours(game, environments, s)),
            ("gymnasium.make_vec", lambda s: ours_gym(game, environments, s)),
            ("SyncVectorEnv", lambda s: theirs(SyncVectorEnv, game, environments, s)),
            (f"AsyncVectorEnv, {ASYNC} environments", lambda s: theirs(AsyncVectorEnv, game, ASYNC, s)),
        ):
            if turn and name.startswith(("Sync", "Async")):
                continue  # once is enough for what is slower by far
            rows[name] = max(rows.get(name, 0.0), rate(share))
    return rows


def main():
    parser = argparse.ArgumentParser(description="Environment steps per second from Python.")
    parser.add_argument("games", nargs="*", default=["prospector-v1", "cartpole-v1"])
    parser.add_argument("--seconds", type=float, default=9.0)
    parser.add_argument("--environments", type=int, default=1024)
    parser.add_argument("--json", action="store_true")
    words = parser.parse_args()
    found = {game: measure(game, words.environments, words.seconds) for game in words.games}
    if words.json:
        facts = {
            "python": platform.python_version(),
            "numpy": np.__version__,
            "gymnasium": gymnasium.__version__,
        }
        print(json.dumps({"environments": words.environments, **facts, "steps_per_second": found}))
        return
    for game, rows in found.items():
        print(f"{game}, {words.environments} environments, one thread")
        for name, rate in rows.items():
            print(f"  {name:34} {rate:14,.0f} steps/s  {100 * rate / rows['C bench']:7.2f} % of the C bench")


if __name__ == "__main__":
    main()
