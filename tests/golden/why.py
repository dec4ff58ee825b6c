#!/usr/bin/env python3
"""Reasons why a device waits: the tables against a second implementation, written from the definitions alone, and
sums that must hold.

    why.py [WORD...]     only traces with one of the words in their path. Environment: BIN, TRACETTY_CORPUS

  sums      on traces of every kind: the parts of gpu_time; causes of idle time over the whole, by step and in parts
            of the time; the critical path tiles its window; no saving exceeds the time that there is; queues end
            empty; launches by name, API and call agree
  TABLE     every row against the second implementation: traces of PyTorch and AMD, of one process

Runs on the samples and, with TRACETTY_CORPUS, on its small traces; WHY=all takes all traces (make why-all)."""
import glob
import os
import re
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from inputs_todo import Todo  # noqa: E402
from why import oracle, sums  # noqa: E402
from why.answer import TOP, Differs, tables  # noqa: E402
from why.trace import Trace  # noqa: E402

CORPUS = os.environ.get("TRACETTY_CORPUS")
ALL = os.environ.get("WHY") == "all"
LARGEST = 150000  # bytes, as stored
CHROME = ("pytorch", "amd")
OTHERS = ("paddle", "ascend", "mindspore", "chrome")
FOLDERS = ("ascend", "mindspore")  # kinds of traces that are folders


def traces():
    """(path, whether the second implementation covers it)."""
    found = [(p, True) for p in glob.glob(os.path.join(TOP, "assets/sample_gpu/*.json*"))[:1]]
    for kind in CHROME if CORPUS else ():
        found += [(p, True) for p in sorted(glob.glob(os.path.join(CORPUS, "traces", kind, "*", "*.json*")))]
    for kind in OTHERS if CORPUS else ():
        found += [(p, False) for p in sorted(glob.glob(os.path.join(CORPUS, "traces", kind, "*" if kind in FOLDERS else "*/*.json*")))]
    words = sys.argv[1:]
    return [(p, o) for p, o in found if any(w in p for w in words) or not words and (ALL or size(p) <= LARGEST)]


def size(path):
    if os.path.isfile(path):
        return os.path.getsize(path)
    return sum(os.path.getsize(os.path.join(f, n)) for f, _, names in os.walk(path) for n in names)


class Report:
    failed, todo = 0, Todo("why", CORPUS)

    def check(self, path, label, test, *args):
        try:
            test(*args)
            print(self.todo.word(path, True) + " " + label)
        except (Differs, KeyError, TypeError) as e:
            word = self.todo.word(path, False)
            self.failed += word == "FAIL"
            print("%s %s: %s" % (word, label, e if isinstance(e, Differs) else repr(e)))
        sys.stdout.flush()


def parts_of_the_time(path, said):
    """Sums must also hold in parts of the time: by --range, and by --steps if there are steps."""
    rows = said["gpu_time"]
    if rows:
        length = max(r["total_ns"] for r in rows)
        for a, b in ((0, 3), (2, 7), (5, 9)):  # tenths of the time
            sums.scope([path], "--range", "%dns-%dns" % (length * a // 10, max(length * b // 10, length * a // 10 + 1)))
    steps = tables([path], "--table", "gpu_time", "--group-by", "step")["gpu_time"]
    numbers = sorted({int(r["step"]) for r in steps if re.fullmatch(r"\d+", str(r["step"]))})
    if len(numbers) > 1:
        sums.scope([path], "--steps", "%s-%s" % (numbers[0], numbers[-2]))
        sums.scope([path], "--steps", "%s-%s" % (numbers[-1], numbers[-1]))


def all_sums(path):
    said = sums.trace([path])
    parts_of_the_time(path, said)


def against_the_oracle(report, path, label):
    trace = Trace(path)
    steps = tables([path], "--table", "step_breakdown")["step_breakdown"]
    if not trace.work or any("worker" in r for r in steps) or len({s.thread[0] for s in trace.slices}) > 1:
        return
    case = oracle.Case(trace, steps)
    for table, options, *rest in oracle.TABLES:
        # without marked steps it is not defined which thread ends the window
        if (table, options) == ("idle_causes", ("--group-by", "step")) and not trace.steps:
            continue
        name = " ".join((label, table) + options)
        report.check(path, name, lambda: oracle.check(case, table, tables([path], "--table", table, *options), *rest))


def main():
    report = Report()
    if not CORPUS:
        print("skip tables of real traces: TRACETTY_CORPUS is not set")
    for path, has_oracle in traces():
        label = os.path.join(os.path.basename(os.path.dirname(path)), os.path.basename(path))
        report.check(path, label + " sums", all_sums, path)
        if has_oracle:
            against_the_oracle(report, path, label)
    over = report.todo.over()
    for line in over:
        print(line)
    return 1 if report.failed or over else 0


if __name__ == "__main__":
    sys.exit(main())
