"""Tests of the command line program: every verb, every exit code, every kind of error sentence,
hostile input, streams, colour, precedence of settings, and play in a terminal of 80 x 24.

Usage: cli_test.py PATH_OF_LUDUS [FILTER...]
"""

import fcntl
import gzip
import json
import os
import pty
import re
import select
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LUDUS = str(Path(sys.argv[1]).resolve()) if len(sys.argv) > 1 else ""
WORK = Path(tempfile.mkdtemp(prefix="ludus-cli-"))
VERBS = ["games", "spec", "play", "watch", "replay", "trace", "verify", "conform", "golden", "bench",
         "model", "new", "config", "settings", "doctor", "completion", "manual", "help"]
GAME_VERBS = ["spec", "play", "watch", "trace", "verify", "conform", "golden", "bench", "config"]
TESTS = []


def test(function):
    TESTS.append(function)
    return function


def environment(**more):
    env = {k: v for k, v in os.environ.items() if not k.startswith("LUDUS_")}
    env.pop("NO_COLOR", None)
    env.update(LUDUS_HOME=str(ROOT), TERM="xterm-256color", LC_ALL="C.UTF-8")
    env.update({k: str(v) for k, v in more.items()})
    return env


class Result:
    def __init__(self, words, done):
        self.words, self.code = words, done.returncode
        self.bytes = done.stdout
        self.out = done.stdout.decode("utf-8", "replace")
        self.err = done.stderr.decode("utf-8", "replace")

    def lines(self):
        return [json.loads(line) for line in self.out.splitlines()]

    def json(self):
        return json.loads(self.out)

    def __str__(self):
        return f"ludus {' '.join(self.words)}: exit {self.code}\n{self.out[-400:]}\n{self.err[-400:]}"


def ludus(*words, code=0, stdin=b"", env=None, cwd=None, timeout=120):
    words = [str(w) for w in words]
    stdin = stdin.encode() if isinstance(stdin, str) else stdin
    done = subprocess.run([LUDUS, *words], input=stdin, capture_output=True, timeout=timeout,
                          env=env or environment(), cwd=cwd or WORK)
    result = Result(words, done)
    assert result.code == code, f"expected exit {code}: {result}"
    if code not in (0,):
        assert result.err.startswith("ludus: "), f"no sentence: {result}"
    assert "\x1b" not in result.out, f"escape codes in a pipe: {result}"
    return result


def fails(code, part, *words, **more):
    """The call ends with this code and one sentence that holds `part`."""
    result = ludus(*words, code=code, **more)
    assert part in result.err, f"'{part}' is not in: {result}"
    assert len(result.err.strip().splitlines()) == 1, f"more than one sentence: {result}"
    assert len(result.err) < 1200, f"an endless sentence: {result}"
    return result


def file(name, content):
    path = WORK / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def games():
    return [g["id"] for g in ludus("games", "--json").json()["games"]]


# ---- help, verbs and options ----

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
def help_lists_the_settings_of_a_game():
    for game in games():
        for verb in GAME_VERBS:
            ludus(verb, game, "--help")
    assert "--time_max" in ludus("play", "prospector", "--help").out


@test
def near_misses_are_suggested():
    fails(2, "did you mean 'games'", "gmes")
    fails(2, "did you mean 'trace'", "help", "trce")
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
    fails(2, "has no --json", "play", "corridor", "--json")
    fails(2, "takes no value", "games", "--json=yes")
    fails(2, "options are written --key", "games", "-x")
    fails(2, "stands before the verb", "--seed", "3", "games")
    fails(2, "FILE", "replay")
    fails(2, "NAME", "new")
    fails(2, "no range", "watch", "corridor", "--seeds", "5")
    fails(2, "seeds", "watch", "corridor", "--seeds", "9..5")
    fails(2, "episodes", "watch", "corridor", "--seeds", "1..5", "--episodes", "4")
    fails(2, "exclude each other", "golden", "corridor", "--write", "--check")
    fails(2, "not for 'zsh'", "completion", "zsh")
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
    fails(3, "no preset 'none'", "config", "corridor", "--preset", "none", env=environment(**env))
    for name in ["../x", "/etc/passwd", "a/b", "", "x" * 200]:
        fails(2, "preset", "config", "corridor", f"--preset={name}", env=environment(**env))
    fails(2, "LUDUS_LENGTH", "config", "corridor", env=environment(LUDUS_LENGTH="2"))
    fails(2, "LUDUS_NONSENSE", "games", env=environment(LUDUS_NONSENSE=1))
    fails(2, "did you mean LUDUS_TIME_MAX", "games", env=environment(LUDUS_TIME_MXA=1))
    fails(2, "LUDUS_ISA", "games", env=environment(LUDUS_ISA="v9"))
    fails(2, "LUDUS_LOG", "games", env=environment(LUDUS_LOG="loud"))


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


# ---- streams ----

@test
def json_parses_line_by_line():
    ludus("games", "--json").json()
    for game in games():
        spec = ludus("spec", game, "--json").json()
        assert spec["id"] == game and len(spec["hash"]) == 16
        assert spec["mask_length"] == sum(len(h["options"]) for h in spec["heads"])
    ludus("config", "--json").json()
    ludus("doctor", "--json").json()
    for line in ludus("conform", "corridor", "--json").lines()[:-1]:
        assert line["passed"] or line["skipped"], line
    assert all("check" in line for line in ludus("conform", "--list", "--json").lines())
    assert ludus("bench", "corridor", "--json", "--seconds", "0.05",
                 "--no-instructions").json()["games"][0]["one_thread"]["decisions_per_second"] > 0


@test
def a_closed_pipe_is_quiet():
    child = subprocess.Popen([LUDUS, "settings"], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                             env=environment())
    os.close(child.stdout.fileno())
    err = child.stderr.read()
    assert child.wait() in (0, -signal.SIGPIPE) and err == b"", err
    text = "".join("2\n" for _ in range(200000))
    child = subprocess.Popen(["bash", "-c", f"'{LUDUS}' trace corridor --limit 100000 --actions - --json "
                              "| head -n 2"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE, env=environment())
    out, err = child.communicate(text.encode())
    assert len(out.splitlines()) == 2 and err == b"", err


@test
def a_full_disk_is_exit_1():
    for words in [["games"], ["settings"], ["spec", "corridor", "--json"], ["--help"]]:
        with open("/dev/full", "wb") as full:
            done = subprocess.run([LUDUS, *words], stdout=full, stderr=subprocess.PIPE,
                                  env=environment())
        assert done.returncode == 1 and b"cannot write" in done.stderr, (words, done)
    done = subprocess.run(["bash", "-c", f"'{LUDUS}' games >&-"], capture_output=True,
                          env=environment())
    assert done.returncode == 1 and b"cannot write" in done.stderr, done
    done = subprocess.run(["bash", "-c", f"'{LUDUS}' trace corridor --actions - <&-"],
                          capture_output=True, env=environment())
    assert done.returncode == 1 and b"cannot read" in done.stderr, done
    before = ludus("watch", "corridor", "--fast", "--record", WORK / "no/such/x.ludus", code=3)
    assert "x.ludus" in before.err and not before.out, "an episode was played for nothing"
    fails(1, "folder", "watch", "corridor", "--fast", "--record", WORK)


def ludus_any(*words, **more):
    """A call whose exit code the caller checks."""
    done = subprocess.run([LUDUS, *[str(w) for w in words]], capture_output=True,
                          env=environment(), cwd=WORK, timeout=120, **more)
    return Result([str(w) for w in words], done)


# ---- trace ----

@test
def trace_has_the_agreed_keys():
    result = ludus("trace", "prospector", "--seed", "42", "--actions", "-", "--json",
                   stdin="8\n12\n-7\n# a note\n\n999999\n68\n")
    lines = result.lines()
    assert [line["t"] for line in lines] == [-1, 0, 1, 2, 3, 4]
    for line in lines:
        assert list(line) == ["t", "action", "reward", "terms", "terminated", "truncated", "mask", "obs",
                              "info"], line.keys()
        assert len(line["mask"]) == 69 and set(line["mask"]) <= {0, 1} and len(line["obs"]) == 260
        assert {"dt", "invalid", "rng"} <= set(line["info"])
    assert [line["action"] for line in lines] == [None, 8, 12, -7, 999999, 68]
    assert lines[2]["info"]["invalid"] and lines[-1]["terminated"] and not lines[-1]["truncated"]
    again = ludus("trace", "prospector", "--seed", "0x2a", "--actions", "-", "--json",
                  stdin="8\n12\n-7\n999999\n68\n")
    assert again.out == result.out


@test
def trace_takes_settings_and_big_seeds():
    words = ["trace", "prospector", "--actions", "-", "--json"]
    base = ludus(*words).json()
    assert ludus(*words, "--set", "time_max=2500").json()["info"]["time_remaining"] == 2500
    assert ludus(*words, "--time_max", "2500").json()["info"]["time_remaining"] == 2500
    assert base["info"]["time_remaining"] == 20000
    step = ludus(*words, "--set", "reward.mode=reference", stdin="8\n").lines()[1]
    assert step["reward"] < 0 and ludus(*words, stdin="8\n").lines()[1]["reward"] == 0
    big = ludus(*words, "--seed", str(2**64 - 1)).json()
    assert big != base and big == ludus(*words, "--seed", "0xffffffffffffffff").json()


@test
def trace_takes_reset_options():
    global LUDUS
    usual, LUDUS = LUDUS, str(Path(LUDUS).with_name("probes_ludus"))
    try:
        words = ["trace", "duet", "--actions", "-", "--json"]
        throws = "0 1\n1 0\n0 1\n1 0\n"
        wish = ["--option.rounds", "3", "--option.lead=10", "--set", "option.words=spring tide"]
        lines = ludus(*words, *wish, "--seed", "1", stdin=throws).lines()
        assert lines[0]["info"]["lead"] == 10 and len(lines) == 4 and lines[-1]["terminated"]
        # the words are the seed
        assert ludus(*words, *wish, "--seed", "2", stdin=throws).lines() == lines
        other = ludus(*words, *wish, "--set", "option.words=neap tide", stdin=throws).lines()
        assert other != lines
        fails(2, "lead", *words, "--option.lead", "101")
        fails(2, "option.words", *words, "--option.wods", "x")
        # a replay brings its options along
        record = WORK / "options.replay"
        ludus("watch", "duet", "--fast", "--bot", "answer", "--record", record, *wish)
        shown = ludus("replay", record, "--json").lines()
        assert json.dumps("spring tide") in json.dumps(shown), shown[0]
    finally:
        LUDUS = usual


@test
def trace_stops_with_the_episode():
    result = ludus("trace", "prospector", "--actions", "-", "--json", stdin="68\n6\n6\n")
    assert len(result.lines()) == 2 and "not used" in result.err
    assert "cash" in ludus("trace", "prospector", "--actions", "-", stdin="68\n").out


@test
def trace_answers_line_by_line():
    child = subprocess.Popen([LUDUS, "trace", "corridor", "--actions", "-", "--json"],
                             stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment())
    assert json.loads(child.stdout.readline())["t"] == -1
    for t in range(3):
        child.stdin.write(b"2\n")
        child.stdin.flush()
        assert json.loads(child.stdout.readline())["t"] == t
    child.stdin.close()
    assert child.wait() == 0
    child.stdout.close()


@test
def hostile_actions_name_file_and_line():
    for text, part in [("1\ntwo\n", ":2:"), ("1 2\n", ":1:"), ("1\n\n1.5\n", ":3:"), ("1e3\n", ":1:"),
                       ("2147483648\n", ":1:"), ("-2147483649\n", ":1:"), ("9" * 4000 + "\n", ":1:"),
                       ("nan\n", ":1:"), ("-\n", ":1:"), ("+1\n", ":1:"), ("0x1\n", ":1:"),
                       ("1\n\x00\n", ":2:"), ("\ufeff1\n", ":1:"), ("1;2\n", ":1:")]:
        fails(4, part, "trace", "corridor", "--actions", "-", "--json", stdin=text)
    path = file("actions.txt", b"2\n" + b"1" * 10_000_000 + b"\n")
    fails(4, "actions.txt:2:", "trace", "corridor", "--actions", path)
    path = file("binary.txt", bytes(range(256)) * 100)
    fails(4, "binary.txt:1:", "trace", "corridor", "--actions", path)
    path = file("packed.txt", gzip.compress(b"1\n2\n"))
    fails(4, "packed.txt:1:", "trace", "corridor", "--actions", path)
    fails(3, "none.txt", "trace", "corridor", "--actions", WORK / "none.txt")
    fails(1, "folder", "trace", "corridor", "--actions", WORK)
    ludus("trace", "corridor", "--actions", file("empty.txt", ""))
    assert len(ludus("trace", "corridor", "--actions", file("open.txt", "2\n2"), "--json").lines()) == 3
    ludus("trace", "corridor", "--actions", "-", stdin="  2  \r\n\t2\t\r\n")


@test
def hostile_words_do_no_harm():
    for word in ["%s%s%s%n", "x" * 100_000, "\x1b[31m", "../../etc/passwd", "\xff\xfe", "--", "'; ls"]:
        for words in [[word], ["spec", word], ["watch", "corridor", "--bot", word],
                      ["replay", word], ["watch", "corridor", f"--{word}"], ["new", word],
                      ["config", "corridor", "--config", word]]:
            result = ludus_any(*words, stdin=subprocess.DEVNULL)
            assert result.code in (1, 2, 3, 4) or word == "--", (words[:2], result.code)
            assert len(result.err) < 6000, words[:2]


# ---- verify, conform, golden ----

def vectors():
    for folder in (ROOT / "games/prospector/vectors", ROOT.parent / "shared/vectors/prospector"):
        found = sorted(folder.glob("*.jsonl.gz"))
        if found:
            return found
    return []


@test
def verify_passes_the_vectors():
    files = vectors()
    assert files, "no vectors"
    result = ludus("verify", "prospector", *files, "--json").lines()
    assert result[-1] == {"passed": len(files), "failed": 0}
    for line, path in zip(result, files):
        assert list(line) == ["file", "id", "ok", "got"] and line["ok"] is True
        assert line["file"] == str(path) and isinstance(line["got"], dict)
    assert f"{len(files)} passed, 0 failed" in ludus("verify", "prospector", *files).out
    plain = file("plain.jsonl", gzip.decompress(files[0].read_bytes()))
    assert ludus("verify", "prospector", plain, "--json").lines()[-1] == {"passed": 1, "failed": 0}


@test
def verify_finds_a_changed_case():
    lines = gzip.decompress(vectors()[0].read_bytes()).decode().splitlines()
    step = json.loads(lines[5])
    step["r"] += 0.5
    wrong = file("wrong.jsonl", "\n".join(lines[:5] + [json.dumps(step)] + lines[6:]) + "\n")
    result = ludus("verify", "prospector", wrong, vectors()[1], "--json", code=5)
    assert [line.get("ok") for line in result.lines()] == [False, True, None]
    assert result.lines()[-1] == {"passed": 1, "failed": 1}
    assert "FAIL" in ludus("verify", "prospector", wrong, code=5).out


@test
def verify_refuses_hostile_files():
    good = vectors()[0].read_bytes()
    fails(3, "none.gz", "verify", "prospector", WORK / "none.gz")
    fails(3, "verify", "verify", "corridor", vectors()[0])
    for name, data in [("cut.gz", good[: len(good) // 2]), ("noise.gz", os.urandom(2000)),
                       ("gz-noise.gz", b"\x1f\x8b" + os.urandom(2000)), ("empty.gz", b""),
                       ("text.gz", b"hello\n"), ("array.gz", b"[1,2]\n"),
                       ("head.gz", gzip.compress(gzip.decompress(good).split(b"\n")[0][:500]))]:
        result = ludus_any("verify", "prospector", file(name, data), "--json")
        assert result.code == 4 and name in result.err, (name, str(result))
    result = ludus_any("verify", "prospector", WORK)
    assert result.code in (1, 4) and result.err.startswith("ludus: "), str(result)


@test
def conform_passes_and_hashes():
    result = ludus("conform", "corridor")
    assert re.search(r"\d+ passed, 0 failed", result.out)
    hashes = {ludus("conform", "corridor", "--hash", "--seed", "7", "--steps", "500",
                    env=environment(LUDUS_ISA=isa)).out for isa in ("base", "v3", "v4")}
    assert len(hashes) == 1 and re.fullmatch(r"[0-9a-f]{16}\n", hashes.pop())
    assert "facts" in ludus("conform", "--list").out
    assert ludus("conform", "corridor", "--only", "facts").out.count("ok ") == 1


@test
def golden_is_checked_and_written():
    kept = WORK / "golden.txt"
    ludus("golden", "corridor", "--write", "--file", kept)
    assert kept.read_text() == ludus("golden", "corridor").out
    ludus("golden", "corridor", "--check", "--file", kept)
    kept.write_text(kept.read_text().replace("left", "west", 1))
    result = fails(5, "golden.txt:", "golden", "corridor", "--check", "--file", kept)
    assert "west" in result.err
    fails(3, "none.txt", "golden", "corridor", "--check", "--file", WORK / "none.txt")
    with open(WORK / "huge.txt", "wb") as huge:
        huge.truncate(65 << 20)
    fails(6, "huge.txt", "golden", "corridor", "--check", "--file", WORK / "huge.txt")


# ---- play, watch, replay, bench ----

@test
def play_reads_commands_from_a_pipe():
    result = ludus("play", "corridor", "--seed", "3", stdin="?\nh\n\nxyzzy\n99\nright\nq\n")
    for part in ["choice (", "seeker advises", "there is no choice 'xyzzy'", "there is no choice 99",
                 "Again: ludus play corridor-v1 --seed 3"]:
        assert part in result.out, (part, result.out)
    assert "ludus play corridor-v1 --seed" in ludus("play", "corridor").out  # the end of the input
    long = "x" * 100_000 + "\n\x00\x01\xff\n"
    ludus("play", "corridor", stdin=long)
    won = ludus("play", "corridor", "--seed", "3", stdin="h\n\n" * 60)
    assert "The episode ended" in won.out and "found yes" in won.out


@test
def play_says_why_not_and_records():
    path = WORK / "played.ludus"
    result = ludus("play", "prospector", "--seed", "7", "--bot", "greedy_miner", "--record", path,
                   stdin="mine normal\nsel r 1\nt 1\nsel r 1\nmi n\n6\nq\n")
    assert "is not possible now: " in result.out and "Recorded" in result.out
    info = ludus("replay", path, "--info", "--json").json()
    assert info["decisions"] == 4 and not info["ended"] and info["seed"] == 7


@test
def watch_reports_many_episodes():
    report = ludus("watch", "corridor", "--seeds", "100..119", "--json").json()
    assert report["episodes"] == 20 and report["seeds"] == [100, 119] and report["bot"] == "seeker"
    found = {row["name"]: row for row in report["infos"]}["found"]
    assert found["mean"] == 1 and found["low"] < 1 and found["high"] == 1
    words = ["watch", "prospector", "--bot", "greedy_miner", "--seed", "5", "--episodes", "12", "--json"]
    assert ludus(*words, "--threads", "1").out == ludus(*words, "--threads", "3").out
    assert ludus(*words, "--threads", "1").out == \
        ludus(*words[:4], "--seeds", "5..16", "--json").out
    assert "95 % interval" in ludus("watch", "corridor", "--episodes", "5").out
    assert "median" in ludus("watch", "corridor", "--bot", "random", "--seeds", "0..9").out
    assert "The episode ended" in ludus("watch", "corridor", "--seed", "3").out
    fails(2, "--record", "watch", "corridor", "--episodes", "5", "--record", "x.ludus")


@test
def replays_open_and_refuse():
    path = WORK / "watched.ludus"
    ludus("watch", "prospector", "--bot", "greedy_miner", "--seed", "7", "--fast", "--record", path)
    lines = ludus("replay", path, "--json").lines()
    assert lines[0]["game"] == "prospector-v1" and lines[0]["ended"]
    assert len(lines) == lines[0]["decisions"] + 2
    assert [line["t"] for line in lines[1:]] == list(range(-1, lines[0]["decisions"]))
    trace = ludus("trace", "prospector", "--seed", "7", "--actions", "-", "--json",
                  stdin="".join(f"{line['action']}\n" for line in lines[2:])).lines()
    for frame, step in zip(lines[1:], trace):
        assert frame["info"] == step["info"] and frame["rewards"] == [step["reward"]]
    assert ludus("replay", path, "--from", "3", "--json").lines()[1:] == lines[4:]
    assert "re-simulated" in ludus("replay", path).out
    fails(2, "from", "replay", path, "--from", "100000")
    fails(3, "none.ludus", "replay", WORK / "none.ludus")
    good = path.read_bytes()
    for name, data in [("empty.ludus", b""), ("text.ludus", b"hello world, no replay\n" * 9),
                       ("cut.ludus", good[:-5]), ("flip.ludus", good[:-30] + bytes([good[-30] ^ 1]) + good[-29:]),
                       ("tail.ludus", good + b"x"), ("zip.ludus", b"PK\3\4" + bytes(300))]:
        result = ludus_any("replay", file(name, data))
        assert result.code == 4 and name in result.err, (name, str(result))
    for offset in range(0, len(good), 7):
        bad = bytearray(good)
        bad[offset] ^= 0x55
        result = ludus_any("replay", file("fuzz.ludus", bytes(bad)), "--info")
        assert result.code in (3, 4, 5), (offset, str(result))
    result = ludus_any("replay", WORK)
    assert result.code in (1, 4) and result.err.startswith("ludus: ")


@test
def bench_measures_and_counts():
    report = ludus("bench", "corridor", "--seconds", "0.1", "--repeats", "2", "--json").json()
    row = report["games"][0]
    assert row["one_thread"]["threads"] == 1 and row["state_bytes"] == 16
    assert row["reset_nanoseconds"] > 0 and report["processor"] and report["commit"] and report["date"]
    if row["instructions_per_decision"] is None:  # no valgrind, or a sanitizer's build
        assert "not counted" in row["counter"], row
    else:
        assert 10 < row["instructions_per_decision"] < 5000, row
    one = ludus("bench", "corridor", "--count", "5000").json()
    assert one == ludus("bench", "corridor", "--count", "5000").json()
    home = WORK / "bench-home"
    (home / "games").mkdir(parents=True)
    (home / "CMakeLists.txt").write_text("")
    ludus("bench", "corridor", "--seconds", "0.05", "--no-instructions", "--write",
          env=environment(LUDUS_HOME=home))
    written = list((home / "bench/results").glob("corridor-v1-*.json"))
    assert len(written) == 1 and json.loads(written[0].read_text())["result"]["game"] == "corridor-v1"


@test
def ctrl_c_is_exit_130():
    child = subprocess.Popen([LUDUS, "bench", "corridor", "--seconds", "60", "--no-instructions"],
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment())
    time.sleep(0.5)
    child.send_signal(signal.SIGINT)
    out, err = child.communicate(timeout=10)
    assert child.returncode == 130 and b"interrupted" in err and out == b"", (child.returncode, err)


# ---- new, doctor, completion, manual ----

@test
def new_copies_the_smallest_game():
    home = WORK / "new-home"
    home.mkdir()
    (home / "CMakeLists.txt").write_text("")
    shutil.copytree(ROOT / "games/corridor", home / "games/corridor")
    (home / "games/corridor/golden.txt").write_text("corridor")
    env = environment(LUDUS_HOME=home)
    assert "ludus conform my_lamp" in ludus("new", "my_lamp", env=env).out
    made = home / "games/my_lamp"
    names = sorted(p.name for p in made.iterdir())
    assert "my_lamp.c" in names and "my_lamp_spec.c" in names and "golden.txt" not in names
    for path in made.iterdir():
        assert "corridor" not in path.read_text().lower().replace("along a dark line", ""), path
    assert '"my_lamp-v1"' in (made / "my_lamp_spec.c").read_text()
    fails(2, "my_lamp", "new", "my_lamp", env=env)
    for name in ["Bad", "9lives", "x", "a-b", "a b", "", "é", "../up", "x" * 40, "math", "stdio", "lu"]:
        fails(2, "'", "new", name, env=env)
    fails(3, "no game 'none'", "new", "other", "--from", "none", env=env)
    assert sorted(p.name for p in home.iterdir()) == ["CMakeLists.txt", "games"]  # nothing left over


@test
def doctor_finds_the_essentials():
    assert "project folder" in ludus("doctor").out
    assert not any(line.endswith(" ") for line in ludus("doctor").out.splitlines())
    assert "BROKEN" in ludus("doctor", env=environment(LUDUS_HOME="/nonexistent"), code=5).out
    report = ludus("doctor", "--json").json()
    assert report["broken"] == 0 and {"name", "verdict", "found", "needed_for"} == set(report["findings"][0])


@test
def completion_is_good_bash():
    script = file("completion.bash", ludus("completion", "bash").out)
    subprocess.run(["bash", "-n", script], check=True)

    def complete(*words):
        line = " ".join(f"'{w}'" for w in words)
        text = (f"source {script}; COMP_WORDS=({line}); COMP_CWORD={len(words) - 1}; _ludus; "
                'printf "%s\\n" "${COMPREPLY[@]}"')
        return subprocess.run(["bash", "-c", text], capture_output=True, check=True,
                              text=True).stdout.split()

    assert set(VERBS) <= set(complete("ludus", ""))
    assert complete("ludus", "tra") == ["trace"]
    assert "corridor" in complete("ludus", "play", "")
    assert complete("ludus", "watch", "corridor", "--bot", "se") == ["seeker"]
    assert "--length" in complete("ludus", "play", "corridor", "--le")
    assert "reference" in complete("ludus", "play", "prospector", "--reward.mode", "")
    assert "--show-origin" in complete("ludus", "config", "--sh")
    assert complete("ludus", "help", "ver") == ["verify"]


@test
def manual_renders():
    page = file("ludus.1", ludus("manual").out)
    assert "--time_max" in page.read_text().replace("\\-", "-")
    if shutil.which("groff"):
        done = subprocess.run(["groff", "-man", "-Tutf8", "-ww", page], capture_output=True, text=True)
        assert done.returncode == 0 and not done.stderr, done.stderr[-500:]
        text = re.sub(".\x08", "", done.stdout)  # bold is struck twice
        for part in ["NAME", "EXIT STATUS", "ludus trace GAME"]:
            assert part in text, part


# ---- terminals ----

class Terminal:
    """ludus in a pseudo terminal of 80 x 24."""

    def __init__(self, *words, env=None, columns=80, lines=24):
        self.master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))
        self.before = termios.tcgetattr(slave)
        self.slave = slave
        self.child = subprocess.Popen([LUDUS, *[str(w) for w in words]], stdin=slave, stdout=slave,
                                      stderr=slave, env=env or environment(), cwd=WORK,
                                      start_new_session=True)
        self.seen = ""

    def wait_for(self, part, seconds=10):
        start = len(self.seen)
        end = time.time() + seconds
        while time.time() < end:
            if part in self.seen[start:]:
                return self.seen[start:]
            ready, _, _ = select.select([self.master], [], [], 0.1)
            if ready:
                try:
                    self.seen += os.read(self.master, 65536).decode("utf-8", "replace")
                except OSError:
                    break
            if part in self.seen[max(0, start - len(part)):]:
                return self.seen[start:]
        raise AssertionError(f"'{part}' did not appear in {self.seen[start:][-800:]!r}")

    def type(self, text):
        os.write(self.master, text.encode())

    def screen(self):
        """The lines of the last full drawing, without escape codes."""
        last = self.seen.rsplit("\x1b[?25l\x1b[H", 1)[-1]
        return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", last).replace("\r", "").split("\n")

    def end(self, code):
        deadline = time.time() + 10
        while self.child.poll() is None and time.time() < deadline:
            ready, _, _ = select.select([self.master], [], [], 0.1)
            if ready:
                self.seen += os.read(self.master, 65536).decode("utf-8", "replace")
        while select.select([self.master], [], [], 0.1)[0]:
            self.seen += os.read(self.master, 65536).decode("utf-8", "replace")
        assert self.child.poll() == code, (self.child.poll(), self.seen[-500:])
        assert termios.tcgetattr(self.slave) == self.before, "the terminal is not as it was"
        if "\x1b[?1049h" in self.seen:
            assert self.seen.count("\x1b[?1049l") == self.seen.count("\x1b[?1049h"), "screen not left"
            assert self.seen.rindex("\x1b[?25h") > self.seen.rindex("\x1b[?25l"), "cursor hidden"
        os.close(self.master)
        os.close(self.slave)


@test
def play_in_a_terminal_and_quit():
    t = Terminal("play", "corridor", "--seed", "3")
    t.wait_for("choice (")
    t.type("?\r")
    t.wait_for("beginning of a name")
    t.type("h\r")
    t.wait_for("advises")
    t.type("\r")
    t.wait_for("decision 1 ")
    t.type("sta\r")
    t.wait_for("decision 2 ")
    t.type("\t")
    t.wait_for("choice (")
    t.type("xyz\x7f\x7f\x7fstay\r")
    t.wait_for("decision 3 ")
    assert len(t.screen()) <= 24 and max(map(len, t.screen())) <= 80, t.screen()
    t.type("q\r")
    t.end(0)
    assert "Again: ludus play corridor-v1 --seed 3" in t.seen


@test
def boards_fit_80_by_24():
    for game in games():
        t = Terminal("play", game, "--seed", "5")
        t.wait_for(": ")
        for _ in range(6):
            t.type("h\r")
            t.wait_for("advises")
            lines = t.screen()
            assert len(lines) == 24 and max(map(len, lines)) <= 80, lines
            t.type("\r")
            t.wait_for("\x1b[J")
            if "over (" in t.seen[-2000:]:
                break
        t.type("\x03")
        t.end(130)


@test
def ctrl_c_leaves_a_clean_terminal():
    for words in [["play", "corridor"], ["watch", "corridor", "--limit", "1000", "--fps", "2"]]:
        t = Terminal(*words)
        t.wait_for("\x1b[J")
        t.type("\x03")
        t.end(130)
        t = Terminal(*words)
        t.wait_for("\x1b[J")
        t.child.send_signal(signal.SIGTERM)
        t.end(130)
        t = Terminal(*words)
        t.wait_for("\x1b[J")
        t.child.send_signal(signal.SIGHUP)
        t.end(-signal.SIGHUP)


@test
def watch_and_replay_in_a_terminal():
    path = WORK / "terminal.ludus"
    t = Terminal("watch", "corridor", "--seed", "3", "--fps", "50", "--record", path)
    t.wait_for("over")
    t.type("q")
    t.end(0)
    t = Terminal("replay", path)
    t.wait_for("/s")
    for keys in [" ", "\x1b[C", "\x1b[D", "\x1b[5~", "\x1b[6~", "\x1b[H", "\x1b[F", "<", ">"]:
        t.type(keys)
        t.wait_for("\x1b[J")
    assert len(t.screen()) == 24 and max(map(len, t.screen())) <= 80
    t.type("q")
    t.end(0)


@test
def colour_only_where_wanted():
    def coloured(*words, **more):
        t = Terminal(*words, env=environment(**more))
        t.end(0)
        return "\x1b[" in t.seen
    assert coloured("games")
    assert not coloured("games", NO_COLOR="1")
    assert not coloured("games", TERM="dumb")
    assert not coloured("games", "--no-color")
    assert not coloured("--no-color", "games")
    assert coloured("games", NO_COLOR="")
    t = Terminal("play", "corridor", "--seed", "3", env=environment(NO_COLOR="1"))
    t.wait_for("choice (")
    assert not re.search(r"\x1b\[[0-9;]*m", t.seen.replace("\x1b[0m\x1b[?25h", "")), "colour"
    t.type("q\r")
    t.end(0)
    t = Terminal("play", "corridor", "--seed", "3", env=environment(TERM="dumb"))
    t.wait_for("choice (")
    t.type("q\n")
    t.end(0)
    assert "\x1b" not in t.seen


# ---- the front door: what a newcomer pastes, presses and gets wrong ----

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
    assert {c["code"] for c in program["exit_codes"]} == {0, 1, 2, 3, 4, 5, 6, 7, 130}
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


def copy_of_the_project(name):
    home = WORK / name
    home.mkdir()
    for part in ["games", "config", "docs"]:
        shutil.copytree(ROOT / part, home / part)
    (home / "CMakeLists.txt").write_text("")
    return home


@test
def examples_work_when_pasted():
    home = copy_of_the_project("pasted")
    (home / "bin").mkdir()
    os.symlink(LUDUS, home / "bin/ludus")
    env = environment(LUDUS_HOME=home, HOME=home, PATH=f"{home}/bin:{os.environ['PATH']}",
                      LUDUS_INSTRUCTIONS="false", LUDUS_STEPS="500", LUDUS_REPEATS="1")
    for verb in ludus("help", "--json").json()["verbs"]:
        if verb["verb"] == "model":  # its examples need a trained network
            continue
        for example in verb["examples"]:
            command = example["command"].replace("30000..30399", "30000..30003")
            if "man -l" in command and not shutil.which("man"):
                continue
            if verb["verb"] == "bench":
                command = command.replace(" --seconds 5", "") + " --seconds 0.05"
            if "nn" in command.split():  # needs no game and is measured elsewhere
                continue
            done = subprocess.run(["bash", "-o", "pipefail", "-c", command], cwd=home, env=env,
                                  input=b"q\n", capture_output=True, timeout=60)
            assert done.returncode == 0, (command, done.returncode, done.stderr[-300:])


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
    fails(2, "exclude", "watch", "corridor", "--seed", "3", "--seeds", "1..2")
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
def verify_goes_on_after_a_bad_file():
    good, other = vectors()[:2]
    cut = file("cut-1.gz", good.read_bytes()[:500])
    result = ludus("verify", "prospector", good, cut, WORK / "none.gz", other, "--json", code=4)
    assert [line.get("ok") for line in result.lines()] == [True, True, None]
    assert result.lines()[-1] == {"passed": 2, "failed": 0}
    assert "cut-1.gz" in result.err and "none.gz" in result.err and "2 of 4 files" in result.err
    lines = gzip.decompress(good.read_bytes()).decode().splitlines()
    head = json.loads(lines[0])
    # a budget that ends the episode early is a difference, no damaged file
    head["time_max"] = 100.0
    early = file("early.jsonl", "\n".join([json.dumps(head)] + lines[1:]) + "\n")
    result = ludus("verify", "prospector", early, cut, "--json", code=5)
    assert result.lines()[0]["ok"] is False and result.lines()[0]["got"]["first_mismatch"]
    assert result.lines()[-1] == {"passed": 0, "failed": 1}
    long = next(path for path in vectors() if "long" in path.name)
    assert "steps 1591," in ludus("verify", "prospector", long).out
    assert "case" not in ludus("verify", "prospector", cut, code=4).out


@test
def two_writers_are_never_at_once():
    home = copy_of_the_project("locked")
    env = environment(LUDUS_HOME=home)
    folder = os.open(home / "games", os.O_RDONLY)
    fcntl.flock(folder, fcntl.LOCK_EX)
    before = (home / "games/corridor/golden.txt").read_bytes()
    fails(7, "another ludus", "new", "lantern", env=env)
    fails(7, "another ludus", "golden", "corridor", "--write", env=env)
    ludus("golden", "corridor", "--check", env=env)
    assert not (home / "games/lantern").exists()
    assert (home / "games/corridor/golden.txt").read_bytes() == before
    os.close(folder)
    stale = home / ".ludus-new-lantern-abcdef"  # left by a run that was killed
    stale.mkdir()
    (stale / "lantern.c").write_text("half")
    made = ludus("new", "lantern", "--json", env=env).json()
    assert made["folder"] == str(home / "games/lantern") and made["next"] and not stale.exists()


@test
def completion_knows_values():
    home = copy_of_the_project("completion")
    script = file("values.bash", ludus("completion", "bash", env=environment(LUDUS_HOME=home)).out)
    (WORK / "two words.ludus").write_text("")

    def complete(*words):
        line = " ".join(f"'{w}'" for w in words)
        text = (f"source {script}; COMP_WORDS=({line}); COMP_CWORD={len(words) - 1}; _ludus; "
                '[ ${#COMPREPLY[@]} = 0 ] || printf "%s\\n" "${COMPREPLY[@]}"')
        return subprocess.run(["bash", "-c", text], capture_output=True, check=True, cwd=WORK,
                              text=True).stdout.splitlines()

    assert complete("ludus", "--no-color", "wat") == ["watch"]
    assert complete("ludus", "watch", "--bot", "") == []
    bots = complete("ludus", "watch", "prospector", "--bot", "")
    assert "pilot" in bots and bots.count("random") == 1
    assert complete("ludus", "watch", "corridor", "--seed", "") == []
    assert complete("ludus", "watch", "prospector", "--preset", "prospector-s") == ["prospector-short"]
    assert complete("ludus", "conform", "--only", "mask-a") == ["mask-agrees"]
    assert complete("ludus", "watch", "prospector", "--set", "reward.mo") == ["reward.mode="]
    assert complete("ludus", "watch", "prospector", "--set", "reward.mode", "=", "ref") == ["reference"]
    assert complete("ludus", "watch", "prospector", "--reward.mode", "=") == ["profit", "reference"]
    assert complete("ludus", "bench", "--no-i") == ["--no-instructions"]
    assert complete("ludus", "replay", "two") == ["two words.ludus"]
    assert complete("ludus", "games", "--con") == []


@test
def long_checks_show_progress_and_stop_at_once():
    for words in [["--steps", "1000000000"], ["--hash", "--steps", "1000000000"]]:
        t = Terminal("conform", "prospector", *words)
        t.wait_for(" s", seconds=10)
        t.wait_for("prospector-v1, ", seconds=10)
        start = time.time()
        t.child.send_signal(signal.SIGINT)
        t.end(130)
        assert time.time() - start < 3 and "interrupted" in t.seen


@test
def narrow_terminals_say_what_they_cut():
    t = Terminal("play", "prospector", "--seed", "7", columns=40, lines=12)
    t.wait_for("action: ")
    t.type("tra")
    t.wait_for("\x1b[0mtra")
    lines = t.screen()
    assert len(lines) <= 12 and max(map(len, lines)) <= 40, lines
    assert lines[0].endswith(">"), lines
    t.type("\x1b")
    time.sleep(0.2)
    fcntl.ioctl(t.slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    t.child.send_signal(signal.SIGWINCH)
    t.wait_for("choice (")
    t.type("q\r")
    t.end(0)


# ---- models and kernels ----

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
    out = WORK / "model" / "out.zip"
    ludus("model", "export", path, "--zip", out)
    assert out.read_bytes() == path.with_suffix(".zip").read_bytes()
    again = ludus("model", "show", out, "--json").json()
    assert {**again, "file": ""} == {**told, "file": ""}


def _product(shape):
    product = 1
    for n in shape:
        product *= n
    return product


@test
def model_refuses():
    fails(2, "did you mean 'show'", "model", "shwo", "x")
    fails(2, "needs to know what to do", "model")
    fails(2, "needs a FILE", "model", "show")
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
    assert report["rows"] == 32 and report["processor"] and len(report["kernels"]) == 20
    assert all(k["gflops"] > 0 and k["share"] > 0 for k in report["kernels"])
    text = ludus("bench", "nn", "--seconds", "0.01").out
    assert "peak" in text and "whole gradient" in text and "bf16" in text
    home = WORK / "bench-nn"
    (home / "games").mkdir(parents=True)
    (home / "config").mkdir()
    ludus("bench", "nn", "--seconds", "0.01", "--write", env=environment(LUDUS_HOME=home))
    assert len(list((home / "bench/results").glob("nn-*.json"))) == 1
    fails(2, "unexpected argument", "bench", "nn", "corridor")


def main():
    filters = sys.argv[2:]
    passed = failed = 0
    for function in TESTS:
        if filters and not any(f in function.__name__ for f in filters):
            continue
        start = time.time()
        problem = None
        try:
            function()
        except Exception as error:  # a test may fail in any way; the others still run
            problem = f"{type(error).__name__}: {error}"
        took = time.time() - start
        word = "FAIL" if problem else "ok  "
        print(f"{word} {took:8.3f} s  cli:{function.__name__}", flush=True)
        if problem:
            failed += 1
            print("    " + problem[:3000].replace("\n", "\n    "), flush=True)
        else:
            passed += 1
    shutil.rmtree(WORK, ignore_errors=True)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
