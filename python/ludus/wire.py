"""Messages of proto/ludus/v1/env.proto, by tables of their fields: what `ludus.remote` sends and reads.

Generated stubs belong to the version of protobuf that made them; these tables need none, and arrays are
read where they lie in the answer. A test holds the tables against the file.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

Fields = Mapping[str, tuple[int, str]]
Message = dict[str, Any]

STEP_RESPONSE: Fields = {
    "observation": (1, "bytes"),
    "mask": (2, "bytes"),
    "reward": (3, "bytes"),
    "terminated": (4, "bytes"),
    "truncated": (5, "bytes"),
    "to_move": (6, "bytes"),
    "info": (7, "bytes"),
    "terms": (8, "bytes"),
    "critic": (9, "bytes"),
    "ticks": (10, "bytes"),
    "illegal": (11, "bytes"),
    "ended": (12, "repeated uint32"),
    "final_observation": (13, "bytes"),
    "final_info": (14, "bytes"),
    "final_seed": (15, "bytes"),
}
MESSAGES: Mapping[str, Fields] = {
    "GetSpecRequest": {"game": (1, "string")},
    "GetSpecResponse": {
        "game": (1, "string"),
        "hash": (2, "string"),
        "seats": (3, "uint32"),
        "observation": (4, "uint32"),
        "critic": (5, "uint32"),
        "heads": (6, "repeated uint32"),
        "terms": (7, "repeated string"),
        "infos": (8, "repeated string"),
        "json": (9, "string"),
    },
    "ResetRequest": {
        "session": (1, "uint64"),
        "game": (2, "string"),
        "settings": (3, "string"),
        "environments": (4, "uint32"),
        "seed": (5, "uint64"),
        "autoreset": (6, "Autoreset"),
        "parts": (7, "repeated Part"),
        "options": (8, "string"),
        "which": (9, "repeated uint32"),
        "seeds": (10, "repeated uint64"),
    },
    "ResetResponse": {"session": (1, "uint64"), "state": (2, "StepResponse"), "seeds": (3, "bytes")},
    "StepRequest": {"session": (1, "uint64"), "actions": (2, "bytes")},
    "StepResponse": STEP_RESPONSE,
    "CloseRequest": {"session": (1, "uint64")},
    "CloseResponse": {},
}


def _varint(value: int) -> bytes:
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    out.append(value)
    return bytes(out)


def encode(name: str, **values: Any) -> bytes:
    """A message as bytes; what is empty or 0 is left out, as proto3 does."""
    out = bytearray()
    for key, value in values.items():
        number, kind = MESSAGES[name][key]
        if kind.startswith("repeated ") and not kind.endswith("string"):
            value = b"".join(_varint(int(one)) for one in value)
        elif isinstance(value, str):
            value = value.encode()
        if isinstance(value, int):
            out += _varint(number << 3) + _varint(value) if value else b""
        elif len(value):
            out += _varint(number << 3 | 2) + _varint(len(value)) + value
    return bytes(out)


class _Reader:
    """Bytes that are read from front to back."""

    def __init__(self, data: memoryview) -> None:
        self.data, self.at = data, 0

    def number(self) -> int:
        value = shift = 0
        while shift < 70:
            byte = self.data[self.at]
            self.at += 1
            value |= (byte & 127) << shift
            if byte < 128:
                return value
            shift += 7
        raise ValueError("a number in an answer is truncated")

    def piece(self, length: int) -> memoryview:
        self.at += length
        if self.at > len(self.data):
            raise ValueError("an answer is truncated")
        return self.data[self.at - length : self.at]

    def numbers(self) -> Iterable[int]:
        while self.at < len(self.data):
            yield self.number()


def _value(kind: str, wire: int, reader: _Reader) -> Any:
    if wire == 0:
        return reader.number()
    if wire != 2:
        return reader.piece({1: 8, 5: 4}[wire])
    data = reader.piece(reader.number())
    if kind.endswith("string"):
        return str(data, "utf-8")
    if kind in MESSAGES:
        return decode(kind, data)
    return list(_Reader(data).numbers()) if kind.startswith("repeated ") else data


def decode(name: str, data: bytes | memoryview) -> Message:
    """A message by the names of its fields; `bytes` are views of `data`, and an unknown field is
    passed over.
    """
    fields = {number: (key, kind) for key, (number, kind) in MESSAGES[name].items()}
    reader, found = _Reader(memoryview(data)), Message()
    try:
        while reader.at < len(reader.data):
            tag = reader.number()
            key, kind = fields.get(tag >> 3, ("", ""))
            value = _value(kind, tag & 7, reader)
            if kind.startswith("repeated "):
                found.setdefault(key, []).extend(value if isinstance(value, list) else [value])
            elif key:
                found[key] = value
    except (IndexError, KeyError, UnicodeDecodeError) as problem:
        raise ValueError(f"this isn't a {name} of ludus.v1: {problem}") from None
    return found
