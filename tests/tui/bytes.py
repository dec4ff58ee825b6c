#!/usr/bin/env python3
"""Bytes sent to the terminal for each kind of key, at 160x45 with 256 colours, because links may be slow."""
import fcntl
import os
import pty
import re
import select
import struct
import sys
import termios
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tools"))
from until import LOOKS  # noqa: E402

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BIN = os.environ.get("BIN", os.path.join(TOP, "tracetty"))
ONE = os.path.join(TOP, "assets/sample_gpu/train_rank0.1700000000000.pt.trace.json.gz")
MARK = re.compile(rb"\x1b\]2;(idle|busy) (\d+) keys (\d+) size \d+x\d+\x1b\\")


class Program:
    def __init__(self, *args):
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.environ.update(TERM="xterm-256color", LC_ALL="C.UTF-8", TRACETTY_IDLE="1", XDG_CONFIG_HOME="/nonexistent",
                              XDG_STATE_HOME="/nonexistent")
            os.environ.pop("COLORTERM", None)
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 45, 160, 0, 0))
            os.execv(BIN, [BIN, *args])
        self.keys = 0
        self.wait()

    def wait(self):
        """Reads until the program is idle and stays so for a moment; returns the bytes without the marks for tests."""
        out, idle = b"", False
        for _ in range(LOOKS):
            ready, _, _ = select.select([self.fd], [], [], 0.25)
            if not ready:
                if idle:
                    return MARK.sub(b"", out)
                continue
            out += os.read(self.fd, 65536)
            marks = MARK.findall(out)
            idle = bool(marks) and marks[-1][0] == b"idle" and int(marks[-1][2]) >= self.keys
        raise SystemExit("FAIL no idle mark")

    def key(self, text, count=1):
        self.keys += count
        os.write(self.fd, text.encode())
        return len(self.wait())

    def held(self, text, count):
        """Holds a key down: bytes for each repetition."""
        self.keys += count
        for _ in range(count):
            os.write(self.fd, text.encode())
            time.sleep(0.03)
        return len(self.wait()) // count

    def close(self):
        os.write(self.fd, b"Q")
        try:
            while os.read(self.fd, 65536):
                pass
        except OSError:
            pass
        os.waitpid(self.pid, 0)


def check(what, got, most, worst=None):
    """most: limit of the median; worst: limit of each."""
    got = sorted(got)
    middle = got[len(got) // 2]
    good = middle <= most and got[-1] <= (worst or got[-1])
    print("%s %s: %d bytes, at most %d (limit %d%s)" % ("ok" if good else "FAIL", what, middle, got[-1], most,
                                                       ", %d" % worst if worst else ""))


p = Program(ONE)
p.key("2")
p.key("jjj", 3)
# the mark covers the whole row: the numbers of two rows are sent again, about 115 bytes each, besides the detail
# below
check("a row down", [p.key("j") for _ in range(12)], 620, 700)
check("a row up", [p.key("k") for _ in range(6)], 620, 700)
p.key("jjjjjjjjjjjjjjjjjjjjjjjjjjjjjj", 30)
check("a table scrolled by a row", [p.key("j") for _ in range(12)], 500)
check("a page down", [p.key("\x1b[6~")], 12000)
p.key("4")
for _ in range(9):  # down to the main thread
    p.key("j")
check("the cursor of the timeline to the next slice", [p.key(".") for _ in range(10)], 800, 1000)
check("the cursor of the timeline to the next row, and rest there", [p.key("j") for _ in range(7)] + [p.key("k") for _ in range(7)], 800, 1200)
check("the cursor of the timeline to the next row, held", [p.held("j", 4), p.held("k", 4), p.held("j", 4)], 800)
p.key("www", 3)
check("zooming the timeline", [p.key("w") for _ in range(4)], 30000)
check("panning the timeline", [p.key("d") for _ in range(4)], 30000)
check("a whole frame of the timeline", [p.key("\x0c") for _ in range(2)], 30000)
p.close()
