#!/usr/bin/env python3
"""Short, interrupted and failing reads (tests/doubles/reads.c): every reader gives the same tables, or reports an
error of input and output. Inputs: samples, a summary, a recording and small traces of the corpus; plain, gzip (with
every header field, and of several members), zstd, zip, tar, tar.gz, from a pipe.

Environment BIN, B, TRACETTY_CORPUS, READS_SEED (1 by default), READS_CORPUS (number of traces of each family, 1 by
default).
"""
import concurrent.futures
import gzip
import io
import json
import os
import random
import re
import shutil
import struct
import subprocess
import sys
import tarfile
import tempfile
import zipfile
import zlib

HERE = os.path.dirname(os.path.abspath(__file__))
BIN = os.environ.get("BIN", "./tracetty")
BUILD = os.path.abspath(os.environ.get("B", "build"))
DOUBLE = os.path.join(BUILD, "tests/doubles/libreads.so")
ASSETS = os.path.join(HERE, "..", "..", "assets")
CORPUS = os.environ.get("TRACETTY_CORPUS", "")
OF_FAMILY = int(os.environ.get("READS_CORPUS", "1"))
RANDOM = random.Random(int(os.environ.get("READS_SEED", "1")))
ERROR = (os.strerror(5), "disk I/O error")  # the second is SQLite's wording
VICTIM = "/victim/"


def run(path, reads=None, piped=False, log=None):
    """(status, tables, problems and messages)"""
    env = dict(os.environ, LC_ALL="C.UTF-8")
    if reads:
        env.update(LD_PRELOAD=DOUBLE, READS=reads, READS_OF="pipe:" if piped else VICTIM)
        if log:
            env["READS_LOG"] = log
    command = [BIN, "summary", "--table", "all", "--limit", "0", "--format", "json", "--threads", "2", "-" if piped else path]
    feed = subprocess.Popen(["cat", path], stdout=subprocess.PIPE) if piped else None
    p = subprocess.run(command, stdin=feed.stdout if feed else subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=env)
    if feed:
        feed.stdout.close()
        feed.kill()
        feed.wait()
    return p.returncode, p.stdout, p.stderr.decode("utf-8", "replace")


def told(path, reads):
    """The problems that `check` reports."""
    env = dict(os.environ, LC_ALL="C.UTF-8", LD_PRELOAD=DOUBLE, READS=reads, READS_OF=VICTIM)
    return subprocess.run([BIN, "check", path], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=env).stdout.decode("utf-8", "replace")


def gzip_header(data, flags):
    """A gzip member with the header fields of these flags: 4 extra field, 8 name, 16 comment, 2 checksum of the
    header."""
    head = struct.pack("<BBBBIBB", 31, 139, 8, flags, 0, 0, 255)
    head += struct.pack("<H", 300) + bytes(range(256)) + bytes(44) if flags & 4 else b""
    head += b"trace of a run.json\0" if flags & 8 else b""
    head += b"a comment\0" if flags & 16 else b""
    head += struct.pack("<H", zlib.crc32(head) & 0xFFFF) if flags & 2 else b""
    raw = zlib.compressobj(6, zlib.DEFLATED, -15)
    return head + raw.compress(data) + raw.flush() + struct.pack("<II", zlib.crc32(data), len(data) & 0xFFFFFFFF)


def zipped(name, data, method):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as z:
        z.writestr(name, data)
    return out.getvalue()


def tarred(name, data, mode):
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode=mode) as t:
        info = tarfile.TarInfo(name)
        info.size = len(data)
        t.addfile(info, io.BytesIO(data))
    return out.getvalue()


def forms(path, data):
    """Name and bytes of the trace in each packing."""
    name = os.path.basename(path)
    if data[:2] == b"\x1f\x8b":
        data, name = gzip.decompress(data), name[:-3] if name.endswith(".gz") else name
    half = len(data) // 2
    yield name, data
    yield name + ".gz", gzip_header(data, 8)
    yield "all." + name + ".gz", gzip_header(data, 4 | 8 | 16 | 2)
    yield "two." + name + ".gz", gzip_header(data[:half], 8) + gzip_header(data[half:], 4 | 16)
    if shutil.which("zstd"):
        yield name + ".zst", subprocess.run(["zstd", "-q", "-c"], input=data, stdout=subprocess.PIPE, check=True).stdout
    yield name + ".zip", zipped(name, data, zipfile.ZIP_DEFLATED)
    yield "stored." + name + ".zip", zipped(name, data, zipfile.ZIP_STORED)
    yield name + ".tar", tarred(name, data, "w")
    yield name + ".tar.gz", tarred(name, data, "w:gz")


def size_of(path):
    if os.path.isfile(path):
        return os.path.getsize(path)
    return sum(os.path.getsize(os.path.join(r, f)) for r, _, fs in os.walk(path) for f in fs)


def largest(path):
    if os.path.isfile(path):
        return os.path.getsize(path)
    return max(os.path.getsize(os.path.join(r, f)) for r, _, fs in os.walk(path) for f in fs)


def summary(folder):
    """A .tts of the sample of several ranks."""
    path = os.path.join(folder, "sample.tts")
    subprocess.run([BIN, "summarize", os.path.join(ASSETS, "sample_gpu"), "-o", path], stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
    return path


def recording(folder):
    """A spool file of a program that uses the double of CUPTI."""
    with open(os.path.join(folder, "script"), "w") as f:
        f.write("device\ncontext\nlaunch 40\nflush\n")
    env = dict(os.environ, TRACETTY_CUPTI=os.path.join(BUILD, "tests/doubles/libfakecupti.so"), FAKE_CUPTI=f.name, TRACETTY_CAPTURE_LIB=os.path.join(BUILD, "libtracetty_capture.so"))
    to = os.path.join(folder, "recorded")
    program = os.path.join(BUILD, "tests/doubles/target")
    subprocess.run([BIN, "record", "-o", to, "--at-end", "nothing", "--format", "spool", program, "cuda"], env=env, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return [os.path.join(to, n) for n in os.listdir(to) if n.endswith(".ttspool")] if os.path.isdir(to) else []


def corpus():
    traces = os.path.join(CORPUS, "traces")
    for family in sorted(os.listdir(traces)) if CORPUS else ():
        there = [os.path.join(traces, family, n) for n in sorted(os.listdir(os.path.join(traces, family)))]
        small = [p for p in there if 0 < size_of(p) < (100000 if p.endswith("gz") else 500000)]
        for p in RANDOM.sample(small, min(OF_FAMILY, len(small))):
            yield p


def same(a, b):
    times = lambda text: re.sub(rb'"(?:duration|load)[a-z_]*": *[0-9.]+|"path(?:s)?": *\[?"[^"]*"', b"", text)
    return a[0] == b[0] and times(a[1]) == times(b[1])


def errors(path, plain, piped, places):
    """Faults if a file cannot be read from some byte on."""
    wrong = []
    for at in places:
        got = run(path, "eio:%d" % at, piped)
        if got[0] not in (0, 1, 3):
            wrong.append("from byte %d: status %d: %s" % (at, got[0], got[2][-200:]))
        elif re.search(r"cannot (be )?read[^:\n]*:\s*$", got[2], re.M):
            wrong.append("from byte %d: no reason: %s" % (at, got[2][-200:]))
        elif not same(got, plain) and not any(e in got[2] or e.encode() in got[1] for e in ERROR) and (piped or not any(e in told(path, "eio:%d" % at) for e in ERROR)):
            wrong.append("from byte %d: other tables (status %d), and not a word of it: %s" % (at, got[0], got[2][-200:]))
    return wrong


def one(job):
    """Result lines of the test of one input."""
    name, path, piped, seed = job
    plain = run(path, piped=piped)
    if plain[0] not in (0, 1):
        return []
    lines, most, r = [], largest(path), random.Random(seed)
    ways = ["random", "eintr random"] + (["short:1 eintr"] if size_of(path) < 40000 else ["short:13"])
    wrong = []
    for way in ways:
        got = run(path, way, piped)
        if not same(got, plain):
            wrong.append("%s: status %d, %d bytes; else status %d, %d bytes: %s" % (way, got[0], len(got[1]), plain[0], len(plain[1]), got[2][-200:]))
    lines.append((not wrong, "%s: short and interrupted reads give the same tables" % name, wrong))
    places = [0, most - 1] + [r.randrange(most) for _ in range(3)]
    wrong = errors(path, plain, piped, places)
    lines.append((not wrong, "%s: an error of input and output is said" % name, wrong))
    return lines


def main():
    program = open(BIN, "rb").read()
    if b"__asan_init" in program or b"__tsan_init" in program:
        print("skip reads: a sanitizer reads in the place of the double")
        return 0
    if not os.path.isfile(DOUBLE):
        print("FAIL %s is not there" % DOUBLE)
        return 1
    with tempfile.TemporaryDirectory() as folder:
        victim = os.path.join(folder, "victim")
        jobs, log = [], os.path.join(folder, "log")
        sources = [os.path.join(ASSETS, n) for n in sorted(os.listdir(ASSETS)) if n.startswith("sample_")]
        made = [summary(folder)] + recording(folder)
        if len(made) < 2:
            print("FAIL nothing was recorded")
        sources += made + list(corpus())
        for i, source in enumerate(sources):
            where = os.path.join(victim, str(i))
            os.makedirs(where)
            whole = os.path.join(where, os.path.basename(source))
            (shutil.copytree if os.path.isdir(source) else shutil.copy)(source, whole)
            jobs.append((os.path.basename(source), whole, False, i))
            files = [whole] if os.path.isfile(whole) else [os.path.join(r, f) for r, _, fs in os.walk(whole) for f in fs]
            if os.path.isdir(whole) and len(files) != 1:
                continue
            packed = list(forms(files[0], open(files[0], "rb").read()))
            for name, data in packed if i == 0 else RANDOM.sample(packed, 2):  # the first in every packing
                os.makedirs(os.path.join(where, "forms", name))
                path = os.path.join(where, "forms", name, name)
                with open(path, "wb") as f:
                    f.write(data)
                jobs.append((name, path, False, i))
                if not name.endswith((".zip", ".tar", ".tar.gz")):
                    jobs.append((name + " from a pipe", path, True, i))
        run(jobs[0][1], "short:1", log=log)
        if not os.path.isfile(log):
            print("skip reads: the program takes no preloaded library")
            return 0
        failed = False
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            for lines in pool.map(one, jobs):
                for ok, what, wrong in lines:
                    failed = failed or not ok
                    print("%s %s%s" % ("ok" if ok else "FAIL", what, "".join("\n    " + w.replace("\n", " ") for w in wrong[:4])), flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
