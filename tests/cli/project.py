"""The project and the shell around it: new games, locks, doctor, completion, manual, examples."""

import fcntl
import os
import re
import shutil
import subprocess

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
def the_page_of_the_command_line_is_complete():
    page = (ROOT / "docs/command-line.md").read_text()
    for verb in VERBS:
        assert re.search(rf"^\| .*`{verb}\b", page, re.M), verb
    for code in ludus("help", "--json").json()["exit_codes"]:
        assert f"| {code['code']} |" in page, code


@test
def doctor_names_the_compiler():
    found = {f["name"]: f["found"] for f in ludus("doctor", "--json").json()["findings"]}
    assert re.search(r"(gcc|[Cc]lang) .*\d+\.\d+", found["version"]), found


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
    assert complete("ludus", "trac") == ["trace"]
    assert "corridor" in complete("ludus", "play", "")
    assert complete("ludus", "watch", "corridor", "--bot", "se") == ["seeker"]
    assert "--length" in complete("ludus", "play", "corridor", "--le")
    assert "reference" in complete("ludus", "play", "prospector", "--reward.mode", "")
    assert "--show-origin" in complete("ludus", "config", "--sh")
    assert complete("ludus", "help", "ver") == ["verify"]


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
def completion_speaks_fish():
    script = file("ludus.fish", ludus("completion", "fish").out)
    text = script.read_text()
    for verb in VERBS:
        assert f" -a {verb} -d " in text, verb
    assert " -l time_max -x" in text and " -l config -rF" in text and " -l no-instructions -d" in text
    if not shutil.which("fish"):
        return

    def complete(line):
        done = subprocess.run(["fish", "--no-config", "-c", f"source {script}; complete -C '{line}'"],
                              capture_output=True, text=True, cwd=WORK, env=environment(HOME=WORK))
        assert done.returncode == 0 and not done.stderr, done
        return [row.split("\t")[0] for row in done.stdout.splitlines()]

    assert complete("ludus trac")[0] == "trace"
    assert "corridor" in complete("ludus play ") and "corridor" not in complete("ludus play corridor ")
    assert "seeker" in complete("ludus watch corridor --bot se")
    assert "--length" in complete("ludus play corridor --le") and complete("ludus games --le") == []
    assert complete("ludus play prospector --reward.mode ref") == ["reference"]
    assert "--show-origin" in complete("ludus config --sh")
    assert complete("ludus help ver")[0] == "verify"
    assert complete("ludus completion ") == ["bash", "fish", "zsh"]


@test
def completion_speaks_zsh():
    script = file("_ludus", ludus("completion", "zsh").out)
    text = script.read_text()
    assert text.startswith("#compdef ludus\n") and "'*--time_max[" in text
    if not shutil.which("zsh"):
        return

    def complete(*words):
        """What the script hands to zsh's own functions, which are played here."""
        play = ('compdef() { :; }; compadd() { shift; print -l -- "$@"; }; _files() { print files; }; '
                '_arguments() { print -l -- "$@"; state=rest; return 1; }; '
                f"source {script}; words=({' '.join(words)} ''); CURRENT={len(words) + 1}; _ludus")
        done = subprocess.run(["zsh", "-f", "-c", play], capture_output=True, text=True, cwd=WORK)
        assert not done.stderr, done
        return done.stdout.splitlines()

    assert set(VERBS) <= set(complete("ludus"))
    assert "corridor" in complete("ludus", "play")
    offers = complete("ludus", "play", "corridor")
    assert "corridor" not in offers and any(o.startswith("*--length[") for o in offers)
    assert any(o.startswith("*--bot[") and "seeker" in o for o in offers), offers
    assert sum(o.startswith("*--bot[") for o in offers) == 1
    assert not any(o.startswith("*--length[") for o in complete("ludus", "verify", "corridor"))
    assert complete("ludus", "replay")[-1] == "files"
    assert complete("ludus", "completion")[-3:] == ["bash", "zsh", "fish"]


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
        if verb["verb"] in ("model", "train", "eval", "compare", "match", "runs", "export", "sweep", "serve", "serve-policy", "serve-env"):  # need a run or a space, or have no end
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
