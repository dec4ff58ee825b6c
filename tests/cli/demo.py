#!/usr/bin/env python3
"""`tracetty demo` opens the samples of every installation, from any working folder. Environment BIN."""
import fcntl
import os
import pty
import re
import select
import shutil
import struct
import subprocess
import sys
import tempfile
import termios

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tools"))
from until import until  # noqa: E402

BIN = os.path.abspath(os.environ["BIN"])
TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
ASSETS = os.path.join(TOP, "assets")
FIRST = b"Waits for input"  # how the first finding about sample_gpu begins


def report(what, good, why=""):
    print("ok %s" % what if good else "FAIL %s: %s" % (what, str(why)[-400:].replace("\n", " | ")), flush=True)


def run(program, *args, cwd="/"):
    p = subprocess.run([program, *args], cwd=cwd, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    return p.returncode, p.stdout, p.stderr


def defined():
    """(name, what it shows, paths) of the list that the program is made of."""
    text = re.sub(r"/\*.*?\*/", "", open(os.path.join(TOP, "tui/commands/samples.def"), encoding="utf-8").read(), flags=re.S)
    lines = re.findall(r'^X\("([^"]+)",\s*"([^"]+)",\s*"([^"]+)",\s*(?:NULL|"([^"]+)")\)', text, re.M)
    assert len(lines) == len(re.findall(r"^X\(", text, re.M)), "a line of samples.def is not understood"
    return [(name, shows, [p for p in paths if p]) for name, shows, *paths in lines]


def put(program, folder, *names):
    """A copy of the program, and of these samples in `folder`."""
    os.makedirs(os.path.dirname(program))
    shutil.copy(BIN, program)
    for name in names:
        os.makedirs(folder, exist_ok=True)
        shutil.copytree(os.path.join(ASSETS, name), os.path.join(folder, name))


def on_terminal(program, *args):
    """What the program draws on a terminal of 100x30 until the first finding is there; then q leaves."""
    pid, fd = pty.fork()
    if pid == 0:
        fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack("HHHH", 30, 100, 0, 0))
        os.chdir("/")
        os.environ.update(TERM="xterm-256color", LC_ALL="C.UTF-8")
        os.execv(program, [program, *args])
    seen = bytearray()

    def more():
        while select.select([fd], [], [], 0)[0]:
            try:
                seen.extend(os.read(fd, 65536))
            except OSError:
                return True
        return FIRST in seen
    until(more)
    try:
        os.write(fd, b"q")
    except OSError:
        pass
    until(lambda: more() is None or os.waitpid(pid, os.WNOHANG)[0])
    os.close(fd)
    return seen.decode("utf-8", "replace")


tmp = tempfile.mkdtemp()
try:
    if open(BIN, "rb").read(4) != b"\x7fELF":
        print("skip demo: the program is started by a script, which cannot be copied")
        sys.exit(0)
    samples = defined()
    archive, prefix, alone = (os.path.join(tmp, name) for name in ("archive", "prefix", "alone"))
    put(archive + "/tracetty", archive + "/assets", "sample_gpu", "sample_snapshot")
    put(prefix + "/bin/tracetty", prefix + "/share/tracetty", "sample_gpu", "sample_snapshot")
    put(alone + "/tracetty", alone)
    link = os.path.join(tmp, "link")
    os.symlink(prefix + "/bin/tracetty", link)

    for where, program, folder in (("an archive", archive + "/tracetty", archive + "/assets"), ("a prefix", prefix + "/bin/tracetty", prefix + "/share/tracetty"),
                                   ("a link to the program", link, prefix + "/share/tracetty")):
        want = run(program, os.path.join(folder, "sample_gpu"))
        report("demo without NAME from " + where, run(program, "demo") == want and want[0] == 0 and "Findings" in want[1], run(program, "demo"))
        got, want = run(program, "demo", "snapshot"), run(program, os.path.join(folder, "sample_snapshot"))
        report("demo NAME from " + where, got == want and "Out of memory" in got[1], got)

    status, out, err = run(alone + "/tracetty", "demo")
    looked = all(place in err for place in (alone + "/assets", tmp + "/share/tracetty"))
    report("no samples: where they were looked for, and what to do", status == 3 and not out and looked and "'assets'" in err, (status, err))
    shutil.copytree(ASSETS + "/sample_gpu", archive + "/assets/sample_gpu_before")
    status, out, err = run(archive + "/tracetty", "demo", "compare")
    want = run(archive + "/tracetty", "diff", archive + "/assets/sample_gpu_before", archive + "/assets/sample_gpu")
    report("demo compare is a diff", (status, out, err) == want and status == 0 and "BASE" in out, (status, out[:200], err))
    shown = run(archive + "/tracetty", "demo", "compare", "--dump", "100x30")
    report("demo compare --dump", shown[0] == 0 and "[Cmp]" in shown[1] and len(shown[1].splitlines()) == 30, shown[1][:300])
    shutil.rmtree(archive + "/assets/sample_gpu")
    status, out, err = run(archive + "/tracetty", "demo", "compare")
    report("a sample of which one run is missing", status == 3 and not out and "there is no sample_gpu in" in err, (status, err))

    status, out, err = run(BIN, "demo", "snapshit")
    report("unknown NAME: the nearest, and all of them", status == 2 and not out and "did you mean 'snapshot'?" in err
           and all(re.search(r"\b%s +%s" % (name, re.escape(shows)), err) for name, shows, _ in samples), (status, err))
    text = run(BIN, "help", "demo")[1]
    report("help demo lists the samples", all(re.search(r"^  %s +%s" % (name, re.escape(shows)), text, re.M) for name, shows, _ in samples), text)
    report("demo takes one NAME", run(BIN, "demo", "gpu", "xla")[0] == 2)

    shown = run(prefix + "/bin/tracetty", "demo", "--dump", "100x30", "--screen", "kernels", "--keys", "j")
    want = run(prefix + "/bin/tracetty", "--dump", "100x30", "--screen", "kernels", "--keys", "j", prefix + "/share/tracetty/sample_gpu")
    report("options of the explorer", shown == want and shown[0] == 0 and "Kernels" in shown[1], shown)
    text = on_terminal(prefix + "/bin/tracetty", "demo")
    report("demo on a terminal shows the first screen", "1 Over" in text and FIRST.decode() in text, text)

    for name, shows, paths in samples:
        missing = [p for p in paths if not os.path.exists(os.path.join(ASSETS, p))]
        if missing:
            print("skip sample %s: the sources have no %s" % (name, missing[0]))
            continue
        command = ["diff"] if len(paths) > 1 else []
        opened = run(BIN, *command, *[os.path.join(ASSETS, p) for p in paths])
        report("sample %s opens: %s" % (name, shows), opened[0] == 0 and opened[1], opened[2])
finally:
    shutil.rmtree(tmp)
