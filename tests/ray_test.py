"""Work over Ray: a cluster of two nodes on this machine, the bits of one process, a worker that is
killed on the way, a node that goes, resuming, a group of learners, sweeps and evaluations over ranks
of which one is killed, refusals, and the file for `ray up`.

Usage: python tests/ray_test.py PATH_OF_LUDUS [FILTER...]     with ludus and ray installed
"""

import functools
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import yaml
from cli.helper import LUDUS, ROOT, WORK, environment, main, test
from ray.cluster_utils import Cluster

SMALL = {"train.environments": 48, "train.horizon": 16, "train.minibatch": 384, "net.hidden": 32, "train.parts": 4,
         "run.window_env_steps": 76800}
WORDS = [word for pair in SMALL.items() for word in ("--set", "{}={}".format(*pair))]
STEPS = ["--steps", "153600"]  # 200 updates: time enough to take something away
PATIENCE = 120


@functools.cache
def cluster():
    """Two nodes of two processors each, whatever this machine has."""
    made = Cluster(initialize_head=True, head_node_args={"num_cpus": 2})
    made.worker = made.add_node(num_cpus=2)
    return made


def start(*words, module="ludus.ray", verb=("train",)):
    command = [sys.executable, "-m", module, *verb, "cartpole", "--preset", "", "--no-eval", "--json", "--out", WORK / "runs", *WORDS, *words]
    errors = tempfile.TemporaryFile("w+", dir=WORK)
    child = subprocess.Popen([str(w) for w in command], env=environment(), stdout=subprocess.PIPE, stderr=errors, text=True, cwd=WORK)
    child.errors = errors
    return child


def ends(child, code=0):
    """Rows that are left, and what was said; its end comes before PATIENCE is over."""
    clock = threading.Timer(PATIENCE, child.kill)
    clock.start()
    out = child.stdout.read()  # not communicate: lines may have been read before
    child.wait()
    clock.cancel()
    child.errors.seek(0)
    err = child.errors.read()
    assert child.returncode == code, f"exit {child.returncode}\n{out[-500:]}\n{err[-2000:]}"
    return [json.loads(line) for line in out.splitlines()], err


@functools.cache
def whole():
    """Hash of the same training in one process."""
    (WORK / "none.ini").touch()
    done = subprocess.run([LUDUS, "train", "cartpole", "--config", WORK / "none.ini", "--set", "eval.on=false", "--out", WORK / "whole",
                           "--json", *STEPS, *WORDS], env=environment(), capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])["hash"]


@test
def two_nodes_give_the_bits_of_one_process():
    rows, _ = ends(start("--num-workers", 3, "--address", cluster().address, *STEPS))
    assert rows[0]["nodes"] == 2 and rows[0]["workers"] == 3 and rows[0]["parts"] == 4, rows[0]
    assert [row["event"] for row in rows].count("window") == 2
    assert rows[-1]["hash"] == whole(), (rows[-1], whole())


@test
def a_worker_that_is_killed_is_replaced_and_no_bit_changes():
    child = start("--num-workers", 2, "--distributed", "--ray-address", cluster().address, *STEPS, module="ludus.train", verb=())
    seen = [child.stdout.readline() for _ in range(2)]  # the start, and an update
    assert "update" in seen[1], seen
    os.kill(actors()[0], signal.SIGKILL)
    rows, err = ends(child)
    assert rows[-1]["lost"] >= 1 and "was lost: another one plays" in err, (rows[-1], err)
    assert rows[-1]["hash"] == whole()


def actors(kind=b"Worker"):
    """Processes of actors: Ray names them by their class."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            name = path.read_bytes()
        except OSError:
            continue
        if name.startswith(b"ray::" + kind):
            found.append(int(path.parent.name))
    return sorted(found)


@test
def a_node_that_goes_takes_nothing_with_it():
    child = start("--num-workers", 2, "--address", cluster().address, *STEPS)
    assert json.loads(child.stdout.readline())["event"] == "start"
    child.stdout.readline()
    cluster().remove_node(cluster().worker)
    rows, _ = ends(child)
    cluster().worker = cluster().add_node(num_cpus=2)
    assert rows[-1]["hash"] == whole()


@test
def what_is_stopped_goes_on_here_or_in_one_process():
    for go_on in ("ray", "alone"):
        child = start("--num-workers", 2, "--address", cluster().address, "--name", f"stopped-{go_on}", *STEPS)
        child.stdout.readline()
        child.stdout.readline()
        child.send_signal(signal.SIGINT)
        rows, err = ends(child, code=130)
        assert not rows[-1]["done"] and f"--resume stopped-{go_on}" in err, (rows[-1], err)
        if go_on == "ray":
            command = [sys.executable, "-m", "ludus.ray", "train", "cartpole", "--num-workers", "3", "--address", cluster().address,
                       "--no-eval", "--json", "--out", WORK / "runs", "--resume", "stopped-ray"]
        else:
            command = [LUDUS, "train", "cartpole", "--resume", "stopped-alone", "--json", "--out", WORK / "runs"]
        done = subprocess.run([str(w) for w in command], env=environment(), capture_output=True, text=True, timeout=PATIENCE)
        assert done.returncode == 0, done.stderr
        assert json.loads(done.stdout.splitlines()[-1])["hash"] == whole(), go_on


@test
def a_group_of_learners_gives_the_bits_of_one_process():
    rows, _ = ends(start("--num-learners", 3, "--address", cluster().address, *STEPS))
    assert rows[-1]["event"] == "end" and rows[-1]["hash"] == whole(), (rows[-1], whole())
    assert [row for row in rows if row["event"] == "update"][-1]["seconds"]["exchange"] > 0


@test
def a_learner_that_is_killed_is_replaced_and_no_bit_changes():
    words = ["--set", "run.checkpoint_updates=10", "--name", "group", *STEPS]
    child = start("--num-learners", 3, "--distributed", "--ray-address", cluster().address, *words, module="ludus.train", verb=())
    seen = ""
    while '"update":25' not in seen:  # a checkpoint is behind it
        seen = child.stdout.readline()
        assert seen, ends(child)
    os.kill(actors(b"Rank")[0], signal.SIGKILL)
    rows, err = ends(child)
    assert "is lost: the job restarts" in err, err
    assert rows[-1]["hash"] == whole()


def ludus(*words, code=0):
    done = subprocess.run([str(w) for w in (LUDUS, *words)], env=environment(), capture_output=True, text=True, cwd=WORK, timeout=PATIENCE)
    assert done.returncode == code, done.stderr
    return done.stdout


def over_ray(*words, kill=False):
    """What a verb prints, of three ranks; with one of them killed on the way."""
    command = [sys.executable, "-m", "ludus.ray", *words, "--num-workers", 3, "--address", cluster().address]
    child = subprocess.Popen([str(w) for w in command], env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=WORK)
    clock = threading.Timer(PATIENCE, child.kill)
    clock.start()
    while kill and child.poll() is None and not children_of(actors(b"Rank")):
        time.sleep(0.02)
    if kill:
        os.kill(actors(b"Rank")[0], signal.SIGKILL)
    out, err = child.communicate()
    clock.cancel()
    assert child.returncode == 0 and kill == ("the job restarts" in err), (child.returncode, err[-1500:])
    return out


def children_of(parents):
    """Processes that run `ludus` for ranks."""
    return [pid for parent in parents for pid in Path(f"/proc/{parent}/task/{parent}/children").read_text().split()]


@test
def evaluations_over_ranks_are_those_of_one_process():
    words = ["eval", ROOT / "models/prospector-v1.safetensors", "--episodes", 200, "--json", "--each"]
    alone = ludus(*words, "--threads", 1)
    assert over_ray(*words) == alone
    assert over_ray(*words, kill=True) == alone
    words = ["match", "bot:ace", "bot:mixer", "--game", "duel", "--games", 40, "--json"]
    assert over_ray(*words) == ludus(*words)


@test
def sweeps_over_ranks_are_those_of_one_process():
    (WORK / "space.ini").write_text("[train.rate]\nmin = 1e-4\nmax = 3e-2\nscale = log\n[train.epochs]\nmin = 1\nmax = 6\n")
    words = ["sweep", "cartpole", "--space", "space.ini", "--steps", "4k", "--trials", 9, "--start", 3, "--together", 3, "--cost",
             "steps", "--set", "train.environments=16", "--set", "train.horizon=32", "--json"]

    def trials(out):
        rows = [json.loads(line) for line in (WORK / out / "trials.jsonl").read_text().splitlines()]
        return [{key: value for key, value in row.items() if key != "seconds"} for row in rows]

    ludus(*words, "--threads", 1, "--out", "alone")
    over_ray(*words, "--out", "many")
    over_ray(*words, "--out", "killed", kill=True)
    assert len(trials("alone")) == 9 and trials("many") == trials("alone") == trials("killed")


@test
def what_cannot_be_is_told_in_a_sentence():
    at = ["--address", cluster().address]
    for words, code, said in (
        (["--num-workers", 0, *at], 2, "are 1 or more"),
        (["--num-workers", 99, *at], 1, "the cluster has 4 processors"),
        (["--num-workers", 2, "--set", "nonsense", *at], 1, "takes KEY=VALUE"),
        (["--num-workers", 2, "--set", "algo=dqn", *at], 2, "only ppo trains"),
        (["--num-workers", 2, "--set", "train.parts=1", *at], 1, "2 ranks share 1 part"),
        (["--address", "127.0.0.1:1"], 1, "no Ray cluster answers"),
        (["--num-learners", 3, "--set", "train.parts=2", *at], 2, "3 ranks share 2 parts"),
    ):
        _, err = ends(start(*words), code)
        assert said in err and "Traceback" not in err, f"{words}: {err[-1500:]}"
    command = [sys.executable, "-m", "ludus.ray", "train", "cartpol"]
    done = subprocess.run(command, env=environment(), capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == 3 and done.stderr.startswith("ludus.ray: there is no game 'cartpol'"), done


@test
def the_cluster_file_is_one_of_ray():
    from ray.autoscaler._private.util import prepare_config, validate_config

    config = prepare_config(yaml.safe_load((ROOT / "cluster.yml").read_text()))
    validate_config(config)
    assert "python[ray]" in " ".join(config["setup_commands"]), config


if __name__ == "__main__":
    code = main("ray", __doc__)
    if cluster.cache_info().currsize:
        cluster().shutdown()
    sys.exit(code)
