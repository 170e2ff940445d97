"""Help, verbs, options and settings: what may be written on the command line, which value wins, and
one sentence for whatever is wrong."""

import json
import re
import subprocess
from pathlib import Path

from cli.helper import (GAME_VERBS, PROBES, VERBS, WORK, copy_of_the_project, environment, fails, file, games,
                        ludus, ludus_any, probes, test)


@test
def help_shows_examples_first():
    assert "Verbs" in ludus("--help").out
    assert ludus().out == ludus("help").out == ludus("-h").out
    for verb in VERBS:
        text = ludus("help", verb).out
        assert text == ludus(verb, "--help").out == ludus(verb, "-h").out
        assert "Examples" in text and text.index("Examples") < text.index("Usage") < text.index("Options")
        assert max(map(len, text.splitlines())) <= 100, verb
    assert "Exit codes" in ludus("help").out
    assert re.fullmatch(r"ludus \d+\.\d+\.\d+\n", ludus("--version").out)


@test
def help_of_a_game_and_of_its_tools():
    listed = ludus("joker").out
    assert listed == ludus("joker", "--help").out == ludus("help", "joker").out == ludus("tool", "joker").out
    tools = ludus("joker", "--json").json()["tools"]
    assert {"advise", "find", "score", "seed"} <= {t["tool"] for t in tools} and len(listed.splitlines()) < 24
    for tool in tools:
        assert f"\n  {tool['tool']} " in listed
        one = ludus("joker", tool["tool"], "--help")
        assert one.out == ludus("help", "joker", tool["tool"]).out
        assert f"ludus joker {tool['tool']} [" in one.out and max(map(len, one.out.splitlines())) <= 80
    advise = ludus("joker", "advise", "--help").out
    assert "--samples" in advise and "--agent" in advise and "--antes" not in advise and "potion" not in advise
    assert "--agent" not in ludus("joker", "seed", "--help").out, "it asks none"
    assert ludus("joker", "seed", "-h", "--json").json()["usage"] == "ludus joker seed [SEED] [options]"
    assert "none" in ludus("corridor").out and "ludus play corridor" in ludus("corridor").out
    assert ludus("help", "play", "corridor").out == ludus("play", "corridor", "--help").out


@test
def help_lists_the_settings_of_a_game():
    for game in games():
        for verb in GAME_VERBS:
            ludus(verb, game, "--help")
    assert "--time_max" in ludus("play", "prospector", "--help").out


@test
def near_misses_are_suggested():
    fails(2, "did you mean 'games'", "gmes")
    fails(2, "did you mean 'trace'", "help", "trce")
    fails(3, "did you mean 'advise'", "help", "joker", "advse")
    fails(3, "did you mean 'corridor'", "help", "play", "coridor")
    fails(2, "did you mean '--seed'", "watch", "corridor", "--sead", "3")
    fails(3, "did you mean 'corridor'", "spec", "coridor")
    fails(3, "did you mean 'seeker'", "watch", "corridor", "--bot", "seekr")
    fails(2, "did you mean 'length'", "watch", "corridor", "--set", "lenght=9")
    fails(3, "did you mean 'mask-agrees'", "conform", "corridor", "--only", "mask-agree")
    fails(2, "unknown verb", "zzzzzzzzzz")
    fails(3, "`ludus games` lists them", "spec", "zzzzzzzzzz")
    fails(2, "`ludus help games` lists the options", "games", "--zzzzzzzzz")


@test
def wrong_use_is_exit_2():
    fails(2, "needs a game", "play")
    fails(2, "unexpected argument 'extra'", "games", "extra")
    fails(2, "needs a value", "trace", "corridor", "--actions", "-", "--seed")
    fails(2, "needs a value", "trace", "corridor", "--seed", "--actions", "-")
    fails(2, "needs --actions", "trace", "corridor")
    fails(2, "has no --json", "manual", "--json")
    fails(2, "takes no value", "games", "--json=yes")
    fails(2, "options are written --key", "games", "-x")
    fails(2, "' comes before the verb:", "--seed", "3", "games")
    fails(2, "FILE", "replay")
    fails(2, "NAME", "new")
    fails(2, "a range A..B", "watch", "corridor", "--seeds", "5")
    fails(2, "seeds", "watch", "corridor", "--seeds", "9..5")
    fails(2, "episodes", "watch", "corridor", "--seeds", "1..5", "--episodes", "4")
    fails(2, "cannot be combined", "golden", "corridor", "--write", "--check")
    fails(2, "not for 'ksh'", "completion", "ksh")
    fails(2, "seat", "play", "corridor", "--seat", "3")


@test
def values_out_of_range_name_the_key():
    for value in ["-1", "18446744073709551616", "1.5", "nan", "", "0x", "0xfffffffffffffffff", "seven",
                  " 7", "7 "]:
        fails(2, "seed", "trace", "corridor", "--actions", "-", f"--seed={value}")
    for value in ["2", "1001", "-5", "1e99", "nan", "nine", "9.5", "", "9" * 300]:
        fails(2, "length", "trace", "corridor", "--actions", "-", f"--length={value}")
        fails(2, "length", "trace", "corridor", "--actions", "-", "--set", f"length={value}")
    fails(2, "reward.lamp", "watch", "corridor", "--reward.lamp", "inf")
    fails(2, "fps", "watch", "corridor", "--fps", "0")
    fails(2, "steps", "conform", "corridor", "--steps", "0")
    fails(2, "environments", "bench", "corridor", "--environments", "0")
    fails(2, "from --set", "watch", "corridor", "--set", "length")


@test
def option_forms_are_equal():
    want = ludus("config", "corridor", "--length", "12", "--json").out
    assert '"value":12' in want
    for words in [["--length=12"], ["--set", "length=12"], ["--set=length=12"]]:
        got = ludus("config", "corridor", *words, "--json").json()
        assert [s["value"] for s in got["settings"] if s["key"] == "length"] == [12]
    assert ludus("config", "corridor", "--show-origin").out == \
        ludus("config", "--show_origin", "corridor").out
    assert "--length" in ludus("config", "corridor", "--length", "12", "--show-origin").out
    ludus("bench", "corridor", "--no-instructions", "--seconds", "0.05", "--repeats", "1")


@test
def precedence_is_flag_variable_file_preset_default():
    conf = file("length.ini", "length = 20\nlimit = 21\n")

    def value(key, *words, **variables):
        got = ludus("config", "corridor", "--json", *words, env=environment(**variables)).json()
        row = [s for s in got["settings"] if s["key"] == key][0]
        return row["value"], row["origin"]

    assert value("length") == (9, "default")
    assert value("length", "--config", conf) == (20, "file")
    assert value("length", "--config", conf, LUDUS_LENGTH=30) == (30, "variable")
    assert value("length", "--config", conf, "--length", "40", LUDUS_LENGTH=30) == (40, "flag")
    assert value("length", "--length", "40", "--config", conf) == (40, "flag")
    assert value("limit", "--config", conf, "--length", "40") == (21, "file")
    assert value("reward.time", LUDUS_REWARD_TIME="0.5") == (0.5, "variable")
    home = WORK / "preset-home"
    (home / "games/corridor/presets").mkdir(parents=True)
    (home / "config").mkdir()
    (home / "CMakeLists.txt").write_text("")
    (home / "games/corridor/presets/long.yml").write_text("length: 50\nlimit: 51\n")
    (home / "config/all.json").write_text('{"length": 60}')
    env = dict(LUDUS_HOME=home)
    assert value("length", "--preset", "long", **env) == (50, "preset")
    assert value("length", "--preset", "all", **env) == (60, "preset")
    assert value("length", "--preset", "long", "--config", conf, **env) == (20, "file")
    assert value("limit", "--config", conf, "--preset", "long", **env) == (21, "file")
    fails(3, "no preset 'nobody'", "config", "corridor", "--preset", "nobody", env=environment(**env))
    for name in ["../x", "/etc/passwd", "a/b", "", "x" * 200]:
        fails(2, "preset", "config", "corridor", f"--preset={name}", env=environment(**env))
    fails(2, "LUDUS_LENGTH", "config", "corridor", env=environment(LUDUS_LENGTH="2"))
    fails(2, "LUDUS_NONSENSE", "games", env=environment(LUDUS_NONSENSE=1))
    fails(2, "did you mean LUDUS_TIME_MAX", "games", env=environment(LUDUS_TIME_MXA=1))
    fails(2, "LUDUS_ISA", "games", env=environment(LUDUS_ISA="v9"))
    fails(2, "LUDUS_LOG", "games", env=environment(LUDUS_LOG="loud"))


@test
def config_shows_every_value_of_a_repeatable_setting():
    def values(*words, **more):
        rows = probes("config", "swarm", *words, "--json", **more).json()["settings"]
        return next(r["value"] for r in rows if r["key"] == "worth")
    assert values() == []
    assert values("--worth", "3") == [3]
    assert values("--worth", "3", "--set", "worth=1", "--worth=8") == [3, 1, 8]
    listed = file("worth.json", '{"worth": [2, 5]}')
    assert values("--config", listed) == [2, 5]
    shown = probes("config", "swarm", "--config", listed, "--show-origin").out.splitlines()
    at = next(i for i, line in enumerate(shown) if line.startswith("worth"))
    assert shown[at].split()[:2] == ["worth", "2"] and shown[at + 1].split()[0] == "5", shown
    assert "worth.json" in shown[at] and "(unset)" in probes("config", "swarm").out


@test
def settings_files_may_begin_with_a_byte_order_mark():
    for name, text in [("bom.ini", "length = 12\n"), ("bom.yml", "length: 12\n"),
                       ("bom.json", '{"length": 12}')]:
        path = file(name, b"\xef\xbb\xbf" + text.encode())
        assert "12" in ludus("config", "corridor", "--config", path).out, name


@test
def bad_config_files_change_nothing():
    fails(3, "none.ini", "config", "corridor", "--config", WORK / "none.ini")
    for name, text in [("bad.json", '{"length": 12,'), ("bad.yml", "length: [1, 2\n"),
                       ("bad.ini", "length 12\n"), ("nul.json", '{"length": "\0"}'),
                       ("list.json", "[1, 2]"), ("deep.json", "[" * 5000)]:
        result = ludus("config", "corridor", "--config", file(name, text), code=4)
        assert name in result.err and not result.out, result
    for name, text in [("key.ini", "lenth = 12\n"), ("type.yml", "length: long\n"),
                       ("range.json", '{"length": 1e99}')]:
        result = ludus("config", "corridor", "--config", file(name, text), code=2)
        assert name in result.err and not result.out, result
    assert ludus("config", "corridor", "--config", file("x.toml", "length = 3"), code=2).err


@test
def schema_and_settings_cover_every_key():
    schema = ludus("config", "prospector", "--schema").json()
    assert "time_max" in json.dumps(schema)
    keys = {s["key"] for s in ludus("settings", "--json").json()["settings"]}
    assert {"time_max", "reward.mode", "seed", "actions", "length"} <= keys
    page = ludus("settings", "--markdown").out
    assert page.startswith("# Settings") and "`time_max`" in page and "## ludus watch" in page
    assert "--time_max" in ludus("settings").out
    assert "ludus watch" in ludus("config").out
    assert all(json.loads(line) for line in ludus("config", "--schema").out.splitlines())


@test
def settings_are_found_by_a_word():
    def keys(*words):
        return {s["key"] for s in ludus("settings", *words, "--json").json()["settings"]}
    assert keys("time-max") == {"time_max"} and "train.rate" in keys("LEARNING", "rate")
    assert "length" in keys("corridor") and "time_max" not in keys("corridor")
    assert keys("learning", "rate") < keys("rate") < keys()
    text = ludus("settings", "time_max").out
    assert text.startswith("prospector-v1\n  --time_max X\n") and len(text.splitlines()) < 6
    fails(3, "no setting has 'zzzqq'", "settings", "zzzqq", "--json")


@test
def version_is_told_after_a_verb_too():
    want = ludus("--version").out
    for verb in VERBS:
        assert ludus(verb, "--version").out == want, verb
    fails(2, "takes no value", "games", "--version=2")


@test
def everything_a_person_reads_is_json_too():
    program = ludus("help", "--json").json()
    assert program["schema"] == 1 and set(VERBS) <= {v["verb"] for v in program["verbs"]}
    assert {c["code"] for c in program["exit_codes"]} == {0, 1, 2, 3, 4, 5, 6, 7, 8, 130}
    assert ludus("--help", "--json").json() == program
    one = ludus("help", "play", "--json").json()
    assert one["examples"] and one["usage"].startswith("ludus play") and one == \
        ludus("play", "--help", "--json").json()
    assert "time_max" in {o["key"] for o in ludus("play", "prospector", "-h", "--json").json()["options"]}
    assert ludus("golden", "corridor", "--check", "--json").json()["verdict"] == "agrees"
    made = ludus("golden", "corridor", "--json").json()
    assert made["text"] == ludus("golden", "corridor").out
    path = WORK / "golden-json.txt"
    assert ludus("golden", "corridor", "--write", "--json", "--file", path).json()["file"] == str(path)
    path.write_text("else\n")
    wrong = ludus("golden", "corridor", "--check", "--json", "--file", path, code=5).json()
    assert wrong["verdict"] == "differs" and "golden-json.txt:1" in wrong["difference"]


@test
def help_fits_80_columns():
    for verb in VERBS:
        for line in ludus("help", verb).out.splitlines():
            example = line.startswith("  ") and not line.startswith("   ")
            assert len(line) <= (100 if example else 80), (verb, line)
    assert "--[no-]instructions" in ludus("help", "bench").out


@test
def no_option_does_nothing():
    for verb in ["games", "spec", "doctor", "manual"]:
        assert "--config" not in ludus("help", verb).out, verb
    fails(2, "no settings", "games", "--set", "a=b")
    fails(2, "no settings", "doctor", "--preset", "prospector-short")
    fails(2, "cannot be combined", "watch", "corridor", "--seed", "3", "--seeds", "1..2")
    path = WORK / "hidden.ludus"
    ludus("watch", "corridor", "--fast", "--record", path)
    fails(2, "--json", "replay", path, "--hidden")
    ludus("replay", path, "--hidden", "--json")


@test
def presets_come_in_every_format():
    def value(key, *words, **more):
        rows = ludus("config", "prospector", "--json", *words, **more).json()["settings"]
        return next(r["value"] for r in rows if r["key"] == key)
    assert value("time_max", "--preset", "prospector-short") == 2500
    assert value("reward.mode", "--preset", "prospector-reference") == "reference"
    assert value("time_max", "--preset", "prospector-short", "--time_max", "7") == 7
    fails(3, "did you mean 'prospector-short'", "config", "prospector", "--preset", "prospector-shrt")
    home = copy_of_the_project("presets")
    (home / "games/prospector/presets").mkdir()
    env = environment(LUDUS_HOME=home)
    for at, text in [("config/a.json", '{"reward": {"mode": "reference"}, "time_max": 5}'),
                     ("config/b.yaml", "time_max: 5\nreward: {mode: reference}\n"),
                     ("games/prospector/presets/c.ini", "time_max=5\n[reward]\nmode=reference\n"),
                     ("games/prospector/presets/a.ini", "time_max=6\n[reward]\nmode=reference\n")]:
        (home / at).write_text(text)
        name = Path(at).stem
        assert value("reward.mode", "--preset", name, env=env) == "reference"
        assert value("time_max", "--preset", name, env=env) == (6 if at.endswith("a.ini") else 5)


@test
def hostile_words_do_no_harm():
    for word in ["%s%s%s%n", "x" * 100_000, "\x1b[31m", "../../etc/passwd", "\xff\xfe", "--", "'; ls"]:
        for words in [[word], ["spec", word], ["watch", "corridor", "--bot", word],
                      ["replay", word], ["watch", "corridor", f"--{word}"], ["new", word],
                      ["config", "corridor", "--config", word]]:
            result = ludus_any(*words, stdin=subprocess.DEVNULL)
            assert result.code in (1, 2, 3, 4) or word == "--", (words[:2], result.code)
            assert len(result.err) < 6000, words[:2]


@test
def flags_take_dash_underscore_and_dot_as_equal():
    words = ["config", "prospector", "--json"]

    def value(key, *flags):
        rows = ludus(*words, *flags).json()["settings"]
        return next(row["value"] for row in rows if row["key"] == key)
    for flag in ("--reward.mode", "--reward-mode", "--reward_mode"):
        assert value("reward.mode", flag, "reference") == "reference", flag
    for flag in ("--time_max", "--time-max", "--time.max"):
        assert value("time_max", flag + "=900") == 900, flag
        assert value("time_max", "--set", flag[2:] + "=800") == 800, flag
    for name in ("LUDUS_REWARD_MODE", "LUDUS_REWARD.MODE", "LUDUS_REWARD-MODE", "LUDUS_reward.mode"):
        rows = ludus(*words, env=environment(**{name: "reference"})).json()["settings"]
        assert any(row["key"] == "reward.mode" and row["value"] == "reference" for row in rows), name
    fails(2, "LUDUS_REWARD.MODES is not a setting; did you mean LUDUS_REWARD_MODE?", *words,
          env=environment(**{"LUDUS_REWARD.MODES": "reference"}))
    fails(2, "unknown option '--rewardmode'", *words, "--rewardmode", "reference")
    assert probes("trace", "duet", "--actions", "-", "--option-rounds", "2", "--json", stdin="0 1\n1 0\n").lines()[-1]["terminated"]


@test
def an_alias_sets_its_setting():
    def buffer(*flags, **more):
        rows = ludus("config", "corridor", "--training", "--json", *flags, **more).json()["settings"]
        assert all(row["key"] != "dqn.replay" for row in rows)
        return next(row["value"] for row in rows if row["key"] == "dqn.buffer")
    assert buffer() == 200000
    for flag in ("--dqn.replay", "--dqn-replay", "--dqn.buffer", "--dqn_buffer"):
        assert buffer(flag, "5k") == 5000, flag
    assert buffer("--set", "dqn.replay=6k") == 6000
    assert buffer("--config", file("alias.json", '{"dqn": {"replay": 7000}}')) == 7000
    assert buffer("--config", file("alias.ini", "[dqn]\nreplay = 8k\n")) == 8000
    assert buffer(env=environment(LUDUS_DQN_REPLAY="9k")) == 9000
    fails(2, "under two names, by --dqn.replay and by --dqn.buffer", "config", "corridor", "--training",
          "--dqn.replay", "1k", "--dqn.buffer", "2k")
    fails(4, "is given twice", "config", "corridor", "--training", "--config",
          file("twice.json", '{"dqn.replay": 7, "dqn.buffer": 8}'))
    fails(4, "', which another variable already sets; keep one", "config", "corridor", "--training",
          env=environment(LUDUS_DQN_REPLAY="9k", LUDUS_DQN_BUFFER="9k"))
    assert "Same as --dqn.buffer" in " ".join(ludus("train", "--help").out.split())
    assert '"x-aliases":["dqn.replay"]' in ludus("config", "--schema", "--training").out


@test
def a_file_is_a_value():
    strain = ["house", "strain", "--json"]
    text = 'one "two"\nthree \u00e4\n'
    path = file("data.txt", text)
    for flags in (["--data", path], ["--set", f"data={path}"],
                  ["--config", file("data.json", json.dumps({"data": str(path)}))],
                  ["--config", file("inside.json", json.dumps({"data": {"name": str(path), "text": text}}))]):
        answer = probes(*strain, *flags).json()
        assert answer["data"] == text and answer["name"] == str(path), flags
    assert probes(*strain, "--data", "-", stdin=text).json()["data"] == text
    assert probes(*strain, env=environment(LUDUS_DATA=path)).json()["data"] == text
    # a path that is not below the current folder may be below the project's
    short = probes(*strain, "--data", "tests/schemathesis.toml").json()
    assert short["name"] == "tests/schemathesis.toml" and "[" in short["data"]
    fails(3, "'data' needs the file 'nosuch'", *strain, "--data", "nosuch", program=PROBES)
    fails(6, "larger than the limit of 4096 bytes", *strain, "--data", file("long.txt", "x" * 4097), program=PROBES)
    fails(2, "isn't UTF-8 text", *strain, "--data", file("bytes.bin", b"\xff\x00"), program=PROBES)


@test
def a_replay_keeps_name_and_hash_of_a_file():
    goal, record = file("goal.txt", "40"), WORK / "goal.replay"
    words = ["watch", "house", "--fast", "--bot", "careful", "--goal", goal, "--record", record]
    probes(*words)
    shown = probes("replay", record, "--json").out
    assert "goal.txt" in shown and "hash" in shown
    file("goal.txt", "41")
    fails(4, "goal.txt' has changed", "replay", record, "--json", program=PROBES)
    Path(goal).unlink()
    fails(3, "'goal' needs the file", "replay", record, "--json", program=PROBES)
    file("goal.txt", "40")
    probes("replay", record, "--json")
    fails(2, "'goal' = forty is not an integer", "watch", "house", "--fast", "--goal", file("word.txt", "forty"), program=PROBES)


@test
def a_model_keeps_name_and_hash_of_a_file():
    mine, runs = file("mine.txt", "3 Feyberry\nMandrake Root 9\n"), WORK / "file-runs"
    folder = ludus("train", "potion-v1", "--out", runs, "--json", "--steps", "2k", "--ingredients-inventory", mine, "--set", "train.environments=16",
                   "--set", "train.horizon=32", "--set", "train.minibatch=256", "--set", "net.hidden=16", "--set", "net.layers=1").lines()[-1]["folder"]
    model = next(Path(folder).glob("checkpoints/*/model.safetensors"))
    kept = ludus("model", "show", model, "--json").out
    assert '"ingredients.inventory":{"hash":"' in kept and '"name":"' + str(mine) in kept and "Feyberry" not in kept
    ludus("watch", "potion", "--model", model, "--fast", "--record", WORK / "mine.replay")
    assert sorted(ludus("replay", WORK / "mine.replay", "--json").lines()[1]["state"]["stock"].values()) == [3, 9]
    ludus("eval", model, "--episodes", "2")
    ludus("train", "potion", "--resume", folder, "--steps", "4k")
    file("mine.txt", "3 Feyberry\n")
    for words in (["eval", model], ["replay", next(Path(folder).glob("replays/*.ludus"))], ["train", "potion", "--resume", folder, "--steps", "6k"]):
        fails(4, "mine.txt' has changed", *words)


@test
def a_tool_gets_threads():
    one = probes("house", "strain", "--threads", "1", "--rounds", "10k", "--json").out
    for threads in ("0", "2", "5"):
        assert probes("house", "strain", "--threads", threads, "--rounds", "10k", "--json").out == one
    assert probes("house", "strain", "--threads", "1", "--old-rounds", "10k", "--json").out == one
