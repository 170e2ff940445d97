#!/usr/bin/env python3
"""PPO and DQN of Stable-Baselines3 and MaskablePPO of sb3-contrib on games of ludus.

PPO and DQN know no masks: they learn cartpole, where every option is always legal. MaskablePPO asks
the environment for `action_masks()` and learns prospector; for games with one head the mask is exact.

Usage: sb3_train.py [--steps N]
"""

import argparse

import gymnasium
import numpy as np
import torch
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.utils import get_action_masks
from stable_baselines3 import DQN, PPO
from stable_baselines3.common.env_checker import check_env
from stable_baselines3.common.evaluation import evaluate_policy

import ludus


def plain(algorithm, steps, **words):
    env = gymnasium.make("ludus/cartpole-v1")
    check_env(env.unwrapped)
    model = algorithm("MlpPolicy", env, seed=1, device="cpu", **words)
    before, _ = evaluate_policy(model, env, n_eval_episodes=10)
    model.learn(steps)
    after, _ = evaluate_policy(model, env, n_eval_episodes=10)
    print(
        f"{algorithm.__name__} on cartpole-v1, {steps} steps: return {before:.1f} before, {after:.1f} after"
    )
    return before, after


def masked(steps):
    env = gymnasium.make("ludus/prospector-v1", settings={"time_max": 2000})
    model = MaskablePPO("MlpPolicy", env, seed=1, device="cpu", n_steps=512, batch_size=256)
    model.learn(steps)
    obs, info = env.reset(seed=5)
    illegal = decisions = 0
    while decisions < 500:
        action, _ = model.predict(obs, action_masks=get_action_masks(env))
        obs, _, terminated, truncated, info = env.step(action)
        illegal, decisions = illegal + info["illegal"], decisions + 1
        if terminated or truncated:
            obs, info = env.reset()
    print(f"MaskablePPO on prospector-v1, {steps} steps: {illegal} of {decisions} actions were illegal")
    return illegal


def main():
    parser = argparse.ArgumentParser(description="Stable-Baselines3 on games of ludus.")
    parser.add_argument("--steps", type=int, default=20000)
    steps = parser.parse_args().steps
    torch.set_num_threads(1)  # nets this small gain nothing from more
    print(f"ludus {ludus.__version__}, gymnasium {gymnasium.__version__}, numpy {np.__version__}")
    before, after = plain(PPO, steps, n_steps=512)
    assert after > before, "PPO learned nothing"
    plain(DQN, steps, learning_starts=500, exploration_fraction=0.3)
    assert masked(max(steps // 10, 1024)) == 0, "a masked action was illegal"


if __name__ == "__main__":
    main()
