"""Rows of a table with what is known of their columns."""
from typing import TYPE_CHECKING, Any, Dict, List, NamedTuple, Optional, Sequence, Union

if TYPE_CHECKING:
    import pandas
    import polars

Value = Union[str, int, float, bool, None]
Row = Dict[str, Value]

# types of columns whose values are integers, and the units of types
_INTEGERS = ("count", "duration", "time", "bytes")
_UNITS = {"duration": "ns", "time": "ns", "bytes": "bytes", "percent": "%"}
# columns that tables of several workers, spans or threads have in front
_IN_FRONT = {"worker": "worker (rank) that the row is of", "span": "profiled span that the row is of",
             "thread": "thread that the row is of"}


class Column(NamedTuple):
    """A column. A duration is in ns; a time in ns since the earliest event of all that is loaded."""
    key: str                 # in rows; ends in _ns, _at_ns, _bytes or _pct where the unit is one of these
    title: str               # as the explorer heads it
    type: str                # string, count, bool, duration, time, bytes, percent or number
    unit: Optional[str]      # "ns", "bytes", "%"; None: no unit
    meaning: Optional[str]   # None: not known, as in results of SQL


class Table(List[Row]):
    """A list of rows, each a dict of column keys and values: int, float, str, bool, or None where a value is unknown.

    Integers are those of the trace, exact to the last of 64 bits. In a row that is changed nothing else changes: every
    question makes a new Table."""

    id: str                        # "kernels"; "query": of SQL
    title: str
    columns: List[Column]
    options: Dict[str, str]        # what was asked for: group_by, sort, steps, ...
    note: Optional[str]            # why there is no row, or what to tell the profiler to get more; None

    def __init__(self, rows: Sequence[Row], id: str, title: str, columns: Sequence[Column],
                 options: Optional[Dict[str, str]] = None, note: Optional[str] = None) -> None:
        super().__init__(rows)
        self.id, self.title, self.columns, self.options, self.note = id, title, list(columns), dict(options or {}), note

    def values(self, key: str) -> List[Value]:
        """One column: its value of every row."""
        if key not in [c.key for c in self.columns]:
            raise KeyError("table %s has no column %r, but %s" % (self.id, key, ", ".join(c.key for c in self.columns)))
        return [row[key] for row in self]

    def frame(self, library: Optional[str] = None) -> "Union[pandas.DataFrame, polars.DataFrame]":
        """The table as a DataFrame of pandas, else of polars; library="pandas" or "polars" chooses.

        Integers stay integers also where values are unknown (pandas: Int64)."""
        if library not in (None, "pandas", "polars"):
            raise ValueError("library: %r is neither 'pandas' nor 'polars'" % library)
        for name, make in (("pandas", self._pandas), ("polars", self._polars)):
            if library in (None, name):
                try:
                    module = __import__(name)
                except ImportError:
                    continue
                return make(module)
        raise ImportError("frame() needs %s: pip install %s" % (library or "pandas or polars", library or "pandas"))

    def _kind(self, column: Column) -> str:
        """int, float, bool or str; by the values where a query mixes them."""
        values = self.values(column.key)
        if column.type in _INTEGERS:
            return "float" if any(isinstance(v, float) for v in values) else "int"
        if column.type in ("percent", "number"):
            return "float"
        return "bool" if column.type == "bool" else "str"

    def _pandas(self, pandas: Any) -> Any:
        known = {"int": "int64", "float": "float64", "bool": "bool", "str": "object"}
        unknown = {"int": "Int64", "float": "float64", "bool": "boolean", "str": "object"}
        columns = {}
        for c in self.columns:
            values = self.values(c.key)
            dtype = (unknown if None in values else known)[self._kind(c)]
            columns[c.key] = pandas.Series(values, dtype=dtype)
        return pandas.DataFrame(columns)

    def _polars(self, polars: Any) -> Any:
        types = {"int": polars.Int64, "float": polars.Float64, "bool": polars.Boolean, "str": polars.Utf8}
        columns = []
        for c in self.columns:
            kind, values = self._kind(c), self.values(c.key)
            if kind == "float":
                values = [None if v is None else float(v) for v in values]
            columns.append(polars.Series(c.key, values, dtype=types[kind]))
        return polars.DataFrame(columns)


class Catalogue:
    """What tables there are and what their columns mean: `tracetty tables --format json`."""

    def __init__(self, document: Dict[str, Any]) -> None:
        self._tables = {t["id"]: t for t in document["tables"]}

    def titles(self, compare: bool) -> Dict[str, str]:
        """Ids and titles of the tables about one run, or about two."""
        return {i: t["title"] for i, t in self._tables.items() if t["compares_two_runs"] == compare}

    def table(self, found: Dict[str, Any]) -> Table:
        """A table of a JSON document, with what its columns mean."""
        about = self._tables.get(found["id"], {"columns": []})
        meaning = {c["key"]: c["meaning"] for c in about["columns"]}
        columns = [Column(c["key"], c["title"], c["type"], _UNITS.get(c["type"]),
                          meaning.get(c["key"], _IN_FRONT.get(c["key"]) if about["columns"] else None))
                   for c in found["columns"]]
        return Table(found["rows"], found["id"], found["title"], columns, found["options"], found.get("note"))

    def empty(self, id: str) -> Table:
        """A table that has no rows."""
        about = self._tables[id]
        columns = [Column(c["key"], c["title"], c["type"], c["unit"], c["meaning"]) for c in about["columns"]
                   if not c.get("grouped_by")]
        return Table([], id, about["title"], columns)
