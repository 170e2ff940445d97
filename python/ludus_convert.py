#!/usr/bin/env python3
"""Makes a ludus model out of weights that torch saved.

ludus never reads pickle, because a pickle can run code. This script reads one without running any: it may
hold tensors, arrays and plain values; at the first other name it stops (ludus_pickle.py).
It writes a safetensors file that `--model` takes. Only Python is needed.

Models of the reference of duel, as one file of torch (main-1000-steps.zip) or as an archive with
policy.pth, obs_rms.pkl and optionally metadata.json:

  ludus_convert.py main-1000-steps.zip duel.safetensors [--ludus build/release/ludus]

Any other weights, with a map from torch's names to ludus's:

  ludus_convert.py policy.pth --list                 names and shapes that the file holds
  ludus_convert.py policy.pth policy.safetensors --map names.json
  ludus_convert.py policy.pth policy.safetensors --map names.json \\
      --metadata metadata.json --obs-rms obs_rms.json

names.json      {"actor.0.weight": "encoder.weight", "optimiser.step": null, ...}: from torch's name
                to ludus's; null leaves a tensor out. Every tensor of the file must be named.
metadata.json   what the weights are for: game, spec, kind, settings. `ludus model export --zip`
                with a model of the same game and net writes one to start from.
obs_rms.json    {"mean": [...], "var": [...], "count": N}: the observation normaliser.

Without --metadata the file holds weights only: put it into a .zip as policy.safetensors, next to
metadata.json and obs_rms.json, and ludus reads that too.
"""

import argparse
import array
import json
import math
import os
import shutil
import struct
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import ludus_duel  # noqa: E402
from ludus_pickle import Refused, Tensor, is_torch, open_zip, read_entry, read_pickle, read_torch  # noqa: E402

VERSION = 1  # of the model file, as LU_MODEL_VERSION in include/ludus/model.h
MOST_BYTES = 4 << 30
TYPES = {"f": ("F32", 4), "d": ("F64", 8)}


def printable(text):
    """A text out of a file, without what drives a terminal or turns the direction of writing."""
    return "".join(letter if letter.isprintable() else "?" for letter in text)


def stop(sentence):
    """Ends with one sentence and the exit code of bad data."""
    print(f"ludus_convert: {printable(sentence)}", file=sys.stderr)
    sys.exit(4)


def read_bytes(path):
    try:
        if os.path.getsize(path) > MOST_BYTES:
            stop(f"{path} is larger than 4 GiB")
        return Path(path).read_bytes()
    except OSError as error:
        stop(f"cannot read {path}: {error.strerror}")


def read_json(path):
    try:
        value = json.loads(read_bytes(path))
    except ValueError as error:
        stop(f"cannot read {path}: {error}")
    if not isinstance(value, dict):
        stop(f"{path} is not a JSON object")
    return value


# ---- any weights, by a map ----


def read_state(path, key, entry):
    """Tensors by name, from a state_dict or from an object that has one under `key`."""
    data = read_bytes(path)
    state = read_torch(read_entry(open_zip(data), entry) if entry else data)
    for part in key.split(".") if key else []:
        if ludus_duel.member(state, part) is None:
            names = ", ".join(map(str, state)) if isinstance(state, dict) else type(state).__name__
            stop(f"there is no '{part}' in {path}; it has: {names[:300]}")
        state = ludus_duel.member(state, part)
    if not isinstance(state, dict):
        stop(f"{path} holds a {type(state).__name__}, not a state_dict")
    tensors = {str(name): value for name, value in state.items() if isinstance(value, Tensor)}
    others = sorted(str(name) for name, value in state.items() if not isinstance(value, Tensor))
    if others:
        print(f"ludus_convert: no tensors, left out: {printable(', '.join(others)[:300])}", file=sys.stderr)
    return tensors


def rename(tensors, names):
    """The tensors under ludus's names, as float32."""
    unnamed = sorted(set(tensors) - set(names))
    absent = sorted(set(names) - set(tensors))
    if unnamed or absent:
        stop(f"the map and the file differ: not in the map {unnamed}, not in the file {absent}")
    out = {}
    for old, new in names.items():
        if new is None:
            continue
        if not isinstance(new, str) or not new or new in out:
            stop(f"the map gives '{old}' no name of its own: {new!r}")
        out[new] = Tensor(tensors[old].shape, array.array("f", tensors[old].numbers))
    return out


def add_normaliser(tensors, obs_rms):
    """Tensors of obs_rms.json, in double precision."""
    parts = {"normaliser": {k: v for k, v in obs_rms.items() if k != "critic"}}
    parts["critic_normaliser"] = obs_rms.get("critic", {})
    for name, part in parts.items():
        for key, value in part.items():
            if key not in ("mean", "var", "count", "clip"):
                stop(f"obs_rms has '{key}'; it takes mean, var, count and clip")
            row = value if isinstance(value, list) else [value]
            if not all(isinstance(x, (int, float)) for x in row):
                stop(f"'{key}' of obs_rms holds other than numbers")
            tensors[f"{name}.{key}"] = Tensor((len(row),) if isinstance(value, list) else (), array.array("d", row))


# ---- models of the reference ----


def find_ludus(named):
    own = Path(__file__).resolve().parent.parent / "build/release/ludus"
    program = named or (str(own) if own.exists() else shutil.which("ludus"))
    if not program:
        stop("ludus is not found, which knows the games of duel: name it with --ludus")
    return program


def read_specs(program):
    specs = []
    for game in ("duel-v1", "duel-dharok-v1"):
        try:
            told = subprocess.run([program, "spec", game, "--json"], capture_output=True, check=True)
            specs.append(json.loads(told.stdout))
        except (OSError, ValueError, subprocess.CalledProcessError) as error:
            stop(f"{program} does not tell the specification of {game}: {error}")
    return specs


def read_reference(path):
    """Weights, parameters, moments and what else is known, of either form."""
    data = read_bytes(path)
    archive = open_zip(data)
    if is_torch(archive):
        saved = read_torch(data)
        policy, meta = ludus_duel.member(saved, "policy"), ludus_duel.member(saved, "meta")
        if not isinstance(policy, dict) or meta is None:
            stop(f"{path} isn't a model of the reference: it needs 'policy' and 'meta'; --list shows tensors, --map names them")
        stats = ludus_duel.member(meta, "running_observation_stats")
        known = {key: ludus_duel.member(meta, key) for key in ("trained_steps", "trained_rollouts", "num_updates")}
        return policy, ludus_duel.member(saved, "policy_params"), stats, known
    policy = read_torch(read_entry(archive, "policy.pth"))
    policy = ludus_duel.member(policy, "policy", policy)
    stats = read_pickle(read_entry(archive, "obs_rms.pkl"))
    known = {}
    if "metadata.json" in archive.namelist():
        known = json.loads(read_entry(archive, "metadata.json"))
    if not isinstance(policy, dict) or not isinstance(known, dict):
        stop(f"{path}: policy.pth holds no weights, or metadata.json no object")
    return policy, known.get("policy_params", {}), stats, known


def convert_reference(path, program):
    policy, params, stats, known = read_reference(path)
    tensors, net, spec = ludus_duel.convert({str(k): v for k, v in policy.items()}, params, stats, read_specs(program))
    plain = {key: value for key, value in known.items() if isinstance(value, (int, float, str))}
    metadata = {"game": spec["id"], "spec": spec["hash"], "kind": "policy",
                "settings": {"net": net, "game": {}, "train": {}},
                "card": {"title": "converted from the reference", **plain}}
    steps = known.get("trained_steps", known.get("steps"))
    if isinstance(steps, int) and steps >= 0:
        metadata["step"] = steps
    return tensors, notes_of(metadata)


# ---- the file ----


def notes_of(metadata):
    """Texts of the safetensors header. `build` stays out: it promises a hash that only ludus makes."""
    metadata = {"version": VERSION, **metadata}
    notes = {"format": "pt"}
    for key, value in metadata.items():
        if key != "build":
            notes["ludus." + key] = value if isinstance(value, str) else json.dumps(value)
    return notes


def write(path, tensors, notes):
    """One safetensors file, wider types first, whole or not at all."""
    header, at = {"__metadata__": notes}, 0
    order = sorted(tensors, key=lambda name: (-TYPES[tensors[name].numbers.typecode][1], name))
    for name in order:
        numbers = tensors[name].numbers
        if not all(map(math.isfinite, numbers)):
            stop(f"'{name}' holds NaN or an infinity")
        kind, size = TYPES[numbers.typecode]
        header[name] = {"dtype": kind, "shape": list(tensors[name].shape),
                        "data_offsets": [at, at + size * len(numbers)]}
        at += size * len(numbers)
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    temporary = f"{path}.{os.getpid()}.tmp"
    try:
        with open(temporary, "wb") as file:
            file.write(struct.pack("<Q", len(text)) + text)
            for name in order:
                numbers = tensors[name].numbers
                if sys.byteorder == "big":
                    numbers = array.array(numbers.typecode, numbers)
                    numbers.byteswap()
                file.write(numbers.tobytes())
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except OSError as error:
        stop(f"cannot write {path}: {error.strerror}")
    finally:
        if os.path.exists(temporary):
            os.unlink(temporary)


def run(words):
    if words.list:
        for name, tensor in read_state(words.input, words.key, words.entry).items():
            print(f"{printable(name)}\t{list(tensor.shape)}")
        return 0
    if words.map:
        out = rename(read_state(words.input, words.key, words.entry), read_json(words.map))
        if words.obs_rms:
            add_normaliser(out, read_json(words.obs_rms))
        notes = notes_of(read_json(words.metadata)) if words.metadata else {"format": "pt"}
    else:
        out, notes = convert_reference(words.input, find_ludus(words.ludus))
    write(words.output, out, notes)
    print(f"{words.output}: {len(out)} tensors, {sum(len(t.numbers) for t in out.values())} numbers")
    return 0


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("input", help="file of torch.save: .pt, .pth, .zip, or an archive with --entry")
    parser.add_argument("output", nargs="?", help="the .safetensors file to write")
    parser.add_argument("--list", action="store_true", help="print names and shapes, write nothing")
    parser.add_argument("--map", metavar="FILE", help="JSON map from torch's names to ludus's")
    parser.add_argument("--key", default="", help="where the state_dict is, e.g. agent.policy")
    parser.add_argument("--entry", help="file inside a .zip that torch saved, e.g. policy.pth")
    parser.add_argument("--metadata", metavar="FILE", help="metadata.json of the model")
    parser.add_argument("--obs-rms", metavar="FILE", help="obs_rms.json of the model")
    parser.add_argument("--ludus", metavar="PROGRAM", help="the program, for models of the reference")
    words = parser.parse_args()
    if not words.list and not words.output:
        parser.error("give OUTPUT, or --list")
    if not words.map and (words.metadata or words.obs_rms):
        parser.error("--metadata and --obs-rms go with --map")
    try:
        return run(words)
    except Refused as problem:
        stop(f"{words.input} is not read: {problem}")
    except RecursionError:
        stop(f"{words.input} or what goes with it holds values nested too deep")
    except (ValueError, TypeError, OverflowError) as error:  # numbers that are none
        stop(f"{words.input} is damaged: {error}")


if __name__ == "__main__":
    sys.exit(main())
