"""Measures how soon the explorer answers: part of tests/bench.py, or alone:

    bench_keys.py [--bin ./tracetty] [--only open,loading,tabs] [--loads 2] [--runs 15] TRACE

The program runs in a pseudo-terminal of 160x45, and its output is timed. With TRACETTY_IDLE=1 the title at the end of
a frame says how many keys the program had read before it drew the frame, and whether anything is left to compute.

open     from the start of the program to the first complete frame, for the sample of two ranks
loading  keys, 10 times a second, while TRACE is read and for some seconds after, beside `--loads` processes that keep
         processors busy: from each key to the end of the first frame drawn after the program read it
tabs     after TRACE is read: the first use of each tab, and of the timeline's keys, up to the first frame (rows of a
         large table may follow it)

The measuring process runs with real-time priority if the system allows it; the explorer never does. The time that the
drawing thread waited for a processor (schedstat) is printed, too: on a machine that others use it is not the
program's fault."""
import argparse
import fcntl
import os
import pty
import re
import select
import signal
import statistics
import struct
import subprocess
import sys
import termios
import time

SAMPLE = "assets/sample_gpu"
MARK = re.compile(rb"\x1b\]2;(idle|busy) \d+ keys (\d+) size [0-9x]+[\x07\x1b]")
DOWN, UP = b"\x1b[B", b"\x1b[A"
TABS = [b"%d" % i for i in range(1, 10)]
# keys of a user while a trace is read: tabs, panning and zooming, rows, other orders
KEYS = [b"4", b"w", b"w", b"d", b"a", b"s", b"2", DOWN, DOWN, b">", b"o", b"3", DOWN, b">", b"5", b"1", b"?", b"?"]


def be_prompt():
    """Measure on time however busy the processors are; programs started from here keep their priority."""
    try:
        os.sched_setscheduler(0, os.SCHED_FIFO | os.SCHED_RESET_ON_FORK, os.sched_param(50))
    except (AttributeError, OSError):
        pass


class Explorer:
    """The program on a pseudo-terminal."""

    def __init__(self, binary, path, size=(45, 160)):
        self.fd, slave = pty.openpty()
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", *size, 0, 0))
        env = dict(os.environ, TRACETTY_IDLE="1", TERM="xterm-256color", LC_ALL="C.UTF-8", ESCDELAY="25")
        self.start = time.perf_counter()
        self.pid = os.posix_spawn(binary, [binary, path], env, setsid=True,
                                  file_actions=[(os.POSIX_SPAWN_DUP2, slave, n) for n in (0, 1, 2)])
        os.close(slave)
        self.tail, self.kind, self.seen, self.sent = b"", None, 0, 0
        self.queued = 0.0  # ms that drawing after the last key waited for a processor

    def read(self, timeout):
        """Read the program's output; True when a frame ended."""
        if not select.select([self.fd], [], [], timeout)[0]:
            return False
        try:
            data = self.tail + os.read(self.fd, 1 << 16)
        except OSError:
            raise SystemExit("the explorer ended early")
        found = None
        for found in MARK.finditer(data):
            self.kind, self.seen = found.group(1), int(found.group(2))
        self.tail = data[found.end():][-64:] if found else data[-64:]
        return bool(found)

    def frame(self, timeout=120.0):
        end = time.perf_counter() + timeout
        while not self.read(max(0.0, end - time.perf_counter())):
            if time.perf_counter() > end:
                raise SystemExit("no frame within %d s" % timeout)
        return time.perf_counter()

    def idle(self, timeout=300.0):
        """Seconds from the start until nothing is left to compute."""
        end = time.perf_counter() + timeout
        while self.kind != b"idle":
            self.frame(end - time.perf_counter())
        return time.perf_counter() - self.start

    def wait(self, seconds):
        """Wait, and read the output meanwhile."""
        end = time.perf_counter() + seconds
        while (left := end - time.perf_counter()) > 0:
            self.read(left)

    def key(self, key, after=0.03):
        """Milliseconds from sending a key to the end of the first frame drawn after the program read it. `after`
        seconds pass first: 0.03 is a key that is held down."""
        self.wait(after)
        self.sent += 1
        waited = self.waited_ms()
        start = time.perf_counter()
        os.write(self.fd, key)
        while self.seen < self.sent:
            end = self.frame()
        self.queued = self.waited_ms() - waited
        return (end - start) * 1e3

    def waited_ms(self):
        """ms in which the drawing thread was ready to run while other programs had the processors."""
        with open("/proc/%d/schedstat" % self.pid) as f:
            return int(f.read().split()[1]) / 1e6

    def close(self):
        """End the program; returns its CPU milliseconds."""
        os.write(self.fd, b"Q")
        end = time.perf_counter() + 10
        while time.perf_counter() < end:
            try:
                self.read(0.05)
            except SystemExit:
                break
        else:
            os.kill(self.pid, signal.SIGKILL)
        used = os.wait4(self.pid, 0)[2]
        os.close(self.fd)
        return (used.ru_utime + used.ru_stime) * 1e3


def percentiles(name, values):
    values = sorted(values)
    print("  %-34s n %4d   median %6.2f ms   99th %6.2f ms   max %6.2f ms" % (
        name, len(values), statistics.median(values), values[min(len(values) - 1, int(len(values) * 0.99))], values[-1]))


def bench_open(binary, runs):
    first, complete, used = [], [], []
    for _ in range(runs):
        e = Explorer(binary, SAMPLE)
        first.append((e.frame() - e.start) * 1e3)
        complete.append(e.idle() * 1e3)
        used.append(e.close())
    print("explorer, two ranks of %s" % SAMPLE)
    percentiles("first frame", first)
    percentiles("first complete frame", complete)
    percentiles("processor time, with leaving", used)


def sample(e, key, after):
    """(milliseconds, milliseconds without waits for a processor, seconds since the start, key)"""
    ms = e.key(key, after)
    return ms, max(0.0, ms - e.queued), time.perf_counter() - e.start, key


def tell(name, samples, n=6):
    percentiles(name, [s[0] for s in samples] or [float("nan")])
    percentiles("... without waiting for processors", [s[1] for s in samples] or [float("nan")])
    for i, which in ((0, "slowest"), (1, "slowest without waiting")):
        text = ", ".join("%s at %.1f s: %.0f ms" % (s[3].decode().replace("\x1b[", "Esc-["), s[2], s[i])
                         for s in sorted(samples, key=lambda s: -s[i])[:n])
        print("    %s: %s" % (which, text))


# this program wakes 20 times a second and does almost nothing: its lateness shows the load of the machine
CONTROL = """import select, sys, time
late = []
while not select.select([sys.stdin], [], [], 0)[0]:
    start = time.perf_counter()
    time.sleep(0.05)
    late.append((time.perf_counter() - start - 0.05) * 1e3)
print(*late)
"""


def bench_loading(binary, path, loads, after=4.0):
    busy = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(loads)]
    control = subprocess.Popen([sys.executable, "-c", CONTROL], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    samples, done = [], None
    try:
        e = Explorer(binary, path)
        first = (e.frame() - e.start) * 1e3
        while done is None or time.perf_counter() - e.start < done + after:
            key = KEYS[len(samples) % len(KEYS)]
            samples.append(sample(e, key, 0.1))
            if done is None and e.kind == b"idle" and time.perf_counter() - e.start > 1.5:
                done = time.perf_counter() - e.start
        e.close()
        late = [float(x) for x in control.communicate(b"\n")[0].split()]
    finally:
        for b in busy + [control]:
            b.kill()
            b.wait()
    print("explorer, %s, beside %d busy processes: loaded in %.1f s, first frame after %.1f ms" % (
        os.path.basename(path), loads, done, first))
    tell("key to frame while loading", [s for s in samples if s[2] < done])
    tell("key to frame after loading", [s for s in samples if s[2] >= done])
    percentiles("a process that only wakes: late by", late)


def bench_tabs(binary, path):
    samples = []
    e = Explorer(binary, path)
    e.idle()

    def press(key, after=0.1):
        samples.append(sample(e, key, after))

    for tab in [b"4"] + TABS:  # the timeline first, before anything is computed for it
        press(tab)
        if tab == b"4":
            for key in [b"w"] * 6 + [b"d", b"a", DOWN, UP, b".", b","] * 3 + [b"s"] * 6 + [b"0"]:
                press(key)
        for key in (DOWN, b">", b"<", b"o", UP):
            press(key)
    print("explorer, %s loaded, first use of each tab" % os.path.basename(path))
    tell("key to frame", samples)
    e.close()


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--bin", default="./tracetty")
    p.add_argument("--only", default="open,loading,tabs")
    p.add_argument("--loads", type=int, default=2)
    p.add_argument("--runs", type=int, default=15)
    p.add_argument("trace", nargs="?")
    args = p.parse_args()
    binary = os.path.abspath(args.bin)
    be_prompt()
    if "open" in args.only:
        bench_open(binary, args.runs)
    if "loading" in args.only and args.trace:
        bench_loading(binary, args.trace, args.loads)
    if "tabs" in args.only and args.trace:
        bench_tabs(binary, args.trace)


if __name__ == "__main__":
    main()
