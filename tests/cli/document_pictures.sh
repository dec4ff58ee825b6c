#!/usr/bin/env bash
# The pictures in README and the documents are what the program draws of its samples now. `make pictures` writes them
# again (UPDATE=1): look at each one before you commit it. Another picture is one line of the table below.
set -u
cd "$(dirname "$0")/../.." || exit 1
export LC_ALL=C.UTF-8 TZ=UTC
unset NO_COLOR COLUMNS LINES
BIN=${BIN:-$PWD/tracetty}
tmp=$(mktemp -d) && trap 'rm -rf "$tmp"' EXIT
drawn=' '
picture() { # NAME SIZE "COMMAND PATHS" OPTIONS...
    local name=$1 size=$2 file=assets/pictures/$1.svg
    local -a of
    read -ra of <<<"${3// / assets/}" # the paths are below assets
    shift 3
    drawn="$drawn$name "
    "$BIN" "${of[0]}" "${of[@]:1}" --size "$size" "$@" --format svg >"$tmp/out" 2>"$tmp/err"
    [ "${UPDATE:-}" = 1 ] && cp "$tmp/out" "$file"
    if ! cmp -s "$file" "$tmp/out"; then
        echo "FAIL picture $name: differs from $file; make pictures draws it again $(head -c 200 "$tmp/err")"
    elif ! python3 -c 'import sys, xml.dom.minidom as x; x.parse(sys.argv[1])' "$file"; then
        echo "FAIL picture $name: no XML"
    else echo "ok picture $name"; fi
}

picture overview 140x31 'summary sample_gpu' --screen overview
picture timeline 120x38 'summary sample_gpu' --screen timeline --keys 'j j j j : "time 70ms" Enter 0'
picture path 120x33 'summary sample_gpu' --steps 4 --screen timeline --keys 'V'
picture idle 120x28 'summary sample_gpu' --screen steps --keys 'W'
picture compare 120x34 'diff sample_gpu_before sample_gpu' --screen compare
picture ranks 120x34 'summary sample_ranks/run.tts.gz' --screen distributed
picture distributed 120x20 'summary sample_gpu' --screen distributed
picture snapshot 120x34 'summary sample_snapshot' --screen memory --keys 'o'
picture kernel 120x30 'summary sample_gpu' --screen kernels --keys 'j Enter'
picture roofline 120x34 'summary sample_gpu' --screen roofline
picture flame 120x24 'summary sample_gpu' --screen steps --keys 'I G'
picture trust 120x27 'summary sample_gpu' --screen problems
picture data 120x34 'summary sample_mindinsight' --screen data
picture steptrace 120x34 'summary sample_mindinsight' --screen steps --keys 'l l l l l l'
picture hang 120x26 'summary sample_hang' --screen hang
picture serving 120x30 'summary sample_serving' --screen overview
picture cluster 120x30 'summary sample_ascend' --screen distributed

left=''
for file in assets/pictures/*; do
    name=${file##*/}
    case $drawn in *" ${name%.svg} "*) ;; *) left="$left $name" ;; esac
done
if [ -z "$left" ]; then echo "ok each picture is in the table"
else echo "FAIL each picture is in the table: not$left"; fi
