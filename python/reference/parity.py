"""Steps the Python reference and the C program through the same games and compares every step.

    python3 parity.py [--steps N] [--seed S] [--suite ABCD] [--ludus PATH] [--jobs J] [--bundle DIR]
    python3 parity.py --replay BUNDLE [--ludus PATH]

An episode is played by the reference first, since some players need its mask; the C program then
gets all actions at once and its lines are compared as they come.  The first mismatch ends the run
and leaves a bundle folder.  Progress goes to stderr, the last line of stdout is JSON; exit 0 when
equal, 5 on a mismatch, 2 when there is nothing to run.
"""

import argparse
import json
import multiprocessing
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from array import array
from pathlib import Path

from parity_players import SUITES
from prospector import Prospector
from prospector_tables import METRICS, N_ACTIONS, TERMS, Pcg32

ROOT = Path(__file__).resolve().parents[2]
TOLERANCE = 1e-6           # observations and rewards, of max(1, |value|); metrics, of |value|
METRIC_FLOOR = 1e-9        # absolute slack for metrics that are zero
CHUNK_MIN = 200            # steps of the shortest piece of work
AFTER_END = [6, 6, 6]      # sent after the reference ended; the C side must not answer them

# --- reference side ---------------------------------------------------------------------------

# A record of either side is a dict with the keys of a C trace line.


def reference_record(t, action, obs, reward, terminated, truncated, info, mask):
    return {"t": t, "action": action, "reward": reward, "terms": info["terms"],
            "terminated": int(terminated), "truncated": int(truncated), "mask": mask, "obs": obs,
            "info": dict(info, invalid=int(info["invalid_action"]))}


def play_reference(seed, time_max, next_action, most):
    """Play up to `most` steps; returns (actions, records from t = -1 on, episode over)."""
    env = Prospector(time_max=time_max)
    obs, info = env.reset(seed)
    env.decisions = 0
    actions, records = [], [reference_record(-1, -1, obs, 0.0, 0, 0, info, env.mask())]
    while not env.done and len(actions) < most:
        action = next_action(env, obs)
        obs, reward, terminated, truncated, info = env.step(action)
        records.append(reference_record(env.decisions, action, obs, reward, terminated, truncated,
                                        info, env.mask()))
        actions.append(action)
        env.decisions += 1
    return actions, records, env.done


# --- C side -----------------------------------------------------------------------------------

def trace_command(ludus, seed, time_max):
    return [*shlex.split(ludus), "trace", "prospector", "--seed", str(seed), "--actions", "-",
            "--set", f"time_max={float(time_max)!r}", "--set", "reward.mode=reference", "--json"]


def trace_lines(ludus, seed, time_max, actions):
    """Yields the C side's records; at the end a dict with its exit status and stderr."""
    with tempfile.TemporaryFile("w+") as source, tempfile.TemporaryFile("w+") as errors:
        source.write("".join(f"{a}\n" for a in actions))
        source.flush()
        source.seek(0)
        process = subprocess.Popen(trace_command(ludus, seed, time_max), stdin=source,
                                   stdout=subprocess.PIPE, stderr=errors)
        try:
            for line in process.stdout:
                yield json.loads(line)
            status = process.wait()
            errors.seek(0)
            yield {"exit": status, "stderr": errors.read()[-4000:]}
        finally:  # also reached when the reader stops early
            process.stdout.close()
            process.kill()
            process.wait()


# --- comparison -------------------------------------------------------------------------------

def near(a, b):
    return abs(a - b) <= TOLERANCE * max(1.0, abs(a))


def near_metric(a, b):
    return abs(a - b) <= TOLERANCE * abs(a) + METRIC_FLOOR


def differences(want, have):
    """Fields that differ, as (field, reference, C); the order puts causes before effects."""
    found = []

    def check(field, a, b, equal):
        if not equal:
            found.append((field, a, b))

    info, c_info = want["info"], have["info"]
    check("t", want["t"], have["t"], want["t"] == have["t"])
    check("info.rng", info["rng"], c_info["rng"], info["rng"] == c_info["rng"].lower())
    if want["t"] >= 0:
        sent = have["action"] in (want["action"], info["action"])  # as sent or as resolved
        check("action", want["action"], have["action"], sent)
        for key in ("dt", "invalid"):
            check(f"info.{key}", info[key], c_info[key], info[key] == c_info[key])
        for key in ("terminated", "truncated"):
            check(key, want[key], have[key], want[key] == have[key])
        terms = have["terms"]
        terms = terms if isinstance(terms, dict) else dict(zip(TERMS, terms))
        check("terms", list(TERMS), list(terms), len(terms) == len(TERMS))
        for name, value in want["terms"].items():
            check(f"terms.{name}", value, terms[name], near(value, terms[name]))
        check("reward", want["reward"], have["reward"], near(want["reward"], have["reward"]))
    for name in METRICS:
        check(f"info.{name}", info[name], c_info[name], near_metric(info[name], c_info[name]))
    obs = have["obs"]
    if array("f", obs) != want["obs"]:
        check("obs length", len(want["obs"]), len(obs), len(want["obs"]) == len(obs))
        for i, (a, b) in enumerate(zip(want["obs"], obs)):
            check(f"obs[{i}]", a, b, near(a, b))
    if want["mask"] != have["mask"]:
        check("mask length", N_ACTIONS, len(have["mask"]), len(have["mask"]) == N_ACTIONS)
        for a, (one, other) in enumerate(zip(want["mask"], have["mask"])):
            check(f"mask[{a}]", one, other, one == other)
    return found


def compare_episode(ludus, seed, time_max, actions, records, over):
    """None when equal, else the mismatch as a dict."""
    lines = trace_lines(ludus, seed, time_max, actions + (AFTER_END if over else []))
    previous, have, count = None, None, 0
    try:
        for count, want in enumerate(records):
            previous, have = have, next(lines)
            if "exit" in have:
                found = [("line missing", want["t"], have)]
            else:
                found = differences(want, have)
            if found:
                return mismatch(seed, time_max, actions, records, count, found, previous, have)
        previous, have = have, next(lines)
        if have != {"exit": 0, "stderr": have.get("stderr")}:
            found = [("line too many or exit status", "end of trace, exit 0", have)]
            return mismatch(seed, time_max, actions, records, count, found, previous, have)
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError) as error:
        found = [("format", "a trace line", f"{type(error).__name__}: {error}")]
        return mismatch(seed, time_max, actions, records, count, found, previous, have)
    finally:
        lines.close()
    return None


def mismatch(seed, time_max, actions, records, count, found, previous, have):
    t = records[count]["t"]
    return {"seed": seed, "time_max": time_max, "t": t, "actions": actions[:t + 1],
            "differences": found, "reference": records[max(0, count - 1):count + 1],
            "c": [line for line in (previous, have) if line is not None]}


# --- bundle -----------------------------------------------------------------------------------

def write_bundle(folder, bad, suite, ludus):
    """One folder with all that is needed to see the mismatch again."""
    path = Path(folder) / f"{suite}-seed{bad['seed']}-t{bad['t']}"
    path.mkdir(parents=True, exist_ok=True)
    script = Path(__file__).resolve()
    trace = shlex.join(trace_command(ludus, bad["seed"], bad["time_max"]))
    field, want, have = bad["differences"][0]
    summary = {
        "game": "prospector", "suite": suite, "seed": bad["seed"],
        "settings": {"time_max": bad["time_max"], "reward.mode": "reference"},
        "t": bad["t"], "first_field": field, "reference": want, "c": have,
        "differences": [dict(zip(("field", "reference", "c"), d)) for d in bad["differences"]],
        "replay": f"python3 {script} --replay {path.resolve()} --ludus {shlex.quote(ludus)}",
        "c_alone": f"{trace} < {path.resolve() / 'actions.txt'}",
    }

    def dump(value):
        return json.dumps(value, default=list)

    (path / "bundle.json").write_text(json.dumps(summary, indent=2, default=list) + "\n")
    (path / "actions.txt").write_text("".join(f"{a}\n" for a in bad["actions"]))
    (path / "reference.jsonl").write_text("".join(dump(r) + "\n" for r in bad["reference"]))
    (path / "c.jsonl").write_text("".join(dump(r) + "\n" for r in bad["c"]))
    (path / "replay.sh").write_text(f"#!/bin/sh\nexec {summary['replay']}\n")
    return path, summary


def describe(bad):
    rows = [f"seed {bad['seed']}, time_max {bad['time_max']}, step {bad['t']}:"]
    rows += [f"  {field}: reference {want!r}, C {have!r}" for field, want, have
             in bad["differences"][:12]]
    return "\n".join(rows)


def replay(folder, ludus):
    summary = json.loads((Path(folder) / "bundle.json").read_text())
    time_max = summary["settings"]["time_max"]
    sent = [int(line) for line in (Path(folder) / "actions.txt").read_text().split()]
    actions, records, over = play_reference(summary["seed"], time_max,
                                            lambda env, obs: sent[env.decisions], len(sent))
    bad = compare_episode(ludus, summary["seed"], time_max, actions, records, over)
    if bad:
        print(describe(bad), file=sys.stderr)
    return {"steps": len(actions), "episodes": 1, "mismatches": int(bad is not None)}


# --- run --------------------------------------------------------------------------------------

def run_chunk(chunk):
    """Play episodes of one suite, seed after seed, until the chunk's steps are done."""
    suite, seed, time_max, steps, ludus = chunk
    make_player = SUITES[suite][0]
    done = episodes = 0
    while done < steps:
        player, rng = make_player(seed), Pcg32(seed ^ 0x9E3779B97F4A7C15)
        actions, records, over = play_reference(
            seed, time_max, lambda env, obs: player(env, obs, rng), steps - done)
        bad = compare_episode(ludus, seed, time_max, actions, records, over)
        done += bad["t"] + 1 if bad else len(actions)
        episodes += 1
        if bad:
            return suite, done, episodes, bad
        seed = (seed + 1) % 2**64
    return suite, done, episodes, None


def make_chunks(suites, seed, steps, ludus):
    """Ten starting seeds per budget where there are steps enough; the tenth is close to 2^64."""
    chunks = []
    for suite in suites:
        budgets = SUITES[suite][1]
        share = -(-steps // len(suites))
        seeds = max(1, min(10, share // (CHUNK_MIN * len(budgets))))
        quota = max(1, -(-share // (seeds * len(budgets))))
        for k in range(seeds):
            start = seed + 100000 * k if k < 9 else 2**64 - 3 - seed % 1000
            chunks += [(suite, start, budget, quota, ludus) for budget in budgets]
    return chunks


def run(options):
    chunks = make_chunks(options.suite, options.seed, options.steps, options.ludus)
    steps = episodes = mismatches = 0
    began = shown = time.monotonic()
    with multiprocessing.Pool(options.jobs) as pool:
        for suite, done, played, bad in pool.imap_unordered(run_chunk, chunks):
            steps += done
            episodes += played
            now = time.monotonic()
            if now - shown > 2.0:
                print(f"{steps} steps, {episodes} episodes, {steps / (now - began):.0f} steps/s",
                      file=sys.stderr, flush=True)
                shown = now
            if bad:
                mismatches = 1
                path, summary = write_bundle(options.bundle, bad, suite, options.ludus)
                print(f"suite {suite}, {describe(bad)}\nbundle: {path}\n"
                      f"replay: {summary['replay']}", file=sys.stderr)
                pool.terminate()
                break
    return {"steps": steps, "episodes": episodes, "mismatches": mismatches}


def main():
    parser = argparse.ArgumentParser(description="compare the Python reference with the C program")
    parser.add_argument("--steps", type=int, default=20000, help="steps over all suites")
    parser.add_argument("--seed", type=int, default=7, help="first seed")
    parser.add_argument("--suite", default="ABCD", help="suites to run, letters of ABCD")
    parser.add_argument("--ludus", default=str(ROOT / "build/release/apps/ludus"),
                        help="the C program; may carry arguments")
    parser.add_argument("--jobs", type=int, default=2, help="worker processes")
    parser.add_argument("--bundle", default=str(ROOT / "build/parity"), help="where bundles go")
    parser.add_argument("--replay", metavar="BUNDLE", help="repeat a mismatch from its bundle")
    options = parser.parse_args()
    if not set(options.suite) <= set(SUITES) or options.steps < 1:
        parser.error("--suite takes letters of ABCD and --steps at least 1")
    if shutil.which(shlex.split(options.ludus)[0]) is None:
        parser.error(f"no program at {options.ludus}: build it or pass --ludus PATH")
    result = replay(options.replay, options.ludus) if options.replay else run(options)
    print(json.dumps(result))
    return 5 if result["mismatches"] else 0


if __name__ == "__main__":
    sys.exit(main())
