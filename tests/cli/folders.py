#!/usr/bin/env python3
"""Damage to the files of Ascend and MindInsight folders, one file at a time: cut at lines and inside them, empty,
removed; with columns missing, reordered or renamed; with wrong numbers, quotes without end and bytes that are no text.
The folder still opens, the content of other files does not change, and losses are reported by file and line. A few
places are tried for each kind of damage; FOLDERS=all tries every place. With TRACETTY_CORPUS also on folders of real
runs."""
import concurrent.futures
import csv
import glob
import gzip
import io
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tools"))
from until import at_most, exceeded  # noqa: E402

BIN = os.environ["BIN"]
TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
CORPUS = os.environ.get("TRACETTY_CORPUS")
ALL = os.environ.get("FOLDERS") == "all"
EVERY = int(os.environ.get("BROKEN_EVERY", "1"))  # one kind of damage in so many
# Tables about the whole run, or about its faults.
OF_ALL = {"run", "findings", "problems", "trust", "overview"}
# Tables with several files: the file's type replaces the timeline's; live allocations are counted at the peak of the curve.
SHARED = {"framework_raw": {"kernels"}, "memory_record": {"memory_alive"}}
# Files of number lines without a header, or files read only if another one is missing.
NO_HEADER = ("device_queue_profiling", "dataset_iterator_profiling", "minddata_aicpu", "minddata_getnext", "min_cycle_counter",
             "minddata_pipeline_summary", "activity_execute", "gpu_op_execute", "cpu_op_execute", "start_time")


def folders():
    """(name, folder), each of one rank."""
    yield "ascend", os.path.join(TOP, "assets", "sample_ascend", "rank0_ascend_pt"), None
    yield "mindinsight", os.path.join(TOP, "assets", "sample_mindinsight"), "_1"
    if CORPUS:
        yield "ascend level1", os.path.join(CORPUS, "traces", "ascend", "level1", "rank0_ascend_pt"), None
        yield "mindinsight run_1", os.path.join(CORPUS, "traces", "mindspore", "run_1", "normal_run", "profiler"), None
        for folder in sorted(glob.glob(os.path.join(CORPUS, "traces", "mindspore", "PROF_*"))):
            yield "msprof", folder, None
        yield "minddata", os.path.join(CORPUS, "traces", "mindspore", "synth_minddata"), None


def copy(source, target, other):
    """The files of one rank, without the other's, whose names contain `other`."""
    for base, _, names in os.walk(source):
        for name in names:
            if other and other + "." in name or other and other + "_" in name:
                continue
            to = os.path.join(target, os.path.relpath(base, source))
            os.makedirs(to, exist_ok=True)
            shutil.copy(os.path.join(base, name), to)


class Result:
    def __init__(self, folder):
        p = subprocess.run([BIN, "summary", "--format", "json", "--table", "all", folder], capture_output=True, stdin=subprocess.DEVNULL, preexec_fn=at_most(60))
        self.status, self.words = p.returncode, p.stderr.decode("utf-8", "replace")
        self.tables, self.examples = {}, []
        if p.returncode == 0:
            document = json.loads(p.stdout)
            self.tables = {t["id"]: sorted(t["rows"], key=json.dumps) for t in document["tables"]}
            self.examples = [(p["kind"], p["example"] or "") for p in document["problems"]]

    def differs(self, other):
        return {t for t in set(self.tables) | set(other.tables) if self.tables.get(t) != other.tables.get(t)}


def rows_of(text):
    """The rows of a csv text, and the offset after each."""
    rows = list(csv.reader(io.StringIO(text, newline="")))
    return [r for r in rows if r]


def written(rows):
    out = io.StringIO(newline="")
    csv.writer(out, lineterminator="\n").writerows(rows)
    return out.getvalue().encode()


def some(items, n, chance):
    items = list(items)
    return items if ALL or len(items) <= n else sorted(chance.sample(items, n), key=items.index)


def has_header(name):
    return name.endswith(".csv") and not name.startswith(NO_HEADER)


def cuts(name, data, chance):
    """(damage, bytes, cut line or None) for texts that end early."""
    ends = [i + 1 for i, b in enumerate(data) if b == 10]
    rows = rows_of(data.decode("utf-8", "replace")) if has_header(name) else []
    plain = has_header(name) and len(rows) == len(ends)  # one line for each row
    for end in some(ends[:-1], 2, chance):
        yield "cut behind line %d" % (ends.index(end) + 1), data[:end], None
    for k in some(range(1, len(ends)), 3, chance):
        begin, size = ends[k - 1], ends[k] - ends[k - 1]
        if size < 4:
            continue
        at = begin + 1 + chance.randrange(size - 3)
        cells = rows_of(data[begin:at].decode("utf-8", "replace")) if plain else []
        short = cells and len(cells[0]) < len(rows[0]) and data[begin:at].strip()
        yield "cut inside line %d" % (k + 1), data[:at], k + 1 if short else None


def columns(name, data, chance):
    """(damage, bytes, whether nothing changes) with other columns."""
    rows = rows_of(data.decode("utf-8", "replace"))
    if not has_header(name) or len(rows) < 2 or len({len(r) for r in rows}) != 1:
        return
    order = list(range(len(rows[0])))
    if len(set(rows[0])) == len(rows[0]):
        yield "columns turned round", written([[r[i] for i in reversed(order)] for r in rows]), True
        chance.shuffle(order)
        yield "columns in another order", written([[r[i] for i in order] for r in rows]), True
    yield "a column more", written([[c for c in r[:1]] + ["new" if not i else "7"] + r[1:] for i, r in enumerate(rows)]), True
    yield "lines that end in CR LF", written(rows).replace(b"\n", b"\r\n"), True
    for i in some(range(len(rows[0])), 3, chance):
        yield "without column " + rows[0][i], written([r[:i] + r[i + 1:] for r in rows]), False
    for i in some(range(len(rows[0])), 2, chance):
        head = rows[0][:i] + ["renamed_" + str(i)] + rows[0][i + 1:]
        yield "column %s renamed" % rows[0][i], written([head] + rows[1:]), False


def cells(name, data, chance):
    """(damage, bytes) with meaningless cells."""
    rows = rows_of(data.decode("utf-8", "replace"))
    if not has_header(name) or len(rows) < 2:
        return
    for bad in ("x1.5", "-", "1e999", "99999999999999999999999", "\x1b[31mred"):
        for _ in range(3 if ALL else 1):
            k = chance.randrange(1, len(rows))
            i = chance.randrange(len(rows[k]))
            yield "%s in column %s of row %d" % (repr(bad), rows[0][i] if i < len(rows[0]) else i, k), written(
                rows[:k] + [rows[k][:i] + [bad] + rows[k][i + 1:]] + rows[k + 1:])
    for _ in range(8 if ALL else 1):
        at = chance.randrange(len(data))
        yield "a quote at byte %d" % at, data[:at] + b'"' + data[at:]


def json_damage(data, chance):
    for at in some(range(1, len(data) - 1), 3, chance) if not ALL else range(1, len(data) - 1, 1 + len(data) // 200):
        yield "cut at byte %d" % at, data[:at]
        yield "a wrong byte at %d" % at, data[:at] + bytes([chance.randrange(256)]) + data[at + 1:]
    yield "another kind of JSON", b"[1, 2]"
    yield "null", b"null"


def parts_of(file, data):
    """Content of a part of the file: half of its rows, half of its columns; half of the bytes of JSON, a timeline
    without events."""
    if file.endswith(".gz"):
        return [gzip.compress(part) for part in parts_of(file[:-3], gzip.decompress(data))]
    if file.endswith(".json"):
        return [data[:len(data) // 2]] + ([b"[]"] if "timeline" in file or "trace" in file else [])
    ends = [i + 1 for i, b in enumerate(data) if b == 10] or [0]
    parts = [data[:ends[(len(ends) - 1) // 2]]]
    if has_header(os.path.basename(file)):
        parts.append(written([r[:(len(r) + 1) // 2] for r in rows_of(data.decode("utf-8", "replace"))]))
    return parts


class Folder:
    def __init__(self, name, whole, work):
        self.name, self.whole, self.work = name, whole, work
        self.before = Result(whole)
        self.n = 0

    def files(self):
        for base, _, names in sorted(os.walk(self.whole)):
            for name in sorted(names):
                if name.endswith((".csv", ".txt", ".json", ".json.gz")):
                    yield os.path.relpath(os.path.join(base, name), self.whole)

    def damaged(self, file, data):
        """The result of the folder with these bytes as the file; None = without the file."""
        with tempfile.TemporaryDirectory(dir=self.work) as box:
            folder = os.path.join(box, os.path.basename(self.whole))
            shutil.copytree(self.whole, folder, copy_function=os.link)
            path = os.path.join(folder, file)
            os.unlink(path)
            if data is not None:
                with open(path, "wb") as f:
                    f.write(data)
            return Result(folder)


def judge(got, before, gone, own, file, line, same, lost):
    """The fault of a result, None = no fault."""
    if got.status not in (0, 3) or (got.status == 3 and not got.words.strip()):
        return "status %d: %s" % (got.status, got.words[-300:])
    name = os.path.basename(file)
    if got.status == 3 and gone.status == 0:
        return "is not opened any more: " + got.words[-300:]
    if got.status == 3:
        return None
    other = got.differs(before) - own
    if other:
        return "tables of other files changed: " + " ".join(sorted(other))
    if same and got.differs(before) - OF_ALL:
        return "tables changed: " + " ".join(sorted(got.differs(before) - OF_ALL))
    if same and lost is not True and got.examples != before.examples:
        return "problems: %r" % (got.examples,)
    mine = [e for _, e in got.examples if e.startswith(name + ":")]
    if line and not any(e.startswith("%s:%d: " % (name, line)) for e in mine):
        return "line %d is not named: %r" % (line, got.examples)
    if lost and not mine and not set(got.examples) - set(before.examples):
        return "nothing is said: %r" % (got.examples,)
    return None


def variants(file, data, chance):
    """(damage, bytes, line to be named, whether nothing changes, whether a report is required)."""
    name = os.path.basename(file)
    yield "empty", b"", None, False, True
    yield "bytes of no text", bytes(chance.randrange(256) for _ in range(500)), None, False, True
    if name.endswith((".json", ".json.gz")):
        pack = gzip.compress if name.endswith(".gz") else bytes
        for what, text in json_damage(gzip.decompress(data) if name.endswith(".gz") else data, chance):
            yield what, pack(text), None, False, False
        return
    for what, text, line in cuts(name, data, chance):
        yield what, text, line, False, line is not None
    for what, text, same in columns(name, data, chance):
        yield what, text, None, same, False
    for what, text in cells(name, data, chance):
        yield what, text, None, False, False


def check_file(folder, file, report):
    chance = random.Random(file)
    with open(os.path.join(folder.whole, file), "rb") as f:
        data = f.read()
    gone = folder.damaged(file, None)
    if gone.status not in (0, 3):
        report("%s without %s" % (folder.name, file), "status %d: %s" % (gone.status, gone.words[-300:]))
    if not data:
        return 1, set()
    read = bool(gone.differs(folder.before) - OF_ALL)  # other files only count as present
    own = gone.differs(folder.before) | OF_ALL
    own |= set().union(*(tables for name, tables in SHARED.items() if os.path.basename(file).startswith(name)))
    for part in parts_of(file, data):  # another file may make up for the loss of a whole file
        own |= folder.damaged(file, part).differs(folder.before)
    n = 1
    for i, (what, text, line, same, lost) in enumerate(variants(file, data, chance)):
        if i % EVERY:
            continue
        got = folder.damaged(file, text)
        why = "hangs" if exceeded(got.status) else judge(got, folder.before, gone, own, file, line if read else None, same, lost and read)
        if why:
            report("%s, %s %s" % (folder.name, file, what), why)
        n += 1
    return n, own


def check_terminal(folder):
    """Put a control sequence into the cells of every csv's second row: none reaches a terminal."""
    with tempfile.TemporaryDirectory(dir=folder.work) as box:
        whole = os.path.join(box, os.path.basename(folder.whole))
        shutil.copytree(folder.whole, whole, copy_function=shutil.copyfile)  # the copy must be writable
        for file in folder.files():
            path = os.path.join(whole, file)
            with open(path, encoding="utf-8", errors="replace", newline="") as f:
                rows = rows_of(f.read()) if has_header(os.path.basename(file)) else []
            if len(rows) > 1:
                with open(path, "wb") as f:
                    f.write(written(rows[:1] + [["\x1b[31m" + c + "\x07" for c in rows[1]]] + rows[2:]))
        for command in (("check",), ("summary", "--table", "all"), ("summary", "--screen", "steps"), ("summary", "--format", "csv", "--table", "op_details")):
            p = subprocess.run([BIN, *command, whole], capture_output=True, stdin=subprocess.DEVNULL)
            shown = p.stdout + p.stderr
            if p.returncode not in (0, 1) or b"\x1b" in shown or b"\x07" in shown:
                return "%s: status %d, %r" % (" ".join(command), p.returncode, shown[max(0, shown.find(b"\x1b") - 40):][:120])
    return None


def check_folder(name, source, other, box):
    whole = os.path.join(box, "whole", os.path.basename(source))
    copy(source, whole, other)
    folder = Folder(name, whole, box)
    failed = []

    def report(what, why):
        failed.append(what)
        if len(failed) <= 30:
            print("FAIL %s: %s" % (what, why), flush=True)

    if folder.before.status:
        print("FAIL %s: %s" % (name, folder.before.words))
        return
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        done = list(pool.map(lambda f: check_file(folder, f, report), folder.files()))
    why = check_terminal(folder)
    if why:
        report(name + " with control sequences", why)
    used = sum(bool(own - OF_ALL) for _, own in done)
    if used < 4:
        print("FAIL %s: only %d files change a table" % (name, used))
    if not failed:
        print("ok %s: %d times damaged, %d files that tables are made of" % (name, sum(n for n, _ in done), used))


def main():
    words = sys.argv[1:]
    for name, source, other in folders():
        if words and not any(w in name for w in words):
            continue
        if not os.path.isdir(source):
            print("skip %s: no %s" % (name, source))
            continue
        with tempfile.TemporaryDirectory() as box:
            check_folder(name, source, other, box)


if __name__ == "__main__":
    main()
