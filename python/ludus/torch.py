"""The nets of model files as torch modules with equal outputs: to inspect them, to train them
further, to export them. `state_dict` has the names and layout of the model file.
"""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from ludus.batch import Array
from ludus.game import Spec, spec
from ludus.policy import Policy


def _name(text: str) -> str:
    """As a tensor's name has it."""
    return re.sub(r"[^A-Za-z0-9_]", "_", text)


class _Folder(nn.Module):  # type: ignore[misc,unused-ignore]
    """A module that only holds parameters and further folders, so that names may have dots."""

    def put(self, name: str, value: Tensor) -> None:
        """Adds a parameter by its dotted name."""
        first, _, rest = name.partition(".")
        if not rest:
            self.register_parameter(first, nn.Parameter(value))
            return
        if first not in self._modules:
            self._modules[first] = _Folder()  # a head may be called as a method is
        folder = self._modules[first]
        assert isinstance(folder, _Folder)
        folder.put(rest, value)


class Net(_Folder):
    """A policy or Q net: encoder, trunk, memory, heads and critic as docs/model-format.md has them.

    `forward` takes rows of observations and returns logits, values in units of the reward, and the
    recurrent state. Masking is up to the caller: set the logits of illegal options to -inf.
    """

    def __init__(self, facts: dict[str, Any], parameters: dict[str, Array]) -> None:
        """By `module` or `load`."""
        super().__init__()
        self.facts = facts
        self.game: Spec = spec(facts["game"])
        self.config: dict[str, Any] = {
            key.removeprefix("net."): value for key, value in facts["settings"]["net"].items()
        }
        for name, value in parameters.items():
            self.put(name, torch.from_numpy(value.copy()))
        for kind in ("normaliser", "critic_normaliser"):
            given = facts.get(kind)
            for part in ("shift", "scale"):
                buffer = torch.tensor(given[part]) if given else None
                self.register_buffer(f"{kind}_{part}", buffer, persistent=False)
        self.hidden = int(self.config["hidden"])
        self.series = bool(facts["series"])
        self.entity = self.config["encoder"] == "entity"
        self.width = int(self.config["entity_width"])
        self.separate = facts["kind"] == "policy" and self.config["critic"] == "separate"
        self.kind_of_memory = str(self.config["memory"])
        self.memories = int(self.config["memory_layers"]) if self.kind_of_memory != "none" else 0
        self.scale = float(facts["return_scale"])
        self.offsets = self.game.offsets()
        self.heads: list[dict[str, Any]] = self.game.whole["spec"]["heads"]
        self.pointers = self._find_pointers()

    # ---- parts ----

    def _find_pointers(self) -> dict[int, tuple[int, int]]:
        """Head -> the group it points at, and how many of its options do."""
        found: dict[int, tuple[int, int]] = {}
        groups = self.game.whole["spec"]["observation"]
        for index, head in enumerate(self.heads):
            at = head["points_at"]
            usable = self.entity and self.config["pointer"] and at >= 0 and not head["unused"]
            if usable and groups[at]["kind"] != "scalars":
                found[index] = (at, min(len(head["options"]), groups[at]["slots"]))
        return found

    def tensor(self, name: str) -> Tensor | None:
        """A parameter by its dotted name; None where the net has none."""
        folder: nn.Module | None = self
        *path, last = name.split(".")
        for part in path:
            folder = folder._modules.get(part) if folder is not None else None
        return folder._parameters.get(last) if folder is not None else None

    def _has(self, name: str) -> bool:
        return self.tensor(name) is not None

    def _dense(self, name: str, x: Tensor) -> Tensor:
        weight = self.tensor(name + ".weight")
        assert weight is not None, name
        return functional.linear(self._rounded(x), self._rounded(weight), self.tensor(name + ".bias"))

    def _rounded(self, x: Tensor) -> Tensor:
        return x.bfloat16().float() if self.config["precision"] == "bf16" else x

    def _activate(self, x: Tensor) -> Tensor:
        kind = self.config["activation"]
        return torch.relu(x) if kind == "relu" else torch.tanh(x) if kind == "tanh" else x

    def _normalised(self, x: Tensor, kind: str) -> Tensor:
        shift, scale = getattr(self, kind + "_shift"), getattr(self, kind + "_scale")
        if shift is None:
            return x
        clip = float(self.facts[kind]["clip"])
        return torch.clamp((x - shift) * scale, -clip, clip)

    # ---- encoder ----

    def _group(self, prefix: str, group: dict[str, Any], raw: Tensor, normal: Tensor) -> Any:
        """What a group gives the encoder, and the features of its slots."""
        fields, slots = group["fields"], int(group["slots"])
        length = len(fields) * slots
        first = int(group["offset"])
        plain, own = raw[:, first : first + length], normal[:, first : first + length]
        if group["kind"] == "scalars":
            return own, None
        plain, own = (x.reshape(-1, slots, len(fields)) for x in (plain, own))
        ids = [i for i, field in enumerate(fields) if field.get("vocabulary", 0) > 0]
        numbers = [i for i in range(len(fields)) if i not in ids]
        name = f"{prefix}.{_name(group['name'])}"
        # a group of ids alone has no weights, and its bias stands without them
        if self._has(name + ".weight"):
            features = self._dense(name, own[:, :, numbers])
        else:
            features = own.new_zeros(*own.shape[:2], self.width)
            bias = self.tensor(name + ".bias")
            features = features if bias is None else features + bias
        for i in ids:
            table = self.tensor(f"{name}.{_name(fields[i]['name'])}.weight")
            assert table is not None
            features = features + table[plain[:, :, i].long()]
        features = torch.relu(features)
        at = group["presence"]
        used = plain[:, :, at] > 0 if at >= 0 else torch.ones_like(plain[:, :, 0], dtype=torch.bool)
        features = features * used[:, :, None]
        if self.config["pool"] == "mean":
            return features.sum(1) / used.sum(1, keepdim=True).clamp(min=1), features
        return features.max(1).values, features

    def _tower(self, prefix: str, obs: Tensor, critic: Tensor | None, state: Tensor) -> Any:
        """Features of the rows, features of slots by group, and the memory behind the rows."""
        normal = self._normalised(obs, "normaliser")
        further = None if critic is None else self._normalised(critic, "critic_normaliser")
        slots: dict[int, Tensor] = {}
        columns = [normal] if not self.entity else []
        if self.entity:
            for i, group in enumerate(self.game.whole["spec"]["observation"]):
                column, features = self._group(f"{prefix}encoder", group, obs, normal)
                columns.append(column)
                if features is not None:
                    slots[i] = features
            if further is not None and critic is not None:
                for group in self.game.whole["spec"]["critic"]:
                    columns.append(self._group(f"{prefix}encoder.hidden", group, critic, further)[0])
        elif further is not None:
            columns.append(further)
        x = self._activate(self._dense(f"{prefix}encoder", torch.cat(columns, 1)))
        for i in range(int(self.config["layers"]) - 1):
            x = self._activate(self._dense(f"{prefix}trunk.{i}", x))
        behind = []
        for i in range(self.memories):
            x, after = self._remember(f"{prefix}memory.{i}", x, state, i)
            behind.append(after)
        return x, slots, torch.cat(behind, 1) if behind else state[:, :0]

    def _remember(self, name: str, x: Tensor, state: Tensor, layer: int) -> tuple[Tensor, Tensor]:
        n = self.hidden
        if self.kind_of_memory == "mingru":
            before = state[:, layer * n : (layer + 1) * n]
            fresh, gate, keep = self._dense(name, x).chunk(3, 1)
            fresh = torch.where(fresh >= 0, fresh + 0.5, torch.sigmoid(fresh))
            gate, keep = torch.sigmoid(gate), torch.sigmoid(keep)
            after = (1.0 - gate) * before + gate * fresh
            return keep * after + (1.0 - keep) * x, after
        h, c = state[:, 2 * layer * n : 2 * (layer + 1) * n].chunk(2, 1)
        names = ("weight_ih", "weight_hh", "bias_ih", "bias_hh")
        w_in, w_on, b_in, b_on = (self.tensor(f"{name}.{part}") for part in names)
        assert w_in is not None and w_on is not None
        sums = functional.linear(x, w_in, b_in) + functional.linear(h, w_on, b_on)
        take, forget, new, give = sums.chunk(4, 1)
        c = torch.sigmoid(forget) * c + torch.sigmoid(take) * torch.tanh(new)
        h = torch.sigmoid(give) * torch.tanh(c)
        return h, torch.cat([h, c], 1)

    # ---- heads ----

    def _pointed(self, head: int, query: Tensor, slots: dict[int, Tensor]) -> Tensor:
        group, count = self.pointers[head]
        dots: Tensor = (slots[group][:, :count] @ query[:, :, None])[:, :, 0]
        return torch.mul(dots, 1.0 / float(np.sqrt(self.width)))

    def _independent(self, x: Tensor, slots: dict[int, Tensor]) -> tuple[Tensor, Tensor | None]:
        rows = self._dense("head", x) if self._has("head.weight") else x[:, :0]
        logits, at = [], 0
        for index, options in enumerate(self.game.heads):
            pointed = self.pointers[index][1] if index in self.pointers else 0
            if pointed:
                query = self._dense(f"pointer.{_name(self.heads[index]['name'])}", x)
                logits.append(self._pointed(index, query, slots))
            logits.append(rows[:, at : at + options - pointed])
            at += options - pointed
        value = rows[:, at] if rows.shape[1] > at else None
        return torch.cat(logits, 1), value

    def _branch(self, head: int, x: Tensor, slots: dict[int, Tensor]) -> Tensor:
        """The logits of a head in series from the output of its first layer."""
        name = _name(self.heads[head]["name"])
        layer = 1
        while self._has(f"head.{name}.{layer}.weight"):
            x = self._dense(f"head.{name}.{layer}", self._activate(x))
            layer += 1
        if head not in self.pointers:
            return x
        linear = self.game.heads[head] - self.pointers[head][1]
        return torch.cat([self._pointed(head, x[:, linear:], slots), x[:, :linear]], 1)

    def _in_series(self, x: Tensor, slots: dict[int, Tensor], choose: Any) -> tuple[Tensor, Tensor | None]:
        """Logits head after head; `choose(head, logits)` gives the choices of the rows."""
        rows = self._dense("head", x)
        chosen = x.new_zeros(x.shape[0], self.offsets[-1])
        logits, at = [], 0
        for index, head in enumerate(self.heads):
            options = self.game.heads[index]
            if head["unused"]:
                logits.append(x.new_zeros(x.shape[0], options))
                choose(index, logits[-1])
                continue
            table = self.tensor(f"choice.{_name(head['name'])}.weight")
            first = self._first_width(index, table)
            own = rows[:, at : at + first]
            if table is not None:
                own = own + chosen[:, : table.shape[0]] @ table
            at += first
            logits.append(self._branch(index, own, slots))
            choice = choose(index, logits[-1])
            here = chosen[:, self.offsets[index] : self.offsets[index + 1]]
            here.scatter_(1, choice[:, None].long(), 1.0)
        value = rows[:, at] if rows.shape[1] > at else None
        return torch.cat(logits, 1), value

    def _first_width(self, head: int, table: Tensor | None) -> int:
        if table is not None:
            return int(table.shape[1])
        weight = self.tensor(f"head.{_name(self.heads[head]['name'])}.1.weight")
        if weight is not None:
            return int(weight.shape[1])
        more = self.width - self.pointers[head][1] if head in self.pointers else 0
        return self.game.heads[head] + more

    # ---- the whole ----

    def initial_state(self, rows: int) -> Tensor:
        """The recurrent state at the start of an episode."""
        return torch.zeros(rows, int(self.facts["memory"]))

    def forward(
        self,
        obs: Tensor,
        critic: Tensor | None = None,
        actions: Tensor | None = None,
        state: Tensor | None = None,
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Logits, values and recurrent state. `critic`: the critic-only block, if the net reads one
        (default: zeros). `actions`: an option per head, read by autoregressive heads.
        """

        def given(head: int, logits: Tensor) -> Tensor:
            if actions is None:
                raise ValueError("this net's heads read earlier choices: pass actions")
            chosen: Tensor = actions[:, head]
            return chosen

        return self.run(obs, given, critic, state)

    def run(
        self, obs: Tensor, choose: Any, critic: Tensor | None = None, state: Tensor | None = None
    ) -> tuple[Tensor, Tensor, Tensor]:
        """`forward` for autoregressive heads: `choose(head, logits)` picks each option in turn."""
        rows = obs.shape[0]
        state = self.initial_state(rows) if state is None else state
        reads = int(self.facts["critic_inputs"])
        further = critic if critic is not None else obs.new_zeros(rows, reads)
        half = state.shape[1] // (2 if self.separate else 1)
        x, slots, behind = self._tower("", obs, None, state[:, :half])
        heads = self._in_series(x, slots, choose) if self.series else self._independent(x, slots)
        logits, value = heads
        if self.separate:
            own = further if reads else None
            y, _, after = self._tower("critic.", obs, own, state[:, half:])
            value = self._dense("critic.head", y)[:, 0]
            behind = torch.cat([behind, after], 1)
        elif reads:
            both = torch.cat([x, self._normalised(further, "critic_normaliser")], 1)
            value = self._dense("critic.head", self._activate(self._dense("critic.encoder", both)))[:, 0]
        if self.facts["kind"] == "q" and self.config["dueling"] and value is not None:
            ends = zip(self.offsets[:-1], self.offsets[1:], strict=True)
            parts = [logits[:, a:b] - logits[:, a:b].mean(1, keepdim=True) for a, b in ends]
            logits = torch.cat(parts, 1) + value[:, None]
        values: Tensor = logits.new_zeros(rows) if value is None else torch.mul(value, 1.0 / self.scale)
        return logits, values, behind

    def flat_parameters(self) -> Array:
        """All parameters in one array, in the order of the model file, for `runs.Writer`."""
        block = np.zeros(int(self.facts["parameters"]), np.float32)
        for tensor in self.facts["tensors"]:
            value = self.tensor(tensor["name"])
            assert value is not None
            numbers = value.detach().numpy().reshape(-1)
            block[tensor["offset"] : tensor["offset"] + numbers.size] = numbers
        return block


def module(policy: Policy) -> Net:
    """The net of a policy."""
    return Net(policy.facts, policy.parameters())


def load(name: str, **words: Any) -> Net:
    """The net of a model file or a run, given as in `ludus.Policy.load`."""
    return module(Policy.load(name, **words))
