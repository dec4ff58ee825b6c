#!/usr/bin/env python3
"""Fault injection: each allocation, mapping, read, write and open of a run fails in turn (an even sample if there are
many). The program exits with a message and a status of its own, or goes on with the same answer; it never crashes or
hangs.

Environment BIN, CC, FAULTS (number of places for each kind and command, 60 by default; 0 = all).
"""
import concurrent.futures
import fcntl
import gzip
import json
import os
import pty
import select
import struct
import subprocess
import sys
import tempfile
import termios

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tools"))
from until import LOOKS, at_most, exceeded  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))
BIN = os.environ.get("BIN", "./tracetty")
MOST = int(os.environ.get("FAULTS", "60"))
KINDS = {"m": "allocations", "p": "mappings", "r": "reads", "w": "writes", "o": "opens"}


def run(command, library, kind, at, folder):
    env = dict(os.environ, LD_PRELOAD=library, FAULT_KINDS=kind, FAULT_AT=str(at), FAULT_COUNT=os.path.join(folder, "count"), LC_ALL="C.UTF-8")
    env.pop("TRACETTY_IDLE", None)
    p = subprocess.run(command, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, preexec_fn=at_most(120))
    return p.returncode, p.stdout, p.stderr


def one(name, command, library, kind, folder):
    """(fault, number of places tried)"""
    want = run(command, library, kind, 10**9, folder)
    with open(os.path.join(folder, "count")) as f:
        n = int(f.read())
    if want[0] not in (0, 1):
        return ["without a fault: status %r: %r" % (want[0], want[2][-200:])], 0
    step = max(1, n / MOST) if MOST else 1
    places = sorted({int(i * step) for i in range(int(n / step))})
    wrong = []
    for at in places:
        status, out, err = run(command, library, kind, at, folder)
        where = "%s: %s %d of %d: " % (name, KINDS[kind], at, n)
        if exceeded(status):
            wrong.append(where + "no end after 120 s of work")
        elif status < 0:
            wrong.append(where + "killed by signal %d: %r" % (-status, err[-200:]))
        elif status not in (want[0], 3, 4, 1, 127):  # 127: the loader had no memory
            wrong.append(where + "status %d: %r" % (status, err[-200:]))
        elif status in (3, 4) and not err.strip() and kind != "w":
            wrong.append(where + "status %d without a message" % status)
        elif status == want[0] and out != want[1] and not err.strip() and kind not in "rw" and name != "screen":
            wrong.append(where + "another answer, and not a word")
    return wrong, len(places)


def explorer(library, trace, kind, at, folder):
    """Run the explorer in a terminal: (status, output)."""
    pid, fd = pty.fork()
    if pid == 0:
        fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 30, 100, 0, 0))
        os.environ.update(LD_PRELOAD=library, FAULT_KINDS=kind, FAULT_AT=str(at), FAULT_COUNT=os.path.join(folder, "count"), TERM="xterm-256color")
        os.execv(BIN, [BIN, trace])
    sent, keys = b"", [b"4", b"2", b"q", b"\x03", b"q"]
    for _ in range(LOOKS):
        if select.select([fd], [], [], 0.15)[0]:
            try:
                data = os.read(fd, 65536)
            except OSError:
                break
            if not data:
                break
            sent += data
        elif keys:
            try:
                os.write(fd, keys.pop(0))
            except OSError:
                keys = []  # it has ended, but its last output is still unread
    else:
        os.kill(pid, 9)
    os.close(fd)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), sent


def terminal(library, trace, folder):
    """Whatever fails, the terminal is restored; only curses may crash without memory."""
    failed = False
    for kind, what in (("m", "allocations"), ("c", "allocations of curses")):
        explorer(library, trace, kind, 10**9, folder)
        with open(os.path.join(folder, "count")) as f:
            n = int(f.read())
        wrong = []
        places = sorted({i * n // 16 for i in range(16)})
        for at in places:
            status, sent = explorer(library, trace, kind, at, folder)
            taken, back = sent.count(b"\x1b[?1049h"), sent.count(b"\x1b[?1049l")
            if (status < 0 and kind == "m") or taken > back:
                wrong.append("explorer: allocation %d of %d: status %d, screen taken %d times, given back %d times" % (at, n, status, taken, back))
        print("%s explorer in a terminal: %s, %d places%s" % ("FAIL" if wrong else "ok", what, len(places), "".join("\n    " + w for w in wrong)))
        failed = failed or bool(wrong)
    return failed


def main():
    program = open(BIN, "rb").read()
    if b"__asan_init" in program or b"__tsan_init" in program:
        print("skip fault injection: the sanitizer has allocators of its own")
        return 0
    with tempfile.TemporaryDirectory() as folder:
        library = os.path.join(folder, "fault.so")
        if subprocess.run([os.environ.get("CC", "cc"), "-std=gnu11", "-D_GNU_SOURCE", "-O1", "-shared", "-fPIC", "-o", library, os.path.join(HERE, "..", "fault.c"), "-ldl"]).returncode:
            print("FAIL the library that injects faults does not compile")
            return 1
        events = [{"ph": "X", "cat": "cpu_op", "name": "aten::op%d" % (i % 9), "pid": 1, "tid": i % 3, "ts": 100 * i, "dur": 50} for i in range(500)]
        text = json.dumps({"schemaVersion": 1, "traceEvents": events + [{"ph": "X"}], "traceName": "x"})
        bad = text.replace("aten::op3", 'aten "op3', 5)
        os.makedirs(os.path.join(folder, "run"))
        for name, data in (("t.json", text), ("bad.json", bad), ("run/a.pt.trace.json", text), ("run/b.pt.trace.json", bad)):
            open(os.path.join(folder, name), "w").write(data)
        gzip.open(os.path.join(folder, "t.json.gz"), "wb").write(text.encode())
        at = lambda name: os.path.join(folder, name)
        commands = {"summary": ["summary", at("t.json")], "json": ["summary", "--format", "json", "--table", "all", at("bad.json")],
                    "gzip": ["check", at("t.json.gz")], "folder": ["summary", at("run")], "screen": ["--dump", "100x30", "--keys", "2 Enter 4", at("t.json")],
                    "repair": ["repair", at("bad.json"), "-o", "-"]}
        jobs = []
        for name, args in commands.items():
            for kind in KINDS:
                sub = os.path.join(folder, "count-%s-%s" % (name, kind))
                os.makedirs(sub)
                jobs.append((name, [BIN, *args] + (["--threads", "2"] if name in ("summary", "folder") else []), library, kind, sub))
        failed = False
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            for job, (wrong, n) in zip(jobs, pool.map(lambda j: one(*j), jobs)):
                failed = failed or bool(wrong)
                print("%s %s: %s, %d places%s" % ("FAIL" if wrong else "ok", job[0], KINDS[job[3]], n, "".join("\n    " + w for w in wrong[:5])))
                sys.stdout.flush()
        failed = terminal(library, at("t.json"), folder) or failed
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
