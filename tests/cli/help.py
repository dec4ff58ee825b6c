#!/usr/bin/env python3
"""Help fits a terminal, names all formats, and its exit statuses and examples are true. Environment BIN."""
import os
import pty
import re
import select
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tools"))
from until import until  # noqa: E402

BIN = os.path.abspath(os.environ["BIN"])
TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SAMPLE = os.path.join(TOP, "assets", "sample_gpu")
HANG = os.path.join(TOP, "assets", "sample_hang")
XLA = os.path.join(TOP, "assets", "sample_xla")
WIDTH = 100


def report(what, good, why=""):
    print("ok %s" % what if good else "FAIL %s: %s" % (what, str(why)[-500:].replace("\n", " | ")), flush=True)


def run(*args, cwd=TOP, shell=None, **env):
    p = subprocess.run(["sh", "-c", shell] if shell else [BIN, *args], cwd=cwd, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                       check=False, env=dict(os.environ, **env))
    return p.returncode, p.stdout, p.stderr


def defined(path, pattern):
    return re.findall(pattern, open(os.path.join(TOP, path), encoding="utf-8").read(), re.M)


def on_terminal(term, *args):
    """What the program prints on a terminal of this type until it ends."""
    pid, fd = pty.fork()
    if pid == 0:
        os.environ.pop("TERM", None)
        os.environ.update({} if term is None else {"TERM": term})
        os.execv(BIN, [BIN, *args])
    seen, ended = bytearray(), []

    def end():
        try:
            while select.select([fd], [], [], 0)[0]:
                got = os.read(fd, 65536)
                seen.extend(got)
                if not got: break
        except OSError:
            pass
        ended[:] = os.waitpid(pid, os.WNOHANG)
        return ended[0]
    if not until(end):
        os.write(fd, b"q")  # it drew
        until(end)
    os.close(fd)
    return seen.decode("utf-8", "replace").replace("\r\n", "\n")


commands = [name for name in defined("tui/args/commands.def", r'^X\([A-Z_]+, "([a-z-]*)"') if name]
shown = [name for name in commands if name not in ("bench-load", "answer")]
tmp = tempfile.mkdtemp()
helps = {name: run("help", name)[1] for name in commands + ["explore"]}


# ---- lines

long = {what: [line for line in text.split("\n") if len(line) > WIDTH]
        for what, text in [("--help", run("--help")[1]), ("tables", run("tables")[1])] + list(helps.items())}
report("no line of help has more than %d columns" % WIDTH, not any(long.values()) and all(helps.values()), {k: v for k, v in long.items() if v})
report("--help of a command is its help", all(run(name, "--help")[1] == helps[name] for name in shown))
main = run("--help")[1]
report("help is --help", run("help")[1] == main)
first = main.split("\n")[:24]
report("24 lines name all commands, and how to begin", "tracetty demo" in "\n".join(first)
       and [re.match(r"  ([a-z]+)( |$)", line).group(1) for line in first if re.match(r"  (?!tracetty)[a-z]", line)] == shown, main)
begins = [re.match(r" {3,}|  \S.*? {2,}", line) for line in first[8:]]
columns = {found.end() for found in begins if found}
report("what commands do begins in one column", len(columns) == 1, columns)
titles = defined("parser/formats/formats.c", r'^\s+\{\.info = \{"[a-z]+", "([^"]+)"\}')
report("--help names every format", len(titles) > 9 and all(t in " ".join(main.split()) for t in titles if "SQLite" not in t),
       [t for t in titles if t not in " ".join(main.split())])


# ---- statuses

def listed(name):
    return set(re.findall(r"^  (\d+\+?N?|N) ", helps[name].split("exit status:\n")[1], re.M))


def write(name, data):
    with open(os.path.join(tmp, name), "wb") as f:
        f.write(data)
    return os.path.join(tmp, name)


damaged = write("damaged.json", b'{"traceEvents":[{"ph":"X","pid":1,"tid":1,"ts":1,"dur":2,"name":"a","cat":"kernel"},{"ph":"X","pid":')
text, empty = write("text.txt", b"hello\n" * 99), os.path.join(tmp, "empty")
os.mkdir(empty)
shutil.copy(BIN, os.path.join(tmp, "alone"))
broken = os.path.join(tmp, "broken")
os.mkdir(broken)
write("broken/a.pt.trace.json", b"{")
tts, little = os.path.join(tmp, "one.tts"), ("--max-events", "1")
copied = open(BIN, "rb").read(4) == b"\x7fELF"
tried = [("explore", 0, [SAMPLE]), ("explore", 2, ["--steps", "x", SAMPLE]), ("explore", 3, [empty]), ("explore", 4, [*little, SAMPLE]),
         ("demo", 0, ["demo"] if os.path.dirname(BIN) == TOP else ["help", "demo"]), ("demo", 2, ["demo", "none"]),
         ("demo", 4, ["demo", "--max-memory", "1"] if os.path.dirname(BIN) == TOP else ["--max-memory", "1", SAMPLE]),
         ("summary", 0, ["summary", SAMPLE]), ("summary", 1, ["summary", "--fail-on", "hang", HANG]), ("summary", 2, ["summary"]), ("summary", 3, ["summary", text]), ("summary", 4, ["summary", *little, SAMPLE]),
         ("tables", 0, ["tables"]), ("tables", 2, ["tables", "none"]),
         ("check", 0, ["check", SAMPLE]), ("check", 1, ["check", damaged]), ("check", 2, ["check"]), ("check", 3, ["check", text]),
         ("check", 4, ["check", *little, SAMPLE]),
         ("diff", 0, ["diff", SAMPLE, SAMPLE]), ("diff", 1, ["diff", "--fail-on", "step>0%", "--base-steps", "2-3", "--new-steps", "3-4", SAMPLE, SAMPLE]),
         ("diff", 2, ["diff"]), ("diff", 3, ["diff", SAMPLE, empty]), ("diff", 4, ["diff", *little, SAMPLE, SAMPLE]),
         ("summarize", 0, ["summarize", SAMPLE, "-o", tts]), ("summarize", 1, ["summarize", "--require-all", damaged, text, SAMPLE, "-o", tts + "1"]),
         ("summarize", 2, ["summarize"]), ("summarize", 3, ["summarize", empty, "-o", tts + "2"]),
         ("summarize", 4, ["summarize", *little, SAMPLE, "-o", tts + "3"]),
         ("merge", 0, ["merge", "-o", tts + "4", tts]), ("merge", 1, ["merge", "--require-all", "-o", tts + "5", tts, text]), ("merge", 2, ["merge"]),
         ("merge", 3, ["merge", "-o", tts + "6", empty]),
         ("sql", 0, ["sql", "-e", "SELECT 1", SAMPLE]), ("sql", 2, ["sql", "-e", "SELEKT", SAMPLE]), ("sql", 3, ["sql", "-e", "SELECT 1", empty]),
         ("sql", 4, ["sql", *little, "-e", "SELECT 1", SAMPLE]),
         ("export", 0, ["export", XLA, "-o", tmp + "/x.json"]), ("export", 2, ["export"]), ("export", 3, ["export", empty, "-o", tmp + "/y.json"]),
         ("repair", 0, ["repair", damaged, "-o", tmp + "/repaired.json"]), ("repair", 2, ["repair"]), ("repair", 3, ["repair", text, "-o", tmp + "/z.json"]),
         ("cluster", 0, ["cluster", "--engine", "local", "--quiet", "-o", tmp + "/c.tts", SAMPLE]), ("cluster", 2, ["cluster"]),
         ("cluster", 1, ["cluster", "--engine", "local", "--quiet", "--require-all", "-o", tmp + "/c1.tts", SAMPLE, broken]), ("cluster", 3, ["cluster", "--engine", "local", empty]),
         ("record", 2, ["record"]), ("record", 127, ["record", "-o", tmp + "/rec", "--", "/nonexistent/program"]),
         ("record", 126, ["record", "-o", tmp + "/rec2", "--", text]),
         ("ctl", 2, ["ctl"]), ("ctl", 3, ["ctl", empty, "status"]), ("doctor", 0, ["doctor"]), ("doctor", 2, ["doctor", "x"]),
         ("help", 0, ["help"]), ("help", 2, ["help", "none"])]
# what more than a command line shows: a signal, a full disk, a recorder that is missing, too little memory
UNTRIED = {("cluster", "128+N"), ("record", "N"), ("record", "125"), ("export", "4"), ("ctl", "0"), ("demo", "3"),
           ("tables", "3"), ("help", "3"), ("doctor", "3")}
for name, want, args in tried:
    status, out, err = run(*args)
    report("%s: status %d" % (name, want), status == want and str(want) in listed(name), (args, status, listed(name), err))
for name in sorted(helps):
    if name in ("bench-load", "answer"): continue
    other = listed(name) - {str(want) for which, want, _ in tried if which == name} - {s for which, s in UNTRIED if which == name}
    report("%s: no other status in its help" % name, not other, other)


# ---- tables

described = run("tables", "kernels,memcpy")[1]
report("tables ID,ID", re.findall(r"^(\w+): ", described, re.M) == ["kernels", "memcpy"] and "total_ns " in described, described[:300])
report("tables ID --format json", re.findall(r'"id": *"(\w+)"', run("tables", "kernels", "--format", "json")[1]) == ["kernels"])
report("tables: the nearest of an unknown one", run("tables", "kernls") == (2, "", "tracetty: there is no table 'kernls'; did you mean 'kernels'?\n"))


# ---- examples of the manual page

page = run("help", "--man")[1]
examples = [line.replace("\\-", "-").replace("\\e", "\\") for line in re.findall(r"^\.TP\n\\fB(tracetty .*)\\fR$", page.split(".SH EXAMPLES")[1].split("\n.SH ")[0], re.M)]
report("the manual page has examples", len(examples) >= 12, examples)
for example in examples:
    if re.match(r"tracetty (demo|record|cluster|doctor)\b", example): continue
    hang = "--fail-on hang" in example
    words = re.sub(r"\b(DIR|BASE|NEW)\b", HANG if hang else SAMPLE, example.replace("tracetty ", "'%s' " % BIN, 1))
    status, out, err = run(cwd=empty, shell=words)
    report("example: " + example, status == (1 if hang else 0), err)


# ---- terminals that cannot draw

for term in ("dumb", "", None):
    drawn = on_terminal(term, XLA)
    report("TERM=%s prints the summary and says why" % term, drawn.startswith("tracetty: TERM") and "TERM=xterm-256color" in drawn.split("\n")[0]
           and "Findings" in drawn and "\x1b" not in drawn, drawn[:300])
report("TERM=dumb: diff prints tables", "What changed" in on_terminal("dumb", "diff", XLA, XLA))
report("TERM=dumb without PATH", "no PATH given" in on_terminal("dumb"))
status, out, err = run(cwd=tmp + "/empty")
report("no PATH, no terminal: what to do", status == 2 and "'tracetty demo'" in err and "'tracetty help'" in err, err)


# ---- a condition that the shell took apart

status, out, err = run("diff", "--fail-on", "step", XLA, XLA)
report("--fail-on without a limit: quotes", status == 2 and "--fail-on 'step>5%'" in err and "shell" not in err, err)
for limit in ("5%", "2ms", "100MiB", "0"):
    status, out, err = run(cwd=tmp, shell="'%s' diff --fail-on step>%s '%s' '%s'" % (BIN, limit, XLA, XLA))
    report("--fail-on step>%s, not quoted: the file is named" % limit, status == 2 and "a file '%s' here" % limit in err and "--fail-on 'step>%s'" % limit in err, err)
status, out, err = run(cwd=tmp, shell="'%s' diff --fail-on step '%s' '%s' >answer.txt" % (BIN, XLA, XLA))
report("--fail-on without a limit, output in another file", status == 2 and "answer.txt" not in err, err)
shutil.rmtree(tmp)
