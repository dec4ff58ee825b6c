"""tracetty in Python: marks in a recording, and the tables of a trace.

    import tracetty

    with tracetty.range("forward"):             # marks: seen by `tracetty record -- python train.py`, else nothing
        ...
    tracetty.step()

    trace = tracetty.load("runs/today")         # any trace that the program opens
    for row in trace.table("kernels", steps="3-5", limit=5):
        print(row["name"], row["total_ns"])
    trace.sql("SELECT name, max(duration) FROM slices GROUP BY name").frame()
    tracetty.load("before").diff("after").table("diff_summary")

The marks are those of tracetty.annotations, the tables those of tracetty.reader, which is imported when it is first used:
a program that is recorded does not pay for it."""
from typing import TYPE_CHECKING, Any, List

from .annotations import Status, counter, init, mark, meta, name_thread, range, start, status, step, stop

if TYPE_CHECKING:
    from .program import Error, InputError, LimitError, UsageError
    from .reader import Diff, Trace, load
    from .table import Column, Table

_READER = {"load": "reader", "Trace": "reader", "Diff": "reader", "Table": "table", "Column": "table",
           "Error": "program", "UsageError": "program", "InputError": "program", "LimitError": "program"}

__all__ = ["Status", "counter", "init", "mark", "meta", "name_thread", "range", "start", "status", "step", "stop",
           "load", "Trace", "Diff", "Table", "Column", "Error", "UsageError", "InputError", "LimitError"]


def __getattr__(name: str) -> Any:
    if name not in _READER:
        raise AttributeError("module 'tracetty' has no attribute %r" % name)
    import importlib
    return getattr(importlib.import_module("." + _READER[name], __name__), name)


def __dir__() -> List[str]:
    return sorted(set(globals()) | set(__all__))
