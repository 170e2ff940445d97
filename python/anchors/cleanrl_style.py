#!/usr/bin/env python3
"""Learning anchor: PPO in PyTorch on Gymnasium's own environments, with the defaults of CleanRL's
ppo.py (semantics only; the code is ours). The native trainer's `classic` profile is compared with
the curves this script writes.

    cleanrl_style.py --env CartPole-v1 --seeds 1..10 --out bench/anchors/cartpole_cleanrl_style.json

Each seed prints one JSON line when it is done; the file of --out holds all of them and the versions
of everything that was used. An existing file is continued: seeds it holds are not run again.

Semantics that matter when curves are compared:
- an environment that ends is reset in the same step; the value of the final state is never used, so
  a truncation counts as a termination (as in ppo.py);
- advantages are normalised per minibatch with the unbiased deviation + 1e-8;
- the value loss is clipped around the old value; the learning rate falls linearly to zero;
- actor and critic are separate tanh nets; orthogonal weights with gain sqrt(2), 0.01 for the
  policy's last layer, 1 for the value's.
"""

import argparse
import collections
import datetime
import json
import math
import os
import platform
import random
import time

import gymnasium
import numpy as np
import torch
from torch import nn

SETTINGS = {
    "envs": 4,
    "horizon": 128,
    "minibatches": 4,
    "epochs": 4,
    "learning_rate": 2.5e-4,
    "anneal": True,
    "gamma": 0.99,
    "lambda": 0.95,
    "clip": 0.2,
    "value_clip": True,
    "entropy": 0.01,
    "value": 0.5,
    "grad_norm": 0.5,
    "adam_eps": 1e-5,
    "hidden": 64,
    "steps": 500_000,
}
WINDOW = 100  # episodes in the running mean
EVERY = 10  # updates between two points of the curve


def linear(inputs, outputs, gain):
    layer = nn.Linear(inputs, outputs)
    nn.init.orthogonal_(layer.weight, gain)
    nn.init.zeros_(layer.bias)
    return layer


def tower(inputs, hidden, outputs, last_gain):
    root2 = math.sqrt(2.0)
    return nn.Sequential(
        linear(inputs, hidden, root2),
        nn.Tanh(),
        linear(hidden, hidden, root2),
        nn.Tanh(),
        linear(hidden, outputs, last_gain),
    )


class Fleet:
    """A few environments stepped one by one, each reset in the step that ends it."""

    def __init__(self, name, count, seed):
        self.envs = [gymnasium.make(name) for _ in range(count)]
        self.seen = np.stack([e.reset(seed=seed + i)[0] for i, e in enumerate(self.envs)])
        self.total = [0.0] * count

    def step(self, actions):
        rewards = np.zeros(len(self.envs), np.float32)
        ended = np.zeros(len(self.envs), np.float32)
        finished = []
        seen = np.empty_like(self.seen)
        for i, (env, action) in enumerate(zip(self.envs, actions)):
            row, reward, terminated, truncated, _ = env.step(int(action))
            self.total[i] += reward
            if terminated or truncated:
                finished.append(self.total[i])
                self.total[i] = 0.0
                row, _ = env.reset()
                ended[i] = 1.0
            seen[i] = row
            rewards[i] = reward
        self.seen = seen
        return rewards, ended, finished


def collect(fleet, actor, critic, ended, s, recent):
    """One rollout; returns its tensors, [horizon, envs, ...], and the flags after it."""
    rows = {k: [] for k in ("seen", "action", "logp", "value", "reward", "start")}
    with torch.no_grad():
        for _ in range(s["horizon"]):
            seen = torch.from_numpy(fleet.seen)
            policy = torch.distributions.Categorical(logits=actor(seen))
            action = policy.sample()
            rows["seen"].append(seen)
            rows["action"].append(action)
            rows["logp"].append(policy.log_prob(action))
            rows["value"].append(critic(seen).squeeze(-1))
            rows["start"].append(ended)
            reward, flags, finished = fleet.step(action.numpy())
            rows["reward"].append(torch.from_numpy(reward))
            ended = torch.from_numpy(flags)
            recent.extend(finished)
        last = critic(torch.from_numpy(fleet.seen)).squeeze(-1)
    return {k: torch.stack(v) for k, v in rows.items()}, ended, last


def advantages(batch, ended, last, s):
    """GAE; `start[t]` says that row t begins an episode, so that nothing flows back over it."""
    result = torch.zeros_like(batch["reward"])
    running = torch.zeros_like(last)
    for t in reversed(range(s["horizon"])):
        after = t + 1 == s["horizon"]
        alive = 1.0 - (ended if after else batch["start"][t + 1])
        following = last if after else batch["value"][t + 1]
        delta = batch["reward"][t] + s["gamma"] * following * alive - batch["value"][t]
        running = delta + s["gamma"] * s["lambda"] * alive * running
        result[t] = running
    return result


def learn(flat, actor, critic, optimiser, parameters, rng, s):
    size = flat["action"].shape[0]
    part = size // s["minibatches"]
    for _ in range(s["epochs"]):
        order = torch.from_numpy(rng.permutation(size))
        for k in range(s["minibatches"]):
            rows = order[k * part : (k + 1) * part]
            policy = torch.distributions.Categorical(logits=actor(flat["seen"][rows]))
            ratio = (policy.log_prob(flat["action"][rows]) - flat["logp"][rows]).exp()
            gain = flat["advantage"][rows]
            gain = (gain - gain.mean()) / (gain.std() + 1e-8)
            clipped = ratio.clamp(1.0 - s["clip"], 1.0 + s["clip"])
            policy_loss = torch.maximum(-gain * ratio, -gain * clipped).mean()
            value = critic(flat["seen"][rows]).squeeze(-1)
            old, goal = flat["value"][rows], flat["return"][rows]
            near = old + (value - old).clamp(-s["clip"], s["clip"])
            value_loss = 0.5 * torch.maximum((value - goal) ** 2, (near - goal) ** 2).mean()
            loss = policy_loss - s["entropy"] * policy.entropy().mean() + s["value"] * value_loss
            optimiser.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(parameters, s["grad_norm"])
            optimiser.step()


def train(name, seed, s, solved):
    random.seed(seed)
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    fleet = Fleet(name, s["envs"], seed)
    inputs = fleet.seen.shape[1]
    actor = tower(inputs, s["hidden"], int(fleet.envs[0].action_space.n), 0.01)
    critic = tower(inputs, s["hidden"], 1, 1.0)
    parameters = [*actor.parameters(), *critic.parameters()]
    optimiser = torch.optim.Adam(parameters, lr=s["learning_rate"], eps=s["adam_eps"])

    per_update = s["envs"] * s["horizon"]
    updates = s["steps"] // per_update
    recent = collections.deque(maxlen=WINDOW)
    ended = torch.zeros(s["envs"])
    curve, reached = [], None
    began, cpu = time.perf_counter(), time.process_time()
    for update in range(updates):
        optimiser.param_groups[0]["lr"] = s["learning_rate"] * (1.0 - update / updates)
        batch, ended, last = collect(fleet, actor, critic, ended, s, recent)
        batch["advantage"] = advantages(batch, ended, last, s)
        batch["return"] = batch["advantage"] + batch["value"]
        flat = {k: v.flatten(0, 1) for k, v in batch.items()}
        learn(flat, actor, critic, optimiser, parameters, rng, s)
        steps = (update + 1) * per_update
        mean = float(np.mean(recent)) if recent else None
        if reached is None and len(recent) == WINDOW and mean >= solved:
            reached = steps
        if (update + 1) % EVERY == 0 or update + 1 == updates:
            curve.append([steps, mean])
    wall, cpu = time.perf_counter() - began, time.process_time() - cpu
    return {
        "seed": seed,
        "steps_to_solved": reached,
        "final_mean": curve[-1][1],
        "area": float(np.mean([m for _, m in curve if m is not None])),
        "seconds": round(wall, 2),
        "cpu_seconds": round(cpu, 2),
        "steps_per_second": round(updates * per_update / wall),
        "steps_per_cpu_second": round(updates * per_update / cpu),
        "curve": curve,
    }


def versions():
    cpu = ""
    with open("/proc/cpuinfo", encoding="ascii", errors="replace") as file:
        cpu = next((s.split(":", 1)[1].strip() for s in file if s.startswith("model name")), "")
    return {
        "date": datetime.date.today().isoformat(),
        "python": platform.python_version(),
        "torch": torch.__version__,
        "gymnasium": gymnasium.__version__,
        "numpy": np.__version__,
        "cpu": cpu,
        "threads": 1,
        "nice": os.nice(0),
    }


def seed_range(text):
    first, _, last = text.partition("..")
    return range(int(first), int(last or first) + 1)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--env", default="CartPole-v1")
    parser.add_argument("--seeds", type=seed_range, default=seed_range("1..10"), help="A..B")
    parser.add_argument("--steps", type=int, default=SETTINGS["steps"])
    parser.add_argument("--out", help="file for all curves")
    args = parser.parse_args()
    torch.set_num_threads(1)
    settings = {**SETTINGS, "steps": args.steps}
    solved = gymnasium.spec(args.env).reward_threshold
    document = {
        "kind": "ludus learning curves",
        "env": args.env,
        "solved": solved,
        "window": WINDOW,
        "versions": versions(),
        "settings": settings,
        "seeds": [],
    }
    if args.out and os.path.exists(args.out):
        with open(args.out, encoding="utf-8") as file:
            document["seeds"] = json.load(file)["seeds"]
    done = {row["seed"] for row in document["seeds"]}
    for seed in args.seeds:
        if seed in done:
            continue
        row = train(args.env, seed, settings, solved)
        print(json.dumps(row), flush=True)
        document["seeds"].append(row)
        if args.out:
            with open(args.out + ".tmp", "w", encoding="utf-8") as file:
                json.dump(document, file)
                file.write("\n")
            os.replace(args.out + ".tmp", args.out)


if __name__ == "__main__":
    main()
