#!/usr/bin/env bash
# Compares tables with numbers of other profilers: needs TRACETTY_CORPUS and the checker beside it. Numbers worked out
# by hand need neither: tests/golden/check.py.
# tests/golden.todo lists results that do not agree yet, as patterns "CASE-GLOB TABLE-GLOB", one a line. A failure
# that matches a pattern counts as skipped; a pattern without a failure counts as failed.
set -u
checker=${TRACETTY_CORPUS:-}/../tools/check_golden.py
if [ -z "${TRACETTY_CORPUS:-}" ] || [ ! -f "$checker" ]; then
    echo "skip golden: TRACETTY_CORPUS is not set, or has no ../tools/check_golden.py"
    exit 0
fi
here=$(dirname "$0")
python3 "$checker" --bin "$BIN" --corpus "$TRACETTY_CORPUS" | awk -v todo="$here/golden.todo" '
    function as_regex(glob) { # in these globs only "*", "?" and "." are special
        gsub(/\./, "\\.", glob); gsub(/\*/, ".*", glob); gsub(/\?/, ".", glob)
        return "^" glob "$"
    }
    BEGIN { while ((getline line < todo) > 0) if (line !~ /^#/ && line != "") pattern[line] = as_regex(line) }
    /^FAIL / {
        name = $2 " " $3; sub(/:$/, "", name)
        for (p in pattern) if (name ~ pattern[p]) { sub(/^FAIL/, "skip"); failing[p] = 1 }
    }
    /^[0-9]+ passed/ { done = 1; next }
    { print }
    END {
        for (p in pattern) if (!(p in failing)) print "FAIL nothing under \"" p "\" fails any more: take it off tests/golden.todo"
        if (!done) print "FAIL the checker did not end"
    }'
