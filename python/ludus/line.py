"""Asyncio clients of the JSON-lines servers: `ludus serve-policy`, which serves models, and
`ludus serve-env`, which serves games (docs/policy-server.md).
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from types import TracebackType
from typing import Any, TypeVar

Client = TypeVar("Client", bound="Line")


class LineError(Exception):
    """An error from the server: its sentence, with `code` and `field` if it gave them."""

    def __init__(self, message: str, code: str = "", field: str = "") -> None:
        """As the server said it."""
        super().__init__(message)
        self.code, self.field = code, field


class Line:
    """One connection: requests are answered in order, one line each."""

    port = 5555

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """By `connect`."""
        self._reader, self._writer = reader, writer
        self._turn = asyncio.Lock()

    @classmethod
    async def connect(
        cls: type[Client], host: str = "127.0.0.1", port: int | None = None, *, token: str = ""
    ) -> Client:
        """Opens a connection, by default to the server's usual port, and sends the token if there
        is one.
        """
        reader, writer = await asyncio.open_connection(host, port or cls.port, limit=1 << 24)
        line = cls(reader, writer)
        if token:
            line._check(await line.ask({"token": token}))
        return line

    async def ask(self, question: dict[str, Any]) -> dict[str, Any]:
        """Sends one request; returns the answer as it is."""
        async with self._turn:
            self._writer.write(json.dumps(question).encode() + b"\n")
            await self._writer.drain()
            answer = await self._reader.readline()
        if not answer:
            raise LineError("the server closed the connection", "closed")
        return dict(json.loads(answer))

    def _check(self, answer: dict[str, Any]) -> dict[str, Any]:
        if answer.get("error"):
            code = answer.get("code") or answer["error"]
            raise LineError(answer.get("message", ""), str(code), answer.get("field") or "")
        return answer

    async def close(self) -> None:
        """Closes the connection."""
        self._writer.close()
        await self._writer.wait_closed()

    async def __aenter__(self: Client) -> Client:
        """Itself."""
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Closes the connection."""
        await self.close()


class PolicyLine(Line):
    """A client of `ludus serve-policy`."""

    async def models(self) -> list[dict[str, Any]]:
        """The loaded models."""
        return list(self._check(await self.ask({"list": True}))["models"])

    async def act(
        self,
        obs: Sequence[float] | Any,
        masks: Sequence[Sequence[bool]] | None = None,
        *,
        model: str | None = None,
        deterministic: bool = False,
        values: bool = False,
        probs: bool = False,
        session: str | None = None,
        start: bool = False,
        seed: int | None = None,
    ) -> dict[str, Any]:
        """A model's decision for one frame; the answer has `action`, `values`, `probs`, ..."""
        frame = [float(one) for one in obs]
        question: dict[str, Any] = {"obs": [frame], "deterministic": deterministic}
        question.update(returnValue=values, returnProbs=probs, start=start)
        if masks is not None:
            question["actionMasks"] = [[bool(one) for one in head] for head in masks]
        for key, given in (("model", model), ("session", session), ("seed", seed)):
            if given is not None:
                question[key] = given
        return self._check(await self.ask(question))


class EnvLine(Line):
    """A client of `ludus serve-env`: one agent."""

    port = 7070
    agent = "agent 1"

    async def _do(self, action: str, body: Any) -> dict[str, Any]:
        answer = await self.ask({"action": action, "body": body, "meta": {"id": self.agent}})
        return dict(self._check(answer).get("body") or {})

    async def login(self, agent: str = "agent 1", *, game: str | None = None) -> dict[str, Any]:
        """Registers `agent`; returns game, seats, observation size, options per head."""
        self.agent = agent
        return await self._do("login", {"agentType": game} if game else {})

    async def reset(
        self, *, target: str = "", seed: int | None = None, options: dict[str, Any] | None = None
    ) -> dict[str, Any]:
        """Starts a match: `obs`, `actionMasks`, `meta`."""
        body: dict[str, Any] = {"target": target} if target else {}
        if seed is not None:
            body["seed"] = seed
        if options:
            body["resetParams"] = options
        return await self._do("reset", body)

    async def step(self, action: Sequence[int]) -> dict[str, Any]:
        """One decision, an option per head; at the end the answer has `terminalState`."""
        return await self._do("step", {"action": [int(one) for one in action]})

    async def logout(self) -> None:
        """Logs the agent out."""
        await self._do("logout", None)
