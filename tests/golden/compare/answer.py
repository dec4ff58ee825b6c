"""Output of `tracetty diff`, and its comparison with expected rows."""
import json
import subprocess

from why.answer import BIN, Differs, compare, tables

NEAR = 1e-5  # for p values, which are printed with six digits


def document(paths, *options, status=0):
    p = subprocess.run([BIN, "diff", "--format", "json", *options, *paths], capture_output=True, stdin=subprocess.DEVNULL)
    if p.returncode != status:
        raise Differs("status %d: %s" % (p.returncode, p.stderr[-300:].decode("utf-8", "replace")))
    return json.loads(p.stdout.decode("utf-8"))


def diff(paths, *options):
    return {t["id"]: t["rows"] for t in document(paths, *options)["tables"]}


def trace_tables(path):
    """Tables that other tests prove, taken from the program: step windows, parts of the device's time, causes of
    idle time."""
    said = tables([path], "--table", "step_breakdown")
    for table in ("gpu_time", "idle_causes"):
        said.update(tables([path], "--table", table, "--group-by", "step"))
    return said


def same_rows(wanted, got, keys):
    """p must agree to NEAR, other values to the last nanosecond (percentages to a millionth). A column is left out
    where no row knows a value."""
    columns = {c for r in wanted for c in r}
    got = [dict({c: None for c in columns}, **r) for r in got]
    by = {tuple(r.get(k) for k in keys): r for r in got}
    wanted = [dict(r) for r in wanted]
    for row in wanted:
        there = by.get(tuple(row[k] for k in keys))
        p = row.get("p_value")
        if there and p is not None and there.get("p_value") is not None and abs(p - there["p_value"]) <= NEAR:
            row["p_value"] = there["p_value"]
    compare(wanted, got, keys)
