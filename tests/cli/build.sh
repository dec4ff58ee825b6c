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

# tests/deps with no tool but the given ones: id says who asks, sudo and apt-get write down how they were called
for t in id sudo apt-get; do mkdir -p "$tmp/$t"; done
printf '#!/bin/sh\necho "${ID:-1000}"\n' >"$tmp/id/id"
# shellcheck disable=SC2016  # for the stubs
printf '#!/bin/sh\necho "sudo $*" >>"$CALLS"; unset DEBIAN_FRONTEND; exec "$@"\n' >"$tmp/sudo/sudo"
# shellcheck disable=SC2016
printf '#!/bin/sh\necho "apt-get ${DEBIAN_FRONTEND:-asks} $*" >>"$CALLS"; case $* in *${FAILS:-nothing}*) exit 100; esac\n' >"$tmp/apt-get/apt-get"
chmod +x "$tmp"/*/{id,sudo,apt-get} 2>/dev/null
mkdir "$tmp/few" && ln -s "$(command -v env)" "$tmp/few/"
deps() { # FOLDERS of stubs, then variables: what was said; the calls are in $tmp/calls
    local path=$tmp/few f sh
    sh=$(command -v sh)
    for f in $1; do path+=:$tmp/$f; done
    shift
    : >"$tmp/calls"
    env -i CALLS="$tmp/calls" PATH="$path" "$@" "$sh" tests/deps 2>&1
}
finds() { if grep -qE -- "$3" <<<"$2"; then echo "ok $1"; else printf 'FAIL %s: no %s in\n%s\n' "$1" "$3" "$2"; fi; }
portable='without these packages: unpack the portable archive, tracetty-VERSION-linux-ARCH.tar.gz, which needs nothing'
out=$(deps "id sudo apt-get")
same "deps: succeeds with sudo" $? 0
finds "... git is among the packages" "$out" '^installing:.* git( |$)'
finds "... waits for another installation, and asks nothing through sudo" "$(cat "$tmp/calls")" '^apt-get noninteractive -o DPkg::Lock::Timeout=300 install -q -y .* g\+\+ '
finds "... after reading the lists of packages" "$(grep -n '^apt-get' "$tmp/calls" | head -n 1)" 'apt-get noninteractive -o DPkg::Lock::Timeout=300 update'
same "... as root, sudo is not used" "$(deps "id sudo apt-get" ID=0 >/dev/null; grep -c sudo "$tmp/calls")" 0
deps "id sudo apt-get" DEBIAN_FRONTEND=readline >/dev/null
finds "... unless the caller wants to be asked" "$(cat "$tmp/calls")" '^apt-get readline .* install'
for fails in update install; do
    out=$(deps "id sudo apt-get" FAILS=$fails)
    same "... $fails fails: status" $? 1
    finds "... what to do" "$out" 'As root: apt-get update && apt-get -o DPkg::Lock::Timeout=300 install .* git '
    finds "... what needs no packages" "$out" "^$portable\$"
done
out=$(deps "id apt-get")
same "... without sudo: status" $? 1
finds "... the line for root" "$out" '^neither root nor sudo: run as root: apt-get update && apt-get .* install .* git '
finds "... what needs no packages" "$out" "^$portable\$"
finds "... without apt-get" "$(deps "id sudo")" "^no apt-get here: install these with your package manager, then run make again; $portable\$"

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
