"""The project and the shell around it: new games, locks, doctor, completion, manual, examples."""

import fcntl
import os
import re
import shlex
import shutil
import subprocess
from pathlib import Path

from cli.helper import (LUDUS, ROOT, VERBS, WORK, copy_of_the_project, environment, fails, file,
                        ludus, test)


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
    assert (made / "presets/my_lamp.ini").exists(), "the preset that its specification names"
    for path in filter(Path.is_file, made.rglob("*")):
        text = path.read_text().lower()
        assert "corridor" not in text.replace("along a dark line", "") and "smallest" not in text, path
    assert '"my_lamp-v1"' in (made / "my_lamp_spec.c").read_text()
    fails(2, "my_lamp", "new", "my_lamp", env=env)
    for name in ["Bad", "9lives", "x", "a-b", "a b", "", "é", "../up", "x" * 40, "math", "stdio", "lu"]:
        fails(2, "'", "new", name, env=env)
    fails(3, "no game 'none'", "new", "other", "--from", "none", env=env)
    assert sorted(p.name for p in home.iterdir()) == ["CMakeLists.txt", "games"]  # nothing left over
    # without LUDUS_HOME the project is the one that holds the current folder
    env.pop("LUDUS_HOME")
    made = ludus("new", "stood_in", "--json", env=env, cwd=home / "games/corridor").json()
    assert made["folder"] == str(home.resolve() / "games/stood_in") and (home / "games/stood_in").exists()


@test
def doctor_finds_the_essentials():
    assert "project folder" in ludus("doctor").out
    assert not any(line.endswith(" ") for line in ludus("doctor").out.splitlines())
    assert "BROKEN" in ludus("doctor", env=environment(LUDUS_HOME="/nonexistent"), code=5).out
    report = ludus("doctor", "--json").json()
    assert report["broken"] == 0 and {"name", "verdict", "found", "needed_for"} == set(report["findings"][0])


@test
def the_page_of_the_command_line_is_complete():
    page = (ROOT / "docs/command-line.md").read_text()
    for verb in VERBS:
        assert re.search(rf"^\| .*`{verb}\b", page, re.M), verb
    for code in ludus("help", "--json").json()["exit_codes"]:
        assert f"| {code['code']} |" in page, code
    in_code = re.findall(r"X\(LU_\w+, (\d+),", (ROOT / "include/ludus/error.h").read_text())
    assert {str(c["code"]) for c in ludus("help", "--json").json()["exit_codes"]} == set(in_code)
    for code in in_code:
        assert re.search(rf"^  {code} ", ludus("--help").out, re.M), code


@test
def doctor_names_the_compiler():
    found = {f["name"]: f["found"] for f in ludus("doctor", "--json").json()["findings"]}
    assert re.search(r"(gcc|[Cc]lang) .*\d+\.\d+", found["version"]), found


def words(*line, **variables):
    """What may complete the last word."""
    env = environment(**variables)
    return [x.split("\t")[0] for x in ludus("completion", "words", "--", *line, env=env).out.splitlines()]


@test
def completion_knows_every_word():
    assert set(VERBS) <= set(words("")) and "joker" in words("") and "corridor" not in words("")
    assert words("trac") == ["trace"] and words("--no-color", "wat") == ["watch"] and words("zzz", "") == []
    assert {"corridor", "joker-plan-v1"} <= set(words("play", "")) and words("sweep", "b") == ["best"]
    assert words("help", "ver") == ["verify"] and words("completion", "") == ["bash", "zsh", "fish"]
    assert "--length" in words("play", "corridor", "--le") and words("games", "--con") == []
    assert "--show-origin" in words("config", "--sh") and words("bench", "--no-i") == ["--no-instructions"]
    # tools, by either form
    tools = words("joker", "")
    assert "advise" in tools and tools == words("tool", "joker-v1", "") == words("help", "joker", "")
    assert words("joker", "advise", "--samp") == ["--samples"] and words("joker", "advise", "") == [":files"]
    assert words("joker", "advise", "--draw_order", "h") == ["hidden"]
    # values
    assert words("watch", "--bot", "") == [] and words("watch", "corridor", "--bot", "se") == ["seeker"]
    assert words("watch", "corridor", "--seed", "") == []
    assert words("watch", "--seed", "7", "cor") == ["corridor", "corridor-v1"]
    assert words("conform", "--only", "mask-a") == ["mask-agrees"] and "corridor" in words("new", "--from", "")
    assert words("play", "prospector", "--reward.mode", "") == ["profit", "reference"]
    assert words("play", "prospector", "--reward-mode=r") == ["--reward-mode=reference"]
    assert words("watch", "prospector", "--set", "reward.mo") == ["reward.mode="]
    assert words("watch", "prospector", "--set", "reward.mode=r") == ["reward.mode=reference"]
    assert words("watch", "prospector", "--preset", "prospector-s") == ["prospector-short"]
    assert words("replay", "--config", "") == [":files"]


@test
def completion_knows_the_runs():
    place = dict(LUDUS_RUN_FOLDER=WORK / "completed runs")
    for name in ["20260101T000000Z-abc-corridor", "20260102T000000Z-abc-cartpole"]:
        (WORK / "completed runs" / name).mkdir(parents=True)
        (WORK / "completed runs" / name / "run.json").write_text("{}")
    (WORK / "completed runs/sweep").mkdir()
    ids = ["20260101T000000Z-abc-corridor", "20260102T000000Z-abc-cartpole", "latest", "best"]
    assert words("runs", "show", "", **place) == ids == words("train", "cartpole", "--resume", "", **place)
    assert words("eval", "", **place) == ids + [":files"] == words("replay", "", **place)
    assert words("runs", "diff", "latest", "20260102", **place) == [ids[1]]
    assert words("model", "show", "", **place) == ids + [":files"] and words("model", "", **place)[0] == "show"
    assert words("runs", "", **place)[:2] == ["list", "show"]


@test
def completion_is_good_bash():
    script = file("completion.bash", ludus("completion", "bash").out)
    subprocess.run(["bash", "-n", script], check=True)
    (WORK / "two words.ludus").write_text("")

    def complete(*line):
        line = [LUDUS, *line]
        text = (f"source {script}; COMP_WORDS=({' '.join(map(shlex.quote, line))}); "
                f"COMP_CWORD={len(line) - 1}; _ludus; "
                '[ ${#COMPREPLY[@]} = 0 ] || printf "%s\\n" "${COMPREPLY[@]}"')
        return subprocess.run(["bash", "-c", text], capture_output=True, check=True, cwd=WORK,
                              env=environment(), text=True).stdout.splitlines()

    assert complete("trac") == ["trace"] and "corridor" in complete("play", "")
    assert complete("watch", "prospector", "--set", "reward.mode", "=", "ref") == ["reference"]
    assert complete("watch", "prospector", "--reward.mode", "=") == ["profit", "reference"]
    assert complete("replay", "two") == ["two words.ludus"] and complete("games", "--con") == []


@test
def completion_speaks_fish():
    script = file("ludus.fish", ludus("completion", "fish").out)
    assert "complete -c ludus -f -a '(__ludus_words)'" in script.read_text()
    if not shutil.which("fish"):
        return

    def complete(line):
        path = f"{os.path.dirname(LUDUS)}:{os.environ['PATH']}"
        done = subprocess.run(["fish", "--no-config", "-c", f"source {script}; complete -C '{line}'"],
                              capture_output=True, text=True, cwd=WORK, env=environment(HOME=WORK, PATH=path))
        assert done.returncode == 0 and not done.stderr, done
        return [row.split("\t")[0] for row in done.stdout.splitlines()]

    assert complete("ludus trac") == ["trace"] and "advise" in complete("ludus joker ")
    assert complete("ludus play prospector --reward.mode ref") == ["reference"]
    assert complete("ludus completion ") == ["bash", "fish", "zsh"]


@test
def completion_speaks_zsh():
    script = file("_ludus", ludus("completion", "zsh").out)
    assert script.read_text().startswith("#compdef ludus\n")
    if not shutil.which("zsh"):
        return

    def complete(*line):
        """What the script hands to zsh's own functions, which are played here."""
        play = ("compdef() { :; }; _files() { print files; }; _describe() { print -l -- ${(P)2}; }; "
                f"source {script}; words=({' '.join([LUDUS, *line])} ''); CURRENT={len(line) + 2}; _ludus")
        done = subprocess.run(["zsh", "-f", "-c", play], capture_output=True, text=True, cwd=WORK,
                              env=environment())
        assert not done.stderr, done
        return done.stdout.splitlines()

    assert any(x.startswith("trace:") for x in complete())
    assert any(x.startswith("advise:") for x in complete("joker"))
    assert complete("completion") == ["bash", "zsh", "fish"] and complete("replay")[-1] == "files"


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


@test
def examples_work_when_pasted():
    home = copy_of_the_project("pasted")
    (home / "bin").mkdir()
    os.symlink(LUDUS, home / "bin/ludus")
    env = environment(LUDUS_HOME=home, HOME=home, PATH=f"{home}/bin:{os.environ['PATH']}",
                      LUDUS_INSTRUCTIONS="false", LUDUS_STEPS="500", LUDUS_REPEATS="1",
                      LUDUS_TRAIN_ENVIRONMENTS="8", LUDUS_TRAIN_HORIZON="16", LUDUS_NET_HIDDEN="16")
    for verb in ludus("help", "--json").json()["verbs"]:
        if verb["verb"] in ("model", "train", "eval", "compare", "match", "league", "exploit", "runs", "export", "sweep", "serve", "serve-policy", "serve-env"):  # need a run or a space, or have no end
            continue
        for example in verb["examples"]:
            if "--model" in example["command"]:
                continue
            command = example["command"].replace("--seeds public", "--seeds 30000..30003")
            if "man -l" in command and not shutil.which("man"):
                continue
            if verb["verb"] == "bench":
                command = command.replace(" --seconds 5", "") + " --seconds 0.05"
            if verb["verb"] == "ablate":  # the same with short trainings
                command = re.sub(r" --(steps|train-seeds) \S+", "", command)
                command += " --steps 500 --train-seeds 1 --seeds 30000..30001"
            if {"nn", "train", "policy"} & set(command.split()):  # measured elsewhere
                continue
            done = subprocess.run(["bash", "-o", "pipefail", "-c", command], cwd=home, env=env,
                                  input=b"q\n", capture_output=True, timeout=300)
            assert done.returncode == 0, (command, done.returncode, done.stderr[-300:])


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
