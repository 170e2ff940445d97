#!/usr/bin/env python3
"""PufferLib's own trainer on prospector, for three windows, into a run folder of ludus.

The environment is `ludus.puffer.PufferEnv`, whose buffers are PufferLib's; the policy is a net of ours
as a torch module, so that every window leaves a model file; `ludus.runs.Writer` writes the rows. The
evaluator, the site and `ludus eval RUN` then work on it as on any other run.

Usage: puffer_train.py [--steps N] [--runs FOLDER] [--name RUN]
"""

import argparse
import time

import numpy as np
import pufferlib
import pufferlib.pufferl
import pufferlib.vector
import torch

import ludus
import ludus.torch
from ludus.puffer import PufferEnv
from ludus.runs import Writer

NET = {"net.hidden": 64, "net.layers": 2, "net.precision": "fp32"}
WINDOWS = 3


class Policy(torch.nn.Module):
    """The net as PufferLib asks it: logits and values of a batch of observations."""

    def __init__(self, net):
        """Around a net of `ludus.torch`."""
        super().__init__()
        self.net = net
        self.hidden_size = net.hidden

    def forward(self, observations, state=None):
        """Logits and values."""
        logits, values, _ = self.net(observations.float())
        return logits, values[:, None]

    forward_eval = forward


def settings(steps):
    """PufferLib's defaults for a small run on the processor."""
    words = pufferlib.pufferl.load_config("default")
    train = {
        **words["train"],
        "env": "prospector",
        "device": "cpu",
        "total_timesteps": steps,
        "batch_size": 64 * 64,
        "bptt_horizon": 64,
        "minibatch_size": 2048,
        "max_minibatch_size": 2048,
        "compile": False,
        "use_rnn": False,
        "optimizer": "adam",
        "learning_rate": 1e-3,
        "checkpoint_interval": 10**9,
        "data_dir": "/tmp",
    }
    return train


def number(value):
    return float(np.mean(value)) if np.size(value) else 0.0


def main():
    parser = argparse.ArgumentParser(description="PufferLib's trainer on prospector.")
    parser.add_argument("--steps", type=int, default=3 * 16384)
    parser.add_argument("--runs", default="")
    parser.add_argument("--name", default="")
    words = parser.parse_args()
    torch.set_num_threads(1)
    with Writer(
        "prospector-v1", algorithm="pufferlib", settings=NET, runs=words.runs, name=words.name, seed=1
    ) as writer:
        net = ludus.torch.module(ludus.Policy.of_bytes(writer.model()))
        vector = pufferlib.vector.make(
            PufferEnv,
            backend=pufferlib.vector.Serial,
            num_envs=1,
            env_kwargs={"game": "prospector-v1", "num_envs": 64, "settings": {"time_max": 2000}},
        )
        trainer = pufferlib.pufferl.PuffeRL(settings(words.steps), vector, Policy(net))
        window = updates = 0
        while trainer.global_step < words.steps:
            begin = time.perf_counter()
            stats = trainer.evaluate()
            logs = trainer.train() or {}
            updates += 1
            full = trainer.global_step * WINDOWS // words.steps > window
            window += full
            writer.update(
                updates=updates,
                steps=int(trainer.global_step),
                episodes=int(sum(stats.get("n", [0])) if stats else 0),
                episode_return=number(stats.get("episode_return", [])) if stats else 0.0,
                episode_length=number(stats.get("episode_length", [])) if stats else 0.0,
                seconds=time.perf_counter() - begin,
                figures={
                    "policy_loss": number(logs.get("losses/policy_loss", 0.0)),
                    "entropy": number(logs.get("losses/entropy", 0.0)),
                },
                parameters=net.flat_parameters(),
                closes=full,
            )
        trainer.close()
        print(
            f"PufferLib {pufferlib.__version__}: {trainer.global_step} steps in {window} windows: {writer.id}"
        )


if __name__ == "__main__":
    main()
