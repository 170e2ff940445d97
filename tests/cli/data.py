"""Streams and files: JSON lines, closed pipes, full disks, trace, verify, conform and golden."""

import gzip
import json
import os
import re
import signal
import subprocess
from pathlib import Path

from cli.helper import (LUDUS, PROBES, WORK, environment, fails, file, games, ludus, ludus_any,
                        probes, test, vectors, until)


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
    with open("/dev/full", "wb") as full:  # what was trained is kept, and the loss of its report told
        done = subprocess.run([LUDUS, "train", "cartpole", "--out", WORK / "unreported", "--steps", "2k", "--set", "train.environments=16",
                               "--set", "train.horizon=32", "--set", "train.minibatch=256", "--set", "eval.on=false"], stdout=full, stderr=subprocess.PIPE, env=environment())
    assert done.returncode == 1 and b"everything else is done" in done.stderr and ludus("runs", "list", "--run.folder", WORK / "unreported", "--json").json()["runs"][0]["status"] == "finished", done
    before = ludus("watch", "corridor", "--fast", "--record", WORK / "no/such/x.ludus", code=3)
    assert "x.ludus" in before.err and not before.out, "an episode was played for nothing"
    fails(1, "folder", "watch", "corridor", "--fast", "--record", WORK)


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
    words = ["trace", "duet", "--actions", "-", "--json"]
    throws = "0 1\n1 0\n0 1\n1 0\n"
    wish = ["--option.rounds", "3", "--option.lead=10", "--set", "option.words=spring tide"]
    lines = probes(*words, *wish, "--seed", "1", stdin=throws).lines()
    assert [i["lead"] for i in lines[0]["info"]] == [10, -10] and len(lines) == 4 and lines[-1]["terminated"]
    # the words are the seed
    assert probes(*words, *wish, "--seed", "2", stdin=throws).lines() == lines
    other = probes(*words, *wish, "--set", "option.words=neap tide", stdin=throws).lines()
    assert other != lines
    fails(2, "lead", *words, "--option.lead", "101", program=PROBES)
    fails(2, "option.words", *words, "--option.wods", "x", program=PROBES)
    # a replay brings its options along
    record = WORK / "options.replay"
    probes("watch", "duet", "--fast", "--bot", "answer", "--record", record, *wish)
    shown = probes("replay", record, "--json").lines()
    assert json.dumps("spring tide") in json.dumps(shown), shown[0]


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
def spec_lists_the_options_by_set():
    text = ludus("spec", "prospector").out
    actions = text[text.index("Actions:"):text.index("Observation:")]
    assert "7=emergency burn\n  Scan: 8=wide scan, 9=" in actions
    assert not re.search(r",\n  \S", actions), actions  # a set does not end in a comma


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
    empty = file("empty.json", '{"format": "ludus-joker-seeds-1", "cases": []}')
    fails(4, "nothing was checked", "verify", "joker", empty)
    for name, data in [("cut.gz", good[: len(good) // 2]), ("noise.gz", os.urandom(2000)),
                       ("gz-noise.gz", b"\x1f\x8b" + os.urandom(2000)), ("empty.gz", b""),
                       ("text.gz", b"hello\n"), ("array.gz", b"[1,2]\n"),
                       ("head.gz", gzip.compress(gzip.decompress(good).split(b"\n")[0][:500]))]:
        result = ludus_any("verify", "prospector", file(name, data), "--json")
        assert result.code == 4 and name in result.err, (name, str(result))
    result = ludus_any("verify", "prospector", WORK)
    assert result.code in (1, 4) and result.err.startswith("ludus: "), str(result)


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
    assert json.loads(ludus("verify", "prospector", long, "--json").out.splitlines()[0])["got"]["steps"] == 1591
    assert re.search(r"04_long_mixed.*\d{6} values", ludus("verify", "prospector", long).out)
    assert "case" not in ludus("verify", "prospector", cut, code=4).out


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
def a_tool_runs_by_its_name():
    case = file("case.json", json.dumps({"id": "c", "recipe": 1, "cauldron": 2, "stock": "all"}))
    answer = ludus("potion", "solve", case, "--json").json()
    assert answer["id"] == "c" and answer["best_total"]["total"] == 160
    assert answer["best_profit"]["profit"] == 270 and answer["best_profit"]["proof"] == "optimal"
    assert ludus("tool", "potion", "solve", case, "--json").json() == answer
    words = ludus("potion", "solve", case).out
    assert "Largest total: 160 magimins" in words and "profit 270; proven best" in words
    assert "--least_grade" in ludus("tool", "potion", "solve", "--help").out
    fails(3, "did you mean 'solve'?", "potion", "sovle")
    fails(3, "has no tool 'solve'", "tool", "corridor", "solve")
    fails(2, "a recipe and a cauldron", "potion", "solve")
    fails(2, "as the argument and by --seed", "joker", "seed", "ABC", "--seed", "DEF")
    fails(2, "duel odds reads no file, but 'x.json' is given", "duel", "odds", "x.json")
    assert "ludus duel odds [options]" in ludus("help", "duel", "odds").out
    fails(3, "none.json", "potion", "solve", WORK / "none.json")


@test
def a_tool_may_speak_in_words():
    mine = file("mine.csv", "name,pieces\r\nMandrake Root,4\r\nSack of Slime,4\r\n")
    asked = ("potion", "advise", mine, "--cauldron", "Mudpack", "--shop", "0")
    answer, words = ludus(*asked, "--json").json(), ludus(*asked).out
    assert words.splitlines() == answer["words"] and len(answer["words"]) > 4
    assert words.startswith("Brew Mana Potion in the Mudpack cauldron.\n")
    assert answer["best"]["names"] == {"Mandrake Root": 3, "Sack of Slime": 3}
    fails(4, "bad.txt:2: 'Mandrak Root' isn't an ingredient; did you mean 'Mandrake Root'?", "potion", "advise",
          file("bad.txt", "Feyberry 2\nMandrak Root 4\n"), "--cauldron", "2")
    fails(2, "needs a cauldron", "potion", "advise", mine)


@test
def tools_speak_of_names():
    mine = file("pieces.txt", "4 Feyberry\nRotfly Larva 2\n")
    assert ludus("potion", "inventory", mine).out == "6 pieces of 2 ingredients:\n   2 Rotfly Larva\n   4 Feyberry\n"
    for tool in (["seed", "TESTSEED"], ["find", "joker blueprint"]):
        fails(2, "not one of red, blue, yellow", "joker", *tool, "--deck", "purple")
        fails(2, "did you mean 'plasma'?", "joker", *tool, "--deck", "plasm")


@test
def a_tool_keeps_a_file():
    """A session is made by the first call, written anew by each one that ends well, and left alone otherwise."""
    kept = WORK / "craft.json"
    kept.unlink(missing_ok=True)
    item = file("belt.txt", "Item Class: Belts\nRarity: Magic\nHeavy Belt\n--------\nItem Level: 82\n--------\n+91 to maximum Life\n")
    more = file("more.txt", item.read_text() + "+12% to Fire Resistance\n")
    actions = "orb_of_transmutation,orb_of_augmentation,regal_orb,exalted_orb"
    asked = ("craft", "advise", item, "--session", kept)
    first = ludus(*asked, "--want", "T4 life, T3 fire resistance", "--actions", actions, "--json").json()
    assert kept.read_text() == first["session"] + "\n" and first["next"] == "orb_of_augmentation"
    told = ludus("craft", "advise", more, "--session", kept).out
    assert "Done: Orb of Augmentation" in told and "So far: 1 step," in told
    step, = json.loads(kept.read_text())["done"]
    assert step["price"] > 0 and [len(step[key]["mods"]) for key in ("before", "after")] == [1, 2]
    assert [path.name for path in WORK.glob("craft.json*")] == ["craft.json"]
    for text, code, says in (("{", 4, "craft.json is damaged"), ("{}", 4, "isn't a session"), ('{"schema":"ludus.craft.session/2"}', 4, "of version 2")):
        kept.write_text(text)
        fails(code, says, *asked)
        assert kept.read_text() == text
    # another call was faster: that file stays
    kept.unlink()
    slow = subprocess.Popen([LUDUS, "craft", "advise", "-", "--session", kept, "--actions", actions, "--want", "T4 life, T3 fire resistance"],
                            stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=environment())
    until(lambda: Path(f"/proc/{slow.pid}/stat").read_text().split(")")[-1].split()[0] == "S", "a program that waits for the item")
    kept.write_text(first["session"])
    said = slow.communicate(item.read_bytes())[1].decode()
    assert "in the meantime, so it was left alone; ask again" in said and slow.returncode == 7, said
    assert kept.read_text() == first["session"]
    fails(3, "nosuch", "craft", "advise", WORK / "nosuch.txt", "--session", WORK / "never.json")
    assert not (WORK / "never.json").exists()


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
