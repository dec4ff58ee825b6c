#!/usr/bin/env python3
"""Makes a big trace out of a small one, for benchmarks: the events again and again, shifted in time, with new ids.

    scale_trace.py FILE[.gz] OUTPUT.json SIZE        SIZE in bytes, or as 100M, 1G

Each copy is the same text except for ts (moved by the length of the trace), correlation, flow and external ids, Python
ids, sequence and step numbers (each kind moved by its range), so that joins, flows and steps stay one to one. Metadata
events are written once. Names and argument values repeat, which real long traces do less.
"""
import gzip
import json
import re
import sys

LINKS = ("correlation", "id", "External id", "wait_on_cuda_event_record_corr_id")  # all share one number space
FAMILY = {"Record function id": "function", "Ev Idx": "event", "Python id": "python", "Python parent id": "python",
          "Sequence number": "sequence", **dict.fromkeys(LINKS, "link")}
PATTERN = re.compile(r'"(%s)": (\d+)(?=[,}\s])|"ts": (\d+)(?:\.(\d{1,3}))?|"ProfilerStep#(\d+)"' % "|".join(FAMILY))


def size_of(text):
    return int(float(text.rstrip("kMG")) * {"k": 1e3, "M": 1e6, "G": 1e9}.get(text[-1], 1))


def template(text):
    """The text as pieces: literal strings, and (kind, number) where a number moves from copy to copy."""
    pieces, at = [], 0
    for m in PATTERN.finditer(text):
        for group, kind in ((2, FAMILY.get(m.group(1))), (3, "ts"), (5, "step")):
            if m.group(group) is not None:
                if kind == "ts":
                    value = int(m.group(3)) * 1000 + int((m.group(4) or "").ljust(3, "0"))
                    begin, end = m.start(3), m.end()
                else:
                    value, (begin, end) = int(m.group(group)), m.span(group)
                pieces += [text[at:begin], (kind, value)]
                at = end
    return pieces + [text[at:]]


def dumps(value):
    """JSON text whose decimal numbers keep their digits; they were read as "@digits@"."""
    return json.dumps(value).replace('"@', "").replace('@"', "")


def main():
    source, target, wanted = sys.argv[1], sys.argv[2], size_of(sys.argv[3])
    raw = open(source, "rb").read()
    doc = json.loads(gzip.decompress(raw) if raw[:2] == b"\x1f\x8b" else raw, parse_float=lambda t: "@%s@" % t)
    head = {k: v for k, v in doc.items() if k != "traceEvents"}
    moving = [e for e in doc["traceEvents"] if e.get("ph") != "M"]
    fixed = [e for e in doc["traceEvents"] if e.get("ph") == "M"]
    text = ",\n".join("  " + dumps(e) for e in moving)
    pieces = template(text)
    numbers = {}
    for p in pieces:
        if isinstance(p, tuple):
            numbers.setdefault(p[0], []).append(p[1])
    period = {k: max(v) - min(v) + 1 for k, v in numbers.items()}
    period["ts"] += 1_000_000
    period["step"] = len(set(numbers.get("step", ()))) or 1
    written = 0
    with open(target, "w", encoding="utf-8") as out:
        out.write(dumps(head)[:-1] + (", " if head else "") + '"traceEvents": [\n')
        out.write("".join("  %s,\n" % dumps(e) for e in fixed))
        copy = 0
        while written < wanted:
            parts = []
            for p in pieces:
                if isinstance(p, str):
                    parts.append(p)
                    continue
                value = p[1] + copy * period[p[0]]
                parts.append("%d.%03d" % divmod(value, 1000) if p[0] == "ts" else str(value))
            block = ("" if copy == 0 else ",\n") + "".join(parts)
            out.write(block)
            written += len(block)
            copy += 1
        out.write("\n]}\n")
    print("%s: %d MB, %d events" % (target, written // 10 ** 6, copy * len(moving) + len(fixed)))


if __name__ == "__main__":
    main()
