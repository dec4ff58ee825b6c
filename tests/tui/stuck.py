#!/usr/bin/env python3
"""A terminal that accepts no more output: the program can still be ended, and loading continues."""
import fcntl
import os
import pty
import signal
import struct
import sys
import termios

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tools"))
from until import until  # noqa: E402

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BIN = os.environ.get("BIN", os.path.join(TOP, "tracetty"))
RUN = os.path.join(TOP, "assets/sample_gpu")


def start(size):
    pid, fd = pty.fork()
    if pid == 0:
        os.environ.update(TERM="xterm-256color", LC_ALL="C.UTF-8", XDG_CONFIG_HOME="/nonexistent", XDG_STATE_HOME="/nonexistent")
        fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", size[1], size[0], 0, 0))
        os.execv(BIN, [BIN, RUN])
    return pid, fd


def settle(pid, fd):
    """Waits until the program has drawn and only waits: all its threads sleep, ten times in a row."""
    calm = 0

    def rests():
        nonlocal calm
        states = []
        for task in os.listdir("/proc/%d/task" % pid):
            try:
                with open("/proc/%d/task/%s/stat" % (pid, task)) as f:
                    states.append(f.read().rsplit(")", 1)[1].split()[0])
            except OSError:
                states.append("R")  # the thread has just ended
        waiting = struct.unpack("i", fcntl.ioctl(fd, termios.FIONREAD, b"\0" * 4))[0]
        calm = calm + 1 if waiting and set(states) == {"S"} else 0
        return calm == 10

    until(rests)


def ended(pid):
    if until(lambda: os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)):
        return os.waitpid(pid, 0)[1]
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    return None


def check(what, good, why=""):
    print("ok " + what if good else "FAIL %s: %s" % (what, why))


for sig in (signal.SIGTERM, signal.SIGHUP):
    pid, fd = start((250, 70))
    settle(pid, fd)  # nobody reads: frames fill the terminal's buffer in the kernel
    os.write(fd, b"2341234")
    settle(pid, fd)
    os.kill(pid, sig)
    status = ended(pid)
    check("%s ends it while nothing is read" % sig.name, status is not None and os.waitstatus_to_exitcode(status) in (128 + sig, -sig),
          "status %s" % status)
    os.close(fd)

pid, fd = start((250, 70))
settle(pid, fd)
os.close(fd)  # the terminal is gone
status = ended(pid)
check("it ends with its terminal", status is not None, "still running")

pid, fd = start((160, 45))
settle(pid, fd)  # loaded by now, with the first frames waiting
os.write(fd, b"Q")
got = b""
while True:
    try:
        part = os.read(fd, 65536)
    except OSError:  # the program has ended
        break
    if not part:
        break
    got += part
check("read at last, it shows what was loaded and leaves", b"25,476" in got and ended(pid) == 0, repr(got[-200:]))
os.close(fd)
