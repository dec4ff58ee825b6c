#!/usr/bin/env bash
# Keys pressed at random under valgrind: no bad access, nothing uninitialised, nothing left. Sanitizer builds do without: the unit test
# does the same there.
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
