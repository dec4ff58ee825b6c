#!/usr/bin/env python3
"""Differences between two runs: the tables of `tracetty diff` against a second implementation, written from the
definitions alone.

    compare.py [WORD...]     only pairs with one of the words in a path. Environment: BIN, TRACETTY_CORPUS

  statistics   checks the second implementation itself: by hand, and by trying every way to divide the samples
  made         generated traces whose steps have few different times, or many; from one step to sixty
  PAIR TABLE   every row: steps and their parts, causes of the difference, kernels, copies, operators, calls of the
  runtime; per step and per run, for some of the steps, at several degrees of confidence

Runs on the samples and, with TRACETTY_CORPUS, on pairs of its small traces; COMPARE=all takes all pairs (make diff-
all)."""
import glob
import itertools
import os
import random
import sys
import tempfile

sys.dont_write_bytecode = True
from compare import expect, made, statistics  # noqa: E402
from compare.answer import diff, same_rows, trace_tables  # noqa: E402
from why.answer import TOP, Differs  # noqa: E402
from why.trace import Trace  # noqa: E402

CORPUS = os.environ.get("TRACETTY_CORPUS")
ALL = os.environ.get("COMPARE") == "all"
SAMPLES = "assets/sample_gpu/train_rank0.*.json*"
# pairs of corpus traces: (base, new, with COMPARE=all only)
PAIRS = (("pytorch/resnet50_num_workers_0/worker0.1623143089861", "pytorch/resnet50_num_workers_4/worker0", False),
         ("pytorch/resnet50_num_workers_0/worker0.1623143089861", "pytorch/resnet50_num_workers_0/worker0.1623143566756", True),
         ("pytorch/hta_trace_diff_control/", "pytorch/hta_trace_diff_test/", False),
         ("pytorch/resnet50_num_workers_0/worker0.1623143566756", "pytorch/hta_trace_diff_control/", False),
         ("pytorch/hta_nccl_parser/", "pytorch/hta_ns_resolution__rank-0/", False),
         ("pytorch/hta_ns_resolution__rank-0/", "pytorch/hta_trace_diff_test/", False),
         ("pytorch/hta_sampled/sampled_rank-0", "pytorch/hta_sampled/sampled_rank-1", False),
         ("pytorch/torch_real_cpu_train/", "pytorch/torch_real_cpu_train_tree/", True),
         ("pytorch/rule_async/worker0", "pytorch/rule_async/worker1", True),
         ("pytorch/rule_cnt/worker0", "pytorch/rule_cnt/worker1", True),
         ("pytorch/rule_scope/", "pytorch/unit_multiple_profilersteps_no_overlap_0/", True),
         ("amd/hta_mi250_minitoy/", "amd/torch_compile_triton/", True),
         ("amd/sglang_decode/", "amd/mi210_gpu_only/", True),
         ("pytorch/h100_bert-small/", "pytorch/b200_eager/", False))
# options of tracetty, with the arguments of the second implementation
WAYS = ((("--per", "step"), {}), (("--per", "run"), {"per_run": True}))
MORE = ((("--confidence", "80", "--min-effect", "10"), {"confidence": 80, "min_effect": 10}),
        (("--confidence", "99.5", "--min-effect", "0"), {"confidence": 99.5, "min_effect": 0}))


def path_of(part):
    found = sorted(glob.glob(os.path.join(CORPUS, "traces", part + "*.json*")))
    if len(found) != 1:
        raise SystemExit("%s: %d files" % (part, len(found)))
    return found[0]


def pairs():
    sample = sorted(glob.glob(os.path.join(TOP, SAMPLES)))[0]
    out = [(sample, sample)]
    for base, new, small in PAIRS if CORPUS else ():
        if small or ALL or sys.argv[1:]:
            out.append((path_of(base), path_of(new)))
    words = sys.argv[1:]
    return [p for p in out if not words or any(w in path for w in words for path in p)]


class Report:
    failed = 0

    def check(self, label, test, *args):
        try:
            test(*args)
            print("ok " + label)
        except (Differs, KeyError, TypeError, AssertionError) as e:
            self.failed += 1
            print("FAIL %s: %s" % (label, e if isinstance(e, Differs) else repr(e)))
        sys.stdout.flush()


def own_statistics():
    """By hand: each difference between {1..5} and {11..15} is in 6..14, the median is 10, the third from each end is
    7 and 13."""
    c = statistics.Change([1, 2, 3, 4, 5], [11, 12, 13, 14, 15])
    assert (c.delta, c.low, c.high, c.p) == (10, 7, 13, 2 / 252)
    assert [statistics.rank(n, n, 95) for n in (3, 4, 5, 6)] == [0, 1, 3, 6]
    r = random.Random(1)
    for _ in range(30):
        both = r.sample(range(100), 9)
        m = r.randint(1, 8)
        assert statistics.p_exact(both[:m], both[m:]) == statistics.p_by_trying(both[:m], both[m:])
    moved = 0
    for chosen in itertools.combinations(range(10), 5):
        rest = [i for i in range(10) if i not in chosen]
        moved += statistics.Change([1000 + 100 * i for i in chosen], [1000 + 100 * i for i in rest]).verdict in ("slower", "faster")
    assert moved == 8, moved  # 252 ways to divide the samples: the four extreme ones have p < 5 %


SIDES = {}


def side_of(path):
    if path not in SIDES:
        SIDES[path] = expect.Side(Trace(path), trace_tables(path))
    return SIDES[path]


def check_table(pair, paths, table, options):
    rows = diff(paths, "--table", "diff_" + table, *options)["diff_" + table]
    if table == "summary":
        rows = [r for r in rows if r["metric"] != "peak_memory"]
        return same_rows(expect.summary(pair), rows, ("metric",))
    if table == "causes":
        want, rows = ([r for r in side if r["base_ns"] or r["new_ns"]] for side in (expect.causes(pair), rows))  # a part without time is not compared
        return same_rows(want, rows, ("cause",))
    if table == "memcpy":  # this trace counts host ranges as operators
        rows = [r for r in rows if r["kind"].startswith("device")]
    want = expect.difference(pair, table)
    keys = expect.COLUMNS[table]
    if table == "operators":
        left_out = pair.base.left_out | pair.new.left_out
        rows = [r for r in rows if (r["name"],) not in left_out]
    same_rows(want, rows, keys)
    order = [[r[k] for k in keys] for r in rows]
    if all(r.get("change") for r in rows) and order != [[r[k] for k in keys] for r in want]:
        raise Differs("order: %s, wanted %s" % (order[:3], [[r[k] for k in keys] for r in want][:3]))


def ranges(base, new):
    """Selects some steps of each side, if there are enough and their numbers increase."""
    def part(side, leave):
        at = range(leave, len(side.rows))
        numbers = [side.rows[i]["step"] for i in at]
        return at, "%s-%s" % (numbers[0], numbers[-1])

    if len(base.rows) < 3 or len(new.rows) < 3:
        return
    a, said_a = part(base, 1)
    b, said_b = part(new, 2)
    yield ("--base-steps", said_a, "--new-steps", said_b), {"base_at": a, "new_at": b}
    yield ("--new-steps", said_b), {"new_at": b}


def check_pair(report, base_path, new_path):
    base, new = side_of(base_path), side_of(new_path)
    label = " ".join(os.path.join(os.path.basename(os.path.dirname(p)), os.path.basename(p).split(".pt")[0]) for p in (base_path, new_path))
    paths = [base_path, new_path]
    marked = base.marked and new.marked
    ways = (WAYS + MORE + tuple(ranges(base, new))) if marked else (((), {"per_run": True}),)
    for options, keywords in ways:
        pair = expect.Pair(base, new, **keywords)
        tables = list(expect.MAIN)
        if marked and not pair.per_run:
            tables = ["summary", "causes"] + tables
        for table in tables:
            report.check(" ".join((label, "diff_" + table) + options), check_table, pair, paths, table, options)


def made_runs(report):
    """Runs whose kernels have one to three different times (ties), or many; one kernel in some steps only; host
    times in the same way."""
    r = random.Random(5)
    with tempfile.TemporaryDirectory(prefix="tracetty-compare-") as folder:
        for n, counts in enumerate(((1, 1), (1, 9), (2, 5), (3, 3), (4, 4), (4, 3), (5, 5), (8, 6), (12, 7), (20, 3), (50, 50), (51, 50), (60, 60))):
            paths = []
            for side, count in enumerate(counts):
                few = [r.randrange(50, 60) * 10000 for _ in range(r.randint(1, 3))]
                steps = []
                for _ in range(count):
                    step = [("few", r.choice(few), 3000), ("many", r.randrange(400000, 900000), r.randrange(1000, 90000))]
                    step += [("sometimes", 100000 + 70000 * side, 2000)] if r.random() < 0.6 else []
                    steps.append(step + [("tiny", 1 + r.randrange(3), 1000), ("gone" if side else "came", 40000, 1000)])
                paths.append(made.Run(steps, first=1 + n * side).write(os.path.join(folder, "made%d-%s.json" % (side, "-".join(map(str, counts))))))
            check_pair(report, *paths)


def main():
    report = Report()
    report.check("statistics", own_statistics)
    if not sys.argv[1:] or "made" in sys.argv[1:]:
        made_runs(report)
    if not CORPUS:
        print("skip pairs of real traces: TRACETTY_CORPUS is not set")
    for base, new in pairs():
        check_pair(report, base, new)
    return 1 if report.failed else 0


if __name__ == "__main__":
    sys.exit(main())
