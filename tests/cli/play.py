"""Playing: play, watch and bench through pipes and in a terminal of 80 x 24."""

import fcntl
import json
import os
import re
import signal
import struct
import subprocess
import termios
import time

from cli.evaluate import turns_model
from cli.helper import (LUDUS, PATIENCE, PROBES, ROOT, WORK, Terminal, environment, fails, file, games, interrupt, ludus, ludus_any,
                        probes, test)


@test
def play_reads_commands_from_a_pipe():
    result = ludus("play", "corridor", "--seed", "3", stdin="?\nh\n\nxyzzy\n99\nright\nq\n")
    for part in ["choice (", "seeker advises", "there is no option 'xyzzy'", "there is no option 99",
                 "Again: ludus play corridor-v1 --seed 3"]:
        assert part in result.out, (part, result.out)
    assert "ludus play corridor-v1 --seed" in ludus("play", "corridor").out  # the end of the input
    long = "x" * 100_000 + "\n\x00\x01\xff\n"
    ludus("play", "corridor", stdin=long)
    won = ludus("play", "corridor", "--seed", "3", stdin="h\n\n" * 60)
    assert "The episode ended" in won.out and "found yes" in won.out


@test
def play_tells_the_command_of_the_same_episode():
    again = ludus("play", "joker", "--seed", "7", "--option.seed", "TESTSEED", "--deck", "plasma",
                  "--reward.mode", "engine", stdin="q\n").out.splitlines()[-1]
    assert again.startswith("Again: ludus play joker-v1 --seed 7 "), again
    assert "--deck plasma" in again and "--option.seed TESTSEED" in again, again
    assert "--reward.mode" not in again, again  # the default
    first = ludus("play", "joker", "--json", *again.split()[4:], stdin="").lines()[0]
    assert first["seed"] == 7 and first["state"]["deck_key"] == "b_plasma", first["state"]


@test
def play_says_why_not_and_records():
    path = WORK / "played.ludus"
    result = ludus("play", "prospector", "--seed", "7", "--bot", "greedy_miner", "--record", path,
                   stdin="mine normal\nsel r 1\nt 1\nrock 1\nm\nh\nquit\n")
    assert "isn't legal now: " in result.out and "Recorded" in result.out
    info = ludus("replay", path, "--info", "--json").json()
    assert info["decisions"] == 4 and not info["ended"] and info["seed"] == 7


@test
def a_word_means_what_is_legal_where_more_than_one_begins_so():
    out = ludus("play", "joker", "--option.seed", "TESTSEED", stdin="select\nquit\n").out
    assert "Small Blind begins" in out and "isn't legal" not in out, out


@test
def numbers_and_keys_mean_what_the_board_shows():
    def said(typed):
        return ludus("play", "prospector", "--seed", "7", "--json", stdin=typed).lines()[-1]["message"]
    assert said("1\n").startswith("travel 1: ") and said("2\n").startswith("travel 2: ")
    for word in ("rock 2", "r2", "se r 2", "select 2", "select rock 2"):
        assert said(f"1\n{word}\n").startswith("select rock 2: "), word
    for key, name in (("n", "mine careful"), ("m", "mine normal"), ("k", "mine hard"), ("q", "wide scan"), ("h", "hold")):
        assert said(f"1\nrock 1\n{key}\n").startswith(name + ": "), key
    assert "'buy kit' isn't legal now" in said("1\ny\n")
    # q is the game's: one leaves by the whole word; g is the hint, as on the site
    out = ludus("play", "prospector", "--seed", "7", stdin="g\n\nquit\n").out
    assert "? help, quit)" in out and "advises" in out and "decision 1 " in out and "1-6 travel 1..6" in out
    # the same keys as the page has
    rows = re.findall(r'\["([a-z ]+\d*)", "[^"]+", \w+, "(\w)", "', (ROOT / "games/prospector/view/words.ts").read_text())
    assert len(rows) == 23, rows
    for name, key in rows:
        told = said(f"{key}\n")
        assert told.startswith(f"{name}: ") or f"'{name}' isn't legal now" in told, (key, name, told)


@test
def several_heads_in_one_line():
    words = ["play", "joker", "--seed", "7", "--option.seed", "TESTSEED"]

    def rows(typed):
        return ludus(*words, "--json", stdin=typed).lines()
    start = "select blind\n"
    hand = rows(start)[-1]["state"]["hand"]
    assert rows(start + "discard 1 3\n")[-1]["message"].startswith("discard"), rows(start + "discard 1 3\n")[-1]["message"]
    after = rows(start + "discard 1 3\n")[-1]
    assert after["decision"] == 2 and "discarded 2" in after["message"]
    assert rows(start + "d 1,3\n")[-1]["state"] == after["state"]  # the key of the page
    assert rows(start + "discard\n1 3\n")[-1]["state"] == after["state"]
    # one card after the other, and from the start again
    asked = rows(start + "play\nchoose\nback\n")
    assert asked[2]["head"] == "card 1" and asked[3]["head"] == "card 2" and asked[4]["head"] == "do"
    # a preview: the score that the hand then makes; Enter plays it
    shown = rows(start + "play 1 2 3?\n\n")
    assert shown[2]["decision"] == 1 and "press Enter to play it" in shown[2]["message"], shown[2]
    score = re.search(r": ([\d,]+) of the 300 you still need", shown[2]["message"]).group(1)
    assert shown[3]["decision"] == 2 and f"for {score}" in shown[3]["message"], (score, shown[3]["message"])
    # what cannot be is told, and nothing is chosen
    for line, why in (("play 1 2 3 4 5 6", "6 cannot be chosen: the action takes no more cards"),
                      ("play 9", "9 cannot be chosen: there is no such card in the hand"), ("play 1 1", "1 is named twice"),
                      ("play 1 x", "no option"), ("select blind", "isn't legal"), ("skip pack", "'skip pack' isn't legal")):
        last = rows(start + line + "\n")[-1]
        assert why in last["message"] and last["decision"] == 1 and last["head"] == "do", (line, last["message"])
    # the same numbers where a single one is left, and what happens without a choice is told
    shop = start + "g\n\n" * 3
    assert "the blind is beaten" in rows(shop)[-1]["message"] and "cash out: was paid $" in rows(shop)[-1]["message"]
    assert "buy 2: bought" in rows(shop + "buy 2\n")[-1]["message"]
    assert "'2' isn't legal now" in rows(shop + "buy 2\nbuy 2\n")[-1]["message"]
    assert "buy 1: bought" in rows(shop + "buy 2\nbuy 1\n")[-1]["message"]
    assert "sell joker 1: sold" in rows(shop + "buy 2\nsell 1\n")[-1]["message"]
    # Enter plays all that was advised
    hinted = rows("select blind\ng\n\n")
    assert hinted[-1]["decision"] == 2 and hinted[-1]["head"] == "do", hinted[-1]
    # also after a preview, and Enter alone plays nothing that is no longer shown
    hinted = rows("play 1?\ng\n\n")
    assert hinted[-1]["decision"] == 1 and "begins" in hinted[-1]["message"], hinted[-1]
    assert rows("g\nplay 1\n\n")[-1]["decision"] == 0
    assert len(hand) == 8
    # the seed that is played, and the tag's whole text
    out = ludus(*words, stdin="quit\n").out
    assert "seed TESTSEED " in out and "seed 7 " not in out.split("Again")[0], out
    assert "(nothing below $0)" in " ".join(out.split()), out
    t = Terminal(*words)
    t.wait_for("seed TESTSEED")
    t.type("b\r")
    t.wait_for("decision 1 ")
    t.type("play 1 2 3")
    t.wait_for(f"{score} of the 300 you still need")
    t.type("\r")
    t.wait_for("decision 2 ")
    t.type("\x03")
    t.end(130)


@test
def a_long_list_is_searched_and_paged():
    words = ["play", "potion", "--seed", "7"]
    row = next(o for o in ludus(*words, "--json", stdin="").lines()[0]["legal"] if o["option"] > 0)
    assert re.fullmatch(r"([A-E]\d+ )+x\d+ \d+g", row["note"]), row
    out = ludus(*words, stdin="/" + row["name"].split()[-1] + "\nquit\n").out
    line = f"{row['option']} {row['name']} {row['note']}"
    assert line in out, (line, out)
    searched = out.split("choice (")[1]
    assert line in searched and len(searched) < len(out.split("choice (")[0])
    t = Terminal(*words)
    t.wait_for("choice (")
    t.type("\t")
    t.wait_for("page 1 of ")
    lines = t.screen()
    assert len(lines) <= 24 and max(map(len, lines)) <= 80, lines
    t.type("\x1b[6~")
    t.wait_for("page 2 of ")
    t.type("p\r")
    t.wait_for("page 1 of ")
    t.type("/zzz")
    t.wait_for("nothing legal is called 'zzz'")
    t.type("\x03")
    t.end(130)


@test
def play_answers_in_json():
    spec = ludus("spec", "corridor", "--json").json()
    names = [o["name"] if isinstance(o, dict) else o for o in spec["heads"][0]["options"]]
    # the bot's advice until the end
    lines = ludus("play", "corridor", "--seed", "3", "--json", stdin="h\n\n" * 100).lines()
    assert [line["over"] for line in lines] == [False] * (len(lines) - 1) + [True]
    assert lines[-1]["terminated"] and lines[-1]["legal"] == [] and lines[-1]["head"] is None
    assert lines[0]["decision"] == 0 and lines[0]["seed"] == 3 and "advises" in lines[1]["message"]
    for line in lines[:-1]:
        assert line["legal"] and line["head"] == spec["heads"][0]["name"] and line["info"]
        assert all(names[o["option"]] == o["name"] for o in line["legal"]), line
    rewards = {line["decision"]: line["reward"] for line in lines}
    assert abs(sum(rewards.values()) - lines[-1]["return"]) < 1e-9
    # what is not understood is told and asked again
    asked = ludus("play", "corridor", "--seed", "3", "--json", stdin="zzz\n99\nright\nq\n").lines()
    assert [line["decision"] for line in asked] == [0, 0, 0, 1]
    assert "no option 'zzz'" in asked[1]["message"] and "no option 99" in asked[2]["message"]
    path = WORK / "json.ludus"
    result = ludus("play", "corridor", "--seed", "3", "--json", "--record", path, stdin="right\n")
    assert "json.ludus" in result.err and len(result.lines()) == 2
    assert ludus("replay", path, "--info", "--json").json()["decisions"] == 1
    # dependent heads are asked one after the other; a hidden seat stays hidden
    asked = probes("play", "chain", "--seed", "1", "--json", stdin="throw\n" * 3).lines()
    assert asked[0]["head"] == "verb" and asked[0]["chosen"] == []
    assert asked[1]["head"] in ("item", "direction") and len(asked[1]["chosen"]) >= 1
    t = Terminal("play", "corridor", "--seed", "3", "--json")
    t.wait_for('"legal"')
    t.type("q\n")
    t.end(0)
    assert "\x1b" not in t.seen


@test
def two_people_play_at_one_terminal():
    # at once: the first choice is not shown before the second is there
    lines = probes("play", "duet", "--opponent", "person", "--seed", "3", stdin="rock\npaper\nq\n").out
    asked = lines[:lines.index("wins")]
    assert "seat 0, choice" in asked and "seat 1, choice" in asked and "now seat 1 chooses" in asked
    board = asked[:asked.rindex("seat 1, choice")]
    assert board.count("rock") == 2, board  # as an option of each
    assert "seat 1 wins 2" in lines and "--opponent person" in lines
    told = probes("play", "duet", "--opponent", "person", "--seed", "3", "--json", stdin="rock\npaper\nh\n\nrock\n").lines()
    assert [(row["decision"], row["seat"]) for row in told] == [(0, 0), (0, 1), (1, 0), (1, 0), (1, 1), (2, 0)]
    assert told[1]["state"] == probes("play", "duet", "--seat", "1", "--seed", "3", "--json").lines()[0]["state"]
    assert "rock" not in told[1]["message"] and "advises" in told[3]["message"] and "advises" not in told[4]["message"]
    # in turn, to the end; the replay has the choices of both
    path = WORK / "people.ludus"
    words = ["play", "turns", "--opponent", "person", "--seed", "3", "--json"]
    told = probes(*words, "--record", path, stdin="h\n\n" * 100).lines()
    assert told[-1]["over"] and [row["seat"] for row in told[:-1:2]] == [i % 2 for i in range(len(told) // 2)]
    assert probes("replay", path, "--info", "--json").json()["decisions"] == told[-1]["decision"] == len(told) // 2
    assert [row["seat"] for row in probes(*words, "--seat", "1", stdin="h\n\n" * 2).lines()[::2]] == [0, 1, 0]
    t = Terminal("play", "duet", "--opponent", "person", "--seed", "3", program=PROBES)
    t.wait_for("seat 0, choice (")
    t.type("rock\r")
    t.wait_for("seat 1, choice (")
    assert not any("last rock" in line or line.endswith("rock") for line in t.screen()), t.screen()
    t.type("paper\r")
    t.wait_for("seat 1 wins 2")
    t.type("q\r")
    t.end(0)


@test
def any_player_sits_opposite():
    for seat in ("0", "1"):
        words = ["play", "turns", "--seed", "3", "--seat", seat, "--json"]
        for opponent in ("random", "bot:expert", turns_model()):
            told = probes(*words, "--opponent", opponent, stdin="h\n\n" * 100).lines()
            assert told[-1]["over"] and {row["seat"] for row in told} == {int(seat)}, opponent
            assert told[0]["decision"] == int(seat)
        path = WORK / f"opposite-{seat}.ludus"
        probes(*words, "--opponent", turns_model(), "--record", path, stdin="h\n\n" * 100)
        frames = [row for row in probes("replay", path, "--json").lines() if row.get("t", -1) >= 0]
        for index, frame in enumerate(frames):  # the model thinks, in its own seat
            own = index % 2 == 1 - int(seat)
            assert [t is not None for t in frame["thought"]] == [own and seat == "1", own and seat == "0"], frame
    fails(2, "cannot be combined", "play", "turns", "--bot", "expert", "--model", turns_model(), program=PROBES)
    fails(2, "drives this seat itself", "play", "house", "--seat", "1", program=PROBES)
    # a person opposite a seat that the game drives is not asked for it
    told = probes("play", "house", "--opponent", "person", "--seed", "3", "--json", stdin="h\n\n" * 200).lines()
    assert {row["seat"] for row in told} == {0} and told[-1]["over"]


@test
def watch_mixes_models_and_bots():
    model = str(turns_model())
    for words in (["--model", model, "--opponent", "expert"], ["--bot", "expert", "--opponent", model]):
        path = WORK / f"mixed-{words[0].strip('-')}.ludus"
        out = probes("watch", "turns", "--seed", "3", *words, "--record", path).out
        frames = [row for row in probes("replay", path, "--json").lines() if row.get("t", -1) >= 0]
        for index, frame in enumerate(frames):  # both tell, the model alone thinks
            assert frame["story"] in out, frame
            thinks = (0 if words[0] == "--model" else 1) == index % 2
            assert [t is not None for t in frame["thought"]] == [thinks and index % 2 == 0, thinks and index % 2 == 1], frame


@test
def an_episode_that_a_limit_cut_off_says_so():
    assert "end time limit" in ludus("watch", "cartpole", "--fast").out


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
    assert "95% interval" in ludus("watch", "corridor", "--episodes", "5").out
    assert "median" in ludus("watch", "corridor", "--bot", "random", "--seeds", "0..9").out
    assert "The episode ended" in ludus("watch", "corridor", "--seed", "3").out
    fails(2, "--record", "watch", "corridor", "--episodes", "5", "--record", "x.ludus")


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
    interrupt(child)
    out, err = child.communicate(timeout=PATIENCE)
    assert child.returncode == 130 and b"interrupted" in err and out == b"", (child.returncode, err)


@test
def play_in_a_terminal_and_quit():
    t = Terminal("play", "corridor", "--seed", "3")
    t.wait_for("choice (")
    t.type("?\r")
    t.wait_for("how a name begins")
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
            t.type("g\r")
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
def watch_records_in_a_terminal():
    path = WORK / "terminal.ludus"
    t = Terminal("watch", "corridor", "--seed", "3", "--fps", "50", "--record", path)
    t.wait_for("over")
    t.type("q")
    t.end(0)
    assert ludus("replay", path, "--info", "--json").json()["ended"]


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


@test
def long_checks_show_progress_and_stop_at_once():
    for words in [["--steps", "1000000000"], ["--hash", "--steps", "1000000000"]]:
        t = Terminal("conform", "prospector", *words)
        t.wait_for(" s")
        t.wait_for("prospector-v1, ")
        start = time.time()
        t.child.send_signal(signal.SIGINT)
        t.end(130)
        assert time.time() - start < 60 and "interrupted" in t.seen  # of some hours


@test
def progress_leaves_its_line():
    t = Terminal("joker", "find", "joker blueprint shop 1 ante 1; joker brainstorm shop 2 ante 1; boss hook ante 1; "
                 "voucher telescope ante 1; tag negative ante 2", "--seeds", "2e12", "--threads", "1")
    t.wait_for("%")
    t.child.send_signal(signal.SIGINT)
    t.end(130)
    told = t.seen[t.seen.rindex("%") + 1:]
    assert told.startswith("\r") and re.search(r"\r[^\r]*found in", told), repr(told)
    t = Terminal("conform", "prospector", "--steps", "1000000000", columns=40)
    t.wait_for("prospector-v1, ")
    lines = [x for x in re.split("[\r\n]", t.seen) if re.search(r"\d( s|%)$", x)]
    assert lines and max(map(len, lines)) <= 40, lines
    t.child.send_signal(signal.SIGINT)
    t.end(130)


@test
def tables_fit_the_screen():
    words = ["watch", "cartpole", "--seeds", "1..3", "--bot", "balancer"]
    wide = ludus(*words).out.splitlines()
    rows = [line.split() for line in wide[2:6]]
    assert rows[0][:2] == ["metric", "mean"] and rows[1][:5] == ["steps", "500", "500", "..", "500"], rows
    assert wide.count("steps = return = decisions = ticks") == 2, "equal rows are one"
    assert not any(line.startswith(("return", "ticks", "illegal")) for line in wide)
    told = ludus("eval", "bot:balancer", "--game", "cartpole", "--episodes", "6", "--against", "random").out
    assert told.count("better than random") == 1 and "illegal" not in told, told
    told = ludus("compare", "bot:balancer", "bot:random", "--game", "cartpole", "--episodes", "6").out
    assert told.count("A - B") == 1, "what is equal to the headline is not told again"
    for columns in (80, 50, 30):
        for text in ludus(*words, env=environment(COLUMNS=columns)).out, \
                ludus("spec", "prospector", env=environment(COLUMNS=columns)).out.split("Reward terms")[1]:
            table = [x for x in text.split("\n\n") if "metric" in x or x.startswith("\nterm")]
            assert table and max(len(x) for t in table for x in t.splitlines()) <= columns, (columns, table)
    assert ludus(*words, env=environment(COLUMNS="wide")).out.splitlines() == wide
    assert "IQM" in wide[2] and "IQM" not in ludus(*words, env=environment(COLUMNS=46)).out
    t = Terminal("games", columns=40)
    t.end(0)
    table = t.seen.replace("\x1b[1m", "").replace("\x1b[0m", "").split("\r\n\r\n")[0]
    assert max(map(len, table.split("\r\n"))) <= 40, table
    for words, whole in ((["compare", "latest"], "compare A B"), (["settings", "entropy"], "names as in the"),
                         (["replay", "best", "--run.folder", WORK / "none"], "`ludus train GAME`")):
        t = Terminal(*words, columns=40)
        t.end(2 if words[0] == "compare" else 0 if words[0] == "settings" else 3)
        said = re.sub(r"\x1b\[\d*m", "", t.seen).split("\r\n")
        assert max(map(len, said)) <= 40, said
        assert whole in " ".join(line.strip() for line in said), said
    assert any("`ludus train GAME`" in line for line in said), "a command stays in one piece"
    numbers = re.findall(r"\d+\.\d+", ludus("watch", "corridor", "--seeds", "1..30", "--bot", "random").out)
    assert numbers and all(len(x.replace(".", "").lstrip("0")) <= 3 for x in numbers), numbers


@test
def narrow_terminals_say_what_they_cut():
    t = Terminal("play", "prospector", "--seed", "7", columns=40, lines=12)
    t.wait_for("action: ")
    t.type("tra")
    t.wait_for("\x1b[0mtra")
    lines = t.screen()
    assert len(lines) <= 12 and max(map(len, lines)) <= 40, lines
    assert lines[1].endswith(">"), lines
    t.type("\x1b")
    t.wait_for("action: ")
    fcntl.ioctl(t.slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    t.child.send_signal(signal.SIGWINCH)
    t.wait_for("choice (")
    t.type("quit\r")
    t.end(0)


@test
def words_that_are_too_wide_go_on_in_the_next_line():
    t = Terminal("play", "joker", "--option.seed", "TESTSEED", columns=40)
    t.wait_for("do: ")
    t.type("b\r")
    t.wait_for("decision 1")
    lines = t.screen()
    assert max(map(len, lines)) <= 40 and "seed TESTSEED   decision 1" in lines[0], lines
    assert not any(line.endswith(">") for line in lines) and any("8:4C" in line for line in lines), lines
    t.type("\x03")
    t.end(130)


@test
def whoever_stops_it_gets_the_terminal_back():
    t = Terminal("play", "prospector", "--seed", "7")
    t.wait_for("choice (")
    for number in (signal.SIGTSTP, signal.SIGSTOP):
        t.child.send_signal(number)
        os.waitpid(t.child.pid, os.WUNTRACED)
        if number == signal.SIGTSTP:
            t.wait_for("\x1b[?1049l")
            assert termios.tcgetattr(t.slave) == t.before, "the terminal is not as it was"
        else:
            termios.tcsetattr(t.slave, termios.TCSANOW, t.before)  # as a shell does
        t.child.send_signal(signal.SIGCONT)
        back = t.wait_for("\x1b[?1049h")
        if "choice (" not in back.split("\x1b[?1049h")[1]:  # what was read is not waited for
            t.wait_for("choice (")
    t.type("quit\r")
    t.end(0)
