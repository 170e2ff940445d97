#!/usr/bin/env python3
"""Parity of our cartpole and acrobot with Gymnasium's CartPole-v1 and Acrobot-v1.

    gym_parity.py                       records games/{cartpole,acrobot}/vectors/*.jsonl.gz anew
    gym_parity.py --live build/ludus    plays fresh seeds in both and compares every step

A vector file is JSON lines: a header with the versions it was recorded with, then one episode per
line with the start (double, as options of our reset), actions, observations (float32), rewards and
flags. `ludus verify cartpole FILE...` replays them without Python. Needs gymnasium from PyPI.

Both systems are unstable: under given actions a difference in the last bit of one sin grows without
bound (by e^4 per second in cartpole). So an episode also carries the exact state at every SYNC
steps, and both comparisons go on from there.
"""

import argparse
import datetime
import gzip
import json
import os
import platform
import subprocess
import sys
import tempfile

import gymnasium
import numpy as np

TOLERANCE = 1e-6  # relative above 1
SYNC = 100  # steps
LIMIT = 500  # steps of an episode in both environments
ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")


# ---- the two games ----


def balancer(seen, _rng):
    return int(0.1 * seen[0] + 0.2 * seen[1] + seen[2] + 0.25 * seen[3] > 0)


def swinger(seen, _rng):
    return 2 if seen[5] - 0.5 * seen[4] > 0 else 0


def uniform(actions):
    return lambda _seen, rng: int(rng.integers(actions))


def constant(action):
    return lambda _seen, _rng: action


def mixed(controller, actions, share):
    """The controller, with a share of random actions."""

    def act(seen, rng):
        return int(rng.integers(actions)) if rng.random() < share else controller(seen, rng)

    return act


GAMES = {
    "cartpole": {
        "env": "CartPole-v1",
        "id": "cartpole-v1",
        "start": ("x", "x_dot", "theta", "theta_dot"),
        "files": {
            "random": (100, uniform(2)),
            "balancer": (6, balancer),
            "edges": (24, mixed(balancer, 2, 0.5)),
        },
        # widest starts of the edge cases
        "edge": (2.4, 2.0, 0.2094, 2.0),
        "live": (uniform(2), balancer, mixed(balancer, 2, 0.3)),
    },
    "acrobot": {
        "env": "Acrobot-v1",
        "id": "acrobot-v1",
        "start": ("theta1", "theta2", "theta1_dot", "theta2_dot"),
        "files": {
            "random": (3, uniform(3)),
            "swinger": (20, swinger),
            "still": (2, constant(1)),
            "edges": (24, mixed(swinger, 3, 0.5)),
        },
        "edge": (3.1, 3.1, 6.0, 6.0),
        "live": (uniform(3), swinger, mixed(swinger, 3, 0.3)),
    },
}


# ---- episodes of Gymnasium ----


def play(env, policy, seed, start=None):
    """One whole episode; `start` replaces the start Gymnasium drew."""
    rng = np.random.default_rng(seed)
    seen, _ = env.reset(seed=seed)
    if start is not None:
        env.unwrapped.state = np.array(start, np.float64)
        seen = None
    begin = [float(v) for v in env.unwrapped.state]
    if seen is None:
        seen = observation_of(env)
    episode = {"start": begin, "reset_obs": numbers(seen)}
    rows = {k: [] for k in ("actions", "obs", "reward", "terminated", "truncated")}
    states = []
    over = False
    while not over:
        if rows["actions"] and len(rows["actions"]) % SYNC == 0:
            states.append([float(v) for v in env.unwrapped.state])
        action = policy(seen, rng)
        seen, reward, terminated, truncated, _ = env.step(action)
        over = terminated or truncated
        rows["actions"].append(action)
        rows["obs"].append(numbers(seen))
        rows["reward"].append(float(reward))
        rows["terminated"].append(int(terminated))
        rows["truncated"].append(int(truncated))
    return {**episode, "sync": SYNC, "states": states, **rows}


def observation_of(env):
    state = np.asarray(env.unwrapped.state)
    if env.spec.id == "Acrobot-v1":
        a, b, u, v = state
        return np.array([np.cos(a), np.sin(a), np.cos(b), np.sin(b), u, v], np.float32)
    return state.astype(np.float32)


def numbers(row):
    """float32 as the shortest decimal that reads back as the same float32."""
    assert row.dtype == np.float32
    return [float(str(v)) for v in row]


# ---- recording ----


def header(game):
    return {
        "format": "ludus gym trace 1",
        "game": game["id"],
        "env": game["env"],
        "gymnasium": gymnasium.__version__,
        "numpy": np.__version__,
        "python": platform.python_version(),
        "date": datetime.date.today().isoformat(),
    }


def record(root):
    for name, game in GAMES.items():
        folder = os.path.join(root, "games", name, "vectors")
        os.makedirs(folder, exist_ok=True)
        env = gymnasium.make(game["env"])
        for number, (file, (count, policy)) in enumerate(game["files"].items()):
            lines = [header(game)]
            for k in range(count):
                seed = 1000 * number + k
                start = None
                if file == "edges":
                    rng = np.random.default_rng(seed)
                    start = [w * rng.uniform(-1.0, 1.0) for w in game["edge"]]
                episode = play(env, policy, seed, start)
                episode["start"] = dict(zip(game["start"], episode["start"]))
                episode["states"] = [dict(zip(game["start"], s)) for s in episode["states"]]
                lines.append({"id": f"{file}-{k}", "seed": seed, **episode})
            path = os.path.join(folder, file + ".jsonl.gz")
            text = "".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines)
            # no name and no time inside, so that equal data gives equal bytes
            with open(path, "wb") as raw:
                with gzip.GzipFile("", "wb", 9, raw, mtime=0) as out:
                    out.write(text.encode())
            steps = sum(len(line.get("actions", ())) for line in lines)
            print(f"{path}: {count} episodes, {steps} steps, {os.path.getsize(path)} bytes")


# ---- live comparison ----


def trace(ludus, name, game, episode, folder):
    """The same episode by `ludus trace` in stretches of SYNC steps; line 0 is the reset."""
    path = os.path.join(folder, "actions.txt")
    lines = []
    for part, start in enumerate([episode["start"], *episode["states"]]):
        first = part * SYNC
        with open(path, "w", encoding="ascii") as file:
            file.writelines(f"{a}\n" for a in episode["actions"][first : first + SYNC])
        command = [ludus, "trace", name, "--actions", path, "--json"]
        command += ["--set", f"limit={LIMIT - first}"]
        for key, value in zip(game["start"], start):
            command += ["--set", f"{key}={value!r}"]
        output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        lines += [json.loads(line) for line in output.splitlines()][bool(part) :]
    return lines


def compare(episode, lines, worst):
    """First difference in words, or None. `worst` collects the largest observation error."""
    want = [(episode["reset_obs"], 0.0, 0, 0)]
    want += zip(*(episode[k] for k in ("obs", "reward", "terminated", "truncated")))
    if len(lines) != len(want):
        return f"{len(lines) - 1} steps instead of {len(want) - 1}"
    for t, (line, (seen, reward, terminated, truncated)) in enumerate(zip(lines, want)):
        for i, (a, b) in enumerate(zip(seen, line["obs"])):
            error = abs(a - b) / max(1.0, abs(a))
            worst[0] = max(worst[0], error)
            if not error <= TOLERANCE:
                return f"t={t - 1} obs[{i}] is {b}, Gymnasium has {a}"
        if t and line["reward"] != reward:
            return f"t={t - 1} reward is {line['reward']}, Gymnasium has {reward}"
        # ludus never sets both flags
        if (int(line["terminated"]), int(line["truncated"])) != (
            terminated,
            0 if terminated else truncated,
        ):
            return f"t={t - 1} the flags differ"
    return None


def live(ludus, episodes, first):
    failed = passed = 0
    for name, game in GAMES.items():
        env = gymnasium.make(game["env"])
        steps, worst = 0, [0.0]
        with tempfile.TemporaryDirectory() as folder:
            for k in range(episodes):
                policy = game["live"][k % len(game["live"])]
                episode = play(env, policy, first + k)
                difference = compare(episode, trace(ludus, name, game, episode, folder), worst)
                steps += len(episode["actions"])
                failed, passed = failed + bool(difference), passed + (not difference)
                if difference:
                    print(f"{name} seed {first + k}: {difference}")
        print(f"{name}: {episodes} episodes, {steps} steps, observation error <= {worst[0]:.2e}")
    print(f"{passed} passed, {failed} failed")
    return 5 if failed else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--live", metavar="LUDUS", help="program to compare with, on fresh seeds")
    parser.add_argument("--episodes", type=int, default=60, help="of each game, for --live")
    parser.add_argument("--seed", type=int, help="first seed of --live; default: from the clock")
    parser.add_argument("--root", default=ROOT, help="folder that holds games/")
    args = parser.parse_args()
    if not args.live:
        record(args.root)
        return 0
    first = args.seed
    if first is None:
        first = int(datetime.datetime.now().timestamp())
    print(f"gymnasium {gymnasium.__version__}, numpy {np.__version__}, seeds from {first}")
    return live(args.live, args.episodes, first)


if __name__ == "__main__":
    sys.exit(main())
