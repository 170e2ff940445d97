#!/usr/bin/env python3
"""PufferLib's own trainer on prospector, for three windows, into a run folder of ludus.

The environment is `ludus.puffer.PufferEnv`, whose buffers are PufferLib's; the policy is a net of ours
as a torch module, so that every window leaves a model file; `ludus.runs.Writer` writes the rows. The
evaluator, the site and `ludus eval RUN` then work on it as on any other run.

Usage: puffer_train.py [--steps N] [--runs FOLDER] [--name RUN]
"""

import argparse
import contextlib
import shutil
import tempfile
import time

import numpy as np
import torch

try:
    # its import leaves a link to its resources in the current folder: one that goes again
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        import pufferlib
        import pufferlib.pufferl
        import pufferlib.vector
except ImportError as problem:
    print(f"skipped: PufferLib 3 is not installed here ({problem})")
    raise SystemExit(0) from None

import ludus
import ludus.torch
from ludus.puffer import PufferEnv
from ludus.runs import Writer

NET = {"net.hidden": 64, "net.layers": 2, "net.precision": "fp32"}
WINDOWS = 3
VERSION = getattr(pufferlib, "__version__", "3")


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


def settings(steps, folder):
    """What PufferLib's trainer asks for, for a small run on the processor."""
    return {
        "env": "prospector",
        "data_dir": folder,
        "checkpoint_interval": 10**9,
        "seed": 1,
        "torch_deterministic": True,
        "cpu_offload": False,
        "device": "cpu",
        "precision": "float32",
        "compile": False,
        "use_rnn": False,
        "total_timesteps": steps,
        "batch_size": 64 * 64,
        "bptt_horizon": 64,
        "minibatch_size": 2048,
        "max_minibatch_size": 2048,
        "update_epochs": 1,
        "optimizer": "adam",
        "learning_rate": 1e-3,
        "anneal_lr": True,
        "adam_beta1": 0.9,
        "adam_beta2": 0.999,
        "adam_eps": 1e-8,
        "gamma": 0.995,
        "gae_lambda": 0.9,
        "clip_coef": 0.2,
        "vf_coef": 2.0,
        "vf_clip_coef": 0.2,
        "ent_coef": 0.001,
        "max_grad_norm": 1.5,
        "vtrace_rho_clip": 1.0,
        "vtrace_c_clip": 1.0,
        "prio_alpha": 0.8,
        "prio_beta0": 0.2,
    }


def mean(values):
    return float(np.mean(values)) if values else 0.0


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
            env_kwargs={
                "game": "prospector-v1",
                "num_envs": 64,
                "settings": {"time_max": 500},
                "log_interval": 16,
            },
        )
        folder = tempfile.mkdtemp(prefix="puffer-")  # for checkpoints of its own
        trainer = pufferlib.pufferl.PuffeRL(settings(words.steps, folder), vector, Policy(net))
        window = updates = 0
        while trainer.global_step < words.steps:
            begin = time.perf_counter()
            told = len(trainer.stats["episode_return"])  # it forgets them when it logs
            trainer.evaluate()
            returns, lengths = (trainer.stats[f"episode_{one}"][told:] for one in ("return", "length"))
            trainer.train()
            updates += 1
            full = trainer.global_step * WINDOWS // words.steps > window
            window += full
            writer.update(
                updates=updates,
                steps=int(trainer.global_step),
                episodes=len(returns),
                episode_return=mean(returns),
                episode_length=mean(lengths),
                seconds=time.perf_counter() - begin,
                figures={name: trainer.losses.get(name, 0.0) for name in ("policy_loss", "entropy")},
                parameters=net.flat_parameters(),
                closes=full,
            )
        trainer.close()
        shutil.rmtree(folder)
        print(f"PufferLib {VERSION}: {trainer.global_step} steps in {window} windows: {writer.id}")


if __name__ == "__main__":
    main()
