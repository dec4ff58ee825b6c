#!/usr/bin/env bash
# The generated sample traces are possible ones, and are what the generator writes now.
set -u
cd "$(dirname "$0")/../.." || exit 1
tmp=$(mktemp -d) && trap 'rm -rf "$tmp"' EXIT
python3 tests/tools/make_sample.py "$tmp" >/dev/null
python3 tests/tools/check_sample.py assets/sample_gpu/*.json.gz
for f in assets/sample_gpu/*.json.gz; do
    if cmp -s <(gzip -dc "$f") <(gzip -dc "$tmp/sample_gpu/${f##*/}"); then echo "ok generated ${f##*/}"; else
        echo "FAIL generated ${f##*/}: make samples writes something else"; fi
done
