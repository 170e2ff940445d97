#!/usr/bin/env python3
"""PPO and DQN of Stable-Baselines3 and MaskablePPO of sb3-contrib on games of ludus, whose environments
are in this process or at a server (`ludus-grpc serve`).

PPO and DQN know no masks: they learn cartpole, where every option is always legal. MaskablePPO asks
the environments for `action_masks()` and learns prospector; for games with one head the mask is exact.

Usage: sb3_train.py [--steps N] [--address HOST:PORT | --serve PROGRAM]
    --serve starts a server for the time of the example: the path of ludus-grpc
"""

import argparse
import time

import gymnasium
import numpy as np
import stable_baselines3
import torch
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.utils import get_action_masks
from stable_baselines3 import DQN, PPO
from stable_baselines3.common.env_checker import check_env
from stable_baselines3.common.evaluation import evaluate_policy
from stable_baselines3.common.monitor import Monitor

import ludus
from ludus import remote
from ludus.sb3 import make_vec


def judged(model):
    """The mean return of ten episodes in this process, the same ones every time."""
    judge = Monitor(gymnasium.make("ludus/cartpole-v1"))
    judge.reset(seed=1)
    return evaluate_policy(model, judge, n_eval_episodes=10)[0]


def plain(algorithm, steps, address, **words):
    """Returns before and after."""
    envs = make_vec("cartpole-v1", 8, address=address)
    model = algorithm("MlpPolicy", envs, seed=1, device="cpu", **words)
    before = judged(model)
    begin = time.perf_counter()
    model.learn(steps)
    rate = steps / (time.perf_counter() - begin)
    after = judged(model)
    envs.close()
    told = f"return {before:.1f} before, {after:.1f} after, {rate:.0f} steps/s"
    print(f"{algorithm.__name__} on cartpole-v1, {steps} steps: {told}", flush=True)
    return before, after


def masked(steps, address):
    """Illegal actions of a policy that was trained with masks."""
    envs = make_vec("prospector-v1", 8, address=address, settings={"time_max": 2000}, infos=True)
    model = MaskablePPO("MlpPolicy", envs, seed=1, device="cpu", n_steps=64, batch_size=256)
    model.learn(steps)
    obs = envs.reset()
    illegal = decisions = 0
    while decisions < 512:
        actions, _ = model.predict(obs, action_masks=get_action_masks(envs))
        obs, _, _, _ = envs.step(actions)
        illegal, decisions = illegal + int(envs.envs.vector.illegal.sum()), decisions + len(actions)
    envs.close()
    print(f"MaskablePPO on prospector-v1, {steps} steps: {illegal} of {decisions} actions were illegal")
    return illegal


def train(steps, address):
    if address:
        print(f"environments at {address}")
    before, after = plain(PPO, steps, address, n_steps=128, batch_size=128)
    assert after > 2 * before, "PPO learned nothing"
    words = {"learning_starts": 500, "exploration_fraction": 0.3, "target_update_interval": 500}
    words.update(learning_rate=1e-3, train_freq=1, gradient_steps=4)
    before, after = plain(DQN, steps, address, **words)
    assert after > 2 * before, "DQN learned nothing"
    assert masked(max(steps // 10, 1024), address) == 0, "a masked action was illegal"


def main():
    parser = argparse.ArgumentParser(description="Stable-Baselines3 on games of ludus.")
    parser.add_argument("--steps", type=int, default=20000)
    parser.add_argument("--address", default="")
    parser.add_argument("--serve", default="")
    words = parser.parse_args()
    torch.set_num_threads(1)  # nets this small gain nothing from more
    print(f"ludus {ludus.__version__}, stable-baselines3 {stable_baselines3.__version__}, ", end="")
    print(f"gymnasium {gymnasium.__version__}, numpy {np.__version__}")
    check_env(gymnasium.make("ludus/cartpole-v1").unwrapped)
    if not words.serve:
        train(words.steps, words.address)
        return
    with remote.server(words.serve) as address:
        train(words.steps, address)


if __name__ == "__main__":
    main()
