#!/usr/bin/env python3
"""The profile `classic` learns as the CleanRL-style script does.

    curve_test.py LEARNING_CURVE [--seeds N] [--peer PYTHON] [--out FILE]

LEARNING_CURVE is the program of tests/learning_curve.c. It trains CartPole with N seeds; the curve of
their means must lie inside the interval that the script's curves leave for the mean of N further runs
of the same kind, at every tenth of the run and in its area. The script's curves are those of
bench/anchors, or, with --peer, come from running it now by that Python (which needs torch and
gymnasium). Whatever the curves say, at most one seed in ten may miss a mean of 475 over 100 episodes.
--out writes the figures of speed, which no test checks.
"""

import argparse
import datetime
import json
import math
import os
import statistics
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
ANCHOR = os.path.join(ROOT, "bench/anchors/cartpole_cleanrl_style.json")
SCRIPT = os.path.join(ROOT, "python/anchors/cleanrl_style.py")
PARTS = 10  # points of a curve that are compared
# two-sided quantiles of Student's t by degrees of freedom: 99.9 % for the points, of which there are
# many, 99 % for the area
T999 = {8: 5.041, 9: 4.781, 10: 4.587, 11: 4.437, 12: 4.318, 14: 4.140, 16: 4.015, 18: 3.922}
T99 = {8: 3.355, 9: 3.250, 10: 3.169, 11: 3.106, 12: 3.055, 14: 2.977, 16: 2.921, 18: 2.878}


class Checks:
    def __init__(self):
        self.passed = self.failed = 0

    def check(self, good, sentence):
        print(("ok    " if good else "FAIL  ") + sentence)
        self.passed += bool(good)
        self.failed += not good


def quantile(table, freedom):
    """The next lower entry: a wider interval, never a narrower one."""
    return table[max(k for k in table if k <= freedom)]


def inside(ours, theirs, table):
    """Whether the mean of ours lies in the interval of theirs; both spreads count."""
    n, m = len(ours), len(theirs)
    freedom = n + m - 2
    spread = (statistics.variance(theirs) * (m - 1) + statistics.variance(ours) * (n - 1)) / freedom
    # an end at which every run has the largest return has no spread at all: half a percent then
    spread = max(math.sqrt(spread), 0.005 * abs(statistics.mean(theirs)))
    middle = statistics.mean(theirs)
    reach = quantile(table, freedom) * spread * math.sqrt(1 / n + 1 / m)
    mean = statistics.mean(ours)
    return abs(mean - middle) <= reach, f"{mean:.1f} in {middle - reach:.1f} .. {middle + reach:.1f}"


def compare(ours, theirs, checks):
    length = len(theirs[0]["curve"])
    checks.check(
        all([p[0] for p in r["curve"]] == [p[0] for p in theirs[0]["curve"]] for r in ours + theirs),
        "all curves have their points at the same steps",
    )
    for part in range(PARTS):
        at = (part + 1) * length // PARTS - 1
        good, words = inside(
            [r["curve"][at][1] for r in ours], [r["curve"][at][1] for r in theirs], T999
        )
        checks.check(good, f"mean return after {theirs[0]['curve'][at][0]} steps: {words}")
    good, words = inside([r["area"] for r in ours], [r["area"] for r in theirs], T99)
    checks.check(good, f"area of the curve: {words}")
    solved = sum(r["steps_to_solved"] is not None for r in ours)
    checks.check(solved * 10 >= len(ours) * 9, f"{solved} of {len(ours)} seeds reach 475")


def run_peer(python, seeds):
    """The script now, half of the seeds at a time on two processors."""
    half = seeds // 2
    ranges = [f"1..{half}", f"{half + 1}..{seeds}"]
    with tempfile.TemporaryDirectory() as folder:
        files = [os.path.join(folder, f"{i}.json") for i in range(2)]
        runs = [
            subprocess.Popen(
                [python, SCRIPT, "--env", "CartPole-v1", "--seeds", r, "--out", f],
                stdout=subprocess.DEVNULL,
            )
            for r, f in zip(ranges, files)
        ]
        if any([run.wait() for run in runs]):
            sys.exit("curve_test: the peer's script failed")
        rows = []
        for name in files:
            with open(name, encoding="utf-8") as file:
                rows += json.load(file)["seeds"]
    return rows


def median(rows, key):
    return statistics.median(r[key] for r in rows if r.get(key) is not None)


def cpu_name():
    with open("/proc/cpuinfo", encoding="ascii", errors="replace") as file:
        return next((s.split(":", 1)[1].strip() for s in file if s.startswith("model name")), "")


def figures(ours, theirs):
    """Speed on one core. Seconds are those of the processor: they do not count what others took."""
    rate, peer = (median(rows, "steps_per_cpu_second") for rows in (ours, theirs))
    commit = subprocess.run(
        ["git", "-C", ROOT, "rev-parse", "--short", "HEAD"], capture_output=True, text=True
    )
    return {
        "kind": "ludus learning speed",
        "date": datetime.date.today().isoformat(),
        "commit": commit.stdout.strip() or "unknown",
        "cpu": cpu_name(),
        "game": "cartpole",
        "profile": "classic",
        "seeds": len(ours),
        "steps_per_second": round(rate),
        "script_steps_per_second": round(peer),
        "ratio": round(rate / peer, 1),
        "steps_to_475": round(median(ours, "steps_to_solved")),
        "seconds_to_475": round(median(ours, "steps_to_solved") / rate, 2),
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("program")
    parser.add_argument("--seeds", type=int, default=2)
    parser.add_argument("--peer", help="a Python with torch and gymnasium")
    parser.add_argument("--out", help="file for the figures of speed")
    args = parser.parse_args()
    done = subprocess.run(
        [args.program, "cartpole", f"1..{args.seeds}"], stdout=subprocess.PIPE, check=True
    )
    ours = json.loads(done.stdout)["seeds"]
    if args.peer:
        theirs = run_peer(args.peer, 10)
    else:
        with open(ANCHOR, encoding="utf-8") as file:
            theirs = json.load(file)["seeds"]
    checks = Checks()
    compare(ours, theirs, checks)
    told = figures(ours, theirs)
    print("figures (not checked): " + json.dumps(told))
    if args.out:
        with open(args.out, "w", encoding="utf-8") as file:
            json.dump(told, file, indent=1)
            file.write("\n")
    print(f"{checks.passed} passed, {checks.failed} failed")
    return 1 if checks.failed else 0


if __name__ == "__main__":
    sys.exit(main())
