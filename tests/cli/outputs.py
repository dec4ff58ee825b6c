#!/usr/bin/env python3
"""Written files are complete or absent; links and devices are written through, not replaced; inputs are never
overwritten; errors and signals leave no file behind. Also text that output must not hold.

Environment BIN.
"""
import contextlib
import csv
import hashlib
import io
import json
import os
import resource
import shutil
import signal
import stat
import subprocess
import sys
import tarfile
import tempfile
import threading
import zipfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tools"))
from until import until  # noqa: E402

BIN = os.path.abspath(os.environ.get("BIN", "./tracetty"))
failed = 0


def ok(what, good, why=""):
    global failed
    failed += not good
    print("ok " + what if good else "FAIL %s: %s" % (what, str(why)[:300]))


def limit_memory():
    """Limit the address space to 2 GiB; sanitizers reserve more than that."""
    with open(BIN, "rb") as f:
        program = f.read()
    if b"__asan_init" not in program and b"__tsan_init" not in program:
        resource.setrlimit(resource.RLIMIT_AS, (2 << 30, 2 << 30))


def run(*args, **more):
    p = subprocess.run([BIN, *args], capture_output=True, **{"stdin": subprocess.DEVNULL, **more})
    return p.returncode, p.stdout, p.stderr.decode("utf-8", "replace")


def trace(path, n=200, name="op%d"):
    events = [{"ph": "X", "cat": "cpu_op", "name": name % (i % 7) if "%" in name else name, "pid": 1, "tid": 1, "ts": 10 * i, "dur": 5} for i in range(n)]
    with open(path, "w") as f:
        json.dump({"schemaVersion": 1, "traceEvents": events}, f)


def events_of(data):
    return [e for e in json.loads(data)["traceEvents"] if e["ph"] == "X"]


def read(path):
    with open(path, "rb") as f:
        return f.read()


def digest(path):
    return hashlib.sha256(read(path)).hexdigest()


def left(folder="."):
    return [name for _, _, names in os.walk(folder) for name in names if ".tracetty" in name]


# Every command that takes -o; the file name is appended.
WRITERS = {
    "export": ["export", "a.json", "-o"],
    "export --stacks": ["export", "--stacks", "time", "a.json", "-o"],
    "repair": ["repair", "a.json", "-o"],
}


def devices():
    try:
        os.mknod("null", 0o600 | stat.S_IFCHR, os.makedev(1, 3))
        node = "null"
    except OSError:
        print("skip a device of our own: not allowed here")
        os.symlink("/dev/null", "null")
        node = "null"
    before = os.stat(node)
    for what, args in WRITERS.items():
        status, _, err = run(*args, node)
        now = os.stat(node)
        ok(what + " to a device", status == 0 and stat.S_ISCHR(now.st_mode) and (now.st_ino, now.st_mode) == (before.st_ino, before.st_mode), err)
    for what, args in WRITERS.items():
        status, _, err = run(*args, "/dev/full")
        ok(what + " to a full device", status == 3 and "/dev/full" in err and "No space" in err, (status, err))


def fifos():
    for what, args in WRITERS.items():
        os.mkfifo("fifo")
        got = []
        reader = threading.Thread(target=lambda: got.append(read("fifo")))
        reader.start()
        status, _, err = run(*args, "fifo")
        reader.join(20)
        run(*args, "plain")
        ok(what + " to a FIFO", status == 0 and got and got[0] == read("plain") and stat.S_ISFIFO(os.stat("fifo").st_mode), err)
        os.unlink("fifo")


def standard_output():
    for what, args in WRITERS.items():
        run(*args, "plain")
        want = read("plain")
        for name in "-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1":
            status, out, err = run(*args, name)
            ok("%s -o %s into a pipe" % (what, name), status == 0 and out == want, err)
            with open("redirected", "wb") as f:
                f.write(b"before\n")
                f.flush()
                status = subprocess.run([BIN, *args, name], stdout=f, stderr=subprocess.DEVNULL).returncode
            ok("%s -o %s into a file, behind what is there" % (what, name), status == 0 and read("redirected") == b"before\n" + want)
        os.symlink("/proc/self/fd/1", "link")
        status, out, err = run(*args, "link")
        ok(what + " through a link to standard output", status == 0 and out == want and os.path.islink("link"), err)
        os.unlink("link")


def links():
    os.mkdir("far")
    for what, args in WRITERS.items():
        run(*args, "plain")
        want = read("plain")
        with open("far/target", "w") as f:
            f.write("old")
        os.symlink("far/target", "one")
        os.symlink("one", "two")
        inode = os.stat("far/target").st_ino
        status, _, err = run(*args, "two")
        ok(what + " through two links", status == 0 and os.path.islink("one") and os.path.islink("two") and read("far/target") == want, err)
        ok(what + " replaces what they lead to as a whole", os.stat("far/target").st_ino != inode)
        os.unlink("far/target")
        status, _, err = run(*args, "two")
        ok(what + " through links that led to nothing", status == 0 and os.path.islink("two") and read("far/target") == want, err)
        os.symlink("loop", "loop")
        status, _, err = run(*args, "loop")
        ok(what + " through a circle of links", status == 3 and "loop" in err, err)
        for name in "one", "two", "loop", "far/target":
            os.unlink(name)
    status, _, err = run("export", "a.json", "-o", "far")
    ok("a folder is no output", status == 3 and "far: " in err and "directory" in err, err)
    for name in "n" * 255, "n" * 250 + ".json":
        status, _, err = run("export", "a.json", "-o", name)
        ok("a name of %d bytes" % len(name), status == 0 and os.path.exists(name), err)
        os.unlink(name)
    status, _, err = run("export", "a.json", "-o", "n" * 256)
    ok("a name that is too long", status == 3 and "too long" in err, err)


def modes():
    for what, args in WRITERS.items():
        for mode in 0o600, 0o640, 0o755:
            with open("kept", "w") as f:
                f.write("old")
            os.chmod("kept", mode)
            if os.geteuid() == 0:
                os.chown("kept", 12345, 54321)
            before = os.stat("kept")
            status, _, err = run(*args, "kept")
            now = os.stat("kept")
            ok("%s keeps mode %o and owner" % (what, mode), status == 0 and now.st_size != 3 and (now.st_mode, now.st_uid, now.st_gid) == (before.st_mode, before.st_uid, before.st_gid), err)
            os.unlink("kept")
        run(*args, "new", preexec_fn=lambda: os.umask(0o027))
        ok(what + " gives a new file the mode that the umask allows", stat.S_IMODE(os.stat("new").st_mode) == 0o640, oct(os.stat("new").st_mode))
        os.unlink("new")
    if os.geteuid() != 0:
        with open("protected", "w") as f:
            f.write("old")
        os.chmod("protected", 0o444)
        status, _, err = run("export", "a.json", "-o", "protected")
        ok("what is read-only is not replaced", status == 3 and "protected" in err and read("protected") == b"old", err)


def inputs():
    os.mkdir("d")
    for name in "r0.pt.trace.json", "r1.pt.trace.json":
        trace("d/" + name)
    with zipfile.ZipFile("z.zip", "w") as z:
        z.write("a.json", "x.pt.trace.json")
        z.write("a.json", "y.pt.trace.json")
    with tarfile.open("t.tgz", "w:gz") as t:
        t.add("a.json", "x.pt.trace.json")
        t.add("a.json", "y.pt.trace.json")
    trace("s.json")
    os.link("s.json", "hard.json")
    os.symlink("s.json", "soft.json")
    os.makedirs("runs/one")
    os.makedirs("runs/two")
    trace("runs/one/w.pt.trace.json")
    trace("runs/two/w.pt.trace.json")
    cases = [
        (["export", "--worker", "x", "-o", "z.zip", "z.zip"], "z.zip"),
        (["export", "-o", "z.zip", "z.zip/x.pt.trace.json"], "z.zip"),
        (["export", "--stacks", "time", "--worker", "x", "-o", "z.zip", "z.zip"], "z.zip"),
        (["repair", "z.zip/x.pt.trace.json", "-o", "z.zip"], "z.zip"),
        (["export", "--worker", "y", "-o", "t.tgz", "t.tgz"], "t.tgz"),
        (["repair", "t.tgz/x.pt.trace.json", "-o", "t.tgz"], "t.tgz"),
        (["export", "--worker", "r0", "-o", "d/r1.pt.trace.json", "d"], "d/r1.pt.trace.json"),
        (["export", "--worker", "r0", "-o", "./d/../d/r0.pt.trace.json", "d"], "d/r0.pt.trace.json"),
        (["export", "--merge", "-o", "d/r1.pt.trace.json", "d/r0.pt.trace.json", "d/r1.pt.trace.json"], "d/r1.pt.trace.json"),
        (["export", "-o", "runs/two/w.pt.trace.json", "runs"], "runs/two/w.pt.trace.json"),
        (["export", "-o", "hard.json", "s.json"], "s.json"),
        (["export", "-o", "soft.json", "s.json"], "s.json"),
        (["export", "-o", "s.json", "soft.json"], "s.json"),
        (["repair", "s.json", "-o", "hard.json"], "s.json"),
        (["repair", "soft.json", "-o", "s.json"], "s.json"),
        (["export", "-", "-o", "s.json"], "s.json"),
        (["repair", "-", "-o", "hard.json"], "s.json"),
    ]
    for args, kept in cases:
        before = digest(kept), os.stat(kept).st_ino
        with open("s.json") as stdin:
            status, _, err = run(*args, stdin=stdin)
        ok("not over an input: " + " ".join(args), status == 2 and "is an input" in err and (digest(kept), os.stat(kept).st_ino) == before, (status, err))
    for args in ["export", "s.json", "-o", "-"], ["repair", "s.json", "-o", "/dev/stdout"]:
        before = digest("s.json")
        with open("s.json", "ab") as out:
            p = subprocess.run([BIN, *args], stdout=out, stderr=subprocess.PIPE)
        ok("not behind an input: " + " ".join(args), p.returncode == 2 and digest("s.json") == before, p.stderr)
    status, _, err = run("export", "--worker", "r0", "-o", "d/other.json", "d")
    ok("beside the inputs", status == 0 and os.path.exists("d/other.json"), err)

    def explorer(what, keys, args, kept, says):
        before = digest(kept), os.stat(kept).st_ino
        status, out, err = run("--dump", "160x30", "--keys", keys, *args)
        ok("explorer: " + what, status == 0 and says in out.decode() and (digest(kept), os.stat(kept).st_ino) == before, err or out.decode()[-400:])

    for name in "s.json", "hard.json", "soft.json":
        explorer("no dump over the trace: " + name, ': "dump %s" Enter' % name, ["s.json"], "s.json", "is an input")
        explorer("no export over the trace: " + name, '4 : "export %s" Enter' % name, ["s.json"], "s.json", "is an input")
        explorer("no export-trace over the trace: " + name, ': "export-trace %s" Enter' % name, ["s.json"], "s.json", "is an input")
        explorer("the export key does not either: " + name, '4 e ^U "%s" Enter' % name, ["s.json"], "s.json", "is an input")
        explorer("nor that of tables: " + name, '2 e ^U "%s" Enter' % name, ["s.json"], "s.json", "is an input")
    explorer("no export over another worker", '4 : "export d/r1.pt.trace.json" Enter', ["d"], "d/r1.pt.trace.json", "is an input")
    explorer("no dump over the archive", ': "dump z.zip" Enter', ["z.zip"], "z.zip", "is an input")


def questions():
    """The explorer asks before it replaces a file."""
    names = {"export (table)": ("--screen operators", "export", "q.csv"), "export (trace)": ("--screen trace", "export", "q.json"),
             "export (stacks)": ("--screen flame", "export", "q.folded"), "export-trace": ("--screen trace", "export-trace", "q.json.gz"), "dump": ("--screen operators", "dump", "q.txt")}
    for what, (screen, command, name) in names.items():
        def press(keys):
            status, out, err = run("--dump", "100x20", *screen.split(), "--keys", keys, "a.json")
            return out.decode() + err
        with contextlib.suppress(FileNotFoundError):
            os.unlink(name)
        line = ': "%s %s" Enter' % (command, name)
        shown = press(line)
        ok(what + ": a new file without a question", "written to " + name in shown and os.path.exists(name), shown[-300:])
        whole = read(name)
        with open(name, "wb") as f:
            f.write(b"mine")
        shown = press(line)
        ok(what + ": a question about one that is there", "replace %s? y n" % name in shown and read(name) == b"mine", shown[-300:])
        for key in "n", "Enter", "Esc", "Space", "q", "^C", "Down":
            shown = press(line + " " + key)
            ok("%s: %s is no" % (what, key), "cancelled" in shown and read(name) == b"mine", shown[-300:])
        shown = press(line + " y")
        ok(what + ": y is yes", "written to " + name in shown and read(name) != b"mine", shown[-300:])
        ok(what + ": all of it", what == "dump" or read(name) == whole)
        shown = press(line + " y " + line)
        ok(what + ": asked again the next time", "replace %s? y n" % name in shown, shown[-300:])
    for name in "null", "/dev/null":
        status, out, _ = run("--dump", "100x20", "--keys", ': "dump %s" Enter' % name, "a.json")
        ok("dump: a device is asked about, too: " + name, "is no regular file: write to it? y n" in out.decode(), out.decode()[-300:])
        status, out, _ = run("--dump", "100x20", "--keys", ': "dump %s" Enter y' % name, "a.json")
        ok("dump: ... and stays", "written to" in out.decode() and stat.S_ISCHR(os.stat(name).st_mode))
    os.mkfifo("unread")
    status, out, _ = run("--dump", "100x20", "--keys", ': "dump unread" Enter y', "a.json")
    ok("dump: nobody reads the FIFO", "unread: cannot be written" in out.decode(), out.decode()[-300:])


def full():
    """On a full disk the message names the file, the old file stays, and no other is left."""
    small = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (20000, 20000))
    trace("big.json", 5000)
    for what, args in WRITERS.items():
        args = ["big.json" if a == "a.json" else a for a in args]
        if "--stacks" in args:
            continue  # only a few lines
        for name in "limited", "limited.gz":
            for before in None, b"old":
                with contextlib.suppress(FileNotFoundError):
                    os.unlink(name)
                if before:
                    with open(name, "wb") as f:
                        f.write(before)
                limit = (lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (300, 300))) if name.endswith("gz") else small
                status, _, err = run(*args, name, preexec_fn=limit)
                kept = read(name) if os.path.exists(name) else None
                ok("%s: a file that may not grow: %s%s" % (what, name, " over another" if before else ""), status == 3 and name in err and "too large" in err and kept == before, (status, err, kept))
        with open("through", "wb") as f:
            p = subprocess.run([BIN, *args, "-"], stdout=f, stderr=subprocess.PIPE, preexec_fn=small)
        ok(what + ": standard output that may not grow", p.returncode == 3 and b"standard output" in p.stderr and b"too large" in p.stderr, (p.returncode, p.stderr))
    for file_name in "limited", "limited.gz", "through":
        os.unlink(file_name)
    status, out, _ = run("--dump", "120x20", "--keys", ': "export-trace shot.json" Enter', "big.json", preexec_fn=small)
    ok("explorer: a file that may not grow", "shot.json: cannot be written: File too large" in out.decode() and not os.path.exists("shot.json"), out.decode()[-300:])
    os.mkdir("tiny")
    if os.geteuid() != 0 or subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", "tiny"], capture_output=True).returncode:
        print("skip a full file system: none can be mounted here")
        return
    try:
        with open("tiny/out.json", "w") as f:
            f.write("old")
        status, _, err = run("export", "big.json", "-o", "tiny/out.json")
        ok("a full file system", status == 3 and "tiny/out.json" in err and "No space" in err and read("tiny/out.json") == b"old" and not left("tiny"), (status, err))
        status, _, err = run("repair", "big.json", "-o", "tiny/new.json")
        ok("a full file system: a new file", status == 3 and "tiny/new.json" in err and os.listdir("tiny") == ["out.json"], (status, err))
    finally:
        subprocess.run(["umount", "tiny"], check=True)


def signals():
    """A signal that ends the program while it writes removes the unfinished file."""
    names = ["INT", "TERM", "HUP", "QUIT", "PIPE", "ALRM", "USR1", "USR2", "XCPU", "VTALRM", "PROF", "ABRT", "RTMIN"]
    head = b'{"traceEvents": [' + b",".join(b'{"ph":"X","cat":"c","name":"n%d","pid":1,"tid":1,"ts":%d,"dur":1}' % (i, i) for i in range(50000))
    with open("old.json", "w") as f:
        f.write("old")
    if os.environ.get("EMULATED"):
        names.remove("RTMIN")
        print("skip SIGRTMIN while it writes: the emulator keeps that signal for itself")
    for name in names:
        number = getattr(signal, "SIG" + name)
        p = subprocess.Popen([BIN, "repair", "-", "-o", "old.json"], stdin=subprocess.PIPE, stderr=subprocess.DEVNULL,
                             preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CORE, (0, 0)))
        p.stdin.write(head)
        p.stdin.flush()
        was = until(left)
        p.send_signal(number)
        status = p.wait()
        p.stdin.close()
        ok("SIG%s while it writes" % name, was and status == -number and not left() and read("old.json") == b"old", (was, status, left()))


def text():
    """No text that drives a terminal gets out, and the JSON keeps its meaning."""
    controls = "".join(map(chr, [0x7f, *range(0x80, 0xa0), 0x61c, 0x200e, 0x200f, *range(0x2028, 0x202f), *range(0x2066, 0x206a)]))
    names = ["a\u009bb", "c\u202ed", controls, "e\u2026\u2192\u4e2d\u6587\U0001f600\u00e9\u0628"] + ["x" * i + "\u202e\u009b" + "y" * i for i in range(40)]
    events = [{"ph": "X", "cat": "cpu_op", "name": n, "pid": 1, "tid": 1, "ts": 10 * i, "dur": 5, "args": {n: n}} for i, n in enumerate(names)]
    for path, data in ("c.json", json.dumps({"traceEvents": events, "x" + controls: controls}, ensure_ascii=False)), ("broken.json", json.dumps({"traceEvents": events}, ensure_ascii=False) + ","):
        with open(path, "w") as f:
            f.write(data)
    for what, args in {"export": ["export", "c.json"], "export of a part": ["export", "--range", "0-1ms", "c.json"], "repair": ["repair", "broken.json"]}.items():
        status, out, err = run(*args, "-o", "-")
        raw = out.decode()
        ok(what + ": no control gets out", status == 0 and not any(c in raw for c in controls), err)
        ok(what + ": the same text", [(e["name"], e["args"]) for e in events_of(raw)] == [(n, {n: n}) for n in names])
    trace("cr.json", 3, "fake\rOK \x1b[2J,\"x\"\n\ty")
    status, out, _ = run("summary", "--table", "operators", "--format", "csv", "cr.json")
    rows = list(csv.DictReader(io.StringIO(out.decode(), newline="")))
    ok("CSV: CR and ESC are pictures, quotes and line ends as RFC 4180 has them", [r["name"] for r in rows] == ["fake\u240dOK \u241b[2J,\"x\"\n\ty"] and b"\r" not in out, out)


def expressions():
    deep = "(" * 20000 + "a" + ")" * 20000
    for what, pattern in {"20,000 parentheses": deep, "a long repetition": "a{1,32767}", "repetitions in each other": "((a{1,200}){1,200}){1,200}", "a+ in each other": "(" * 40 + "a" + ")+" * 40,
                          "anchors that repeat": "((^|a)*(b|$)*){1,20}", "a number of what may be empty": "((((a*){0,10})+){2,9})*", "a reference back": "(a*)*\\1",
                          "60,000 signs": "a" + "*" * 60000, "60,000 ends": ")" * 60000, "60,000 characters": "a" * 60000, "60,000 branches": "|" * 60000}.items():
        status, _, err = run("summary", "--table", "operators", "--filter-regex", pattern, "a.json", preexec_fn=limit_memory)
        ok("refused: " + what, status == 2 and "regular expression" in err, (status, err))
        if len(pattern) > 400:
            continue  # longer than the prompt allows
        status, out, _ = run("--dump", "120x20", "--screen", "operators", "--keys", ': "filter-regex %s" Enter' % pattern, "a.json")
        ok("explorer refuses: " + what, status == 0 and "regular expression" in out.decode(), out.decode()[-300:])
        status, out, _ = run("--dump", "120x20", "--screen", "trace", "--keys", ': "filter ~%s" Enter' % pattern, "a.json")
        ok("timeline refuses: " + what, status == 0 and "regular expression" in out.decode(), out.decode()[-300:])
    for pattern, n in {"^op[12]$": 2, "op(1|2|3)": 3, "(o|p){2}[[:digit:]]": 7, "^(op)+1": 1, "op.{0,200}6": 1, "x|op5": 1}.items():
        status, out, err = run("summary", "--table", "operators", "--format", "json", "--filter-regex", pattern, "a.json")
        ok("taken: " + pattern, status == 0 and len(json.loads(out)["tables"][0]["rows"]) == n, err)


def main():
    folder = tempfile.mkdtemp()
    os.chdir(folder)
    try:
        trace("a.json")
        for part in devices, fifos, standard_output, links, modes, inputs, questions, full, signals, text, expressions:
            part()
            ok(part.__name__ + ": nothing is left behind", not left(), left())
            sys.stdout.flush()
    finally:
        os.chdir("/")
        shutil.rmtree(folder)
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
