#!/usr/bin/env bash
# Inputs that once broke a fuzz target: the program reads or refuses them, and does not crash.
set -u
cd "$(dirname "$0")/../.." || exit 1
for f in tests/fuzz/seeds/*/*; do
    "$BIN" summary --table all --format json "$f" >/dev/null 2>&1
    status=$?
    case $status in 0 | 3) echo "ok ${f##*/}" ;; *) echo "FAIL $f: exit status $status" ;; esac
done
