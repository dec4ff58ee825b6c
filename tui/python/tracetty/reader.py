"""Tables of traces: load(...) -> Trace -> Table, by the program itself."""
import json
import os
from typing import Any, Dict, Iterable, List, Mapping, Optional, Tuple, Union

from .program import Answers, UsageError, run_once
from .table import Catalogue, Table

Path = Union[str, "os.PathLike[str]"]
Steps = Union[str, int, Tuple[int, int]]
Range = Union[str, Tuple[int, int]]


def _absolute(path: Path) -> str:
    """So that it means the same when Python has gone elsewhere; as it was given otherwise."""
    text = os.fspath(path)
    if not text:
        raise UsageError("the path is empty: name the file or the folder of a trace", 2)
    if text == "-":
        raise UsageError("standard input can be read only once: write it to a file, and load that", 2)
    return text if os.path.isabs(text) else os.path.join(os.getcwd(), text)


def _text(key: str, value: Any) -> str:
    """A value as the command line has it."""
    if isinstance(value, tuple):
        unit = "ns" if key.endswith("range") else ""
        return "-".join("%d%s" % (part, unit) for part in value)
    return str(value)


def _words(options: Mapping[str, Any]) -> List[str]:
    """group_by="name" as --group-by=name; True is a switch, None and False are not there, lists are repeated."""
    words = []
    for key, value in options.items():
        option = "--" + key.replace("_", "-")
        if key == "what_if" and isinstance(value, Mapping):
            value = ["%s=%s" % pair for pair in value.items()]
        if value is None or value is False or (isinstance(value, str) and not value and key == "filter"):
            continue
        if value is True:
            words.append(option)
        else:
            words += ["%s=%s" % (option, _text(key, v)) for v in (value if isinstance(value, list) else [value])]
    return words


class Trace:
    """A trace, or the traces of a run, loaded by a `tracetty` that runs beside Python until this object is gone.

    Made by load(). What is asked for is computed from what is loaded; files are not read again (but for arguments of
    slices, arg() in SQL). Ctrl-C ends a question, and the next one loads again."""

    def __init__(self, paths: Iterable[Path], options: Mapping[str, Any]) -> None:
        self.paths = [_absolute(p) for p in paths]
        if not self.paths:
            raise UsageError("load() takes the path of a trace", 2)
        self._options = dict(options)
        self._answers: Optional[Answers] = None
        self._names: Optional[Catalogue] = None
        self._start()

    def _start(self) -> Answers:
        self._answers = Answers(_words(self._options) + ["--"] + self.paths)
        self._loaded = json.loads(self._answers.greeting)
        return self._answers

    def _ask(self, *words: str) -> Any:
        answers = self._answers
        return json.loads((answers if answers is not None and answers.alive else self._start()).ask(*words))

    @property
    def _catalogue(self) -> Catalogue:
        if self._names is None:
            self._names = Catalogue(self._ask("tables"))
        return self._names

    @property
    def source(self) -> Dict[str, Any]:
        """What was loaded: paths, format, events, slices, workers, spans."""
        return dict(self._loaded["source"])

    @property
    def problems(self) -> List[Dict[str, Any]]:
        """What is wrong with the input: kind, count, offset of the first case (bytes), example. Empty: nothing."""
        return list(self._loaded["problems"])

    def tables(self) -> Dict[str, str]:
        """The tables there are: ids and titles. all() says which of them have rows."""
        return self._catalogue.titles(False)

    def table(self, id: str, *, group_by: Optional[str] = None, steps: Optional[Steps] = None,
              range: Optional[Range] = None, sort: Optional[str] = None, filter: Optional[str] = None,
              filter_regex: Optional[str] = None, limit: Optional[int] = None, thread_sep: bool = False,
              stack_depth: Optional[int] = None, samples_per_step: Optional[float] = None,
              peak_tflops: Optional[float] = None, peak_gb_per_s: Optional[float] = None,
              what_if: Union[None, Mapping[str, float], List[str]] = None) -> Table:
        """A table, as `tracetty summary --table ID` has it.

        id            as in tables(): "kernels", "operators", "step_breakdown", ...
        group_by      a key that the table lists: "name", "shape", "launch", ...
        steps         profiler steps, both included: "3-5", 3, (3, 5), "3-"
        range         a time window: "12.5ms-80ms", or (from, to) in ns since the earliest event
        sort          a column, as "total_ns", "name:desc"
        filter        rows whose name contains this, in any case; filter_regex: matches (POSIX extended)
        limit         at most so many rows; None: all
        thread_sep    a row per thread, with a column `thread`
        stack_depth   frames that count with group_by="stack"; 0: all
        samples_per_step, peak_tflops (TFLOP/s), peak_gb_per_s (GB/s): what the trace does not say
        what_if       {name: factor}: how long the steps were if these took that part of their time (table what_if)
        """
        if "," in id or id == "all":
            raise UsageError("table() takes one table; all() gives every table that has rows", 2)
        options = {"group_by": group_by, "steps": steps, "range": range, "sort": sort, "filter": filter,
                   "filter_regex": filter_regex, "limit": limit, "thread_sep": thread_sep, "stack_depth": stack_depth,
                   "samples_per_step": samples_per_step, "peak_tflops": peak_tflops, "peak_gb_per_s": peak_gb_per_s,
                   "what_if": what_if}
        return self._catalogue.table(self._ask("summary", "--table=" + id, *_words(options))["tables"][0])

    def all(self, **options: Any) -> Dict[str, Table]:
        """Every table that has rows, by id; options are those of table(): steps, range, limit, ..."""
        found = self._ask("summary", "--table=all", *_words(options))["tables"]
        return {t["id"]: self._catalogue.table(t) for t in found}

    def sql(self, query: str) -> Table:
        """What one statement of SQL selects, over slices, counters, memory, flows, steps, tracks, instants and every
        table under its id. Times are ns. ".tables" and ".schema TABLE" say what there is."""
        tables = self._ask("sql", query)["tables"]
        if len(tables) != 1:
            raise UsageError("SQL: one query at a time, not %d" % len(tables), 2)
        return self._catalogue.table(tables[0])

    def diff(self, other: "Union[Trace, Path]", *, steps: Optional[Steps] = None, range: Optional[Range] = None,
             skip: Optional[int] = None, per: Optional[str] = None, match: Optional[str] = None,
             confidence: Optional[float] = None, min_effect: Optional[float] = None,
             fail_on: Union[None, str, List[str]] = None, group_by: Optional[str] = None, sort: Optional[str] = None,
             filter: Optional[str] = None, limit: Optional[int] = None) -> "Diff":
        """This run (the base) against another one, as `tracetty diff BASE NEW` compares them. Both are loaded anew.

        other          a Trace or a path: the new run
        steps, range   of both, as in table(); skip: leave out the first steps of each
        per            "step" or "run": what is compared
        match          "short": kernels by base name
        confidence     in percent, 95; min_effect: percent of the base below which a change is none, 1
        fail_on        "step>5%", or a list of such conditions: see Diff.failed
        group_by, sort, filter, limit: of its tables, as in table()
        """
        new = other if isinstance(other, Trace) else None
        new_paths = new.paths if new else [_absolute(other)]  # type: ignore[arg-type]
        if len(self.paths) != 1 or len(new_paths) != 1:
            raise UsageError("a comparison takes one path of each run: load the folder that has all its workers", 2)
        options: Dict[str, Any] = {"steps": steps, "range": range, "skip": skip, "per": per, "match": match,
                                   "confidence": confidence, "min_effect": min_effect, "fail_on": fail_on,
                                   "group_by": group_by, "sort": sort, "filter": filter, "limit": limit}
        sides = (("base_", self._options), ("new_", new._options if new else {}))
        for prefix, given in sides:
            for key, value in given.items():
                side = prefix + key if key in ("run", "worker", "span") else key
                if key != "timeout" and value not in (None, False):
                    options[side] = value
        words = ["diff", "--table=all", "--format=json"] + _words(options) + ["--", self.paths[0], new_paths[0]]
        return Diff(json.loads(run_once(words, (0, 1))), self._catalogue)

    def close(self) -> None:
        """End the program that has the trace loaded. The next question loads it again, as it is then."""
        if self._answers is not None:
            self._answers.close()
        self._answers = self._names = None

    def __enter__(self) -> "Trace":
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def __reduce__(self) -> Any:
        return Trace, (self.paths, self._options)

    def __repr__(self) -> str:
        return "<tracetty.Trace: %s, %d events, %s>" % (self.source["format"], self.source["events"],
                                                        ", ".join(self.paths))


class Diff:
    """Two runs against each other: made by Trace.diff()."""

    def __init__(self, document: Mapping[str, Any], catalogue: Catalogue) -> None:
        self._catalogue = catalogue
        self._tables = {t["id"]: t for t in document["tables"]}
        self.base: Dict[str, Any] = document["base"]             # what was loaded, as Trace.source, and steps
        self.new: Dict[str, Any] = document["new"]
        self.matched: Dict[str, Any] = document["matched"]       # per, steps, workers
        self.problems: List[Dict[str, Any]] = document["problems"]
        self.conditions: List[Dict[str, Any]] = document["conditions"]  # of fail_on: text, held, base_ns, ...

    @property
    def failed(self) -> bool:
        """Does a condition of fail_on hold?"""
        return any(c["held"] for c in self.conditions)

    def tables(self) -> Dict[str, str]:
        """The tables that have rows: ids and titles."""
        return {i: t["title"] for i, t in self._tables.items()}

    def table(self, id: str = "diff_summary") -> Table:
        """A table of the comparison: "diff_summary", "diff_causes", "diff_kernels", "diff_operators", ..."""
        if id in self._tables:
            return self._catalogue.table(self._tables[id])
        known = self._catalogue.titles(True)
        if id not in known:
            raise UsageError("a comparison has no table '%s', but %s" % (id, ", ".join(known)), 2)
        return self._catalogue.empty(id)

    def __repr__(self) -> str:
        return "<tracetty.Diff: %s against %s>" % (self.base["paths"][0], self.new["paths"][0])


def load(*paths: Path, run: Optional[str] = None, worker: Optional[str] = None, span: Optional[str] = None,
         threads: Optional[int] = None,
         max_memory: Union[None, int, str] = None, max_events: Optional[int] = None, all_events: bool = False,
         nsys_export: bool = False, timeout: Union[None, float, str] = None) -> Trace:
    """Load a trace: a file, a folder, or several, which are workers of one run. The content decides the format.

    run            of a folder that holds several runs the one of this name; None: the newest, which a warning names
    worker, span   only this worker, this profiled span
    threads        that load; None: one per CPU, up to a limit
    max_memory     "8G", or bytes: a LimitError where it takes more; and for a query of SQL (else 1 GiB)
    max_events     a LimitError where the input has more
    all_events     Nsight Systems: also calls of the operating system, scheduling and CPU samples
    nsys_export    *.nsys-rep: run `nsys export`, and load what it wrote
    timeout        seconds that a query of SQL may take; 0: no limit; None: 60

    Raises InputError where there is no trace. Warnings of the program are RuntimeWarnings."""
    return Trace(paths, {"run": run, "worker": worker, "span": span, "threads": threads, "max_memory": max_memory,
                         "max_events": max_events, "all_events": all_events, "nsys_export": nsys_export,
                         "timeout": timeout})
