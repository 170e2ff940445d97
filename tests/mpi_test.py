"""Work of several processes under mpirun: the same bits as one process with as many parts, going on
with another number of ranks, opponents over ranks, evaluations and sweeps over ranks, errors told once,
a rank that is killed, and ranks with network addresses of their own.

Usage: mpi_test.py PATH_OF_LUDUS [FILTER...]
"""

import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "bench"))
import scale

LUDUS = str(Path(sys.argv[1]).resolve())
WORK = Path(tempfile.mkdtemp(prefix="ludus-mpi-"))
SMALL = ["--set", "train.environments=48", "--set", "train.horizon=16", "--set", "train.minibatch=384",
         "--set", "net.hidden=32", "--set", "eval.on=false", "--threads", "1"]
TESTS = []


def test(function):
    TESTS.append(function)
    return function


def environment():
    env = {k: v for k, v in os.environ.items() if not k.startswith("LUDUS_")}
    return {**env, "LUDUS_HOME": str(ROOT), "OMPI_ALLOW_RUN_AS_ROOT": "1",
            "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_rmaps_base_oversubscribe": "1",
            "OMPI_MCA_hwloc_base_binding_policy": "none", "OMPI_MCA_mpi_yield_when_idle": "1"}


def command(ranks, words, options=()):
    head = ["mpirun", *options, "-n", str(ranks)] if ranks else []
    return [*head, LUDUS, *[str(word) for word in words]]


def run(ranks, *words, code=0, options=()):
    done = subprocess.run(command(ranks, words, options), env=environment(), capture_output=True,
                          text=True, timeout=100)
    assert (done.returncode == 0) == (code == 0), f"exit {done.returncode}: {done.stdout}{done.stderr}"
    return done


def train(ranks, game, *words, options=()):
    """The line of JSON that ends a training."""
    done = run(ranks, "train", game, "--json", *words, options=options)
    lines = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    assert lines[-1]["event"] == "end", done
    return lines


def model(end):
    last = sorted((Path(end["folder"]) / "checkpoints").iterdir())[-1]
    return (last / "model.safetensors").read_bytes()


@test
def ranks_give_the_bits_of_one_process():
    words = ["--steps", "3072", "--set", "train.parts=4", *SMALL]
    one = train(0, "cartpole", "--out", WORK / "one", *words)
    for ranks in (1, 2, 3, 4):
        many = train(ranks, "cartpole", "--out", WORK / f"ranks-{ranks}", *words)
        assert many[-1]["hash"] == one[-1]["hash"], (ranks, many[-1], one[-1])
        assert model(many[-1]) == model(one[-1])
        rows = [line for line in many if line["event"] == "update"]
        assert ranks == 1 or rows[-1]["seconds"]["exchange"] > 0, rows[-1]


@test
def without_parts_there_is_one_for_each_rank():
    end = train(2, "cartpole", "--out", WORK / "parts", "--steps", "1536", *SMALL)[-1]
    settings = json.loads((Path(end["folder"]) / "run.json").read_text())["settings"]
    assert settings["train.parts"]["value"] == "2", settings["train.parts"]


@test
def a_run_goes_on_with_another_number_of_ranks():
    words = ["--set", "train.parts=4", *SMALL]
    whole = train(2, "cartpole", "--out", WORK / "whole", "--steps", "3072", *words)[-1]
    part = train(4, "cartpole", "--out", WORK / "part", "--steps", "3072", "--run.stop_update", "2",
                 *words)[-1]
    rest = train(2, "cartpole", "--out", WORK / "part", "--resume", Path(part["folder"]).name)[-1]
    assert rest["hash"] == whole["hash"], (rest, whole)


@test
def rank_0_alone_falls_back():
    """A damaged checkpoint is kept aside once, and all ranks go on from the one before."""
    words = ["--set", "train.parts=2", "--set", "run.window_env_steps=768", *SMALL]
    whole = train(2, "cartpole", "--out", WORK / "back", "--steps", "2304", *words)[-1]
    points = sorted((Path(whole["folder"]) / "checkpoints").iterdir())
    (points[-1] / "state.bin").write_bytes(b"no state")
    again = ["train", "cartpole", "--out", WORK / "back", "--resume", Path(whole["folder"]).name, "--fall-back", "--json"]
    done = run(2, *again)
    assert json.loads(done.stdout.splitlines()[-1])["hash"] == whole["hash"], done
    assert done.stderr.count("is kept as aside_") == 1 and "rank" not in done.stderr, done.stderr
    aside = [path for path in Path(whole["folder"]).rglob("*") if path.is_dir() and "aside" in str(path)]
    assert len([path for path in Path(whole["folder"]).rglob("state.bin") if path.read_bytes() == b"no state"]) == 1, aside


@test
def opponents_are_spread_over_ranks():
    first = train(0, "duel", "--out", WORK / "duel", "--steps", "768", *SMALL)[-1]
    last = sorted((Path(first["folder"]) / "checkpoints").iterdir())[-1] / "model.safetensors"
    words = ["--steps", "1536", "--set", "train.parts=2", "--set",
             f"train.opponents=self:1,bot:random:1,{last}:2", *SMALL]
    one = train(0, "duel", "--out", WORK / "duel-1", *words)
    two = train(2, "duel", "--out", WORK / "duel-2", *words)
    assert one[-1]["hash"] == two[-1]["hash"], (one[-1], two[-1])


@test
def evaluations_over_ranks_are_those_of_one_process():
    for words in (["eval", ROOT / "models/prospector-v1.safetensors", "--episodes", "61", "--each"],
                  ["eval", "bot:pilot", "--game", "prospector", "--episodes", "20", "--each"],
                  ["match", "bot:ace", "bot:mixer", "--game", "duel", "--games", "30", "--sprt", "0,200"]):
        words = [*words, "--json", "--threads", "1"]
        one = run(0, *words).stdout
        assert run(2, *words).stdout == one and run(3, *words, "--record", WORK / words[0]).stdout == one, words
    assert len(list((WORK / "eval").glob("*.ludus"))) == 61  # pilot's seeds are among them


@test
def sweeps_over_ranks_are_those_of_one_process():
    (WORK / "space.ini").write_text("[train.rate]\nmin = 1e-4\nmax = 3e-2\nscale = log\n[train.epochs]\nmin = 1\nmax = 6\n")
    words = ["sweep", "cartpole", "--space", WORK / "space.ini", "--steps", "2k", "--start", "3", "--cost", "steps", "--threads", "1",
             "--set", "train.environments=16", "--set", "train.horizon=32"]

    def trials(ranks, name, *more):
        run(ranks, *words, "--out", WORK / name, *more)
        rows = [json.loads(line) for line in (WORK / name / "trials.jsonl").read_text().splitlines()]
        return [{key: value for key, value in row.items() if key != "seconds"} for row in rows]

    one = trials(0, "sweep-1", "--together", "3", "--trials", "8")
    assert len(one) == 8 and trials(2, "sweep-2", "--together", "3", "--trials", "8") == one
    trials(3, "sweep-3", "--trials", "4")  # one for each rank; goes on inside of a round, with fewer ranks
    assert trials(2, "sweep-3", "--together", "3", "--trials", "8") == one
    refused = run(2, *words, "--out", WORK / "sweep-3", "--trials", "9", code=1)
    assert refused.stderr.count("together") == 1, refused.stderr


@test
def what_cannot_be_is_told_once():
    for ranks, words, said in ((2, ["--algo", "dqn"], "dqn trains in one process"),
                               (4, ["--set", "train.parts=3", *SMALL], "4 ranks share 3 parts"),
                               (2, [*SMALL, "--set", "train.environments=47"], "isn't a multiple of 'train.parts'"),
                               (2, ["--load", "no-such"], "no-such")):
        done = run(ranks, "train", "cartpole", "--out", WORK / "bad", *words, code=1)
        assert done.stderr.count(said) == 1, done.stderr
    for words, said in ((["eval", "no-such"], "no-such"), (["sweep", "cartpole", "--space", "no-such"], "no-such")):
        done = run(2, *words, code=1)
        assert done.stderr.count(said) == 1, done.stderr


@test
def a_lost_rank_ends_the_job_and_leaves_a_checkpoint():
    folder = WORK / "lost"
    words = ["train", "cartpole", "--out", folder, "--steps", "100M", "--set", "train.parts=2", "--set",
             "run.checkpoint_updates=2", *SMALL]
    child = subprocess.Popen(command(2, words), env=environment(), stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE, text=True)
    try:
        until = time.time() + 30
        while time.time() < until and not list(folder.glob("*/checkpoints/ckpt_*")):
            time.sleep(0.05)
        lost = [pid for pid in children(child.pid) if rank_of(pid) == "1"]
        assert len(lost) == 1, "rank 1 is not there"
        os.kill(lost[0], signal.SIGKILL)
        out, err = child.communicate(timeout=30)
    finally:
        child.kill()
    assert child.returncode != 0 and "a rank is lost" in err.replace("another", "a"), (out, err)
    made = next(path for path in folder.iterdir() if path.is_dir())
    end = train(2, "cartpole", "--out", folder, "--resume", made.name, "--run.stop_update", "6")[-1]
    assert end["event"] == "end"
    run(0, "eval", made, "--episodes", "2")


def children(pid):
    found = []
    for task in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = task.read_text().rsplit(")", 1)[1].split()
        except OSError:
            continue
        if int(fields[1]) == pid:
            found.append(int(task.parent.name))
    return found


def rank_of(pid):
    try:
        text = Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
    except OSError:
        return None
    return next((word.split(b"=")[1].decode() for word in text if word.startswith(b"OMPI_COMM_WORLD_RANK=")), None)


@test
def ranks_with_addresses_of_their_own():
    """Each in a network namespace, which mpirun enters as it would call another machine by ssh."""
    with scale.network(3) as options:
        if options is None:
            print("skipped: network namespaces need the privilege to make them (and `ip`)")
            return
        words = ["--steps", "3072", "--set", "train.parts=4", *SMALL]
        one = train(0, "cartpole", "--out", WORK / "net-1", *words)
        many = train(3, "cartpole", "--out", WORK / "net-3", *words, options=options)
        assert one[-1]["hash"] == many[-1]["hash"]


@test
def ranks_give_and_take_at_the_same_time():
    """Over cards of 20 Mbit/s, which take longer than all else."""
    with scale.network(2, 20) as options:
        if options is None:
            print("skipped: slow network cards need the privilege to make them (and `ip` and `tc`)")
            return
        parameters, rows = scale.updates(LUDUS, 2, 256, 1024, 128, 16, 4, options)
        took, one_way = min(row["seconds"]["exchange"] for row in rows) / 4, 16e-7 * parameters
        assert took < 1.6 * one_way, (took, one_way)


@test
def the_model_of_an_exchange_holds_for_points_it_was_not_fitted_to():
    """Points of known costs, up to 10 % off, the two smallest nets of 4 ranks further: bench/scale.py finds
    the costs, and what it says of a point does not stand on that point."""
    draw, cost = random.Random(7), (0.01, 0.2, 0.03)
    points = [{"ranks": ranks, "hidden": size, "megabytes": size / 400} for ranks in (2, 4, 8, 16) for size in (20, 40, 96, 240, 440)]
    true = [sum(c * term for c, term in zip(cost, scale.terms(point))) for point in points]
    for point, took in zip(points, true):
        off = draw.uniform(0.9, 1.1) * (1.4 if point["ranks"] == 4 and point["hidden"] < 50 else 1.0)
        point["milliseconds"] = took * off
    found = scale.fit(points)
    for point, took in zip(points, true):
        said = scale.unseen(points, point)
        assert 0.8 < said / took < 1.25 and 0.8 < found @ scale.terms(point) / took < 1.25, (point, said, took)
        moved = [dict(one, milliseconds=9.0) if one is point else one for one in points]
        assert scale.unseen(moved, point) == said
    assert scale.fit(points[:1]) is None and scale.fit([points[0], points[0]]) is not None
    assert min(scale.fit([dict(point, milliseconds=1.0 / point["megabytes"]) for point in points])) >= 0.0
    done = subprocess.run([sys.executable, ROOT / "bench/scale.py", "--fit", "/dev/stdin"], input=json.dumps({"points": points}), capture_output=True, text=True)
    assert done.returncode == 0 and len(done.stdout.splitlines()) == 3 + len(points), done


def main():
    wanted = sys.argv[2:]
    passed = failed = 0
    for function in TESTS:
        if wanted and not any(word in function.__name__ for word in wanted):
            continue
        start = time.time()
        try:
            function()
            passed += 1
            print(f"ok   {time.time() - start:8.3f} s  {function.__name__}", flush=True)
        except Exception as problem:  # whatever it is, the other tests go on
            failed += 1
            print(f"FAIL {time.time() - start:8.3f} s  {function.__name__}\n    {problem!r}", flush=True)
    print(f"{passed} passed, {failed} failed")
    shutil.rmtree(WORK, ignore_errors=True)
    return failed > 0


if __name__ == "__main__":
    if not shutil.which("mpirun") or not Path(LUDUS).with_name("ludus-mpi.so").exists():
        print("skipped: there is no mpirun, or ludus was built without MPI\n0 passed, 0 failed")
        sys.exit(0)
    sys.exit(main())
