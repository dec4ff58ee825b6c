"""Calls and times of kernels, copies, operators and runtime calls of a trace by step, from its raw events.

A list is {key: [(step or None, ns, bytes)]}, with one entry for each call. A host slice belongs to the step that runs
when it starts. Device work belongs to the step that runs when its launch starts or, without a launch, when it starts
itself."""
import bisect
import collections

from why.trace import OPERATOR, correlation_of, number_or_none


class Steps:
    """Marked steps of a trace by time; overlapping steps are refused."""

    def __init__(self, trace):
        by = {}
        for s in trace.steps:
            by.setdefault(s.name, s)
        self.marks = sorted(by.values(), key=lambda s: (s.start, s.end))
        self.starts = [s.start for s in self.marks]
        ids = [correlation_of(w.args) for w in trace.work if w.launch]
        self.first_id = min(ids) if ids else None
        self.apart = all(a.end <= b.start for a, b in zip(self.marks, self.marks[1:]))

    def at(self, time):
        i = bisect.bisect_right(self.starts, time) - 1
        return i if i >= 0 and time < self.marks[i].end else None

    def of(self, work):
        correlation = correlation_of(work.args)
        if not work.launch and None not in (correlation, self.first_id) and correlation < self.first_id:
            return None
        return self.at(work.launch.start if work.launch else work.start)


def kernels(trace, steps):
    out = collections.defaultdict(list)
    for w in trace.work:
        if w.of != "copy":
            out[(w.name,)].append((steps.of(w), w.end - w.start, None))
    return out


def copies(trace, steps):
    """The program's kinds of device rows; host ranges are not Kineto's."""
    out = collections.defaultdict(list)
    for w in trace.work:
        if w.of == "copy":
            size = number_or_none(w.args.get("bytes", w.args.get("Bytes")))
            out[("device set" if w.is_set else "device copy", w.name)].append((steps.of(w), w.end - w.start, size))
    return out


def runtime_calls(trace, steps):
    out = collections.defaultdict(list)
    for s in trace.slices:
        if s.kind == "call":
            out[(s.name,)].append((steps.at(s.start), s.end - s.start, None))
    return out


def operators(trace, steps):
    """(list, names left out): names that are called inside themselves, and slices of other kinds that may count as
    operators, follow other rules and are left out."""
    out, left_out = collections.defaultdict(list), set()
    for e in trace.doc["traceEvents"]:
        if e.get("ph") == "X" and (str(e.get("cat", "")).lower() not in OPERATOR or str(e.get("name", "")).startswith("Optimizer.")):
            left_out.add((str(e.get("name", "")),))
    for slices in trace.on_thread.values():
        stack = []
        for s in sorted((s for s in slices if s.kind == "operator"), key=lambda s: (s.start, -s.end, s.order)):
            while stack and stack[-1].end <= s.start:
                stack.pop()
            if any(o.name == s.name for o in stack):
                left_out.add((s.name,))
            stack.append(s)
            out[(s.name,)].append((steps.at(s.start), s.end - s.start, None))
    return out, left_out
