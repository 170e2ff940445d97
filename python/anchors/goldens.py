#!/usr/bin/env python3
"""Writes tests/goldens/*.safetensors: small PPO minibatches with everything PyTorch makes of them
(outputs, loss, every gradient, the parameters after each of ten optimiser steps), so that the
native trainer is checked without PyTorch. tests/goldens/README.md names every tensor.

    goldens.py [--out tests/goldens] [CASE ...]

All is computed in float64 from inputs that are exact in float32, so that a float32 and a float64
build start from the same numbers. Draws that land near a kink of the loss (clip edges, relu at
zero) are thrown away: there float32 and float64 may rightly disagree. Equal versions write equal
bytes.
"""

import argparse
import json
import math
import os
import platform

import numpy as np
import torch
from torch import nn

from golden_nets import Lstm, MinGru, Mlp, Series

STEPS = 10
HYPER = {
    "clip": 0.2,
    "value_clip": 0.2,
    "entropy_coef": 0.01,
    "value_coef": 0.5,
    "max_grad_norm": 0.5,
    "grad_norm_eps": 1e-6,
    "advantage_eps": 1e-8,
}
ADAM = {"lr": 2.5e-3, "beta1": 0.9, "beta2": 0.999, "eps": 1e-5}
MUON = {
    "lr": 0.02,
    "momentum": 0.95,
    "norm_floor": 1e-7,
    "rounds": [
        [4.0848, -6.8946, 2.9270],
        [3.9505, -6.3029, 2.6377],
        [3.7418, -5.5913, 2.3037],
        [2.8769, -3.1427, 1.2046],
        [2.8366, -3.0525, 1.2012],
    ],
}
MARGIN = 2e-5  # least distance from a kink, over all steps


# ---- files ----


def save_file(arrays, path, metadata):
    """safetensors, by hand: the library orders the metadata anew in every run."""
    kinds = {"float64": "F64", "float32": "F32", "int32": "I32", "uint8": "U8"}
    names = sorted(arrays, key=lambda k: (-arrays[k].itemsize, k))
    header, at = {"__metadata__": metadata}, 0
    for name in names:
        a = arrays[name]
        end = at + a.nbytes
        kind = kinds[a.dtype.name]
        header[name] = {"dtype": kind, "shape": list(a.shape), "data_offsets": [at, end]}
        at = end
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    with open(path, "wb") as file:
        file.write(len(text).to_bytes(8, "little") + text)
        for name in names:
            file.write(np.ascontiguousarray(arrays[name]).tobytes())


# ---- the loss ----


def policy_of(logits, case, d):
    """Joint log-probability of the actions and entropy, summed over the active heads of a row."""
    logp = torch.zeros_like(logits[..., 0])
    entropy = torch.zeros_like(logp)
    at = 0
    for head, options in enumerate(case["heads"]):
        rows = logits[..., at : at + options]
        legal = d["mask"][..., at : at + options].bool()
        active = d["active"][..., head].bool()
        # an inactive head may have an empty mask: give it a full one, then leave it out
        legal = legal | ~active[..., None]
        log_probs = torch.log_softmax(rows.masked_fill(~legal, -torch.inf), -1)
        safe = log_probs.masked_fill(~legal, 0.0)
        chosen = safe.gather(-1, d["actions"][..., head, None].long())[..., 0]
        own = -(safe.exp() * safe * legal).sum(-1)
        logp = logp + torch.where(active, chosen, 0.0)
        entropy = entropy + torch.where(active, own, 0.0)
        at += options
    return logp, entropy


def evaluate(net, p, case, d):
    kinks = []
    logits, value, last = net.forward(
        p, d["obs"], d["start"], d["state"], kinks, d["actions"]
    )
    value = value[..., 0]
    logp, entropy = policy_of(logits, case, d)
    ratio = torch.exp(logp - d["old_logp"])
    gain = d["advantage"]
    if case["normalise"]:
        gain = (gain - gain.mean()) / (gain.std() + HYPER["advantage_eps"])
    clip = HYPER["clip"]
    policy = torch.maximum(-gain * ratio, -gain * ratio.clamp(1.0 - clip, 1.0 + clip)).mean()

    # the test comes first: old + (v - old) is not v in floating point
    away = value - d["old_value"]
    outside = away.abs() > HYPER["value_clip"]
    edge = d["old_value"] + HYPER["value_clip"] * torch.sign(away)
    plain, cut = (value - d["return"]) ** 2, (edge - d["return"]) ** 2
    value_loss = 0.5 * torch.where(outside, torch.maximum(plain, cut), plain).mean()
    entropy_mean = entropy.mean()
    total = policy - HYPER["entropy_coef"] * entropy_mean + HYPER["value_coef"] * value_loss

    with torch.no_grad():
        edges = [(ratio - 1.0).abs() - clip, away.abs() - HYPER["value_clip"]]
        edges += [(plain - cut)[outside], *kinks]
        margin = min(float(e.abs().min()) for e in edges if e.numel())
        out = {
            "logits": logits,
            "value": value,
            "logp": logp,
            "entropy": entropy,
            "ratio": ratio,
            "advantage": gain,
        }
        out.update({"state." + k: v for k, v in last.items()})
        loss = {
            "policy": policy,
            "value": value_loss,
            "entropy": entropy_mean,
            "total": total,
            "approx_kl": ((ratio - 1.0) - (logp - d["old_logp"])).mean(),
            "clip_fraction": ((ratio - 1.0).abs() > clip).double().mean(),
            "value_clip_fraction": outside.double().mean(),
        }
    return total, out, loss, margin


# ---- optimisers, written out: the formulas are what the goldens fix ----


def clip_norm(grads):
    norm = math.sqrt(sum(float((g.double() ** 2).sum()) for g in grads.values()))
    scale = min(1.0, HYPER["max_grad_norm"] / (norm + HYPER["grad_norm_eps"]))
    return norm, {k: g * scale for k, g in grads.items()}


def adam_step(p, grads, memory, step):
    for k, g in grads.items():
        m, v = memory.setdefault(k, (torch.zeros_like(g), torch.zeros_like(g)))
        m = ADAM["beta1"] * m + (1.0 - ADAM["beta1"]) * g
        v = ADAM["beta2"] * v + (1.0 - ADAM["beta2"]) * g * g
        memory[k] = (m, v)
        size = ADAM["lr"] / (1.0 - ADAM["beta1"] ** step)
        root = v.sqrt() / math.sqrt(1.0 - ADAM["beta2"] ** step) + ADAM["eps"]
        p[k] = p[k].detach() - size * m / root


def orthogonal(u):
    tall = u.shape[0] > u.shape[1]
    x = u.T if tall else u
    x = x / max(float(x.norm()), MUON["norm_floor"])
    for a, b, c in MUON["rounds"]:
        gram = x @ x.T
        x = a * x + (b * gram + c * gram @ gram) @ x
    return x.T if tall else x


def muon_step(p, grads, memory, _step):
    for k, g in grads.items():
        m = MUON["momentum"] * memory.get(k, torch.zeros_like(g)) + g
        memory[k] = m
        u = g + MUON["momentum"] * m
        if u.dim() == 2:
            u = orthogonal(u) * math.sqrt(max(1.0, u.shape[0] / u.shape[1]))
        p[k] = p[k].detach() - MUON["lr"] * u


OPTIMISERS = {"adam": adam_step, "muon": muon_step}


# ---- cases ----

CASES = {
    "mlp_relu_shared": {"net": Mlp("relu", False), "heads": [5], "normalise": False},
    "mlp_tanh_separate": {"net": Mlp("tanh", True), "heads": [4], "normalise": True},
    "masked": {"net": Mlp("relu", False), "heads": [9], "masked": True, "normalise": True},
    # head 2 is asked only after options 1 and 3 of head 0
    "heads": {
        "net": Mlp("relu", False),
        "heads": [4, 3, 6],
        "condition": {"head": 2, "on_head": 0, "on_options": [1, 3]},
        "masked": True,
        "normalise": True,
    },
    "mingru": {"net": MinGru(), "heads": [5], "normalise": True},
    "mingru_heads": {
        "net": MinGru(),
        "heads": [4, 3, 6],
        "condition": {"head": 2, "on_head": 0, "on_options": [1, 3]},
        "masked": True,
        "normalise": True,
    },
    # head i reads the choices of heads 0 .. i - 1, through hidden layers of its own or without
    "series": {
        "net": Series(Mlp("relu", False), [4, 3, 6], [11, 8]),
        "heads": [4, 3, 6],
        "condition": {"head": 2, "on_head": 0, "on_options": [1, 3]},
        "masked": True,
        "normalise": True,
    },
    "mingru_series": {
        "net": Series(MinGru(), [4, 3, 6], []),
        "heads": [4, 3, 6],
        "masked": True,
        "normalise": True,
    },
    "lstm": {"net": Lstm(), "heads": [7], "masked": True, "normalise": True},
    "muon": {
        "net": Mlp("relu", False),
        "heads": [5],
        "normalise": True,
        "optimiser": "muon",
    },
}
OBS, SEGMENTS, HORIZON = 7, 6, 10


def rounded(array):
    """To float32 and back: exact in both."""
    return torch.from_numpy(np.asarray(array, np.float32).astype(np.float64))


def draw_parameters(net, options, rng):
    p = {}
    for name, shape in net.shapes(OBS, options).items():
        if len(shape) == 3:
            rows, columns, bias = shape
            p[name + ".weight"] = rounded(rng.normal(0, 1.2 / math.sqrt(columns), (rows, columns)))
            if bias:
                p[name + ".bias"] = rounded(rng.normal(0, 0.2, rows))
        else:
            p[name] = rounded(rng.normal(0, 0.35, shape))
    return p


def draw_mask(case, rng):
    """Legal options; about one row in six has a single one per head."""
    parts = []
    for options in case["heads"]:
        legal = rng.random((SEGMENTS, HORIZON, options)) < 0.6
        single = rng.random((SEGMENTS, HORIZON)) < 1 / 6
        legal[single] = False
        always = rng.integers(options, size=(SEGMENTS, HORIZON))
        np.put_along_axis(legal, always[..., None], True, -1)
        parts.append(legal if case.get("masked") else np.ones_like(legal))
    return parts


def draw(case, seed):
    """Inputs around the current policy, so that both sides of every clip occur."""
    rng = np.random.default_rng(seed)
    net, heads = case["net"], case["heads"]
    p = draw_parameters(net, sum(heads), rng)
    masks = draw_mask(case, rng)
    actions = np.stack([(rng.random(m.shape) * m).argmax(-1) for m in masks], -1)
    active = np.ones((SEGMENTS, HORIZON, len(heads)), np.uint8)
    if "condition" in case:
        c = case["condition"]
        on = np.isin(actions[..., c["on_head"]], c["on_options"])
        active[..., c["head"]] = on
        actions[..., c["head"]] *= on
        # half of the inactive rows have an empty mask, the other half whatever was drawn
        masks[c["head"]][~on & (rng.random(on.shape) < 0.5)] = False
    start = (rng.random((SEGMENTS, HORIZON)) < 0.15).astype(np.float64)
    start[0, 0], start[1, 0] = 1.0, 0.0
    d = {
        "obs": rounded(rng.normal(0, 1, (SEGMENTS, HORIZON, OBS))),
        "mask": torch.from_numpy(np.concatenate(masks, -1).astype(np.uint8)),
        "actions": torch.from_numpy(actions.astype(np.int32)),
        "active": torch.from_numpy(active),
        "start": torch.from_numpy(start),
        "state": {k: rounded(rng.normal(0, 0.5, (SEGMENTS, h))) for k, h in net.states().items()},
        "advantage": rounded(rng.normal(0.3, 1.5, (SEGMENTS, HORIZON))),
    }
    zero = torch.zeros(SEGMENTS, HORIZON, dtype=torch.float64)
    d.update({"old_logp": zero, "old_value": zero, "return": zero})
    _, out, _, _ = evaluate(net, p, case, d)
    shape = (SEGMENTS, HORIZON)
    d["old_logp"] = rounded(out["logp"].numpy() + rng.normal(0, 0.25, shape))
    d["old_value"] = rounded(out["value"].numpy() + rng.normal(0, 0.25, shape))
    d["return"] = rounded(out["value"].numpy() + rng.normal(0, 0.8, shape))
    return p, d


def gradients(net, p, case, d):
    for k in p:
        p[k] = p[k].detach().requires_grad_(True)
    total, out, loss, margin = evaluate(net, p, case, d)
    total.backward()
    return {k: v.grad for k, v in p.items()}, out, loss, margin


def run(case, p, d):
    """First gradients and the whole path of the optimiser; also the least margin on the way."""
    net, step = case["net"], OPTIMISERS[case.get("optimiser", "adam")]
    p, memory = dict(p), {}
    first, path, losses, norms, least = None, [], [], [], math.inf
    for k in range(1, STEPS + 1):
        grads, out, loss, margin = gradients(net, p, case, d)
        first = first or (grads, out, loss)
        least = min(least, margin)
        norm, clipped = clip_norm(grads)
        step(p, clipped, memory, k)
        losses.append(loss["total"].item())
        norms.append(norm)
        path.append({name: v.detach() for name, v in p.items()})
    return first, path, losses, norms, least


def to_float32(d):
    return {
        k: to_float32(v) if isinstance(v, dict) else v.float() if v.dtype == torch.float64 else v
        for k, v in d.items()
    }


def distance(a, b):
    """Largest difference relative to the largest entry of the tensor."""
    worst = 0.0
    for k, want in b.items():
        want = want.double()
        scale = want.abs().max().clamp_min(1e-12)
        worst = max(worst, ((a[k].double() - want).abs().max() / scale).item())
    return worst


def check_against_torch(case, path, p, d):
    """Our written-out Adam and clip are torch's own."""
    if case.get("optimiser"):
        return
    q = {k: v.clone().requires_grad_(True) for k, v in p.items()}
    optimiser = torch.optim.Adam(
        q.values(), lr=ADAM["lr"], betas=(ADAM["beta1"], ADAM["beta2"]), eps=ADAM["eps"]
    )
    for _ in range(STEPS):
        optimiser.zero_grad()
        evaluate(case["net"], q, case, d)[0].backward()
        nn.utils.clip_grad_norm_(q.values(), HYPER["max_grad_norm"])
        optimiser.step()
    assert distance({k: v.detach() for k, v in q.items()}, path[-1]) < 1e-12


def write_case(folder, name, case):
    for seed in range(1000):
        p, d = draw(case, seed)
        (grads, out, loss), path, losses, norms, least = run(case, p, d)
        if least > MARGIN:
            break
    else:
        raise SystemExit(f"{name}: no draw keeps clear of the kinks")
    check_against_torch(case, path, p, d)
    p32, d32 = to_float32(p), to_float32(d)
    (grads32, _, _), path32, _, _, _ = run(case, p32, d32)

    tensors = {}
    flat = {k: v for k, v in d.items() if k != "state"}
    flat.update({"state." + k: v for k, v in d["state"].items()})
    for k, v in flat.items():
        if k == "start":
            v = v.to(torch.uint8)
        tensors["input." + k] = v
        if v.dtype == torch.float64:
            tensors["input32." + k] = v.float()
    for k, v in p.items():
        tensors["param." + k] = v
        tensors["param32." + k] = v.float()
        tensors["grad." + k] = grads[k]
    tensors.update({"out." + k: v for k, v in out.items()})
    tensors.update({"loss." + k: v.reshape(1) for k, v in loss.items()})
    kind = case.get("optimiser", "adam")
    for k, after in enumerate(path, 1):
        tensors.update({f"{kind}.{k}.{n}": v for n, v in after.items()})
    tensors[f"{kind}.loss"] = torch.tensor(losses, dtype=torch.float64)
    tensors[f"{kind}.norm"] = torch.tensor(norms, dtype=torch.float64)

    spec = {
        **case["net"].describe(),
        "obs": OBS,
        "segments": SEGMENTS,
        "horizon": HORIZON,
        "heads": case["heads"],
        "condition": case.get("condition"),
        "normalise_advantage": case["normalise"],
        "seed": seed,
    }
    metadata = {
        "format": "ludus golden 1",
        "case": name,
        "spec": json.dumps(spec),
        "hyper": json.dumps(HYPER),
        "optimiser": json.dumps(
            {"kind": kind, "steps": STEPS, **(MUON if kind == "muon" else ADAM)}
        ),
        "float32_error": json.dumps(
            {
                "grad": distance(grads32, grads),
                "after_1": distance(path32[0], path[0]),
                f"after_{STEPS}": distance(path32[-1], path[-1]),
            }
        ),
        "margin": repr(least),
        "versions": json.dumps(
            {
                "torch": torch.__version__,
                "numpy": np.__version__,
                "python": platform.python_version(),
            }
        ),
    }
    path_of = os.path.join(folder, name + ".safetensors")
    arrays = {k: np.ascontiguousarray(v.detach().numpy()) for k, v in sorted(tensors.items())}
    assert all(np.isfinite(v).all() for v in arrays.values())
    save_file(arrays, path_of, metadata)
    print(
        f"{name}: seed {seed}, {sum(v.numel() for v in p.values())} parameters, "
        f"norm {norms[0]:.3f}, clipped {float(loss['clip_fraction']):.2f}, "
        f"value clipped {float(loss['value_clip_fraction']):.2f}, margin {least:.1e}, "
        f"float32 {metadata['float32_error']}, {os.path.getsize(path_of)} bytes"
    )


# ---- advantages ----


def advantages(d, gamma, lam, rho_clip, c_clip, bootstrap):
    """The definition as a double sum, not the recursion a trainer uses: O(T^2) per row.

    A_t = sum over k >= t of (product over j in t..k-1 of gamma lambda c_j) rho_k delta_k, cut at
    the end of the episode; delta_k uses the value of the next row, of the final state where the
    episode was truncated (`bootstrap`), and nothing where it terminated.
    """
    reward, value, ratio = d["reward"], d["value"], d["ratio"]
    horizon, rows = reward.shape
    rho, c = np.minimum(ratio, rho_clip), np.minimum(ratio, c_clip)
    ended = (d["terminated"] | d["truncated"]).astype(bool)
    result = np.zeros_like(reward)
    for n in range(rows):
        for t in range(horizon):
            weight, total = 1.0, 0.0
            for k in range(t, horizon):
                following = value[k + 1, n]
                if d["terminated"][k, n] or (ended[k, n] and not bootstrap):
                    following = 0.0
                elif d["truncated"][k, n]:
                    following = d["final_value"][k, n]
                total += weight * rho[k, n] * (reward[k, n] + gamma * following - value[k, n])
                if ended[k, n]:
                    break
                weight *= gamma * lam * c[k, n]
            result[t, n] = total
    return result


def write_gae(folder):
    rng = np.random.default_rng(5)
    horizon, rows, gamma, lam = 24, 8, 0.99, 0.95

    def single(a):
        return np.asarray(a, np.float32).astype(np.float64)

    d = {
        "reward": single(rng.normal(0, 1, (horizon, rows))),
        "value": single(rng.normal(0, 1, (horizon + 1, rows))),
        "final_value": single(rng.normal(0, 1, (horizon, rows))),
        "ratio": single(np.exp(rng.normal(0, 0.4, (horizon, rows)))),
        "terminated": (rng.random((horizon, rows)) < 0.1).astype(np.uint8),
        "truncated": (rng.random((horizon, rows)) < 0.1).astype(np.uint8),
    }
    d["truncated"] &= 1 - d["terminated"]
    # every kind of last row, and two ends in a row
    d["terminated"][-1, :3], d["truncated"][-1, :3] = (1, 0, 0), (0, 1, 0)
    d["terminated"][4, 3], d["truncated"][4, 3], d["truncated"][5, 3] = 1, 0, 1
    d["terminated"][5, 3] = 0
    d["final_value"] *= d["truncated"]
    one = {**d, "ratio": np.ones_like(d["ratio"])}
    tensors = {"input." + k: v for k, v in d.items()}
    tensors.update({"input32." + k: v.astype(np.float32) for k, v in d.items() if v.dtype == float})
    tensors["out.gae"] = advantages(one, gamma, lam, 1.0, 1.0, True)
    tensors["out.gae_classic"] = advantages(one, gamma, lam, 1.0, 1.0, False)
    tensors["out.vtrace"] = advantages(d, gamma, lam, 1.0, 1.0, True)
    metadata = {
        "format": "ludus golden 1",
        "case": "gae",
        "spec": json.dumps(
            {
                "horizon": horizon,
                "rows": rows,
                "gamma": gamma,
                "lambda": lam,
                "rho_clip": 1.0,
                "c_clip": 1.0,
            }
        ),
    }
    path = os.path.join(folder, "gae.safetensors")
    save_file({k: np.ascontiguousarray(v) for k, v in sorted(tensors.items())}, path, metadata)
    print(f"gae: {os.path.getsize(path)} bytes")


def main():
    here = os.path.dirname(os.path.abspath(__file__))
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--out", default=os.path.join(here, "..", "..", "tests", "goldens"))
    parser.add_argument("cases", nargs="*", metavar="CASE", help="all, where none is named")
    args = parser.parse_args()
    torch.set_num_threads(1)
    os.makedirs(args.out, exist_ok=True)
    wanted = args.cases or [*CASES, "gae"]
    for name in wanted:
        if name != "gae":
            write_case(args.out, name, CASES[name])
    if "gae" in wanted:
        write_gae(args.out)


if __name__ == "__main__":
    main()
