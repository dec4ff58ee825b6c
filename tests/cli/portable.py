#!/usr/bin/env python3
"""The portable program runs in the folder it is unpacked to: by its ELF tables it needs glibc 2.27 or older and no
other library; its capture library needs glibc 2.17. Argument: the unpacked folder, by default build/portable as `make
portable` leaves it, if it exists. The exit status says whether all checks held; `make portable` uses it."""
import glob
import os
import re
import subprocess
import sys

sys.dont_write_bytecode = True
top = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
sys.path.insert(0, os.path.join(top, "tests", "tools"))
from elf import Elf, is_glibc
from links import broken

LOADERS = {62: "/lib64/ld-linux-x86-64.so.2", 183: "/lib/ld-linux-aarch64.so.1"}
FILES = {"tracetty", "libtracetty_capture.so", "LICENSE", "README.md", "THIRD-PARTY-NOTICES", "capture/tracetty.h", "capture/tracetty.py",
         "python/tracetty/__init__.py", "python/tracetty/annotations.py", "python/tracetty/py.typed", "assets/tracetty.1",
         "assets/completions/tracetty.bash", "assets/completions/_tracetty", "assets/completions/tracetty.fish",
         "assets/doc/CHANGELOG.md", "assets/sample_snapshot/memory_snapshot.pickle"}
failed = 0


def say(good, what, why=""):
    global failed
    failed += not good
    print("ok " + what if good else "FAIL %s: %s" % (what, why))


def faults(elf, most):
    """Reasons why this file cannot be loaded with a glibc of this version and no other library."""
    found = [n for n in elf.needed if not is_glibc(n)] + elf.later_than(most) + ["path " + p for p in elf.paths]
    if elf.interpreter not in (None, LOADERS[elf.machine]):
        found.append("loader " + elf.interpreter)
    return found


def judge(what, path, most):
    elf = Elf(path)
    say(len(elf.symbols) > 50 and elf.asked, what + ": its tables are read", "%d symbols" % len(elf.symbols))
    wrong = faults(elf, most)
    say(not wrong, "%s: glibc %d.%d and nothing else" % ((what,) + most), ", ".join(wrong[:20]))


# the check must fail on a program linked with this system's libraries, otherwise it proves nothing
ordinary = os.environ.get("BIN", os.path.join(top, "tracetty"))
if os.path.exists(ordinary) and open(ordinary, "rb").read(4) == b"\x7fELF":
    wrong = faults(Elf(ordinary), (2, 17))
    say(len(wrong) > 1, "the ordinary program would not do", "nothing was found")
folders = sys.argv[1:] or [f for f in sorted(glob.glob(os.path.join(top, "build", "portable", "tracetty-*-linux-*"))) if os.path.isdir(f)]
for folder in folders:
    name = os.path.basename(folder.rstrip("/"))
    judge(name + " program", os.path.join(folder, "tracetty"), (2, 27))
    judge(name + " capture library", os.path.join(folder, "libtracetty_capture.so"), (2, 17))
    there = {os.path.relpath(os.path.join(d, f), folder) for d, _, fs in os.walk(folder) for f in fs}
    missing, followed = broken(folder)
    say(followed and not missing, name + ": links of its documents", missing or "none was found")
    code = "import tracetty; print(sum(r['calls'] for r in tracetty.load(%r).table('kernels')))" % os.path.join(folder, "assets/sample_gpu")
    env = {**os.environ, "PYTHONPATH": os.path.join(folder, "python")}
    asked = subprocess.run([sys.executable, "-B", "-c", code], env={k: v for k, v in env.items() if k != "TRACETTY_BIN"}, capture_output=True, text=True)
    say(asked.stdout.strip().isdigit() and int(asked.stdout) > 100, name + ": import tracetty with PYTHONPATH=python", asked.stderr[-400:])
    with open(os.path.join(folder, "THIRD-PARTY-NOTICES"), encoding="utf-8") as f:
        notices = f.read()
    absent = [w for w in ("ISA-L", "ncurses", "simdjson", "SQLite", "zlib", "Zstandard", "libstdc++ and libgcc", "Redistribution and use in source",
                          "GCC Runtime Library Exception", "Jean-loup Gailly", "a blessing", "Thomas E. Dickey") if w not in notices]
    say(not absent, name + ": notices of every library", absent)
    with open(os.path.join(top, "tui", "commands", "samples.def"), encoding="utf-8") as f:
        samples = set(re.findall(r'"(sample_\w+[^"]*)"', f.read()))
    lacks = sorted(s for s in samples if not os.path.exists(os.path.join(folder, "assets", s)))
    say(samples and not lacks, name + ": every sample of tracetty demo", lacks or "samples.def names none")
    say(FILES <= there, name + " is complete", "without " + ", ".join(sorted(FILES - there)))
if not folders:
    print("skip the portable program: make portable has not been run")
sys.exit(failed > 0)
