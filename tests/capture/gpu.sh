#!/usr/bin/env bash
# The script that proves recording on a GPU, as far as it can be run on the doubles: that it finds what it looks for.
. "$(dirname "$0")/_lib.sh"
DRY=1 OUT=$tmp/gpu tests/gpu/run.sh 2>&1 | grep -E '^(ok|FAIL) '
same "it leaves a sample" "$("$BIN" summary --table memcpy --format csv "$tmp/gpu/cuda_program.json.gz" 2>/dev/null | wc -l)" 3
