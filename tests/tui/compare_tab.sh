#!/usr/bin/env bash
# The Compare tab in a terminal: verdict, kinds of rows, totals, names, both timelines, the file it writes. Times are
# computed from the trace files here, not by the program.
. "$(dirname "$0")/_lib.sh"
RANK0=assets/sample_gpu/train_rank0.1700000000000.pt.trace.json.gz
RANK1=assets/sample_gpu/train_rank1.1700000000000.pt.trace.json.gz
made=$(mktemp -d)
trap 'rm -rf "$made"; tt_cleanup' EXIT

# Calls and ns of every kernel of both files against the CSV: exactly the changed rows.
same_totals() {
    python3 - "$RANK0" "$RANK1" "$1" <<'PY'
import csv, gzip, json, sys
from decimal import Decimal
def kernels(path):
    out = {}
    for e in json.loads(gzip.open(path).read(), parse_float=Decimal)["traceEvents"]:
        if e.get("cat") != "kernel": continue
        calls, ns = out.get(e["name"], (0, 0))
        out[e["name"]] = calls + 1, ns + int(e["dur"] * 1000)
    return out
base, new = kernels(sys.argv[1]), kernels(sys.argv[2])
rows = {r["name"]: r for r in csv.DictReader(open(sys.argv[3]))}
want = {n for n in base.keys() | new.keys() if base.get(n, (0, 0)) != new.get(n, (0, 0))}
assert want, "nothing differs"
assert rows.keys() == want, rows.keys() ^ want
for name in want:
    have = [int(rows[name][k]) for k in ("base_calls", "base_total_ns", "new_calls", "new_total_ns", "delta_total_ns")]
    b, n = base.get(name, (0, 0)), new.get(name, (0, 0))
    assert have == [*b, *n, n[1] - b[1]], (name, have, b, n)
PY
}
selected() { tt_screen | grep -m1 '^>'; }
# verdict of the median step, from annotations that contain all their device work: "step A -> B"
tt_start 120 40 diff "$RANK0" "$RANK1" || exit 1
tt_check "the tab" grep -qE '\[(Compare|Cmp)\]' <(tt_screen)
tt_check "which is which" grep -qE 'Base train_rank0.*New train_rank1.*6 steps against 6' <(tt_screen)
tt_check "the verdict of the step with its interval" grep -qE '^ step [0-9.]+ ms -> [0-9.]+ ms +[-+].*(slower|faster|same|unclear) +\(95%: [-+].* to .*, p [0-9.]+\)' <(tt_screen)
tt_check "a line for a part of the step" grep -qE '^ *input +[0-9.]+ ' <(tt_screen)
tt_expect "how many of each kind" "15 slower"
tt_check "unchanged rows are hidden" grep -qE '12 unchanged \(a\).* 16 of 28' <(tt_screen)
tt_keys a
tt_reject "all rows: none is hidden" "16 of 28"
tt_expect "all rows: said" "rows: all"
tt_keys a f f
tt_expect "slower ones only" "only slower"
tt_reject "slower ones only: the one that is unclear is gone" "AllReduce_Sum_bf16_RING_LL  "
tt_keys f f
tt_expect "new ones only" "only new"
tt_expect "new ones only: there are none" "none of these"
tt_keys a a
before=$(selected)
tt_keys Enter
tt_reject "both timelines: another screen" "Part of the mean step"
tt_keys u
tt_check "back: the same row" test "$(selected)" = "$before"
tt_keys X
tt_check "swapped" grep -qE 'Base train_rank1.*New train_rank0' <(tt_screen)
tt_expect "swapped: what was slower is faster" "15 faster"
tt_keys X p
tt_expect "totals" "totals, not per step"
tt_keys : && tt_type "export $made/changed.csv" && tt_keys Enter
tt_expect "totals: written" "rows written to"
tt_check "totals: the kernels that differ, to the nanosecond" same_totals "$made/changed.csv"
tt_keys p
tt_expect "per step again" "6 steps against 6"
tt_keys F && tt_type "gemm" && tt_keys Enter
tt_reject "filter" "ncclDevKernel"
tt_keys '\' && tt_keys Tab
tt_check "the next table" grep -qF 'Operators' <(tt_screen)
tt_keys BTab
tt_expect "the table before" "ncclDevKernel"
tt_resize 80 24
tt_check "80 x 24: the verdict with its interval" grep -qE '^ step .* ms.*\([-+].* to [-+].*\)' <(tt_screen)
tt_expect "80 x 24: a row" "ncclDevKernel"
tt_quit Q
