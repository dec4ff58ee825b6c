"""Spools of several cycles. `cycles.py write FOLDER` writes them from the description in capture/format/spool.h
alone; `cycles.py check FOLDER TRACETTY` checks the files that 'tracetty record' made of them."""
import glob
import json
import os
import struct
import subprocess
import sys

META, STRING, RANGE, MARK, COUNTER, STEP, STATE, API, KERNEL, DROPS, END = 1, 2, 3, 5, 6, 8, 9, 11, 12, 21, 22
MASK = (1 << 64) - 1
STEP_NS, FAR = 1000000, 70000


def checksum(data):
    a, b = 0x9E3779B97F4A7C15 ^ len(data), 0xC2B2AE3D27D4EB4F
    for (w,) in struct.iter_unpack("<Q", data):
        a = (a ^ w) * 0xFF51AFD7ED558CCD & MASK
        a ^= a >> 29
    b ^= a
    return (b ^ b >> 32) & 0xFFFFFFFF


def record(kind, a, body):
    size = 8 + len(body)
    return struct.pack("<HHI", kind, size, a) + body


def text(kind, a, data):
    data = data.encode()
    return record(kind, a, struct.pack("<II", len(data), 0) + data + bytes(-len(data) % 8))


class Spool:
    def __init__(self):
        self.blocks, self.now, self.corr, self.names = [], [], 0, {}
        for key, value in (("pid", "77"), ("process", '"made"'), ("baseTimeNanoseconds", "1000000000"), ("windowed", "true")):
            self.add(text(META, 0, key + "\0" + value))

    def add(self, data):
        self.now.append(data)

    def block(self):
        data = b"".join(self.now)
        self.now = []
        if data:
            self.blocks.append(b"TTB1" + struct.pack("<III", len(data), checksum(data), len(self.blocks)) + data)

    def name(self, s):
        if s not in self.names:
            self.names[s] = len(self.names) + 1
            self.add(text(STRING, self.names[s], s))
        return self.names[s]

    def range(self, s, start, end):
        self.add(record(RANGE, self.name(s), struct.pack("<qqIHHIIQ", start, end, 5, 0, 0, 0, 0, 0)))

    def call(self, start, corr):
        self.add(record(API, self.name("cudaLaunchKernel"), struct.pack("<qqIIIHHQ", start, start + 1000, 5, corr, 211, 0, 0, 0)))

    def kernel(self, start, corr, name):
        self.add(record(KERNEL, self.name(name),
                        struct.pack("<qqqIIIIiiiiiiIIIIQIIq", start, start + 500, 0, 0, 1, 7, corr, 1, 1, 1, 32, 1, 1, 16, 0, 0, 0, 0, 0, 0, 0)))

    def state(self, ts, on):
        self.add(record(STATE, on, struct.pack("<q", ts)))

    def step(self, ts, number, last):
        self.add(record(STEP, 3 if last else 2, struct.pack("<qQqII", ts, number, -1, 5, 0)))

    def counter(self, ts, value):
        self.add(record(COUNTER, self.name("loss"), struct.pack("<qdIi", ts, value, self.name("loss"), -1)))

    def drops(self, count):
        self.add(record(DROPS, 0, struct.pack("<Q", count)))

    def end(self, ts):
        self.add(record(END, 0, struct.pack("<q", ts)))

    def write(self, path, change=None):
        self.block()
        data = bytearray(b"".join(self.blocks))
        if change is not None:
            data[change] ^= 0xFF
        with open(path, "wb") as f:
            f.write(data)


def made(cycles, active, gap, lag, ended=True, names=0):
    """Steps of a range and three calls each, whose kernels run `lag` steps later and are written a block later
    still."""
    s = Spool()
    for i in range(names):
        s.name("never used %d" % i)
    t, step, late, on = 2000000000, 0, [], False
    for c in range(cycles):
        for k in range(active):
            if not on:
                s.state(t, 1)
                on = True
            s.step(t, step, k == active - 1)
            s.range("ProfilerStep#%d" % step, t, t + STEP_NS)
            s.range("of cycle %d" % c, t + 10, t + STEP_NS - 10)
            for j in range(3):
                s.corr += 1
                s.call(t + 1000 + 10000 * j, s.corr)
                late.append((step + lag, t + lag * STEP_NS + 500000 + 10000 * j, s.corr, "kernel of cycle %d" % c))
            s.counter(t + STEP_NS, float(step))
            t += STEP_NS
            s.block()
            for what in [x for x in late if x[0] <= step]:
                late.remove(what)
                s.kernel(*what[1:])
            step += 1
        if c in (0, 2):
            s.drops(3 if c == 0 else 10)
        if gap or c == cycles - 1:
            s.state(t, 0)
            on = False
            t += gap * STEP_NS
            step += gap
    for what in late:
        s.kernel(*what[1:])
    if ended:
        s.end(t)
    return s


# name: (cycles, steps of each, steps between them, steps until the device follows, ended)
CASES = {"apart": (3, 2, 4, 1, True), "touching": (3, 2, 0, 1, True), "far behind": (4, 1, 0, 3, True), "killed": (2, 3, 2, 1, False),
         "many": (150, 1, 1, 1, True), "names": (2, 2, 1, 1, True), "once": (1, 3, 0, 0, True), "damaged": (2, 2, 1, 1, True)}


def spool_name(case):
    return "%s_made.1000000000.ttspool" % case.replace(" ", "-")


def write(folder):
    for case, (cycles, active, gap, lag, ended) in CASES.items():
        s = made(cycles, active, gap, lag, ended, FAR if case == "names" else 0)
        s.write(os.path.join(folder, spool_name(case)), 100 if case == "damaged" else None)


def say(good, what, why=""):
    print("ok " + what if good else "FAIL %s: %s" % (what, why))


def events(program, path):
    out = subprocess.run([program, "export", "-o", "/dev/stdout", path], capture_output=True)
    return json.loads(out.stdout)["traceEvents"] if out.returncode == 0 else out.stderr


def problems(program, path):
    lines = subprocess.run([program, "check", path], capture_output=True, text=True).stdout.split("\n")
    found = {}
    for line, after in zip(lines, lines[1:] + [""]):
        if line.startswith("  ") and not line.startswith("   ") and "(" in line:
            found[line.split()[0]] = after.split()[-1] if "count" in after else ""
    return found


def check_cycle(program, case, path, c, wrong):
    cycles, active, gap, _, ended = CASES[case]
    got = events(program, path)
    if isinstance(got, bytes):
        wrong.append((c, got))
        return
    first = c * (active + gap)
    want_steps = ["ProfilerStep#%d" % n for n in range(first, first + active)]
    steps = sorted((e["ts"], e["name"]) for e in got if e.get("cat") == "user_annotation" and e["name"].startswith("ProfilerStep#"))
    kernels = sorted(e["args"]["correlation"] for e in got if e.get("cat") == "kernel")
    calls = sorted(e["args"]["correlation"] for e in got if e.get("cat") == "cuda_runtime")
    want = list(range(1 + 3 * active * c, 1 + 3 * active * (c + 1)))
    others = {e["name"] for e in got if "of cycle" in e["name"]} - {"of cycle %d" % c, "kernel of cycle %d" % c}
    losses = [e["args"]["loss"] for e in got if e["ph"] == "C"]
    for what, good in (("steps", [n for _, n in steps] == want_steps), ("kernels", kernels == want), ("calls", calls == want),
                       ("others", not others), ("counters", losses == [float(n) for n in range(first, first + active)])):
        if not good:
            wrong.append((c, what, steps, kernels, losses, want))
    p = problems(program, path)
    drops = {0: "3", 2: "7"}.get(c)
    if p.get("recorder_drops") != drops or ("unclean_end" in p) != (not ended and c == cycles - 1):
        wrong.append((c, p))


def check(folder, program):
    for case, (cycles, active, gap, lag, ended) in CASES.items():
        prefix = spool_name(case).split(".")[0]
        files = sorted(glob.glob(os.path.join(folder, prefix + ".*.ttspool")))
        if case in ("once", "damaged"):
            say([os.path.basename(f) for f in files] == [spool_name(case)], "%s: the recording stays as it is" % case, files)
            continue
        say(len(files) == cycles, "%s: a file for each of %d cycles" % (case, cycles), files)
        traces = [f for f in glob.glob(os.path.join(folder, prefix + ".*.pt.trace.json.gz"))]
        say(len(traces) == cycles, "%s: JSON for each" % case, traces)
        wrong = []
        for c in sorted({0, 1, 2, cycles - 1} & set(range(cycles))):
            check_cycle(program, case, files[c], c, wrong)
        say(not wrong, "%s: each has what belongs to it" % case, wrong[:1])


if __name__ == "__main__":
    if sys.argv[1] == "write":
        write(sys.argv[2])
    else:
        check(sys.argv[2], sys.argv[3])
