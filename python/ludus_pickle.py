"""Reads what torch.save and pickle have written, without running code and without torch or numpy.

A pickle is a program that calls what it names. Here it may name tensors, arrays, plain containers and
records of a few classes alone, all of which become the types below; the first other name ends the
reading with a Refused. Archives are read with bounds on what they unpack to."""

import array
import io
import math
import pickle
import struct
import sys
import zipfile

MOST_BYTES = 4 << 30  # of an archive's entries together
MOST_RATIO = 64  # of an entry, beyond 1 MiB
# torch's storages and numpy's types: letter of the array module, or a name of our own, and bytes
KINDS = {
    "FloatStorage": ("f", 4), "DoubleStorage": ("d", 8), "HalfStorage": ("half", 2), "BFloat16Storage": ("bfloat", 2),
    "LongStorage": ("q", 8), "IntStorage": ("i", 4), "ShortStorage": ("h", 2), "CharStorage": ("b", 1),
    "ByteStorage": ("B", 1), "BoolStorage": ("B", 1),
    "f4": ("f", 4), "f8": ("d", 8), "f2": ("half", 2), "i8": ("q", 8), "i4": ("i", 4), "i2": ("h", 2), "i1": ("b", 1),
    "u8": ("Q", 8), "u4": ("I", 4), "u2": ("H", 2), "u1": ("B", 1), "b1": ("B", 1),
}


class Refused(Exception):
    """One sentence on what may not be read."""


class Tensor:
    """Numbers in C order; `shape` () is a single one."""

    def __init__(self, shape, numbers):
        self.shape, self.numbers = tuple(shape), numbers
        if len(numbers) != math.prod(self.shape):
            raise Refused(f"a tensor of shape {list(self.shape)} with {len(numbers)} numbers")

    def number(self):
        if len(self.numbers) != 1:
            raise Refused(f"a tensor of shape {list(self.shape)} where a number is expected")
        return self.numbers[0]


class Record:
    """An object of a class that is not here: what was given to it, and nothing else."""

    def __init__(self, *_words):
        pass

    def __setstate__(self, state):
        state = state[0] if isinstance(state, tuple) and len(state) == 2 and state[0] else state
        if isinstance(state, dict):
            self.__dict__.update({str(key): value for key, value in state.items()})


def numbers_of(kind, data):
    """The numbers of little-endian bytes."""
    letter, size = KINDS[kind]
    if len(data) % size:
        raise Refused(f"{len(data)} bytes aren't a row of {kind}")
    if letter == "half":
        return array.array("f", (x[0] for x in struct.iter_unpack("<e", data)))
    if letter == "bfloat":
        wide = b"".join(b"\0\0" + data[i : i + 2] for i in range(0, len(data), 2))
        return numbers_of("f4", wide)
    row = array.array(letter)
    if row.itemsize != size:
        raise Refused(f"this machine has no {kind}")
    row.frombytes(data)
    if sys.byteorder == "big":
        row.byteswap()
    return row


# ---- what a pickle may call ----


class Storage:
    def __init__(self, kind):
        self.kind, self.numbers = kind, None


def rebuild_tensor(storage, offset, size, stride, *_more):
    if not isinstance(storage, Storage) or not all(isinstance(x, int) and x >= 0 for x in (offset, *size, *stride)):
        raise Refused("a tensor of an unknown form")
    if len(size) != len(stride) or len(size) > 8:
        raise Refused("a tensor whose shape and strides differ")
    count, row = math.prod(size), storage.numbers
    last = offset + sum((n - 1) * s for n, s in zip(size, stride)) if count else offset
    if last >= len(row) and count:
        raise Refused("a tensor that reaches beyond its numbers")
    if count > len(row):
        raise Refused("a tensor larger than its numbers")  # repeated ones cost memory and are not needed
    dense = [math.prod(size[i + 1 :]) for i in range(len(size))]
    if count == 0 or all(s == d or n == 1 for s, d, n in zip(stride, dense, size)):
        return Tensor(size, row[offset : offset + count])
    places = [offset]
    for n, s in zip(size, stride):
        places = [p + i * s for p in places for i in range(n)]
    return Tensor(size, array.array(row.typecode, (row[p] for p in places)))


def rebuild_parameter(data, *_more):
    return data


class Type:
    """numpy.dtype."""

    def __init__(self, name, *_more):
        self.kind, self.big = str(name).lstrip("<|="), False
        if self.kind not in KINDS:
            raise Refused(f"an array of {str(name)[:40]}")

    def __setstate__(self, state):
        self.big = isinstance(state, tuple) and len(state) > 1 and state[1] == ">"


class Array:
    """numpy.ndarray while it is built; `tensor` when it is."""

    def __init__(self, *_words):
        self.tensor = None

    def __setstate__(self, state):
        _version, shape, kind, fortran, data = state
        if not isinstance(kind, Type) or kind.big or not isinstance(data, bytes):
            raise Refused("an array that isn't little-endian")
        if fortran and len(shape) > 1:
            raise Refused("an array in Fortran order")
        self.tensor = Tensor(shape, numbers_of(kind.kind, data))


def from_buffer(data, kind, shape, order="C"):
    if not isinstance(kind, Type) or kind.big or order != "C" or not isinstance(data, (bytes, bytearray)):
        raise Refused("an array that isn't little-endian in C order")
    return Tensor(shape, numbers_of(kind.kind, bytes(data)))


def rebuild_scalar(kind, data=b""):
    if not isinstance(kind, Type) or not isinstance(data, bytes):
        raise Refused("a number of an unknown form")
    return numbers_of(kind.kind, data)[0]


def encode(text, name):
    if name != "latin1" or not isinstance(text, str):
        raise Refused(f"a text in {name!r}")
    return text.encode("latin1")


def plain_dict(*words):
    return dict(*words)


CALLS = {
    ("torch._utils", "_rebuild_tensor_v2"): rebuild_tensor,
    ("torch._utils", "_rebuild_parameter"): rebuild_parameter,
    ("torch", "Size"): tuple,
    ("torch", "device"): Record,
    ("collections", "OrderedDict"): plain_dict,
    ("collections", "defaultdict"): Record,
    ("numpy", "dtype"): Type,
    ("numpy", "ndarray"): Array,
    ("_codecs", "encode"): encode,
    ("builtins", "set"): set,
    ("builtins", "dict"): dict,
}
for package in ("numpy.core.multiarray", "numpy._core.multiarray"):
    CALLS[package, "_reconstruct"] = Array
    CALLS[package, "scalar"] = rebuild_scalar
for package in ("numpy.core.numeric", "numpy._core.numeric"):
    CALLS[package, "_frombuffer"] = from_buffer
for name in KINDS:
    if name.endswith("Storage"):
        CALLS["torch", name] = name


def is_record(module, name):
    """Classes of the reference and statistics of observations are data to us."""
    return module.split(".")[0] == "pvp_ml" or name.endswith("RunningMeanStd")


class Reader(pickle._Unpickler):  # the one in Python: its memo takes no more than the pickle has
    def __init__(self, file, storages):
        super().__init__(file, encoding="latin1")
        self.storages = storages

    def find_class(self, module, name):
        call = CALLS.get((module, name))
        if call is None and is_record(module, name):
            call = type("Record", (Record,), {})
        if call is None:
            raise Refused(f"it asks for {module}.{name}, which is never run")
        return call

    def persistent_load(self, pid):
        if not (isinstance(pid, tuple) and len(pid) == 5 and pid[0] == "storage" and pid[1] in KINDS):
            raise Refused("a tensor whose numbers lie elsewhere")
        return self.storages(pid[1], str(pid[2]), pid[4])

    def load_build(self):
        """Only our own types take a state; that of a dictionary (torch's versions of modules) is left out."""
        if len(self.stack) > 1 and isinstance(self.stack[-2], dict):
            self.stack.pop()
            return
        if len(self.stack) < 2 or not isinstance(self.stack[-2], (Record, Type, Array)):
            raise Refused("a state for a value that has none")
        super().load_build()

    dispatch = dict(pickle._Unpickler.dispatch)
    dispatch[pickle.BUILD[0]] = load_build


def settle(value, done, depth=0):
    """Arrays as tensors, everywhere. `done`: what was settled, by its id: what a pickle names again and
    again is settled once."""
    if depth > 100:
        raise Refused("values nested too deep")
    if isinstance(value, Array):
        if value.tensor is None:
            raise Refused("an array without numbers")
        return value.tensor
    if id(value) not in done:
        done[id(value)] = value, settled(value, done, depth + 1)
    return done[id(value)][1]


def settled(value, done, depth):
    if isinstance(value, dict):
        return {key: settle(x, done, depth) for key, x in value.items()}
    if isinstance(value, (list, tuple)):
        return type(value)(settle(x, done, depth) for x in value)
    if isinstance(value, Record):
        value.__dict__.update({key: settle(x, done, depth) for key, x in list(value.__dict__.items())})
    return value


def no_storages(*_words):
    raise Refused("a tensor whose numbers lie elsewhere")


def read_pickle(data, storages=no_storages):
    """The value of a pickle; Refused when it is none that may be read."""
    try:
        return settle(Reader(io.BytesIO(data), storages).load(), {})
    except Refused:
        raise
    except RecursionError:
        raise Refused("values nested too deep") from None
    except Exception as error:  # a damaged pickle can fail in any way
        raise Refused(f"it is damaged ({type(error).__name__}: {str(error)[:100]})") from None


# ---- archives ----


def open_zip(data):
    """The archive, after a look at what it would unpack to."""
    try:
        archive = zipfile.ZipFile(io.BytesIO(data))
        entries = archive.infolist()
    except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError) as error:
        raise Refused(f"it isn't an archive ({error})") from None
    whole = sum(entry.file_size for entry in entries)
    if whole > MOST_BYTES or any(e.file_size > (1 << 20) + MOST_RATIO * e.compress_size for e in entries):
        raise Refused("it unpacks to far more than it holds")
    return archive


def read_entry(archive, name):
    try:
        return archive.read(name)
    except KeyError:
        raise Refused(f"it has no '{name}'") from None
    except Exception as error:
        raise Refused(f"'{name}' is damaged ({type(error).__name__})") from None


def is_torch(archive):
    return any(name.endswith("/data.pkl") for name in archive.namelist())


def read_torch(data):
    """The value that torch.save wrote, an archive with data.pkl and data/NUMBER."""
    if data[:2] != b"PK":
        raise Refused("it isn't an archive of torch 1.6 or later: save it again with torch.save")
    archive = open_zip(data)
    roots = [name[: -len("data.pkl")] for name in archive.namelist() if name.endswith("/data.pkl")]
    if len(roots) != 1:
        raise Refused("it isn't an archive of torch.save: there is no data.pkl in it")
    order = roots[0] + "byteorder"
    if order in archive.namelist() and read_entry(archive, order).strip() != b"little":
        raise Refused("its numbers are big-endian")
    kept = {}

    def storages(kind, key, count):
        if key not in kept:
            kept[key] = Storage(kind)
            kept[key].numbers = numbers_of(kind, read_entry(archive, f"{roots[0]}data/{key}"))
        if kept[key].kind != kind or not isinstance(count, int) or count != len(kept[key].numbers):
            raise Refused(f"the numbers of tensor {key} don't match its size")
        return kept[key]

    return read_pickle(read_entry(archive, roots[0] + "data.pkl"), storages)
