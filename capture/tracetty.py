"""Marks in the recording of a Python program: `tracetty record -- python train.py`.

    import tracetty                       # pip install of the wheel, or PYTHONPATH=PREFIX/lib/tracetty

    for batch in loader:
        with tracetty.range("forward", "forward"):
            loss = model(batch)
        tracetty.step(samples=len(batch)) # the end of a step, the beginning of the next

Without a recorder every call does nothing. A call costs about a microsecond: mark what takes longer than that.
tracetty.init(dir) records without `tracetty record`. This file needs nothing beside it but the library of the recorder."""
import ctypes
import functools
import glob
import json
import os
from typing import Any, Callable, List, Optional, TypeVar

_Function = TypeVar("_Function", bound=Callable[..., Any])

_CATEGORIES = ("dataloader", "forward", "backward", "optimization", "communication", "cpu_op", "python", "user_annotation")
_NAMES = (("init", ctypes.c_int, (ctypes.c_char_p,)), ("start", ctypes.c_int, ()), ("stop", ctypes.c_int, ()),
          ("step", ctypes.c_int, (ctypes.c_int64,)), ("range_push_cat", ctypes.c_int, (ctypes.c_char_p, ctypes.c_char_p)),
          ("range_pop", ctypes.c_int, ()), ("mark", ctypes.c_int, (ctypes.c_char_p,)),
          ("counter", ctypes.c_int, (ctypes.c_char_p, ctypes.c_double)), ("meta", ctypes.c_int, (ctypes.c_char_p, ctypes.c_char_p)),
          ("name_thread", ctypes.c_int, (ctypes.c_char_p,)), ("status", ctypes.c_int, (ctypes.c_void_p, ctypes.c_size_t)))


class Status(ctypes.Structure):
    """What the recorder did so far in this process."""
    _fields_ = [("attached", ctypes.c_uint32), ("recording", ctypes.c_uint32), ("events", ctypes.c_uint64),
                ("drops", ctypes.c_uint64), ("bytes", ctypes.c_uint64), ("step", ctypes.c_int64)]


def _load(path: str) -> ctypes.PyDLL:
    # PyDLL keeps the interpreter's lock: giving it up and taking it again would cost more than the calls do
    lib = ctypes.PyDLL(path)
    for name, result, arguments in _NAMES:
        function = getattr(lib, "tracetty_" + name)
        function.restype, function.argtypes = result, arguments
    return lib


def _find(any_place: bool) -> Optional[ctypes.PyDLL]:
    here = os.path.dirname(os.path.abspath(__file__))
    places: List[Optional[str]] = [os.environ.get("TRACETTY_CAPTURE_LIB")]
    if any_place:
        # beside this file, in a build, where `make install` has it, where pip puts it: --target, and all else
        folders = ("", "../build", "..", "../libexec/tracetty", "../../../../libexec/tracetty")
        places += [os.path.join(here, folder, "libtracetty_capture.so") for folder in folders]
        places += glob.glob(os.path.join(here, "..", "..", "..", "*", "tracetty", "libtracetty_capture.so"))  # Debian's package
        places += ["libtracetty_capture.so"]
    for path in filter(None, places):
        try:
            return _load(path)
        except OSError:
            continue
    return None


_lib = _find(False)


def _bytes(text: Any) -> bytes:
    return str(text).encode("utf-8", "replace").replace(b"\0", b"?")


def init(directory: str = "tracetty-recording") -> None:
    """Record this process into a directory, without `tracetty record`."""
    global _lib
    _lib = _lib or _find(True)
    if _lib is None:
        raise OSError("libtracetty_capture.so was not found; set TRACETTY_CAPTURE_LIB")
    error = _lib.tracetty_init(_bytes(directory))
    if error:
        raise OSError(-error, "recording cannot begin", directory)


def start() -> bool:
    """Begin recording (after --start-paused, or stop())."""
    return _lib is not None and _lib.tracetty_start() == 0


def stop() -> bool:
    """End recording until start()."""
    return _lib is not None and _lib.tracetty_stop() == 0


def step(samples: int = -1) -> None:
    """The end of a step and the beginning of the next one; samples: how many it had, for throughput."""
    if _lib is not None:
        _lib.tracetty_step(samples)


def mark(name: str) -> None:
    """A point in time."""
    if _lib is not None:
        _lib.tracetty_mark(_bytes(name))


def counter(name: str, value: float) -> None:
    """A value that changes over time."""
    if _lib is not None:
        _lib.tracetty_counter(_bytes(name), value)


def meta(key: str, value: Any) -> None:
    """A fact about the run; anything that json can write."""
    if _lib is not None:
        _lib.tracetty_meta(_bytes(key), json.dumps(value).encode())


def name_thread(name: str) -> None:
    """Name the calling thread."""
    if _lib is not None:
        _lib.tracetty_name_thread(_bytes(name))


def status() -> Status:
    """A Status; attached is 0 without a recorder."""
    out = Status(step=-1)
    if _lib is not None:
        _lib.tracetty_status(ctypes.byref(out), ctypes.sizeof(out))
    return out


class range:
    """A range of this thread: with range("name"): ..., or @range("name") on a function."""

    def __init__(self, name: str, category: Optional[str] = None) -> None:
        if category is not None and category not in _CATEGORIES:
            raise ValueError("category %r is none of %s" % (category, ", ".join(_CATEGORIES)))
        self.name, self.category = _bytes(name), category and category.encode()

    def __enter__(self) -> "range":
        if _lib is not None:
            _lib.tracetty_range_push_cat(self.name, self.category)
        return self

    def __exit__(self, *_: Any) -> None:
        if _lib is not None:
            _lib.tracetty_range_pop()

    def __call__(self, function: _Function) -> _Function:
        @functools.wraps(function)
        def ranged(*arguments: Any, **named: Any) -> Any:
            with self:
                return function(*arguments, **named)
        return ranged  # type: ignore[return-value]
