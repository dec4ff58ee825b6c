#!/usr/bin/env python3
"""No file is written beside a database, and no private part of it is printed. Every command opens each sample, and
copies marked as having a write-ahead log or an old journal beside them, in a writable folder and in a read-only one:
names, sizes and times in the folder stay, and no system call opens a file there for writing. No output contains the
environment that profilers store."""
import os
import re
import shutil
import subprocess
import sys
import tempfile

from _databases import BIN, CANARY, SAMPLES, TRACES, capture, made, report, run, supported

COMMANDS = {
    "summary": ("summary", "--table", "all", "{}"),
    "check": ("check", "{}"),
    "export": ("export", "{}", "--output", "-"),
    "diff": ("diff", "{}", "{}"),
    "a screen": ("summary", "--screen", "timeline", "--size", "80x24", "{}"),
    "the folder": ("summary", "."),
    "the explorer": ("{}", "--keys", "1 2 4 Q"),
}
WRITING = re.compile(r"O_WRONLY|O_RDWR|O_CREAT|O_TRUNC|^(?:\d+ +)?(?:unlink|rename|link|symlink|mkdir|rmdir|truncate|creat|chmod|chown|utime|mknod|fallocate)")
UNTRACED = os.environ.get("ASAN_OPTIONS", "") + ":detect_leaks=0"  # the leak check fails below strace; other tests check leaks
CALLS = "trace=openat,open,creat,%file,ftruncate,fallocate"


def listing(folder):
    return sorted((e.name, e.stat().st_size, e.stat().st_mtime_ns, e.stat().st_ctime_ns) for e in os.scandir(folder)) + [os.stat(folder).st_mtime_ns]


def as_nobody(words):
    """Run the program as another user if the test runs as root, because root may write anywhere."""
    if os.getuid() or not shutil.which("setpriv"):
        return words
    return ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", *words]


def command(words, folder, name, log):
    words = [os.path.join(os.path.dirname(folder), "program")] + [w.format(name) for w in words]
    if "--keys" in words:  # in its own terminal
        words = ["script", "-qec", " ".join("'%s'" % w for w in words), "/dev/null"]
    words = as_nobody(words)
    if shutil.which("strace"):
        words = ["strace", "-f", "-y", "-qq", "-e", CALLS, "-o", log, *words]
    home = os.path.join(os.path.dirname(folder), "home")
    return subprocess.run(words, cwd=folder, capture_output=True, stdin=subprocess.DEVNULL,
                          env=dict(os.environ, ASAN_OPTIONS=UNTRACED, HOME=home, XDG_CONFIG_HOME=home, XDG_RUNTIME_DIR=home, TERM="xterm-256color", LINES="24", COLUMNS="80"))


def written(log, folder):
    """The first system call that would write into the folder, where the program also runs: a name is relative to the
    folder given before it."""
    if not os.path.exists(log):
        return None
    for line in open(log, encoding="utf-8", errors="replace"):
        for at, name in re.findall(r'(?:\w+<([^>]*)>, )?"([^"]*)"', line) if WRITING.search(line) else ():
            if name and os.path.join(at or folder, name).startswith(folder):
                return line.strip()
    return None


def untouched(what, folder, names, tmp):
    for name in names:
        for title, words in COMMANDS.items():
            if "--keys" in words and not shutil.which("script"):
                continue
            log = os.path.join(tmp, "log")
            if os.path.exists(log):
                os.remove(log)
            before = listing(folder)
            p = command(words, folder, name, log)
            why = None if p.returncode == 0 else "status %d: %s" % (p.returncode, (p.stderr + p.stdout)[-200:])
            if listing(folder) != before:
                why = "the folder has changed: %s" % sorted(os.listdir(folder))
            report("%s %s: %s" % (what, name, title), why or written(log, folder))


def watched(tmp):
    """Check the watch itself: it sees a written file."""
    folder = os.path.join(tmp, "watched")
    os.mkdir(folder)
    os.chmod(folder, 0o777)
    shutil.copy(SAMPLES[0], folder)
    log = os.path.join(tmp, "log")
    command(("export", os.path.basename(SAMPLES[0]), "--output", "written.json"), folder, os.path.basename(SAMPLES[0]), log)
    seen = written(log, folder) if shutil.which("strace") else "written.json" in os.listdir(folder)
    report("the watch sees what is written", None if seen else "nothing seen, of %s" % os.listdir(folder))


def wal(path):
    with open(path, "r+b") as f:
        f.seek(18)
        f.write(b"\2\2")


def folders(tmp):
    for mode, what in (0o777, "may be written:"), (0o555, "read only:"):
        folder = os.path.join(tmp, "may" if mode & 0o200 else "not")
        os.mkdir(folder)
        names = []
        for path in SAMPLES:
            names.append(os.path.basename(path))
            shutil.copy(path, folder)
        shutil.copy(SAMPLES[0], os.path.join(folder, "wal.sqlite"))
        wal(os.path.join(folder, "wal.sqlite"))
        for ending in "-wal", "-shm", "-journal":
            open(os.path.join(folder, "wal.sqlite" + ending), "wb").close()
        for name in os.listdir(folder):
            os.chmod(os.path.join(folder, name), 0o666 if mode & 0o200 else 0o444)
        os.chmod(folder, mode)
        untouched(what, folder, names + ["wal.sqlite"], tmp)
        os.chmod(folder, 0o777)


# ---- private text

def outputs(path, tmp):
    """Every output that the program can make about a file."""
    for form in "json", "text", "markdown":
        yield "summary " + form, ("summary", "--format", form, "--limit", "0", "--table", "all", path)
    for table in "run", "problems", "runtime_api", "user_ranges":
        yield "csv of " + table, ("summary", "--format", "csv", "--table", table, path)
    for grouped in "launch", "operator":
        yield "kernels by " + grouped, ("summary", "--format", "csv", "--table", "kernels", "--group-by", grouped, path)
    yield "check", ("check", path)
    for words in ((), ("--anonymize",), ("--stacks", "time"), ("--stacks", "device")):
        yield " ".join(("export", *words)), ("export", path, "--output", "-", *words)
    yield "diff", ("diff", "--format", "json", "--table", "all", path, path)
    for screen in "overview", "operators", "kernels", "timeline", "memory", "api", "flame":
        yield "screen " + screen, ("summary", "--screen", screen, "--size", "200x60", path)
    yield "all events", ("summary", "--all-events", "--format", "json", "--table", "all", path)


def private(tmp):
    found = capture.steps(capture.capture(TRACES[0]), 3, 3)
    for kind, ending, options in (("nsys", "sqlite", {}), ("nsys", "sqlite", dict(schema="2.9", registered=True)), ("rocpd", "db", {})):
        path = made(kind, os.path.join(tmp, "private." + ending), found, environment=CANARY, **options)
        assert CANARY.encode() in open(path, "rb").read()
        for what, words in outputs(path, tmp):
            p = run(*words)
            said = p.stdout + p.stderr
            why = "the environment is printed" if CANARY.encode() in said or b"canary" in said else None
            if p.returncode != 0 and not (p.returncode == 2 and b"--a" in p.stderr):
                why = why or "status %d: %s" % (p.returncode, p.stderr[-200:])
            report("private, %s%s: %s" % (kind, options.get("schema", ""), what), why)


def main():
    if not supported():
        print("skip databases: built without libsqlite3")
        return 0
    with tempfile.TemporaryDirectory() as tmp:
        os.chmod(tmp, 0o777)
        os.mkdir(os.path.join(tmp, "home"))
        os.chmod(os.path.join(tmp, "home"), 0o777)
        shutil.copy(BIN, os.path.join(tmp, "program"))  # where another user may read it: not below /root
        watched(tmp)
        folders(tmp)
        private(tmp)
    return 0


if __name__ == "__main__":
    sys.exit(main())
