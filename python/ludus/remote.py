"""Environments in another process or on another machine, over gRPC: `ludus-grpc serve` plays, Python learns.

    from ludus import remote
    envs = remote.make_vec("prospector-v1", "127.0.0.1:50051", num_envs=256)

Results are bit for bit those of this package's own environments. One message carries all
environments of a vector: use many, since a call costs about 0.1 ms whatever its size.
Needs grpcio (`pip install "./python[remote]"`).
"""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import grpc
import gymnasium
import numpy as np

from ludus.batch import Array, Autoreset
from ludus.env import action_space, info_of, observation_space
from ludus.game import Settings, as_json, as_seed, put, spec
from ludus.vector import LudusVectorEnv
from ludus.wire import Message, decode, encode

ADDRESS = "127.0.0.1:50051"
_AUTORESET = {"same_step": 0, "next_step": 1, "disabled": 2}
_INFO, _TERMS, _ILLEGAL = 1, 2, 5


class RemoteError(Exception):
    """An error from the server, or no answer: a sentence, and gRPC's name of the `code`."""

    def __init__(self, message: str, code: str = "") -> None:
        """As the server said it."""
        super().__init__(message)
        self.code = code


class Connection:
    """A channel to one server; `token` is needed if it listens beyond its own machine."""

    def __init__(self, address: str = ADDRESS, *, token: str = "", timeout: float = 60.0) -> None:
        """`timeout`: seconds a call may take."""
        self.address, self.timeout = address, timeout
        self._channel = grpc.insecure_channel(address, options=[("grpc.max_receive_message_length", -1)])
        self._metadata = [("authorization", f"Bearer {token}")] if token else []
        names = ("GetSpec", "Reset", "Step", "Close")
        self._calls = {name: self._channel.unary_unary(f"/ludus.v1.Env/{name}") for name in names}

    def ask(self, method: str, **values: Any) -> Message:
        """One call: fields of the request in, fields of the answer out."""
        request = encode(f"{method}Request", **values)
        try:
            answer = self._calls[method](request, timeout=self.timeout, metadata=self._metadata)
        except grpc.RpcError as problem:
            code, said = problem.code().name, problem.details()
            if code == "UNAVAILABLE":
                said = f"no server of ludus answers at {self.address}: start one there (`ludus-grpc serve`)"
            raise RemoteError(said, code) from None
        return decode(f"{method}Response", answer)

    def close(self) -> None:
        """Closes the channel."""
        self._channel.close()


class RemoteVector:
    """`ludus.Vector` on a server: the same names and numbers. Arrays are read-only, and new after
    each step.
    """

    observations: Array
    masks: Array
    rewards: Array
    terminated: Array
    truncated: Array
    infos: Array
    terms: Array
    illegal: Array

    def __init__(
        self,
        connection: Connection,
        game: str,
        environments: int,
        *,
        settings: Settings | None = None,
        autoreset: Autoreset = "same_step",
        infos: bool = False,
        finals: bool = True,
    ) -> None:
        """The session begins with `reset`."""
        self.spec, self.environments = spec(game), environments
        self.rows, self.seed = environments * self.spec.seats, 0
        self._connection, self._session, self._finals = connection, 0, finals
        self._wish: Message = {
            "game": self.spec.id,
            "settings": as_json(settings),
            "environments": environments,
            "autoreset": _AUTORESET[autoreset],
            "parts": [_INFO, _TERMS, _ILLEGAL] if infos else [],
        }
        theirs = connection.ask("GetSpec", game=self.spec.id)
        if theirs.get("hash") != self.spec.hash:
            raise RemoteError(
                f"{connection.address} has another version of {self.spec.id}: "
                "install the same ludus on both sides"
            )
        rows = self.rows
        self.actions = np.zeros((rows, len(self.spec.heads)), np.int32)
        self.final_observations = np.zeros((rows, self.spec.observation_length), np.float32)
        self.final_infos = np.zeros((rows if infos else 0, len(self.spec.infos)), np.float64)
        self.final_seeds = np.zeros((environments,), np.uint64)

    def _take(self, state: Message, environments: int) -> dict[str, Array]:
        one, rows = self.spec, environments * self.spec.seats

        def array(name: str, kind: Any, *shape: int) -> Array:
            data = state.get(name)  # a reset has neither rewards nor ends
            return np.zeros(shape, kind) if data is None else np.frombuffer(data, kind).reshape(shape)

        got = {
            "observations": array("observation", np.float32, rows, one.observation_length),
            "masks": array("mask", np.uint8, rows, one.mask_length),
            "rewards": array("reward", np.float32, rows),
            "terminated": array("terminated", np.bool_, environments),
            "truncated": array("truncated", np.bool_, environments),
        }
        if self._wish["parts"]:
            got["infos"] = array("info", np.float64, rows, len(one.infos))
            got["terms"] = array("terms", np.float32, rows, len(one.terms))
            got["illegal"] = array("illegal", np.uint8, environments)
        return got

    def reset(self, seed: int | None = None, options: Settings | None = None) -> None:
        """Starts episode 0 of every environment in a new session; without a seed, with the previous one."""
        self.close()
        self.seed = self.seed if seed is None else seed
        given = {"seed": as_seed(self.seed), "options": as_json(options)}
        answer = self._connection.ask("Reset", **self._wish, **given)
        self._session = answer["session"]
        vars(self).update(self._take(answer["state"], self.environments))

    def reset_some(
        self,
        which: Sequence[int] | Array,
        seeds: Sequence[int] | Array | None = None,
        options: Settings | None = None,
    ) -> None:
        """Starts the next episode of these environments (in ascending order), each with its seed."""
        chosen = [int(i) for i in which]
        own = [] if seeds is None else [int(seed) for seed in seeds]
        given = {"session": self._session, "which": chosen, "seeds": own, "options": as_json(options)}
        state = self._connection.ask("Reset", **given)["state"]
        seats = self.spec.seats
        rows = (np.array(chosen)[:, None] * seats + np.arange(seats)).ravel()
        for name, part in self._take(state, len(chosen)).items():
            whole = getattr(self, name).copy()
            whole[rows if len(whole) == self.rows else chosen] = part
            setattr(self, name, whole)

    def step(self, actions: Any = None) -> None:
        """One decision of every environment, from `self.actions` or from an integer array."""
        if actions is not None:
            put(self.actions, actions, "actions")
        state = self._connection.ask("Step", session=self._session, actions=self.actions.tobytes())
        vars(self).update(self._take(state, self.environments))
        if self._finals and state.get("ended"):
            self._take_finals(state)

    def _take_finals(self, state: Message) -> None:
        ended, seats = np.array(state["ended"]), self.spec.seats
        rows = (ended[:, None] * seats + np.arange(seats)).ravel()
        self.final_seeds[ended] = np.frombuffer(state["final_seed"], np.uint64)
        self.final_observations[rows] = np.frombuffer(state["final_observation"], np.float32).reshape(
            len(rows), -1
        )
        if "final_info" in state:
            self.final_infos[rows] = np.frombuffer(state["final_info"], np.float64).reshape(len(rows), -1)

    def close(self) -> None:
        """Closes the session."""
        if self._session:
            session, self._session = self._session, 0
            try:
                self._connection.ask("Close", session=session)
            except RemoteError:
                pass  # it has expired, or its server is gone


class RemoteVectorEnv(LudusVectorEnv):
    """Many environments on a server, like the local `gymnasium.make_vec("ludus/...")`: the same
    autoreset modes, infos and masks, but no `render`.
    """

    def __init__(
        self,
        game: str,
        address: str = ADDRESS,
        num_envs: int = 1,
        *,
        token: str = "",
        timeout: float = 60.0,
        **words: Any,
    ) -> None:
        """`words`: settings, autoreset_mode, infos, as of `LudusVectorEnv`."""
        if words.get("render_mode"):
            raise ValueError("a remote environment cannot render: leave out render_mode")
        self.connection = Connection(address, token=token, timeout=timeout)
        super().__init__(game, num_envs, **words)

    def _make(
        self,
        game: str,
        environments: int,
        settings: Settings | None,
        threads: int,
        mode: Autoreset,
        infos: bool,
    ) -> Any:
        return RemoteVector(
            self.connection,
            game,
            environments,
            settings=settings,
            autoreset=mode,
            infos=infos,
            finals=mode == "same_step",
        )

    def close_extras(self, **words: Any) -> None:
        """Closes the session and the channel."""
        self.vector.close()
        self.connection.close()


class RemoteEnv(gymnasium.Env[Array, Any]):
    """One environment on a server, for single-player games; `remote.make_vec` also has the others, and
    is much faster.
    """

    metadata: dict[str, Any] = {"render_modes": []}  # noqa: RUF012

    def __init__(
        self,
        game: str,
        address: str = ADDRESS,
        *,
        settings: Settings | None = None,
        token: str = "",
        timeout: float = 60.0,
    ) -> None:
        """See the class."""
        self.game, self.render_mode = spec(game), None
        if self.game.seats > 1:
            raise ValueError(f"{self.game.id} is multiplayer: `remote.make_vec` has a row for every seat")
        self.observation_space = observation_space(self.game)
        self.action_space = action_space(self.game)
        self.connection = Connection(address, token=token, timeout=timeout)
        self.vector = RemoteVector(
            self.connection, game, 1, settings=settings, autoreset="disabled", infos=True, finals=False
        )
        self._open = False

    def reset(
        self, *, seed: int | None = None, options: Settings | None = None
    ) -> tuple[Array, dict[str, Any]]:
        """Starts an episode, with this seed or one drawn by the environment's generator."""
        super().reset(seed=seed)
        own = seed if seed is not None else int(self.np_random.integers(2**63))
        if not self._open:
            self.vector.reset(own, options)
            self._open = True
        self.vector.reset_some([0], [own], options)
        return self.vector.observations[0], self._info(False)

    def step(self, action: Any) -> tuple[Array, float, bool, bool, dict[str, Any]]:
        """One decision."""
        vector = self.vector
        vector.step(np.asarray(action).reshape(1, -1))
        ended, cut = bool(vector.terminated[0]), bool(vector.truncated[0])
        info = self._info(bool(vector.illegal[0]))
        return vector.observations[0], float(vector.rewards[0]), ended, cut, info

    def _info(self, illegal: bool) -> dict[str, Any]:
        vector = self.vector
        return info_of(self.game, vector.masks[0], vector.infos[0], vector.terms[0], illegal)

    def action_masks(self) -> Array:
        """Options that are legal before dependencies between heads."""
        return np.array(self.vector.masks[0], np.bool_)

    def close(self) -> None:
        """Closes the session and the channel."""
        self.vector.close()
        self.connection.close()


def make(game: str, address: str = ADDRESS, **words: Any) -> RemoteEnv:
    """One environment on a server."""
    return RemoteEnv(game, address, **words)


def make_vec(game: str, address: str = ADDRESS, num_envs: int = 1, **words: Any) -> RemoteVectorEnv:
    """Many environments on a server; one call steps all of them."""
    return RemoteVectorEnv(game, address, num_envs, **words)


@contextmanager
def server(program: str = "ludus-grpc", *words: str) -> Iterator[str]:
    """Runs `ludus-grpc serve` on a free port for the duration of a `with` block; yields its address."""
    if not shutil.which(program):
        raise FileNotFoundError(f"{program} does not exist: docs/grpc.md says how to build it")
    command = [program, "serve", "--port", "0", "--json", *words]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as child:
        try:
            line = child.stdout.readline() if child.stdout else b""
            if not line:
                raise RemoteError(f"{program} serve ended before it was ready: see its message above")
            yield f"127.0.0.1:{json.loads(line)['port']}"
        finally:
            child.terminate()
