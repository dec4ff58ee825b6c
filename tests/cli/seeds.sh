#!/usr/bin/env bash
# What once broke a fuzz target: the program reads it, or refuses it, and lives.
set -u
cd "$(dirname "$0")/../.." || exit 1
for f in tests/fuzz/seeds/*/*; do
    "$BIN" summary --table all --format json "$f" >/dev/null 2>&1
    status=$?
    case $status in 0 | 3) echo "ok ${f##*/}" ;; *) echo "FAIL $f: exit status $status" ;; esac
done
