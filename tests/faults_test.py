"""Faults at every step: calls of the C library fail, are cut short or are the last thing that a program
does (tests/faults/faults.c), one call at a time, for every write, fsync, rename and mkdir and every 50th
allocation (with --long every one) of a short training, evaluation and serving, of models and games too. Whatever fails, a program is done, or says why not and
can go on, and in the end all bits are those of the one that met no fault; what it says is saved is saved.

Usage: faults_test.py PATH_OF_LUDUS [--long] [--layer FILE.so] [--every N [--first K]] [--threads N] [--only PART]

A plain call takes errors and kills in turns along the calls, and all of them at the last ones; --long every error
and a kill at every call, and late calls. --every takes each N-th of these faults alone, beginning with
the K-th (0), so that N calls do all of them on as many machines. A program whose sanitizer has allocations of its
own takes the layer faults_calls.so, which leaves them alone; what the sanitizer finds is another exit code. --only takes
one part: training, evaluation, serving or lines.
"""

import concurrent.futures
import functools
import json
import os
import resource
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
MEMORY = Path("/dev/shm")  # where there is one: the calls are what counts, a disk behind them is only slow
WORK = Path(tempfile.mkdtemp(prefix="ludus-faults-", dir=MEMORY if os.access(MEMORY, os.W_OK) and shutil.disk_usage(MEMORY).free > 1 << 28 else None))
SMALL = ["--set", "train.environments=8", "--set", "train.horizon=16", "--set", "train.minibatch=64", "--set", "net.hidden=8", "--set", "net.layers=1",
         "--set", "run.window_env_steps=512", "--set", "run.checkpoint_updates=2", "--steps", "1k", "--set", "eval.on=false"]
TIMED = {"wall_seconds", "seconds", "steps_per_second", "written", "run_id"}
ERRORS = {"alloc": ["ENOMEM"], "write": ["ENOSPC", "EIO", "short"], "fsync": ["EIO"], "rename": ["EIO"], "mkdir": ["ENOSPC"]}
CACHES = ("catalogue.sqlite", "replay_index.sqlite", "/tensorboard", "evaluator.log", "/dev/", "anon_inode", "socket:", "pipe:")
WORKERS = max(3, len(os.sched_getaffinity(0)) + 1)  # programs side by side, of which some wait
LAST = 8  # calls of a kind that meet everything: the end of a program, where it says that it is done
TOLD = 10  # failures that are told before the others are left


def environment(**more):
    kept = {key: value for key, value in os.environ.items() if not key.startswith("LUDUS_")}
    return {**kept, "LUDUS_HOME": str(ROOT), "LC_ALL": "C.UTF-8", **{key: str(value) for key, value in more.items()}}


def layer(**more):
    return environment(LD_PRELOAD=LAYER, **more)


def call(*words, env=None):
    done = subprocess.run([LUDUS, *map(str, words)], capture_output=True, text=True, env=env or environment(), timeout=300, cwd=WORK)
    return done.returncode, done.stdout, done.stderr


def is_cache(path):
    """Whether it is made anew when it is lost, or no file of a run at all."""
    return any(cache in path.removeprefix(str(WORK)) for cache in CACHES)


def calls(trace):
    """What a program called: kind -> paths in order, and the number of its allocations."""
    found = {kind: [] for kind in ERRORS}
    allocations = 0
    for line in trace.read_text().splitlines():
        kind, number, *path = line.split(" ", 2)
        if kind == "alloc":
            allocations = max(allocations, int(number))
        else:
            found[kind].append(path[0].split("\t")[0] if path else "")
    return found, allocations


def ordered(trace, folder):
    """What a power loss could not undo, by the order of calls: nothing is renamed before all of it is synced, and a folder is synced after
    whatever was named in it, before anything else gets its final name."""
    unsynced, unnamed, made, renames = set(), {}, set(), 0
    for line in trace.read_text().splitlines():
        kind, _, *rest = line.split(" ", 2)
        path, _, old = (rest[0] if rest else "").partition("\t")
        if kind == "alloc" or not path.startswith(str(folder if kind != "fsync" else WORK)) or is_cache(path):
            continue
        if kind == "write":
            unsynced.add(path)
        elif kind == "fsync":
            unsynced.discard(path)
            unnamed.pop(path, None)
        elif kind == "rename":
            renames += 1
            open_files = [p for p in unsynced if p == old or p.startswith(old + "/")]
            assert not open_files and old not in unnamed, f"{path} gets its name before it is synced: {open_files or old}"
            waiting = [name for parent, name in unnamed.items() if parent != str(Path(path).parent)]
            assert not waiting, f"{path} gets its name before the folder of {waiting} is synced"
            unnamed[str(Path(path).parent)] = path
        elif kind == "mkdir" and path not in made and not Path(path).name.startswith("."):  # a folder that is there is made again and again
            made.add(path)
            unnamed.setdefault(str(Path(path).parent), path)
    assert not unsynced, f"never synced: {unsynced}"
    assert renames > 10, renames
    return unnamed


def plan(found, allocations, step):
    """Faults to inject: (kind, number, what)."""
    faults = []
    for kind, paths in found.items():
        for n in range(1, len(paths) + 1):
            errors = ERRORS[kind]
            error = errors[n // 2 % len(errors)]
            if LONG or n > len(paths) - LAST:
                faults += [(kind, n, what) for what in (*errors, "kill")] + ([(kind, n, "late")] if n % 10 == 0 else [])
            else:
                faults.append((kind, n, "kill" if n % 2 else error))
    faults += [("alloc", n, "ENOMEM") for n in range(1, allocations + 1, step)]
    return faults[FIRST::EVERY]


def rows(path, key, same):
    """Rows of a file that count, without what a clock wrote."""
    kept = []
    for line in path.read_text().splitlines() if path.exists() else []:
        row = json.loads(line)
        if "resume" in row:
            kept = [r for r in kept if r[key] < row["resume"] or (r[key] == row["resume"] and not same)]
        else:
            kept = [r for r in kept if r[key] < row[key]]
            kept.append(strip(row))
    return kept


def strip(value):
    if isinstance(value, dict):
        return {key: strip(entry) for key, entry in value.items() if key not in TIMED and "wall" not in key}
    return [strip(entry) for entry in value] if isinstance(value, list) else value


def bits(run):
    """All that a training is to leave."""
    models = {path.parent.name: path.read_bytes() for path in run.glob("checkpoints/*/*") if path.name in ("model.safetensors", "state.bin")}
    left = [str(path) for path in run.rglob("*") if path.name.startswith((".undone_", ".ludus-"))]
    assert not left, f"leftovers: {left}"
    return models, rows(run / "metrics/windows.jsonl", "window_id", True), rows(run / "metrics/updates.jsonl", "update", False)


def runs_in(folder):
    return sorted(path.parent for path in folder.glob("*/run.json"))


def told(fault, code, err, path):
    """A program that could not do it says so, by its exit code and a sentence."""
    kind, number, what = fault
    if what == "kill":
        assert code == -signal.SIGKILL or code == 0, f"exit {code}: {err[-300:]}"
    elif code != 0:
        sentence = err.strip().splitlines()[-1] if err.strip() else ""
        assert code in (1, 6) and sentence.startswith("ludus: "), f"exit {code}: {err[-300:]}"
    elif what in ("EIO", "ENOSPC") and kind in ("write", "fsync", "rename"):
        of_cache = is_cache(path) or path in (str(WORK / "train"), str(WORK / "eval"), str(next((WORK / "eval").glob("*/"), "")))  # SQLite syncs the folder of its file
        assert of_cache, f"{what} of {path} was not told"


def cpu_seconds():
    own, children = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
    return own.ru_utime + own.ru_stime + children.ru_utime + children.ru_stime


def all_of(name, faults, check):
    """Runs a check for every fault; the first that fail are told."""
    begun, used = time.time(), cpu_seconds()
    problems = []
    with concurrent.futures.ThreadPoolExecutor(WORKERS) as pool:
        jobs = {pool.submit(check, fault, number): fault for number, fault in enumerate(faults)}
        for job in concurrent.futures.as_completed(jobs):
            if len(problems) < TOLD and job.exception():
                problems.append(f"{name}, {':'.join(map(str, jobs[job]))}: {job.exception()}")
                for other in jobs if len(problems) == TOLD else ():
                    other.cancel()
    assert not problems, "\n    ".join(problems)
    print(f"     {len(faults)} faults in {time.time() - begun:.1f} s, {cpu_seconds() - used:.1f} s of processor: {name}", flush=True)


# ---- a training ----

def train(folder, *words, env=None):
    return call("train", "cartpole", "--out", folder, "--json", *words, env=env)


@functools.cache
def trained():
    """A run that met no fault."""
    folder = WORK / "plain"
    code, _, err = train(folder, *SMALL)
    assert code == 0, err
    return runs_in(folder)[0]


def training():
    folder = WORK / "train"
    trace = WORK / "train.trace"
    code, out, err = train(folder, *SMALL, env=layer(FAULTS_TRACE=trace))
    assert code == 0, err
    found, allocations = calls(trace)
    assert all(len(found[kind]) > 10 for kind in ("write", "fsync", "rename")) and (allocations > 1000 or "calls" in LAYER), (found, allocations)
    left = ordered(trace, folder)
    assert not left, f"folders that were never synced behind a new name: {left}"
    wanted, end = bits(runs_in(folder)[0]), json.loads(out.splitlines()[-1])["hash"]

    def check(fault, number, found=found, **more):
        kind, n, what = fault
        folder = WORK / f"train-{number}"
        code, out, err = train(folder, *SMALL, env=layer(FAULTS=f"{kind}:{n}:{what}", **more))
        told(fault, code, err, found[kind][n - 1] if kind != "alloc" else "")
        if code != 0 and not folder.exists():
            return  # it met the fault before it began
        if code != 0:
            code, out, err = train(folder, "--resume", "latest")
            if code == 3:  # nothing was kept yet, and that is told: begin anew
                assert not list(folder.glob("*/checkpoints/ckpt_*/manifest.json")), err
                code, out, err = train(folder, *SMALL)
            assert code == 0, f"it does not go on: {code} {err[-300:]}"
        run = runs_in(folder)[-1]
        assert json.loads(out.splitlines()[-1])["hash"] == end and bits(run) == wanted, "other bits"
        assert json.loads((run / "run.json").read_text())["status"] == "finished"
        shutil.rmtree(folder)

    all_of("a training", plan(found, allocations, STEP), check)

    # where folders cannot change places
    rough = {"FAULTS_NO_EXCHANGE": "1"}
    code, out, err = train(WORK / "rough", *SMALL, env=layer(FAULTS_TRACE=trace, **rough))
    assert code == 0 and json.loads(out.splitlines()[-1])["hash"] == end, err
    renames = calls(trace)[0]["rename"]
    assert len(renames) > len(found["rename"]), "nothing was moved aside"
    faults = [("rename", n, what) for n in range(1, len(renames) + 1) for what in ("EIO", "kill")]
    all_of("a training without exchange", faults[FIRST::EVERY], lambda fault, number: check(fault, number, {"rename": renames}, **rough))


# ---- an evaluation ----

def evaluation():
    run = trained()
    trace = WORK / "eval.trace"

    def fresh(name):
        copy = WORK / name / run.name
        shutil.copytree(run, copy)
        return copy

    def judged(copy):
        found = rows(copy / "metrics/evals.jsonl", "window_id", True)
        for row in found:
            for replay in row["replays"]:
                assert (copy / replay["file"]).stat().st_size == replay["bytes"], replay
        return found

    copy = fresh("eval")
    code, _, err = call("eval", "--follow", copy, env=layer(FAULTS_TRACE=trace))
    assert code == 0, err
    found, allocations = calls(trace)
    wanted = judged(copy)
    assert wanted

    def check(fault, number):
        kind, n, what = fault
        copy = fresh(f"eval-{number}")
        code, _, err = call("eval", "--follow", copy, env=layer(FAULTS=f"{kind}:{n}:{what}"))
        told(fault, code, err, found[kind][n - 1] if kind != "alloc" else "")
        if code != 0:
            code, _, err = call("eval", "--follow", copy)
            assert code == 0, f"it does not go on: {code} {err[-300:]}"
        assert judged(copy) == wanted, "other rows"
        shutil.rmtree(copy.parent)

    all_of("an evaluation", plan(found, allocations, STEP), check)


# ---- a serving ----

ASKED = [b"GET /api/v1/health", b"GET /api/v1/runs", b"GET /api/v1/runs/latest", b"GET /api/v1/runs/latest/windows", b"GET /api/v1/models",
         b"GET /api/v1/runs/latest/metrics?key=kl&rows=updates", b"GET /api/v1/runs/latest/models/latest", b"GET /api/v1/games/cartpole", b"GET /api/v1/none"]
PLAY = json.dumps({"game": "cartpole"}).encode()


def ask(port, head, body=b""):
    """Status of an answer; 0 when the server only closed."""
    more = b"Content-Type: application/json\r\nContent-Length: %d\r\n" % len(body) if body else b""
    with socket.create_connection(("127.0.0.1", port), 60) as sock:
        try:
            sock.sendall(head + b" HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n" + more + b"\r\n" + body)
            data = b""
            while part := sock.recv(65536):
                data += part
        except (ConnectionResetError, BrokenPipeError):
            return 0
    return int(data.split()[1]) if data else 0


def converse(env, folder):
    """Serves a conversation: exit code, statuses (None: it did not start) and what it said."""
    child = subprocess.Popen([LUDUS, "serve", "--port", "0", "--json", "--run.folder", str(folder)], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                             env=env, cwd=WORK)
    line = child.stdout.readline()
    statuses = None
    if line:
        port = json.loads(line)["port"]
        try:
            statuses = [ask(port, head) for head in ASKED] + [ask(port, b"POST /api/v1/sessions", PLAY)]
            statuses += [ask(port, b"GET /api/v1/health"), ask(port, b"GET /api/v1/runs/latest")]
        except ConnectionRefusedError:
            statuses = []
        child.terminate()
    out, err = child.communicate(timeout=300)
    return child.returncode, statuses, err.decode()


def serving():
    run = trained()
    folder = WORK / "serve"
    shutil.copytree(run, folder / run.name)
    trace = WORK / "serve.trace"
    code, wanted, err = converse(layer(FAULTS_TRACE=trace), folder)
    assert code == 0 and wanted == [200] * 8 + [404, 201, 200, 200], (code, wanted, err)
    found, allocations = calls(trace)
    before = {path: path.read_bytes() for path in (folder / run.name).rglob("*") if path.is_file() and "sqlite" not in path.name}

    def check(fault, number):
        kind, n, what = fault
        copy = WORK / f"serve-{number}"
        shutil.copytree(folder / run.name, copy / run.name)
        code, statuses, err = converse(layer(FAULTS=f"{kind}:{n}:{what}"), copy)
        if what == "kill":
            assert code in (-signal.SIGKILL, 0), f"exit {code}: {err[-300:]}"
        elif statuses is None:
            assert code in (1, 6) and err.strip().splitlines()[-1].startswith("ludus: "), f"exit {code}: {err[-300:]}"
        else:
            assert code == 0 and len(statuses) == len(wanted), f"exit {code} after {statuses}: {err[-300:]}"
            odd = [status for status, usual in zip(statuses, wanted) if status != usual]
            assert len(odd) <= 2 and all(status in (0, 500, 503) for status in odd), f"{statuses}: {err[-300:]}"
            assert 200 in statuses[-2:], "the server is not well afterwards"  # the fault may meet one of the two itself
        code, statuses, err = converse(environment(), copy)
        assert code == 0 and statuses == wanted, f"the next server: {code} {statuses} {err[-300:]}"
        for path, content in before.items():
            assert (copy / run.name / path.relative_to(folder / run.name)).read_bytes() == content, f"{path} was touched"
        shutil.rmtree(copy)

    all_of("a serving", plan(found, allocations, STEP), check)


# ---- servers of lines ----

def exchange(env, words, talk):
    """Lines to a server, with a reload in between: exit code, answers, what it said."""
    child = subprocess.Popen([LUDUS, *map(str, words), "--port", "0", "--json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=env, cwd=WORK)
    line = child.stdout.readline()
    answers = []
    if line:
        try:
            with socket.create_connection(("127.0.0.1", json.loads(line)["port"]), 60) as sock, sock.makefile("rb") as file:
                for number, said in enumerate(talk):
                    if number == len(talk) // 2 and words[0] == "serve-policy":
                        child.send_signal(signal.SIGHUP)
                    sock.sendall(json.dumps(said).encode() + b"\n")
                    answers.append(file.readline())
        except (ConnectionError, BrokenPipeError):
            pass
        child.terminate()
    out, err = child.communicate(timeout=300)
    return child.returncode, [answer for answer in answers if answer], err.decode()


def lines():
    agent = {"meta": {"id": "a"}}
    model = next(trained().glob("checkpoints/*/model.safetensors"))
    question = {"obs": [[0.1, 0.2, -0.1, 0.3]], "session": "a", "seed": "1", "returnProbs": True}
    for words, talk in ((["serve-policy", "--model", model], [{"list": True}, question, question, {"ping": True}, question]),
                        (["serve-env", "cartpole"], [{"action": action, "body": body, **agent} for action, body in
                                                     (("login", None), ("reset", {"target": "random"}), ("step", {"action": [1]}), ("debug", None), ("logout", None))])):
        trace = WORK / "lines.trace"
        code, wanted, err = exchange(layer(FAULTS_TRACE=trace), words, talk)
        assert code == 0 and len(wanted) == len(talk) and not any(b'"error"' in answer for answer in wanted), (code, wanted, err)
        found, allocations = calls(trace)

        def check(fault, number):
            code, answers, err = exchange(layer(FAULTS=":".join(map(str, fault))), words, talk)
            assert answers == wanted[:len(answers)], f"other answers: {answers}"
            if fault[2] == "kill":
                assert code in (-signal.SIGKILL, 0), f"exit {code}: {err[-300:]}"
            else:
                assert code == 0 and answers == wanted or code in (1, 6) and err.strip().splitlines()[-1].startswith("ludus: "), f"exit {code}: {err[-300:]}"

        all_of(words[0], plan(found, allocations, STEP), check)


def main():
    passed = failed = 0
    for part in (training, evaluation, serving, lines):
        if ONLY not in (None, part.__name__):
            continue
        begun = time.time()
        try:
            part()
            passed += 1
            print(f"ok   {time.time() - begun:8.3f} s  faults:{part.__name__}", flush=True)
        except AssertionError as problem:
            failed += 1
            print(f"FAIL {time.time() - begun:8.3f} s  faults:{part.__name__}\n    {problem}", flush=True)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


def option(name, otherwise):
    return words[words.index(name) + 1] if name in words else otherwise


if __name__ == "__main__":
    words = sys.argv[1:]
    if not words:
        sys.exit(__doc__)
    LONG = "--long" in words
    STEP = 1 if LONG else 50
    LUDUS = str(Path(words[0]).resolve())
    LAYER = str(Path(option("--layer", Path(LUDUS).parent / "faults.so")).resolve())
    EVERY, FIRST = int(option("--every", 1)), int(option("--first", 0))
    ONLY = option("--only", None)
    SMALL += ["--threads", option("--threads", "1")]
    try:
        sys.exit(main())
    finally:
        shutil.rmtree(WORK, ignore_errors=True)
