#!/usr/bin/env bash
# The tables compared with the numbers that other profilers computed: needs TRACETTY_CORPUS and the checker beside it.
set -u
checker=${TRACETTY_CORPUS:-}/../tools/check_golden.py
if [ -z "${TRACETTY_CORPUS:-}" ] || [ ! -f "$checker" ]; then
    echo "skip golden: TRACETTY_CORPUS is not set, or has no ../tools/check_golden.py"
    exit 0
fi
python3 "$checker" --bin "$BIN" --corpus "$TRACETTY_CORPUS" --case 'pytorch*,amd*,torch*' \
    --table expect,operators,kernels,runtime_api,step_breakdown,execution_summary
