#!/usr/bin/env bash
# A way through the samples of Ascend NPUs: the stage of the input pipeline that training waits for, the longest step
# and the part that made it long, the slow link between ranks. The expected values are computed from the files here,
# not by the program.
. "$(dirname "$0")/_lib.sh"
MINDINSIGHT=assets/sample_mindinsight
ASCEND=assets/sample_ascend

queue() { # samples of a device's host queue, empty ones, and their percentage
    awk '$1 == 1 { n++; empty += $4 == 0 } END { printf "%d\t%d\t%.1f\n", n, empty, 100 * empty / n }' "$1"
}
longest() { # of a device: longest step, its total and tail in ms, share of the tail
    awk -F, 'NR > 1 && $1 != "-" && $4 > most { most = $4; step = $1; tail = $9 }
        END { printf "%s\t%.2f\t%.3f\t%.1f\n", step, most / 100000, tail / 100000, 100 * tail / most }' "$1"
}
links() { # "src dst GB/s below-mean-%" of the slowest link of its kind, over all steps and ranks
    python3 - "$ASCEND" <<'PY'
import glob, json, sys
sizes, times = {}, {}
for path in glob.glob(sys.argv[1] + "/*/ASCEND_PROFILER_OUTPUT/communication_matrix.json"):
    for step in json.load(open(path)).values():
        for name, entries in step["collective"].items():
            for link, e in entries.items() if "-total@" in name else ():
                if e["Transport Type"] == "HCCS":
                    sizes[link] = sizes.get(link, 0) + e["Transit Size(MB)"]
                    times[link] = times.get(link, 0) + e["Transit Time(ms)"]
speeds = {link: sizes[link] / times[link] for link in sizes}
slow, mean = min(speeds, key=speeds.get), sum(speeds.values()) / len(speeds)
print("%s\t%s\t%.2f" % (*slow.split("-"), speeds[slow]))
PY
}
IFS=$'\t' read -r samples empty empty_pct < <(queue $MINDINSIGHT/device_queue_profiling_0.txt)
IFS=$'\t' read -r step total tail tail_pct < <(longest $MINDINSIGHT/step_trace_raw_0_detail_time.csv)
IFS=$'\t' read -r from to speed < <(links)

# ---- the pipeline stage that training waits for
tt_start 140 40 $MINDINSIGHT || exit 1
tt_expect "overview: the input is the finding" "Input-bound: the host queue is empty in $(((100 * empty + samples - 1) / samples))% of the samples"
tt_keys 8
tt_expect "data: the tab" "[8 Data]"
tt_expect "data: the verdict" "Training waits for data: the host queue was empty in $empty_pct% of the samples"
tt_expect "data: the stage is marked" "! Dataset"
tt_expect "data: the operator is named" "suspect: MapOp_1"
tt_check "data: the operator is marked" grep -qE '!MapOp_1 +2 workers' <(tt_screen)
tt_check "data: no other operator is" [ "$(tt_screen | grep -cE '^.!(BatchOp|ShuffleOp|GeneratorOp)')" = 0 ]
tt_expect "data: the queue's capacity and samples" "$samples samples"
tt_resize 80 24
tt_expect "80x24: the operator is there" "MapOp_1"
tt_check "80x24: nothing is wider" [ "$(tt_screen | wc -L)" -le 80 ]
tt_resize 140 40

# ---- the longest step
tt_keys 7
tt_expect "steps: the tab" "[7 Steps]"
tt_expect "steps: the longest is named" "longest: step $step, $total"
for ((i = 1; i < step; i++)); do tt_keys l; done
tt_check "steps: the chosen one and its total" grep -qE "^ step $step( of [^ ]+)? +$total ms" <(tt_screen)
tt_expect "steps: its longest part" "tail $tail ms ($tail_pct%)"
tt_quit Q

# ---- the slow link
tt_start 140 44 $ASCEND || exit 1
tt_expect "overview: the link is a finding" "Slow link: HCCS from $from to $to has $speed GB/s"
tt_keys 6
tt_expect "distributed: the tab" "[6 Dist]"
tt_check "distributed: the link is marked in its row" grep -qE "rank $from .*!${speed%?}" <(tt_screen)
tt_check "distributed: it is the only one" [ "$(tt_screen | grep -cE '^ +rank [0-9] .*![0-9]')" = 1 ]
tt_expect "distributed: the link is told in words" "rank $from to $to over HCCS: $speed GB/s"
tt_expect "distributed: the slow rank" "Slow rank: rank 1"
tt_quit Q
exit 0
