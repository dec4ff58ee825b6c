#!/usr/bin/env bash
# Texts about an NPU use its own terms: for Ascend folders no table, finding, note or summary names another device.
set -u
cd "$(dirname "$0")/../.." || exit 1
BIN=${BIN:-./tracetty}
foreign='CUDA|cuda|NCCL|GPU|CUPTI|NVTX'
tmp=$(mktemp -d) && trap 'rm -rf "$tmp"' EXIT
check() { # a name; the text on the standard input
    if grep -nE "$foreign" >"$tmp/found"; then echo "FAIL $1: $(head -3 "$tmp/found" | cut -c1-160 | tr '\n' ';')"; else echo "ok $1: in words of its own"; fi
}
mapfile -t tables < <("$BIN" tables | grep -oE '^[a-z_]+: ' | tr -d ': ')
[ "${#tables[@]}" -gt 40 ] || echo "FAIL tables: ${#tables[@]} are listed"
folders=(assets/sample_ascend assets/sample_mindinsight tests/golden/ascend tests/golden/mindinsight tests/golden/cluster)
if [ -n "${TRACETTY_CORPUS:-}" ]; then
    folders+=("$TRACETTY_CORPUS"/traces/ascend/level1 "$TRACETTY_CORPUS"/traces/ascend/level1/rank0_ascend_pt
        "$TRACETTY_CORPUS"/traces/mindspore/{synth_minddata,cluster_propose,run_1/normal_run/profiler} "$TRACETTY_CORPUS"/traces/mindspore/PROF_*)
fi
for folder in "${folders[@]}"; do
    [ -d "$folder" ] || continue
    name=$(basename "$folder")
    "$BIN" summary "$folder" 2>&1 | check "$name summary"
    for t in "${tables[@]}"; do echo "$t" && "$BIN" summary --limit 0 --table "$t" "$folder" 2>&1; done | check "$name tables and their notes"
    "$BIN" check "$folder" 2>&1 | check "$name check"
done
exit 0
