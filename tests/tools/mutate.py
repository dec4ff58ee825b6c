#!/usr/bin/env python3
"""Random damage to real traces: truncations, flipped bits, shuffled, doubled and deleted events, swapped signs.

mutate.py COUNT SEED FILE...: makes COUNT files in all and runs `summary`, `check` and a screen on each; environment
BIN. None may crash, use more than 10 s of CPU time, be reported by a sanitizer, or put a control byte into the
output. After a truncation, the events must be those that an independent count finds complete before the cut. One line
"ok" or "FAIL" for each input file; failing files are kept in MUTATE_KEEP."""
import concurrent.futures
import gzip
import json
import os
import random
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from count_events import events_of  # noqa: E402
from until import at_most, exceeded  # noqa: E402

BIN = os.environ.get("BIN", "./tracetty")
WORK = 10  # seconds of a processor
MOST = 1 << 20  # bytes of text used of each file


def read(path):
    data = open(path, "rb").read()
    return gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data


def pieces(text):
    """Text around the events, and the events, as bytes."""
    decoder, source = json.JSONDecoder(strict=False), text.decode("utf-8", "surrogateescape")
    at = source.find("[", max(source.find('"traceEvents"'), 0)) + 1
    head, events = source[:at], []
    while True:
        while at < len(source) and source[at] in " \t\r\n,":
            at += 1
        try:
            end = decoder.raw_decode(source, at)[1]
        except ValueError:
            break
        events.append(source[at:end].encode("utf-8", "surrogateescape"))
        at = end
        if sum(map(len, events[-1:])) == 0 or len(events) > 20000:
            break
    return head.encode("utf-8", "surrogateescape"), events


def whole_events(text):
    return sum(1 for e in events_of(text.decode("utf-8", "replace").lstrip("\ufeff")) if isinstance(e, dict) and isinstance(e.get("ph"), str))


def mutate(rng, text, head, events):
    """(what, bytes, events that must be found or None)"""
    what = rng.choice(("cut", "cut", "cut", "bits", "bits", "bytes", "shuffle", "delete", "double", "sign", "gzip cut", "gzip bits", "splice"))
    if what == "cut":
        text = text[:rng.randrange(len(head), len(text))]
        return what, text, whole_events(text)
    if what in ("bits", "bytes"):
        out = bytearray(text)
        for _ in range(rng.choice((1, 1, 3, 30, 300))):
            i = rng.randrange(len(out))
            out[i] = out[i] ^ 1 << rng.randrange(8) if what == "bits" else rng.randrange(256)
        return what, bytes(out), None
    if what.startswith("gzip"):
        packed = bytearray(gzip.compress(text, 1))
        if what == "gzip cut":
            return what, bytes(packed[:rng.randrange(20, len(packed))]), None
        packed[rng.randrange(10, len(packed))] ^= 1 << rng.randrange(8)
        return what, bytes(packed), None
    some = list(events)
    n = None
    if what == "shuffle":
        rng.shuffle(some)
    elif what == "delete":
        some = [e for e in some if rng.random() > 0.3]
    elif what == "double":
        some = [e for e in some for _ in range(rng.choice((1, 1, 2)))]
    elif what == "sign":
        some = [e.replace(b'"dur": ', b'"dur": -', 1) if rng.random() < 0.3 else e for e in some]
    else:
        i = rng.randrange(len(some))
        e = some[i]
        some[i] = e[:rng.randrange(len(e))] + rng.choice(some)[rng.randrange(5):]
    out = head + b",\n".join(some) + b"\n]" + (b"}" if head.lstrip()[:1] == b"{" else b"")
    if what != "splice":
        n = whole_events(out)
    return what, out, n


def bad_output(data):
    for b in (b"\x1b", b"\x07", b"\x08", b"\x00", b"\r", b"\x7f"):
        if b in data:
            return "control byte %02x in the output" % b[0]
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        return "output that is not UTF-8"
    return "control character in the output" if any("\x80" <= c < "\xa0" for c in text) else ""


def attempt(job):
    name, number, what, data, want, folder = job
    path = os.path.join(folder, "%s-%d" % (name, number))
    with open(path, "wb") as f:
        f.write(data)
    wrong = ""
    for args in (["summary", "--format", "json", "--table", "all"], ["check"], ["--dump", "90x24", "--keys", "4 Down Enter"]):
        p = subprocess.run([BIN, *args, path], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, preexec_fn=at_most(WORK))
        if exceeded(p.returncode):
            wrong = "%s: no end after %d s of work" % (args[0], WORK)
            break
        text = p.stderr.decode("utf-8", "replace")
        if p.returncode < 0 or p.returncode not in ((0, 1, 3) if args[0] == "check" else (0, 3)) or "Sanitizer" in text or "runtime error" in text:
            wrong = "%s: status %d: %s" % (args[0], p.returncode, text[-1500:])
        wrong = wrong or bad_output(p.stdout) or bad_output(p.stderr)
        if args[0] == "summary" and p.returncode == 0 and not wrong:
            got = json.loads(p.stdout)["source"]["events"]
            if want is not None and got != want:
                wrong = "%d events, %d expected" % (got, want)
        if wrong:
            break
    if not (wrong and os.environ.get("MUTATE_KEEP")):
        os.unlink(path)
    return "%s %d (%s): %s" % (name, number, what, wrong) if wrong else ""


def main():
    count, seed, files = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:]
    failed = False
    with tempfile.TemporaryDirectory() as temp, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        folder = os.environ.get("MUTATE_KEEP") or temp
        for k, path in enumerate(files):
            text = read(path)[:MOST]
            head, events = pieces(text)
            rng = random.Random(seed * 1000 + k)
            each = count // len(files) + (k < count % len(files))
            jobs = ((os.path.basename(path).split(".")[0], i, *mutate(rng, text, head, events), folder) for i in range(each))
            wrong = [w for w in pool.map(attempt, jobs) if w]
            failed = failed or bool(wrong)
            print("%s damage %s: %d files%s" % ("FAIL" if wrong else "ok", os.path.basename(path), each, "".join("\n    " + w.replace("\n", "\n      ") for w in wrong[:8])))
            sys.stdout.flush()
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
