#!/usr/bin/env python3
"""Opens a model file of ludus with the PyPI package `safetensors` and compares names, types, shapes,
values and metadata with a JSON side file; opens its archive with `zipfile`.

Usage: safetensors_test.py FOLDER
FOLDER holds sample.safetensors, sample.zip and sample.json, as tests/make_model.c writes them.
Needs the packages safetensors and numpy. Ends with a line "N passed, N failed".
"""

import json
import sys
import time
import zipfile
from pathlib import Path

import numpy
from safetensors import safe_open
from safetensors.numpy import load, load_file, save

NUMPY_TYPES = {"F32": numpy.float32, "F64": numpy.float64}


def expected(folder):
    return json.loads((folder / "sample.json").read_text(encoding="utf-8"))


def test_names(folder):
    tensors = load_file(folder / "sample.safetensors")
    assert set(tensors) == set(expected(folder)["tensors"]), sorted(tensors)


def test_values(folder):
    compare(load_file(folder / "sample.safetensors"), expected(folder)["tensors"])


def compare(tensors, wanted):
    for name, want in wanted.items():
        got = tensors[name]
        assert got.dtype == NUMPY_TYPES[want["dtype"]], (name, got.dtype)
        assert list(got.shape) == want["shape"], (name, got.shape)
        values = numpy.array(want["values"], dtype=got.dtype).reshape(got.shape)
        assert got.tobytes() == values.tobytes(), name


def test_one_tensor_at_a_time(folder):
    with safe_open(folder / "sample.safetensors", framework="numpy") as file:
        for name, want in expected(folder)["tensors"].items():
            part = file.get_slice(name)
            assert list(part.get_shape()) == want["shape"], name


def test_metadata(folder):
    with safe_open(folder / "sample.safetensors", framework="numpy") as file:
        metadata = file.metadata()
    for key, want in expected(folder)["metadata"].items():
        assert metadata[key] == want, (key, metadata[key])
    assert json.loads(metadata["ludus.settings"])["net"]["net.hidden"] > 0
    assert len(metadata["ludus.hash"]) == 16 and int(metadata["ludus.hash"], 16) >= 0
    assert len(metadata["ludus.spec"]) == 16


def test_alignment(folder):
    data = (folder / "sample.safetensors").read_bytes()
    length = int.from_bytes(data[:8], "little")
    header = json.loads(data[8 : 8 + length])
    assert length % 8 == 0 and data[8:9] == b"{"
    end = 0
    for name, entry in header.items():
        if name != "__metadata__":
            begin, stop = entry["data_offsets"]
            assert begin == end and begin % NUMPY_TYPES[entry["dtype"]]().itemsize == 0, name
            end = stop
    assert 8 + length + end == len(data)


def test_saved_again(folder):
    tensors = load_file(folder / "sample.safetensors")
    compare(load(save(tensors)), expected(folder)["tensors"])


def test_archive(folder):
    with zipfile.ZipFile(folder / "sample.zip") as archive:
        assert archive.testzip() is None
        assert archive.namelist() == ["policy.safetensors", "metadata.json", "obs_rms.json"]
        policy = archive.read("policy.safetensors")
        metadata = json.loads(archive.read("metadata.json"))
        obs_rms = json.loads(archive.read("obs_rms.json"))
    assert policy == (folder / "sample.safetensors").read_bytes()
    want = expected(folder)
    assert metadata["game"] == want["metadata"]["ludus.game"]
    assert metadata["seed"] == want["metadata"]["ludus.seed"]
    assert metadata["version"] == 1
    for key in ("mean", "var"):
        assert obs_rms[key] == want["tensors"]["normaliser." + key]["values"], key
    assert [obs_rms["count"]] == want["tensors"]["normaliser.count"]["values"]


def main():
    if len(sys.argv) != 2 or sys.argv[1] in ("-h", "--help"):
        print(__doc__)
        return 0 if sys.argv[1:] in (["-h"], ["--help"]) else 2
    folder, passed, failed = Path(sys.argv[1]), 0, 0
    for name, test in list(globals().items()):
        if not name.startswith("test_"):
            continue
        start = time.monotonic()
        try:
            test(folder)
            passed += 1
            print(f"ok   {time.monotonic() - start:8.3f} s  safetensors:{name[5:]}")
        except Exception as error:  # a test that fails must not hide the ones after it
            failed += 1
            print(f"    {type(error).__name__}: {error}")
            print(f"FAIL {time.monotonic() - start:8.3f} s  safetensors:{name[5:]}")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
