#!/usr/bin/env python3
"""The peer of `ludus bench train`: the same PPO update in eager PyTorch.

    torch_update.py [--threads N] [--by-hand] [--malloc] [--compile]

It answers on stdout, one JSON line each: first what it is, then, for every line "fp32" or "bf16" on
stdin, one update, that is one epoch over the batch: its seconds, those of its fastest minibatch and
its CPU seconds. It ends when stdin does. tools/peers makes commands that run it with several builds
of torch.

The update: rows of a batch of 65,536 taken in a random order, 8,192 at a time; advantages
normalised; MLP 260-256-256-70 with ReLU, logits and value from one matrix; masked categorical
distribution, clipped policy loss, clipped value loss, entropy; KL and share of clipped rows, as
every trainer reports them; backward; clip of the norm; Adam. Written as such scripts are
(cleanrl_style.py beside it, torch.distributions included), with threads of torch and BLAS from one
pool and no more than asked for (by the environment, hence the second start). Observations are taken
as they are: the native trainer normalises them on the way in, here that is free.

With --by-hand it is as fast as eager PyTorch was made to go here: softmax and entropy without
torch.distributions, rows gathered into buffers that stay, ReLU in place, Adam in one call, no
figures. With --malloc glibc also keeps its memory between minibatches and takes it in large pages.
"""

import argparse
import json
import os
import sys
import time

ROWS, MINIBATCH = 65536, 8192
INPUTS, HIDDEN, ACTIONS = 260, 256, 69
CLIP, VALUE_COST, ENTROPY_COST, MAX_NORM = 0.2, 0.5, 0.005, 0.5


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--by-hand", action="store_true", help="rewritten for speed")
    parser.add_argument("--malloc", action="store_true", help="memory kept, in large pages")
    parser.add_argument("--compile", action="store_true", help="torch.compile for forward and loss")
    return parser.parse_args()


def start_again_tuned(threads, malloc):
    """malloc and OpenMP read their settings once, at the start of the process."""
    names = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "BLIS_NUM_THREADS")
    wanted = {name: str(threads) for name in names}
    if malloc:
        wanted["MALLOC_MMAP_THRESHOLD_"] = str(32 << 20)
        wanted["MALLOC_TRIM_THRESHOLD_"] = str(4 << 30)
        wanted["MALLOC_TOP_PAD_"] = str(64 << 20)
        wanted["GLIBC_TUNABLES"] = "glibc.malloc.hugetlb=1"
    if any(os.environ.get(key) != value for key, value in wanted.items()):
        os.environ.update(wanted)
        os.execv(sys.executable, [sys.executable] + sys.argv)


args = arguments()
start_again_tuned(args.threads, args.malloc)

import torch  # noqa: E402 (after the environment is set)
from torch import nn  # noqa: E402


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        sizes = (INPUTS, HIDDEN, HIDDEN, ACTIONS + 1)
        self.layers = nn.ModuleList(nn.Linear(a, b) for a, b in zip(sizes, sizes[1:]))

    def forward(self, x):
        relu = torch.relu_ if args.by_hand else torch.relu
        x = relu(self.layers[0](x))
        x = relu(self.layers[1](x))
        out = self.layers[2](x).float()
        return out[:, :ACTIONS], out[:, ACTIONS]


def choice_of(logits, illegal, actions):
    """Log-probability of the actions and mean entropy."""
    logits = logits.masked_fill(illegal, -1e8)
    if not args.by_hand:
        policy = torch.distributions.Categorical(logits=logits)
        return policy.log_prob(actions.squeeze(1)), policy.entropy().mean()
    log_p = torch.log_softmax(logits, 1)
    entropy = -(log_p.exp() * log_p).sum(1).mean()
    return log_p.gather(1, actions).squeeze(1), entropy


def loss_of(net, x, illegal, actions, old_log_p, advantage, target, old_value):
    logits, value = net(x)
    log_p, entropy = choice_of(logits, illegal, actions)
    log_ratio = log_p - old_log_p
    ratio = log_ratio.exp()
    policy = torch.max(-advantage * ratio, -advantage * ratio.clamp(1 - CLIP, 1 + CLIP)).mean()
    near = old_value + (value - old_value).clamp(-CLIP, CLIP)
    value_loss = 0.5 * torch.max((value - target) ** 2, (near - target) ** 2).mean()
    loss = policy + VALUE_COST * value_loss - ENTROPY_COST * entropy
    return loss, ratio.detach(), log_ratio.detach()


def figures(ratio, log_ratio):
    """What a trainer tells of a minibatch."""
    kl = ((ratio - 1) - log_ratio).mean().item()
    return kl, ((ratio - 1).abs() > CLIP).float().mean().item()


def make_adam(net):
    for choice in ({"fused": True}, {"foreach": True}, {}) if args.by_hand else ({},):
        try:
            adam = torch.optim.Adam(net.parameters(), lr=1e-4, eps=1e-5, **choice)
            for p in net.parameters():
                p.grad = torch.zeros_like(p)
            adam.step()
            return adam, next(iter(choice), "plain")
        except (TypeError, RuntimeError):
            continue
    raise RuntimeError("no form of Adam works")


class Batch:
    """A batch, and (by hand) the buffers its minibatches are gathered into."""

    def __init__(self):
        generator = torch.Generator().manual_seed(1)
        self.x = torch.randn(ROWS, INPUTS, generator=generator)
        self.illegal = torch.rand(ROWS, ACTIONS, generator=generator) < 0.5
        self.actions = torch.randint(0, ACTIONS, (ROWS, 1), generator=generator)
        self.illegal.scatter_(1, self.actions, False)
        self.old_log_p = torch.full((ROWS,), -3.5)
        self.advantage = torch.randn(ROWS, generator=generator)
        self.target = torch.randn(ROWS, generator=generator)
        self.old_value = torch.zeros(ROWS)
        self.all = (self.x, self.illegal, self.actions, self.old_log_p, self.advantage, self.target,
                    self.old_value)
        self.room = [torch.empty((MINIBATCH,) + t.shape[1:], dtype=t.dtype) for t in self.all]

    def gather(self, index):
        if args.by_hand:
            rows = list(self.room)
            for source, to in zip(self.all, rows):
                torch.index_select(source, 0, index, out=to)
        else:
            rows = [source[index] for source in self.all]
        rows[4] = (rows[4] - rows[4].mean()) / (rows[4].std() + 1e-8)
        return rows


class Learner:
    def __init__(self, batch):
        torch.manual_seed(1)
        self.batch = batch
        self.net = Net()
        self.adam, self.adam_form = make_adam(self.net)
        self.loss = torch.compile(loss_of) if args.compile else loss_of

    def minibatch(self, index, bf16):
        rows = self.batch.gather(index)
        if bf16:
            with torch.autocast("cpu", dtype=torch.bfloat16):
                loss, ratio, log_ratio = self.loss(self.net, *rows)
        else:
            loss, ratio, log_ratio = self.loss(self.net, *rows)
        if not args.by_hand:
            figures(ratio, log_ratio)
        self.adam.zero_grad(set_to_none=args.by_hand)
        loss.backward()
        nn.utils.clip_grad_norm_(self.net.parameters(), MAX_NORM)
        self.adam.step()

    def epoch(self, bf16):
        fastest, cpu, began = float("inf"), time.process_time(), time.perf_counter()
        for index in torch.randperm(ROWS).split(MINIBATCH):
            start = time.perf_counter()
            self.minibatch(index, bf16)
            fastest = min(fastest, time.perf_counter() - start)
        return {
            "seconds": time.perf_counter() - began,
            "minibatch": fastest,
            "cpu": time.process_time() - cpu,
        }


def blas_in_use():
    """The BLAS that was loaded: torch of PyPI has its own inside."""
    with open("/proc/self/maps", encoding="ascii", errors="replace") as maps:
        paths = {line.split()[-1] for line in maps if "/" in line}
    names = sorted(
        os.path.basename(os.path.dirname(os.path.realpath(p)))
        for p in paths
        if os.path.basename(p).startswith("libblas.so")
    )
    return names[0] if names else "built in"


def main():
    torch.set_num_threads(args.threads)
    torch.set_flush_denormal(True)
    learner = Learner(Batch())
    about = {
        "torch": torch.__version__,
        "blas": blas_in_use(),
        "adam": learner.adam_form,
        "by_hand": args.by_hand,
        "malloc": args.malloc,
        "compiled": args.compile,
        "threads": torch.get_num_threads(),
    }
    print(json.dumps(about), flush=True)
    for line in sys.stdin:
        print(json.dumps(learner.epoch(line.strip() == "bf16")), flush=True)


if __name__ == "__main__":
    main()
