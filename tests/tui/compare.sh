#!/usr/bin/env bash
# Comparing two runs, and two parts of one run: opening, naming, changing and leaving the other side. Times are computed
# from the trace files here, not by the program.
. "$(dirname "$0")/_lib.sh"
RUN=assets/sample_gpu
RANK0=$RUN/train_rank0.1700000000000.pt.trace.json.gz
RANK1=$RUN/train_rank1.1700000000000.pt.trace.json.gz
KERNEL=ncclDevKernel_AllReduce

made=$(mktemp -d)
trap 'rm -rf "$made"; tt_cleanup' EXIT
# Time of the kernels with a name, in a whole file or launched in a step: "50.293 ms"
total() {
    python3 - "$KERNEL" "$@" <<'PY'
import gzip, json, sys
from decimal import Decimal
name, path, step = sys.argv[1], sys.argv[2], sys.argv[3:]
events = json.loads(gzip.open(path).read(), parse_float=Decimal)["traceEvents"]
launch = {e["args"]["correlation"]: e["ts"] for e in events if e.get("cat") == "cuda_runtime" and "correlation" in e.get("args", {})}
t0, t1 = Decimal("-Infinity"), Decimal("Infinity")
for e in events:
    if step and e.get("name") == "ProfilerStep#" + step[0] and e.get("cat") == "user_annotation": t0, t1 = e["ts"], e["ts"] + e["dur"]
us = sum(e["dur"] for e in events if e.get("cat") == "kernel" and e["name"].startswith(name) and t0 <= launch[e["args"]["correlation"]] < t1)
ms = us / 1000
print("%.*f ms" % (3 if ms < 10 else 2 if ms < 100 else 1, ms)) # four digits
PY
}
row() { tt_screen | grep -m1 "^>\?[ *]*$KERNEL"; }
in_row() { row | grep -qF -- "$1"; }
# row of the kernel in a table of all kernels whose columns fit
table() { tt_keys : && tt_type "table diff_kernels" && tt_keys Enter; }

# two runs, on a terminal
tt_start 220 40 diff "$RANK0" "$RANK1" || exit 1
tt_check "two runs: the tab" grep -qE "\[([0-9]+ )?(Compare|Cmp)\]" <(tt_screen)
tt_check "two runs: the verdict of the first frame" grep -qE '(slower|faster|unclear)' <(tt_screen)
tt_check "two runs: the first line names the base" grep -qE "base .*train_rank0.* new .*train_rank1" <(tt_screen)
table
tt_check "two runs: time in the base" in_row "$(total "$RANK0")"
tt_check "two runs: time in the new run" grep -qF "$(total "$RANK1")" <(tt_screen)
tt_keys : && tt_type "steps 4" && tt_keys Enter
tt_check "a step: of the base" in_row "$(total "$RANK0" 4)"
tt_keys : && tt_type "all" && tt_keys Enter
tt_keys : && tt_type "diff swap" && tt_keys Enter
tt_check "sides changed: named so" grep -qE "base .*train_rank1.* new .*train_rank0" <(tt_screen)
tt_check "sides changed: time in the base" in_row "$(total "$RANK1")"
tt_keys : && tt_type "diff off" && tt_keys Enter
tt_expect "off: said" "comparison closed"
tt_reject "off: one run in the first line" "base "
tt_check "off: the table says how" grep -qF ":diff PATH" <(tt_screen)
tt_quit Q

# started from an open run
tt_start 220 40 "$RANK1" || exit 1
tt_reject "one run: no tab to compare" "Compare"
tt_keys : && tt_type "diff $RANK0" && tt_keys Enter
tt_until tt_has slower
tt_wait "the other run"
tt_check ":diff: the first line names the base" grep -qE "base .*train_rank0.* new .*train_rank1" <(tt_screen)
table
tt_check ":diff: time in the base" in_row "$(total "$RANK0")"
tt_keys : && tt_type "diff $made/none.json" && tt_keys Enter
tt_until tt_has "No such file"
tt_expect "a base that is not there: why" "none.json: No such file or directory"
tt_check "a base that is not there: the one of before stays" in_row "$(total "$RANK0")"
head -c 200000 "$RANK0" >"$made/cut.json.gz"
tt_keys : && tt_type "diff $made/cut.json.gz" && tt_keys Enter
tt_until tt_has "opened with repairs"
tt_expect "a damaged base: said, and compared" "opened with repairs"
tt_check "a damaged base: it is the base" grep -qE "base .*cut.json.gz" <(tt_screen)
tt_quit Q

# the list of runs
cp "$RANK0" "$made/run_a.json.gz"
cp "$RANK1" "$made/run_b.json.gz"
rm "$made/cut.json.gz"
tt_start 220 40 "$made/run_b.json.gz" || exit 1
tt_keys =
tt_expect "list of runs: its folder" "Compare with a run of"
for _ in 1 2 3; do tt_screen | grep -q '>.*run_a' || tt_keys j; done
tt_keys Enter
tt_until tt_has slower
tt_wait "the run of the list"
tt_check "list of runs: it is the base" grep -qE "base .*run_a.json.gz.* new .*run_b.json.gz" <(tt_screen)
tt_quit Q

# two steps of one run
tt_start 220 40 "$RANK0" || exit 1
tt_keys S j = j j =
tt_check "two steps: named" grep -qE "base step 2 .*new step 4" <(tt_screen)
table
tt_check "two steps: the first" in_row "$(total "$RANK0" 2)"
tt_check "two steps: the second" in_row "$(total "$RANK0" 4)"
tt_check "two steps: nothing is judged" in_row unclear
tt_quit Q

# two ranks of one run
tt_start 220 40 "$RUN" || exit 1
tt_keys D g j = j =
tt_check "two ranks: named" grep -qE "base train_rank0.*new train_rank1" <(tt_screen)
table
tt_check "two ranks: the first" in_row "$(total "$RANK0")"
tt_check "two ranks: the second" in_row "$(total "$RANK1")"
tt_quit Q

# an impossible comparison at the start ends with a message and status 3
TT_NO_WAIT=1 tt_start 80 24 diff "$made/none.json" "$RANK0"
TT_WANT_STATUS=3 tt_quit
tt_check "no base: a message" grep -q none.json "$TT_DIR/stderr"
TT_NO_WAIT=1 tt_start 80 24 diff "$RANK0" "$made/none.json"
TT_WANT_STATUS=3 tt_quit
tt_check "no new run: a message" grep -q none.json "$TT_DIR/stderr"

# a base that loads slowly
mkfifo "$made/pipe.json"
exec 9<>"$made/pipe.json"
printf '{"traceEvents": [' >&9
TT_NO_WAIT=1 tt_start 120 40 diff "$made/pipe.json" "$RANK0"
tt_check "while the base is read: said" tt_until tt_has "pipe.json, reading"
tt_tmux send-keys -t app 2
tt_check "while the base is read: the new run is there" tt_until tt_has "── Operators"
tt_quit Q
TT_NO_WAIT=1 tt_start 120 40 diff "$made/pipe.json" "$RANK0"
tt_check "while the base is read again: said" tt_until tt_has "pipe.json, reading"
tt_tmux send-keys -t app Escape
tt_check "Esc: the base is not wanted" tt_until tt_has "no comparison"
tt_quit Q
exec 9>&-

# a preview compared with itself is replaced by the whole trace
python3 tests/tools/slow_pipe.py "$RANK0" "$made" 0.75 &
TT_NO_WAIT=1 tt_start 220 40 "$made/pipe.json" || exit 1
tt_check "preview: there" tt_until tt_has " step 3 "
tt_send S j = j =
tt_check "preview: two steps compared" tt_until tt_has "base step 2"
touch "$made/go"
tt_wait "the end of the trace"
tt_check "complete: the same two steps" grep -qE "base step 2 .*new step 3" <(tt_screen)
table
tt_check "complete: the first" in_row "$(total "$RANK0" 2)"
tt_check "complete: the second" in_row "$(total "$RANK0" 3)"
tt_quit Q
exit 0
