"""Waiting in tests: for a state, never for a time. tests/until.sh is the same for the shell.

until(condition) looks until the condition holds, TEST_LOOKS times at most, and returns what it was at last. Looks are counted,
not seconds: on a machine that is busy, or with a program that SLOWER says is slower, they last longer. A command that hangs
is ended by tests/run with its whole test; one that could compute for ever is started with preexec_fn=at_most(seconds).
"""
import os
import resource
import signal
import time

SLOWER = int(os.environ.get("SLOWER", "1"))
LOOKS = int(os.environ.get("TEST_LOOKS", "3000")) * SLOWER


def until(condition, looks=LOOKS):
    for _ in range(looks):
        found = condition()
        if found:
            return found
        time.sleep(0.02)
    return condition()


def at_most(seconds):
    """For preexec_fn: limits the command to so many CPU seconds, SLOWER times as many for a slower program."""
    def limit():
        resource.setrlimit(resource.RLIMIT_CPU, (seconds * SLOWER, seconds * SLOWER + 5))
    return limit


def exceeded(status):
    """Whether that limit ended the command."""
    return status == -signal.SIGXCPU


def spent():
    """CPU seconds of this process and of the children that it has waited for."""
    mine, theirs = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
    return mine.ru_utime + mine.ru_stime + theirs.ru_utime + theirs.ru_stime


def used(pid):
    """CPU seconds of a process: it is at work while they grow."""
    try:
        with open("/proc/%d/stat" % pid, encoding="utf-8") as f:
            fields = f.read().rsplit(")", 1)[1].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
