"""Waits of tests: for a state, never for a time. tests/until.sh is the same for the shell.

until(condition) looks until the condition holds, at most TEST_LOOKS times, and returns its last value. It counts
looks, not seconds: on a busy machine, or with a program that SLOWER declares slower, looks last longer. A command
that hangs is ended by tests/run together with its test; one that might compute for ever is started with
preexec_fn=at_most(seconds)."""
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
    """For preexec_fn: limits the command to so many CPU seconds, multiplied by SLOWER."""
    def limit():
        resource.setrlimit(resource.RLIMIT_CPU, (seconds * SLOWER, seconds * SLOWER + 5))
    return limit


def exceeded(status):
    """The command was ended by that limit."""
    return status == -signal.SIGXCPU


def spent():
    """CPU seconds of this process and of the children that it has waited for."""
    mine, theirs = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
    return mine.ru_utime + mine.ru_stime + theirs.ru_utime + theirs.ru_stime


def used(pid):
    """CPU seconds of a process: it works while they grow."""
    try:
        with open("/proc/%d/stat" % pid, encoding="utf-8") as f:
            fields = f.read().rsplit(")", 1)[1].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
