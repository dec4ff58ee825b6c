#!/usr/bin/env bash
# Packages identify themselves: --version, one place for the version, a commit that costs one object, places of
# installation, recipes and the Debian changelog.
set -u
cd "$(dirname "$0")/../.." || exit 1
unset MAKEFLAGS MFLAGS MAKELEVEL CFLAGS CXXFLAGS LDFLAGS CPPFLAGS COMMIT PREFIX DESTDIR LIBDIR PYTHONDIR ZSHDIR STRIP
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
# ... with debugging information, which names the sources from the folder of the Makefile, where a debugger is started
for folder in one another/folder; do
    mkdir -p "$tmp/$folder"
    cp -r --parents Makefile model parser capture tui tests/lint/layers.txt tests/deps "$tmp/$folder"
    make -C "$tmp/$folder" B=build COMMIT=one build/{tui/commands/docs_version.c,capture/launcher/launch.c,pic/capture/shared/schedule.c}.o >/dev/null
    (cd "$tmp/$folder/build" && find . -name '*.o' -exec cksum {} +) | sort >"$tmp/objects.${folder%%/*}"
done
same "objects of two folders" "$(cat "$tmp/objects.another")" "$(cat "$tmp/objects.one")"
same "... three of them" "$(wc -l <"$tmp/objects.one")" 3
if command -v readelf >/dev/null; then
    has "... their folder is where a debugger is started" "$(readelf --debug-dump=info "$tmp/one/build/capture/launcher/launch.c.o" | grep -m 1 DW_AT_comp_dir)" ' \.$'
fi
if command -v ccache >/dev/null; then
    misses() { # FOLDER of sources: how often the compiler has run since the cache was made
        CCACHE_DIR=$tmp/ccache make -C "$1" CC="ccache gcc" B=cached cached/capture/launcher/launch.c.o >/dev/null
        CCACHE_DIR=$tmp/ccache ccache --print-stats | sed -n 's/^cache_miss\t//p'
    }
    same "ccache: another folder has its objects from the first" "$(misses "$tmp/one")" "$(misses "$tmp/another/folder")"
else echo "skip ccache: not installed"; fi
# the commit, also in an archive of the sources, where git writes it into a file
archive() { # FOLDER: the commit of the sources in it
    make -C "$1" B=build build/commit >/dev/null 2>&1
    cat "$1/build/commit"
}
mkdir -p "$tmp/archive" "$tmp/copy" && cp --parents Makefile tests/deps assets/packaging/commit "$tmp/copy"
if grep -qF "Format" assets/packaging/commit; then same "a copy without git has no commit" "$(archive "$tmp/copy")" ''; fi
if git rev-parse HEAD >/dev/null 2>&1 && git cat-file -e HEAD:.gitattributes 2>/dev/null; then
    git archive HEAD Makefile tests/deps assets/packaging/commit .gitattributes | tar x -C "$tmp/archive"
    same "an archive of the sources has its commit" "$(archive "$tmp/archive")" "$(git rev-parse --short=10 HEAD)"
else echo "skip the commit of an archive: no git"; fi

# places of installation: computed from the program's own place, and only below PREFIX
places=(PREFIX=/usr LIBDIR=/usr/lib/two DESTDIR="$tmp/d")
listed() { (cd "$tmp/d" && find . ! -type d | sort); }
# what was built is installed as it is (-o all), whatever flags it has; symbols stay where strip is for other processors
install() { make -o all B="$B" BIN="$BIN" "${places[@]}" "$@" install; }
strip=''
strip -o "$tmp/stripped" "$B/libtracetty_capture.so" 2>/dev/null && strip='strip'
install STRIP=$strip >"$tmp/out" 2>&1 || cat "$tmp/out"
listed >"$tmp/installed"
for place in bin/tracetty lib/two/tracetty/libtracetty_capture.so share/man/man1/tracetty.1 include/tracetty.h share/tracetty/sample_snapshot/memory_snapshot.pickle \
    share/doc/tracetty/{LICENSE,README.md,assets/doc/CHANGELOG.md}; do
    has "make install: $place" "$(cat "$tmp/installed")" "^./usr/$place\$"
done
for sample in $(grep -ohE '"sample_[^"]*"' tui/commands/samples.def | tr -d '"' | sort -u); do
    if [ -e "$tmp/d/usr/share/tracetty/$sample" ]; then echo "ok ... $sample"; else echo "FAIL ... $sample: not in share/tracetty"; fi
done
same "... links of the documents" "$(python3 -B tests/tools/links.py "$tmp/d/usr/share/doc/tracetty")" ''
same "links of the documents, in the sources" "$(python3 -B tests/tools/links.py .)" ''
if [ -n "$strip" ] && command -v readelf >/dev/null; then
    symbols() { readelf -S "$tmp/d/usr/lib/two/tracetty/libtracetty_capture.so" | grep -c '\.symtab'; }
    same "... stripped" "$(symbols)" 0
    install STRIP= >"$tmp/out" 2>&1
    same "... but with STRIP=" "$(symbols)" 1
fi
# the Python of the system may import from below PREFIX, another one from elsewhere
printf '#!/bin/sh\necho %s\n' /usr/lib/python9/dist-packages >"$tmp/python9" && chmod +x "$tmp/python9"
printf '#!/bin/sh\necho\n' >"$tmp/python8" && chmod +x "$tmp/python8"
out=$(install STRIP= PYTHON="$tmp/python8")
has "Python imports from elsewhere: said" "$out" '^for Python: export PYTHONPATH=/usr/lib/two/tracetty$'
has "... the module" "$(listed)" '^./usr/lib/two/tracetty/tracetty/reader.py$'
make "${places[@]}" PYTHON="$tmp/python8" uninstall
out=$(install STRIP= PYTHON="$tmp/python9")
same "Python imports from below PREFIX: nothing to say" "$(grep PYTHONPATH <<<"$out")" ''
has "... the module" "$(listed)" '^./usr/lib/python9/dist-packages/tracetty/reader.py$'
for place in bin/other share/doc/tracetty.txt lib/python9/dist-packages/other.py lib/two/tracetty/mine; do touch "$tmp/d/usr/$place"; done
mkdir "$tmp/d/usr/lib/python9/dist-packages/tracetty/__pycache__" && touch "$tmp/d/usr/lib/python9/dist-packages/tracetty/__pycache__/reader.pyc"
make "${places[@]}" PYTHON="$tmp/python9" uninstall
make "${places[@]}" uninstall
same "make uninstall leaves what others wrote, nothing else" "$(listed)" \
    "$(printf './usr/%s\n' bin/other lib/python9/dist-packages/other.py lib/two/tracetty/mine share/doc/tracetty.txt)"
same "... and no folder of tracetty without it" "$(find "$tmp/d" -type d -name 'tracetty*' -printf '%P ')" 'usr/lib/two/tracetty '
has "a LIBDIR elsewhere is refused" "$(make -n PREFIX=/usr LIBDIR=/opt/lib all 2>&1)" 'has to lie in PREFIX'
mkdir -p "$tmp/usr/bin"
if [ "$(head -c 4 "$BIN" | tail -c 3)" = ELF ] && [ -e "$B/libtracetty_capture.so" ]; then
    cp "$BIN" "$tmp/usr/bin/" && mkdir -p "$tmp/usr/lib/tracetty" &&
        cp "$B/libtracetty_capture.so" "$tmp/usr/lib/tracetty/"
    has "doctor finds the library from bin" "$(env -u TRACETTY_CAPTURE_LIB "$tmp/usr/bin/tracetty" doctor)" "^(ok|missing) +recorder +.*$tmp/usr/lib/tracetty/"
fi

# a wheel of the portable program compiles nothing: there are no sources here
if command -v git >/dev/null; then
    git() { command git -C "$tmp/wheel" -c user.name=tracetty -c user.email=maintainers@tracetty.invalid "$@"; }
    mkdir -p "$tmp/wheel/assets/packaging" "$tmp/wheel/build/portable" && cp Makefile "$tmp/wheel"
    echo 'import sys; print("wheel", *sys.argv[1:])' >"$tmp/wheel/assets/packaging/wheel"
    git init -q && git add Makefile assets && git commit -q -m "Program"
    name=build/portable/tracetty-$version-linux-$(uname -m)
    git rev-parse HEAD >"$tmp/wheel/$name.commit"
    same "make wheel after make portable" "$(make -C "$tmp/wheel" B=build wheel 2>/dev/null)" \
        "wheel --parts $name.parts.json $name/tracetty $name/libtracetty_capture.so $version build/wheel"
    echo '# changed' >>"$tmp/wheel/Makefile"
    has "... of other sources: this build's" "$(make -C "$tmp/wheel" B=build wheel 2>&1)" '^of this build, for this machine; for others: make portable wheel$'
    unset -f git
else echo "skip make wheel: no git"; fi

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
