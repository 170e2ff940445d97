"""The networks of the goldens (goldens.py). Parameters are a plain dict of tensors with torch
names, weights [out, in]; `forward` takes rows [segments, horizon, ...] and gives logits, value and
the last state, and notes in `kinks` every number at whose zero a derivative jumps."""

import torch
from torch import nn


def linear(p, name, x):
    y = x @ p[name + ".weight"].T
    return y + p[name + ".bias"] if name + ".bias" in p else y


def activate(kind, x, kinks):
    if kind == "tanh":
        return torch.tanh(x)
    kinks.append(x)
    return torch.relu(x)


class Mlp:
    """Two hidden layers; one trunk for both, or actor and critic apart."""

    def __init__(self, activation, separate, hidden=20):
        self.activation, self.separate, self.hidden = activation, separate, hidden

    def describe(self):
        kind = "separate" if self.separate else "shared"
        return {"net": "mlp", "activation": self.activation, "critic": kind, "hidden": self.hidden}

    def shapes(self, obs, options):
        h = self.hidden
        if self.separate:
            return {
                "actor.0": (h, obs, 1),
                "actor.2": (h, h, 1),
                "actor.4": (options, h, 1),
                "critic.0": (h, obs, 1),
                "critic.2": (h, h, 1),
                "critic.4": (1, h, 1),
            }
        return {
            "trunk.0": (h, obs, 1),
            "trunk.2": (h, h, 1),
            "policy": (options, h, 1),
            "value": (1, h, 1),
        }

    def states(self):
        return {}

    def forward(self, p, obs, start, state, kinks):
        def tower(name):
            x = activate(self.activation, linear(p, name + ".0", obs), kinks)
            return activate(self.activation, linear(p, name + ".2", x), kinks)

        if self.separate:
            return linear(p, "actor.4", tower("actor")), linear(p, "critic.4", tower("critic")), {}
        x = tower("trunk")
        return linear(p, "policy", x), linear(p, "value", x), {}


class MinGru:
    """Linear encoder, MinGRU layers with highway, linear heads; no biases."""

    def __init__(self, layers=2, hidden=12):
        self.layers, self.hidden = layers, hidden

    def describe(self):
        return {"net": "mingru", "layers": self.layers, "hidden": self.hidden}

    def shapes(self, obs, options):
        h = self.hidden
        result = {"encoder": (h, obs, 0)}
        for layer in range(self.layers):
            result[f"mingru.{layer}"] = (3 * h, h, 0)  # rows: hidden, gate, proj
        return {**result, "policy": (options, h, 0), "value": (1, h, 0)}

    def states(self):
        return {f"h.{layer}": self.hidden for layer in range(self.layers)}

    def forward(self, p, obs, start, state, kinks):
        x = linear(p, "encoder", obs)
        last = {}
        for layer in range(self.layers):
            hidden, gate, proj = linear(p, f"mingru.{layer}", x).chunk(3, -1)
            kinks.append(hidden)
            z, keep = torch.sigmoid(gate), torch.sigmoid(proj)
            fresh = torch.where(hidden >= 0, hidden + 0.5, torch.sigmoid(hidden))
            h, rows = state[f"h.{layer}"], []
            for t in range(obs.shape[1]):
                h = h * (1.0 - start[:, t, None])
                h = (1.0 - z[:, t]) * h + z[:, t] * fresh[:, t]
                rows.append(h)
            x = keep * torch.stack(rows, 1) + (1.0 - keep) * x
            last[f"h.{layer}"] = h
        return linear(p, "policy", x), linear(p, "value", x), last


class Lstm:
    """Linear encoder with relu, one torch.nn.LSTM layer, linear heads; biases everywhere."""

    def __init__(self, hidden=12):
        self.hidden = hidden

    def describe(self):
        return {"net": "lstm", "layers": 1, "hidden": self.hidden, "activation": "relu"}

    def shapes(self, obs, options):
        h = self.hidden
        return {
            "encoder": (h, obs, 1),
            "lstm.weight_ih_l0": (4 * h, h),
            "lstm.weight_hh_l0": (4 * h, h),
            "lstm.bias_ih_l0": (4 * h,),
            "lstm.bias_hh_l0": (4 * h,),
            "policy": (options, h, 1),
            "value": (1, h, 1),
        }

    def states(self):
        return {"h.0": self.hidden, "c.0": self.hidden}

    def forward(self, p, obs, start, state, kinks):
        # torch's own LSTM, one step at a time so that the state can be zeroed in between
        cell = nn.LSTM(self.hidden, self.hidden, batch_first=True, dtype=obs.dtype)
        own = {k[5:]: v for k, v in p.items() if k.startswith("lstm.")}
        x = activate("relu", linear(p, "encoder", obs), kinks)
        h, c, rows = state["h.0"], state["c.0"], []
        for t in range(obs.shape[1]):
            alive = 1.0 - start[:, t, None]
            pair = ((h * alive)[None], (c * alive)[None])
            y, (h, c) = torch.func.functional_call(cell, own, (x[:, t : t + 1], pair))
            h, c = h[0], c[0]
            rows.append(y[:, 0])
        x = torch.stack(rows, 1)
        return linear(p, "policy", x), linear(p, "value", x), {"h.0": h, "c.0": c}
