"""What is wrong is refused in a sentence, and nothing is played, written or waited for: numbers of
another kind, arrays of another layout, threads, forks, what was closed.
"""

import contextlib
import os
import signal
import threading
import time

import gymnasium
import numpy as np
import pytest

import ludus
import ludus.craft
from ludus import runs
from ludus.zoo import parallel_env

SHORT = {
    "train.steps": 4096,
    "train.environments": 8,
    "train.horizon": 64,
    "train.threads": 1,
    "net.hidden": 16,
}


def cartpoles(**words):
    vector = ludus.Vector("cartpole-v1", 4, **words)
    vector.reset(1)
    return vector


@pytest.mark.parametrize(
    ("actions", "said"),
    [
        (np.full(4, 0.7), "integers, not float64"),
        (np.full(4, np.nan), "integers, not float64"),
        (np.array(["0"] * 4), "integers, not <U1"),
        (np.array([None] * 4), "integers, not object"),
        (np.full(4, 2**32), "32 bits, but one is 4294967296"),
        (np.full(4, 2**32 - 1, np.uint32), "32 bits, but one is 4294967295"),
        (np.zeros(3, np.int64), "must hold 4 numbers, not 3"),
        (1, "must hold 4 numbers, not 1"),
    ],
)
def test_actions_that_are_no_whole_numbers(actions, said):
    vector = cartpoles()
    before = vector.hash()
    with pytest.raises((TypeError, ValueError), match=said):
        vector.step(actions)
    assert vector.hash() == before


def test_whole_numbers_of_every_kind_are_the_same_actions():
    wanted = [0, 1, 1, 0]
    kinds = [np.int32, np.int64, np.uint8, np.bool_, ">i4", np.uint64]
    given = [np.array(wanted, kind) for kind in kinds]
    given += [
        wanted,
        np.array(wanted, np.int32).reshape(2, 2),
        np.array([0, 9, 1, 9, 1, 9, 0, 9], np.int32)[::2],
    ]
    given += [np.frombuffer(np.array(wanted, np.int32).tobytes(), np.int32)]  # read-only
    hashes = set()
    for actions in given:
        vector = cartpoles()
        vector.step(actions)
        hashes.add(vector.hash())
    assert len(hashes) == 1


@pytest.mark.parametrize(
    ("name", "array"),
    [
        ("actions", np.zeros((4, 1), np.float32)),
        ("reward", np.zeros(4, np.int32)),
        ("observation", np.zeros((4, 4), ">f4")),
        ("observation", np.zeros((4, 8), np.float32)[:, ::2]),
        ("observation", np.frombuffer(bytes(64), np.float32).reshape(4, 4)),
        ("observations", np.zeros((4, 4), np.float32)),
    ],
)
def test_buffers_of_another_kind(name, array):
    with pytest.raises(ValueError):
        ludus.Vector("cartpole-v1", 4, buffers={name: array})


def test_an_environment_takes_an_action_of_its_own_alone():
    one = gymnasium.make("ludus/cartpole-v1").unwrapped
    one.reset(seed=1)
    for action in (1.5, np.nan, "1", None, [0, 1], 2**40, -1, 2):
        with pytest.raises((TypeError, ValueError)):
            one.step(action)
    several = gymnasium.make("ludus/duel-v1", opponent="noop").unwrapped
    several.reset(seed=1)
    before = several._episode.hash()
    for action in (0, [0] * 11, np.full(12, 0.5)):
        with pytest.raises((TypeError, ValueError), match="an action of duel-v1"):
            several.step(action)
    for chosen in ([10**6] * 3, [-5] * 3, [0.5]):
        with pytest.raises((TypeError, ValueError)):
            several.legal(5, chosen)
    with pytest.raises(ludus.Error, match="a state is an object"):
        several.load_state([])
    assert several._episode.hash() == before
    both = parallel_env("duel-v1")
    both.reset(seed=1)
    with pytest.raises(ValueError, match="seat_1 is missing"):
        both.step({"seat_0": [0] * 12})


def test_words_of_another_kind():
    with pytest.raises(ValueError, match="autoreset is one of same_step"):
        ludus.Vector("cartpole-v1", 4, autoreset="never")
    with pytest.raises(ValueError, match="threads"):
        ludus.Vector("cartpole-v1", 4, threads=-1)
    for seed in (1.5, "1"):
        with pytest.raises(TypeError, match="integer"):
            cartpoles().reset(seed)
    with pytest.raises(TypeError, match="values by name, not list"):
        ludus.Vector("cartpole-v1", 4, settings=[1])
    for which in ([0.5], [2**32], [[0, 1]]):
        with pytest.raises((TypeError, ValueError), match="environments to reset"):
            cartpoles().reset_some(which)
    with pytest.raises(ValueError, match="JSON"):
        ludus.craft.optimize(base="STR/DEX boots", want="T4 life", budget=float("nan"))


def refused_beside(step, other):
    """What `other` is told while another thread steps all the time."""
    stop, until = threading.Event(), time.monotonic() + 30

    def work():
        while not stop.is_set():
            with contextlib.suppress(RuntimeError):  # `other` was first
                step()

    worker = threading.Thread(target=work)
    worker.start()
    try:
        while time.monotonic() < until:
            other()
    except RuntimeError as error:
        return str(error)
    finally:
        stop.set()
        worker.join()
    return "nothing"


def test_an_object_serves_one_thread_at_a_time():
    vector = ludus.Vector("prospector-v1", 4096)
    vector.reset(1)
    reads = (lambda: vector.draw(1), vector.show, lambda: vector.place(0), vector.hash)
    for other in (*reads, lambda: vector.reset(1)):
        assert "another call" in refused_beside(vector.step, other)


def in_fork(call):
    """What a forked process says, and how it ended; it may take some seconds."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        signal.alarm(10)
        try:
            said = str(call())
        except BaseException as error:
            said = f"{type(error).__name__}: {error}"
        os.write(write, said.encode())
        os._exit(0)
    os.close(write)
    status = os.waitpid(child, 0)[1]
    with os.fdopen(read) as told:
        return told.read(), status


def test_forks_are_refused_what_is_of_one_process(tmp_path):
    alone, threaded = (ludus.Vector("prospector-v1", 256, threads=count) for count in (1, 3))
    for vector in (alone, threaded):
        vector.reset(1)
        vector.step()

    def steps(vector):
        vector.step()
        return vector.hash()

    said, status = in_fork(lambda: steps(alone))
    assert (int(said), status) == (steps(alone), 0), "a copy steps like the first one"
    said, status = in_fork(lambda: steps(threaded))
    assert "belongs to the process that was forked" in said and status == 0
    with ludus.Training(
        "cartpole-v1", settings=SHORT, runs=str(tmp_path), name="mine", evaluate=False
    ) as training:
        training.update()
        for call in (training.update, lambda: training.facts, lambda: training.save(str(tmp_path / "m.zip"))):
            said, status = in_fork(call)
            assert "belongs to the process that was forked" in said and status == 0
        in_fork(training.close)
        assert training.run() and training.facts["steps"] == 4096
    with runs.Writer("cartpole-v1", algorithm="mine", runs=str(tmp_path), name="written") as writer:
        said, _ = in_fork(lambda: writer.update(updates=1, steps=10))
        assert "belongs to the process that was forked" in said
        writer.update(updates=1, steps=10)


def test_a_forked_process_ends_with_what_it_cannot_end():
    """Threads of a vector are not there to be joined behind a fork."""
    vector = ludus.Vector("prospector-v1", 256, threads=3)
    vector.reset(1)
    held = [vector]
    del vector
    said, status = in_fork(held.clear)
    assert (said, status) == ("None", 0)


def interrupts(call, count=1):
    """Ctrl-C ends a call, pressed so many times half a second apart."""
    own = threading.get_ident()
    presses = [
        threading.Timer(0.5 * (i + 1), signal.pthread_kill, (own, signal.SIGINT)) for i in range(count)
    ]
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored in the background
    for press in presses:
        press.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            call()
    finally:
        for press in presses:
            press.join()
        signal.signal(signal.SIGINT, before)


@pytest.mark.parametrize("threads", [1, 3])
def test_ctrl_c_ends_matches_on_all_threads(threads):
    began = time.monotonic()
    interrupts(lambda: ludus.evaluate("bot:ace", game="prospector-v1", episodes=2**14, threads=threads))
    interrupts(lambda: ludus.match("bot:ace", "bot:mixer", game="duel-v1", games=2**14, threads=threads))
    assert time.monotonic() - began < 30


def test_a_second_ctrl_c_ends_an_update(tmp_path):
    """Of minutes; the run can go on from its last checkpoint, the object cannot."""
    long = {"train.environments": 4096, "train.horizon": 512, "train.threads": 1, "net.hidden": 512}
    words = {"runs": str(tmp_path), "name": "long", "evaluate": False}
    with ludus.Training("cartpole-v1", settings={**SHORT, **long, "train.steps": 2**22}, **words) as training:
        began = time.monotonic()
        interrupts(training.run, 2)
        assert time.monotonic() - began < 30
        with pytest.raises(RuntimeError, match="resume"):
            training.update()
        assert training.facts["updates"] == 0
    assert runs.listed(str(tmp_path))[0]["status"] == "stopped"


def test_what_is_closed_says_so(tmp_path):
    training = ludus.Training("cartpole-v1", settings=SHORT, runs=str(tmp_path), evaluate=False)
    training.close()
    training.close()
    for call in (
        training.update,
        training.run,
        lambda: training.facts,
        lambda: training.save(str(tmp_path / "m")),
    ):
        with pytest.raises(RuntimeError, match="closed"):
            call()
    assert not (tmp_path / "m").exists()


def test_names_of_runs_stay_in_their_folder(tmp_path):
    inside = tmp_path / "runs"
    for name in ("../outside", "a/b", ".hidden", "a b", "/tmp/outside"):
        with pytest.raises(ludus.Error, match="cannot name a run"):
            ludus.Training("cartpole-v1", settings=SHORT, runs=str(inside), name=name, evaluate=False)
        with pytest.raises(ludus.Error, match="cannot name a run"):
            runs.Writer("cartpole-v1", algorithm="mine", runs=str(inside), name=name)
    with pytest.raises(ludus.Error, match="cannot name a trainer"):
        runs.Writer("cartpole-v1", algorithm="my trainer", runs=str(inside))
    assert sorted(tmp_path.iterdir()) == []
    with runs.Writer("cartpole-v1", algorithm="mine", runs=str(inside), name="a") as writer:
        with pytest.raises(ValueError, match="finished, stopped or failed"):
            writer.end("weird")
        with pytest.raises(ValueError, match="JSON"):
            writer.update(updates=1, steps=10, figures={"loss": float("nan")})
    assert runs.listed(str(inside))[0]["status"] == "finished"
    with pytest.raises(FileNotFoundError, match="no run folder"):
        runs.rows(inside / "none")
