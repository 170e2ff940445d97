"""Replays: opening and refusing, frames as JSON, the page, the player, and names of replays in runs."""

import base64
import hashlib
import json
import os
import re
import shutil

from cli.helper import PROBES, ROOT, WORK, Terminal, fails, file, ludus, ludus_any, probes, test

MODEL = ROOT / "models/prospector-v1.safetensors"
made = {}


def replay(name, *words):
    """A replay, recorded once."""
    if name not in made:
        made[name] = WORK / f"{name}.ludus"
        ludus("watch", *words, "--fast", "--record", made[name])
    return made[name]


def mined():
    return replay("mined", "prospector", "--bot", "greedy_miner", "--seed", "7")


def thought():
    return replay("thought", "prospector", "--model", MODEL, "--seed", "7", "--time_max", "120")


@test
def replays_open_and_refuse():
    path = mined()
    lines = ludus("replay", path, "--json").lines()
    assert lines[0]["game"] == "prospector-v1" and lines[0]["ended"]
    assert len(lines) == lines[0]["decisions"] + 2
    assert [line["t"] for line in lines[1:]] == list(range(-1, lines[0]["decisions"]))
    assert ludus("replay", path, "--from", "3", "--json").lines()[1:] == lines[4:]
    assert "re-simulated" in ludus("replay", path).out
    fails(2, "from", "replay", path, "--from", "100000")
    fails(3, "none.ludus", "replay", WORK / "none.ludus")
    fails(3, "no run", "replay", WORK)
    fails(4, "not of corridor-v1", "replay", path, "--game", "corridor")
    fails(3, "did you mean", "replay", path, "--game", "corridr")
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


@test
def earlier_replays_are_carried_over():
    old = file("earlier.replay", (ROOT / "fuzz/corpus/replay/duet-options.replay").read_bytes())
    before = probes("replay", old, "--json").lines()
    assert "upgraded" in probes("replay", "upgrade", old).out
    head, *frames = probes("replay", old, "--json").lines()
    assert frames == before[1:] and head["spec"] != "09ede6226b76911a"
    assert len(frames) == head["decisions"] + 1 and head["options"]["lead"] == 3
    assert probes("replay", "upgrade", old, old, "--json").lines() == [{"file": str(old), "changed": False}] * 2
    fails(2, "at least one FILE", "replay", "upgrade")
    fails(2, "unexpected argument", "replay", old, old)
    fails(4, "not a replay", "replay", "upgrade", file("none.replay", b"hello"))


@test
def frames_hold_what_a_trace_holds():
    lines = ludus("replay", mined(), "--json", "--legal").lines()
    trace = ludus("trace", "prospector", "--seed", "7", "--actions", "-", "--json",
                  stdin="".join(f"{line['action']}\n" for line in lines[2:])).lines()
    weights = lines[0]["weights"]
    assert len(trace) == len(lines) - 1
    for frame, step in zip(lines[1:], trace):
        assert frame["info"] == step["info"] and frame["rewards"] == [step["reward"]]
        assert frame["terms"] == step["terms"]
        reward = sum(weights[name] * value for name, value in frame["terms"].items())
        assert abs(reward - frame["rewards"][0]) < 1e-9
        over = frame["terminated"] or frame["truncated"]
        assert frame["legal"] == ([] if over else [i for i, m in enumerate(step["mask"]) if m])
    assert "legal" not in ludus("replay", mined(), "--json").lines()[1]
    fails(2, "--json", "replay", mined(), "--legal")
    # a game for two has them per seat
    path = WORK / "duet.ludus"
    probes("watch", "duet", "--fast", "--record", path)
    frame = probes("replay", path, "--json").lines()[2]
    assert len(frame["terms"]) == len(frame["rewards"]) == 2 and isinstance(frame["terms"][1], dict)


def page_of(path, *words, run=ludus):
    """The text of the page that shows boards as text, and the data in it."""
    target = WORK / "page.html"
    report = run("replay", path, "--html", target, "--view", "text", "--json", *words).json()
    text = target.read_text()
    assert report["view"] == "text" and report["html"] == str(target) and report["bytes"] == len(text.encode())
    found = re.findall(r'<script type="application/json" id="data">(.*?)</script>', text, re.S)
    assert len(found) == 1 and "<" not in found[0]
    return text, json.loads(found[0])


def texts(data, column):
    return [data["lines"][i] for i in data[column]]


@test
def the_page_holds_every_frame():
    text, data = page_of(thought(), "--from", "5")
    head, *frames = ludus("replay", thought(), "--json").lines()
    assert data["header"] == head and data["from"] == 5 and head["thoughts"]
    assert data["seed"] == str(head["seed"]) and data["info"] == frames[-1]["info"]
    assert data["rewards"] == [f["rewards"] for f in frames]
    assert texts(data, "stories") == [f["story"] for f in frames]
    assert texts(data, "actions")[1:] == [data["option_names"][f["action"]] for f in frames[1:]]
    assert data["ticks"] == [f["info"]["ticks_elapsed"] for f in frames]
    names = data["term_names"]
    for pairs, frame in zip(data["terms"], frames):
        terms = dict(zip((names[i] for i in pairs[::2]), pairs[1::2]))
        assert terms == {name: value for name, value in frame["terms"].items() if value}
    marks = {at: [data["event_names"][e] for e in kinds] for at, *kinds in data["marks"]}
    assert marks == {at: f["events"] for at, f in enumerate(frames) if f["events"]} and marks
    for at, frame in enumerate(frames[1:]):
        mind = frame["thought"]
        assert data["thoughts"][0]["value"][at] == mind["value"]
        assert data["thoughts"][0]["entropy"][at] == mind["entropy"]
        assert data["thoughts"][0]["top"][at] == [x for t in mind["top"] for x in (t["action"], t["probability"])]
    shown = ludus("replay", thought()).out
    board = [data["lines"][i] for i in data["boards"][-1]]
    assert "\n".join(board) in re.sub(r" +\n", "\n", shown), board
    assert len(data["boards"]) == len(frames) and len(set(data["lines"])) == len(data["lines"])
    assert "frames, " in ludus("replay", thought(), "--html", WORK / "page.html", "--view", "text").out


@test
def the_page_needs_and_runs_nothing_else():
    text, _ = page_of(mined())
    policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', text)[1]
    rules = dict(part.strip().split(" ", 1) for part in policy.split(";"))
    for tag, rule in [("style", "style-src"), ("script", "script-src")]:
        inside = re.findall(rf"<{tag}>(.*?)</{tag}>", text, re.S)
        assert len(inside) == 1, tag
        digest = base64.b64encode(hashlib.sha256(inside[0].encode()).digest()).decode()
        assert rules[rule] == f"'sha256-{digest}'", tag
    assert rules["default-src"] == "'none'" and len(rules) == 5
    assert not re.search(r"""\b(src|href|style|on\w+)\s*=\s*["']|url\(|@import|\bfetch\b|eval\(|innerHTML|@\w+_?HASH@|@DATA@""",
                         text), "the page reaches outside, or breaks its own policy"
    # the name of a replay cannot end the data
    folder = WORK / "x<"
    folder.mkdir()
    path = folder / "script><b onload='x'>&amp;.ludus"
    shutil.copy(mined(), path)
    text, data = page_of(path)
    assert data["header"]["file"] == str(path) and "</script><b" not in text


@test
def pages_of_other_games_and_lengths():
    path = WORK / "page-duet.ludus"
    probes("watch", "duet", "--fast", "--record", path)
    _, data = page_of(path, run=probes)
    frames = probes("replay", path, "--json").lines()[1:]
    names = data["term_names"]
    assert data["seats"] == 2 and data["thoughts"] is None
    for pairs, frame in zip(data["terms"], frames):
        for i, value in zip(pairs[::2], pairs[1::2]):
            assert frame["terms"][i // len(names)][names[i % len(names)]] == value
    # the site has no view of a game that only tests know: the page says so and shows its boards
    assert "shown as text" in probes("replay", path, "--html", WORK / "page.html").out
    assert probes("replay", path, "--html", WORK / "page.html", "--json").json()["view"] == "text"
    # most lines of a board stay, and each stands once: 12,000 frames in a few megabytes
    long = replay("long", "prospector", "--bot", "ace", "--seed", "7")
    text, data = page_of(long)
    assert len(data["boards"]) > 10_000 and len(text) < 400 * len(data["boards"])


@test
def pages_are_refused_where_they_do_harm():
    before = mined().read_bytes()
    fails(2, "the replay itself", "replay", mined(), "--html", mined())
    assert mined().read_bytes() == before
    fails(2, "html", "replay", mined(), "--html", "")
    fails(2, "without --html", "replay", mined(), "--html", WORK / "x.html", "--json", "--legal")
    result = ludus_any("replay", mined(), "--html", WORK / "nowhere/x.html")
    assert result.code in (1, 3) and "nowhere" in result.err
    assert not (WORK / "x.html").exists()


def press(t, keys, part):
    t.type(keys)
    t.wait_for(part)


@test
def the_player_jumps():
    frames = ludus("replay", mined(), "--json").lines()[1:]
    events = [at for at, frame in enumerate(frames) if frame["events"]]
    last = len(frames) - 1
    t = Terminal("replay", mined(), "--fps", "0.1")
    t.wait_for(f" 0/{last} playing")
    press(t, " ", f" 0/{last} paused")
    for keys, at in [("n", events[0]), ("]", events[1]), ("n", events[2]), ("p", events[1]), ("[", events[0]),
                     ("p", events[0]), ("\x1b[C", events[0] + 1), ("\x1b[6~", events[0] + 11),
                     ("\x1b[5~", events[0] + 1), ("\x1b[D", events[0]), ("g12\r", 12), ("g1\x7f5x\r", 5),
                     ("g9999\r", last), ("n", last), ("\x1b[H", 0), ("\x1b[F", last)]:
        press(t, keys, f" {at}/{last} paused")
    press(t, "g7", "go to frame (0 to ")
    press(t, "\x1b", f" {last}/{last} paused")
    # one kind of event
    kinds = [name for name in (e["name"] for e in ludus("spec", "prospector", "--json").json()["events"])
             if any(name in frame["events"] for frame in frames)]
    press(t, "e", f"/s {kinds[0]} ")
    press(t, "\x1b[H", " 0/")
    for at in [at for at in events if kinds[0] in frames[at]["events"]][:2]:
        press(t, "n", f" {at}/{last} paused")
    for name in kinds[1:]:
        press(t, "e", f"/s {name} ")
    press(t, "e", "/s  ? help")
    t.type("q")
    t.end(0)
    assert "re-simulated" in t.seen


@test
def the_player_shows_thoughts_terms_and_help():
    frames = ludus("replay", thought(), "--json").lines()[1:]
    paid = next(at for at, f in enumerate(frames) if f["terms"]["credits"] and f["events"])
    t = Terminal("replay", thought(), "--from", paid)
    t.wait_for("/s")
    press(t, " ", "paused")
    press(t, f"g{paid}\r", f" {paid}/")
    screen = "\n".join(t.screen())
    terms = frames[paid]["terms"]
    assert f"* {', '.join(frames[paid]['events'])}" in screen and f"credits {terms['credits']:+.4g}" in screen, screen
    mind = frames[paid]["thought"]
    assert f"thinks: value {mind['value']:.3g}, entropy {mind['entropy']:.3g}; {mind['top'][0]['name']}" in screen
    bar = next(line for line in t.screen() if line.startswith("["))
    assert "|" in bar and "*" in bar, bar
    assert len(t.screen()) == 24 and max(map(len, t.screen())) <= 80, t.screen()
    press(t, "?", "go to a frame by number")
    assert len(t.screen()) == 24
    press(t, "?", "ticks left")
    press(t, ">", " 12/s")
    press(t, "<", " 8/s")
    t.type("\x03")
    t.end(130)


# ---- names ----

IDS = ["replay-000000-0000000a", "replay-000001-0000000b", "replay-000001-0000000c", "replay-000002-0000000d"]


def row(window, mean, best, *replays):
    """A row of evals.jsonl; replays are (id, value, tags)."""
    return {"window_id": window, "env_steps": 1000 * window, "metric": "found", "value": {"mean": mean},
            "best": best, "best_window": window if best else window - 1,
            "replays": [{"replay_id": id, "value": value, "tags": ["every_window", *tags]}
                        for id, value, tags in replays]}


def run_folder(runs, name, game, rows, files):
    run = runs / name
    (run / "metrics").mkdir(parents=True)
    (run / "replays").mkdir()
    (run / "run.json").write_text(json.dumps({"game": game, "status": "finished"}))
    (run / "metrics/evals.jsonl").write_text("".join(json.dumps(r) + "\n" for r in rows))
    for id in files:
        seed = int(id[-1], 16)
        path = replay(f"seed{seed}", "corridor", "--seed", seed)
        shutil.copy(path, run / f"replays/{id}.ludus")
    return run


@test
def replays_are_named_by_run_and_window():
    runs = WORK / "named"
    run = run_folder(runs, "20260131T000000Z-abc-corridor", "corridor-v1",
                     [row(0, 0.5, True, (IDS[0], 1, ["window_best"])),
                      row(1, 0.9, True, (IDS[1], 1, ["window_worst"]), (IDS[2], 2, ["window_best"])),
                      row(2, 0.8, False, (IDS[3], 1, []))], IDS)
    empty = run_folder(runs, "20250131T000000Z-abc-corridor", "corridor-v1", [], [])
    os.utime(empty / "run.json", (1, 1))

    def seed(name, *words):
        return ludus("replay", name, "--run.folder", runs, "--info", "--json", *words).json()["seed"]

    for name, want in [(IDS[0], 10), ("latest", 13), (run.name, 13), (run, 13), (f"{run}/", 13),
                       (f"{run.name}:latest", 13), (f"{run.name}:best", 12), (f"{run}:1", 12), (f"{run}:0", 10),
                       ("latest:1", 12), ("20260131:1", 12), (f"latest:{IDS[1]}", 11), ("best", 12), ("best:2", 13)]:
        assert seed(name) == want, name
    assert seed("latest", "--game", "corridor") == 13
    place = ["--run.folder", runs]
    for part, name in [("no replay of window 9", f"{run}:9"), ("no replay yet", empty), ("no best", f"{empty}:best"),
                       ("has a replay replay-000009-0000000a", "replay-000009-0000000a"),
                       ("no replay replay-000009-0000000a", "latest:replay-000009-0000000a"),
                       ("did you mean", run.name[:-1] + "x"), ("no run", "nothing:7"), ("no run", "")]:
        fails(3, part, "replay", name, *place)
    fails(3, "no run of prospector", "replay", IDS[0], "--game", "prospector", *place)
    for which in ["x", "", "-1", "7x", "99999999999999999999"]:
        fails(2, "isn't a window", "replay", f"{run}:{which}", *place)
    # ids that come from a file make no path of their own
    run_folder(runs, "hostile", "corridor-v1", [row(0, 0, True, ("../../seed10", 1, []))], [])
    fails(4, "without an id", "replay", "hostile", *place)
    run_folder(runs, "gone", "corridor-v1", [row(0, 0, True, (IDS[0], 1, []))], [])
    fails(3, "no longer has", "replay", "gone", *place)


@test
def milestones_are_told():
    for game in ["prospector", "potion", "cartpole", "acrobot", "corridor"]:
        spec = ludus("spec", game, "--json").json()
        fields = {info["name"] for info in spec["info"]} | {"return"}
        assert spec["milestones"] and {m["name"] for m in spec["milestones"]} <= fields
    rows = [(m["name"], m["value"]) for m in ludus("spec", "prospector", "--json").json()["milestones"]]
    assert ("net_profit", 1000) in rows and ("survival", 1) in rows and ("return", 50) in rows
