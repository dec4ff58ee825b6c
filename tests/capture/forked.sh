#!/usr/bin/env bash
# Children without exec: one that begins CUDA is a process of the GPU, whatever its parent did before; one that does not
# stays silent.
. "$(dirname "$0")/_lib.sh"
unforkable "children without exec" && exit 0
forks=$B/tests/doubles/forks
export TRACETTY_CUPTI=$B/tests/doubles/libfakecupti.so FAKE_CUPTI=$tmp/script LD_LIBRARY_PATH=$B/tests/doubles/driver
echo "version 130001" >"$FAKE_CUPTI"
kernels() { table kernels "$@" | python3 -c 'import csv, sys; print(sum(int(r["calls"]) for r in csv.DictReader(sys.stdin)))'; }
said() { find "$dir" -name '*.ttspool' -exec cat {} + | grep -ao "of the $1" | sort -u; } # WHO: their marks are recorded

# ---- children that use the GPU
for end in exit _exit; do
    for which in exec all; do
        record --format spool --children $which "$forks" plain $end
        same "--children $which: a child that begins CUDA and ends by $end" "$status $(kernels) $(grep child "$tmp/out")" "0 5 child: 7"
        record --format spool --children $which "$forks" marked $end
        same "... after its parent made a mark" "$status $(kernels) $(grep child "$tmp/out")" "0 5 child: 7"
        same "... and the marks of both" "$(said parent), $(said child)" "of the parent, of the child"
    done
    record --format spool --children none "$forks" plain $end
    same "--children none: a child that begins CUDA" "$status $(kernels)" "0 0"
    record --format spool --children none "$forks" marked $end
    same "--children none: a child that ends by $end" "$status $(kernels) $(said parent)$(said child)" "0 0 of the parent"
done
OWN_DIR=$tmp/own "$forks" owner >"$tmp/out" 2>"$tmp/err"
same "a child of a program that records itself" "$? $(kernels "$tmp/own") $(find "$tmp/own" -name '*.ttspool' | wc -l)" "0 5 2"

# ---- a child whose parent uses the GPU: CUDA does not work there, and CUPTI is left alone
record --format spool "$forks" used
same "a child of a process that began CUDA: the parent's kernels" "$status $(kernels)" "0 2"
has "... what the child lacks is said" "$tmp/err" 'no GPU activity: the process was forked by one that had begun CUDA'

# ---- children that never use it
record --format spool "$forks" idle
same "a child without CUDA" "$status $(find "$dir" -name '*.ttspool' | wc -l) $(said parent)$(said child)" "0 1 of the parent"
record --format spool --children all "$forks" idle
same "... --children all" "$status $(find "$dir" -name '*.ttspool' | wc -l)" "0 2"
record --format spool "$forks" early
same "... that its parent forked before it attached" "$status $(find "$dir" -name '*.ttspool' | wc -l) $(said parent)$(said child)" "0 1 of the parent"
record --format spool --children all "$forks" early
same "... --children all" "$status $(find "$dir" -name '*.ttspool' | wc -l)" "0 2"
exit 0
