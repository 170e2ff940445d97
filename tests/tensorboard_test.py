#!/usr/bin/env python3
"""Reads event files of ludus with the PyPI package `tensorboard`: tags, steps, times and values,
the settings as a text, a resumed run, a torn end; the same through TensorBoard's own server; and
`ludus train --tensorboard`, which starts that server.

Usage: tensorboard_test.py PATH_OF_TENSORBOARD_WRITE PATH_OF_LUDUS
Needs the package tensorboard. Ends with a line "N passed, N failed".
"""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

import numpy
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

WRITE = LUDUS = ""  # tests/tensorboard_write.c and the program
FIGURES = {"episode_length": 120.25, "policy_loss": -0.0125, "value_loss": 0.75, "entropy": 0.5,
           "kl": 0.001, "clipped": 0.0625, "explained": 0.9, "steps_per_second": 123456.0,
           "episodes": 31}


def window(number, value, steps=None):
    """A row of windows.jsonl as docs/run-folder.md has it; `value` is its return."""
    return {"run_id": "r", "window_id": number, "complete": steps is None, "update": 4 * number + 4,
            "env_steps": steps or 1000 * (number + 1), "ticks": 2000 * (number + 1),
            "env_steps_start": 1000 * number, "updates": 4, "wall_seconds": 1.5 * (number + 1),
            "written": f"2026-01-31T12:00:{number:02}Z", "episode_return": value, **FIGURES,
            "endings": 31, "infos": {"true_profit": 10 * value}, "terms": {"gain": value / 8},
            "seconds": {"update": 1.5, "rollout": 1.0}}


def evaluation(number, value):
    return {"run_id": "r", "window_id": number, "env_steps": 1000 * (number + 1),
            "written": "2026-01-31T13:00:00Z", "metric": "true_profit",
            "value": {"mean": value, "low": value - 1, "high": value + 1},
            "report": {"return": {"mean": value / 10}}}


def write(folder, kept, kind, rows):
    with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as file:
        file.write("".join(json.dumps(row) + "\n" for row in rows))
        file.flush()
        subprocess.run([WRITE, folder, str(kept), kind, file.name], check=True)


def read(folder):
    accumulator = EventAccumulator(str(folder))
    accumulator.Reload()
    return accumulator


def curve(accumulator, tag):
    return [(point.step, point.value) for point in accumulator.Scalars(tag)]


def test_window_tags_steps_and_values(folder):
    write(folder, -1, "windows", [window(0, 1.5), window(1, -2.25)])
    got = read(folder)
    want = {"episode_reward", "terms/gain", "infos/true_profit", "seconds/update",
            "seconds/rollout", *FIGURES}
    assert set(got.Tags()["scalars"]) == want, got.Tags()["scalars"]
    assert curve(got, "episode_reward") == [(1000, 1.5), (2000, -2.25)]
    assert curve(got, "terms/gain") == [(1000, 1.5 / 8), (2000, -2.25 / 8)]
    for name, value in FIGURES.items():
        near = numpy.float32(value)
        assert curve(got, name) == [(1000, near), (2000, near)], name
    times = [point.wall_time for point in got.Scalars("episode_reward")]
    assert times == [1769860800.0, 1769860801.0], times


def test_settings_are_a_text(folder):
    write(folder, -1, "windows", [window(0, 1.0)])
    got = read(folder)
    assert got.Tags()["tensors"] == ["settings"], got.Tags()
    assert got.PluginTagToContent("text") == {"settings": b""}
    event = got.Tensors("settings")[0]
    text = event.tensor_proto.string_val[0].decode()
    assert event.tensor_proto.tensor_shape.dim[0].size == 1
    assert text.startswith("| setting | value |\n|---|---|\n") and "| seed" not in text, text
    assert all(line.startswith("| ") and line.endswith(" |") for line in text.splitlines()[2:])


def test_evaluations(folder):
    write(folder, -1, "evals", [evaluation(0, 50.0), evaluation(1, 75.0)])
    got = read(folder)
    assert curve(got, "eval/true_profit") == [(1000, 50.0), (2000, 75.0)]
    assert curve(got, "eval/low") == [(1000, 49.0), (2000, 74.0)]
    assert curve(got, "eval/high") == [(1000, 51.0), (2000, 76.0)]
    assert curve(got, "eval/return") == [(1000, 5.0), (2000, 7.5)]


def resumed(folder):
    """Windows 0 to 3, the last one cut off at step 3,500; then on from inside of window 2."""
    write(folder, -1, "windows", [window(0, 0.0), window(1, 1.0), window(2, 2.0),
                                  window(3, 3.0, steps=3500)])
    write(folder, 2000, "windows", [window(2, 20.0), window(3, 30.0)])


def test_a_resumed_run_is_one_curve(folder):
    resumed(folder)
    assert len(list(Path(folder).iterdir())) == 2
    want = [(1000, 0.0), (2000, 1.0), (3000, 20.0), (4000, 30.0)]
    assert curve(read(folder), "episode_reward") == want, curve(read(folder), "episode_reward")


def test_a_new_run_drops_what_was_there(folder):
    write(folder, -1, "windows", [window(0, 0.0), window(3, 3.0, steps=3500)])
    write(folder, -1, "windows", [window(1, 1.0)])
    assert curve(read(folder), "episode_reward") == [(2000, 1.0)]


def test_a_torn_end_hides_nothing(folder):
    write(folder, -1, "windows", [window(0, 1.0), window(1, 2.0)])
    file = next(Path(folder).iterdir())
    data = file.read_bytes()
    file.write_bytes(data[:-7])  # inside of the last record, seconds/rollout of window 1
    got = read(folder)
    assert curve(got, "episode_reward") == [(1000, 1.0), (2000, 2.0)]
    assert curve(got, "seconds/rollout") == [(1000, 1.0)]
    # the next session goes on behind it, in a file of its own
    write(folder, 1000, "windows", [window(1, 2.0)])
    assert curve(read(folder), "seconds/rollout") == [(1000, 1.0), (2000, 1.0)]


def ask(address, path):
    with urllib.request.urlopen(address + path, timeout=300) as reply:
        return json.load(reply)


def serve(folder, fast):
    """Asks TensorBoard itself, which has two readers, until it has read all."""
    resumed(os.path.join(folder, "train"))
    write(os.path.join(folder, "eval"), -1, "evals", [evaluation(0, 50.0)])
    log = Path(folder, "log")
    with open(log, "wb") as output:
        server = subprocess.Popen(
            [sys.executable, "-m", "tensorboard.main", "--logdir", folder, "--host", "127.0.0.1",
             "--port", "0", "--load_fast", fast],
            stdin=subprocess.DEVNULL, stdout=output, stderr=output)
    try:
        said = re.compile(r"http://127\.0\.0\.1:\d+")
        address = wait_for(lambda: said.search(log.read_text()), server, log)
        check_server(address.group(), server, log)
    finally:
        server.terminate()
        server.wait(timeout=300)


def check_server(address, server, log):
    def complete():
        runs = ask(address, "/data/plugin/scalars/tags")
        return runs if "eval" in runs and "seconds/rollout" in runs.get("train", {}) else None

    runs = wait_for(complete, server, log)
    assert set(runs) == {"train", "eval"}, runs
    assert "episode_reward" in runs["train"] and "eval/low" in runs["eval"], runs
    points = ask(address, "/data/plugin/scalars/scalars?run=train&tag=episode_reward")
    want = [[1000, 0.0], [2000, 1.0], [3000, 20.0], [4000, 30.0]]
    assert [point[1:] for point in points] == want, points
    texts = ask(address, "/data/plugin/text/tags")
    assert texts.get("train") == ["settings"], texts


def wait_for(answer, server, log):
    """What answer() gives as soon as it gives anything; at most five."""
    for _ in range(3000):
        found = answer()
        if found:
            return found
        assert server.poll() is None, log.read_text()[-500:]
        time.sleep(0.1)
    raise AssertionError(f"no answer of TensorBoard within five minutes: {log.read_text()[-500:]}")


def test_the_server_shows_it(folder):
    serve(folder, "false")


def test_the_fast_server_shows_it(folder):
    serve(folder, "true")


# ---- beside a training ----


def train(folder, path, *words, at=None):
    """A training with --tensorboard that finds programs in the folders `path` only."""
    command = [LUDUS, "train", "cartpole", "--tensorboard", "--out", os.path.join(folder, "runs"),
               "--set", "train.environments=8", "--set", "train.horizon=32",
               "--set", "train.minibatch=64", *words]
    return subprocess.Popen(command, env={**os.environ, "PATH": path}, cwd=at, stdin=subprocess.DEVNULL,
                            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)


def stand_in(folder, script):
    """A program `tensorboard`; its folder is the PATH."""
    path = Path(folder, "bin")
    path.mkdir()
    (path / "tensorboard").write_text(f"#!/bin/sh\n{script}\n")
    (path / "tensorboard").chmod(0o755)
    return str(path)


def wait_until(answer):
    for _ in range(3000):
        found = answer()
        if found:
            return found
        time.sleep(0.1)
    raise AssertionError("nothing within five minutes")


def address_of(child):
    for line in child.stderr:
        found = re.search(r"TensorBoard: (http://127\.0\.0\.1:\d+)$", line.strip())
        if found:
            return found.group(1)
    raise AssertionError("no address was told")


def answer_of(address):
    try:
        return ask(address, "/data/plugin/scalars/tags")
    except OSError:
        return None


def test_it_starts_beside_a_training_and_ends_with_it(folder):
    child = train(folder, os.path.dirname(sys.executable), "--steps", "1G",
                  "--set", "run.window_env_steps=20k")
    try:
        address = address_of(child)
        wait_until(lambda: "episode_reward" in (answer_of(address) or {}).get("train", {}))
        child.send_signal(signal.SIGINT)
        child.communicate(timeout=300)
        assert child.returncode == 130, child.returncode
        assert answer_of(address) is None
    finally:
        child.kill()


def running(file):
    """Whether the process whose number a file holds runs."""
    state = Path("/proc", file.read_text().strip(), "stat")
    return state.exists() and state.read_text().rsplit(")", 1)[1].split()[0] != "Z"


def test_a_killed_training_leaves_none_behind(folder):
    file = Path(folder, "process")
    path = stand_in(folder, f'echo "$@" >{folder}/words; echo $$ >{file}; exec /bin/sleep 600')
    child = train(folder, path, "--steps", "1G")
    address = address_of(child)
    wait_until(lambda: file.exists() and file.read_text().endswith("\n"))
    assert running(file)
    child.kill()
    child.communicate(timeout=300)
    wait_until(lambda: not running(file))
    words = Path(folder, "words").read_text().split()
    (run,) = Path(folder, "runs").glob("2*")
    assert words == ["--logdir", f"{run}/tensorboard", "--host", "127.0.0.1", "--port",
                     address.rsplit(":", 1)[1]], words


def test_an_early_end_is_told(folder):
    file = Path(folder, "process")
    path = stand_in(folder, f"echo no luck; echo $$ >{file}; exit 3")
    child = train(folder, path, "--steps", "1G")
    try:
        wait_until(lambda: file.exists() and file.read_text().endswith("\n"))
        wait_until(lambda: not running(file))
        child.send_signal(signal.SIGINT)
        _, said = child.communicate(timeout=300)
    finally:
        child.kill()
    assert child.returncode == 130 and "ended early" in said and "tensorboard.log" in said, said
    (log,) = Path(folder, "runs").glob("2*/tensorboard/tensorboard.log")
    assert log.read_text() == "no luck\n"


def test_without_it_one_sentence(folder):
    child = train(folder, folder, "--steps", "2k")
    _, said = child.communicate(timeout=300)
    assert child.returncode == 0 and "pip install tensorboard" in said, (child.returncode, said)


def test_a_folder_of_its_name_is_not_it(folder):
    """Experiments have their event files in one; python3 -S knows no packages."""
    path = Path(folder, "bin")
    path.mkdir()
    Path(folder, "tensorboard").mkdir()
    (path / "python3").write_text(f'#!/bin/sh\nexec {sys.executable} -S "$@"\n')
    (path / "python3").chmod(0o755)
    child = train(folder, str(path), "--steps", "2k", at=folder)
    _, said = child.communicate(timeout=300)
    assert child.returncode == 0 and "pip install tensorboard" in said, (child.returncode, said)


def main():
    global WRITE, LUDUS
    if len(sys.argv) != 3:
        print(__doc__)
        return 0 if sys.argv[1:] in (["-h"], ["--help"]) else 2
    WRITE, LUDUS = (os.path.abspath(path) for path in sys.argv[1:])
    passed = failed = 0
    for name, test in list(globals().items()):
        if not name.startswith("test_"):
            continue
        start = time.monotonic()
        folder = tempfile.mkdtemp(prefix="ludus-tensorboard-")
        try:
            test(folder)
            passed += 1
            print(f"ok   {time.monotonic() - start:8.3f} s  tensorboard:{name[5:]}")
        except Exception as error:  # a test that fails must not hide the ones after it
            failed += 1
            print(f"    {type(error).__name__}: {error}")
            print(f"FAIL {time.monotonic() - start:8.3f} s  tensorboard:{name[5:]}")
        finally:
            shutil.rmtree(folder, ignore_errors=True)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
