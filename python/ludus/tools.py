"""Every tool of every game as a function that returns the command line's JSON."""

from __future__ import annotations

import inspect
import json
import os
from collections.abc import Callable, Mapping
from functools import cache, lru_cache
from keyword import iskeyword
from pathlib import Path
from typing import Any

from ludus import _native

Progress = Callable[[float, str], object]


@lru_cache(maxsize=1)
def registry() -> dict[str, dict[str, dict[str, Any]]]:
    """Game -> tool -> its sentence, settings schema, argument and agent."""
    found: dict[str, dict[str, dict[str, Any]]] = {}
    for tool in json.loads(_native.tools()):
        found.setdefault(tool["game"], {})[tool["name"]] = tool
    return found


def _word(key: str) -> str:
    """A setting's key as a Python name: attacker_build, class_."""
    word = key.replace(".", "_")
    return word + "_" if iskeyword(word) else word


def _text_of(value: Any) -> Any:
    """A path of a file setting, or the text that a price provider gives."""
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    return value


class Tool:
    """One tool. Settings are keyword arguments: write `_` for a dot in a name, and append `_` to a name
    that is a Python keyword.

    Files are given as paths, or as (name, text) pairs; a setting that takes a file also takes a
    provider: an object whose method `prices(league)` returns the content of such a file as a dict
    or a text. Returns what `ludus GAME TOOL --json` prints; a list if it prints several
    documents.
    """

    def __init__(self, game: str, name: str) -> None:
        """By the registry."""
        self.game, self.name = game, name
        self.facts = registry()[game][name]
        self.settings: dict[str, Any] = self.facts["settings"].get("properties", {})
        self.__name__ = name
        self.__doc__ = self._document()
        self.__signature__ = self._signature()

    def _document(self) -> str:
        rows = [self.facts["sentence"], ""]
        for key, row in self.settings.items():
            rows.append(f"{key}: {row.get('description', '')}")
        return "\n".join(rows)

    def _signature(self) -> inspect.Signature:
        only = inspect.Parameter.KEYWORD_ONLY
        files = [inspect.Parameter("files", inspect.Parameter.VAR_POSITIONAL)]
        words = [
            inspect.Parameter(_word(key), only, default=row.get("default"))
            for key, row in self.settings.items()
        ]
        return inspect.Signature(files + words)

    def _key(self, word: str) -> str:
        if word in self.settings:
            return word
        for key in self.settings:
            if _word(key) == word:
                return key
        return word  # the library names the nearest one

    def _value(self, value: Any, words: Mapping[str, Any]) -> Any:
        if hasattr(value, "prices"):
            given = value.prices(words.get("league", ""))
            text = given if isinstance(given, str) else json.dumps(given)
            return {"name": "prices.json", "text": text}
        return _text_of(value)

    def __call__(
        self,
        *files: Any,
        agent: str = "",
        runs: str = "",
        progress: Progress | None = None,
        **words: Any,
    ) -> Any:
        """Runs it; without the interpreter's lock, so other threads keep running."""
        settings = {
            self._key(key): self._value(value, words) for key, value in words.items() if value is not None
        }
        if self.facts["argument"] and files:
            settings[self.facts["argument"]], files = files[0], files[1:]
        inputs = [_input(one) for one in files]
        text = json.dumps(settings, allow_nan=False)
        where = (agent, runs or _native.place(), progress)
        answers = json.loads(_native.tool(self.game, self.name, text, inputs, *where))
        return answers[0] if len(answers) == 1 else answers

    def __repr__(self) -> str:
        """Where it stands."""
        return f"<tool ludus.{self.game}.{self.name}: {self.facts['sentence']}>"


def _input(one: Any) -> tuple[str, bytes]:
    if isinstance(one, tuple):
        name, text = one
        return str(name), text.encode() if isinstance(text, str) else bytes(text)
    if isinstance(one, Mapping):
        return "input.json", json.dumps(one).encode()
    path = Path(one)
    data = path.read_bytes()
    if data[:2] == b"\x1f\x8b":
        import gzip

        data = gzip.decompress(data)
    return str(path), data


@cache
def tool(game: str, name: str) -> Tool:
    """A tool by its game's folder and its own name."""
    tools = registry().get(game, {})
    if name not in tools:
        raise AttributeError(f"{game} has no tool {name!r}; it has: {', '.join(tools) or 'none'}")
    return Tool(game, name)
