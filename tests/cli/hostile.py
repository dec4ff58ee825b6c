#!/usr/bin/env python3
"""No control byte of a trace, file name, argument or environment reaches a terminal or a file, and all output is
UTF-8: every writer, with escapes in every text that a trace can hold, and in the titles of columns and files."""
import json
import os
import re
import subprocess
import sys
import tempfile

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BIN = os.environ.get("BIN", os.path.join(TOP, "tracetty"))
# clipboard, cleared screen, colour, C1 as a character, bidirectional controls, line ends, tab, DEL, line separator
EVIL = "\x1b]52;c;ZXZpbA==\x07\x1b[2J\x9b31m\u202e\u2066\r\n\t\x7f\u2028"
CONTROL = re.compile(rb"[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]|\xe2\x80[\xa8-\xae]|\xe2\x81[\xa6-\xa9]")
COLOUR = re.compile(rb"\x1b\[[0-9;:]*m")
FORMATS = ("text", "csv", "json", "markdown")
ok = True


def evil(text):
    return text + EVIL


def event(name, ts, dur, cat="cpu_op", tid=None, pid=None, **args):
    return {"ph": "X", "cat": cat, "name": evil(name), "pid": evil("P") if pid is None else pid, "tid": evil("T") if tid is None else tid, "ts": ts, "dur": dur, "args": args}


def trace():
    events = [{"ph": "M", "name": "process_name", "pid": evil("P"), "tid": 0, "args": {"name": evil("proc")}},
              {"ph": "M", "name": "thread_name", "pid": evil("P"), "tid": evil("T"), "args": {"name": evil("thread")}}]
    for i in range(3):
        t = i * 1000
        step = event("", t, 900, "user_annotation")
        step["name"] = "ProfilerStep#%d" % i
        kernel = {"device": 0, "stream": 7, "correlation": i + 1, "grid": [evil("1"), 1, 1], "block": [1, 1, 1], "External id": i + 1}
        events += [step, event("aten::mm", t + 1, 300, **{"Input Dims": [[evil("x"), 2]], "Call stack": evil("f.py(1): g") + ";" + evil("h"), "External id": i + 1,
                                                          evil("key"): evil("value")}),
                   event("f.py(3): foo", t, 899, "python_function", **{"Python id": i + 1, "Python parent id": None}),
                   event("nn.Module: Lin", t + 1, 800, "python_function", **{"Python id": i + 100, "Python parent id": i + 1}),
                   event("cudaLaunchKernel", t + 2, 5, "cuda_runtime", **{"correlation": i + 1, "External id": i + 1}),
                   event("gemm", t + 20, 100, "kernel", 7, 0, **kernel),
                   event("ncclKernel_AllReduce", t + 150, 100, "kernel", 8, 0, **{"device": 0, "stream": 8, "Collective name": evil("allreduce"), "Process Group Name": evil("pg")}),
                   event("own", t + 5, 30, evil("own category"), evil("T2")),
                   {"ph": "i", "s": "g", "cat": evil("c"), "name": evil("instant"), "pid": evil("P"), "tid": evil("T"), "ts": t + 9},
                   {"ph": "C", "name": evil("counter"), "pid": evil("P"), "ts": t + 9, "args": {evil("series"): i}},
                   {"ph": evil("Z"), "name": evil("no phase"), "ts": evil("9")}, evil("no event")]
    return {"schemaVersion": 1, evil("header"): evil("value"), "deviceProperties": [{"id": 0, "name": evil("H100"), evil("k"): evil("v")}],
            "distributedInfo": {"backend": evil("nccl"), "rank": 0, "world_size": 2}, "traceName": evil("name"), "hostname": evil("host"), "traceEvents": events}


def fault(data, colours):
    data = COLOUR.sub(b"", data) if colours else data
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as e:
        return "not UTF-8: %r" % data[max(0, e.start - 30):e.start + 20]
    m = CONTROL.search(data)
    return m and "control: %r" % data[max(0, m.start() - 40):m.end() + 20]


def look(what, args, files=(), colours=False, env=None):
    """One line for each output; a refusal counts with its message."""
    global ok
    r = subprocess.run([BIN] + args, stdin=subprocess.DEVNULL, capture_output=True, env=dict(os.environ, **(env or {})))
    why = fault(r.stdout, colours) or fault(r.stderr, False)
    if r.returncode < 0 or r.returncode > 4 and r.returncode not in (125, 127):
        why = "status %d: %s" % (r.returncode, r.stderr[-200:])
    for name in files:
        if not os.path.exists(name):
            why = why or "%s was not written: %s" % (name, r.stderr[-200:])
            continue
        with open(name, "rb") as f:
            why = why or fault(f.read(), False)
        os.unlink(name)
    ok = ok and not why
    print("ok " + what if not why else "FAIL %s: %s" % (what, why))


def inputs():
    """The trace under a hostile name; its escapes written raw, which is no JSON; a byte of invalid UTF-8 and rubbish
    after the end."""
    text = json.dumps(trace(), ensure_ascii=False).encode()
    raw = text.replace(b"\\u001b", b"\x1b").replace(b"\\u0007", b"\x07").replace(b"\xc2\x9b", b"\x9b") + b"\x1b]0;x\x07 rubbish"
    os.mkdir("run\x1b[31m\u202e")
    paths = ("run\x1b[31m\u202e/rank0" + EVIL.replace("/", "") + ".pt.trace.json", "raw.json")
    for path, data in zip(paths, (text, raw)):
        with open(path, "wb") as f:
            f.write(data)
    return paths + ("run\x1b[31m\u202e",)


def outputs(path, name):
    def do(what, args, **more):
        look("%s: %s" % (name, what), args + [path], **more)
    for form in FORMATS:
        do("all tables as " + form, ["summary", "--table", "all" if form != "csv" else "operators", "--format", form])
        do("a query as " + form, ["sql", "--format", form, "-e", "SELECT * FROM slices"])
        look("%s: diff as %s" % (name, form), ["diff", "--table", "all" if form != "csv" else "diff_kernels", "--format", form, path, "raw.json"])
    for form in FORMATS[1:]:
        do("titles of a query as " + form, ["sql", "--format", form, "-e", 'SELECT 1 AS "%s"' % EVIL])
    do("in colour", ["summary", "--table", "all", "--color", "always"], colours=True)
    for style in ("paddle", "tables"):
        do("style " + style, ["summary", "--style", style, "--table", "key_averages"])
    for screen in ("overview", "operators", "timeline", "trust", "tables"):
        do("screen " + screen, ["summary", "--screen", screen, "--size", "120x40", "--color", "always"], colours=True)
        do("picture of " + screen, ["summary", "--screen", screen, "--format", "svg"])
    do("keys", ["summary", "--screen", "timeline", "--keys", "j Enter : \"dump x.txt\" Enter : \"markdown x.md\" Enter"], files=("x.txt", "x.md"))
    do("export", ["export", "-o", "x.json"], files=("x.json",))
    do("stacks", ["export", "--stacks", "time", "-o", "x.folded"], files=("x.folded",))
    do("anonymised", ["export", "--anonymise", "-o", "x.json"], files=("x.json",))
    do("check", ["check"])
    do("summarize", ["summarize", "-o", "x.tts"])
    look(name + ": a summary file", ["summary", "--table", "all", "x.tts"])
    os.unlink("x.tts")


RECORDED = """import ctypes, os
library = ctypes.CDLL(os.environ["TRACETTY_CAPTURE_LIB"])
library.tracetty_range_push(b"range \\x1b[31m"), library.tracetty_range_pop()"""


def recording():
    """A sanitized library cannot be loaded late: then the error message is checked."""
    for i, words in enumerate(("", "--quiet")):
        look("recording %s" % words, ["record"] + words.split() + ["-o", "r%d%s" % (i, EVIL), "--at-end", "nothing", "--", sys.executable, "-c", RECORDED])
    look("status of it", ["ctl", "r0" + EVIL, "status"])


def messages():
    for what, args in (("no such file", ["summary", "none" + EVIL]), ("option", ["summary", "--x" + EVIL, "raw.json"]), ("table", ["summary", "--table", EVIL, "raw.json"]),
                       ("regular expression", ["summary", "--filter-regex", "[" + EVIL, "raw.json"]), ("worker", ["summary", "--worker", EVIL, "raw.json"]),
                       ("command", [EVIL]), ("help", ["help", EVIL]), ("query", ["sql", "-e", "SELECT " + EVIL, "raw.json"]), ("ctl", ["ctl", EVIL, "status"]),
                       ("recorded command", ["record", "-o", "r0", "--", EVIL]), ("cluster", ["cluster", "--engine", "local", "--dry-run", "-o", "c\x1b[31m.tts", "run\x1b[31m\u202e"])):
        look("message: " + what, args)
    os.makedirs("cfg\x1b[31m/tracetty")
    with open("cfg\x1b[31m/tracetty/config", "w") as f:
        f.write("theme = \x1b[31mevil\n\x1b]0;x\x07 = 1\n")
    environment = {name: "/x\x1b[31m" for name in ("LD_LIBRARY_PATH", "TERM", "CUDA_INJECTION64_PATH", "CUDA_HOME", "COLORTERM")}
    look("settings", ["summary", "--screen", "overview", "raw.json"], env={"XDG_CONFIG_HOME": os.getcwd() + "/cfg\x1b[31m"})
    look("doctor", ["doctor"], env=environment)


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    os.environ["XDG_STATE_HOME"] = folder + "/state"
    for path, name in zip(inputs(), ("evil name", "raw escapes", "folder")):
        outputs(path, name)
    messages()
    recording()
    os.chdir("/")
sys.exit(not ok)
