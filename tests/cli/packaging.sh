#!/usr/bin/env bash
# Packages identify themselves: --version, one place for the version, a commit that costs one object, places of
# installation, recipes and the Debian changelog.
set -u
cd "$(dirname "$0")/../.." || exit 1
unset MAKEFLAGS MFLAGS MAKELEVEL CFLAGS CXXFLAGS LDFLAGS CPPFLAGS COMMIT PREFIX DESTDIR LIBDIR PYTHONDIR ZSHDIR
BIN=${BIN:-./tracetty}
B=${B:-build}
make() { command "${MAKE:-make}" --no-print-directory "$@"; }
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
same() { if [ "$2" = "$3" ]; then echo "ok $1"; else printf 'FAIL %s: got\n%s\nwant\n%s\n' "$1" "$2" "$3"; fi; }
has() { if grep -qE -- "$3" <<<"$2"; then echo "ok $1"; else echo "FAIL $1: no '$3' in: $2"; fi; }

version=$(sed -n 's/^VERSION *:= *//p' Makefile)
has "a version" "$version" '^[0-9]+\.[0-9]+\.[0-9]+$'
out=$("$BIN" --version)
same "--version: the first line" "$(head -n 1 <<<"$out")" "tracetty $version"
has "--version: what it was built with" "$out" '^features: |^missing: '
needed=$(PYTHONPATH=tests/tools python3 -B -c 'import sys, elf; print(*elf.Elf(sys.argv[1]).needed)' "$BIN" 2>/dev/null)
for feature in ISA-L:libisal zstd:libzstd SQLite:libsqlite3; do # by the libraries that the program asks for
    word=missing
    [[ " $needed" == *" ${feature#*:}.so"* ]] && word=features
    if [ -n "$needed" ]; then has "--version: ${feature%:*}" "$out" "^$word: .*${feature%:*} \("
    else echo "skip --version: ${feature%:*}: $BIN is no program"; fi
done
same "libraries of pictures are loaded when one is written" "$(grep -o 'libcairo[^ ]*' <<<"$needed")" ''
same "the version stands in no recipe" "$(grep -rnF "$version" assets/packaging)" ''
has "the changelog has this version" "$(cat assets/doc/CHANGELOG.md)" "^## $version\$"
same "... and the first in it is this one" "$(sed -n 's/^## //p' assets/doc/CHANGELOG.md | head -n 1)" "$version"

# a commit costs only the object that holds it, and no object depends on the build folder
objects() { make B="$tmp/$1" COMMIT="$2" "$tmp/$1"/{tui/main.c,tui/commands/docs_version.c,capture/launcher/launch.c}.o | grep -c '^  CC '; }
same "a first build compiles all" "$(objects a one)" 3
same "the same commit compiles nothing" "$(objects a one)" 0
same "another commit compiles one file" "$(objects a two)" 1
objects b two >/dev/null
same "the same commit, elsewhere: the same object" "$(cksum <"$tmp/a/tui/commands/docs_version.c.o")" "$(cksum <"$tmp/b/tui/commands/docs_version.c.o")"
# a distribution's flags come through the environment, and reach a make started by make
flags() { CPPFLAGS=-DOF_THE_SYSTEM CFLAGS='-O2 -g1' CXXFLAGS='-O2 -g1' make B="$tmp/c" "$@" >/dev/null 2>&1; cat "$tmp/c/flags"; }
first=$(flags "$tmp/c/flags")
has "flags of the environment are used" "$first" '-DOF_THE_SYSTEM .*-O2 -g1'
# shellcheck disable=SC2016  # for make
same "... by a make below make, too" "$(flags --eval='below: ; @$(MAKE) $(B)/flags' below)" "$first"
mkdir "$tmp/archive" && cp -r Makefile tests/deps "$tmp/archive"
mkdir "$tmp/archive/tests" && mv "$tmp/archive/deps" "$tmp/archive/tests/"
make -C "$tmp/archive" build/commit >/dev/null 2>&1
same "an archive of the sources has no commit" "$(cat "$tmp/archive/build/commit")" ''

# places of installation: computed from the program's own place, and only below PREFIX
make -n B="$B" DESTDIR=/d PREFIX=/usr LIBDIR=/usr/lib/two install >"$tmp/plan" 2>&1
for place in /d/usr/bin/tracetty /d/usr/lib/two/tracetty/libtracetty_capture.so /d/usr/share/man/man1/tracetty.1 /d/usr/include/tracetty.h; do
    has "make install: $place" "$(grep '^install' "$tmp/plan")" "$place"
done
has "a LIBDIR elsewhere is refused" "$(make -n PREFIX=/usr LIBDIR=/opt/lib all 2>&1)" 'has to lie in PREFIX'
mkdir -p "$tmp/usr/bin"
if [ "$(head -c 4 "$BIN" | tail -c 3)" = ELF ] && [ -e "$B/libtracetty_capture.so" ]; then
    cp "$BIN" "$tmp/usr/bin/" && mkdir -p "$tmp/usr/lib/tracetty" &&
        cp "$B/libtracetty_capture.so" "$tmp/usr/lib/tracetty/"
    has "doctor finds the library from bin" "$(env -u TRACETTY_CAPTURE_LIB "$tmp/usr/bin/tracetty" doctor)" "^(ok|missing) +recorder +.*$tmp/usr/lib/tracetty/"
fi

recipes=assets/packaging/recipes
if python3 -c 'import ast, sys; ast.parse(open(sys.argv[1]).read())' $recipes/spack/package.py; then echo "ok Spack's recipe is Python"
else echo "FAIL Spack's recipe is no Python"; fi
if python3 -c 'import yaml' 2>/dev/null; then
    same "conda's recipe is YAML" "$(python3 -c 'import sys, yaml; print(yaml.safe_load(open(sys.argv[1]))["package"]["name"])' $recipes/conda/meta.yaml 2>&1)" tracetty
else echo "skip conda's recipe: no PyYAML"; fi
if command -v ruby >/dev/null; then has "Homebrew's formula is Ruby" "$(ruby -c $recipes/homebrew/tracetty.rb 2>&1)" 'Syntax OK'
else echo "skip Homebrew's formula: no ruby"; fi
for recipe in $recipes/*/*; do has "${recipe##*/} says that it is untried" "$(head -n 1 "$recipe")" Untried; done
exit 0
