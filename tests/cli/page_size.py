#!/usr/bin/env python3
"""Tables are the same with memory pages of 64 KiB (tests/pages64k.c): a trace's columns consist of moved pages, and a
wrong rounding would overwrite neighbouring memory. Runs on the samples, and on one large enough to move pages.

Environment BIN, CC, PAGE_EVENTS (200,000 by default).
"""
import json
import os
import random
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
BIN = os.environ.get("BIN", "./tracetty")
ASSETS = os.path.join(HERE, "..", "..", "assets")
EVENTS = int(os.environ.get("PAGE_EVENTS", "200000"))


def large(folder):
    """Nested operators with launches and kernels on some threads and streams, in random order."""
    path = os.path.join(folder, "large.json")
    r = random.Random(7)
    events = []
    for i in range(EVENTS // 4):
        tid, at = i % 5, i * 40
        events.append({"ph": "X", "cat": "cpu_op", "name": "aten::op%d" % r.randrange(50), "pid": 1, "tid": tid, "ts": at, "dur": 30, "args": {"External id": i}})
        events.append({"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": tid, "ts": at + 2, "dur": 3, "args": {"correlation": i}})
        events.append({"ph": "X", "cat": "kernel", "name": "k%d" % r.randrange(90), "pid": 0, "tid": 7 + i % 3, "ts": at + 20, "dur": r.randrange(1, 60),
                       "args": {"device": 0, "stream": 7 + i % 3, "correlation": i}})
        events.append({"ph": "i", "name": "[memory]", "pid": 1, "tid": tid, "ts": at + 5,
                       "args": {"Device Type": 1, "Device Id": 0, "Addr": i, "Bytes": 512, "Total Allocated": 512 * i, "Total Reserved": 1 << 30}})
    r.shuffle(events)
    with open(path, "w") as f:
        json.dump({"traceEvents": events}, f)
    return path


def main():
    program = open(BIN, "rb").read()
    if b"__asan_init" in program or b"__tsan_init" in program:
        print("skip pages of 64 KiB: the sanitizer maps memory by itself")
        return
    if os.sysconf("SC_PAGESIZE") >= 65536:
        print("skip pages of 64 KiB: this machine has them")
        return
    with tempfile.TemporaryDirectory() as folder:
        library, count = os.path.join(folder, "pages.so"), os.path.join(folder, "count")
        if subprocess.run([os.environ.get("CC", "cc"), "-std=gnu11", "-D_GNU_SOURCE", "-O1", "-shared", "-fPIC", "-o", library,
                           os.path.join(HERE, "..", "pages64k.c"), "-ldl"]).returncode:
            print("FAIL the library of large pages does not compile")
            return
        total = 0
        for path in [os.path.join(ASSETS, n) for n in ("sample_gpu", "sample_nsys", "sample_tensorboard", "sample_ascend")] + [large(folder)]:
            if not os.path.exists(path):
                continue
            for threads in "1", "2", "5":
                words = [BIN, "summary", "--threads", threads, "--table", "all", "--format", "json", path]
                want = subprocess.run(words, capture_output=True)
                got = subprocess.run(words, capture_output=True, env=dict(os.environ, LD_PRELOAD=library, PAGES64K_COUNT=count))
                moved, refused, page = map(int, open(count).read().split())
                total += moved
                why = ("status %d: %s" % (got.returncode, got.stderr[-200:]) if got.returncode != want.returncode else "the tables differ" if got.stdout != want.stdout
                       else "%d addresses inside of a page" % refused if refused else "pages of %d bytes" % page if page != 65536 else None)
                print("%s %s with %s threads%s" % ("FAIL" if why else "ok", os.path.basename(path), threads, ": " + why if why else ""))
        print("ok %d mappings were moved" % total if total > 20 else "FAIL only %d mappings were moved: nothing is shown" % total)


sys.exit(main())
