"""The converter of models (python/ludus_convert.py): models of the reference of duel in both of their forms,
whose answers are compared with a forward pass written down here; weights by a map; pickles that would run
code, and damaged ones. Files are made with stand-ins for torch, numpy and the reference, which are not needed.

Usage: convert_test.py PATH_OF_LUDUS [FILTER...]
"""

import io
import json
import math
import os
import pickle
import random
import re
import shutil
import socket
import struct
import subprocess
import sys
import tempfile
import time
import types
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "python"))
import ludus_pickle  # noqa: E402
LUDUS = str(Path(sys.argv[1]).resolve()) if len(sys.argv) > 1 else ""
WORK = Path(tempfile.mkdtemp(prefix="ludus-convert-"))
SIZES = [4, 3, 3, 4, 5, 2, 2, 2, 2, 5, 7, 6]
OWN, MORE = 176, 93
TESTS = []


def test(function):
    TESTS.append(function)
    return function


# ---- stand-ins: what pickle writes down are names alone ----


def module(name):
    for i in range(name.count(".") + 1):
        part = ".".join(name.split(".")[: i + 1])
        sys.modules.setdefault(part, types.ModuleType(part))
    return sys.modules[name]


def named(where, name, value):
    """A function or class under the name of another module."""
    value.__module__, value.__qualname__, value.__name__ = where, name, name
    setattr(module(where), name, value)
    return value


rebuild = named("torch._utils", "_rebuild_tensor_v2", lambda *words: None)
reconstruct = named("numpy.core.multiarray", "_reconstruct", lambda *words: None)
FloatStorage = named("torch", "FloatStorage", type("FloatStorage", (), {}))
PolicyParams = named("pvp_ml.ppo.ppo", "PolicyParams", type("PolicyParams", (), {}))
Meta = named("pvp_ml.ppo.ppo", "Meta", type("Meta", (), {}))
Stats = named("pvp_ml.util.running_mean_std", "TensorRunningMeanStd", type("TensorRunningMeanStd", (), {}))
Own = named("my_gym.wrappers", "RunningMeanStd", type("RunningMeanStd", (), {}))
ndarray = named("numpy", "ndarray", type("ndarray", (), {}))


class Dtype:
    def __reduce__(self):
        return dtype, ("f8", False, True), (3, "<", None, None, None, -1, -1, 0)


dtype = named("numpy", "dtype", type("dtype", (), {}))


class Numpy:
    """An array of doubles."""

    def __init__(self, numbers):
        self.numbers = numbers

    def __reduce__(self):
        data = struct.pack(f"<{len(self.numbers)}d", *self.numbers)
        return reconstruct, (ndarray, (0,), b"b"), (1, (len(self.numbers),), Dtype(), False, data)


class Key:
    def __init__(self, key, count):
        self.key, self.count = key, count


class Torch:
    """A tensor of floats; `turned` lies in memory by columns."""

    def __init__(self, shape, numbers, turned=False):
        self.shape, self.turned = tuple(shape), turned
        self.numbers = struct.unpack(f"<{len(numbers)}f", struct.pack(f"<{len(numbers)}f", *numbers))

    def stored(self):
        if not self.turned:
            return self.numbers
        rows, columns = self.shape
        return [self.numbers[r * columns + c] for c in range(columns) for r in range(rows)]

    def __reduce__(self):
        strides = [math.prod(self.shape[i + 1:]) for i in range(len(self.shape))]
        strides = [1, self.shape[0]] if self.turned else strides
        return rebuild, (Key(self, len(self.numbers)), 0, self.shape, tuple(strides), False, {})


def torch_save(value):
    """As torch.save does: an archive with the pickle and the numbers of each tensor."""
    kept, out, text = [], io.BytesIO(), io.BytesIO()

    class Pickler(pickle._Pickler):
        def persistent_id(self, value):
            if not isinstance(value, Key):
                return None
            kept.append(value.key.stored())
            return ("storage", FloatStorage, str(len(kept) - 1), "cpu", value.count)

    Pickler(text, 2).dump(value)
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("model/data.pkl", text.getvalue())
        for i, numbers in enumerate(kept):
            archive.writestr(f"model/data/{i}", struct.pack(f"<{len(numbers)}f", *numbers))
        archive.writestr("model/version", "3\n")
    return out.getvalue()


def record(kind, **members):
    value = kind()
    value.__dict__.update(members)
    return value


# ---- a model, and what it answers ----


class Model:
    def __init__(self, seed=1, width=6, layers=2, head=(4,), reads=True):
        draw = random.Random(seed)
        self.reads, self.policy, before = reads, {}, 0

        def dense(name, out, inputs, turned=False):
            scale = 1.5 / math.sqrt(inputs)
            self.policy[name + ".weight"] = Torch((out, inputs), [draw.gauss(0, scale) for _ in range(out * inputs)], turned)
            self.policy[name + ".bias"] = Torch((out,), [draw.gauss(0, 0.3) for _ in range(out)])

        def mlp(name, widths, inputs):
            for i, out in enumerate(widths):
                dense(f"{name}.{2 * i}", out, inputs, turned=i == 0)
                inputs = out
            return inputs

        mlp("actor.hidden", [width] * layers, OWN)
        for i, size in enumerate(SIZES):
            dense(f"actor.heads.{i}.1", size, mlp(f"actor.heads.{i}.0", head, width + (before if reads else 0)))
            before += size
        dense("critic.head", 1, mlp("critic.hidden", [width] * layers, OWN + MORE))
        self.policy["actor.action_mean"] = Torch((45,), [draw.random() for _ in range(45)])
        self.policy["actor.action_var"] = Torch((45,), [draw.choice([0.0, 0.01, 0.2]) for _ in range(45)])
        self.policy["actor.action_count"] = Torch((1,), [1000.0])
        self.mean = [draw.gauss(0, 1) for _ in range(OWN + MORE)]
        self.var = [draw.choice([0.0, 0.5, 4.0]) for _ in range(OWN + MORE)]
        layer = {"size": width, "activation": "relu", "repeat": layers}
        self.params = dict(max_sequence_length=1, actor_input_size=OWN, critic_input_size=OWN + MORE, action_head_sizes=SIZES,
                           feature_extractor_config={}, share_feature_extractor=False, autoregressive_actions=reads,
                           actor_config={"layers": [layer]}, critic_config={"layers": [layer]},
                           action_head_configs={"layers": [{"size": n, "activation": "relu"} for n in head]},
                           append_future_action_masks=False, normalize_autoregressive_actions=True)

    def stats(self, kind=Stats):
        arrays = (Numpy(self.mean), Numpy(self.var)) if kind is Own else (
            Torch((OWN + MORE,), self.mean), Torch((OWN + MORE,), self.var))
        return record(kind, mean=arrays[0], var=arrays[1], count=5000.0, epsilon=1e-8)

    def saved(self, **params):
        return torch_save({
            "policy": self.policy, "policy_params": record(PolicyParams, **{**self.params, **params}),
            "meta": record(Meta, running_observation_stats=self.stats(), normalized_observations=True, trained_steps=123456,
                           trained_rollouts=7, num_updates=8, custom_data={"past": [1, None, {"a": (2,)}]}),
            "extensions": [{"name": "winrate", "type": Meta, "params": {"x": Torch((2,), [1, 2])}}]})

    def archive(self, **more):
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("policy.pth", torch_save(self.policy))
            archive.writestr("obs_rms.pkl", pickle.dumps(self.stats(Own)))
            archive.writestr("metadata.json", json.dumps({"trained_steps": 99, "env": "NhEnv"}))
            for name, data in more.items():
                archive.writestr(name, data)
        return out.getvalue()

    def dense(self, name, x):
        w, b = self.policy[name + ".weight"], self.policy[name + ".bias"]
        return [b.numbers[o] + sum(w.numbers[o * len(x) + i] * v for i, v in enumerate(x)) for o in range(w.shape[0])]

    def mlp(self, name, x):
        i = 0
        while f"{name}.{i}.weight" in self.policy:
            x = [max(0.0, v) for v in self.dense(f"{name}.{i}", x)]
            i += 2
        return x

    def answer(self, obs):
        """Best action and probabilities of each head, and the value, where everything is legal but for dependencies."""
        x = [max(-5.0, min(5.0, (v - m) / math.sqrt(s + 1e-8))) for v, m, s in zip(obs, self.mean, self.var)]
        hidden, actions, probs, taken = self.mlp("actor.hidden", x[:OWN]), [], [], []
        mean, var = (self.policy[f"actor.action_{k}"].numbers for k in ("mean", "var"))
        for i, size in enumerate(SIZES):
            choices = [max(-5.0, min(5.0, (v - m) / math.sqrt(s + 1e-8))) for v, m, s in zip(taken, mean, var)]
            logits = self.dense(f"actor.heads.{i}.1", self.mlp(f"actor.heads.{i}.0", hidden + (choices if self.reads else [])))
            legal = allowed(i, actions)
            top = max(v for v, ok in zip(logits, legal) if ok)
            weights = [math.exp(v - top) if ok else 0.0 for v, ok in zip(logits, legal)]
            probs.append([w / sum(weights) for w in weights])
            actions.append(weights.index(max(weights)))
            taken += [1.0 if o == actions[-1] else 0.0 for o in range(size)]
        return actions, probs, self.dense("critic.head", self.mlp("critic.hidden", x))[0]


def spec():
    told = subprocess.run([LUDUS, "spec", "duel", "--json"], capture_output=True, check=True, env=environment())
    return json.loads(told.stdout)


def allowed(head, actions):
    """Options that the choices of earlier heads leave."""
    options = [True] * SIZES[head]
    any_of = {}
    for need in SPEC["heads"][head]["needs"]:
        holds = actions[need["on_head"]] == need["on_option"]
        if need["kind"] == "any":
            any_of[need["option"]] = any_of.get(need["option"], False) or holds
        else:
            options[need["option"]] = options[need["option"]] and holds == (need["kind"] == "all")
    options = [ok and any_of.get(o, True) for o, ok in enumerate(options)]
    return options if any(options) else [True] + options[1:]


# ---- calls ----


def environment():
    env = {k: v for k, v in os.environ.items() if not k.startswith("LUDUS_")}
    return dict(env, LUDUS_HOME=str(ROOT))


def convert(data, *words, code=0, name="model.zip"):
    path, out = WORK / name, WORK / "out.safetensors"
    path.write_bytes(data)
    out.unlink(missing_ok=True)
    done = subprocess.run([sys.executable, str(ROOT / "python/ludus_convert.py"), str(path), str(out), "--ludus", LUDUS,
                           *map(str, words)], capture_output=True, text=True, env=environment(), cwd=WORK, timeout=120)
    assert done.returncode == code, f"exit {done.returncode}: {done.stderr[-600:]}"
    if code:
        assert done.stderr.startswith("ludus_convert: ") and len(done.stderr.strip().splitlines()) == 1, done.stderr
        assert not out.exists() and not list(WORK.glob("*.tmp")), "something is left"
        return done.stderr
    return out


def refused(part, data, *words):
    said = convert(data, *words, code=4)
    assert part in said, said


def ask(model, *requests):
    """Answers of serve-policy."""
    child = subprocess.Popen([LUDUS, "serve-policy", "--model", str(model), "--port", "0"], stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE, text=True, env=environment(), cwd=WORK)
    try:
        line = child.stdout.readline()
        port = re.search(r":(\d+)", line)
        assert port, (line, child.stderr.read() if child.poll() is not None else "")
        with socket.create_connection(("127.0.0.1", int(port[1])), timeout=60) as wire:
            stream = wire.makefile("rw")
            answers = []
            for request in requests:
                stream.write(json.dumps(request) + "\n")
                stream.flush()
                answers.append(json.loads(stream.readline()))
            return answers
    finally:
        child.terminate()
        child.communicate(timeout=60)


def plays_as(model, out):
    draw = random.Random(5)
    rows = [[draw.gauss(0, 2) for _ in range(OWN + MORE)] for _ in range(12)]
    answers = ask(out, *[{"obs": [row], "actionMasks": [[True] * n for n in SIZES], "deterministic": True, "returnProbs": True,
                          "returnValue": True} for row in rows])
    for row, answer in zip(rows, answers):
        actions, probs, value = model.answer(row)
        assert answer.get("action") == actions, (answer, actions)
        for want, got in zip(probs, answer["probs"]):
            assert all(abs(a - b) < 1e-4 for a, b in zip(want, got)), (want, got)
        assert abs(answer["values"] - value) < 1e-3 * max(1.0, abs(value)), (answer["values"], value)


# ---- tests ----


@test
def a_model_of_the_reference_answers_as_it_did():
    for model in (Model(), Model(2, head=(5, 3)), Model(3, layers=3), Model(4, head=(3,), reads=False)):
        out = convert(model.saved())
        plays_as(model, out)
    told = json.loads(subprocess.run([LUDUS, "model", "show", str(out), "--json"], capture_output=True, check=True,
                                     env=environment()).stdout)
    assert told["game"] == "duel-v1" and told["step"] == 123456, told


@test
def an_archive_with_policy_and_moments_answers_too():
    model = Model(6)
    plays_as(model, convert(model.archive()))


@test
def what_a_net_of_ludus_cannot_do_is_refused():
    model = Model(7)
    refused("feature extractor", model.saved(share_feature_extractor=True))
    refused("masks of later heads", model.saved(append_future_action_masks=True))
    refused("several frames", model.saved(max_sequence_length=2))
    refused("activation gelu", model.saved(actor_config={"layers": [{"size": 6, "activation": "gelu"}]}))
    other = Model(7)
    other.policy["actor.heads.11.1.weight"] = Torch((7, 4), [0.0] * 28)
    other.policy["actor.heads.11.1.bias"] = Torch((7,), [0.0] * 7)
    refused("no variant of duel", other.saved())
    other = Model(7)
    del other.policy["actor.hidden.2.weight"], other.policy["actor.hidden.2.bias"]
    refused("have different layers", other.saved())
    other = Model(7)
    other.policy["critic.head.bias"] = Torch((1,), [math.nan])
    refused("NaN", other.saved())
    refused("isn't a model of the reference", torch_save({"a": Torch((1,), [1.0])}))


class Evil:
    """A pickle that would write a file."""

    def __init__(self, call, words):
        self.call, self.words = call, words

    def __reduce__(self):
        return self.call, self.words


@test
def pickles_that_would_run_code_are_refused():
    mark = WORK / "ran"
    attacks = [Evil(os.system, (f"touch {mark}",)), Evil(exec, (f"open({str(mark)!r}, 'w')",)),
               Evil(getattr, ("", "join")), Evil(subprocess.Popen, (["touch", str(mark)],)),
               Evil(shutil.rmtree, (str(WORK),))]
    for evil in attacks:
        refused("never run", torch_save({"policy": evil}))
        refused("never run", torch_save({"policy": {"x": Torch((1,), [1.0]), "y": [{"z": evil}]}, "meta": {}}))
        refused("never run", archive_with(pickle.dumps(evil)))
    for text in (b"cos\nsystem\n(S'touch ran'\ntR.", b"\x80\x04\x8c\x02os\x8c\x06system\x93\x8c\x09touch ran\x85R.",
                 b"(S'touch ran'\nios\nsystem\n.", b"\x82\x01."):
        convert(archive_with(text), code=4)
    assert not mark.exists()


def archive_with(moments):
    out, model = io.BytesIO(), Model(8)
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("policy.pth", torch_save(model.policy))
        archive.writestr("obs_rms.pkl", moments)
    return out.getvalue()


@test
def damaged_files_are_refused():
    whole = Model(9).saved()
    for data in (b"", b"PK", b"\x80\x02}.", whole[:-30], whole[: len(whole) // 2], os.urandom(500)):
        convert(data, code=4)
    draw, small = random.Random(1), torch_save({"a": [Torch((2,), [1, 2])], "b": Model(9).stats(Own)})
    outcomes = set()
    for _ in range(2000):  # any flipped bit gives a value or a sentence, and nothing else
        at = draw.randrange(len(small))
        try:
            ludus_pickle.read_torch(small[:at] + bytes([small[at] ^ (1 << draw.randrange(8))]) + small[at + 1:])
            outcomes.add("read")
        except ludus_pickle.Refused:
            outcomes.add("refused")
    assert outcomes == {"read", "refused"}, outcomes
    bomb = io.BytesIO()
    with zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("policy.pth", b"\0" * (64 << 20))
    refused("far more than it holds", bomb.getvalue())
    # parts of a policy that are missing, values that name each other again and again, and nested ones
    for lost, part in (("actor.action_var", "no variance"), ("actor.heads.11.", "policy of the reference")):
        other = Model(9)
        other.policy = {name: value for name, value in other.policy.items() if not name.startswith(lost)}
        other.policy.update({"actor.heads.11.x": Torch((1,), [0.0])})
        refused(part, other.saved())
    twice = [1]
    for _ in range(90):
        twice = [twice, twice]
    assert ludus_pickle.read_pickle(pickle.dumps(twice))
    names = WORK / "deep.json"
    names.write_text("[" * 100000)
    refused("nested too deep", torch_save({"a": Torch((1,), [1.0])}), "--map", names)
    # a tensor that reaches beyond its numbers
    small = Torch((2, 2), [1, 2, 3, 4])
    small.shape = (2, 3)
    refused("beyond", torch_save({"policy": {"x": small}, "meta": {}}))


@test
def names_of_others_do_not_drive_the_terminal():
    name = "a\x1b]0;b\x07\u202ec\nd"
    (WORK / "odd.pth").write_bytes(torch_save({name: Torch((1,), [1.0]), name + "e": 1}))
    listed = subprocess.run([sys.executable, str(ROOT / "python/ludus_convert.py"), "--list", "odd.pth"], capture_output=True, text=True,
                            cwd=WORK, check=True)
    assert listed.stdout == "a?]0;b??c?d\t[1]\n" and listed.stderr.endswith("left out: a?]0;b??c?de\n"), listed
    text = f"\x80\x04\x8c{chr(len(name.encode()))}".encode("latin1") + name.encode() + b"\x8c\x01x\x93."
    said = convert(archive_with(text), code=4)
    assert "a?]0;b??c?d.x" in said, said


@test
def any_weights_go_by_a_map():
    state = {"a.weight": Torch((2, 3), range(6), turned=True), "a.step": Torch((1,), [7.0])}
    names = WORK / "names.json"
    names.write_text(json.dumps({"a.weight": "encoder.weight", "a.step": None}))
    (WORK / "m.pth").write_bytes(torch_save({"net": state}))
    listed = subprocess.run([sys.executable, str(ROOT / "python/ludus_convert.py"), "--list", "--key", "net", "m.pth"],
                            capture_output=True, text=True, cwd=WORK)
    assert listed.stdout.splitlines() == ["a.weight\t[2, 3]", "a.step\t[1]"], listed
    out = convert(torch_save({"net": state}), "--map", names, "--key", "net").read_bytes()
    length = struct.unpack("<Q", out[:8])[0]
    header = json.loads(out[8:8 + length])
    assert length % 8 == 0 and header["encoder.weight"] == {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]}
    assert struct.unpack("<6f", out[8 + length:]) == (0, 1, 2, 3, 4, 5)
    names.write_text(json.dumps({"a.weight": "encoder.weight"}))
    refused("not in the map ['a.step']", torch_save({"net": state}), "--map", names, "--key", "net")


def main():
    global SPEC
    if not LUDUS:
        sys.exit(__doc__)
    SPEC = spec()
    passed = failed = 0
    for function in TESTS:
        if sys.argv[2:] and not any(word in function.__name__ for word in sys.argv[2:]):
            continue
        start = time.time()
        try:
            function()
            passed += 1
            print(f"ok   {time.time() - start:8.3f} s  convert:{function.__name__}", flush=True)
        except Exception as error:  # a test may fail in any way; the others still run
            failed += 1
            print(f"FAIL {time.time() - start:8.3f} s  convert:{function.__name__}\n    {type(error).__name__}: {str(error)[:2000]}", flush=True)
    shutil.rmtree(WORK, ignore_errors=True)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
