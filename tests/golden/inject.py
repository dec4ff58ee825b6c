#!/usr/bin/env python3
"""Injected changes: `tracetty diff` must find each of them, and nothing else.

Each case changes a training loop of eight steps with small random differences in one respect. Then ten steps are
divided into two runs of five in every way: at most 8 of 252 may seem slower or faster. And changes without effect:
clock, ids, order of the events."""
import itertools
import os
import sys
import tempfile

sys.dont_write_bytecode = True
from compare import made  # noqa: E402
from compare.answer import diff, document  # noqa: E402
from why.answer import Differs  # noqa: E402

GEMM, SOFTMAX, NORM, ADD = (k[0] for k in made.KERNELS)
STEPS = 8
MOVED = ("slower", "faster")


def need(holds, text, *values):
    if not holds:
        raise Differs(text % values)


class Cases:
    def __init__(self, folder):
        self.folder, self.failed = folder, 0
        self.base = self.write("base", made.loop(STEPS, seed=1))

    def write(self, name, steps, order=None, **how):
        return made.Run(steps, **how).write(os.path.join(self.folder, name + ".pt.trace.json"), order)

    def against(self, name, steps, *options, **how):
        """{table: {first key: row}} of comparing the base with these steps."""
        return keyed([self.base, self.write(name, steps, **how)], *options)

    def check(self, test):
        label = test.__name__.replace("_", " ")
        try:
            test(self)
            print("ok " + label)
        except (Differs, KeyError, TypeError) as e:
            self.failed += 1
            print("FAIL %s: %s" % (label, e if isinstance(e, Differs) else repr(e)))
        sys.stdout.flush()


def keyed(paths, *options):
    said = diff(paths, "--table", "diff_summary,diff_causes,diff_kernels,diff_operators,diff_runtime_api", *options)
    return {t: {next(iter(r.values())): r for r in rows} for t, rows in said.items()}


def changed(factor, seed=2, steps=STEPS, **how):
    return made.loop(steps, seed=seed, factor=factor, **how)


def only(said, moved, verdict="slower"):
    """Asserts that exactly these kernels are slower (or faster)."""
    rows = said["diff_kernels"]
    for name, r in rows.items():
        want = verdict if name in moved else "same"
        need(r["verdict"] == want, "%s is %s (%s %s), wanted %s", name, r["verdict"], r["low_ns"], r["high_ns"], want)


def near(value, wanted, part, what):
    need(abs(value - wanted) <= part * abs(wanted), "%s: %s, wanted about %s", what, value, wanted)


def nothing_was_changed(c):
    said = c.against("same", changed(None))
    only(said, ())
    for r in said["diff_summary"].values():
        need(r["verdict"] in ("same", "unclear"), "%s is %s", r["metric"], r["verdict"])
    need(said["diff_summary"]["step"]["verdict"] == "same", "the step is %s", said["diff_summary"]["step"]["verdict"])
    for t in ("diff_kernels", "diff_operators", "diff_runtime_api"):
        need({r["change"] for r in said[t].values()} == {"unchanged"}, "%s: something is added or deleted", t)


def a_kernel_is_10_percent_slower(c):
    said = c.against("slower", changed(lambda i, name: 1.1 if name == GEMM else 1))
    only(said, (GEMM,))
    step, kernel = said["diff_summary"]["step"], said["diff_kernels"][GEMM]
    need(step["verdict"] == "slower" and said["diff_summary"]["computation"]["verdict"] == "slower", "the step is %s", step["verdict"])
    need(said["diff_summary"]["idle"]["verdict"] not in MOVED, "idle is %s", said["diff_summary"]["idle"]["verdict"])
    near(kernel["delta_step_ns"], 40000, 0.05, "difference of the kernel")
    near(step["delta_ns"], 40000, 0.05, "difference of the step")
    near(said["diff_causes"]["computation"]["share_pct"], 100, 0.03, "share of computation")
    need(next(iter(said["diff_kernels"])) == GEMM, "the first row is %s", next(iter(said["diff_kernels"])))


def a_kernel_is_10_percent_faster(c):
    said = c.against("faster", changed(lambda i, name: 0.9 if name == GEMM else 1))
    only(said, (GEMM,), "faster")
    need(said["diff_summary"]["step"]["verdict"] == "faster", "the step is %s", said["diff_summary"]["step"]["verdict"])


def half_a_percent_is_too_little(c):
    slower = changed(lambda i, name: 1.005 if name == GEMM else 1, noise=0.0005)
    base = c.write("quiet", made.loop(STEPS, seed=1, noise=0.0005))
    new = c.write("half", slower)
    said = keyed([base, new])
    only(said, ())
    need(said["diff_summary"]["step"]["verdict"] == "same", "the step is %s", said["diff_summary"]["step"]["verdict"])
    asked = keyed([base, new], "--min-effect", "0.1")  # a certain change, shown if asked for
    only(asked, (GEMM,))
    need(asked["diff_summary"]["step"]["verdict"] == "slower", "asked for it, the step is %s", asked["diff_summary"]["step"]["verdict"])


def a_kernel_is_added(c):
    new = made.KERNELS + (("copy_transposed", 80000),)
    path = c.write("added", made.loop(STEPS, seed=2, kernels=new))
    for paths, change, verdict, sign in (([c.base, path], "added", "slower", 1), ([path, c.base], "deleted", "faster", -1)):
        said = keyed(paths)
        only(said, ("copy_transposed",), verdict)
        row = said["diff_kernels"]["copy_transposed"]
        need(row["change"] == change, "change is %s", row["change"])
        need(sorted((row["base_calls"], row["new_calls"])) == [0, STEPS], "calls %s and %s", row["base_calls"], row["new_calls"])
        near(row["delta_step_ns"], sign * 80000, 0.01, "difference")
        need(said["diff_summary"]["step"]["verdict"] == verdict, "the step is %s", said["diff_summary"]["step"]["verdict"])
        need(said["diff_operators"]["aten::copy_transposed"]["change"] == change, "the operator is not %s", change)


def a_kernel_is_called_twice(c):
    said = c.against("twice", made.loop(STEPS, seed=2, kernels=made.KERNELS + (made.KERNELS[2],)))
    only(said, (NORM,))
    need(said["diff_kernels"][NORM]["change"] == "increased", "change is %s", said["diff_kernels"][NORM]["change"])
    need(said["diff_kernels"][GEMM]["change"] == "unchanged", "change of another is %s", said["diff_kernels"][GEMM]["change"])


def the_host_is_slower(c):
    """The device waits: compute must not be blamed."""
    steps = [[(name, ns, host + (60000 if k == 0 else 0)) for k, (name, ns, host) in enumerate(step)] for step in changed(None)]
    said = c.against("host", steps)
    only(said, ())
    summary = said["diff_summary"]
    need([summary[m]["verdict"] for m in ("step", "computation", "idle", "host")] == ["slower", "same", "slower", "slower"],
         "verdicts %s", {m: r["verdict"] for m, r in summary.items()})
    causes = said["diff_causes"]
    need(max(causes.values(), key=lambda r: r["delta_ns"])["cause"] == "operator", "causes %s", {k: r["delta_ns"] for k, r in causes.items()})
    near(causes["operator"]["delta_ns"], 60000, 0.02, "what the host's operators add")


def one_step_is_disturbed(c):
    said = c.against("disturbed", changed(lambda i, name: 3 if i == 4 else 1))
    need(said["diff_summary"]["step"]["verdict"] not in MOVED, "the step is %s", said["diff_summary"]["step"]["verdict"])
    for r in said["diff_kernels"].values():
        need(r["verdict"] not in MOVED, "%s is %s", r["name"], r["verdict"])
    causes = said["diff_causes"]["computation"]  # ns of the mean step: one of eight takes 1400 us more
    near(causes["delta_ns"], 1400000 / STEPS, 0.02, "mean")


def both_runs_drift(c):
    """Steps get slower from the first to the last, in the same way on both sides."""
    base = c.write("drift0", changed(lambda i, name: 1 + 0.01 * i, seed=1))
    said = keyed([base, c.write("drift1", changed(lambda i, name: 1 + 0.01 * i))])
    for t, metric in (("diff_summary", "step"), ("diff_kernels", GEMM)):
        need(said[t][metric]["verdict"] not in MOVED, "%s is %s", metric, said[t][metric]["verdict"])


def fewer_steps(c):
    said = c.against("fewer", changed(None, steps=STEPS - 2))
    step = said["diff_summary"]["step"]
    need((step["base_steps"], step["new_steps"], step["verdict"]) == (STEPS, STEPS - 2, "same"), "step: %s", step)
    only(said, ())
    for r in said["diff_kernels"].values():
        need((r["change"], r["new_calls"]) == ("unchanged", STEPS - 2), "%s: %s, %s calls", r["name"], r["change"], r["new_calls"])
    run = c.against("fewer", changed(None, steps=STEPS - 2), "--per", "run")["diff_kernels"]
    need({r["change"] for r in run.values()} == {"decreased"}, "per run: %s", {r["change"] for r in run.values()})


def the_first_step_warms_up(c):
    """The first step is five times as long on one side: --skip 1 leaves it out on both."""
    steps = changed(lambda i, name: 5 if i == 0 else 1)
    whole, skipped = c.against("warm", steps), c.against("warm", steps, "--skip", "1")
    need(skipped["diff_summary"]["step"]["base_steps"] == skipped["diff_summary"]["step"]["new_steps"] == STEPS - 1, "steps")
    need(skipped["diff_summary"]["step"]["verdict"] == "same", "the step is %s", skipped["diff_summary"]["step"]["verdict"])
    need(whole["diff_causes"]["computation"]["delta_ns"] > 300000, "the mean without --skip")
    need(abs(skipped["diff_causes"]["computation"]["delta_ns"]) < 3000, "the mean with --skip")


def what_does_not_matter(c):
    """Other clock, process and thread ids, step numbers, and order of events."""
    steps = changed(None)
    want = c.against("plain", steps)
    for name, how in (("clock", {"shift": 7777777777777}), ("ids", {"pid": 4242, "tid": 777}), ("numbers", {"first": 500}), ("order", {"order": 3})):
        need(c.against(name, steps, **how) == want, "%s: the tables are others", name)


def workers(folder, names, **ranks):
    os.mkdir(folder)
    for (name, rank), seed in zip(names, itertools.count(ranks.get("seed", 1))):
        factor = ranks.get("factor", {}).get(rank)
        steps = made.loop(STEPS, seed=ranks.get("seeds", {}).get(rank, seed), factor=(lambda i, k, f=factor: f) if factor else None)
        made.Run(steps, rank=rank, world=len(names)).write(os.path.join(folder, name + ".1.pt.trace.json"))
    return folder


def ranks_in_another_order(c):
    """Files have other names: ranks inside the files decide."""
    seeds = {0: 1, 1: 2}
    a = workers(os.path.join(c.folder, "order_a"), [("hosta", 0), ("hostb", 1)], seeds=seeds, factor={1: 1.5})
    b = workers(os.path.join(c.folder, "order_b"), [("hostc", 1), ("hostd", 0)], seeds=seeds, factor={1: 1.5})
    doc = document([a, b], "--table", "diff_summary,diff_kernels")
    need(doc["matched"]["workers"] == [["hosta", "hostd"], ["hostb", "hostc"]], "matched %s", doc["matched"]["workers"])
    for t in doc["tables"]:
        for r in t["rows"]:
            need(all(v in (0, None) for k, v in r.items() if k.startswith("delta_")), "%s: %s", t["id"], r)


def a_worker_more(c):
    """A worker without a partner is named and not counted."""
    two = [("w0", 0), ("w1", 1)]
    a = workers(os.path.join(c.folder, "two_a"), two)
    b = workers(os.path.join(c.folder, "two_b"), two, seed=11)
    more = workers(os.path.join(c.folder, "three"), two + [("w2", 2)], seed=11, factor={2: 4})
    want, got = document([a, b], "--table", "diff_summary,diff_causes,diff_kernels"), document([a, more], "--table", "diff_summary,diff_causes,diff_kernels")
    need(got["tables"] == want["tables"], "the third worker counts")
    need(any(p["kind"] == "unmatched_worker" for p in got["problems"]), "problems %s", got["problems"])
    back = document([more, a], "--table", "diff_summary")
    need(any(p["kind"] == "unmatched_worker" for p in back["problems"]), "problems of the other way %s", back["problems"])


def every_way_to_divide_ten_steps(c):
    moved = 0
    for n, chosen in enumerate(itertools.combinations(range(10), 5)):
        sides = []
        for name, at in (("a", chosen), ("b", [i for i in range(10) if i not in chosen])):
            sides.append(c.write("split_" + name, [[("work", 1000000 + 100000 * i, HOST)] for i in at]))
        moved += diff(sides, "--table", "diff_summary")["diff_summary"][0]["verdict"] in MOVED
    need(moved <= 8, "%d of %d seem slower or faster", moved, n + 1)
    need(moved == 8, "only %d of %d are seen: ten steps in order are a change", moved, n + 1)


HOST = made.HOST
CASES = (nothing_was_changed, a_kernel_is_10_percent_slower, a_kernel_is_10_percent_faster, half_a_percent_is_too_little, a_kernel_is_added,
         a_kernel_is_called_twice, the_host_is_slower, one_step_is_disturbed, both_runs_drift, fewer_steps, the_first_step_warms_up,
         what_does_not_matter, ranks_in_another_order, a_worker_more, every_way_to_divide_ten_steps)


def main():
    with tempfile.TemporaryDirectory(prefix="tracetty-inject-") as folder:
        cases = Cases(folder)
        for test in CASES:
            if not sys.argv[1:] or any(w in test.__name__ for w in sys.argv[1:]):
                cases.check(test)
    return 1 if cases.failed else 0


if __name__ == "__main__":
    sys.exit(main())
