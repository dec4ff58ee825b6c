#!/usr/bin/env bash
# The tables compared with the numbers that other profilers computed: needs TRACETTY_CORPUS and the checker beside it.
# What does not agree yet is listed in tests/golden.todo ("CASE TABLE", one a line): it counts as skipped, and as failed as soon as it agrees.
set -u
checker=${TRACETTY_CORPUS:-}/../tools/check_golden.py
if [ -z "${TRACETTY_CORPUS:-}" ] || [ ! -f "$checker" ]; then
    echo "skip golden: TRACETTY_CORPUS is not set, or has no ../tools/check_golden.py"
    exit 0
fi
here=$(dirname "$0")
python3 "$checker" --bin "$BIN" --corpus "$TRACETTY_CORPUS" | awk -v todo="$here/golden.todo" '
    BEGIN { while ((getline line < todo) > 0) if (line !~ /^#/ && line != "") known[line] = 1 }
    /^(ok|FAIL) / {
        name = $2 " " $3; sub(/:$/, "", name)
        listed = name in known
        if ($1 == "FAIL" && listed) { sub(/^FAIL/, "skip"); failing[name] = 1 }
        if ($1 == "ok" && listed) agrees[name] = 1
    }
    /^[0-9]+ passed/ { done = 1; next }
    { print }
    END {
        for (n in known) if (!(n in failing)) print "FAIL " n " agrees now: take it off tests/golden.todo"
        if (!done) print "FAIL the checker did not end"
    }'
