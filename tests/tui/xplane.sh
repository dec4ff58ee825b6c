#!/usr/bin/env bash
# A way through an XSpace of XLA: the slowest step, and the HLO operator and module that take its time. Expected values
# are computed from the bytes by tests/tools/read_xplane.py, not by the program.
. "$(dirname "$0")/_lib.sh"
SAMPLE=assets/sample_xla

answer() { # step, its length, operator, its time there on all devices, module, slowest over median step
    python3 - $SAMPLE/plugins/profile/*/*.xplane.pb <<'PY'
import collections, re, sys
sys.path.insert(0, "tests/tools")
import read_xplane as rx
steps, ops, modules = [], [], {}
for p in rx.read(sys.argv[1]):
    for line in p["lines"] if p["name"].startswith("/device:TPU") else ():
        for e in line["events"]:
            name, start = rx.name_of(p, e), rx.ns(e["offset_ps"])
            end = rx.ns(e["offset_ps"] + e["duration_ps"])
            if line["name"] == "Steps" and p["name"].endswith(":0"):
                steps.append((end - start, name, start, end))
            elif line["name"] == "XLA Ops" and line["id"] >= 0:
                ops.append((name, start, end, rx.args(p, e)["program_id"]))
            elif line["name"] == "XLA Modules":
                modules[int(re.search(r"\((\d+)\)$", name)[1])] = name
length, step, t0, t1 = max(steps)
times, program = collections.Counter(), {}
for name, start, end, id_ in ops:
    if t0 <= start < t1:
        times[name] += end - start
        program[name] = modules[id_]
name, ns = times.most_common(1)[0]
median = sorted(s[0] for s in steps)[(len(steps) - 1) // 2]
print("%s\t%.3f ms\t%s\t%.3f ms\t%s\t%.1fx" % (step, length / 1e6, name, ns / 1e6, program[name], length / median))
PY
}
IFS=$'\t' read -r step length op time module times < <(answer)
tt_check "the sample has an answer" [ -n "$module" ]

for size in "120 35" "80 24"; do
    # shellcheck disable=SC2086
    tt_start $size $SAMPLE || exit 1
    at=${size/ /x}
    tt_expect "$at overview: the device in its own words" "TPU 0"
    tt_expect "$at overview: the slow step is a finding" "Step $step is $times the median step"
    tt_keys 7
    tt_expect "$at steps: the slowest is named" "Slowest: step $step"
    tt_check "$at steps: it is chosen, with its length" grep -qE "^>step $step +$length" <(tt_screen)
    tt_keys Enter 3
    tt_expect "$at kernels: limited to the step" "step $step"
    tt_check "$at kernels: the operator comes first, with its time" grep -qE "^>$op .* $time" <(tt_screen)
    tt_check "$at kernels: nothing is wider" [ "$(tt_screen | wc -L)" -le "${size% *}" ]
    if [ "${size% *}" -ge 120 ]; then tt_expect "$at kernels: its module" "$module"; fi
    tt_keys t
    tt_expect "$at timeline: the operator is chosen" "$op"
    tt_expect "$at timeline: the rows of XLA" "XLA Ops"
    tt_check "$at timeline: what repeats them is marked" grep -qE "^ +derived.*Modules +│" <(tt_screen)
    tt_expect "$at timeline: the selection tells the module and the operator" "program     $module, operator $op"
    tt_quit Q
done
exit 0
