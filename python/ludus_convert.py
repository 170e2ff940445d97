#!/usr/bin/env python3
"""Makes a ludus model out of weights that torch saved.

ludus never reads pickle, because a pickle can run code. This script reads one with
torch.load(weights_only=True), which builds tensors and plain containers only, and writes a
safetensors file that `--model` takes. Needs the PyPI packages torch and safetensors.

  ludus_convert.py policy.pth --list                 names and shapes that the file holds
  ludus_convert.py policy.pth policy.safetensors --map names.json
  ludus_convert.py policy.pth policy.safetensors --map names.json \\
      --metadata metadata.json --obs-rms obs_rms.json

names.json      {"actor.0.weight": "encoder.weight", "optimiser.step": null, ...}: from torch's name
                to ludus's; null leaves a tensor out. Every tensor of the file must be named.
metadata.json   what the weights are for: game, spec, kind, settings. `ludus model export --zip`
                with a model of the same game and net writes one to start from.
obs_rms.json    {"mean": [...], "var": [...], "count": N}: the observation normaliser.

Without --metadata the file holds weights only: put it into a .zip as policy.safetensors, beside
metadata.json and obs_rms.json, and ludus reads that too.
"""

import argparse
import io
import json
import os
import sys
import zipfile

VERSION = 1  # of the model file, as LU_MODEL_VERSION in include/ludus/model.h


def stop(sentence):
    """Ends with one sentence and the exit code of bad data."""
    print(f"ludus_convert: {sentence}", file=sys.stderr)
    sys.exit(4)


def read_json(path):
    try:
        with open(path, encoding="utf-8") as file:
            value = json.load(file)
    except (OSError, ValueError) as error:
        stop(f"cannot read {path}: {error}")
    if not isinstance(value, dict):
        stop(f"{path} is not a JSON object")
    return value


def read_state(path, key, entry):
    """Tensors by name, from a state_dict or from an object that has one under `key`."""
    import torch

    source = path
    try:
        if entry:
            with zipfile.ZipFile(path) as archive:
                source = io.BytesIO(archive.read(entry))
        state = torch.load(source, map_location="cpu", weights_only=True)
    except Exception as error:  # torch has many kinds, and all mean the same here
        stop(f"torch cannot read {path} without running code: {error}")
    for part in key.split(".") if key else []:
        if not isinstance(state, dict) or part not in state:
            names = ", ".join(map(str, state)) if isinstance(state, dict) else type(state).__name__
            stop(f"there is no '{part}' in {path}; it has: {names}")
        state = state[part]
    if not isinstance(state, dict):
        stop(f"{path} holds a {type(state).__name__}, not a state_dict")
    tensors = {name: value for name, value in state.items() if torch.is_tensor(value)}
    others = sorted(str(name) for name in state if name not in tensors)
    if others:
        print(f"ludus_convert: no tensors, left out: {', '.join(others)}", file=sys.stderr)
    return tensors


def rename(tensors, names):
    """The tensors under ludus's names, as float32 in one piece each."""
    import torch

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
        tensor = tensors[old].detach().to(torch.float32).contiguous().clone()
        if not bool(torch.isfinite(tensor).all()):
            stop(f"'{old}' holds NaN or an infinity")
        out[new] = tensor
    return out


def notes_of(metadata):
    """Texts of the safetensors header. `build` stays out: it promises a hash that only ludus makes."""
    metadata = {"version": VERSION, **metadata}
    notes = {"format": "pt"}
    for key, value in metadata.items():
        if key != "build":
            notes["ludus." + key] = value if isinstance(value, str) else json.dumps(value)
    return notes


def add_normaliser(tensors, obs_rms):
    """Tensors of obs_rms.json, in double precision."""
    import torch

    parts = {"normaliser": {k: v for k, v in obs_rms.items() if k != "critic"}}
    parts["critic_normaliser"] = obs_rms.get("critic", {})
    for name, part in parts.items():
        for key, value in part.items():
            if key not in ("mean", "var", "count", "clip"):
                stop(f"obs_rms has '{key}'; it takes mean, var, count and clip")
            tensors[f"{name}.{key}"] = torch.tensor(value, dtype=torch.float64)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("input", help="file of torch.save: .pt, .pth, or a .zip with --entry")
    parser.add_argument("output", nargs="?", help="the .safetensors file to write")
    parser.add_argument("--list", action="store_true", help="print names and shapes, write nothing")
    parser.add_argument("--map", metavar="FILE", help="JSON map from torch's names to ludus's")
    parser.add_argument("--key", default="", help="where the state_dict is, e.g. agent.policy")
    parser.add_argument("--entry", help="file inside a .zip that torch saved, e.g. policy.pth")
    parser.add_argument("--metadata", metavar="FILE", help="metadata.json of the model")
    parser.add_argument("--obs-rms", metavar="FILE", help="obs_rms.json of the model")
    words = parser.parse_args()
    if not words.list and not (words.output and words.map):
        parser.error("give OUTPUT and --map, or --list")
    tensors = read_state(words.input, words.key, words.entry)
    if words.list:
        for name, tensor in tensors.items():
            print(f"{name}\t{str(tensor.dtype).removeprefix('torch.')}\t{list(tensor.shape)}")
        return 0
    from safetensors.torch import save_file

    out = rename(tensors, read_json(words.map))
    if words.obs_rms:
        add_normaliser(out, read_json(words.obs_rms))
    notes = notes_of(read_json(words.metadata)) if words.metadata else {"format": "pt"}
    temporary = f"{words.output}.{os.getpid()}.tmp"
    try:
        save_file(out, temporary, metadata=notes)
        os.replace(temporary, words.output)
    finally:
        if os.path.exists(temporary):
            os.unlink(temporary)
    print(f"{words.output}: {len(out)} tensors, {sum(t.numel() for t in out.values())} numbers")
    return 0


if __name__ == "__main__":
    sys.exit(main())
