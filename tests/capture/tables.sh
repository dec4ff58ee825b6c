#!/usr/bin/env bash
# Every table of a recording equals that of its export, for all kinds of recordings that the doubles can make.
. "$(dirname "$0")/_lib.sh"
export FAKE_CUPTI=$tmp/script TRACETTY_CUPTI=$B/tests/doubles/libfakecupti.so
script() { printf '%s\n' "$@" >"$FAKE_CUPTI"; }

# compare WHAT [OPTION...]: compares $dir with the exports of its spools, under equal names in another folder
compare() {
    local what=$1 out=$tmp/export$n spool name
    shift
    [ -d "$out" ] || mkdir "$out"
    for spool in "$dir"/*.ttspool; do
        name=$(basename "$spool" .ttspool)
        [ -e "$out/$name.pt.trace.json.gz" ] || "$BIN" export "$spool" -o "$out/$name.pt.trace.json.gz" 2>"$tmp/err" ||
            echo "FAIL $what: export: $(cat "$tmp/err")"
    done
    rm -f "$dir"/*.json.gz
    python3 tests/capture/same_tables.py "$what" "$BIN" "$dir" "$out" "$@" >"$tmp/said" || echo "FAIL $what: $(tail -3 "$tmp/said")"
    grep -v '^rows ' "$tmp/said"
    sed -n 's/^rows //p' "$tmp/said" | tr ' ' '\n' >>"$tmp/full"
}
all=(device context stream "launch 40" "early 10" "node 4" "copy 10" "peer 2" "set 5" "sync 3" "event 4" "overhead 2" "memory 5" "pool 3"
     "noisy 7" "driver 2" "environment 1" "graph 1" flush)

script "${all[@]}"
record --memory --trace +graph,event,um,env,latency,driver --noisy-api --cpu-util 50 "$target" cuda-train 6
compare "a training with everything"
for by in "operators shape" "kernels launch" "kernels operator" "key_averages shape"; do
    compare "... $by" --table "${by% *}" --group-by "${by#* }"
done
compare "... two steps of it" --steps 2-3 --table all
record "$target" cuda-train 2
compare "what is recorded by default"
script device context "launch 50" flush
record --trace kernel "$target" cuda-train 2
compare "kernels without their calls"
record --trace +external "$target" cuda-train 2
compare "ids of CUPTI's external correlation"
record --ops "$target" cuda-train 2
compare "operators"
script device context "graph 20" "node 20" flush
record --trace +graph "$target" cuda-train 2
compare "graphs"
script device context "memory 9" "pool 20" flush
record --memory "$target" cuda-train 2
compare "memory and pools"
script device context "event 20" "sync 5" flush
record --trace +event "$target" cuda-train 2
compare "events and waits"
script device context "launch 30" "zero 5" "drop 12" "unknown 60 48 5" flush
record "$target" cuda-train 2
compare "losses"
script device context "threads 6 200" flush
record "$target" cuda-script
compare "many threads"
script device context "launch 9" "copy 2" flush
record --steps skip_first=1,wait=1,warmup=1,active=2,repeat=2 "$target" cuda-script 12
compare "a schedule"
record --capture-range "aten::mm" "$target" cuda-train 3
compare "a range only"
for mode in odd api "names 300" "threads 2000" strings "fork 0"; do
    case $mode in fork*) unforkable "$mode" && continue ;; esac
    # shellcheck disable=SC2086
    record "$target" $mode
    compare "without CUDA: $mode"
done
script device context "launch 30"
FAKE_HANG_AFTER=20 record "$target" cuda-train 2
compare "work that never ends"
record "$target" kill 9
compare "killed"
has "... is said of the export" <("$BIN" check "$tmp/export$n") unclean_end

cat >"$tmp/ranks.sh" <<'SH'
for r in 0 1 2; do RANK=$r WORLD_SIZE=3 "$1" cuda-train 3 & done
wait
SH
script "${all[@]}"
record --memory bash "$tmp/ranks.sh" "$target"
compare "three ranks"

# ---- call stacks, from a recording that is kept as text and has little else
n=$((n + 1)) dir=$tmp/rec$n
mkdir "$dir" && python3 -B -c 'import sys; sys.path.insert(0, "tests/golden"); import _wire; _wire.ready(sys.argv[1], "trace.ttspool.json", sys.argv[2])' \
    tests/golden/stacks "$dir"
compare "call stacks" --table stacks

# ---- torn files: the kept events are equal
script "${all[@]}"
record --memory --trace +event "$target" cuda-train 2
whole=$(echo "$dir"/*.ttspool)
size=$(stat -c %s "$whole")
for part in 95 60 30; do
    n=$((n + 1)) dir=$tmp/rec$n
    mkdir "$dir" && head -c $((size * part / 100)) "$whole" >"$dir/${whole##*/}"
    compare "torn at $part %"
done

# Left out: runs is about folders, hang_* are about dumps of flight recorders. Steps of engines come from ranges of
# serving programs. Modules come from frames of Python, which no recording has. Ranks of doubles do not wait for each
# other, so no rank is a straggler. Memory snapshots are PyTorch's. Step traces, operator types, the input pipeline and
# clusters come with folders of profilers. Differences take two runs.
want=$("$BIN" tables | sed -n 's/^\([a-z_]*\): .*/\1/p' |
    grep -vxE 'runs|hang_[a-z]*|engine_steps|serving|modules|memory_(fragmentation|segments|peak|stacks)|comm_ranks|diff_[a-z_]*|step_(trace|trace_summary|collectives)|op_(types|details)|data_[a-z_]*|cluster_[a-z_]*' | sort)
empty=$(comm -23 <(echo "$want") <(sort -u "$tmp/full") | tr '\n' ' ')
same "tables without rows in any of them" "$empty" ""
