#!/usr/bin/env python3
"""A terminal that takes nothing any more: the program can still be ended, and loading goes on meanwhile."""
import fcntl
import os
import pty
import signal
import struct
import termios
import time

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BIN = os.environ.get("BIN", os.path.join(TOP, "tracetty"))
RUN = os.path.join(TOP, "assets/sample_gpu")


def start(size):
    pid, fd = pty.fork()
    if pid == 0:
        os.environ.update(TERM="xterm-256color", LC_ALL="C.UTF-8", XDG_CONFIG_HOME="/nonexistent", XDG_STATE_HOME="/nonexistent")
        time.sleep(0.1)  # until the size is set
        os.execv(BIN, [BIN, RUN])
    fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack("HHHH", size[1], size[0], 0, 0))
    return pid, fd


def ended(pid, seconds):
    for _ in range(int(seconds * 50)):
        done, status = os.waitpid(pid, os.WNOHANG)
        if done:
            return status
        time.sleep(0.02)
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    return None


def check(what, good, why=""):
    print("ok " + what if good else "FAIL %s: %s" % (what, why))


for sig in (signal.SIGTERM, signal.SIGHUP):
    pid, fd = start((250, 70))
    time.sleep(1.5)  # nothing is read: the frames fill what the system keeps for the terminal
    os.write(fd, b"2341234")
    time.sleep(0.5)
    os.kill(pid, sig)
    status = ended(pid, 4)
    check("%s ends it while nothing is read" % sig.name, status is not None and os.waitstatus_to_exitcode(status) in (128 + sig, -sig),
          "status %s" % status)
    os.close(fd)

pid, fd = start((250, 70))
time.sleep(2)
os.close(fd)  # the terminal is gone
status = ended(pid, 4)
check("it ends with its terminal", status is not None, "still running")

pid, fd = start((160, 45))
time.sleep(2)  # loaded by now, the first frames waiting
os.write(fd, b"Q")
got, end = b"", time.time() + 5
os.set_blocking(fd, False)
while time.time() < end:
    try:
        part = os.read(fd, 65536)
        if not part:
            break
        got += part
    except BlockingIOError:
        time.sleep(0.02)
    except OSError:
        break
check("read at last, it shows what was loaded and leaves", b"25,476" in got and ended(pid, 4) == 0, repr(got[-200:]))
os.close(fd)
