#!/usr/bin/env bash
# Random keys under valgrind: no invalid access, no uninitialised value, no leak. Skipped in sanitizer builds, where
# the unit test finds the same faults.
set -u
cd "$(dirname "$0")/../.." || exit 1
test=$B/tests/unit/screens/test_random_keys
command -v valgrind >/dev/null || { echo "skip memory: valgrind is not installed"; exit 0; }
[ -x "$test" ] || { echo "FAIL memory: $test is not built"; exit 1; }
if grep -qaE '__asan_init|__tsan_init' "$test"; then echo "skip memory: built with a sanitizer"; exit 0; fi
log=$(mktemp) && trap 'rm -f "$log"' EXIT
if KEYS=500 TRACES=assets/sample_gpu:assets/sample_cpu.pt.trace.json.gz \
    valgrind --quiet --error-exitcode=9 --leak-check=full --errors-for-leak-kinds=definite "$test" >"$log" 2>&1; then
    echo "ok 500 keys at random under valgrind"
else
    echo "FAIL 500 keys at random under valgrind"
    head -40 "$log"
fi
exit 0
