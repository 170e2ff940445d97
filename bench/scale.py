"""Weak and strong scaling of `mpirun -n N ludus train` on this machine, with the share of the exchange
between ranks; and the exchange alone for nets of several sizes, against the model of docs/scale.md,
whose two numbers (seconds per message, bytes per second) are taken from the two smallest nets.
One thread per rank; of every case the fastest update counts, and of exchanges the shortest, which is the
one that met least of other people's load.

Usage: bench/scale.py [--exchange] [PATH_OF_LUDUS] [RANKS...]     default: build/release/ludus 1 2
    --exchange   the second table alone
"""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
HORIZON, UPDATES = 32, 6


def updates(ludus, ranks, environments, minibatch, hidden, horizon=HORIZON, count=UPDATES):
    """Parameters of the net, and the rows of all updates but the first."""
    env = {**os.environ, "LUDUS_HOME": str(ROOT), "OMPI_ALLOW_RUN_AS_ROOT": "1",
           "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
    with tempfile.TemporaryDirectory() as folder:
        words = ["mpirun", "--oversubscribe", "-n", ranks, ludus, "train", "prospector", "--json",
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


def exchanges(ludus, ranks):
    """Milliseconds of the shortest exchange of a minibatch, by the size of the net, and the model's."""
    points = []
    for hidden in (32, 64, 128, 256, 384):
        parameters, rows = updates(ludus, ranks, 256, 1024, hidden, 16, 80)
        points.append((hidden, 4.0 * parameters, 250.0 * min(row["seconds"]["exchange"] for row in rows)))
    (_, least, fast), (_, most, slow) = points[:2]
    share = 2.0 * (ranks - 1) / ranks
    per_byte = (slow - fast) / (share * (most - least))
    fixed = fast - per_byte * share * least
    print(f"\n{ranks} ranks: {fixed:.3f} ms a minibatch and {1e-6 / per_byte:.2f} GB/s fit the first two")
    print("hidden  MB of parameters  exchange ms/minibatch  model")
    for hidden, size, took in points:
        print(f"{hidden:6}  {size / 1e6:16.3f}  {took:21.3f}  {fixed + per_byte * share * size:5.3f}", flush=True)


def main():
    words = sys.argv[1:]
    alone = "--exchange" in words
    words = [word for word in words if word != "--exchange"]
    ludus = Path(words.pop(0) if words and not words[0].isdigit() else ROOT / "build/release/ludus").resolve()
    counts = [int(word) for word in words] or [1, 2]
    print(f"load of the machine: {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors")
    if not alone:
        scaling(ludus, counts)
    for ranks in counts:
        if ranks > 1:
            exchanges(ludus, ranks)


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
