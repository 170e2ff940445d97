"""Weak and strong scaling of `mpirun -n N ludus train` on this machine, with the share of the exchange
between ranks, and what the model of docs/scale.md expects. One thread per rank; of every case the
fastest update counts.

Usage: bench/scale.py [PATH_OF_LUDUS] [RANKS...]     default: build/release/ludus 1 2
"""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
HORIZON, UPDATES = 32, 6


def measure(ludus, ranks, environments, minibatch, hidden):
    """The row of the fastest update."""
    env = {**os.environ, "LUDUS_HOME": str(ROOT), "OMPI_ALLOW_RUN_AS_ROOT": "1",
           "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
    with tempfile.TemporaryDirectory() as folder:
        words = ["mpirun", "--oversubscribe", "-n", ranks, ludus, "train", "prospector", "--json",
                 "--out", folder, "--threads", 1, "--steps", environments * HORIZON * UPDATES,
                 "--set", f"train.environments={environments}", "--set", f"train.horizon={HORIZON}",
                 "--set", f"train.minibatch={minibatch}", "--set", f"train.parts={ranks}",
                 "--set", f"net.hidden={hidden}", "--set", "eval.on=false"]
        done = subprocess.run([str(w) for w in words], env=env, capture_output=True, text=True)
    rows = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    rows = [row for row in rows if row.get("event") == "update"][1:]
    if not rows:
        sys.exit(f"the training ended without updates: {done.stderr}")
    return min(rows, key=lambda row: row["seconds"]["update"])


def main():
    words = sys.argv[1:]
    ludus = Path(words.pop(0) if words and not words[0].isdigit() else ROOT / "build/release/ludus").resolve()
    counts = [int(word) for word in words] or [1, 2]
    print(f"load of the machine: {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors")
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
