"""tracetty record in a terminal: the progress line, Ctrl-C once and twice. Called by command.sh: terminal.py BIN
TARGET FOLDER."""
import csv
import fcntl
import io
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tools"))
from until import until  # noqa: E402

BIN, TARGET, FOLDER = sys.argv[1:4]
WIDTH = 80
counter = 0


def check(what, good, why=""):
    print("ok " + what if good else "FAIL %s: %s" % (what, why), flush=True)


class Recording:
    """A recording in a terminal of its own."""

    def __init__(self, *arguments):
        global counter
        counter += 1
        self.dir, self.text = "%s/terminal%d" % (FOLDER, counter), ""
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 24, WIDTH, 0, 0))
            os.execv(BIN, [BIN, "record", "-o", self.dir, "--at-end", "nothing", *arguments])

    def read(self, seconds):
        """True when output came; False when none came for a while, or the terminal closed."""
        if not select.select([self.fd], [], [], seconds)[0]:
            return False
        try:
            data = os.read(self.fd, 65536)
        except OSError:  # the other end is closed
            return False
        self.text += data.decode("utf-8", "replace")
        return bool(data)

    def until(self, pattern):
        until(lambda: re.search(pattern, self.text) or not self.read(0.1) and self.ended())
        return re.search(pattern, self.text) is not None

    def ended(self):
        try:
            return os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None
        except ChildProcessError:
            return True

    def status(self):
        until(lambda: self.ended() or self.read(0.1) and None)
        while self.read(0.1):
            pass
        if not self.ended():
            os.kill(self.pid, signal.SIGKILL)
        code = os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
        os.close(self.fd)
        return code

    def lines(self):
        """The successive texts of the progress line."""
        return [t for t in re.findall(r"tracetty: ([^\r\n]*)", self.text)]

    def ctrl_c(self):
        os.write(self.fd, b"\x03")

    def check(self):
        return subprocess.run([BIN, "check", self.dir], capture_output=True, text=True).stdout

    def files(self):
        return sorted(name.split(".", 2)[-1] for name in os.listdir(self.dir) if "_" in name)

    def calls(self, name):
        out = subprocess.run([BIN, "summary", "--table", "user_ranges", "--format", "csv", self.dir], capture_output=True, text=True).stdout
        return sum(int(row["calls"]) for row in csv.DictReader(io.StringIO(out)) if row["name"].startswith(name))


# ---- the line
r = Recording(TARGET, "steps", "1500")
seen = r.until(r"(?s)recording  1 process  \d+ events.*step [1-9].*recording  1 process  \d+ events.*step [1-9]")
check("it shows how it goes", seen and r.status() == 0, r.text[-400:])
numbers = [tuple(map(float, m)) for m in re.findall(r"(\d+) events  ([\d.]+) MB  step (\d+)", r.text)]
check("events, bytes and steps grow", len(numbers) > 2 and numbers == sorted(numbers) and numbers[0] < numbers[-1], numbers)
check("... to what there was", numbers and numbers[-1][2] == 1500, numbers[-1:])
shown = re.findall(r"\r\x1b\[K([^\r\n]*)", r.text)
check("nothing of it is left over", "tracetty: recorded in" in [line[:21] for line in r.text.replace("\r\x1b[K", "\n").split("\n")], r.text[-300:])
check("the line fits the terminal", shown and max(map(len, shown)) < WIDTH, max(map(len, shown or [""])))
check("a last line stays", re.search(r"ended  1 process  \d+ events[^\r\n]*\r\n", r.text), r.text[-300:])
r = Recording("--max-spool", "64K", TARGET, "threads", "40000")
r.status()
check("drops are shown", any(re.search(r"[1-9]\d* dropped", line) for line in r.lines()), r.lines())

# ---- Ctrl-C
r = Recording(TARGET, "ticks", "6000")
r.until(r"recording  1 process  [1-9]\d* events")
r.ctrl_c()
status = r.status()
check("Ctrl-C ends the command", status == 130, status)
check("... in order", "unclean_end" not in r.check() and r.calls("tick") > 0, r.check())
check("... and the JSON follows", "pt.trace.json.gz" in r.files(), r.files())

ignore = 'trap "" INT; "$0" ticks 6000 & "$0" ticks 6000; wait'
r = Recording("sh", "-c", ignore, TARGET)
r.until(r"recording  2 processes  [1-9]\d* events")
r.ctrl_c()
told = r.until("stopping the command; Ctrl-C again within 2 s kills it")
check("a command that does not end: it is said what else", told, r.text[-300:])
time.sleep(0.2)  # two presses, not one key that bounces
r.ctrl_c()
status = r.status()
check("Ctrl-C twice kills it", status == 137 and "killed; the recording so far is kept" in r.text, (status, r.text[-300:]))
left = subprocess.run(["pgrep", "-f", TARGET + " ticks"], capture_output=True, text=True).stdout
check("... and what it started", not left, left)
check("what was recorded is kept", r.calls("tick") > 10 and r.check().count("unclean_end") == 2, r.check())

r = Recording(TARGET, "threads", "700000")
began = r.until(r"(reading|writing JSON)  file 1 of 1")
r.ctrl_c()
status = r.status()
check("Ctrl-C while the JSON is written", began and status == 0 and "tracetty export" in r.text, (status, r.text[-300:]))
check("... leaves the recording and nothing half", r.files() == ["ttspool"], r.files())
