"""Output of tracetty, and its comparison with expected rows."""
import collections
import json
import os
import subprocess

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
BIN = os.path.abspath(os.environ.get("BIN") or os.path.join(TOP, "tracetty"))


class Differs(Exception):
    pass


def tables(paths, *options):
    """{table: rows} of the tables named in the options."""
    p = subprocess.run([BIN, "summary", "--format", "json", *options, *paths], capture_output=True, stdin=subprocess.DEVNULL)
    if p.returncode:
        raise Differs("status %d: %s" % (p.returncode, p.stderr[-300:].decode("utf-8", "replace")))
    return {t["id"]: t["rows"] for t in json.loads(p.stdout.decode("utf-8"))["tables"]}


def same(want, got):
    if isinstance(want, float) and isinstance(got, (int, float)) and not isinstance(got, bool):
        return abs(want - got) <= 1e-6 * max(1.0, abs(want))
    return want == got


def compare(wanted, got, keys, subset=False):
    """Rows of both sides must match by their keys, and agree in all expected columns."""
    def key(row):
        return tuple(str(row.get(k)) for k in keys)

    by = collections.defaultdict(list)
    for row in got:
        by[key(row)].append(row)
    wrong = []
    for row in wanted:
        there = by[key(row)]
        match = next((r for r in there if all(c in r and same(v, r[c]) for c, v in row.items())), None)
        if match is not None:
            there.remove(match)
        elif not there:
            wrong.append("row %s is missing, wanted %s" % (key(row), values(row)))
        else:
            other = there.pop(0)
            wrong.append("row %s: " % (key(row),) + ", ".join(
                "%s %s, wanted %s" % (c, other.get(c, "no such column"), v) for c, v in row.items() if c not in other or not same(v, other[c])))
    left = [] if subset else [r for rows in by.values() for r in rows]
    wrong += ["row %s was not expected: %s" % (key(r), values(r)) for r in left]
    if wrong:
        raise Differs("%d of %d rows; %s" % (len(wrong), len(wanted), "; ".join(w[:400] for w in wrong[:2])))


def values(row):
    return ", ".join("%s=%s" % i for i in row.items())[:200]
