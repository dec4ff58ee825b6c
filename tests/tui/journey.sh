#!/usr/bin/env bash
# A user's way through the sample: open, select a kernel, follow it to its launch and operator, sort, filter, resize,
# leave. Expected values are computed from the trace file here, not by the program.
. "$(dirname "$0")/_lib.sh"
FILE=assets/sample_gpu/train_rank0.1700000000000.pt.trace.json.gz

facts() { # longest flash attention kernel: duration, its launch's name and correlation, the launching operator
    python3 - "$FILE" <<'PY'
import gzip, json, sys
from decimal import Decimal
events = json.loads(gzip.open(sys.argv[1]).read(), parse_float=Decimal)["traceEvents"]
kernel = max((e for e in events if e.get("cat") == "kernel" and "flash_fwd_kernel" in e["name"]), key=lambda e: (e["dur"], -e["ts"]))
launch = next(e for e in events if e.get("cat") == "cuda_runtime" and e["args"]["correlation"] == kernel["args"]["correlation"])
op = next(e for e in events if e.get("cat") == "cpu_op" and e["args"]["External id"] == launch["args"]["External id"])
calls = {}
for e in events:
    if e.get("cat") == "cpu_op":
        calls[e["name"]] = calls.get(e["name"], 0) + 1
print("%s\t%s\t%d\t%s\t%d" % (kernel["dur"], launch["name"], launch["args"]["correlation"], op["name"], calls["aten::addmm"]))
PY
}
IFS=$'\t' read -r dur launch correlation operator addmm < <(facts)

tt_start 120 40 "$FILE" || exit 1
tt_expect "open: the tabs" "[1 Overview]"
tt_expect "open: the number of events" "$(python3 tests/tools/count_events.py "$FILE" | awk '{print $1}' | sed 's/...$/,&/') events"
tt_expect "open: the slow step" "step 4"
share=$(python3 tests/tools/ten_answers.py input "$FILE" | cut -f 1)
tt_expect "open: the finding" "Waits for input: GPU 0 is idle $share of the step time"

tt_keys 3
tt_expect "kernels: the tab" "[3 Kernels]"
tt_keys /
tt_type flash_fwd
tt_keys Enter
tt_expect "find: the row is selected" "void pytorch_flash::flash_fwd_kernel"
tt_keys t
tt_expect "show: the timeline opens" "[4 Time"
tt_keys f f
tt_expect "show: the kernel is selected" "duration    $dur"
tt_check "fit: its name is on its slice, and in the detail" [ "$(tt_screen | grep -c flash_fwd_kernel)" -ge 2 ]
tt_keys '['
tt_expect "link: the launch" "$launch"
tt_keys Enter
tt_check "link: its correlation" grep -qE "^ correlation +$correlation\$" <(tt_screen | sed 's/ *$//')
tt_keys q
tt_keys '['
tt_expect "link: the operator" "$operator"
tt_keys ']'
tt_expect "link: and forward again" "runtime API, pt_main_thread"
tt_keys 0
tt_expect "whole trace" "window 194."

tt_keys 2
tt_keys '>' '>'
top=$("$BIN" summary --format csv --table operators --sort device_mean_ns --limit 1 "$FILE" | tail -n 1 | cut -d, -f1)
for _ in 1 2 3 4 5 6 7 8 9; do tt_screen | grep -q 'sort GPU mean' && break; tt_keys '>'; done
tt_expect "sort: by device mean" "sort GPU mean"
first_row() { tt_screen | grep -m 1 '^>' | cut -d' ' -f1; }
tt_check "sort: the first row is $top" [ "$(first_row)" = ">$top" ]
tt_keys o
tt_check "reverse: another first row" [ "$(first_row)" != ">$top" ]

other=$(first_row)
tt_keys F
tt_type addmm
tt_keys Enter
tt_expect "filter: rows with the text" "aten::addmm"
tt_expect "filter: its calls" " $addmm "
tt_expect "filter: is named" "filter addmm"
tt_reject "filter: no others" "${other#>}"
tt_keys '\'
tt_expect "filter: cleared" "${other#>}"
tt_reject "filter: cleared, not named any more" "filter addmm"

tt_resize 80 24
tt_expect "80x24: the tab" "── Operators"
tt_check "80x24: nothing is wider" [ "$(tt_screen | wc -L)" -le 80 ]
tt_keys 4 '?'
tt_expect "help: keys of the timeline" "zoom in at the cursor"
tt_keys q
for size in '40 10' '20 5' '40 12' '250 70' '120 40'; do
    # shellcheck disable=SC2086  # two words are meant
    tt_resize $size
done
tt_expect "after resizing: the timeline is there" "GPU busy"
tt_quit Q
exit 0
