"""Models and the kernels under them."""

import json
import subprocess
import zipfile
from pathlib import Path

from cli.helper import LUDUS, ROOT, WORK, environment, fails, file, ludus, test


def model():
    """A small model, made by the program beside ludus; None in a folder that has none."""
    maker = Path(LUDUS).with_name("make_model")
    if not maker.exists():
        return None
    subprocess.run([maker, WORK / "model"], check=True)
    return WORK / "model" / "sample.safetensors"


@test
def model_shows_and_exports():
    path = model()
    if not path:
        return
    told = ludus("model", "show", path, "--json").json()
    assert told["game"] == "corridor-v1" and told["kind"] == "policy" and told["step"] == 1000
    assert told["parameters"] == sum(_product(t["shape"]) for t in told["tensors"])
    assert told["settings"]["net"]["net.hidden"] == 4 and told["card"]["title"] == "\u00c4 sample"
    text = ludus("model", "show", path).out
    assert "a policy of corridor-v1" in text and "encoder.weight" in text and "net.hidden" in text
    assert "\ncard\n  title                \u00c4 sample\n" in text, text
    out = WORK / "model" / "out.zip"
    ludus("model", "export", path, "--zip", out)
    fails(2, "is the model itself", "model", "export", path, "--zip", path)
    assert out.read_bytes() == path.with_suffix(".zip").read_bytes()
    again = ludus("model", "show", out, "--json").json()
    assert {**again, "file": ""} == {**told, "file": ""}


@test
def marks_in_a_card_do_not_turn_the_writing():
    path = model()
    if not path:
        return
    data = path.read_bytes()
    length = int.from_bytes(data[:8], "little")
    header = json.loads(data[8:8 + length])
    header["__metadata__"]["ludus.card"] = json.dumps({"title": "a\u202egnp.exe\u2066\u200f\u0085"}, ensure_ascii=False)
    for key in ("ludus.hash", "ludus.build"):
        header["__metadata__"].pop(key, None)
    text = json.dumps(header, ensure_ascii=False).encode()
    text += b" " * (-len(text) % 8)
    hostile = file("bidi.safetensors", len(text).to_bytes(8, "little") + text + data[8 + length:])
    shown = ludus("model", "show", hostile).out
    assert "a?gnp.exe???" in shown and not set(shown) & set("\u202e\u2066\u200f\u0085"), shown


def _product(shape):
    product = 1
    for n in shape:
        product *= n
    return product


@test
def model_refuses():
    fails(2, "did you mean 'show'", "model", "shwo", "x")
    fails(2, "needs to know what to do", "model")
    fails(2, "at least one FILE", "model", "show")
    fails(2, "needs --zip", "model", "export", "x")
    fails(2, "takes no --zip", "model", "show", "x", "--zip", "y")
    fails(3, "nowhere", "model", "show", "nowhere.safetensors")
    fails(4, "", "model", "show", file("noise.safetensors", b"\xff" * 100))
    pickle = fails(4, "ludus_convert", "model", "show", file("net.pt", b"\x80\x02}q\x00."))
    assert "pickle" in pickle.err
    path = model()
    if path:
        damaged = bytearray(path.read_bytes())
        damaged[-1] ^= 1
        fails(4, "damaged", "model", "show", file("damaged.safetensors", bytes(damaged)))


@test
def bench_nn_measures_the_kernels():
    report = ludus("bench", "nn", "--seconds", "0.01", "--rows", "32", "--json").json()
    assert report["rows"] == 32 and report["processor"] and len(report["kernels"]) == 27
    assert all(k["gflops"] > 0 and k["share"] > 0 for k in report["kernels"])
    text = ludus("bench", "nn", "--seconds", "0.01").out
    assert "peak" in text and "grad 70x256" in text and "bf16" in text
    home = WORK / "bench-nn"
    (home / "games").mkdir(parents=True)
    (home / "config").mkdir()
    ludus("bench", "nn", "--seconds", "0.01", "--write", env=environment(LUDUS_HOME=home))
    assert len(list((home / "bench/results").glob("nn-*.json"))) == 1
    fails(2, "unexpected argument", "bench", "nn", "corridor")


@test
def bench_train_measures_beside_peers():
    peer = WORK / "peer"
    peer.write_text("#!/bin/sh\necho '{\"torch\": \"9.9\", \"blas\": \"none\"}'\n"
                    "while read precision; do echo '{\"seconds\": 4.0, \"minibatch\": 0.25, \"cpu\": 0.1}'; done\n")
    peer.chmod(0o755)
    report = ludus("bench", "train", "--seconds", "0.01", "--threads", "2", "--peer", peer,
                   "--json").json()
    kinds = [("fp32", "plain"), ("fp32", "strassen"), ("bf16", "plain")]
    assert report["tiles"] == "tiles of the processor" or "tiles emulated: " in report["tiles"]
    if report["kernel_level"] == "amx":
        kinds.append(("bf16tile", "plain"))
    assert [(c["precision"], c["products"], c["threads"]) for c in report["cases"]] == [
        (*kind, threads) for kind in kinds for threads in (1, 2)]
    for case in report["cases"]:
        assert case["update_samples_per_second"] > 0 and case["train_steps_per_second"] > 0
        assert 0.9 < sum(case["split"].values()) < 1.01, case["split"]
        assert case["peers"][0]["about"] == "torch 9.9, BLAS none"
        assert case["peers"][0]["update_samples_per_second"] == 65536 / 4.0
        assert case["peers"][0]["minibatch_samples_per_second"] == report["minibatch"] / 0.25
    fails(3, "cannot run the peer", "bench", "train", "--peer", WORK / "no-such-peer")
    fails(4, "does its Python have torch", "bench", "train", "--peer", "/bin/true")


@test
def a_tool_asks_a_trained_agent():
    shop = file("shop.json", '''{"phase": 3, "money": 22, "jokers": ["j_joker"],
        "shop": [{"joker": {"key": "j_duo"}, "price": 8}]}''')
    asked = ("joker", "advise", shop, "--samples", 10)
    alone = ludus(*asked, "--agent", "none", "--json").json()
    assert alone["agent"] is None and alone["agree"] is None and alone["label"] == "search estimate"
    assert any("--preset joker-plan" in line for line in alone["unknown"])
    fails(2, "does not use a trained agent: leave out --agent", "joker", "seed", "A", "--agent", "latest")
    fails(2, "'agent' is empty", *asked, "--agent", "")
    fails(3, "nowhere", *asked, "--agent", WORK / "nowhere.safetensors")
    fails(4, "not a safetensors file", *asked, "--agent", file("hurt.safetensors", b"\xff" * 100))
    other = model()
    if not other:
        return
    fails(4, "plays corridor-v1, not joker-plan-v1", *asked, "--agent", other)
    subprocess.run([Path(LUDUS).with_name("make_model"), WORK / "model", "joker-plan-v1"], check=True)
    told = ludus(*asked, "--agent", WORK / "model" / "joker-plan-v1.safetensors", "--json").json()
    choices = told["agent"]["choices"]
    assert told["agent"]["label"] == "agent estimate" and told["agent"]["variant"] == "joker-plan-v1"
    assert abs(sum(one["probability"] for one in choices) - 1) < 1e-5 and len(choices) == 3
    assert {"buy The Duo for $8", "leave the shop", "reroll the shop for $5"} == {one["words"] for one in choices}
    assert told["agree"] in (True, False) and told["offers"] == alone["offers"] and told["search"] == alone["search"]
    # without --agent the model of the project's folder is taken
    home = WORK / "home"
    (home / "models").mkdir(parents=True)
    (home / "models" / "joker-plan-v1.safetensors").write_bytes((WORK / "model" / "joker-plan-v1.safetensors").read_bytes())
    found = ludus(*asked, "--json", env=environment(LUDUS_HOME=home)).json()
    assert found["agent"] == {**told["agent"], "model": "joker-plan-v1"}


@test
def earlier_models_are_carried_over():
    data = (ROOT / "models/prospector-v1.safetensors").read_bytes()
    now = ludus("spec", "prospector", "--json").json()["hash"].encode()
    assert data.count(now) == 1
    # a program that changes a file leaves out its hash, and which build wrote it
    data = data.replace(now, b"bf06fbc657fc5ec5").replace(b'"ludus.hash"', b'"other.hash"').replace(b'"ludus.build"', b'"other.build"')
    old = file("earlier.safetensors", data)
    fails(4, "`ludus model upgrade FILE`", "model", "show", old)
    assert "upgraded" in ludus("model", "upgrade", old).out
    assert ludus("model", "show", old, "--json").json()["spec"] == now.decode()
    assert "is up to date" in ludus("model", "upgrade", old).out
    # an archive and the newest checkpoint of a run too
    packed = WORK / "earlier.zip"
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("policy.safetensors", data)
    fails(4, "`ludus model upgrade FILE`", "eval", packed)
    assert "upgraded" in ludus("model", "upgrade", packed).out
    assert ludus("model", "show", packed, "--json").json()["spec"] == now.decode()
    fails(3, "no file and no run", "model", "upgrade", "nowhere")
    fails(2, "unexpected argument", "model", "show", old, old)
    fails(4, "none.safetensors", "model", "upgrade", file("none.safetensors", b"hello"))
