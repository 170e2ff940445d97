"""ludus ablate: terms of a reward that matter and terms that do not, and a folder that goes on."""

import fcntl
import json
import os
import signal
import subprocess
import time
from pathlib import Path

from cli.helper import LUDUS, WORK, environment, fails, ludus, probes, test, until

SMALL = ["--set", "train.environments=16", "--set", "train.horizon=32", "--set", "net.hidden=16",
         "--threads", "1"]


def chain(folder, *more, **how):
    """Chain pays for trades, which its headline counts, and for juggling, which it does not."""
    return probes("ablate", "chain", "--out", folder, "--steps", "20k", *SMALL, *more, **how)


def result_of(folder):
    return json.loads((Path(folder) / "result.json").read_text())


@test
def a_term_that_matters_is_told_from_one_that_does_not():
    folder = WORK / "ablate-chain"
    lines = chain(folder, "--json").lines()
    assert [x["event"] for x in lines] == ["training"] * 9 + ["result"], lines
    assert [x["without"] for x in lines[:3]] == [None, "trade", "juggle"], lines[:3]
    assert [x["seed"] for x in lines[:9]] == [1] * 3 + [2] * 3 + [3] * 3
    result = lines[-1]
    assert result == result_of(folder)
    assert result["metric"] == "traded" and result["covers"] == "training and evaluation seeds"
    trade, juggle = result["terms"]
    assert (trade["term"], trade["weight"], trade["reading"]) == ("trade", 1, "helps"), trade
    assert (juggle["term"], juggle["reading"]) == ("juggle", "no effect shown"), juggle
    figure = trade["figures"]["traded"]
    assert 0 < figure["low"] < figure["difference"] < figure["high"], figure
    means = [sum(x["figures"]["traded"] for x in lines[i:9:3]) / 3 for i in (0, 1)]
    assert abs(figure["with"] - means[0]) < 1e-9 and abs(figure["without"] - means[1]) < 1e-9
    again = chain(folder, "--json").lines()
    assert all(x["kept"] for x in again[:9]) and again[-1] == result, "nothing is trained again"
    text = chain(folder, "--terms", "trade", "--train-seeds", 1).out
    assert "kept" in text and "helps" in text and "With one training seed, the intervals cover only the evaluation seeds" in text, text
    turned = chain(folder, "--lower", "--json").lines()[-1]["terms"]
    assert [(t["term"], t["reading"]) for t in turned] == [("juggle", "no effect shown"),
                                                           ("trade", "harms")], turned
    assert probes("eval", folder / "without-trade-2.safetensors", "--episodes", 2, "--json").json()


@test
def an_ablation_goes_on_after_ctrl_c():
    words = ["ablate", "cartpole", "--reward.fall", "-1", "--terms", "fall", "--seeds", "1..20",
             "--steps", "100k", *SMALL]
    whole, parts = WORK / "ablate-whole", WORK / "ablate-parts"
    many = [LUDUS, *words, "--out", parts, "--train-seeds", 1000]
    child = subprocess.Popen([str(w) for w in many], stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE, env=environment())
    until((parts / "baseline-1.safetensors").exists, "a first training")
    child.send_signal(signal.SIGINT)
    _, err = child.communicate(timeout=300)
    assert child.returncode == 130 and b"repeat the command to resume" in err, (child.returncode, err)
    assert not (parts / "result.json").exists()
    ludus(*words, "--out", parts, "--train-seeds", 2)
    ludus(*words, "--out", whole, "--train-seeds", 2)
    one, two = result_of(whole), result_of(parts)
    assert one.pop("folder") != two.pop("folder") and one == two
    assert (parts / "baseline-1.safetensors").exists() and not (parts / "baseline-1.state").exists()


@test
def bad_ablations_are_told_in_a_sentence():
    folder = WORK / "ablate-bad"
    call = ["ablate", "cartpole", "--out", folder]
    fails(2, "needs a game", "ablate")
    fails(2, "did you mean 'step'", *call, "--terms", "stepp")
    fails(2, "`ludus spec cartpole` lists them", *call, "--terms", "step,")
    fails(2, "' is already 0, so leaving it out changes nothing: set one with", *call, "--terms", "fall")
    fails(2, "'terms' is empty", *call, "--terms", "")
    fails(2, "nothing to leave out", *call, "--reward.step", 0)
    fails(2, "'steps' = 0", *call, "--steps", 0)
    fails(2, "'train_seeds' = 0", *call, "--train-seeds", 0)
    fails(2, "lower one", *call, "--train-seeds", 1000, "--seeds", "1..2000")
    fails(2, "a range A..B", *call, "--seeds", 7)
    fails(2, "returns cannot be compared", *call, "--metric", "return")
    fails(3, "did you mean 'steps'", *call, "--metric", "stepz")
    fails(3, "the metrics are return, decisions, ticks,", *call, "--metric", "zzzzzzzz")
    fails(2, "one seat", *call, "--opponent", "random")
    fails(2, "use --seed instead", *call, "--train.seed", 3)
    fails(2, "isn't a setting of ppo", *call, "--dqn.rate", 1)
    fails(2, "train.segment", *call, "--train.segment", 7)
    assert not os.path.exists(folder), "a refused ablation leaves nothing"
    fails(1, "cannot make folder", "ablate", "cartpole", "--out", "/dev/null/x")
    few = ["--steps", 1000, "--train-seeds", 1, "--seeds", "1..4", *SMALL]
    ludus(*call, *few)
    fails(4, "'train.steps' differs", *call, *few, "--steps", 2000)
    held = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(held, fcntl.LOCK_EX)
        fails(7, "is in use by another ludus; wait until it ends", *call, *few)
    finally:
        os.close(held)
    (folder / "baseline-1.safetensors").write_bytes(b"no policy")
    fails(4, "baseline-1.safetensors", *call, *few)
