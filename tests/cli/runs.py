"""ludus runs and ludus export: what folders of runs hold, also when they are hostile, crashed or half
gone; what people say of runs; removing them; their rows for other programs."""

import csv
import fcntl
import io
import json
import os
import sqlite3
import subprocess

from cli.helper import LUDUS, WORK, environment, fails, file, ludus, test

SMALL = ["--set", "train.environments=8", "--set", "train.horizon=32", "--set", "net.hidden=16",
         "--set", "net.layers=1", "--threads", "1", "--set", "run.window_env_steps=5000"]


def make_run(folder, name, facts=None, windows=(), evals=()):
    """A run written by hand; rows are dicts, or text that stands as it is."""
    path = folder / name
    (path / "metrics").mkdir(parents=True)
    about = {"schema": 1, "run_id": name, "status": "finished", "game": "cartpole-v1",
             "algorithm": "ppo", "seed": "7", "update": 3, "env_steps": 3000,
             "started": "2026-01-01T00:00:00Z", "written": "2026-01-01T00:01:00Z", "commit": "abc",
             "version": "0", "host": "here", "settings": {
                 "train.gamma": {"value": "0.99", "origin": "default", "where": ""},
                 "train.rate": {"value": "1e-3", "origin": "flag", "where": "--set"}}}
    if not isinstance(facts, str):
        facts = json.dumps({**about, **(facts or {})})
    (path / "run.json").write_text(facts)
    for kind, rows in ("windows", windows), ("evals", evals):
        text = "".join(r if isinstance(r, str) else json.dumps(r) + "\n" for r in rows)
        (path / f"metrics/{kind}.jsonl").write_text(text)
    return path


def window(number, back, **more):
    return {"run_id": "x", "window_id": number, "complete": True, "update": number + 1,
            "env_steps": 1000 * (number + 1), "episodes": 5, "episode_return": back,
            "terms": {"step": 1, "fall": 0.25}, "wall_seconds": 1.5 * (number + 1),
            "written": f"2026-01-01T00:00:{number:02}Z", **more}


def evaluation(number, mean, best, seed=1):
    replays = [{"replay_id": f"replay-{number:06}-{i}", "file": f"replays/{number}-{i}.ludus",
                "bytes": 10, "window_id": number, "seed": seed, "tags": ["every_window", tag],
                "return": 1.5 + i, "value": mean + i, "decisions": 9, "ticks": 9,
                "terminated": True, "truncated": False, "end": 'a "cause", or two',
                "infos": {"steps": 9}} for i, tag in enumerate(["window_best", "window_worst"])]
    return {"run_id": "x", "window_id": number, "update": number + 1,
            "env_steps": 1000 * (number + 1), "written": f"2026-01-02T00:00:{number:02}Z",
            "metric": "return", "seeds": {"first": 1, "count": 2}, "greedy": False,
            "value": {"mean": mean, "low": mean - 1, "high": mean + 1, "median": mean},
            "values": [mean, 2], "best": number == best, "best_window": best, "replays": replays}


def folder_of_runs(name):
    folder = WORK / name
    make_run(folder, "old", {"started": "2025-01-01T00:00:00Z", "tags": ["good", "lr:3e-4"]},
             [window(0, 1.0), window(1, 4.0)], [evaluation(0, 3, 0), evaluation(1, 8, 1)])
    make_run(folder, "new", {"started": "2026-02-01T00:00:00Z", "status": "running",
                             "settings": {"train.rate": {"value": "2e-3", "origin": "preset",
                                                         "where": "x.ini:2"}}})
    make_run(folder, "other", {"game": "corridor-v1", "archived": True})
    return folder


def runs(folder, *words, **more):
    return ludus("runs", *words, "--run.folder", folder, **more)


def listed(folder, *words):
    return [r["run_id"] for r in runs(folder, "list", *words, "--json").json()["runs"]]


def trained():
    """A small run of cartpole with its evaluations, made once."""
    folder = WORK / "runs-trained"
    if not folder.exists():
        ludus("train", "cartpole", "--steps", "20k", "--out", folder, *SMALL)
    return folder


# ---- list ----

@test
def runs_are_listed_newest_first():
    folder = folder_of_runs("runs-list")
    assert listed(folder) == ["new", "old"]
    assert listed(folder, "--archived") == ["other"]
    assert listed(folder, "--status", "crashed") == ["new"], "nobody holds its lock"
    assert listed(folder, "--status", "running") == []
    assert listed(folder, "--tag", "lr:3e-4") == ["old"] and listed(folder, "--tag", "lr") == []
    assert listed(folder, "--game", "cartpole") == ["new", "old"]
    assert listed(folder, "--game", "corridor", "--archived") == ["other"]
    held = os.open(folder / "new", os.O_RDONLY)
    try:
        fcntl.flock(held, fcntl.LOCK_EX)
        assert listed(folder, "--status", "running") == ["new"]
    finally:
        os.close(held)
    old = runs(folder, "list", "--json").json()["runs"][1]
    assert old["best"] == {"mean": 8, "low": 7, "high": 9}
    assert (old["best_window"], old["metric"]) == (1, "return")
    assert (old["windows"], old["replays"], old["last_return"]) == (2, 4, 4.0)
    lines = runs(folder, "list").out.splitlines()
    assert lines[0].split()[:4] == ["run", "game", "algorithm", "status"] and len(lines) == 3
    assert "7 .. 9" in lines[2] and "good lr:3e-4" in lines[2], lines
    assert "no matching run" in runs(folder, "list", "--tag", "nothing").out
    assert "no matching run" in runs(WORK / "runs-nowhere", "list").out
    fails(2, "any, running", "runs", "list", "--status", "dead")


@test
def a_higher_mean_than_the_best_is_told():
    """The best is found by a paired test, so another window may have the highest mean."""
    folder = WORK / "runs-higher"
    make_run(folder, "later", evals=[evaluation(0, 3, 0), evaluation(1, 2, 0), evaluation(2, 8, 0)])
    make_run(folder, "before", evals=[evaluation(0, 3, 0), evaluation(1, 9, 0), evaluation(2, 8, 2)])
    make_run(folder, "same", evals=[evaluation(0, 3, 0), evaluation(1, 8, 1)])
    said = "best by paired test: window {} ({}); highest mean: window {} ({}), not significantly better{}\n".format
    assert said(0, 3, 2, 8, "") in runs(folder, "show", "later").out
    assert said(2, 8, 1, 9, " than the best before it") in runs(folder, "show", "before").out
    assert "paired test" not in runs(folder, "show", "same").out


@test
def runs_are_named_by_what_they_begin_with():
    folder = WORK / "runs-begin"
    make_run(folder, "20260101T000000Z-abc-cartpole")
    make_run(folder, "20260102T000000Z-abc-cartpole")
    make_run(folder, "20260102T000000Z-abc", {"game": "corridor-v1"})
    assert runs(folder).out == runs(folder, "list").out and runs(folder, "--game", "corridor", "--json").json()["runs"]
    show = lambda name: runs(folder, "show", name, "--json").json()["run_id"]
    assert show("20260101") == show("20260101T000000Z-abc-cartpole") == "20260101T000000Z-abc-cartpole"
    assert show("20260102T000000Z-abc") == "20260102T000000Z-abc", "a whole id isn't a beginning"
    place = ["--run.folder", folder]
    fails(3, "matches 3 runs", "runs", "show", "2026", *place)
    fails(3, "such as '20260102T000000Z-abc' and '20260102T000000Z-abc-cartpole'", "runs", "show", "20260102", *place)
    fails(3, "did you mean '20260101T000000Z-abc-cartpole'", "runs", "show", "20260101T000000Z-abc-cartpol_", *place)
    fails(3, "no checkpoint", "eval", "20260101:latest", *place)
    assert runs(folder, "tag", "20260101", "+good").out.endswith("\ntags: good\n")
    assert [r["tags"] for r in runs(folder, "list", "--tag", "good", "--json").json()["runs"]] == [["good"]]


@test
def the_list_of_runs_fits_the_screen():
    folder = WORK / "runs-wide"
    make_run(folder, "20260101T000000Z-0123456-prospector-with-a-name", {"tags": ["good"], "game": "prospector-v1"},
             [window(0, 12345.678)], [evaluation(0, 36123.4, 0)])
    wide = runs(folder).out.splitlines()
    assert "12346" in wide[1] and "36122 .. 36124" in wide[1] and "good" in wide[1], wide
    narrow = runs(folder, env=environment(COLUMNS=80)).out.splitlines()
    assert max(map(len, narrow)) <= 80 and "36122 .. 36124" in narrow[1] and ">  prospector-v1" in narrow[1], narrow
    assert "tags" not in narrow[0]
    shown = runs(folder, "show", "latest", env=environment(COLUMNS=80)).out
    assert "\n".join(x for x in shown.splitlines() if len(x) > 80 and "runs-wide" not in x) == ""


@test
def best_names_the_game_it_meant():
    folder = WORK / "runs-meant"
    make_run(folder, "judged", None, [window(0, 1)], [evaluation(0, 3, 0)])
    os.utime(folder / "judged/run.json", (1, 1))
    make_run(folder, "stopped", {"game": "corridor-v1"})
    for words in (["replay", "best"], ["runs", "show", "best"], ["eval", "best"]):
        told = fails(3, "`best` is of corridor-v1, the game of the newest run, which has no evaluated run; "
                     "the best of cartpole-v1 is judged", *words, "--run.folder", folder)
        assert "bot" not in told.err, told
    fails(3, "no evaluated run of corridor", "replay", "best", "--game", "corridor", "--run.folder", folder)
    os.rename(folder / "judged", WORK / "runs-meant-judged")
    fails(3, "archived ones do not count", "replay", "best", "--run.folder", folder)


@test
def few_updates_are_told_before_they_start():
    def told(*words):
        done = ludus("train", "cartpole", "--no-eval.on", "--threads", "1", "--preset", "none",
                     "--out", WORK / "runs-few", *words)
        return done.err
    tiny = ["--set", "train.environments=8", "--set", "train.horizon=16", "--set", "net.hidden=8"]
    assert "only 3 updates of 128 steps" in told("--steps", "384", *tiny)
    assert "--steps 6.4k makes 50; --train.profile classic" in told("--steps", "384", *tiny, "--json")
    assert "warning" not in told("--steps", "6400", *tiny)
    assert "classic" not in told("--steps", "384", *tiny, "--train.profile", "classic")
    # the steps of a preset are known to be enough
    preset = file("few.ini", "[train]\nsteps = 384\n")
    assert "warning" not in ludus("train", "cartpole", "--no-eval.on", "--preset", preset, *tiny, "--out", WORK / "runs-few").err


@test
def the_catalogue_follows_the_folders():
    folder = folder_of_runs("runs-follow")
    runs(folder, "list")
    with sqlite3.connect(folder / "catalogue.sqlite") as base:
        assert base.execute("select count(*) from windows").fetchone() == (2,)
        assert base.execute("pragma journal_mode").fetchone() == ("wal",)
    base.close()
    with open(folder / "old/metrics/windows.jsonl", "a", encoding="utf-8") as out:
        out.write(json.dumps(window(2, 9.0)) + '\n{"window_id":3,"cut')
    (folder / "new/run.json").unlink()
    (about,) = runs(folder, "list", "--json").json()["runs"]
    assert (about["windows"], about["last_return"]) == (3, 9.0)
    for damage in b"rubbish", b"SQLite format 3\0" + 5000 * b"x", b"":
        (folder / "catalogue.sqlite").write_bytes(damage)
        assert listed(folder) == ["old"], damage[:20]
    told = runs(folder, "reindex", "--json").json()
    assert (told["runs"], told["windows"], told["evaluations"], told["replays"]) == (2, 3, 2, 4)
    with sqlite3.connect(folder / "old/replay_index.sqlite") as base:
        rows = base.execute("select replay_id, window_id, tags, \"return\" from replays").fetchall()
    base.close()
    assert ("replay-000001-0", 1, " every_window window_best ", 1.5) in rows and len(rows) == 4


@test
def runs_of_hostile_folders_print_safely():
    folder = WORK / "runs-hostile"
    nasty = "\x1b[2J\x07\x9b31m\u202e" + "é" * 5000
    make_run(folder, "nasty", {"game": nasty, "status": nasty, "notes": nasty, "host": nasty,
                               "tags": [nasty, "ok", 3, None], "settings": {
                                   nasty: {"value": nasty, "origin": nasty, "where": nasty}}},
             [window(0, 1e308), window(1, -1e308)],
             [{**evaluation(0, 1, 0), "metric": nasty, "value": "none"}])
    make_run(folder, "kinds", {"game": 7, "status": [], "tags": "x", "env_steps": 1e300,
                               "archived": 3, "settings": [1]}, ['{"window_id":0,"terms":[]}\n'])
    make_run(folder, "json", "{")
    make_run(folder, "rows", None, [window(0, 1), "no JSON\n", window(1, 1)])
    make_run(folder, "deep", None, ['{"window_id":0,"x":' + 60 * "[" + 60 * "]" + "}\n"])
    make_run(folder, "\x1b[31mred", None)
    (folder / "empty").mkdir()
    (folder / "a-file").write_text("")
    text = runs(folder, "list")
    assert "2 of these have damaged files" in text.err, text
    found = {r["run_id"]: r for r in runs(folder, "list", "--json").json()["runs"]}
    assert set(found) == {"nasty", "kinds", "json", "rows", "deep"}  # no name of a run is like that
    assert found["nasty"]["tags"] == ["ok"] and found["json"]["status"] == "damaged"
    assert "windows.jsonl" in found["rows"]["problem"]
    for name in found:
        shown = runs(folder, "show", folder / name)
        for result in text, shown:
            assert not set(result.out) & set("\x1b\x07\x9b\u202e"), result
        assert runs(folder, "show", folder / name, "--json").json()["run_id"] == name
    fails(4, "run.json", "runs", "tag", folder / "json", "+x")
    fails(4, "windows.jsonl", "export", folder / "rows", "--csv")


# ---- show and diff ----

@test
def a_run_is_shown_with_all_it_has():
    folder = trained()
    about = runs(folder, "show", "latest", "--json").json()
    path = folder / about["run_id"]
    rows = [json.loads(x) for x in (path / "metrics/windows.jsonl").read_text().splitlines()]
    assert about["window_rows"] == rows and len(rows) == about["windows"] == 4
    assert about["settings"]["net.layers"] == {"value": "1", "origin": "flag", "where": "--set"}
    assert about["settings"]["train.gamma"]["origin"] == "default"
    assert [c["window_id"] for c in about["checkpoints"]] == [0, 1, 2, 3]
    assert all(c["whole"] for c in about["checkpoints"]) and about["checkpoints"][3]["resumable"]
    assert about["bytes"] == sum(p.stat().st_size for p in path.rglob("*") if p.is_file())
    assert len(about["evaluation_rows"]) == about["evaluations"] > 0
    assert len(about["replay_rows"]) == about["replays"] > 0
    assert (path / about["replay_rows"][0]["file"]).exists()
    best = about["best"]
    assert best["low"] <= best["mean"] <= best["high"]
    text = runs(folder, "show", "latest").out
    for part in ("windows (4)", "evaluations (", "95% interval", "replays (", "every_window",
                 "can be resumed", "return _", "net.layers"):
        assert part in text, (part, text)
    assert text == runs(folder, "show", path).out, "by its folder"
    assert runs(folder, "show", "best", "--json").json()["run_id"] == about["run_id"]
    inside = ludus("runs", "show", ".", "--json", cwd=path).json()
    assert inside["run_id"] == about["run_id"]


@test
def two_runs_are_compared():
    folder = folder_of_runs("runs-diff")
    told = runs(folder, "diff", "old", "new", "--json").json()
    assert told["settings"] == {"train.gamma": {"a": "0.99", "b": None},
                                "train.rate": {"a": "1e-3", "b": "2e-3"}}
    assert told["a"]["best"]["mean"] == 8 and told["b"]["best"] is None
    text = runs(folder, "diff", "old", "new").out
    assert "train.rate" in text and "7 .. 9" in text and "crashed" in text
    assert "are the same run: old" in runs(folder, "diff", "old", "old").out
    for name, steps in ("few", "1k"), ("many", "2k"):  # --steps is not told beside what it stands for
        said = {"value": steps, "origin": "flag", "where": "--steps"}
        make_run(folder, name, {"settings": {"steps": said, "train.steps": said}})
    assert list(runs(folder, "diff", "few", "many", "--json").json()["settings"]) == ["train.steps"]


@test
def the_examples_of_runs_and_export_work():
    home = WORK / "runs-pasted"
    (home / "bin").mkdir(parents=True)
    os.symlink(LUDUS, home / "bin/ludus")
    env = environment(PATH=f"{home}/bin:{os.environ['PATH']}", LUDUS_RUN_FOLDER=trained())
    for verb in "runs", "export":
        for example in ludus("help", verb, "--json").json()["examples"]:
            done = subprocess.run(["bash", "-c", example["command"]], cwd=home, env=env,
                                  capture_output=True, check=False)
            assert done.returncode == 0, (example, done.stderr)
    assert (home / "windows.csv").read_bytes().count(b"\r\n") == 5
    assert (home / "replays.csv").exists() and (home / "data/schema.json").exists()


# ---- what people say ----

@test
def tags_notes_and_the_archive():
    folder = folder_of_runs("runs-said")
    before = json.loads((folder / "old/run.json").read_text())
    told = runs(folder, "tag", "old", "+best.one", "-good", "-not-there", "--json").json()
    assert told["tags"] == ["lr:3e-4", "best.one"]
    assert listed(folder, "--tag", "best.one") == ["old"] and listed(folder, "--tag", "good") == []
    assert runs(folder, "note", "old", "-twice the räte", "--json").json()["notes"] == "-twice the räte"
    assert "twice the räte" in runs(folder, "show", "old").out
    assert runs(folder, "note", "old", "", "--json").json()["notes"] == ""
    runs(folder, "archive", "old")
    assert listed(folder) == ["new"] and sorted(listed(folder, "--archived")) == ["old", "other"]
    runs(folder, "archive", "old", "--undo")
    assert listed(folder) == ["new", "old"]
    after = json.loads((folder / "old/run.json").read_text())
    assert {k: after[k] for k in before if k != "tags"} == {k: before[k] for k in before if k != "tags"}
    place = ["--run.folder", folder]
    fails(2, "isn't a tag", "runs", "tag", "old", "+two words", *place)
    fails(2, "isn't a tag", "runs", "tag", "old", "+" + 41 * "x", *place)
    fails(2, "write +good", "runs", "tag", "old", "good", *place)
    fails(2, "more arguments", "runs", "tag", "old", *place)
    fails(2, "4000 bytes", "runs", "note", "old", 4001 * "x", *place)
    fails(2, "fewer arguments", "runs", "note", "old", "two", "words", *place)
    fails(2, "does not take --undo", "runs", "show", "old", "--undo", *place)
    fails(2, "takes no argument", "runs", "list", "old", *place)
    fails(2, "did you mean 'show'", "runs", "shw")
    fails(3, "did you mean 'other'", "runs", "show", "othr", *place)


# ---- rm ----

@test
def a_run_goes_only_when_told_twice():
    folder = folder_of_runs("runs-rm")
    kept = folder.parent / "runs-rm-kept"
    kept.mkdir()
    (kept / "precious").write_text("x")
    os.symlink(kept, folder / "old/link")
    os.symlink(kept / "precious", folder / "old/metrics/link")
    runs(folder, "list")
    told = runs(folder, "rm", "old", "--json").json()
    size = sum(p.lstat().st_size for p in (folder / "old").rglob("*") if not p.is_dir() or p.is_symlink())
    assert told["removed"] is False and told["runs"][0]["bytes"] == size, (told, size)
    assert "add --yes" in runs(folder, "rm", "old").out and (folder / "old/run.json").exists()
    (folder / ".removed-before").mkdir()
    assert "removed " in runs(folder, "rm", "old", "--yes").out
    assert not (folder / "old").exists() and not list(folder.glob(".removed-*"))
    assert (kept / "precious").exists(), "links are not followed"
    with sqlite3.connect(folder / "catalogue.sqlite") as base:
        assert base.execute("select run_id from runs order by run_id").fetchall() == [("new",), ("other",)]
        assert base.execute("select count(*) from replays").fetchone() == (0,)
    base.close()


@test
def what_must_not_be_removed_is_refused():
    folder = folder_of_runs("runs-keep")
    place = ["--run.folder", folder, "--yes"]
    outside = make_run(WORK / "runs-elsewhere", "away")
    os.symlink(outside, folder / "link")
    for name in outside, folder / "link", folder / "old/metrics/..":
        fails(2, "remove it by hand", "runs", "rm", name, *place)
    fails(3, "no run 'link'", "runs", "rm", "link", *place)
    fails(2, "named twice", "runs", "rm", "old", folder / "old", *place)
    fails(3, "no run", "runs", "rm", "old", "nowhere", *place)
    (folder / "old/replays").mkdir()
    for part, who in ("", "a training"), ("replays", "an evaluator"):
        held = os.open(folder / "old" / part, os.O_RDONLY)
        try:
            fcntl.flock(held, fcntl.LOCK_EX)
            fails(7, who, "runs", "rm", "new", "old", *place)
        finally:
            os.close(held)
    assert (outside / "run.json").exists() and set(listed(folder)) == {"new", "old"}


# ---- export ----

def table(*words):
    result = ludus("export", *words)
    assert result.bytes.endswith(b"\r\n") and b"\n" not in result.bytes.replace(b"\r\n", b"")
    return list(csv.DictReader(io.StringIO(result.out, newline="")))


@test
def rows_leave_as_csv():
    path = make_run(WORK / "runs-csv", "run", None, [
        window(0, 0.1), window(1, 5), window(2, 6), '{"resume":1,"update":1}\n',
        window(1, 12345678901234567, infos={"x": 1e-300}, note='a "b", c')],
        [evaluation(0, 3, 0, seed=2**64 - 1)])
    rows = table(path, "--csv")
    assert [r["window_id"] for r in rows] == ["0", "1"], "superseded rows are gone"
    assert rows[0]["episode_return"] == "0.1" and rows[0]["infos.x"] == ""
    assert rows[1]["episode_return"] == "12345678901234567" and rows[1]["infos.x"] == "1e-300"
    assert rows[1]["note"] == 'a "b", c' and rows[1]["terms.fall"] == "0.25"
    (row,) = table(path, "--csv", "--rows", "evaluations")
    assert row["value.low"] == "2" and row["values"] == "[3,2]" and "replays" not in row
    replays = table(path, "--csv", "--rows", "replays")
    assert [r["replay_id"] for r in replays] == ["replay-000000-0", "replay-000000-1"]
    assert replays[0]["seed"] == str(2**64 - 1) and replays[0]["end"] == 'a "cause", or two'
    assert table(path, "--csv", "--rows", "updates") == []
    out = WORK / "windows.csv"
    told = ludus("export", path, "--csv", "--out", out)
    assert told.out == "" and "2 rows" in told.err
    assert out.read_bytes() == ludus("export", path, "--csv").bytes


def fits(value, kind):
    if value is None:
        return True
    if kind.startswith("list<"):
        return isinstance(value, list) and all(fits(v, kind[5:-1]) for v in value)
    return isinstance(value, {"bool": bool, "int64": int, "double": float, "string": str,
                              "timestamp[s]": str}[kind]) and \
        not (kind == "int64" and isinstance(value, bool))


@test
def rows_leave_ready_for_parquet():
    path = make_run(WORK / "runs-ready", "run", None,
                    [window(0, 3), window(1, 2.5, mixed=1, odd=2**70), window(2, 4, mixed="x")],
                    [evaluation(0, 3, 0, seed=5), evaluation(1, 4, 1, seed=2**64 - 1)])
    trained_run = trained()
    for run, place in (path, []), ("latest", ["--run.folder", trained_run]):
        out = WORK / f"ready-{'own' if run == path else 'trained'}"
        ludus("export", run, "--parquet-ready", "--out", out, *place)
        schema = json.loads((out / "schema.json").read_text())
        assert [t["name"] for t in schema["tables"]] == ["windows", "updates", "evaluations", "replays"]
        for t in schema["tables"]:
            kinds = {c["name"]: c["arrow"] for c in t["columns"]}
            assert all(c["sentence"].endswith(".") and c["parquet"] for c in t["columns"])
            lines = [json.loads(x) for x in (out / t["file"]).read_text().splitlines()]
            assert len(lines) == t["rows"]
            for line in lines:
                assert list(line) == list(kinds), "every row has every column"
                for name, value in line.items():
                    assert fits(value, kinds[name]), (t["name"], name, value, kinds[name])
            if run == path and t["name"] == "windows":
                assert kinds["window_id"] == "int64" and kinds["episode_return"] == "double"
                assert kinds["mixed"] == "string" and kinds["written"] == "timestamp[s]"
                assert [x["mixed"] for x in lines] == [None, "1", "x"]
            if run == path and t["name"] == "replays":
                assert kinds["seed"] == "string" and lines[0]["seed"] == "5" and \
                    lines[2]["seed"] == str(2**64 - 1) and kinds["tags"] == "list<string>"
    only = WORK / "ready-one"
    ludus("export", path, "--parquet-ready", "--rows", "replays", "--out", only)
    assert sorted(p.name for p in only.iterdir()) == ["replays.ndjson", "schema.json"]


@test
def bad_exports_are_told_in_a_sentence():
    path = make_run(WORK / "runs-bad-export", "run", None, [window(0, 1)])
    fails(2, "needs --csv or", "export", path)
    fails(2, "cannot be combined", "export", path, "--csv", "--parquet-ready")
    fails(2, "--out FOLDER", "export", path, "--parquet-ready")
    fails(2, "windows, updates", "export", path, "--csv", "--rows", "epochs")
    fails(3, "no run", "export", "nowhere", "--csv", "--run.folder", WORK / "runs-bad-export")
    fails(1, "taken", "export", path, "--parquet-ready", "--out", file("taken", ""))
    wide = make_run(WORK / "runs-bad-export", "wide", None,
                    [json.dumps({"window_id": 0, **{f"c{i}": i for i in range(5000)}}) + "\n"])
    fails(6, "more than 4096 columns", "export", wide, "--csv")
    if os.path.exists("/dev/full"):
        with open("/dev/full", "wb") as full:
            done = subprocess.run([LUDUS, "export", str(path), "--csv"], stdout=full,
                                  stderr=subprocess.PIPE, env=environment(), check=False)
        assert done.returncode == 1 and b"cannot write" in done.stderr
