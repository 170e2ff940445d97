"""From models of the reference of duel (Naton1/osrs-pvp-reinforcement-learning) to nets of ludus.

Its actor is a trunk, then a small net per head that also reads the choices of the heads before it, each
as a row with a single 1, shifted and scaled by running moments and clipped; that is again a number for
each choice and so folds into weights and biases. Its critic is a net of its own."""

import array
import math
import re

from ludus_pickle import Record, Refused, Tensor

EPS = 1e-8  # that the reference adds to variances
CLIP = 5.0  # of normalised observations and choices


class Layer:
    def __init__(self, weight, bias):
        if len(weight.shape) != 2 or bias.shape != weight.shape[:1]:
            raise Refused(f"a layer of shape {list(weight.shape)} with a bias of shape {list(bias.shape)}")
        self.out, self.inputs = weight.shape
        self.weight, self.bias = weight.numbers, bias.numbers

    def row(self, out, first, last):
        at = out * self.inputs
        return self.weight[at + first : at + last]


def layers_below(policy, prefix):
    """Dense layers below a prefix by their place; what else a module holds has no weights."""
    found = {}
    for name in policy:
        match = re.fullmatch(re.escape(prefix) + r"((?:\d+\.)*)weight", name)
        if match:
            found[tuple(map(int, match[1].split(".")[:-1]))] = name[: -len("weight")]
    layers = []
    for place in sorted(found):
        bias = policy.get(found[place] + "bias")
        if bias is None:
            raise Refused(f"'{found[place]}weight' has no bias")
        layers.append(Layer(policy[found[place] + "weight"], bias))
    for before, after in zip(layers, layers[1:]):
        if before.out != after.inputs:
            raise Refused(f"the layers of '{prefix}' do not fit each other")
    return layers


def member(value, name, otherwise=None):
    """Of a record or a dictionary."""
    held = value.__dict__ if isinstance(value, Record) else value if isinstance(value, dict) else {}
    return held.get(name, otherwise)


def check_params(params):
    """What the reference can do and a net of ludus cannot."""
    if member(params, "share_feature_extractor") or member(member(params, "feature_extractor_config"), "layers"):
        raise Refused("it has a feature extractor before actor and critic, which ludus nets lack")
    if member(params, "append_future_action_masks"):
        raise Refused("its heads read masks of later heads, which ludus's do not")
    if member(params, "max_sequence_length", 1) != 1:
        raise Refused("it reads several frames, which is not carried over")
    configs = [member(params, "actor_config"), member(params, "critic_config")]
    heads = member(params, "action_head_configs")
    for config in configs + (heads if isinstance(heads, list) else [heads]):
        for layer in member(config, "layers") or []:
            if member(layer, "size") is not None and member(layer, "activation", "relu") != "relu":
                raise Refused(f"a layer with the activation {member(layer, 'activation')}: only relu is carried over")


def tower(layers, inputs, what):
    """Width of the layers of a trunk, all alike."""
    widths = {layer.out for layer in layers}
    if len(widths) != 1:
        raise Refused(f"the layers of its {what} have widths {sorted(widths)}; in ludus they must have one")
    if layers[0].inputs != inputs:
        raise Refused(f"its {what} reads {layers[0].inputs} numbers, not {inputs}")
    return widths.pop()


def put(tensors, name, rows, shape):
    numbers = array.array("f")
    for row in rows:
        numbers.extend(row)
    tensors[name] = Tensor(shape, numbers)


def put_layer(tensors, name, layer):
    put(tensors, name + ".weight", [layer.weight], (layer.out, layer.inputs))
    put(tensors, name + ".bias", [layer.bias], (layer.out,))


def choice_values(policy, normalised, count):
    """What a choice that was not taken, and one that was, is to a head."""
    if not normalised:
        return [0.0] * count, [1.0] * count
    if "actor.action_var" not in policy:
        raise Refused("its choices have a mean and no variance")
    mean, var = (policy[f"actor.action_{key}"].numbers for key in ("mean", "var"))
    if len(mean) != count or len(var) != count:
        raise Refused("the moments of its choices do not fit its heads")
    scale = [math.sqrt(x + EPS) for x in var]
    cut = [[max(-CLIP, min(CLIP, (x - m) / s)) for m, s in zip(mean, scale)] for x in (0.0, 1.0)]
    return cut[0], cut[1]


def put_heads(tensors, heads, names, width, values):
    """First layers as one matrix; choices as a table; what is behind, layer by layer."""
    off, on = values
    columns, biases, before = [], [], 0
    for name, layers in zip(names, heads):
        first, table = layers[0], []
        if first.inputs not in (width, width + before):
            raise Refused(f"head '{name}' reads {first.inputs} numbers, not {width + before}")
        reads = before if first.inputs > width else 0
        for out in range(first.out):
            choices = first.row(out, width, width + reads)
            columns.append(first.row(out, 0, width))
            biases.append(first.bias[out] + sum(w * v for w, v in zip(choices, off)))
        for j in range(before):
            gain = on[j] - off[j]
            table.append([first.weight[k * first.inputs + width + j] * gain if reads else 0.0 for k in range(first.out)])
        if before:
            put(tensors, f"choice.{name}.weight", table, (before, first.out))
        for i, layer in enumerate(layers[1:]):
            put_layer(tensors, f"head.{name}.{i + 1}", layer)
        before += layers[-1].out
    put(tensors, "head.weight", columns, (len(columns), width))
    put(tensors, "head.bias", [biases], (len(biases),))


def put_normaliser(tensors, stats, own, more):
    mean, var = member(stats, "mean"), member(stats, "var")
    if not isinstance(mean, Tensor) or not isinstance(var, Tensor) or len(mean.numbers) != len(var.numbers):
        raise Refused("its observations have no mean and variance")
    if len(mean.numbers) not in (own, own + more):
        raise Refused(f"it has moments of {len(mean.numbers)} observations, not of {own} or {own + more}")
    count = member(stats, "count", 1.0)
    count = float(count.number() if isinstance(count, Tensor) else count)
    for name, first, length in (("normaliser", 0, own), ("critic_normaliser", own, more)):
        means = list(mean.numbers[first : first + length])
        # a number that never varied is scaled too, as the reference does: just above what ludus leaves alone
        vars_ = [max(float(x) + EPS, 1.0000001e-8) for x in var.numbers[first : first + length]]
        if means:
            tensors[f"{name}.mean"] = Tensor((length,), array.array("d", means))
            tensors[f"{name}.var"] = Tensor((length,), array.array("d", vars_))
            tensors[f"{name}.count"] = Tensor((), array.array("d", [max(count, 1.0)]))
            tensors[f"{name}.clip"] = Tensor((), array.array("d", [CLIP]))


def pick(specs, sizes):
    for spec in specs:
        if [len(head["options"]) for head in spec["heads"]] == sizes:
            return spec
    raise Refused(f"no variant of duel has heads of {sizes} options")


def convert(policy, params, stats, specs):
    """Tensors by ludus's names, settings of the net, and the specification of its game."""
    if not all(isinstance(x, Tensor) for x in policy.values()):
        raise Refused("its policy holds something other than tensors")
    check_params(params)
    actor = layers_below(policy, "actor.hidden.")
    critic = layers_below(policy, "critic.hidden.")
    places = sorted({int(m[1]) for m in (re.match(r"actor\.heads\.(\d+)\.", name) for name in policy) if m})
    heads = [layers_below(policy, f"actor.heads.{i}.") for i in places]
    value = layers_below(policy, "critic.head.")
    if not actor or not critic or not heads or not all(heads) or len(value) != 1 or places != list(range(len(places))):
        raise Refused("it isn't a policy of the reference: actor.hidden, actor.heads and critic.hidden are needed")
    spec = pick(specs, [layers[-1].out for layers in heads])
    own, more = spec["observation_length"], spec["critic_length"]
    width = tower(actor, own, "actor")
    inner = critic[0].inputs > own
    if tower(critic, own + more if inner else own, "critic") != width or len(critic) != len(actor):
        raise Refused("its actor and critic have different layers; in ludus they must be alike")
    hidden = [[layer.out for layer in layers[:-1]] for layers in heads]
    if any(h != hidden[0] for h in hidden):
        raise Refused("its heads have different layers; in ludus they must be alike")
    tensors = {}
    for prefix, layers in (("", actor), ("critic.", critic)):
        put_layer(tensors, prefix + "encoder", layers[0])
        for i, layer in enumerate(layers[1:]):
            put_layer(tensors, f"{prefix}trunk.{i}", layer)
    put_layer(tensors, "critic.head", value[0])
    normalised = "actor.action_mean" in policy and member(params, "normalize_autoregressive_actions", True)
    values = choice_values(policy, normalised, spec["mask_length"])
    put_heads(tensors, heads, [head["name"] for head in spec["heads"]], width, values)
    if stats is not None:
        put_normaliser(tensors, stats, own, more if inner else 0)
    net = {"net.hidden": width, "net.layers": len(actor), "net.activation": "relu", "net.critic": "separate",
           "net.critic_inputs": inner, "net.heads": "autoregressive", "net.head_hidden": hidden[0]}
    return tensors, net, spec
