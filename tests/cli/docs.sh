#!/usr/bin/env bash
# The manual page and the completions in assets/ equal the program's output, and their readers accept them.
# After a change: tests/cli/docs.sh --update
set -u
cd "$(dirname "$0")/../.." || exit 1
BIN=${BIN:-./tracetty}
tmp=$(mktemp -d) && trap 'rm -rf "$tmp"' EXIT
files=(tracetty.1:--man completions/tracetty.bash:"--completions bash" completions/_tracetty:"--completions zsh"
    completions/tracetty.fish:"--completions fish")
for f in "${files[@]}"; do
    name=${f%%:*}
    # shellcheck disable=SC2086
    "$BIN" help ${f#*:} >"$tmp/new" || { echo "FAIL $name: not written"; continue; }
    if [ "${1:-}" = --update ]; then
        mkdir -p "$(dirname "assets/$name")" && cp "$tmp/new" "assets/$name"
    fi
    if cmp -s "$tmp/new" "assets/$name"; then echo "ok $name is current"
    else echo "FAIL $name is not current: tests/cli/docs.sh --update"; fi
done

if bash -n assets/completions/tracetty.bash; then echo "ok bash reads its completions"; else echo "FAIL bash completions"; fi
complete_with() { # words of a command line; what Tab offers after them
    bash -c 'source assets/completions/tracetty.bash; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _tracetty; echo "${COMPREPLY[*]}"' _ "$@"
}
expect() {
    local want=$1 got
    shift
    got=$(complete_with "$@")
    if [[ " $got " == *" $want "* ]]; then echo "ok completion of: $*"; else echo "FAIL completion of: $*: $got"; fi
}
expect summary tracetty sum
expect --group-by tracetty summary --gr
expect json tracetty summary --format j
expect kernels tracetty summary --table ker
expect check tracetty help ch
expect explore tracetty help ex
expect kernels,overview tracetty summary --table kernels,ov
expect kernels,overview tracetty summary --table = kernels,ov
expect kernel,-memcpy tracetty record --trace kernel,-mem
expect -kernel tracetty record --trace -ker
expect spool,json.gz tracetty record --format spool,js
expect timeline tracetty summary --screen ti
expect total_ns tracetty summary --table kernels --sort to
expect colour-blind tracetty --theme co
expect snapshot tracetty demo sn
expect memcpy,kernels tracetty tables memcpy,ker
expect assets tracetty ctl ass
expect status tracetty ctl assets sta
expect README.md tracetty summary READ
if command -v zsh >/dev/null; then zsh -n assets/completions/_tracetty && echo "ok zsh reads its completions" || echo "FAIL zsh completions"
else echo "skip zsh completions: no zsh"; fi
if command -v fish >/dev/null; then fish -n assets/completions/tracetty.fish && echo "ok fish reads its completions" || echo "FAIL fish completions"
else echo "skip fish completions: no fish"; fi
while read -r want line; do # what fish offers after the line
    command -v fish >/dev/null || break
    got=$(fish --no-config -c "source assets/completions/tracetty.fish; complete -C'$line'" 2>&1 | cut -f1)
    if grep -qx -- "$want" <<<"$got"; then echo "ok fish completion of: $line"; else echo "FAIL fish completion of: $line: ${got:0:300}"; fi
done <<'END'
kernels,overview tracetty summary --table kernels,ov
memcpy,kernels tracetty tables memcpy,ker
kernel,-memcpy tracetty record --trace kernel,-mem
total_ns tracetty summary --table kernels --sort to
timeline tracetty summary --screen ti
snapshot tracetty demo sn
status tracetty ctl assets sta
assets/ tracetty ctl ass
explore tracetty help ex
END
if command -v mandoc >/dev/null; then
    mandoc -Tlint -Werror assets/tracetty.1 >"$tmp/lint" && echo "ok the manual page is clean" || echo "FAIL manual page: $(head -3 "$tmp/lint")"
elif command -v groff >/dev/null; then
    warnings=$(groff -man -ww -Tutf8 -z assets/tracetty.1 2>&1)
    [ -z "$warnings" ] && echo "ok the manual page is clean" || echo "FAIL manual page: $warnings"
else
    echo "skip manual page: neither mandoc nor groff"
fi
exit 0
