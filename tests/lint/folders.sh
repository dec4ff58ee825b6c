#!/usr/bin/env bash
# Names folders of tests/lint/layers.txt without a line in assets/doc/architecture.md, and lines there about folders
# that do not exist.
cd "$(dirname "$0")/../.." || exit 1
listed=$(sed -n 's/^\([a-z_/]*\):.*/\1/p' tests/lint/layers.txt | sort)
named=$(sed -n 's/^| `\([a-z_/]*\)` |.*/\1/p' assets/doc/architecture.md | sort)
comm -23 <(echo "$listed") <(echo "$named") | sed 's|$|: not in the table of assets/doc/architecture.md|'
comm -13 <(echo "$listed") <(echo "$named") | sed 's|$|: in assets/doc/architecture.md, not in tests/lint/layers.txt|'
