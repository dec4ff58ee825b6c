#!/usr/bin/env python3
"""Checks that programs can load the capture library in containers of old systems. By its ELF tables it needs glibc
2.17 or older and no other library, and it exports nothing but its interface."""
import os
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tools"))
from elf import Elf, is_glibc

OFFERS = ("tracetty_", "InitializeInjection", "ncclProfiler_v")
lib = Elf(os.path.join(os.environ.get("B", "build"), "libtracetty_capture.so"))


def say(good, what, why=""):
    print("ok " + what if good else "FAIL %s: %s" % (what, why))


if any("san.so" in n for n in lib.needed):
    print("skip the library's symbols: a sanitizer needs more")
    sys.exit(0)
say(len(lib.asked) > 1, "versions are read", lib.asked)
late = lib.later_than((2, 17))
say(not late, "nothing of glibc newer than 2.17 is needed", ", ".join(late))
more = sorted(n for n in lib.needed if not is_glibc(n))
say(not more, "no other library is needed", ", ".join(more))
# before glibc 2.34 these two libraries define the symbols
missing = sorted({"libpthread.so.0", "libdl.so.2"} - set(lib.needed))
say(not missing, "threads and loading come from where old systems have them", ", ".join(missing))
public = [n for n, here, _ in lib.symbols if here]
stray = [n for n in public if not n.startswith(OFFERS)]
say(public and not stray, "it offers its interface alone", ", ".join(stray) or "nothing")
