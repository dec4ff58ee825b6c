#!/usr/bin/env python3
"""Displayed texts use the terms of the field: no string of the sources, no help, no manual page, no README and no
screen of the samples (with TRACETTY_CORPUS: also of some recorded traces) contains a text that tests/lint/wording.txt
forbids."""
import glob
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BIN = os.environ.get("BIN", os.path.join(ROOT, "tracetty"))
os.chdir(ROOT)
RULES = []
for line in open("tests/lint/wording.txt", encoding="utf-8"):
    if line.strip() and not line.startswith("#"):
        pattern, instead = line.rstrip("\n").split(" => ")
        RULES.append((re.compile(pattern), instead))

TOKEN = re.compile(r'/\*.*?\*/|//[^\n]*|"((?:[^"\\\n]|\\.)*)"|\'(?:[^\'\\\n]|\\.)*\'', re.S)


def strings(path):
    """The string literals of a C file, neighbours joined, without comments and #include lines."""
    text = re.sub(r"^\s*#\s*include.*$", "", open(path, encoding="utf-8").read(), flags=re.M)
    out, end = [], -1
    for m in TOKEN.finditer(text):
        if m.group(1) is None:
            continue
        if end >= 0 and not text[end : m.start()].strip():
            out[-1] += m.group(1)
        else:
            out.append(m.group(1))
        end = m.end()
    return out


def forbidden(text):
    for pattern, instead in RULES:
        m = pattern.search(text)
        if m:
            return "'%s' (say: %s)" % (text[max(0, m.start() - 40) : m.end() + 30].strip(), instead)
    return None


def check(name, texts):
    found = [f for f in map(forbidden, texts) if f]
    if found:
        print("FAIL %s: %s" % (name, "; ".join(found[:200]).replace("\n", " ")))
    else:
        print("ok", name)


def run(*args):
    env = dict(os.environ, LC_ALL="C.UTF-8", TZ="UTC", COLUMNS="160")
    done = subprocess.run([BIN, *args], env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    return done.stdout.decode("utf-8", "replace").split("\n")


# check that the check can fail
assert forbidden("GPU0 runs kernels only 45.5 % of the time") and forbidden("Kept Waiting"), "nothing is found"
assert not forbidden("GPU 0 is busy 45.5% of the step time")
assert strings("tests/lint/wording_example.c") == ["joined text", "other"], "strings of sources are not read"

sources = [p for d in ("tui", "model", "parser") for p in glob.glob(d + "/**/*.[ch]", recursive=True)]
sources += glob.glob("tui/**/*.def", recursive=True) + glob.glob("model/**/*.def", recursive=True)
check("strings of the sources", ["%s: %s" % (p, s) for p in sorted(sources) for s in strings(p)])
for document in ["README.md", *sorted(glob.glob("assets/doc/*.md"))]:
    check(document, open(document, encoding="utf-8").read().split("\n"))
commands = re.findall(r'^X\([A-Z]+, "([a-z-]+)"', open("tui/args/commands.def", encoding="utf-8").read(), re.M)
for command in commands:
    check("help " + command, run("help", command))
check("manual page", run("help", "--man"))
check("tables", run("tables"))
folders = ["assets/sample_gpu", "assets/sample_ascend", "assets/sample_mindinsight", "assets/sample_cpu.pt.trace.json.gz"]
corpus = os.environ.get("TRACETTY_CORPUS")
if corpus:
    names = ("pytorch/resnet50_num_workers_0", "pytorch/h100_bert-small", "paddle/dist2")
    folders += [p for p in (os.path.join(corpus, "traces", n) for n in names) if os.path.exists(p)]
screens = ["overview", "operators", "kernels", "timeline", "memory", "distributed", "steps", "data", "modules", "api", "idle"]
for folder in folders:
    for screen in screens + ["roofline", "problems"]:
        shown = [l for l in run("--dump", "160x45", "--screen", screen, folder) if "there is no" not in l]
        check("%s %s" % (os.path.basename(folder), screen), shown)
    check("%s summary" % os.path.basename(folder), run("summary", folder))
sys.exit(0)
