#!/usr/bin/env bash
# Cost of loading, counted and not timed: instructions and allocations of reading the sample with one thread. A limit
# is the measured figure plus 15 %; a change that makes loading cheaper lowers it. simdjson's implementation is pinned
# so that x86 machines agree; other processors use other ones, which may take half as many instructions more.
set -u
top=$(cd "$(dirname "$0")/../.." && pwd)
BIN=${BIN:-$top/tracetty}
INSTRUCTIONS_PER_EVENT=5000 # measured: 4,480
ALLOCATIONS=700             # measured: 557

command -v valgrind >/dev/null || { echo "skip valgrind is not installed"; exit 0; }
if nm "$BIN" 2>/dev/null | grep -qE '__asan_init|__tsan_init'; then
    echo "skip built with a sanitizer"
    exit 0
fi
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
gunzip -c "$top"/assets/sample_gpu/train_rank0.*.gz >"$dir/sample.json"
if SIMDJSON_FORCE_IMPLEMENTATION=westmere "$BIN" doctor | grep -q '^ok *JSON reader .* westmere$'; then
    export SIMDJSON_FORCE_IMPLEMENTATION=westmere
else
    unset SIMDJSON_FORCE_IMPLEMENTATION
    INSTRUCTIONS_PER_EVENT=$((INSTRUCTIONS_PER_EVENT * 3 / 2))
fi
# Under valgrind, which hides vector instructions that it does not know.
reader=$(valgrind --tool=none "$BIN" doctor 2>/dev/null | grep '^[a-z]* *JSON reader')
run() {
    valgrind "$@" "$BIN" bench-load --threads 1 "$dir/sample.json" >"$dir/out" 2>"$dir/err"
}
check() { # what, figure, limit
    if [ -n "$2" ] && [ "$2" -le "$3" ]; then echo "ok $1: $2 (limit $3)"; else echo "FAIL $1: ${2:-none} (limit $3)"; fi
}
run --tool=callgrind --toggle-collect=tt_read_store --callgrind-out-file=/dev/null
events=$(sed -n 's/.*"events": \([0-9]*\).*/\1/p' "$dir/out")
total=$(sed -n 's/.*Collected : \([0-9]*\).*/\1/p' "$dir/err")
if [[ $reader == ok* ]]; then
    check "instructions per event" "${events:+$((${total:-0} / events))}" $INSTRUCTIONS_PER_EVENT
else
    echo "skip instructions per event: no vector code here ($reader)"
fi
run --tool=memcheck --leak-check=no
allocations=$(sed -n 's/.*total heap usage: \([0-9,]*\) allocs.*/\1/p' "$dir/err" | tr -d ,)
check "allocations" "$allocations" $ALLOCATIONS
