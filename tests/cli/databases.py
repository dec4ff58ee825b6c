#!/usr/bin/env python3
"""Databases of Nsight Systems and ROCm, written here with sqlite3 and counted again with SQL: processes that share ids
of calls, columns missing from a schema; orders of rows, threads and containers that must change nothing; contents of a
database that must not be run, printed or written; damage page by page. BROKEN_EVERY=N damages one page in N."""
import collections
import gzip
import json
import os
import random
import signal
import sqlite3
import stat
import subprocess
import sys
import tempfile
import zipfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tools"))
from until import at_most, until  # noqa: E402

BIN = os.environ["BIN"]
EVERY = int(os.environ.get("BROKEN_EVERY", "1"))
SECRET = "s3cr3t_of_the_user"
failed = 0
TOP = tempfile.mkdtemp(prefix="tracetty-databases-")


def check(what, ok, detail=""):
    global failed
    failed += not ok
    print("%s %s%s" % ("ok" if ok else "FAIL", what, "" if ok else ": " + str(detail)[:600]), flush=True)


def run(*args, stdin=None, env=None):
    return subprocess.run([BIN, *args], stdin=stdin, capture_output=True, env=dict(os.environ, **(env or {})), preexec_fn=at_most(20))


def rows(path, table, *options, stdin=None):
    done = run("summary", path, "--format", "json", "--table", table, *options, stdin=stdin)
    if done.returncode:
        return [{"error": done.stderr.decode("utf-8", "replace")}]
    return json.loads(done.stdout)["tables"][0]["rows"]


def path_of(name):
    return os.path.join(TOP, name)


# ---- writing databases

def make(path, tables, page_size=4096, extra=()):
    """Write a database; tables: {name: (columns, rows)}, columns as in CREATE TABLE."""
    if os.path.exists(path):
        os.unlink(path)
    db = sqlite3.connect(path)
    db.execute("PRAGMA page_size=%d" % page_size)
    for name, (columns, values) in tables.items():
        db.execute('CREATE TABLE "%s"(%s)' % (name, ", ".join('"%s"%s' % tuple((c + " ").split(" ", 1)) for c in columns.split(", "))))
        width = len(columns.split(", "))
        db.executemany('INSERT INTO "%s" VALUES(%s)' % (name, ",".join("?" * width)), values)
    for sql in extra:
        db.execute(sql)
    db.commit()
    db.close()
    return path


KERNELS = ("start, end, deviceId, contextId, streamId, correlationId, globalPid, demangledName, shortName, registersPerThread, gridX, gridY, gridZ, "
           "blockX, blockY, blockZ, staticSharedMemory, dynamicSharedMemory, graphNodeId")
CALLS = "start, end, eventClass, globalTid, correlationId, nameId, returnValue"
RANGES = "start, end, eventType, globalTid, text, textId, domainId"


def pid(process, thread=0):
    return 1 << 56 | process << 24 | thread


def export(processes=2, per=200, seed=1):
    """Kernels of several processes with equal ids of calls, each in a range of its own process."""
    rnd = random.Random(seed)
    strings = [(1, "cudaLaunchKernel_v7000"), (2, "cuLaunchKernelEx"), (3, "range of strings"), (4, "short")]
    strings += [(10 + i, "void kernel_%d<(int)%d>(float*)" % (i, i)) for i in range(12)]
    kernels, calls, ranges = [], [], [(0, None, 75, pid(100, 100), "DOMAIN", None, 3)]
    for p in range(processes):
        for i in range(per):
            t = 1000000 + i * 10000 + p
            name = 1 if i % 3 else 2
            calls.append((t, t + 3000 + rnd.randrange(1000), 0, pid(100 + p, 100 + p), i + 1, name, 0))
            k = 10 + rnd.randrange(12)
            kernels.append((t + 5000, t + 5000 + rnd.randrange(1, 4000), p, 1, 7, i + 1, pid(100 + p), k, 4, 32 + k, 1 + i % 5, 1, 1, 128, 1, 1, 0, 1024, None))
            if i % 4 == 0:
                ranges.append((t - 100, t + 8000, 59, pid(100 + p, 100 + p), "range of %d" % p, None, 0))
            if i % 4 == 2:
                ranges.append((t - 100, t + 8000, 59, pid(100 + p, 100 + p), None, 3, 3 if p == 0 else 0))
    return {"META_DATA_EXPORT": ("name, value", [("EXPORT_SCHEMA_VERSION", "3.13.2"), ("EXPORT_USER", SECRET)]),
            "StringIds": ("id INTEGER PRIMARY KEY, value", strings),
            "META_DATA_CAPTURE": ("name, value", [("x", SECRET)]),
            "TARGET_INFO_SYSTEM_ENV": ("name, value", [("HOME", SECRET)]),
            "ProcessStreams": ("globalPid, content", [(pid(100), SECRET)]),
            "TARGET_INFO_SESSION_START_TIME": ("utcEpochNs, utcTime", [(1700000000000000000, "")]),
            "TARGET_INFO_GPU": ("id, name, totalMemory, cuDevice, computeMajor, computeMinor", [(0, "GPU A", 1 << 30, 0, 9, 0), (1, "GPU B", 1 << 31, 1, 8, 6)]),
            "PROCESSES": ("globalPid, pid, name", [(pid(100 + p), 100 + p, "/usr/bin/python3") for p in range(processes)]),
            "CUPTI_ACTIVITY_KIND_RUNTIME": (CALLS, calls),
            "CUPTI_ACTIVITY_KIND_KERNEL": (KERNELS, kernels),
            "NVTX_EVENTS": (RANGES, ranges),
            "OSRT_API": ("start, end, globalTid, nameId", [(1000000, 1000100, pid(100, 100), 4)])}


def by_name(tables):
    names, out = dict(tables["StringIds"][1]), collections.defaultdict(lambda: [0, 0])
    for k in tables["CUPTI_ACTIVITY_KIND_KERNEL"][1]:
        out[names[k[7]]][0] += 1
        out[names[k[7]]][1] += k[1] - k[0]
    return {n: tuple(v) for n, v in out.items()}


def kernels_of(path, *options, **more):
    got = rows(path, "kernels", "--group-by", "name", *options, **more)
    return {r.get("name", "error"): (r.get("calls"), r.get("total_ns")) for r in got} if not got or "error" not in got[0] else got


# ---- expected numbers

def test_links():
    tables = export(3)
    path = make(path_of("links.sqlite"), tables)
    check("nsys: kernels by name", kernels_of(path) == by_name(tables), kernels_of(path))
    names, want = dict(tables["StringIds"][1]), collections.Counter()
    spans = collections.defaultdict(list)
    for s, e, kind, tid, text, text_id, domain in tables["NVTX_EVENTS"][1]:
        if kind == 59:
            spans[tid].append((s, e, ("DOMAIN:" if domain else "") + (text or names[text_id])))
    launch = {(c[3] >> 24, c[4]): c for c in tables["CUPTI_ACTIVITY_KIND_RUNTIME"][1]}
    for k in tables["CUPTI_ACTIVITY_KIND_KERNEL"][1]:
        c = launch[k[6] >> 24, k[5]]
        inside = [t for s, e, t in spans[c[3]] if s <= c[0] and c[1] <= e]
        want[inside[0] if inside else None] += 1
    got = collections.Counter()
    for r in rows(path, "kernels", "--group-by", "operator"):
        got[r["operator"]] += r["calls"]
    check("nsys: the range around the launch of its own process", got == want, (got, want))
    calls = {r["name"]: r["calls"] for r in rows(path, "runtime_api")}
    check("nsys: versions of calls are left out", calls == collections.Counter({"cudaLaunchKernel": 399, "cuLaunchKernelEx": 201}), calls)
    check("nsys: no problem but launches", not rows(path, "problems"), rows(path, "problems"))
    devices = {r["device"]: (r["name"], r["memory_bytes"]) for r in rows(path, "devices")}
    check("nsys: names of devices", devices.get("GPU1") == ("GPU B", 1 << 31), devices)


def test_ranks():
    tables = export(2)
    tables["MPI_RANKS"] = ("globalPid, rank", [(pid(100), 0), (pid(101), 1)])
    path = make(path_of("ranks.sqlite"), tables)
    workers = {r["worker"]: r["value"] for r in rows(path, "run") if r["key"] == "rank"}
    check("nsys: processes with ranks are workers", workers == {"python3, rank 0": "0", "python3, rank 1": "1"}, workers)
    total = sum(v[0] for v in by_name(tables).values())
    calls = sum(r["calls"] for r in rows(path, "kernels", "--group-by", "name"))
    check("nsys: kernels of all workers", calls == total, (calls, total))


def test_same(name, tables, reference, whole):
    """Changes that must have no effect."""
    shuffled = {t: (c, random.Random(5).sample(v, len(v)) if t.isupper() else v) for t, (c, v) in tables.items()}
    check("%s: order of rows" % name, kernels_of(make(path_of("shuffled.sqlite"), shuffled)) == reference)
    check("%s: pages of 512 bytes" % name, kernels_of(make(path_of("small.sqlite"), tables, 512)) == reference)
    one = run("summary", whole, "--table", "all", "--format", "json", "--threads", "1").stdout
    four = run("summary", whole, "--table", "all", "--format", "json", "--threads", "4").stdout
    check("%s: one thread and four" % name, one == four and len(one) > 1000)
    data = open(whole, "rb").read()
    packed = path_of("packed.sqlite.gz")
    open(packed, "wb").write(gzip.compress(data))
    check("%s: gzip" % name, kernels_of(packed) == reference)
    with zipfile.ZipFile(path_of("packed.zip"), "w") as z:
        z.writestr("stored.sqlite", data)
    check("%s: in a zip" % name, kernels_of(path_of("packed.zip")) == reference)
    with open(whole, "rb") as f:
        check("%s: standard input" % name, kernels_of("-", stdin=f) == reference)
    odd = path_of("%41 ?mode=rw&vfs=x#y%.sqlite")
    open(odd, "wb").write(data)
    check("%s: a name that a URI would read otherwise" % name, kernels_of(odd) == reference)
    exported = path_of("exported.json")
    done = run("export", whole, "-o", exported)
    again = kernels_of(exported)
    check("%s: exported and read again" % name, done.returncode == 0 and again == reference, (done.stderr, again))


def test_schemas(tables, reference):
    """Each column alone may be missing; without a column of times or places the table is left out, which is
    reported."""
    for table in ("CUPTI_ACTIVITY_KIND_KERNEL", "CUPTI_ACTIVITY_KIND_RUNTIME", "NVTX_EVENTS", "TARGET_INFO_GPU"):
        columns = tables[table][0].split(", ")
        for i, column in enumerate(columns):
            less = dict(tables)
            less[table] = (", ".join(c for c in columns if c != column), [r[:i] + r[i + 1:] for r in tables[table][1]])
            path = make(path_of("less.sqlite"), less)
            done = run("summary", path, "--format", "json", "--table", "kernels,problems", "--group-by", "name")
            doc = {t["id"]: t["rows"] for t in json.loads(done.stdout)["tables"]} if done.returncode == 0 else {}
            missing = [p for p in doc.get("problems", []) if p["kind"] == "missing_column"]
            calls = sum(r["calls"] for r in doc.get("kernels", []))
            needed = missing and missing[0]["example"] == table + "." + column
            lost = table == "CUPTI_ACTIVITY_KIND_KERNEL" and needed
            if done.returncode or calls != (0 if lost else sum(v[0] for v in reference.values())) or (column in ("start",) and not needed):
                check("nsys: without %s.%s" % (table, column), False, (done.returncode, done.stderr, calls, missing))
                return
    check("nsys: without any one column", True)


# ---- forbidden effects

def test_nothing_runs(tables, reference):
    bomb = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT x AS start, x AS end, x AS globalTid FROM c"
    path = make(path_of("runs.sqlite"), tables, extra=(
        "CREATE VIEW CUPTI_ACTIVITY_KIND_MEMCPY AS " + bomb, "CREATE VIEW CUDNN_EVENTS AS " + bomb,
        "CREATE TABLE CUBLAS_EVENTS(start, end AS (start + 5) STORED, globalTid, nameId AS (abs(start)))",
        "INSERT INTO CUBLAS_EVENTS(start, globalTid) VALUES(1, 1)",
        "CREATE TRIGGER t AFTER INSERT ON StringIds BEGIN DELETE FROM StringIds; END",
        "CREATE TABLE MPI_OTHER_EVENTS(start PRIMARY KEY, end, globalTid) WITHOUT ROWID"))
    check("views, triggers and generated columns are not run", kernels_of(path) == reference)
    try:
        make(path_of("virtual.sqlite"), tables, extra=("CREATE VIRTUAL TABLE GPU_METRICS USING fts5(timestamp, typeId, metricId, value)",))
        check("virtual tables are not read", kernels_of(path_of("virtual.sqlite")) == reference)
    except sqlite3.OperationalError:
        print("skip virtual tables: this sqlite3 has none")


def test_no_write(tables, reference):
    folder = path_of("ro")
    os.mkdir(folder)
    path = make(os.path.join(folder, "a.sqlite"), tables)
    db = sqlite3.connect(path)
    db.execute("PRAGMA journal_mode=WAL")
    db.close()
    before = {f: os.stat(os.path.join(folder, f)).st_mtime_ns for f in os.listdir(folder)}
    os.chmod(folder, stat.S_IRUSR | stat.S_IXUSR)
    same = kernels_of(path) == reference and kernels_of(folder) == reference
    after = {f: os.stat(os.path.join(folder, f)).st_mtime_ns for f in os.listdir(folder)}
    os.chmod(folder, stat.S_IRWXU)
    check("a read-only folder, a database in WAL mode: read, and nothing made", same and before == after, (before, after))
    open(path + "-wal", "wb").write(b"x" * 100)
    check("changes in a -wal file are said", [p["kind"] for p in rows(path, "problems")] == ["unread_wal"], rows(path, "problems"))


def test_secrets(path):
    out = b""
    for args in (("summary", path, "--table", "all"), ("summary", path, "--table", "all", "--format", "json", "--all-events"), ("check", path), ("export", path, "-o", "-")):
        done = run(*args)
        out += done.stdout + done.stderr
    check("the user's environment is printed nowhere", len(out) > 10000 and SECRET.encode() not in out)


def test_text():
    tables = export(1, 20)
    bad = "\x1b]0;x\x07\x1b[31mred\x9b\u202e kernel"
    tables["StringIds"] = (tables["StringIds"][0], [(i, bad + v if i > 4 else v) for i, v in tables["StringIds"][1]])
    path = make(path_of("text.sqlite"), tables)
    db = sqlite3.connect(path)
    db.execute("UPDATE StringIds SET value = CAST(x'ff1b5b' AS TEXT) || value WHERE id = 1")
    db.commit()
    db.close()
    out = run("summary", path, "--table", "kernels,runtime_api").stdout + run("summary", path, "--screen", "kernels", "--size", "100x30", "--format", "text").stdout + run("check", path).stderr
    check("texts of a database are cleaned", len(out) > 500 and not set(b"\x1b\x07\xff") & set(out), out[:300])


# ---- damage

def survives(path, most):
    done = run("summary", path, "--format", "json", "--table", "kernels,problems", "--group-by", "name")
    if done.returncode not in (0, 3, 4):
        return "status %d: %s" % (done.returncode, done.stderr[:300])
    if done.returncode == 0 and sum(r["calls"] for r in json.loads(done.stdout)["tables"][0]["rows"]) > most:
        return "more kernels than there were"
    return "" if done.returncode == 0 or b"; " in done.stderr else "no remedy: %r" % done.stderr


def test_damage(tables):
    path, most = make(path_of("whole.sqlite"), tables, 1024), len(tables["CUPTI_ACTIVITY_KIND_KERNEL"][1])
    data, rnd, broken, tried, lost = open(path, "rb").read(), random.Random(7), [], 0, 0
    target = path_of("damaged.sqlite")
    pages = len(data) // 1024
    for page in range(0, pages, max(1, EVERY * pages // 40)):
        for how in range(4):
            b = bytearray(data)
            at = page * 1024 + (100 if page == 0 else 0)
            end = (page + 1) * 1024
            if how == 0:
                b[at:end] = bytes(end - at)
            elif how == 1:
                b[at:end] = b"\xff" * (end - at)
            elif how == 2:
                for _ in range(8):
                    b[rnd.randrange(at, end)] = rnd.randrange(256)
            else:
                del b[end - 200:]
            open(target, "wb").write(b)
            why = survives(target, most if how != 2 else 10 * most)
            tried += 1
            if why:
                broken.append((page, how, why))
            elif how == 1:
                lost += [p.get("kind") for p in rows(target, "problems")].count("bad_table")
    check("%d damaged pages: opens as far as it goes" % tried, not broken, broken)
    check("damage is said", lost > 5, lost)


def test_one_page(tables):
    """Damage a page in the middle of the kernels: kernels on other pages are all read, and the message counts them."""
    path = make(path_of("whole.sqlite"), tables, 1024)
    data = bytearray(open(path, "rb").read())
    db = sqlite3.connect(path)
    try:
        leaves = [r[0] for r in db.execute("SELECT pageno FROM dbstat WHERE name = 'CUPTI_ACTIVITY_KIND_KERNEL' AND pagetype = 'leaf'")]
    except sqlite3.OperationalError:
        print("skip one page: this sqlite3 has no dbstat")
        return
    finally:
        db.close()
    page = leaves[len(leaves) // 2] - 1
    data[page * 1024:page * 1024 + 1024] = b"\xff" * 1024
    open(path, "wb").write(data)
    got, most = sum(r["calls"] for r in rows(path, "kernels")), len(tables["CUPTI_ACTIVITY_KIND_KERNEL"][1])
    said = [p["example"] for p in rows(path, "problems") if p["kind"] == "bad_table"]
    check("a page of the kernels: the rows before it are kept, and counted", 0 < got < most and said and "after %d rows" % got in said[0], (got, most, said))


def test_refused():
    cases = (("other.db", {"a": ("x", [(1,)]), "b\x1b[31m": ("x", [])}, "has the tables a, b"),
             ("none.db", {}, "without tables"), ("analysis.db", {"a": ("x", [])}, "export_type=Text"))
    for name, tables, words in cases:
        path = make(path_of(name), tables, extra=() if tables else ("PRAGMA user_version=3",))
        done = run("check", path)
        check("refused: " + name, done.returncode == 3 and words in done.stderr.decode() and b"\x1b" not in done.stderr, done.stderr)
    t = {"StringIds": ("id INTEGER PRIMARY KEY, value", [(1, "k")]), "META_DATA_EXPORT": ("name, value", []),
         "CUPTI_ACTIVITY_KIND_KERNEL": (KERNELS, [(1, 5, 0, 1, 7, 1, pid(1), 1) + (None,) * 11])}
    path = make(path_of("ids.sqlite"), t)
    db = sqlite3.connect(path)
    db.execute("INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL(rowid, start, end, demangledName) VALUES(?, 10, 20, 1)", (-2**63,))
    db.execute("INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL(rowid, start, end, demangledName) VALUES(?, 30, 40, 1)", (2**63 - 1,))
    db.commit()
    db.close()
    got = kernels_of(path)
    check("ids of rows at both ends: what is left out is said", got and rows(path, "problems"), got)


# ---- rocpd and rpd

def rocpd(suffixes):
    tables = {}
    for n, q in enumerate(suffixes):
        kernels = [(1, 1, 1000 + i * 100, 1000 + i * 100 + 10 + n, 2, 1, 3, 1000, 256, 100 + i) for i in range(20)]
        regions = [(1, 1, 950 + i * 100, 990 + i * 100, 1, 200 + i) for i in range(20)]
        events = [(100 + i, 2, i + 1) for i in range(20)] + [(200 + i, 2, i + 1) for i in range(20)] + [(300, 3, 0)]
        tables.update({"rocpd_string" + q: ("id INTEGER PRIMARY KEY, guid, string", [(1, q, "hipLaunchKernel"), (2, q, "HIP_RUNTIME_API"), (3, q, "MARKER_CORE_API"), (4, q, "mark %d" % n)]),
                       "rocpd_info_process" + q: ("id INTEGER PRIMARY KEY, pid, environment", [(1, 50 + n, SECRET)]),
                       "rocpd_info_thread" + q: ("id INTEGER PRIMARY KEY, tid", [(1, 50 + n)]),
                       "rocpd_info_agent" + q: ("id INTEGER PRIMARY KEY, type, type_index, product_name", [(1, "CPU", 0, "cpu"), (2, "GPU", n, "MI300X")]),
                       "rocpd_info_kernel_symbol" + q: ("id INTEGER PRIMARY KEY, display_name", [(1, "kern_%d.kd" % n)]),
                       "rocpd_event" + q: ("id INTEGER PRIMARY KEY, category_id, stack_id", events),
                       "rocpd_region" + q: ("pid, tid, start, end, name_id, event_id", regions + [(1, 1, 0, 9000, 4, 300)]),
                       "rocpd_kernel_dispatch" + q: ("pid, tid, start, end, agent_id, kernel_id, stream_id, grid_size_x, workgroup_size_x, event_id", kernels),
                       "rocpd_memory_allocate" + q: ("pid, tid, type, agent_id, start, end, address, size", [(1, 1, "ALLOC", 2, 10, 11, 4096, 640), (1, 1, "FREE", 2, 900, 901, 4096, 0)])})
    return tables


def test_rocm():
    path = make(path_of("two_results.db"), rocpd(["_aa", "_bb"]))
    got = kernels_of(path)
    check("rocpd: two processes in one file", got == {"kern_0": (20, 200), "kern_1": (20, 220)}, got)
    launch = rows(path, "kernels", "--group-by", "launch")
    check("rocpd: blocks of work items", {r["grid"] for r in launch} == {"[4, 1, 1]"} or all(json.dumps(r["grid"]).find("[4,") >= 0 for r in launch), launch[:2])
    check("rocpd: every launch is found", not [p for p in rows(path, "problems") if p["kind"] == "unlinked_device_work"], rows(path, "problems"))
    ranges = {r["name"]: (r["calls"], r["device_total_ns"]) for r in rows(path, "user_ranges")}
    check("rocpd: ranges with the work that they launched", ranges == {"mark 0": (1, 200), "mark 1": (1, 220)}, ranges)
    test_secrets_of(path)
    shift = 1 << 32
    api = [(s * shift + i, 7, 8, s * 10000 + i * 100, s * 10000 + i * 100 + 50, 1, 3) for s in (0, 1) for i in range(1, 11)]
    op = [(s * shift + i, 2, 0, s * 10000 + i * 100 + 60, s * 10000 + i * 100 + 70 + s, 4, 2) for s in (0, 1) for i in range(1, 11)]
    op += [(50, 2, 0, 30000, 30005, 3, 5), (51, 2, 0, 30010, 30012, 3, 6)]
    marks = [(60, 7, 8, 90, 5000, 7, 8), (61, 7, 8, 95, 4000, 7, 9), (62, 7, 8, 40000, 40001, 10, 3)]
    path = make(path_of("two.rpd"), {
        "rocpd_string": ("id INTEGER PRIMARY KEY, string", [(1, "hipLaunchKernel"), (2, "KernelExecution"), (3, ""), (4, "kern"), (5, "CopyHostToDevice"), (6, "Task"),
                                                            (7, "UserMarker"), (8, "my range"), (9, "aten::mm"), (10, "OpTable::writeRows")]),
        "rocpd_api": ("id INTEGER PRIMARY KEY, pid, tid, start, end, apiName_id, args_id", api + marks),
        "rocpd_op": ("id INTEGER PRIMARY KEY, gpuId, queueId, start, end, description_id, opType_id", op),
        "rocpd_api_ops": ("id INTEGER PRIMARY KEY, api_id, op_id", [(i + 1, a[0], a[0]) for i, a in enumerate(api)]),
        "ext_autogradapi": ("api_ptr_id, autogradName_id", [(61, 9)])})
    check("rpd: two sessions in one file", kernels_of(path) == {"kern": (20, 210)}, kernels_of(path))
    check("rpd: calls without the recorder's own", {r["name"]: r["calls"] for r in rows(path, "runtime_api")} == {"hipLaunchKernel": 20}, rows(path, "runtime_api"))
    check("rpd: markers are ranges", [r["name"] for r in rows(path, "user_ranges")] == ["my range"], rows(path, "user_ranges"))
    check("rpd: markers of autograd are operators", [(r["name"], r["calls"]) for r in rows(path, "operators")] == [("aten::mm", 1)], rows(path, "operators"))
    got = {r["operator"]: r["calls"] for r in rows(path, "kernels", "--group-by", "operator")}
    check("rpd: operators around launches", got == {"aten::mm": 10, None: 10}, got)
    copies = rows(path, "memcpy")
    check("rpd: bytes of a copy without a call are not known", len(copies) == 1 and copies[0]["bytes"] is None, copies)


def test_rocm_merged():
    """Merged databases: ids of launches repeat in parts that do not list their process; sessions of rpd begin at
    multiples of 2^32."""
    tables = rocpd(["_aa", "_bb"])
    for q in "_aa", "_bb":
        del tables["rocpd_info_process" + q]
    path = make(path_of("unlisted_results.db"), tables)
    ranges = {r["name"]: (r["calls"], r["device_total_ns"]) for r in rows(path, "user_ranges")}
    check("rocpd: two processes that are not listed", ranges == {"mark 0": (1, 200), "mark 1": (1, 220)}, ranges)
    ids = [(s << 32) + i for s in range(100) for i in (1, 2, 3)]
    path = make(path_of("sessions.rpd"), {
        "rocpd_string": ("id INTEGER PRIMARY KEY, string", [(1, "hipLaunchKernel"), (2, "KernelExecution"), (3, ""), (4, "kern")]),
        "rocpd_api": ("id INTEGER PRIMARY KEY, pid, tid, start, end, apiName_id, args_id", [(i, 7, i >> 32, i % 8 * 100, i % 8 * 100 + 50, 1, 3) for i in ids]),
        "rocpd_op": ("id INTEGER PRIMARY KEY, gpuId, queueId, start, end, description_id, opType_id", [(i, i >> 32, 0, i % 8 * 100 + 60, i % 8 * 100 + 70, 4, 2) for i in ids]),
        "rocpd_api_ops": ("id INTEGER PRIMARY KEY, api_id, op_id", [(k, i, i) for k, i in enumerate(ids)])})
    check("rpd: a hundred sessions in one file", (kernels_of(path), rows(path, "problems")) == ({"kern": (300, 3000)}, []), (kernels_of(path), rows(path, "problems")))


def test_rpd_without_keys():
    """Tables copied with CREATE TABLE AS: ids are ordinary columns, and rows have new numbers."""
    path = make(path_of("copied.rpd"), {
        "rocpd_string": ("id, string", [(1, "hipLaunchKernel"), (2, "KernelExecution"), (3, ""), (4, "kern"), (5, "UserMarker"), (6, "aten::mm")]),
        "rocpd_api": ("id, pid, tid, start, end, apiName_id, args_id", [(90, 7, 7, 0, 900, 5, 3)] + [(91 + i, 7, 7, 10 + i * 100, 50 + i * 100, 1, 3) for i in range(5)]),
        "rocpd_op": ("id, gpuId, queueId, start, end, description_id, opType_id", [(50 + i, 2, 0, 1000 + i * 100, 1010 + i * 100, 4, 2) for i in range(5)]),
        "rocpd_api_ops": ("api_id, op_id", [(91 + i, 50 + i) for i in range(5)]),
        "ext_autogradapi": ("api_ptr_id, autogradName_id", [(90, 6)])})
    got = {r["operator"]: r["calls"] for r in rows(path, "kernels", "--group-by", "operator")}
    check("rpd: tables without keys", got == {"aten::mm": 5}, got)


def test_claims():
    """False claims of a file about devices and sizes cost no time and give no impossible sum."""
    tables = export(1, 10)
    tables["TARGET_INFO_GPU"] = ("id, name, cuDevice", [(i, "GPU", i) for i in range(200000)])
    tables["TARGET_INFO_CUDA_DEVICE"] = ("gpuId, cudaId, pid", [(0, 0, i) for i in range(200000)])
    copies = [(1, 10, 0, 7, 100, pid(100), n, 1, 0, 2) for n in ((1 << 63) - 1, (1 << 63) - 1, -5)]
    tables["CUPTI_ACTIVITY_KIND_MEMCPY"] = ("start, end, deviceId, streamId, correlationId, globalPid, bytes, copyKind, srcKind, dstKind", copies)
    path = make(path_of("claims.sqlite"), tables)
    check("nsys: two hundred thousand GPUs", kernels_of(path) == by_name(tables), kernels_of(path))
    got = [(r["calls"], r["bytes"]) for r in rows(path, "memcpy")]
    check("nsys: sizes of copies that cannot be", got == [(3, None)], got)


def test_long_ranges():
    tables = export(1, 1)
    long = "n" * 300
    tables["NVTX_EVENTS"] = (RANGES, [(0, None, 75, pid(100, 100), "DOMAIN", None, 3), (10, 20, 59, pid(100, 100), long + "a", None, 3), (30, 40, 59, pid(100, 100), long + "b", None, 3),
                                      (50, 60, 59, pid(100, 100), None, 3, 3), (70, 90, 59, pid(100, 100), long + "a", None, 0)])
    path = make(path_of("long.sqlite"), tables)
    want = {"DOMAIN:" + long + "a": 10, "DOMAIN:" + long + "b": 10, "DOMAIN:range of strings": 10, long + "a": 20}
    got = {r["name"]: r["host_total_ns"] for r in rows(path, "user_ranges")}
    check("nsys: ranges of a domain keep their names whole", got == want, got)
    done = run("export", path, "-o", "-")
    names = {e.get("name") for e in json.loads(done.stdout)["traceEvents"]} if not done.returncode else done.stderr
    check("nsys: and so they do as JSON", set(want) <= set(names), names)


def test_secrets_of(path):
    out = run("summary", path, "--table", "all", "--format", "json").stdout + run("export", path, "-o", "-").stdout
    check("rocpd: the environment is printed nowhere", len(out) > 1000 and SECRET.encode() not in out)


# ---- the program nsys

def test_report(database):
    tool, report = path_of("bin"), path_of("-r 1.nsys-rep")
    os.mkdir(tool)
    tmp = path_of("tmp")
    os.mkdir(tmp)
    open(report, "wb").write(b"NVIDIA Tegra Profiler Report 1....")
    script = os.path.join(tool, "nsys")
    with open(script, "w") as f:
        f.write('#!/bin/sh\ncase $MODE in\nfail) echo first; echo "bad report" >&2; exit 3;;\nhang) exec sleep 600;;\nesac\n'
                '[ "$1 $2 $3 $4 $#" = "export --type sqlite --output 6" ] || exit 9\ncp "$DATABASE" "$5"\n')
    os.chmod(script, 0o755)
    env = {"PATH": tool + ":" + os.environ["PATH"], "TMPDIR": tmp, "DATABASE": database}
    done = run("check", report, env={"PATH": "/usr/bin:/bin"})
    check("a report without nsys: the command", done.returncode == 3 and b"nsys export --type sqlite --output" in done.stderr and b"not on the PATH" in done.stderr, done.stderr)
    done = run("check", report, env=env)
    check("a report with nsys: the option", done.returncode == 3 and b"--nsys-export" in done.stderr, done.stderr)
    done = run("summary", "--nsys-export", report, "--table", "kernels", "--format", "json", env=env)
    check("--nsys-export opens what nsys wrote", done.returncode == 0 and len(json.loads(done.stdout)["tables"][0]["rows"]) > 3 and not os.listdir(tmp), (done.stderr, os.listdir(tmp)))
    folder = path_of("of_reports")
    os.mkdir(folder)
    os.link(report, os.path.join(folder, "report1.nsys-rep"))
    done = run("check", folder, env=env)
    check("a folder of reports: the command", done.returncode == 3 and b"report1.sqlite" in done.stderr, done.stderr)
    os.link(database, os.path.join(folder, "report1.sqlite"))
    check("a folder with the export of a report beside it", len(kernels_of(folder)) > 3, kernels_of(folder))
    done = run("check", "--nsys-export", report, env=dict(env, MODE="fail"))
    check("--nsys-export: a failure with the last words", done.returncode == 3 and b"'bad report'" in done.stderr and not os.listdir(tmp), done.stderr)
    p = subprocess.Popen([BIN, "check", "--nsys-export", report], env=dict(os.environ, **dict(env, MODE="hang")), stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    # wait until nsys runs sleep: before that the process may still be a copy of the program
    children = until(lambda: [c for c in subprocess.run(["ps", "-o", "pid=,comm=", "--ppid", str(p.pid)], capture_output=True, text=True).stdout.split("\n")
                              if c.endswith(" sleep")])
    p.send_signal(signal.SIGTERM)
    p.wait()
    left = "/proc/%s/cmdline" % children[0].split()[0]
    check("--nsys-export: nsys ends with the program", until(lambda: not os.path.exists(left) or not open(left).read()), children)


def main():
    if b"built without libsqlite3" in run("check", make(path_of("empty.db"), {"a": ("x", [])})).stderr:
        print("skip databases: built without libsqlite3")
        return 0
    tables = export()
    reference, whole = by_name(tables), make(path_of("whole.sqlite"), tables)
    test_links()
    test_ranks()
    test_same("nsys", tables, reference, whole)
    test_schemas(tables, reference)
    test_nothing_runs(tables, reference)
    test_no_write(tables, reference)
    test_secrets(make(path_of("secret.sqlite"), tables))
    test_text()
    test_rocm()
    test_rocm_merged()
    test_rpd_without_keys()
    test_claims()
    test_long_ranges()
    test_refused()
    test_report(make(path_of("of_report.sqlite"), tables))
    test_one_page(tables)
    test_damage(tables)
    subprocess.run(["rm", "-rf", TOP], check=False)
    return 1 if failed else 0


sys.exit(main())
