#!/usr/bin/env python3
"""Damaged and malicious databases: the program never crashes, hangs or grows without limit, exits with a status of the
contract, keeps the readable rows, reports the fault, and runs no SQL of the file. Every page of a database of each
format is damaged in turn. DAMAGE=N: more kinds of damage for each page."""
import json
import os
import random
import resource
import shutil
import sqlite3
import struct
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tools"))
from until import at_most, exceeded  # noqa: E402

from _databases import BIN, CANARY, TRACES, capture, made, report, run, supported

PAGE = 4096
WORK = 20  # processor seconds for a file of a few hundred kilobytes
MEMORY = 1500   # MiB of address space beyond the program's own need
SANITIZED = b"__asan_init" in open(BIN, "rb").read() or b"__tsan_init" in open(BIN, "rb").read()
WAYS = int(os.environ.get("DAMAGE") or (1 if SANITIZED else 2))
KERNELS = "CUPTI_ACTIVITY_KIND_KERNEL"


def bounded():
    at_most(WORK)()
    if not SANITIZED:
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY << 20, MEMORY << 20))


def look(path, *words, command="summary"):
    """(fault or None, status, document or None, output on stderr)"""
    p = run(command, *(("--format", "json", "--table", "all") if command == "summary" else ()), *words, path, preexec_fn=bounded)
    if exceeded(p.returncode):
        return "does not end in %d s of work" % WORK, p.returncode, None, b""
    said = p.stdout + p.stderr
    if p.returncode not in (0, 1, 3, 4) or p.returncode == 1 and command != "check":
        return "status %d: %s" % (p.returncode, p.stderr[-300:].decode("utf-8", "replace")), p.returncode, None, said
    if p.returncode in (3, 4) and not p.stderr.strip():
        return "status %d and not a word" % p.returncode, p.returncode, None, said
    if b"\x1b" in said:
        return "a control character of the file is printed", p.returncode, None, said
    doc = None
    if command == "summary" and p.returncode == 0:
        try:
            doc = json.loads(p.stdout.decode("utf-8"))
        except ValueError as e:
            return "no JSON: %s" % e, p.returncode, None, said
    return None, p.returncode, doc, said


def calls(doc, table="kernels"):
    return sum(r["calls"] for t in doc["tables"] if t["id"] == table for r in t["rows"])


# ---- pages

def damaged_page(data, page, way, rng):
    at = page * PAGE + (100 if page == 0 and way != 2 else 0)
    size = PAGE - at % PAGE
    if way == 0:    # change a few bytes
        for _ in range(16):
            data[at + rng.randrange(size)] ^= 1 << rng.randrange(8)
    elif way == 1:  # change its first bytes: type, cells, their places
        for i in range(12):
            data[at + i] = rng.randrange(256)
    else:           # change the whole page
        data[at:at + size] = bytes(size) if way == 2 else rng.randbytes(size)


def pages(kind, path, tmp):
    whole = open(path, "rb").read()
    wrong, status, doc, _ = look(path)
    if wrong or status:
        return report("%s: the undamaged database" % kind, wrong or "status %s" % status)
    all_calls, rng, seen, why = calls(doc), random.Random(kind), 0, None
    new = os.path.join(tmp, "damaged" + os.path.splitext(path)[1])
    for page in range(len(whole) // PAGE):
        for way in range(WAYS):
            data = bytearray(whole)
            damaged_page(data, page, way, rng)
            open(new, "wb").write(data)
            wrong, status, doc, said = look(new)
            if not wrong and doc and calls(doc) < all_calls and not doc["problems"] and way:
                wrong = "%d of %d kernels, and no problem is told" % (calls(doc), all_calls)
            seen += bool(doc and calls(doc))
            if wrong and not why:
                why = "page %d, way %d: %s" % (page, way, wrong)
                shutil.copy(new, os.path.join("/tmp", "damaged-" + os.path.basename(path))) if os.environ.get("KEEP") else None
    report("%s: every page damaged" % kind, why)
    total = len(whole) // PAGE * WAYS
    report("%s: most damage costs no more than its rows" % kind, None if 4 * seen >= total else "only %d of %d damaged files have kernels" % (seen, total))


def cut(kind, path, tmp):
    whole, why = open(path, "rb").read(), None
    new = os.path.join(tmp, "cut" + os.path.splitext(path)[1])
    for size in sorted({16, 99, 100, 1000, PAGE, PAGE + 1, len(whole) // 2, len(whole) - PAGE, len(whole) - 1}):
        open(new, "wb").write(whole[:size])
        wrong, status, doc, said = look(new)
        if not wrong and status == 0 and size < len(whole) and not doc["problems"]:
            wrong = "no problem is told"
        if wrong and not why:
            why = "%d bytes: %s" % (size, wrong)
    report("%s: cut off" % kind, why)


# ---- hostile

def change(*statements):
    def to(path):
        db = sqlite3.connect(path, isolation_level=None)
        for s in statements:
            db.execute(*s) if isinstance(s, tuple) else db.execute(s)
        db.close()
    return to


def schema(name, sql):
    """Change a table's definition in the schema without SQLite checking it."""
    return change("PRAGMA writable_schema=1", ("UPDATE sqlite_master SET sql=? WHERE name=?", (sql, name)))


def reborn(table, create, insert="INSERT INTO {0} SELECT * FROM old"):
    return change("ALTER TABLE %s RENAME TO old" % table, create.format(table), insert.format(table), "DROP TABLE old")


def claims_a_gigabyte(path):
    """Make the page of StringIds one row whose text claims 1 GiB, on overflow pages that form a circle."""
    db = sqlite3.connect(path)
    root = db.execute("SELECT rootpage FROM sqlite_master WHERE name='StringIds'").fetchone()[0]
    db.close()
    data = bytearray(open(path, "rb").read())

    size = 1 << 30
    head = varint(0) + varint(2 * (size - 7) + 13)
    record = bytes([len(head) + 1]) + head
    usable, local = PAGE, None
    low = (usable - 12) * 32 // 255 - 23
    local = low + (size - low) % (usable - 4)
    local = low if local > usable - 35 else local
    cell = varint(size) + varint(1) + record + b"x" * (local - len(record)) + struct.pack(">I", root)
    start = PAGE - len(cell)
    page = bytes([13, 0, 0, 0, 1]) + struct.pack(">H", start) + b"\0" + struct.pack(">H", start)
    at = (root - 1) * PAGE
    data[at:at + PAGE] = page + bytes(PAGE - len(page) - len(cell)) + cell
    open(path, "wb").write(data)


def varint(n):
    out = [n & 127]
    while n > 127:
        n >>= 7
        out.append(n & 127 | 128)
    return bytes(reversed(out))


def inner_page(child, header):
    """An inner page whose two hundred children are all the same page."""
    page, at, cells = bytearray(PAGE), PAGE, []
    for i in range(200):
        cell = struct.pack(">I", child) + varint(1000 * (i + 1))
        at -= len(cell)
        page[at:at + len(cell)] = cell
        cells.append(struct.pack(">H", at))
    page[header:header + 12] = bytes([5, 0, 0]) + struct.pack(">HHB", 200, at, 0) + struct.pack(">I", child)
    page[header + 12:header + 12 + 400] = b"".join(cells)
    return page


def same_children(table):
    """Five levels of such pages above one with rows: 3 * 10^11 times the same rows."""
    def to(path):
        db = sqlite3.connect(path)
        root = db.execute("SELECT rootpage FROM sqlite_master WHERE name=?", (table,)).fetchone()[0] if table != "sqlite_master" else 1
        leaf = db.execute("SELECT rootpage FROM sqlite_master WHERE name='META_DATA_EXPORT'").fetchone()[0]
        db.close()
        data = bytearray(open(path, "rb").read())
        n = len(data) // PAGE
        for level in range(5):
            data += inner_page(n + level if level else leaf, 0)
        header = 100 if root == 1 else 0
        data[(root - 1) * PAGE + header:root * PAGE] = inner_page(n + 5, header)[header:]
        data[28:32] = struct.pack(">I", n + 5)
        open(path, "wb").write(data)
    return to


def wal_header(path):
    with open(path, "r+b") as f:
        f.seek(18)
        f.write(b"\2\2")


def beside(path):
    """Write the files beside the database that SQLite would replay."""
    for ending in "-wal", "-shm", "-journal":
        with open(path + ending, "wb") as f:
            f.write(b"\xd9\xd5\x05\xf9\x20\xa1\x63\xd7" + bytes(504))


ENDLESS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i AS start, i + 1 AS end, 0 AS deviceId, 7 AS streamId, 1 AS demangledName FROM n"
HUGE, LOW = (1 << 63) - 1, -1 << 63
COLUMNS = "start, end, deviceId, contextId, streamId, correlationId, globalPid, demangledName, shortName"
# name: change to a good export; "all" = the same kernels, "fewer" = some are lost and reported, "any" = any answer but a crash
HOSTILE = {
    "an endless view in place of kernels": (change("DROP TABLE " + KERNELS, "CREATE VIEW %s AS %s" % (KERNELS, ENDLESS)), "fewer"),
    "an endless view in place of texts": (change("DROP TABLE StringIds", "CREATE VIEW StringIds AS WITH RECURSIVE n(id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM n) "
                                                 "SELECT id, 'x' AS value FROM n"), "any"),
    "triggers": (change("CREATE TRIGGER t AFTER INSERT ON StringIds BEGIN DELETE FROM StringIds; END"), "all"),
    "ids as large as can be": (change("UPDATE %s SET deviceId=%d, streamId=%d, contextId=%d, globalPid=%d, correlationId=%d" % (KERNELS, HUGE, LOW, HUGE, LOW, HUGE)), "any"),
    "ids of texts that nothing has": (change("UPDATE %s SET demangledName=%d, shortName=%d" % (KERNELS, HUGE, LOW)), "any"),
    "negative times": (change("UPDATE %s SET start=-start, end=-end" % KERNELS), "any"),
    "ends before starts": (change("UPDATE %s SET end=start - 1000" % KERNELS), "any"),
    "times at both ends of what can be": (change("UPDATE %s SET start=%d WHERE rowid %% 2" % (KERNELS, LOW), "UPDATE %s SET end=%d WHERE rowid %% 3 = 0" % (KERNELS, HUGE)), "any"),
    "null everywhere": (change("UPDATE %s SET %s" % (KERNELS, ", ".join("%s=NULL" % c for c in COLUMNS.split(", ")))), "fewer"),
    "texts for numbers": (change("UPDATE %s SET %s" % (KERNELS, ", ".join("%s='x\x1b[31m'" % c for c in COLUMNS.split(", ")))), "fewer"),
    "blobs for numbers": (change("UPDATE %s SET %s" % (KERNELS, ", ".join("%s=x'00ff1b'" % c for c in COLUMNS.split(", ")))), "fewer"),
    "fractions for numbers": (change("UPDATE %s SET start=start + 0.5, end=1e300, gridX=-1e308" % KERNELS), "any"),
    "texts that are numbers, blobs and nothing": (reborn("StringIds", "CREATE TABLE {0} (id INTEGER, value)", "INSERT INTO {0} SELECT id, CASE id % 4 WHEN 0 THEN id WHEN 1 THEN "
                                                         "x'ff00fe' WHEN 2 THEN NULL ELSE 1.5 END FROM old"), "any"),
    "texts that name each other": (reborn("StringIds", "CREATE TABLE {0} (id INTEGER, value)", "INSERT INTO {0} SELECT id, id + 1 FROM old"), "any"),
    "every text twice": (reborn("StringIds", "CREATE TABLE {0} (id INTEGER, value TEXT)", "INSERT INTO {0} SELECT id, value FROM old UNION ALL SELECT id, 'other' FROM old"), "any"),
    "a claimed gigabyte": (claims_a_gigabyte, "any"),
    "control characters in names": (change("UPDATE StringIds SET value=value || char(27) || '[2J' || char(0x202e) || char(7)"), "all"),
    "long names": (change("UPDATE StringIds SET value=value || replace(hex(zeroblob(1000000)), '0', 'n')"), "any"),
    "kernels on pages that lead to one page": (same_children(KERNELS), "fewer"),
    "texts on pages that lead to one page": (same_children("StringIds"), "any"),
    "a list of tables on pages that lead to one page": (same_children("sqlite_master"), "any"),
    "bad SQL in the schema": (schema(KERNELS, "CREATE TABLE %s (start INTEGER, garbage ((( )" % KERNELS), "any"),
    "another table's SQL in the schema": (schema(KERNELS, "CREATE TABLE %s (a, b, c UNIQUE, d CHECK (d > abs(c)))" % KERNELS), "fewer"),
    "a virtual table": (schema(KERNELS, "CREATE VIRTUAL TABLE %s USING fts5(start, end)" % KERNELS), "fewer"),
    "generated columns": (reborn(KERNELS, "CREATE TABLE {0} (start INTEGER, length INTEGER, end INTEGER GENERATED ALWAYS AS (start + length * "
                                 "length(hex(zeroblob(100000000)))) VIRTUAL, deviceId, streamId, demangledName)",
                                 "INSERT INTO {0} (start, length, deviceId, streamId, demangledName) SELECT start, end - start, deviceId, streamId, demangledName FROM old"), "fewer"),
    "a table without row ids": (reborn("StringIds", "CREATE TABLE {0} (id INTEGER PRIMARY KEY, value TEXT) WITHOUT ROWID"), "any"),
    "an index with a function": (change("CREATE INDEX x ON %s (abs(start))" % KERNELS), "all"),
    "two thousand columns": (change("CREATE TABLE wide (%s)" % ", ".join("c%d" % i for i in range(1990))), "all"),
    "a column of another name": (change("ALTER TABLE %s RENAME COLUMN demangledName TO demangled" % KERNELS), "any"),
    "no times": (change("ALTER TABLE %s RENAME COLUMN start TO begin" % KERNELS), "fewer"),
    "no texts": (change("DELETE FROM StringIds"), "any"),
    "the mark of a write-ahead log": (wal_header, "all"),
    "a journal, a log and its index beside it": (beside, "all"),
}


def hostile(path, tmp):
    _, _, doc, _ = look(path)
    whole = calls(doc) if doc else 0
    for what, (do, kernels) in HOSTILE.items():
        folder = os.path.join(tmp, "hostile")
        os.makedirs(folder)
        new = os.path.join(folder, "report.sqlite")
        shutil.copy(path, new)
        do(new)
        listing = sorted(os.listdir(folder))
        wrong, status, doc, said = look(new)
        if not wrong and kernels == "all" and (status or calls(doc) != whole):
            wrong = "status %s, %s of %d kernels" % (status, doc and calls(doc), whole)
        if not wrong and kernels == "fewer" and status == 0 and (calls(doc) >= whole or not doc["problems"]):
            wrong = "%d of %d kernels, problems: %s" % (calls(doc), whole, doc["problems"])
        wrong = wrong or look(new, command="check")[0]
        if not wrong and sorted(os.listdir(folder)) != listing:
            wrong = "files were made: %s" % sorted(os.listdir(folder))
        report("hostile: " + what, wrong)
        shutil.rmtree(folder)


def other_encodings(path, tmp):
    """The same database in UTF-16, with another page size."""
    _, _, base, _ = look(path)
    for encoding, size in ("UTF-16le", 512), ("UTF-16be", 65536):
        new = os.path.join(tmp, encoding + ".sqlite")
        db = sqlite3.connect(new)
        db.execute("PRAGMA page_size=%d" % size)
        db.execute("PRAGMA encoding='%s'" % encoding)
        for line in sqlite3.connect(path).iterdump():
            db.execute(line) if line not in ("BEGIN TRANSACTION;", "COMMIT;") else None
        db.commit()
        db.close()
        wrong, _, doc, _ = look(new)
        numbers = [[t for t in d["tables"] if t["id"] == "kernels"] for d in (base, doc or {"tables": []})]
        report("%s, pages of %d" % (encoding, size), wrong or (None if numbers[0] == numbers[1] and numbers[0] else "other kernels"))


def nothing_we_know(tmp):
    """Databases of other programs: the refusal names the kind of file and the expected tables."""
    for name, tables, words in (("other.db", ("customers", "orders"), (b"SQLite", b"customers")), ("empty.db", (), (b"SQLite",)),
                                ("ascend_pytorch_profiler_0.db", ("TASK", "STRING_IDS", "COMPUTE_TASK_INFO"), (b"Ascend", b"export_type=Text"))):
        path = os.path.join(tmp, name)
        db = sqlite3.connect(path)
        db.execute("PRAGMA user_version=1")
        for t in tables:
            db.execute("CREATE TABLE %s (id)" % t)
        db.commit()
        db.close()
        wrong, status, _, said = look(path)
        report("refused: " + name, wrong or (None if status == 3 and all(w in said for w in words) else "status %s: %s" % (status, said[-300:])))


def list_of_tables():
    """SQLite calls this error "out of memory", which it is not."""
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "fuzz", "seeds", "fuzz_sqlite", "damaged_list_of_tables")
    wrong, status, _, said = look(path)
    report("refused: a damaged list of tables", wrong or (None if status == 3 and b"list of tables is damaged" in said and b"--max-memory" not in said else
                                                          "status %s: %s" % (status, said[-300:])))


def small(found):
    """A small database: one step with its first fifty launches."""
    one = capture.steps(found, 3, 3)
    return one.map(work=one.work[:60], calls=one.calls[:60], ranges=one.ranges[:20], operators=one.operators[:40])


def main():
    if not supported():
        print("skip damage: built without libsqlite3")
        return 0
    found = capture.capture(TRACES[0])
    with tempfile.TemporaryDirectory() as tmp:
        files = {"nsys": made("nsys", os.path.join(tmp, "small.sqlite"), small(found), operators=True, environment=CANARY),
                 "rocpd": made("rocpd", os.path.join(tmp, "small.db"), small(found), environment=CANARY), "rpd": made("rpd", os.path.join(tmp, "small.rpd"), small(found))}
        for kind, path in files.items():
            pages(kind, path, tmp)
            cut(kind, path, tmp)
        hostile(files["nsys"], tmp)
        other_encodings(files["nsys"], tmp)
        nothing_we_know(tmp)
        list_of_tables()
    return 0


if __name__ == "__main__":
    sys.exit(main())
