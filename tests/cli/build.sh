#!/usr/bin/env bash
# The Makefile's promises to users: packages are installed only on request, and first; missing packages are named;
# warnings are errors only on request; a single test builds only itself.
set -u
cd "$(dirname "$0")/../.." || exit 1
unset MAKEFLAGS MFLAGS MAKELEVEL CFLAGS CXXFLAGS LDFLAGS CPPFLAGS HARDEN WERROR B BIN
make() { command "${MAKE:-make}" --no-print-directory "$@"; }
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
same() { if [ "$2" = "$3" ]; then echo "ok $1"; else printf 'FAIL %s: got\n%s\nwant\n%s\n' "$1" "$2" "$3"; fi; }

mkdir -p "$tmp/top/tests"
cp Makefile "$tmp/top"
printf '#!/bin/sh\nsleep 0.2\necho packages\n' >"$tmp/top/tests/deps"
printf '#!/bin/sh\necho tests\n' >"$tmp/top/tests/run"
chmod +x "$tmp"/top/tests/*
same "make test installs nothing" "$(make -C "$tmp/top" test)" tests
same "make deps test: the packages first" "$(make -C "$tmp/top" deps test)" $'packages\ntests'
same "... in parallel too, and in any order" "$(make -j4 -C "$tmp/top" test deps | grep -v '^make')" $'packages\ntests'
same "make deps" "$(make -C "$tmp/top" deps)" packages

out=$(make B="$tmp/b" CXX="g++ -nostdinc" "$tmp/b/flags" 2>&1)
same "libraries that are missing" "$(grep -c "^missing: libsimdjson-dev libncurses-dev zlib1g-dev - 'make deps' installs it\$" <<<"$out")" 1
same "... stop the build" "$([ -e "$tmp/b/flags" ] || echo stopped)" stopped
out=$(make B="$tmp/b" CC=no-such-compiler "$tmp/b/flags" 2>&1)
same "a compiler that is missing" "$(grep -c "^missing: no-such-compiler - 'make deps'" <<<"$out")" 1

make B="$tmp/b" "$tmp/b/flags" >"$tmp/out" 2>&1 || cat "$tmp/out"
same "warnings are no errors" "$(grep -c -e ' -Werror' "$tmp/b/flags")" 0
same "sums of products are rounded alike on every processor" "$(grep -o -e ' -ffp-contract=off' "$tmp/b/flags" | wc -l)" 2
make WERROR=1 B="$tmp/b" "$tmp/b/flags" >"$tmp/out" 2>&1 || cat "$tmp/out"
same "... but with WERROR=1" "$(grep -c -e ' -Werror' "$tmp/b/flags")" 1
