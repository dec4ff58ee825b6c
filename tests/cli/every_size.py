#!/usr/bin/env python3
"""Every tab at sizes from 40x12 to 250x70, without colour, with 8, 256 and all colours, in ASCII and UTF-8: the
picture has the requested size and only the characters and colours of its mode, and a mark shows each cut word."""
import os
import re
import subprocess
from concurrent.futures import ThreadPoolExecutor

BIN = os.environ["BIN"]
TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
TRACES = [os.path.join(TOP, "assets", t) for t in ("sample_gpu", "sample_paddle", "sample_mindinsight")]
SIZES = ["40x12", "60x20", "80x24", "100x30", "120x35", "160x45", "200x60", "250x70"]
MODES = [("never", "ascii"), ("never", "block"), ("8", "block"), ("256", "block"), ("truecolor", "block"), ("256", "ascii")]
SGR = re.compile(r"\x1b\[([0-9;:]*)m")
CUT_SIGNS = "…~>|+]│▶"


def screens():
    """The names of the tabs, from the answer to an unknown one."""
    p = subprocess.run([BIN, "summary", TRACES[0], "--screen", "no-such-screen"], capture_output=True, stdin=subprocess.DEVNULL)
    err = p.stderr.decode()
    names = [w for w in re.findall(r"[a-z][a-z-]+", err.split(":", 2)[-1])]
    known = []
    for name in names:
        q = subprocess.run([BIN, "summary", TRACES[0], "--screen", name, "--size", "80x24"], capture_output=True, stdin=subprocess.DEVNULL)
        if q.returncode == 0 and name not in known:
            known.append(name)
    return known


def picture(trace, screen, size, color, unicode):
    p = subprocess.run([BIN, "summary", trace, "--screen", screen, "--size", size, "--color", color, "--unicode", unicode],
                       capture_output=True, stdin=subprocess.DEVNULL)
    if p.returncode:
        raise AssertionError("status %d: %s" % (p.returncode, p.stderr.decode()[:200]))
    return p.stdout.decode("utf-8")


def colours_ok(text, color):
    for m in SGR.finditer(text):
        parts = m.group(1)
        if color == "8" and re.search(r"(38|48)[;:]", parts):
            return "a colour beyond eight: " + parts
        if color == "256" and re.search(r"(38|48)[;:]2", parts):
            return "a true colour: " + parts
    return None


def cut_words(lines, width, wide):
    """Words at the right edge that begin a longer word of the wide picture."""
    words = set(re.findall(r"[A-Za-z]{3,}", wide))
    for line in lines:
        if len(line) < width or line[-1] in CUT_SIGNS or line.lstrip().startswith("idle:"):  # a lane of letters
            continue
        m = re.search(r"[A-Za-z]{3,}$", line)
        if not m or m.group() in words or re.search(r"(.)\1\1", m.group()):  # fill patterns of slices
            continue
        longer = [w for w in words if w.startswith(m.group())]
        if longer:
            return "%r is cut from %r: %s" % (m.group(), longer[0], line.strip()[-60:])
    return None


def check(job):
    trace, screen, size = job
    width, height = map(int, size.split("x"))
    wide = picture(trace, screen, "250x70", "never", "block")
    for color, unicode in MODES:
        text = picture(trace, screen, size, color, unicode)
        plain = SGR.sub("", text)
        lines = plain.rstrip("\n").split("\n")
        what = "%s %s" % (color, unicode)
        if "\x1b" in plain or (color == "never" and "\x1b" in text):
            return what + ": a sequence that is no colour"
        if len(lines) > height or max(map(len, lines)) > width:
            return "%s: %d lines, the widest %d" % (what, len(lines), max(map(len, lines)))
        if unicode == "ascii" and not plain.isascii():
            return "%s: %r" % (what, next(c for c in plain if ord(c) > 127))
        why = colours_ok(text, color) or cut_words(lines, width, wide)
        if why:
            return what + ": " + why
    return None


jobs = [(t, s, z) for t in TRACES for s in screens() for z in SIZES]
if os.environ.get("EVERY_SIZE") != "all":  # by default one size in three; EVERY_SIZE=all takes all
    jobs = [j for i, j in enumerate(jobs) if i % 3 == 0]
with ThreadPoolExecutor(os.cpu_count()) as pool:
    for job, why in zip(jobs, pool.map(check, jobs)):
        name = "%s %s %s" % (os.path.basename(job[0]), job[1], job[2])
        print("ok " + name if not why else "FAIL %s: %s" % (name, why))
