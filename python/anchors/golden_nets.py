"""The networks of the goldens (goldens.py). Parameters are a plain dict of tensors with torch
names, weights [out, in]; `forward` takes rows [segments, horizon, ...] and gives logits, value and
the last state, and notes in `kinks` every number at whose zero a derivative jumps. `actions` are
read by nets whose heads read the choices before them."""

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

    def tower(self, name, p, obs, kinks):
        x = activate(self.activation, linear(p, name + ".0", obs), kinks)
        return activate(self.activation, linear(p, name + ".2", x), kinks)

    def features(self, p, obs, _start, _state, kinks):
        return self.tower("trunk", p, obs, kinks), {}

    def forward(self, p, obs, start, state, kinks, _actions):
        if self.separate:
            actor, critic = (self.tower(name, p, obs, kinks) for name in ("actor", "critic"))
            return linear(p, "actor.4", actor), linear(p, "critic.4", critic), {}
        x, last = self.features(p, obs, start, state, kinks)
        return linear(p, "policy", x), linear(p, "value", x), last


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

    def features(self, p, obs, start, state, kinks):
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
        return x, last

    def forward(self, p, obs, start, state, kinks, _actions):
        x, last = self.features(p, obs, start, state, kinks)
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

    def forward(self, p, obs, start, state, kinks, _actions):
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


class Series:
    """Heads in series on the features of another net: head i is a small net that reads them beside
    the choices of the heads before it, each a row with one 1."""

    def __init__(self, base, heads, widths):
        self.base, self.heads, self.widths = base, heads, widths

    def describe(self):
        return {**self.base.describe(), "series": True, "head_hidden": self.widths}

    def shapes(self, obs, options):
        result = self.base.shapes(obs, options)
        _, features, bias = result.pop("policy")
        for head, count in enumerate(self.heads):
            columns = features + sum(self.heads[:head])
            for layer, width in enumerate([*self.widths, count]):
                result[f"heads.{head}.{2 * layer}"] = (width, columns, bias)
                columns = width
        return result

    def states(self):
        return self.base.states()

    def forward(self, p, obs, start, state, kinks, actions):
        features, last = self.base.features(p, obs, start, state, kinks)
        logits, choices = [], []
        for head, count in enumerate(self.heads):
            x = torch.cat([features, *choices], -1)
            for layer in range(len(self.widths)):
                x = activate("relu", linear(p, f"heads.{head}.{2 * layer}", x), kinks)
            logits.append(linear(p, f"heads.{head}.{2 * len(self.widths)}", x))
            chosen = nn.functional.one_hot(actions[..., head].long(), count)
            choices.append(chosen.to(obs.dtype))
        return torch.cat(logits, -1), linear(p, "value", features), last
