"""Weak and strong scaling of `mpirun -n N ludus train` on this machine, with the share of the exchange
between ranks; and the exchange alone for nets of several sizes, against the model of docs/scale.md.
Its numbers (seconds per message, bytes per second of a rank and of all) are fitted to all points by least
squares of relative errors; beside that stands what the points of other nets and other ranks say of each.
One thread per rank; of every case the fastest update counts, and of exchanges the shortest, which is the
one that met least of other people's load.

Usage: bench/scale.py [--exchange] [--network MBIT] [--save FILE] [PATH_OF_LUDUS] [RANKS...]     default: build/release/ludus 1 2
       bench/scale.py --fit FILE
    --exchange      the second table alone
    --network MBIT  the second table alone, of ranks that each send so many megabits a second at most,
                    through virtual network cards (needs the privilege to make them)
    --save FILE     writes the points of the second table
    --fit FILE      the second table from such points; measures nothing
"""

import argparse
import contextlib
import itertools
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
HORIZON, UPDATES = 32, 6


def works(*words):
    return subprocess.run([str(word) for word in words], capture_output=True).returncode == 0


@contextlib.contextmanager
def network(ranks, rate=None):
    """Words for mpirun that start each rank in a network namespace, all joined by a bridge and each with an address
    of its own, from where it sends at most `rate` megabits a second; None where such may not be made.
    """
    number = os.getpid() % 16384
    name, net = f"lu{number}", f"10.{64 + number // 256}.{number % 256}"
    steps = ["link add {name} type bridge", "addr add {net}.254/24 dev {name}", "link set {name} up"]
    each = ["netns add {name}-{r}", "link add {name}-{r} type veth peer name card netns {name}-{r}",
            "link set {name}-{r} master {name} up", "-n {name}-{r} addr add {net}.{address}/24 dev card",
            "-n {name}-{r} link set card up", "-n {name}-{r} link set lo up"]
    try:
        steps += [step.format(name="{name}", net="{net}", r=r, address=r + 1) for r in range(ranks) for step in each]
        made = shutil.which("ip") and all(works("ip", *step.format(name=name, net=net).split()) for step in steps)
        limit = ["dev", "card", "root", "tbf", "rate", f"{rate}mbit", "burst", "16kb", "latency", "100ms"]
        made = made and (not rate or all(works("tc", "-n", f"{name}-{r}", "qdisc", "add", *limit) for r in range(ranks)))
        with tempfile.TemporaryDirectory() as folder:
            enter = Path(folder) / "enter"
            enter.write_text(f"#!/bin/sh\nwhile [ \"${{1#{net}.}}\" = \"$1\" ]; do shift; done\n"
                             f"space={name}-$((${{1#{net}.}} - 1))\nshift\n"
                             "exec ip netns exec $space unshare --uts sh -c \"hostname $space; $*\"\n")
            enter.chmod(0o755)
            words = ["--host", ",".join(f"{net}.{r + 1}:1" for r in range(ranks)), "-x", "LUDUS_HOME"]
            for key, value in (("plm_rsh_agent", enter), ("plm_rsh_no_tree_spawn", 1), ("btl", "tcp,self"),
                               ("btl_tcp_if_include", f"{net}.0/24"), ("oob_tcp_if_include", f"{net}.0/24")):
                words += ["--mca", key, value]
            yield [str(word) for word in words] if made else None
    finally:
        for r in range(ranks):
            works("ip", "netns", "del", f"{name}-{r}")
        works("ip", "link", "del", name)


def updates(ludus, ranks, environments, minibatch, hidden, horizon=HORIZON, count=UPDATES, options=()):
    """Parameters of the net, and the rows of all updates but the first."""
    env = {**os.environ, "LUDUS_HOME": str(ROOT), "OMPI_ALLOW_RUN_AS_ROOT": "1",
           "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
    with tempfile.TemporaryDirectory() as folder:
        words = ["mpirun", "--oversubscribe", *options, "-n", ranks, ludus, "train", "prospector", "--json",
                 "--out", folder, "--threads", 1, "--steps", environments * horizon * count,
                 "--set", f"train.environments={environments}", "--set", f"train.horizon={horizon}",
                 "--set", f"train.minibatch={minibatch}", "--set", f"train.parts={ranks}",
                 "--set", f"net.hidden={hidden}", "--set", "eval.on=false"]
        done = subprocess.run([str(w) for w in words], env=env, capture_output=True, text=True)
    rows = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    found = [row for row in rows if row.get("event") == "update"][1:]
    if not found:
        sys.exit(f"the training ended without updates: {done.stderr}")
    return rows[0]["parameters"], found


def measure(*case):
    """The row of the fastest update."""
    return min(updates(*case)[1], key=lambda row: row["seconds"]["update"])


def exchanges(ludus, ranks, count=80, options=()):
    """The shortest exchange of a minibatch, by the size of the net."""
    for hidden in (32, 64, 128, 256, 384):
        parameters, rows = updates(ludus, ranks, 256, 1024, hidden, 16, count, options)
        took = 250.0 * min(row["seconds"]["exchange"] for row in rows)
        yield {"ranks": ranks, "hidden": hidden, "megabytes": 4e-6 * parameters, "milliseconds": took}


def terms(point):
    """What seconds per message, per byte of a rank and per byte of all ranks are multiplied by: each partner gets
    a slice and the ended one; ranks on one machine move their bytes in one memory.
    """
    ranks, own = point["ranks"], 2.0 * point["megabytes"] * (point["ranks"] - 1) / point["ranks"]
    return 2.0 * ranks, own, ranks * own


def fit(points):
    """Milliseconds for each of the terms, none below 0, with the least squares of relative errors; None where
    the points do not tell them apart.
    """
    if len(points) < 2:
        return None
    rows = np.array([terms(point) for point in points]) / [[point["milliseconds"]] for point in points]
    found = []
    for count in range(1, 4):
        for chosen in map(list, itertools.combinations(range(3), count)):
            part, _, rank, _ = np.linalg.lstsq(rows[:, chosen], np.ones(len(rows)), rcond=1e-6)
            if rank == count < len(rows) and part.min() >= 0.0:
                numbers = np.zeros(3)
                numbers[chosen] = part
                found.append((float(((rows @ numbers - 1.0) ** 2).sum()), count, numbers))
    return min(found, key=lambda one: (round(one[0], 9), one[1]))[2] if found else None


def unseen(points, point):
    """What points that share neither net nor ranks with this one say of it; with one count of ranks, other nets'."""
    several = len({other["ranks"] for other in points}) > 1
    numbers = fit([other for other in points if other["hidden"] != point["hidden"]
                   and not (several and other["ranks"] == point["ranks"])])
    return None if numbers is None else float(numbers @ terms(point))


def tell(points):
    numbers = fit(points)
    if numbers is None:
        sys.exit("too few points for a model: measure more counts of ranks")
    rates = [f"{1.0 / one:.3g} GB/s" if one else "no limit" for one in numbers[1:]]
    print(f"\nexchange of a minibatch, fitted to all points: {1000.0 * numbers[0]:.1f} us per message, {rates[0]} "
          f"for a rank, {rates[1]} for all ranks together")
    print("ranks  hidden  MB of parameters  measured ms  model of all points  model of other nets and ranks")
    for point in points:
        took, said = point["milliseconds"], [float(numbers @ terms(point)), unseen(points, point)]
        said = [f"{one:8.3f} {one / took - 1.0:+5.0%}" if one is not None else "too few points" for one in said]
        print(f"{point['ranks']:5}  {point['hidden']:6}  {point['megabytes']:16.3f}  {took:11.3f}  {said[0]:>19}"
              f"  {said[1]:>29}")


def machine(ludus):
    """Whose points these are."""
    found = json.loads(subprocess.run([ludus, "doctor", "--json"], capture_output=True, text=True).stdout)["findings"]
    commit = subprocess.run(["git", "rev-parse", "--short=7", "HEAD"], cwd=ROOT, capture_output=True, text=True)
    return {"processor": next(one["found"] for one in found if one["name"] == "processor"), "cpus": os.cpu_count(),
            "date": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()), "commit": commit.stdout.strip()}


def main():
    words = argparse.ArgumentParser(usage=__doc__)
    words.add_argument("--exchange", action="store_true")
    words.add_argument("--network", type=float)
    words.add_argument("--save", type=Path)
    words.add_argument("--fit", type=Path)
    words.add_argument("rest", nargs="*")
    words = words.parse_args()
    if words.fit:
        tell(json.loads(words.fit.read_text())["points"])
        return
    rest = words.rest
    ludus = Path(rest.pop(0) if rest and not rest[0].isdigit() else ROOT / "build/release/ludus").resolve()
    counts = [int(word) for word in rest] or [1, 2]
    print(f"load of the machine: {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors")
    points = []
    if not words.exchange and not words.network:
        scaling(ludus, counts)
    for ranks in [ranks for ranks in counts if ranks > 1]:
        if not words.network:
            points += exchanges(ludus, ranks)
            continue
        with network(ranks, words.network) as options:
            if options is None:
                sys.exit("network namespaces and limits of cards need the privilege to make them (and `ip` and `tc`)")
            points += exchanges(ludus, ranks, 8, options)
    if words.save:
        words.save.write_text(json.dumps({**machine(ludus), "points": points}, indent=1) + "\n")
    if points:
        tell(points)


def scaling(ludus, counts):
    print("scaling  hidden  ranks  environments  steps/s  of ideal  exchange ms/minibatch  share")
    for hidden in (64, 256):
        for kind in ("strong", "weak"):
            one = None
            for ranks in counts:
                by = ranks if kind == "weak" else 1
                row = measure(ludus, ranks, 1024 * by, 8192 * by, hidden)
                seconds, rate = row["seconds"], row["steps_per_second"]
                one = one or rate / ranks
                exchange = seconds.get("exchange", 0.0)
                print(f"{kind:7}  {hidden:6}  {ranks:5}  {1024 * by:12}  {rate:7.0f}  {rate / (one * ranks):8.2f}"
                      f"  {1000 * exchange / (1024 * HORIZON / 8192):21.2f}  {exchange / seconds['update']:5.1%}",
                      flush=True)


if __name__ == "__main__":
    main()
