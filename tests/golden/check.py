#!/usr/bin/env python3
"""Compares tables with numbers worked out by hand, on small traces of the project's own, so that the repository alone
proves the tables. Every folder beside this file is a case: its traces, and expect.txt with the expected rows.
README.md describes the form.

    check.py [CASE...]      BIN = the program (default: tracetty at the top of the tree)

Integers must be equal; percentages and numbers may differ by one part in 10^9, the precision of their text. Some case
must compare every column of every table that `tracetty tables` lists: a new column needs a case."""
import ast
import fractions
import json
import os
import re
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
import _wire  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))
BIN = os.path.abspath(os.environ.get("BIN") or os.path.join(HERE, "..", "..", "tracetty"))
RATIO = fractions.Fraction(1, 10**9)
US = 1000  # expectations use the microseconds of traces, the program prints nanoseconds

# Columns that no case compares, with reasons.
NOT_COMPARED = {("findings", "detail"): "advice in words", ("problems", "meaning"): "an explanation in words"}


class Wrong(Exception):
    """An unreadable expectation, or wrong arithmetic."""


# ---- expect.txt

def arithmetic(node):
    """The exact value of numbers, + - * / and brackets."""
    if isinstance(node, ast.Constant) and type(node.value) in (int, float):
        return fractions.Fraction(str(node.value))
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return -arithmetic(node.operand)
    if isinstance(node, ast.BinOp):
        a, b = arithmetic(node.left), arithmetic(node.right)
        of = {ast.Add: lambda: a + b, ast.Sub: lambda: a - b, ast.Mult: lambda: a * b, ast.Div: lambda: a / b}.get(type(node.op))
        if of:
            return of()
    raise Wrong("no arithmetic")


def number(text):
    """The value of "100 - (20 + 30) = 50", whose sides must be equal."""
    try:
        sides = [arithmetic(ast.parse(side.strip(), mode="eval").body) for side in text.split("=")]
    except (SyntaxError, ZeroDivisionError, Wrong):
        raise Wrong("no number, and no sum of numbers: %r" % text)
    if len(set(sides)) > 1:
        raise Wrong("the sides differ: %r" % text)
    return sides[0]


def cells(line):
    return [c.strip() for c in line.split("|")]


class Check:
    """One table of a case: options, compared columns, and rows in order."""

    def __init__(self, words, command, traces):
        self.table, self.options, self.command = words[0], words[1:], command
        self.traces = traces  # lists of traces, each of which must give the rows
        self.columns, self.rows = None, []

    def line(self, text):
        if self.columns is None:
            self.columns = cells(text)
        else:
            row = cells(text)
            if len(row) != len(self.columns):
                raise Wrong("%d cells where %s has %d columns: %r" % (len(row), self.table, len(self.columns), text))
            self.rows.append(row)


def expectations(path):
    """The checks of a case, in order."""
    checks, command, traces = [], "summary", []
    with open(path, encoding="utf-8") as f:
        for text in f:
            text = text.rstrip("\n")
            words = text.split()
            if not words or words[0].startswith("#"):
                continue
            if words[0] == "trace":
                command, traces = "summary", [part.split() for part in " ".join(words[1:]).split(" or ")]
            elif words[0] == "runs":
                if len(words) != 3:
                    raise Wrong("not a base and a new run: %r" % text)
                command, traces = "diff", [words[1:]]
            elif words[0] == "table":
                checks.append(Check(words[1:], command, traces))
            elif checks:
                checks[-1].line(text)
            else:
                raise Wrong("neither 'trace', 'runs' nor 'table': %r" % text)
    return checks


# ---- output of the program

def document(case, check, traces):
    """The table as JSON, or the program's message if there is none."""
    p = subprocess.run([BIN, check.command, "--format", "json", "--table", check.table, *check.options, *traces], capture_output=True,
                       stdin=subprocess.DEVNULL, cwd=os.path.join(HERE, case))
    if p.returncode != 0:
        return "status %d: %s" % (p.returncode, p.stderr.decode("utf-8", "replace").strip()[-300:])
    tables = [t for t in json.loads(p.stdout.decode("utf-8"))["tables"] if t["id"] == check.table]
    return tables[0] if tables else "no such table in the answer"


def listed():
    """{table: columns} of all tables that `tracetty tables` lists, columns of --group-by too."""
    text = subprocess.run([BIN, "tables"], capture_output=True, stdin=subprocess.DEVNULL, check=True).stdout.decode("utf-8")
    tables, columns = {}, None
    for line in text.splitlines():
        title = re.match(r"(\w+): ", line)
        if title:
            columns = tables[title.group(1)] = []
        column = re.match(r"    (\w+) +(string|count|bool|duration|time|bytes|percent|number)\b", line)
        if column:
            columns.append(column.group(1))
    return tables


# ---- the comparison

def expected(text, column):
    """The value of a cell, in the unit of the program."""
    if text == "null":
        return None
    if column["type"] == "bool":
        if text not in ("true", "false"):
            raise Wrong("neither true nor false: %r" % text)
        return text == "true"
    if column["type"] == "string":
        return text[1:-1] if len(text) > 1 and text[0] == text[-1] == '"' else text
    return number(text) * (US if column["type"] in ("duration", "time") else 1)


def same(want, got, column):
    if want is None or got is None or column["type"] in ("bool", "string"):
        return want == got and type(want) is type(got)
    if isinstance(got, bool) or not isinstance(got, (int, float)):
        return False
    if column["type"] in ("percent", "number"):
        return abs(fractions.Fraction(got) - want) <= RATIO * abs(want)
    return isinstance(got, int) and got == want


def show(value, column):
    if column["type"] in ("duration", "time") and value is not None:
        return "%s us" % (float(value) / US)
    return str(float(value)) if isinstance(value, fractions.Fraction) else repr(value)


def key_of(cells_of_row):
    return " ".join(str(c) for c in cells_of_row if c is not None)


def compare(check, table):
    """Each difference as "ROW COLUMN: got, want". Rows match by their texts; they must be in the table's order."""
    columns = {c["key"]: c for c in table["columns"]}
    missing = [key for key in check.columns if key not in columns]
    if missing:
        return ["- %s: there is no such column" % key for key in missing]
    texts = [key for key in check.columns if columns[key]["type"] == "string"]
    want = [{key: expected(text, columns[key]) for key, text in zip(check.columns, row)} for row in check.rows]
    left, wrong, order = list(table["rows"]), [], []
    for row in want:
        name = [row[key] for key in texts]
        got = next((r for r in left if [r[key] for key in texts] == name), None)
        if got is None:
            wrong.append("%s -: got no such row" % key_of(name))
            continue
        left = [r for r in left if r is not got]
        order.append(next(n for n, r in enumerate(table["rows"]) if r is got))
        wrong += ["%s %s: got %s, want %s" % (key_of(name), key, show(got[key], columns[key]), show(row[key], columns[key]))
                  for key in check.columns if not same(row[key], got[key], columns[key])]
    wrong += ["%s -: got a row that is not expected" % key_of(r[key] for key in texts) for r in left]
    if order != sorted(order):
        wrong.append("- -: the rows are in another order: " + "; ".join(key_of(r[key] for key in texts) for r in table["rows"]))
    return wrong


def run_case(case, folder, compared):
    """Number of failed checks of a case; adds its compared columns to `compared`."""
    failed = 0
    try:
        checks = expectations(os.path.join(HERE, case, "expect.txt"))
    except (OSError, Wrong) as e:
        print("FAIL %s expect.txt: %s" % (case, e))
        return 1
    for c, traces in ((c, traces) for c in checks for traces in c.traces):
        label = " ".join([case, c.table, *c.options, *(["of", *traces] if len(c.traces) > 1 else [])])
        try:
            table = document(case, c, [_wire.ready(os.path.join(HERE, case), t, folder) for t in traces])
            wrong = ["-: " + table] if isinstance(table, str) else compare(c, table)
            compared.setdefault(c.table, set()).update(c.columns)
        except Wrong as e:
            wrong = ["-: %s" % e]
        if not wrong:
            print("ok " + label)
        for w in wrong:
            print("FAIL %s %s" % (label, w))
        failed += bool(wrong)
    return failed


def uncovered(compared):
    """Columns that no case compares, and exceptions without need."""
    lines = []
    for table, columns in listed().items():
        if table not in compared:
            lines.append("%s: no case has this table" % table)
            continue
        left = [c for c in columns if c not in compared[table] and (table, c) not in NOT_COMPARED]
        if left:
            lines.append("%s: no case has %s" % (table, ", ".join(left)))
        lines += ["%s: %s is compared, take it off the exceptions" % (table, c) for t, c in NOT_COMPARED
                  if t == table and c in compared[table]]
    return lines


def main(args):
    cases = args or sorted(d for d in os.listdir(HERE) if os.path.isfile(os.path.join(HERE, d, "expect.txt")))
    compared, failed = {}, 0
    with tempfile.TemporaryDirectory() as folder:
        for case in cases:
            failed += run_case(case, folder, compared)
    if not args:
        lines = uncovered(compared)
        for line in lines:
            print("FAIL coverage " + line)
        if not lines:
            print("ok coverage: every column of every table")
        failed += len(lines)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
