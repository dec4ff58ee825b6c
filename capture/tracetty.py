"""Marks in the recording of a Python program: `tracetty record -- python train.py`.

    import tracetty                       # PYTHONPATH=PREFIX/lib/tracetty

    for batch in loader:
        with tracetty.range("forward", "forward"):
            loss = model(batch)
        tracetty.step(samples=len(batch)) # the end of a step, the beginning of the next

Without a recorder every call does nothing. A call costs about a microsecond: mark what takes longer than that.
tracetty.init(dir) records without `tracetty record`."""
import ctypes
import functools
import glob
import json
import os

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


def _load(path):
    # PyDLL keeps the interpreter's lock: giving it up and taking it again would cost more than the calls do
    lib = ctypes.PyDLL(path)
    for name, result, arguments in _NAMES:
        function = getattr(lib, "tracetty_" + name)
        function.restype, function.argtypes = result, arguments
    return lib


def _find(any_place):
    here = os.path.dirname(os.path.abspath(__file__))
    places = [os.environ.get("TRACETTY_CAPTURE_LIB")]
    if any_place:
        places += [os.path.join(here, "libtracetty_capture.so"), os.path.join(here, "..", "build", "libtracetty_capture.so"),
                   *glob.glob(os.path.join(here, "..", "..", "*", "tracetty", "libtracetty_capture.so")), # Debian's
                   "libtracetty_capture.so"]
    for path in filter(None, places):
        try:
            return _load(path)
        except OSError:
            continue
    return None


_lib = _find(False)


def _bytes(text):
    return str(text).encode("utf-8", "replace").replace(b"\0", b"?")


def init(directory="tracetty-recording"):
    """Record this process into a directory, without `tracetty record`."""
    global _lib
    _lib = _lib or _find(True)
    if _lib is None:
        raise OSError("libtracetty_capture.so was not found; set TRACETTY_CAPTURE_LIB")
    error = _lib.tracetty_init(_bytes(directory))
    if error:
        raise OSError(-error, "recording cannot begin", directory)


def start():
    """Begin recording (after --start-paused, or stop())."""
    return _lib is not None and _lib.tracetty_start() == 0


def stop():
    """End recording until start()."""
    return _lib is not None and _lib.tracetty_stop() == 0


def step(samples=-1):
    """The end of a step and the beginning of the next one."""
    if _lib is not None:
        _lib.tracetty_step(samples)


def mark(name):
    """A point in time."""
    if _lib is not None:
        _lib.tracetty_mark(_bytes(name))


def counter(name, value):
    """A value that changes over time."""
    if _lib is not None:
        _lib.tracetty_counter(_bytes(name), value)


def meta(key, value):
    """A fact about the run; anything that json can write."""
    if _lib is not None:
        _lib.tracetty_meta(_bytes(key), json.dumps(value).encode())


def name_thread(name):
    """Name the calling thread."""
    if _lib is not None:
        _lib.tracetty_name_thread(_bytes(name))


def status():
    """A Status; attached is 0 without a recorder."""
    out = Status(step=-1)
    if _lib is not None:
        _lib.tracetty_status(ctypes.byref(out), ctypes.sizeof(out))
    return out


class range:
    """A range of this thread: with range("name"): ..., or @range("name") on a function."""

    def __init__(self, name, category=None):
        if category is not None and category not in _CATEGORIES:
            raise ValueError("category %r is none of %s" % (category, ", ".join(_CATEGORIES)))
        self.name, self.category = _bytes(name), category and category.encode()

    def __enter__(self):
        if _lib is not None:
            _lib.tracetty_range_push_cat(self.name, self.category)
        return self

    def __exit__(self, *_):
        if _lib is not None:
            _lib.tracetty_range_pop()
        return False

    def __call__(self, function):
        @functools.wraps(function)
        def ranged(*arguments, **named):
            with self:
                return function(*arguments, **named)
        return ranged
