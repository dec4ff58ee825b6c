#!/usr/bin/env python3
"""Every damaged file of tests/tools/make_broken.py: exit status, problems, remaining events, no hostile byte, no hang,
at most 4 GiB of address space.

broken.py [-v] [NAME-GLOB]; environment BIN, BROKEN_EVERY=N (one file in N). One line "ok" or "FAIL" for each file.
"""
import concurrent.futures
import fnmatch
import json
import os
import resource
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tools"))
from until import at_most, exceeded  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))
BIN = os.environ.get("BIN", "./tracetty")
PROGRAM = open(BIN, "rb").read()
VALGRIND = PROGRAM.startswith(b"#!") and b"valgrind" in PROGRAM
SANITIZED = b"__asan_init" in PROGRAM or b"__tsan_init" in PROGRAM or VALGRIND
EVERY = int(os.environ.get("BROKEN_EVERY", "1"))
WORK = 10  # processor seconds


def limit():
    at_most(WORK)()
    if not SANITIZED:
        resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))


def run(*args):
    env = dict(os.environ, NO_COLOR="1", TERM="xterm-256color", LC_ALL="C.UTF-8")
    p = subprocess.run([BIN, *args], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, preexec_fn=limit, env=env)
    return p.returncode, p.stdout, p.stderr


def lone_bytes(data):
    """Bytes that are not part of valid UTF-8."""
    out = bytearray()
    while data:
        try:
            data.decode("utf-8")
            return bytes(out)
        except UnicodeDecodeError as e:
            out += data[e.start:e.end]
            data = data[e.end:]
    return bytes(out)


def check_run(entry, what, answer, wrong):
    status, out, err = answer
    want = entry["exit"] if what != "check" else entry["exit"] + [1] if entry["exit"] == [0] else entry["exit"]
    if exceeded(status):
        wrong.append("%s: no answer after %d s of work" % (what, WORK))
        return False
    if status not in want:
        wrong.append("%s: status %d, expected %s: %s" % (what, status, want, err[-300:].decode("utf-8", "replace")))
    if b"Sanitizer" in err or b"runtime error" in err:
        wrong.append("%s: sanitizer report: %s" % (what, err[-2000:].decode("utf-8", "replace")))
    if status not in (0, 1) and not err.strip():
        wrong.append("%s: failed without a message" % what)
    for hexed in entry["forbidden_bytes"]:
        bad = bytes.fromhex(hexed)
        for where, text in (("stdout", out), ("stderr", err)):
            if bad in (lone_bytes(text) if len(bad) == 1 and bad[0] >= 0x80 else text):
                wrong.append("%s: byte %s on %s" % (what, hexed, where))
    for word in entry["words"]:
        if status and word.lower() not in err.decode("utf-8", "replace").lower():
            wrong.append("%s: the message lacks '%s': %s" % (what, word, err[-300:].decode("utf-8", "replace")))
    return status == 0


def check_json(entry, out, wrong):
    try:
        doc = json.loads(out.decode("utf-8"), parse_constant=lambda c: wrong.append("json: bare " + c))
    except (ValueError, UnicodeDecodeError) as e:
        wrong.append("json: the output is no JSON: %s" % e)
        return
    got = doc["source"]["events"]
    if entry["events"] is not None and got != entry["events"]:
        wrong.append("events: %d, expected %d" % (got, entry["events"]))
    if got < entry["min_x_events"]:
        wrong.append("events: %d, at least %d expected" % (got, entry["min_x_events"]))
    kinds = {p["kind"]: p for p in doc["problems"]}
    for kind in entry["kinds"]:
        if kind not in kinds:
            wrong.append("problem '%s' is not named, only %s" % (kind, sorted(kinds)))
    wrong.extend("problem '%s' is named" % kind for kind in entry["not_kinds"] if kind in kinds)
    last = 0
    for table in doc["tables"]:
        for row in table["rows"]:
            last = max([last] + [v for k, v in row.items() if k.endswith("_at_ns") and isinstance(v, int)])
    if entry["span_s"] is not None and last > entry["span_s"] * 10**9:
        wrong.append("the axis reaches %.1f s, at most %s s expected" % (last / 1e9, entry["span_s"]))


def check(folder, entry):
    path, wrong = os.path.join(folder, "broken", entry["file"]), []
    answer = run("summary", "--format", "json", "--table", "all", path)
    if check_run(entry, "json", answer, wrong):
        check_json(entry, answer[1], wrong)
    if not VALGRIND:
        check_run(entry, "text", run("summary", path), wrong)
    check_run(entry, "csv", run("summary", "--format", "csv", "--table", "kernels", path), wrong)
    check_run(entry, "check", run("check", path), wrong)
    check_run(entry, "screen", run("--dump", "100x30", "--keys", "4", path), wrong)
    return entry, wrong


def main():
    glob = next((a for a in sys.argv[1:] if a != "-v"), "*")
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sys.executable, os.path.join(HERE, "..", "tools", "make_broken.py"), folder], check=True, stdout=subprocess.DEVNULL)
        with open(os.path.join(folder, "broken.json"), encoding="utf-8") as f:
            entries = [e for e in json.load(f) if fnmatch.fnmatch(e["file"], glob)][::EVERY]
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            for entry, wrong in pool.map(lambda e: check(folder, e), entries):
                name = ascii(entry["file"])[1:-1]
                failed += bool(wrong)
                print("%s broken %s (%s)%s" % ("FAIL" if wrong else "ok", name, entry["class"],
                                              "".join("\n    " + w.replace("\n", "\n      ") for w in wrong)))
                sys.stdout.flush()
    return 1 if failed or not entries else 0


if __name__ == "__main__":
    sys.exit(main())
