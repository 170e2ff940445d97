"""Judging: figures with intervals, bots on the same seeds, and two players compared. The models are
those of models/; no test trains."""

import json
import math
import random
import re
import shutil

from cli.helper import PROBES, ROOT, WORK, fails, ludus, probes, test
from cli.models import model as small_model

PROFIT = ROOT / "models/prospector-v1.safetensors"
THRIFTY = ROOT / "models/prospector-v1-thrifty.safetensors"
BREWER = ROOT / "models/potion-look-v1.safetensors"
BREWER_Q = ROOT / "models/potion-look-v1-dqn.safetensors"
FIGURES = ["return", "decisions", "ticks", "illegal", "terminated"]
MEMBERS = ["count", "mean", "low", "high", "deviation", "median", "median_low", "median_high", "iqm",
           "iqm_low", "iqm_high", "min", "q05", "q25", "q75", "q95", "max"]


def in_order(s):
    """What must hold of every summary."""
    assert list(s)[-len(MEMBERS):] == MEMBERS, list(s)
    assert s["min"] <= s["q05"] <= s["q25"] <= s["median"] <= s["q75"] <= s["q95"] <= s["max"], s
    assert s["low"] <= s["mean"] <= s["high"] and s["iqm_low"] <= s["iqm"] <= s["iqm_high"], s
    assert s["median_low"] <= s["median"] <= s["median_high"], s


def info(report, name):
    return next(row for row in report["infos"] if row["name"] == name)


def seed_by_seed(player, metric, seeds):
    """A figure of each seed, from one report per seed."""
    values = []
    for seed in seeds:
        report = ludus("watch", "prospector", "--bot", player, "--seeds", f"{seed}..{seed}",
                       "--json").json()
        values.append(report["return"]["mean"] if metric == "return" else info(report, metric)["mean"])
    return values


# ---- eval ----

@test
def eval_tells_more_than_a_mean():
    words = ["eval", PROFIT, "--episodes", "30", "--json"]
    report = ludus(*words).json()
    assert report["episodes"] == 30 and report["seeds"] == [30000, 30029]
    assert report["model"] == str(PROFIT) and "name" not in report and "against" not in report
    for figure in [report[name] for name in FIGURES] + report["infos"]:
        in_order(figure)
        assert figure["count"] == 30
    assert report["return"]["low"] < report["return"]["mean"] < report["return"]["high"]
    assert report["success"]["name"] == "survival"
    assert report["success"]["mean"] == info(report, "survival")["mean"]
    lost = sum(end["count"] for name, end in report["ends"].items() if name in
               ("destroyed", "stranded", "destroyed_and_stranded"))
    assert sum(end["count"] for end in report["ends"].values()) == 30
    assert abs(report["success"]["mean"] - (1 - lost / 30)) < 1e-12
    for end in report["ends"].values():
        assert end["share"] == end["count"] / 30 and end["low"] <= end["share"] <= end["high"]
        assert end["high"] - end["low"] > 0.05
    # nothing depends on threads or on how the model was called
    other = WORK / "called-otherwise.safetensors"
    shutil.copy(PROFIT, other)
    again = ludus("eval", other, "--seeds", "30000..30029", "--threads", "1", "--json").json()
    assert {**again, "model": ""} == {**report, "model": ""} and again["model"] == str(other)


@test
def figures_are_those_of_the_episodes():
    seeds = range(40, 49)
    values = sorted(seed_by_seed("greedy_miner", "return", seeds))
    report = ludus("watch", "prospector", "--bot", "greedy_miner", "--seeds", "40..48",
                   "--json").json()["return"]
    mean = sum(values) / 9
    near = 1e-9 * (abs(mean) + 1)
    assert abs(report["mean"] - mean) < near and abs(report["median"] - values[4]) < near
    assert report["min"] == values[0] and report["max"] == values[-1]
    assert abs(report["q25"] - values[2]) < near and abs(report["q75"] - values[6]) < near
    # 9 / 4 fall away at each end: the third and the seventh count three quarters
    iqm = (0.75 * (values[2] + values[6]) + sum(values[3:6])) / 4.5
    assert abs(report["iqm"] - iqm) < near
    deviation = math.sqrt(sum((v - mean) ** 2 for v in values) / 8)
    assert abs(report["deviation"] - deviation) < near
    # a bootstrap of another generator is near: the interval is that of means of resamples
    draw = random.Random(1)
    means = sorted(sum(draw.choices(values, k=9)) / 9 for _ in range(4000))
    assert abs(report["low"] - means[40]) < deviation and abs(report["high"] - means[-40]) < deviation


@test
def eval_against_bots():
    words = ["eval", PROFIT, "--episodes", "24", "--json"]
    alone = ludus(*words).json()
    some = ludus(*words, "--against", "pilot", "--against", "greedy_miner", "--against", "pilot").json()
    assert list(some["against"]) == ["pilot", "greedy_miner"]
    assert {k: v for k, v in some.items() if k != "against"} == alone
    pilot = ludus("watch", "prospector", "--bot", "pilot", "--seeds", "30000..30023", "--set",
                  "mask.tight=true", "--json").json()
    field = some["against"]["pilot"]["true_profit"]
    assert field["theirs"]["mean"] == info(pilot, "true_profit")["mean"]
    difference = field["difference"]
    assert abs(difference["mean"] - (info(alone, "true_profit")["mean"] - field["theirs"]["mean"])) < 1e-6
    assert difference["wins"] + difference["ties"] + difference["losses"] == 24
    assert difference["improvement_low"] < difference["improvement"] <= difference["improvement_high"]
    assert difference["verdict"] == "better" and difference["p"] < 0.05
    every = ludus(*words, "--against", "all").json()
    bots = {bot["name"] for bot in ludus("spec", "prospector", "--json").json()["bots"]}
    assert set(every["against"]) == bots and every["against"]["pilot"] == some["against"]["pilot"]
    text = ludus(*words[:-1], "--against", "pilot").out
    assert "against pilot on the same seeds" in text and "true_profit: better than pilot" in text
    fails(3, "no bot", *words, "--against", "pilot", "--against", "nobody")


@test
def a_bot_is_evaluated_as_a_model_is():
    words = ["eval", "bot:pilot", "--game", "prospector", "--episodes", "6"]
    watched = ludus("watch", "prospector", "--bot", "pilot", "--seeds", "30000..30005", "--json").json()
    report = ludus(*words, "--json").json()
    assert report["model"] == "bot:pilot" and info(report, "true_profit") == info(watched, "true_profit")
    fails(2, "for a bot, name its game with --game", "eval", "bot:pilot")
    fails(2, "needs a trained model", *words, "--best-of", "3")


@test
def the_best_of_several_roll_outs_counts():
    words = ["eval", BREWER, "--episodes", "40", "--json", "--each"]
    once = ludus(*words).json()
    assert [row["seed"] for row in once["each"]] == list(range(30000, 30040))
    assert all(row["roll"] == 0 for row in once["each"]) and "best_of" not in once
    scores = [row["info"]["score"] for row in once["each"]]
    assert abs(sum(scores) / 40 - info(once, "score")["mean"]) < 1e-9
    # by the headline metric; the first roll-out is the one of a single play
    folder = WORK / "best-of"
    best = ludus(*words, "--best-of", "5", "--record", folder).json()
    assert best["best_of"] == 5 and not best["greedy"]
    rolls = [row["roll"] for row in best["each"]]
    assert set(rolls) == set(range(5)), rolls
    for own, other in zip(best["each"], once["each"]):
        assert own == other if own["roll"] == 0 else own["info"]["score"] > other["info"]["score"]
    fewer = ludus(*words, "--best-of", "3").json()
    assert all(a["info"]["score"] <= b["info"]["score"] for a, b in zip(fewer["each"], best["each"]))
    assert ludus(*words, "--best-of", "5", "--threads", "1").json()["each"] == best["each"]
    # the record is of the roll-out that counts
    for row in best["each"][:8]:
        frames = ludus("replay", folder / f"{row['seed']}.ludus", "--json").out.splitlines()
        told = json.loads(frames[-1])
        assert told["info"]["score"] == row["info"]["score"], (told, row)
    assert "best of 5 rollouts each" in ludus(*words[:4], "--best-of", "5").out
    fails(2, "--greedy and --best-of cannot be combined: all rollouts would be equal", *words, "--best-of", "2", "--greedy")
    fails(2, "--each needs --json", "eval", BREWER, "--episodes", "1", "--each")
    fails(2, "cannot be combined", *words, "--greedy", "--temperature", "0.5")
    fails(2, "'best_of'", *words, "--best-of", "0")


@test
def a_temperature_and_reset_options():
    words = ["eval", BREWER, "--episodes", "24", "--json"]
    plain = ludus(*words).json()
    one = ludus(*words, "--temperature", "1").json()
    assert one.pop("temperature") == 1 and one == plain
    cold = ludus(*words, "--temperature", "1e-6").json()
    greedy = ludus(*words, "--greedy").json()
    assert cold["return"] == greedy["return"] != plain["return"]
    # Q values are no probabilities: drawn from only when asked for
    best = ["eval", BREWER_Q, "--episodes", "24", "--json"]
    alone = ludus(*best).json()
    assert alone["greedy"] and "temperature" not in alone
    rolls = ludus(*best, "--best-of", "4").json()
    assert not rolls["greedy"] and rolls["temperature"] == 0.02
    assert info(rolls, "score")["mean"] > info(alone, "score")["mean"]
    assert ludus(*best, "--sample", "--temperature", "0.02").json()["greedy"] is False
    fails(2, "give --temperature", *best, "--sample")
    # what the reset is asked for
    held = ludus(*words, "--option", "held_out=true", "--each").json()
    names = {"Tolerance Potion", "Alertness Enhancer", "Curse Cure"}
    assert held["options"]["held_out"] is True
    assert {row["info"]["recipe"] for row in held["each"]} == names
    assert not names & set(plain["names"]["recipe"])
    fails(2, "held_outt", *words, "--option", "held_outt=true")


@test
def the_models_of_potion_are_what_their_card_says():
    for model, manner, score, perfect in ((BREWER, ["--greedy"], 1.8607252042339002, 0.65),
                                          (BREWER_Q, [], 1.8341291703516547, 0.55)):
        report = ludus("eval", model, "--seeds", "40000..40019", *manner, "--json").json()
        assert abs(info(report, "score")["mean"] - score) < 1e-6, info(report, "score")["mean"]
        assert abs(info(report, "perfect")["mean"] - perfect) < 1e-9
        assert report["settings"]["recipe.held_out"] == [4, 11, 19]
    for preset, low in (("potion-look-ppo", 1.8), ("potion-look-dqn", 1.65)):
        rows = ludus("config", "potion-look-v1", "--preset", preset, "--training", "--json").json()
        values = {row["key"]: row["value"] for row in rows["settings"]}
        assert values["band.metric"] == "score" and values["band.low"] == low
        assert values["net.encoder"] == "entity" and values["recipe.held_out"] == [4, 11, 19]


@test
def no_mean_stands_alone():
    def check(text):
        assert "95% interval" in text, text
        for line in text.splitlines():
            words = line.split()
            if words and words[0] in ("return", "true_profit", "survival", "ticks", "found"):
                assert ".." in words or "=" in words, line  # of a row, or of one that equals it
    check(ludus("eval", PROFIT, "--episodes", "8", "--against", "pilot").out)
    check(ludus("watch", "corridor", "--seeds", "1..8").out)
    check(ludus("compare", "bot:pilot", "bot:random", "--game", "prospector", "--episodes", "8").out)
    one = ludus("watch", "corridor", "--seeds", "1..1", "--json").json()["return"]
    assert one["mean"] == one["max"] and one["low"] is None and one["median_low"] is None


@test
def games_without_a_flag_or_an_end():
    cart = ludus("watch", "cartpole", "--bot", "random", "--seeds", "1..12", "--json").json()
    assert cart["success"] is None and sum(e["count"] for e in cart["ends"].values()) == 12
    clock = probes("watch", "clock", "--seeds", "1..12", "--json").json()
    assert set(clock["ends"]) <= {"terminated", "truncated"}
    assert clock["ends"].get("terminated", {"count": 0})["count"] == 12 * clock["terminated"]["mean"]


@test
def a_published_model_answers_to_its_name():
    by_name, by_path = (ludus("eval", player, "--episodes", "4", "--json").json() for player in ("prospector-v1", PROFIT))
    assert by_name.pop("model") == "prospector-v1" and by_path.pop("model") == str(PROFIT)
    assert by_name == by_path


# ---- compare ----

@test
def compare_tells_who_is_better():
    words = ["compare", PROFIT, "bot:pilot", "--episodes", "24"]
    got = ludus(*words, "--json").json()
    assert got["game"] == "prospector-v1" and got["episodes"] == 24 and got["seeds"] == [30000, 30023]
    assert got["a"] == {"name": str(PROFIT), "greedy": False, "env_steps": got["a"]["env_steps"]}
    assert got["b"] == {"name": "bot:pilot"} and got["settings"]["mask.tight"] is True
    assert got["metric"] == "true_profit" and list(got["figures"]) == ["true_profit", "return"]
    assert got["verdict"] == "better" == got["figures"]["true_profit"]["difference"]["verdict"]
    # the same as eval says
    judged = ludus("eval", PROFIT, "--episodes", "24", "--against", "pilot", "--json").json()
    assert got["figures"]["true_profit"]["difference"] == \
        judged["against"]["pilot"]["true_profit"]["difference"]
    assert got["figures"]["return"]["a"] == judged["return"]
    assert ludus(*words, "--threads", "1", "--json").json() == got
    # turned round
    turned = ludus("compare", "bot:pilot", PROFIT, "--episodes", "24", "--json").json()
    assert turned["verdict"] == "worse"
    assert turned["settings"] == got["settings"]
    there, back = (r["figures"]["true_profit"]["difference"] for r in (got, turned))
    assert abs(there["mean"] + back["mean"]) < 1e-6 and there["p"] == back["p"]
    assert abs(there["improvement"] + back["improvement"] - 1) < 1e-12
    text = ludus(*words).out
    assert "A is better than B" in text and "[" in text and "=o=" in text and "ahead on" in text


@test
def compare_by_what_is_asked_for():
    words = ["compare", PROFIT, "bot:pilot", "--episodes", "24", "--json"]
    by = ludus(*words, "--metric", "hull_damage", "--lower").json()
    assert list(by["figures"]) == ["hull_damage", "return"] and by["lower"]
    difference = by["figures"]["hull_damage"]["difference"]
    assert difference["low"] > 0 and difference["verdict"] == by["verdict"] == "worse"
    assert difference["improvement"] == difference["losses"] / 24 + difference["ties"] / 48
    assert ludus(*words, "--metric", "hull_damage").json()["verdict"] == "better"
    wide = ludus(*words).json()["figures"]["true_profit"]["difference"]
    within, beyond = wide["low"] - 1, wide["low"] + 1
    assert ludus(*words, "--margin", within).json()["verdict"] == "better"
    assert ludus(*words, "--margin", beyond).json()["verdict"] == "undecided"
    assert ludus(*words, "--metric", "return").json()["figures"].keys() == {"return"}
    greedy = ludus(*words[:3], "--episodes", "2", "--greedy", "--json").json()
    assert greedy["a"]["greedy"] and "greedy" not in greedy["b"]


@test
def the_same_player_is_not_better_than_itself():
    got = ludus("compare", PROFIT, PROFIT, "--episodes", "12", "--json").json()
    difference = got["figures"]["true_profit"]["difference"]
    assert got["verdict"] == "undecided" and difference["ties"] == 12 and difference["p"] == 1
    assert difference["mean"] == difference["low"] == difference["high"] == 0
    assert "undecided" in ludus("compare", PROFIT, PROFIT, "--episodes", "3").out
    few = ludus("compare", PROFIT, "bot:random", "--episodes", "5", "--json").json()
    assert few["figures"]["true_profit"]["difference"]["wins"] == 5
    assert few["verdict"] == "undecided", "five seeds can be won by chance"


@test
def a_sequential_test_stops_when_it_knows():
    words = ["compare", "bot:pilot", "bot:random", "--game", "prospector", "--sequential", "--seeds",
             "1..400", "--json"]
    got = ludus(*words).json()
    test_of = got["sequential"]
    assert got["episodes"] == 48 and got["seeds"] == [1, 48] and test_of["most"] == 400
    assert got["verdict"] == "better" and test_of["decided"]
    assert test_of["better"] >= test_of["upper"] and test_of["worse"] <= test_of["lower"]
    assert abs(test_of["upper"] - math.log(0.95 / 0.025)) < 1e-12
    assert ludus(*words, "--threads", "1").json() == got
    whole = ludus(*words[:5], "--seeds", "1..48", "--json").json()
    assert whole["figures"]["return"] == got["figures"]["return"]
    same = ludus("compare", "bot:random", "bot:random", "--game", "cartpole", "--sequential",
                 "--json").json()
    assert same["verdict"] == "undecided" and same["sequential"]["decided"] and same["episodes"] == 96
    few = ludus("compare", "bot:random", "bot:random", "--game", "cartpole", "--sequential",
                "--episodes", "20", "--json").json()
    assert not few["sequential"]["decided"] and few["episodes"] == 20
    text = ludus(*words[:-1]).out
    assert "decided after 48 of 400 seeds" in text
    fails(2, "--sequential", *words[:5], "--effect", "0.5")


@test
def what_cannot_be_compared():
    fails(2, "for a bot, name its game with --game", "compare", "bot:pilot", "bot:ace")
    fails(3, "no bot", "compare", PROFIT, "bot:nobody")
    fails(3, "no model file", "compare", PROFIT, "nothing.safetensors")
    fails(4, "plays prospector-v1, not cartpole-v1", "compare", PROFIT, "bot:random", "--game",
          "cartpole")
    fails(3, "did you mean 'true_profit'", "compare", PROFIT, THRIFTY, "--metric", "tru_profit")
    fails(2, f"needs two MODELS, and only '{PROFIT}' is given", "compare", PROFIT)
    fails(2, "'margin'", "compare", PROFIT, THRIFTY, "--margin", "-1")
    fails(2, "cannot be combined", "compare", PROFIT, THRIFTY, "--greedy", "--sample")
    fails(2, "but 'episodes' = 9", "compare", PROFIT, THRIFTY, "--seeds", "1..3", "--episodes", "9")
    other = small_model()
    if other:
        fails(4, "plays corridor-v1, not prospector-v1", "compare", PROFIT, other)
    # trained by other weights of rewards, which change no game: nothing is told
    assert "was trained with" not in ludus("compare", PROFIT, THRIFTY, "--episodes", "2", "--json").err
    # by other settings of the game: told, and both play by those of the first
    short, long = WORK / "short.safetensors", WORK / "long.safetensors"
    for path, length in ((short, 5), (long, 7)):
        assert ludus("train", "corridor", "--no-eval.on", "--preset", "none", "--steps", "64", "--out", WORK / "runs-length",
                     "--train.environments", "4", "--train.horizon", "8", "--length", length, "--save", path).code == 0
    assert f"{long} was trained with 'length' = '7' and plays with '5'" in ludus("compare", short, long, "--episodes", "2").err


@test
def examples_of_compare_work():
    names = {"latest": PROFIT, "best": THRIFTY, "old.safetensors": PROFIT, "new.safetensors": THRIFTY}
    verbs = {v["verb"]: v for v in ludus("help", "--json").json()["verbs"]}
    assert len(verbs["compare"]["examples"]) >= 3
    for example in verbs["compare"]["examples"]:
        words = example["command"].split()
        assert words[:2] == ["ludus", "compare"]
        ludus(*[names.get(word, word) for word in words[1:]], "--episodes", "2")


# ---- match ----

def turns_model(folder="turns-run"):
    """A small net for a game for two, trained for a moment."""
    place = WORK / folder
    if not place.exists():
        probes("train", "turns", "--steps", "2k", "--out", place, "--set", "eval.on=false", "--set",
               "net.hidden=16", "--set", "train.environments=8", "--set", "train.horizon=16")
    return next(place.glob("*/checkpoints/ckpt_*/model.safetensors"))


@test
def match_tells_who_is_stronger():
    words = ["match", "bot:expert", "random", "--game", "turns", "--games", "41", "--json"]
    got = probes(*words).json()
    assert got["games"] == 42 and got["seeds"] == [30000, 30020]
    assert got["decided_by"] == "won"
    assert got["a"] == {"name": "bot:expert"} and got["b"] == {"name": "random"}
    assert got["wins"] + got["draws"] + got["losses"] == 42 and sum(got["pairs"]) == 21
    assert got["verdict"] == "better" and got["p"] < 0.05 and got["score"] == got["wins"] / 42
    assert abs(got["elo"] - 400 * math.log10(got["score"] / (1 - got["score"]))) < 1e-6
    assert probes(*words, "--threads", "1").json() == got
    back = probes("match", "random", "expert", "--game", "turns", "--games", "42", "--json").json()
    assert back["verdict"] == "worse" and back["wins"] < back["losses"]
    test_of = probes(*words[:5], "--sprt", "0,10", "--json").json()
    assert test_of["sprt"]["decision"] == "accepted" and test_of["games"] < test_of["sprt"]["most"] == 100000
    assert test_of["sprt"]["ratio"] >= test_of["sprt"]["upper"]
    text = probes(*words[:5], "--sprt", "0,10").out
    assert "Elo of A - B: +" in text and "A is better than B" in text and "accepted after" in text


@test
def a_league_is_kept_line_by_line():
    place = WORK / "kept"
    words = ["league", "rate", "expert", "random", "--game", "turns", "--keep", "turns-bots", "--run.folder", place]
    first = probes(*words, "--games", "4", "--json").json()
    with (place / "leagues/turns-bots.jsonl").open("a") as torn:  # by a crash
        torn.write('{"date":"2026')
    probes(*words, "--games", "6")
    rows = [json.loads(line) for line in (place / "leagues/turns-bots.jsonl").read_text().splitlines()]
    assert [row["games"] for row in rows] == [4, 6]
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", rows[0].pop("date")) and rows[0] == first
    for name in ("../out", ".hidden", "a/b", "a b"):
        fails(2, "' isn't a league name: use letters, digits, '-', '_' and '.', and no", *words[:7], name, "--run.folder", place, program=PROBES)
    assert sorted(path.name for path in place.rglob("*")) == ["leagues", "turns-bots.jsonl"]


@test
def players_of_any_kind_sit_in_any_seat():
    model, folder = turns_model(), WORK / "duels"
    got = probes("match", model, "bot:expert", "--games", "6", "--record", folder, "--json").json()
    assert got["game"] == "turns-v1" and "env_steps" in got["a"] and "env_steps" not in got["b"]
    assert sorted(p.name for p in folder.iterdir()) == sorted(
        f"{seed}{turn}.ludus" for seed in range(30000, 30003) for turn in ("", "-1"))
    frames = probes("replay", folder / "30001-1.ludus", "--json").lines()
    assert frames[0]["seed"] == 30001 and "thought" in frames[2], frames[:3]
    # a model opposite to the one that is judged, watched, or compared
    words = ["eval", model, "--seeds", "1..12", "--json"]
    alone, bot, agent = (probes(*words, *more).json()["return"]["mean"] for more in (
        [], ["--opponent", "expert"], ["--opponent", model]))
    assert alone == agent != bot
    watched = probes("watch", "turns", "--bot", "expert", "--opponent", model, "--seeds", "1..12",
                     "--json").json()
    assert watched["bot"] == "expert" and watched["return"]["mean"] > 0
    assert watched["seat"] == 0 and [p["name"] for p in watched["opponents"]] == [str(model)]
    # from the seat behind: what one gets the other loses
    for verb in (["watch", "turns", "--bot", "random"], ["eval", model]):
        plain, behind = (probes(*verb, "--opponent", "bot:expert", "--seat", seat, "--seeds", "1..12",
                                "--json").json() for seat in "01")
        assert behind["seat"] == 1 and behind["opponents"] == [{"name": "bot:expert"}]
        assert plain["decisions"] != behind["decisions"], verb
    across = probes("watch", "turns", "--bot", "expert", "--opponent", "random", "--seeds", "1..12", "--json").json()
    mirror = probes("watch", "turns", "--bot", "random", "--opponent", "expert", "--seat", "1", "--seeds", "1..12",
                    "--json").json()
    assert mirror["return"]["mean"] == -across["return"]["mean"] and mirror["decisions"] == across["decisions"]
    assert "in seat 1, against expert" in probes("watch", "turns", "--bot", "random", "--opponent", "expert",
                                                 "--seat", "1", "--seeds", "1..2").out
    beside = probes("compare", "expert", "random", "--game", "turns", "--seat", "1", "--episodes", "6", "--json").json()
    assert beside["seat"] == 1 and beside["opponents"] == [{"name": "expert"}]
    probes("watch", "turns", "--bot", "expert", "--opponent", model, "--fast")
    both = probes("compare", "expert", "random", "--game", "turns", "--opponent", model, "--episodes", "6")
    assert "`ludus match` lets A and B play against each other" in both.out
    probes("play", "turns", "--seed", "1", "--opponent", model, stdin="1\n1\nq\n")
    # where the game drives a seat nobody changes places
    assert "ludus match" not in probes("compare", "careful", "random", "--game", "house", "--episodes", "6").out


@test
def seats_that_are_not_there():
    model = turns_model()
    for verb in (["watch", "turns"], ["eval", model], ["compare", "expert", "random", "--game", "turns"],
                 ["play", "turns"]):
        fails(2, "2 opponents are named, but turns leaves 1 seat", *verb, "--opponent", "random", "--opponent",
              "random", program=PROBES)
        fails(2, "turns has the seats 0 to 1", *verb, "--seat", "2", program=PROBES)
        fails(3, "has no bot 'nobody'", *verb, "--opponent", "bot:nobody", program=PROBES)
        if verb[0] != "play":
            fails(2, "`ludus play`", *verb, "--opponent", "person", program=PROBES)
    for verb in (["watch", "chain"], ["compare", "juggler", "random", "--game", "chain"], ["play", "chain"]):
        fails(2, "chain has one seat: leave out --opponent", *verb, "--opponent", "random", program=PROBES)
        fails(2, "chain has seat 0 alone", *verb, "--seat", "1", program=PROBES)
        fails(4, "plays turns-v1, not duet-v1", *["duet" if w == "chain" else "random" if w == "juggler" else w
                                                  for w in verb], "--opponent", model, program=PROBES)
    for verb in (["watch", "house"], ["compare", "careful", "random", "--game", "house"], ["play", "house"]):
        fails(2, "house drives this seat itself", *verb, "--seat", "1", program=PROBES)
    fails(2, "for a bot, name its game with --game", "eval", "bot:expert", program=PROBES)
    fails(2, "needs two PLAYERS", "match", "expert", program=PROBES)


@test
def the_evaluator_plays_opponents_from_every_seat():
    words = ["train", "turns", "--steps", "4k", "--set", "net.hidden=16", "--set", "train.environments=8",
             "--set", "train.horizon=16", "--set", "run.window_env_steps=2k"]
    place = WORK / "turns-judged"
    probes(*words, "--out", place, "--set", "eval.opponents=random", "--set", "eval.opponents=bot:expert")
    run = next(place.glob("*-turns"))
    rows = [json.loads(line) for line in (run / "metrics/evals.jsonl").read_text().splitlines()]
    assert len(rows) == 2 and rows[0]["best"] and rows[1]["best_window"] in (0, 1)
    for row in rows:
        assert row["metric"] == "score" and len(row["values"]) == 16
        easy, hard = row["opponents"]
        assert easy["name"] == "random" and hard["name"] == "bot:expert"
        for one in row["opponents"]:
            assert one["wins"] + one["draws"] + one["losses"] == 32 == 2 * one["score"]["count"]
        assert easy["score"]["mean"] > hard["score"]["mean"]
        assert abs(row["value"]["mean"] - (easy["score"]["mean"] + hard["score"]["mean"]) / 2) < 1e-12
        assert row["report"]["seatings"] == 2 and row["report"]["episodes"] == 32
        assert {r["seat"] for r in row["replays"]} <= {0, 1}
        values = [r["value"] for r in row["replays"]]
        assert max(values) == values[0] and min(values) == values[1]
        told = probes("eval", f"{run}:{row['window_id']}", "--json").json()
        assert {k: told[k] for k in row["report"]} == row["report"]
    # who cannot play is told before anything is trained
    for code, part, game, opponent in ((2, "single-player game", "clock", "random"), (2, "plays seat 1 itself", "house", "random"),
                                       (3, "has no bot 'nobody'", "turns", "bot:nobody"),
                                       (3, "no checkpoint of window 9", "turns", f"{run}:9"),
                                       (4, "plays turns-v1, not duet-v1", "duet", f"{run}:0")):
        fails(code, part, "train", game, "--steps", "1k", "--out", WORK / "unjudged", "--set",
              f"eval.opponents={opponent}", program=PROBES)
    assert not (WORK / "unjudged").exists()


@test
def what_cannot_be_matched():
    fails(2, "for a bot, name its game with --game", "match", "bot:a", "bot:b")
    fails(2, "single-player", "match", "bot:pilot", "random", "--game", "prospector")
    for code, part, *words in ((2, "plays seat 1 itself", "random", "random", "--game", "house"),
                               (2, "' must be LOW,HIGH in rising Elo, such as 0,10", "expert", "random", "--game", "turns", "--sprt", "5"),
                               (2, "' must be LOW,HIGH in rising Elo, such as 0,10", "expert", "random", "--game", "turns", "--sprt", "9,1"),
                               (2, "but 'games' = 9", "expert", "random", "--game", "turns", "--seeds",
                                "1..3", "--games", "9"),
                               (3, "no bot 'exprt'", "bot:exprt", "random", "--game", "turns"),
                               (3, "did you mean 'expert'?; as a model", "exprt", "random", "--game", "turns"),
                               (3, "for a bot, name its game with --game", "expert", "random"),
                               (2, "`ludus play`", "expert", "person", "--game", "turns")):
        fails(code, part, "match", *words, program=PROBES)


@test
def examples_of_match_work():
    names = {word: turns_model() for word in ("latest", "best", "old.safetensors", "new.safetensors")}
    verbs = {v["verb"]: v for v in ludus("help", "--json").json()["verbs"]}
    assert len(verbs["match"]["examples"]) >= 3
    for example in verbs["match"]["examples"]:
        words = example["command"].split()
        assert words[:2] == ["ludus", "match"]
        probes(*[names.get(word, word) for word in words[1:]])
