#!/usr/bin/env python3
"""Reports of Nsight Systems without an export: they are refused with the command to copy. With --nsys-export the
vendor's program (here a double) exports them into a private folder, which is removed whatever the program does; no
file is written beside the report."""
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tools"))
from until import until  # noqa: E402

from _databases import BIN, SAMPLES, TOP, report, rows, supported

HEAD = b"NVIDIA Tegra Profiler Report 2026@1@1@204-261137176666v0."
DOUBLE = os.path.join(TOP, "tests", "doubles", "nsys")
NAMES = ("report1.nsys-rep", "old.qdrep", "with space 'and' $(touch run) \"quotes\".nsys-rep", "-output.nsys-rep", "f\u00fcr.nsys-rep")


class Place:
    """A folder of reports, a temporary folder, and a PATH with the double or without it."""
    def __init__(self, tmp):
        self.tmp = tmp
        self.reports, self.temporary, self.bin, self.log = (os.path.join(tmp, n) for n in ("reports", "temporary", "bin", "log"))
        for folder in self.reports, self.temporary, self.bin:
            os.mkdir(folder)
        for name in NAMES:
            with open(os.path.join(self.reports, name), "wb") as f:
                f.write(HEAD + bytes(range(256)) * 40)
        os.symlink(DOUBLE, os.path.join(self.bin, "nsys"))
        self.before = self.listing()

    def listing(self):
        return sorted((e.name, e.stat().st_size, e.stat().st_mtime_ns) for e in os.scandir(self.reports))

    def environment(self, does, nsys=True):
        path = [p for p in os.environ["PATH"].split(":") if not os.path.exists(os.path.join(p, "nsys"))]
        return dict(os.environ, PATH=":".join(([self.bin] if nsys else []) + path), TMPDIR=self.temporary, NSYS_DOES=does, NSYS_SAMPLE=SAMPLES[0], NSYS_LOG=self.log)

    def start(self, *words, does="well", nsys=True):
        if os.path.exists(self.log):
            os.remove(self.log)
        return subprocess.Popen([BIN, *words], cwd=self.reports, env=self.environment(does, nsys), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def run(self, *words, **more):
        p = self.start(*words, **more)
        out, err = p.communicate()
        return p.returncode, out, err

    def told(self, word):
        with open(self.log, encoding="utf-8") as f:
            return [line.rstrip("\n").split(" ", 1)[1] for line in f if line.startswith(word + " ")]

    def left(self):
        """Faults of the folders' present content."""
        if os.listdir(self.temporary):
            return "left in the temporary folder: %s" % os.listdir(self.temporary)
        if self.listing() != self.before:
            return "the folder of the report has changed: %s" % os.listdir(self.reports)
        return None


def refused(place):
    for nsys in False, True:
        for name in NAMES[:2]:
            status, out, err = place.run("summary", name, nsys=nsys)
            why = None if status == 3 and b"nsys export --type sqlite --output" in err and not out else "status %d: %s" % (status, err)
            if nsys and b"--nsys-export" not in err:
                why = why or "does not say that the program can do it: %s" % err
            report("%s is refused with the command, nsys %s" % (name, "there" if nsys else "missing"), why or place.left())
    status, _, err = place.run("summary", "--nsys-export", NAMES[0], nsys=False)
    report("--nsys-export without nsys", None if status == 3 and b"nsys" in err else "status %d: %s" % (status, err))


def exported(place):
    want = rows("kernels", SAMPLES[0])
    for name in NAMES:
        status, out, err = place.run("summary", "--nsys-export", "--format", "json", "--table", "kernels", "--", name) if name.startswith("-") else \
            place.run("summary", "--nsys-export", "--format", "json", "--table", "kernels", name)
        why = "status %d: %s" % (status, err) if status else None
        if not why:
            got = next(t["rows"] for t in json.loads(out)["tables"] if t["id"] == "kernels")
            why = None if got == want else "other kernels"
            if place.told("mode") != ["700"]:
                why = why or "the folder has mode %s" % place.told("mode")
            if not place.told("folder")[0].startswith(place.temporary):
                why = why or "exported to %s" % place.told("folder")
        report("--nsys-export: %s" % name, why or place.left())
    for command in (("check",), ("export", "--output", "-"), ("diff", NAMES[1])):
        status, _, err = place.run(command[0], "--nsys-export", *command[1:], NAMES[0])
        report("%s --nsys-export" % command[0], (None if status in (0, 2 if command[0] == "export" else 0) else "status %d: %s" % (status, err)) or place.left())
    status, out, err = place.run("summary", "--nsys-export", "--format", "json", NAMES[0], does="leaves")
    report("an nsys that leaves something behind that talks", (None if status == 0 else "status %d: %s" % (status, err[-200:])) or place.left())
    status, out, err = place.run("summary", "--nsys-export", "--format", "json", NAMES[0], does="talks")
    report("an nsys that talks", (None if status == 0 and json.loads(out) and b"\x1b" not in err + out else "status %d: %s" % (status, err[-200:])) or place.left())


def failing(place):
    for does, word in ("fails", b"the report is damaged"), ("half", b"No space left"), ("garbage", b""), ("nothing", b""):
        status, out, err = place.run("summary", "--nsys-export", NAMES[0], does=does)
        why = None if status == 3 and err.strip() and not out and word in err else "status %d: %s" % (status, err[-300:])
        report("an nsys that %s" % does, why or place.left())


def alive(pid):
    try:
        with open("/proc/%s/stat" % pid, encoding="utf-8") as f:
            return f.read().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def interrupted(place):
    for sent, words in ((signal.SIGINT, ("summary",)), (signal.SIGTERM, ("check",)), (signal.SIGHUP, ("summary", "--screen", "overview", "--size", "80x24")),
                        (signal.SIGINT, ("diff", NAMES[1]))):
        p = place.start(words[0], "--nsys-export", *words[1:], NAMES[0], does="hangs")
        until(lambda: os.path.exists(place.log) and place.told("pid") or p.poll() is not None)
        p.send_signal(sent)
        why = None
        p.communicate()
        pid = place.told("pid")[0] if os.path.exists(place.log) else "0"
        if not until(lambda: not alive(pid)):
            why = "nsys is still there"
            os.kill(int(pid), signal.SIGKILL)
        if p.returncode != -sent:
            why = why or "ends with %d, not by the signal" % p.returncode
        report("%s with an nsys that hangs, %s" % (words[0], sent.name), why or place.left())


def main():
    if not supported():
        print("skip reports: built without libsqlite3")
        return 0
    with tempfile.TemporaryDirectory() as tmp:
        place = Place(tmp)
        refused(place)
        exported(place)
        failing(place)
        interrupted(place)
    shutil.rmtree(tmp, ignore_errors=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
