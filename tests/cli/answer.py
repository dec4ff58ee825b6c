#!/usr/bin/env python3
"""`tracetty answer`, the server of the Python package: its documents equal the output of the commands, byte for byte
and in any order of requests; an error in a request is reported and affects no other request; no bytes on standard
input crash it. Also `tracetty tables --format json` against the text."""
import glob
import json
import os
import random
import re
import subprocess

BIN = os.environ["BIN"]
TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BOTH = TOP + "/assets/sample_gpu"
ONE = sorted(glob.glob(BOTH + "/*rank0*"))[0]
CPU = TOP + "/assets/sample_cpu.pt.trace.json.gz"
random.seed(20261123)


def report(what, ok, why=""):
    print(("ok " if ok else "FAIL ") + what + ("" if ok else ": " + str(why)[:600]))


def request(*words):
    return b"".join(os.fsencode(w) + b"\0" for w in words) + b"\0"


def answers(data, *arguments):
    """[(status, document)] of all answers, the text on stderr, the exit status."""
    p = subprocess.run([BIN, "answer", *arguments], input=data, capture_output=True)
    parts = p.stdout.split(b"\0")
    assert parts.pop() == b"", "an answer ends with a NUL: %r" % parts[-1:]
    split = [part.partition(b"\n") for part in parts]
    return [(int(status), document) for status, _, document in split], p.stderr.decode("utf-8", "replace"), p.returncode


def command(*arguments):
    p = subprocess.run([BIN, *arguments], capture_output=True, stdin=subprocess.DEVNULL)
    return p.returncode, p.stdout, p.stderr.decode("utf-8", "replace")


# ---- byte for byte as the commands

ASKED = [["--table=kernels"], ["--table=kernels", "--group-by=launch", "--steps=3-4"], ["--table=kernels,operators", "--limit=3"],
         ["--table=operators", "--filter=mm", "--sort=calls:asc"], ["--table=step_breakdown", "--range=10ms-90ms"], [],
         ["--table=what_if", "--what-if=aten::mm=0.5"], ["--table=what_if", "--what-if=aten::mm=0.25", "--what-if=aten::relu=0"],
         ["--table=operators", "--thread-sep"], ["--table=key_averages", "--group-by=stack", "--stack-depth=2"], ["--table=all", "--limit=5"],
         ["--table=kernels", "--filter-regex=^nccl|gemm"], ["--table=roofline", "--peak-tflops=100"], ["--table=comm_ranks"]]
for path, given in ((BOTH, []), (BOTH, ["--worker=train_rank1"]), (ONE, ["--span=1"]), (CPU, [])):
    order = ASKED + ASKED  # each document twice, the second time from the cache
    random.shuffle(order)
    got, err, status = answers(b"".join(request("summary", *a) for a in order), *given, path)
    wrong = []
    for (code, document), a in zip(got[1:], order):
        want = command("summary", "--format", "json", *a, *given, path)
        if (code, document) != want[:2]:
            wrong.append((a, code, want[0], want[2]))
    report("tables of %s %s are those of summary" % (os.path.basename(path), " ".join(given)), not wrong and len(got) == 1 + len(order) and status == 0,
           wrong or (len(got), err, status))

first = json.loads(answers(b"", BOTH)[0][0][1])
whole = json.loads(command("summary", "--format", "json", BOTH)[1])
report("the first answer says what was loaded", (first["source"], first["problems"], first["tables"]) == (whole["source"], whole["problems"], []), first)

QUERIES = ["SELECT count(*) AS n, sum(duration) AS d FROM slices", "SELECT name, total_ns FROM kernels ORDER BY 1", ".tables", ".schema slices",
           "SELECT 1; SELECT 2"]
got = answers(b"".join(request("sql", q) for q in QUERIES), BOTH)[0]
if b"without libsqlite3" in command("sql", "-e", "SELECT 1", BOTH)[2].encode():
    print("skip SQL: built without libsqlite3")
else:
    for q, (code, document) in zip(QUERIES, got[1:]):
        report("SQL: " + q, (code, document) == command("sql", "--format", "json", "-e", q, BOTH)[:2], (code, document[:200]))

# ---- invalid requests

good = ("summary", "--table=kernels", "--limit=1")
WRONG = [(("summary", "--table=nope"), "no table 'nope'"), (("summary", "--sort=nope"), "no column"), (("summary", "--steps=77"), "no step in '77'"),
         (("summary", "--table=kernels", "more"), "'more' is no option"), (("summary", "--", ONE), "no option of a table"),
         (("summary", "--worker=train_rank0"), "--worker is for loading"), (("summary", "--threads=2"), "--threads is for loading"),
         (("summary", "--max-memory=1K"), "--max-memory is for loading"), (("summary", "--screen=4"), "--screen prints no table"),
         (("summary", "--help"), "--help prints no table"), (("summary", "--output=x"), "--output does not belong"),
         (("summary", "--filter-regex=("), "--filter-regex"), (("sql",), "sql takes a query"), (("sql", "a", "b"), "sql takes a query"),
         (("sql", "  "), "there is no query"), (("sql", "SELECT nope"), "no such column"), (("sql", ".help"), "gives no table"),
         (("sql", "SELECT 1; .format csv"), "gives no table"), (("sql", "ATTACH 'x' AS y"), "SQL"), (("export", "-o", "x"), "'export' is no request"),
         ((), "is no request")]
sent = b"".join(request(*w) + request(*good) for w, _ in WRONG)
got, err, status = answers(sent, ONE)
want = command("summary", "--format", "json", *good[1:], ONE)[1]
said = iter(err.splitlines())
for i, (w, message) in enumerate(WRONG):
    code, document = got[1 + 2 * i]
    line = next(said, "")
    if "without libsqlite3" in line:
        continue
    report("refused: %s" % " ".join(w), (code, document) == (2, b"") and message in line, (code, document[:80], line))
    report("... and the next is answered", got[2 + 2 * i] == (0, want), got[2 + 2 * i][1][:80])

got, err, _ = answers(request("summary", "--worker=train_rank0") + request("summary", "--span=1"), "--worker=train_rank1", BOTH)
report("another worker than the one that was loaded is refused", [c for c, _ in got] == [0, 2, 2] and "--worker is for loading" in err, (got[1][0], err))

for what, arguments, code in (("no path", [], 2), ("no such file", ["/no/such"], 3), ("standard input", ["-"], 2), ("no such worker", ["--worker=x", ONE], 2),
                              ("a limit", ["--max-events=10", ONE], 4), ("no time", ["--timeout=x", ONE], 2)):
    p = subprocess.run([BIN, "answer", *arguments], input=request(*good), capture_output=True)
    report("cannot be loaded: " + what, (p.returncode, p.stdout) == (code, b"") and p.stderr.startswith(b"tracetty: "), (p.returncode, p.stdout[:80], p.stderr))

# ---- any bytes

pieces = [request(*good), b"\0", b"summary\0", b"sql\0", b"SELECT 1\0\0", b"--table=kernels\0\0", b"\xff\xfe\0", b"--limit=-1\0", b"\n", b"--\0", b"-e\0", b"\0\0\0",
          b"--group-by=launch\0\0", b"A" * 5000, b"tables\0\0"]
worst = ""
for _ in range(25):
    noise = b"".join(random.choice(pieces) if random.random() < 0.9 else bytes(random.randrange(256) for _ in range(9)) for _ in range(random.randrange(12)))
    got, err, status = answers(noise, CPU)
    for code, document in got:
        if code not in (0, 2) or bool(document) != (code == 0):
            worst = (noise, code, document[:80])
        elif document:
            json.loads(document)
    if status not in (0, 2) or re.search(r"[^\n -~\u00a0-\uffff]", err):
        worst = (noise, status, err)
report("any bytes: answers or a message", not worst, worst)
got, err, status = answers(request("summary", "--filter=" + "A" * (1 << 20)), CPU)
report("a request that is too long", status == 2 and len(got) == 1 and "longer than 1024 KiB" in err, (status, len(got), err))

# ---- the list of tables

text, doc = command("tables")[1].decode(), json.loads(command("tables", "--format", "json")[1])
blocks = {}
for block in text.strip().split("\n\n"):
    lines = block.splitlines()
    lines = "\n".join(lines).replace("\n" + " " * 49, " ").split("\n")  # the meaning of a column goes on in its own column
    facts = next(i for i, line in enumerate(lines) if line.startswith(("  group by: ", "  sorted by: ", "  --thread-sep", "  columns:")))
    columns = lines[lines.index("  columns:") + 1:]
    groups = [line[len("  group by: "):].split(", ") for line in lines if line.startswith("  group by: ")]
    blocks[lines[0].split(":")[0]] = (lines[0].split(": ", 1)[1], " ".join(line.strip() for line in lines[1:facts]), groups[0] if groups else [], [c.split() for c in columns])
report("tables: ids in their order", list(blocks) == [t["id"] for t in doc["tables"]])
wrong = []
for t in doc["tables"]:
    title, meaning, groups, columns = blocks[t["id"]]
    same = (title, meaning, groups) == (t["title"], t["meaning"], t["group_by"]) and len(columns) == len(t["columns"])
    for words, c in zip(columns, t["columns"]):
        line = [c["key"], c["type"]] + ([c["unit"]] if c["unit"] else []) + (c["meaning"] or "").split()
        if "grouped_by" in c:
            line += ("(only grouped by %s)" % ", ".join(c["grouped_by"])).split()
        same = same and words == line
    wrong += [] if same else [t["id"]]
report("tables: JSON says what the text says", not wrong, wrong)
compares = json.loads(answers(request("tables"), ONE)[0][1][1])
report("the request `tables` has the same", compares["tables"] == doc["tables"])
for name in ("csv", "markdown"):
    code, out, err = command("tables", "--format", name)
    report("tables --format " + name, code == 2 and not out and "text or json" in err, (code, err))
