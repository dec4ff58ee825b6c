#!/usr/bin/env bash
# Screens as text, without a terminal: compared with tests/screens/*, and checked at many sizes for rules that hold at
# any size. UPDATE=1 writes the expected screens again; look at the difference before a commit.
set -u
cd "$(dirname "$0")/../.." || exit 1
export LC_ALL=C.UTF-8 TZ=UTC
unset NO_COLOR COLUMNS LINES
BIN=${BIN:-$PWD/tracetty}
want=tests/screens
tmp=$(mktemp -d) && trap 'rm -rf "$tmp"' EXIT
ok() { echo "ok $1"; }
fail() { echo "FAIL $1: $2"; }

# screen NAME SIZE TRACE [OPTIONS...]
screen() {
    local name=$1 size=$2 trace=$3 file=$want/$1-$2
    shift 3
    "$BIN" --dump "$size" "$@" "assets/$trace" >"$tmp/out" 2>"$tmp/err" || { fail "$name $size" "$(head -c 200 "$tmp/err")"; return; }
    [ "${UPDATE:-}" = 1 ] && cp "$tmp/out" "$file"
    if diff "$file" "$tmp/out" >"$tmp/diff" 2>&1; then ok "$name $size"
    else fail "$name $size" "differs from $file"; head -20 "$tmp/diff"; fi
}
# the same for two runs, played by the ranks of the sample
compared() {
    local name=$1 size=$2 file=$want/$1-$2
    shift 2
    "$BIN" diff assets/sample_gpu/train_rank{0,1}.1700000000000.pt.trace.json.gz --screen compare --size "$size" "$@" >"$tmp/out" 2>"$tmp/err" ||
        { fail "$name $size" "$(head -c 200 "$tmp/err")"; return; }
    [ "${UPDATE:-}" = 1 ] && cp "$tmp/out" "$file"
    if diff "$file" "$tmp/out" >"$tmp/diff" 2>&1; then ok "$name $size"
    else fail "$name $size" "differs from $file"; head -20 "$tmp/diff"; fi
}
for size in 40x12 80x24 120x35 160x45 250x70; do compared compare $size; done
compared compare-ascii 80x24 --unicode ascii
compared compare-slower 80x24 --keys 'f f'
compared compare-all 80x24 --keys 'a G'
compared compare-run 80x24 --per run
compared compare-tree 160x45 --keys 'Tab Tab j + j'
compared compare-metrics 120x35 --keys ': "pane metrics" Enter'
compared compare-steps 120x35 --base-steps 3 --new-steps 4
for size in 40x12 80x24 120x35 160x45 250x70; do
    screen overview $size sample_gpu
    screen operators $size sample_gpu --screen operators
    screen kernels $size sample_gpu --screen kernels
    for tab in memory distributed steps modules api roofline problems; do screen $tab $size sample_gpu --screen $tab; done
done
for tab in memory distributed steps modules api problems; do
    screen $tab-cpu 80x24 sample_cpu.pt.trace.json.gz --screen $tab
    screen $tab-ascii 80x24 sample_gpu --screen $tab --unicode ascii
done
screen roofline-ascii 80x24 sample_gpu --screen roofline --unicode ascii
screen roofline-braille 120x35 sample_gpu --screen roofline --unicode braille --keys 'j j j'
screen roofline-peaks 80x24 sample_gpu --screen roofline --keys ': "peak-tflops 2000" Enter : "peak-gb-per-s 8000" Enter'
screen roofline-none 80x24 sample_cpu.pt.trace.json.gz --screen roofline
screen roofline-no-peaks 80x24 sample_ascend --screen roofline
# tables of accelerator profilers: phases of steps, types of operators, the input pipeline, a cluster
for size in 40x12 80x24 120x35 160x45 250x70; do
    for tab in steps data operators distributed; do screen accelerator-$tab $size sample_mindinsight --screen $tab; done
    screen cluster $size sample_ascend --screen distributed --keys 'Tab'
    for tab in overview kernels steps timeline; do screen xla-$tab $size sample_xla --screen $tab; done
done
for tab in steps data operators distributed; do screen accelerator-$tab-ascii 80x24 sample_mindinsight --screen $tab --unicode ascii; done
screen accelerator-step 160x45 sample_mindinsight --screen steps --keys 'l l l l l l'
screen accelerator-steps-compared 120x35 sample_mindinsight --screen steps --keys 'l l m G m'
screen accelerator-steps-table 80x24 sample_mindinsight --screen steps --keys 'Tab j'
screen accelerator-steps-table 40x12 sample_mindinsight --screen steps --keys 'Tab j'
screen accelerator-steps-all 120x35 sample_mindinsight --screen steps --keys 'D g Enter G'
screen data-queue 120x35 sample_mindinsight --screen data --keys 'h j j'
screen data-table 80x24 sample_mindinsight --screen data --keys 'Tab Tab'
screen data-none 80x24 sample_gpu --screen data
screen types-of-table 120x35 sample_ascend --screen operators --keys 'b b b j j'
screen types-sorted 80x24 sample_mindinsight --screen operators --keys '> j Tab'
screen cluster-transport 80x24 sample_ascend --screen distributed --keys 'Tab b'
screen cluster-step 120x35 sample_ascend --screen distributed --keys 'l l'
screen cluster-table 80x24 sample_ascend --screen distributed --keys 'Tab Tab Tab'
for tab in memory kernels api modules; do screen accelerator-$tab 80x24 sample_mindinsight --screen $tab; done
screen memory-cursor 120x35 sample_gpu --screen memory --keys 'w w w l l'
screen memory-before 80x24 sample_gpu --screen memory --keys h
screen memory-paged 80x24 sample_gpu --screen memory --keys '} } PgDn PgDn'
screen memory-braille 120x35 sample_gpu --screen memory --unicode braille
screen memory-allocations 120x35 sample_gpu --screen memory --keys 'Enter b j'
screen memory-operators 80x24 sample_gpu --screen memory --keys 'Tab Tab Tab'
screen memory-other-device 80x24 sample_gpu --screen memory --keys 'b b'
screen memory-step 120x35 sample_gpu --screen memory --steps 4
screen memory-on-timeline 80x24 sample_gpu --screen memory --keys '} } } } t'
screen distributed 40x10 sample_gpu --screen distributed --keys j
screen distributed 60x14 sample_gpu --screen distributed
screen distributed-step 120x35 sample_gpu --screen distributed --keys 'l l l j'
screen distributed-calls 80x24 sample_gpu --screen distributed --keys 'Tab Tab'
screen steps-compared 80x24 sample_gpu --screen steps --keys 'm j m'
screen steps-compared-kernels 120x35 sample_gpu --screen steps --keys 'm j m Tab b'
screen steps-ranks 120x35 sample_gpu --screen steps --keys 'c Tab b'
screen steps-one 80x24 sample_gpu --screen steps --keys 'Enter'
screen modules-folded 80x24 sample_gpu --screen modules --keys 'j j - j'
screen modules-outermost 80x24 sample_gpu --screen modules --keys 'z'
screen modules-sorted 80x24 sample_gpu --screen modules --keys '>'
screen api-copies 80x24 sample_gpu --screen api --keys 'Tab'
for size in 40x12 80x24 120x35 160x45; do
    screen idle $size sample_gpu --screen idle
    screen kernel $size sample_gpu --screen kernels --keys 'j Enter'
done
screen idle-ascii 80x24 sample_gpu --screen idle --unicode ascii
screen idle-none 80x24 sample_cpu.pt.trace.json.gz --screen idle
screen idle-accelerator 80x24 sample_ascend --screen idle
screen idle-ranks 120x35 sample_gpu --screen idle --keys ': "worker all" Enter j'
screen idle-causes 80x24 sample_gpu --screen idle --keys 'Tab'
screen idle-path 80x24 sample_gpu --screen idle --keys 'Tab Tab'
screen idle-step 120x35 sample_gpu --screen steps --keys 'W'
screen idle-back 80x24 sample_gpu --screen steps --keys 'W u'
screen idle-interval 80x24 sample_gpu --screen trace --keys 'm : "time 60ms" Enter m W'
screen idle-on-timeline 120x35 sample_gpu --screen idle --keys 'Enter n'
screen kernel-ascii 80x24 sample_gpu --screen kernels --keys 'j Enter' --unicode ascii
screen kernel-accelerator 80x24 sample_ascend --screen kernels --keys 'Enter'
screen kernel-back 80x24 sample_gpu --screen kernels --keys 'j Enter Esc'
screen overview-kernels 120x35 sample_gpu --keys 'Tab j'
screen overview-all 160x45 sample_gpu --keys 'D g Enter'
screen workers 80x24 sample_gpu --keys 'D'
screen overview-cpu 80x24 sample_cpu.pt.trace.json.gz
screen overview-ascii 80x24 sample_gpu --unicode ascii
screen operators-ascii 80x24 sample_gpu --unicode ascii --screen operators
screen kernels-none 80x24 sample_cpu.pt.trace.json.gz --screen kernels
screen operators-sorted 80x24 sample_gpu --screen operators --keys '> > j j'
screen operators-filtered 80x24 sample_gpu --screen operators --keys 'F "addmm" Enter'
screen operators-found 80x24 sample_gpu --screen operators --keys '/ "norm" Enter n'
screen operators-shapes 120x35 sample_gpu --screen operators --keys 'b'
screen operators-slices 120x35 sample_gpu --screen operators --keys 'j Enter'
screen kernels-step 80x24 sample_gpu --screen kernels --keys 'S j j Enter'
screen kernels-percent 80x24 sample_gpu --screen kernels --keys '%'
screen kernels-columns 120x35 sample_gpu --screen kernels --keys 'X j Space j >'
screen kernels-ordered 80x24 sample_gpu --screen kernels --keys 'X j j j Space G < < Esc'
screen kernels-chosen 80x24 sample_gpu --screen kernels --keys ': "columns max_ns,name,calls" Enter'
screen kernels-marked 120x35 sample_gpu --screen kernels --keys 'Space j Space Space k'
screen kernels-wrapped 80x24 sample_gpu --screen kernels --keys 'w j j j'
screen kernels-statistics 120x35 sample_gpu --screen kernels --keys 's'
screen slices-statistics 80x24 sample_gpu --screen operators --keys 'j Enter s'
screen step-picker 80x24 sample_gpu --keys 'S j j'
screen kernels-regex 80x24 sample_gpu --screen kernels --keys ': "filter-regex ^sm90.*nn" Enter'
screen kernels-limited 80x24 sample_gpu --screen kernels --keys ': "limit 3" Enter'
screen operators-threads 120x35 sample_gpu --screen operators --keys ': "thread-sep" Enter : "worker all" Enter'
screen any-table 120x35 sample_gpu --keys ': "table key_averages" Enter'
screen set-list 120x35 sample_gpu --keys ': "set" Enter'
screen set-completion 80x24 sample_gpu --keys ': "set theme="'
screen columns-completion 80x24 sample_gpu --screen kernels --keys ': "columns name,m"'
screen azerty 80x24 sample_gpu --screen trace --keys ': "set layout=azerty" Enter z z z'
screen command 80x24 sample_gpu --keys ': s o'
screen help 80x24 sample_gpu --screen operators --keys '?'
screen help-timeline 80x24 sample_gpu --screen trace --keys '? PgDn'
screen help 40x12 sample_gpu --screen trace --keys '? j j j j'
# at 80x24 every line of ? can be read in full
lost=$(python3 - "$BIN" <<'PY'
import re, subprocess, sys
table = re.findall(r'^X\((\w+), "[^"]*", (\w+), "[^"]*", "[^"]*", "((?:[^"\\]|\\.)*)"\)',
                   re.sub(r',\n +', ', ', re.sub(r'"\n +"', "", open("tui/screen/actions.def").read())), re.M)
for screen, own in (("kernels", "TABLE"), ("trace", "TIMELINE"), ("memory", "PLOT"), ("steps", "STEPS"), ("flame", "FLAME")):
    keys, tab = "?", "trace" if screen == "flame" else screen
    seen = {}
    for page in range(12):
        out = subprocess.run([sys.argv[1], "--dump", "80x24", "--screen", tab, "--keys", ("I " if screen == "flame" else "") + keys,
                              "assets/sample_gpu"], capture_output=True, text=True, check=True).stdout.splitlines()[3:22]
        keys += " PgDn"
        if any("\u2026" in line for line in out): print(screen, "is cut")
        seen["\n".join(out)] = True
    text = re.sub(r"\s+", " ", " ".join(re.sub(r"^.{16}", " ", l) for p in seen for l in p.split("\n")))
    for action, context, help in table:
        help = help.replace('\\"', '"')
        if context in (own, "MOTION", "GLOBAL") and not re.fullmatch("TAB_[2-9]", action) and help not in text:
            if help.replace(" ", "") not in text.replace(" ", ""): print(screen, action)
PY
) || lost="it failed"
if [ -z "$lost" ]; then ok "every line of the list of keys is whole"; else fail "list of keys" "$lost"; fi
screen help 160x45 sample_gpu --screen kernels --keys '? /  "percent"'
screen unknown-key 80x24 sample_gpu --keys 'Z'
screen timeline-key 80x24 sample_gpu --screen kernels --keys 'd'

one=sample_gpu/train_rank0.1700000000000.pt.trace.json.gz
for size in 40x12 80x24 120x35 160x45 250x70; do
    screen trace $size sample_gpu --screen trace
    screen trace-kernel $size $one --screen trace --keys '/ "flash_fwd" Enter Esc f f } { s s s'
done
screen trace-launch 120x35 $one --screen trace --keys '/ "flash_fwd" Enter Esc f f ['
screen trace-same-call 120x35 sample_gpu --screen trace --keys '/ "ncclDev" Enter Esc f f s s s ]'
screen trace-filtered 120x35 sample_gpu --screen trace --keys 'F "comm,memcpy" Enter'
screen trace-pinned 80x24 sample_gpu --screen trace --keys ': "pin train_rank0 stream" Enter : "hide autograd" Enter'
screen trace-operator 120x35 $one --screen trace --keys '/ "flash_fwd" Enter Esc f f [ ['
screen trace-found 120x35 $one --screen trace --keys '/ "flash_fwd" Enter n n'
screen trace-page 80x24 $one --screen trace --keys '/ "flash_fwd" Enter Enter'
screen trace-flat 80x24 $one --screen trace --keys 'z'
screen trace-folded 80x24 sample_gpu --screen trace --keys 'C j j c'
screen trace-marks 120x35 $one --screen trace --keys 'j j m l m r'
screen trace-marks 160x45 $one --screen trace --keys 'j j m l m Tab Tab Tab j'
screen trace-marks-kernels 80x24 $one --screen trace --keys 'j j m l m Tab Tab Tab j'
screen trace-marks-track 120x35 $one --screen trace --keys 'm l m j j i Tab'
screen trace-marks-longest 120x35 $one --screen trace --keys 'j j m l m Tab Tab Tab j Enter f'
screen trace-marks-idle 80x24 $one --screen trace --keys 'j j m l m Tab b Enter'
for size in 40x12 80x24 120x35 160x45 250x70; do screen flame $size sample_gpu --screen flame; done
screen flame-ascii 80x24 sample_gpu --screen flame --unicode ascii
screen flame-cpu 80x24 sample_cpu.pt.trace.json.gz --screen flame --keys 'G'
screen flame-step 80x24 sample_gpu --screen steps --keys 'I j j j j j j'
screen flame-calls 120x35 sample_gpu --screen operators --keys 'j j I x'
screen flame-launches 80x24 sample_gpu --screen api --keys 'j I j'
screen flame-finding 80x24 sample_gpu --keys 'Down I'
screen flame-operators 120x35 sample_gpu --screen steps --keys 'I p G'
screen flame-callers 120x35 sample_gpu --screen kernels --keys 'j I j j j'
screen trace-marks-scope 80x24 $one --screen trace --keys 'j j m l m Tab r'
screen flame-device 80x24 sample_gpu --screen flame --keys 'x j j j Enter G'
screen flame-found 80x24 sample_gpu --screen flame --keys '/ "addmm" Enter n'
screen trace-marks-times 80x24 $one --screen trace --keys ': "time 20ms" Enter m : "time 50ms" Enter m'
screen trace-marks-step 120x35 sample_gpu --screen trace --steps 4 --keys 'm : "time 150ms" Enter m'
screen flame-filter 80x24 sample_gpu --screen flame --keys 'F "mm" Enter'
screen flame-interval 120x35 $one --screen trace --keys 'j j m l m I j j j j l'
screen flame-time 80x24 $one --screen trace --keys 'j j j I o'
screen flame-time-all 120x35 $one --screen trace --keys 'j j l l I o b b b w'
screen flame-back 80x24 $one --screen trace --keys 'j j j I G t'
screen trace-ascii 80x24 $one --screen trace --unicode ascii --keys 'w w w w j j j j'
screen trace-cpu 80x24 sample_cpu.pt.trace.json.gz --screen trace
# idle causes of the device, its queues and copies, and the critical path across the tracks
screen trace-idle 120x35 sample_gpu --screen trace --keys 'G k k k k k k ,'
screen trace-idle 80x24 $one --screen trace --keys 'G k k k k k'
screen trace-idle-ascii 80x24 $one --screen trace --unicode ascii --keys 'G k k k k k'
screen trace-idle-page 80x24 $one --screen trace --keys 'G k k k k k h Enter'
screen trace-curves 120x35 sample_gpu --screen trace --keys 'G k k k k k c j j'
screen trace-path 120x35 sample_gpu --screen trace --keys 'V g ] ]'
screen trace-path 160x45 $one --screen trace --keys 'V / "flash_fwd" Enter Esc f f } { s s s'
screen trace-path-ascii 80x24 $one --screen trace --unicode ascii --keys ': "path" Enter j'

# In colour only styles may differ from the plain screen, which has letters and patterns instead.
without_fills() { sed 's/ *$//; s/[#=_+%.!~*&?█A-Zbcilmnoqrs-]//g' | tr -d ' '; }
"$BIN" --dump 120x35 --color 256 assets/sample_gpu >"$tmp/colour"
"$BIN" --dump 120x35 assets/sample_gpu >"$tmp/plain"
sed 's/\x1b\[[0-9;]*m//g' "$tmp/colour" | without_fills >"$tmp/a"
without_fills <"$tmp/plain" >"$tmp/b"
if grep -q $'\x1b\[0' "$tmp/colour" && diff "$tmp/a" "$tmp/b" >/dev/null; then ok "colours change nothing but colours"
else fail "colours change nothing but colours" "$(diff "$tmp/a" "$tmp/b" | head -4)"; fi

# At any size: exactly the requested lines, none too wide, no control characters, and in ASCII nothing but ASCII.
bad='' shown=0
sweep() { # WIDTHS HEIGHTS SCREEN KEYS
    local w h
    for w in $1; do
        for h in $2; do
            "$BIN" --dump ${w}x$h --screen "$3" --unicode ascii --keys "$4" assets/sample_gpu >"$tmp/out" 2>"$tmp/err" ||
                bad="$bad $3 ${w}x$h (status)"
            shown=$((shown + 1))
            [ "$(wc -l <"$tmp/out")" = $h ] && [ "$(wc -L <"$tmp/out")" -le $w ] && ! LC_ALL=C grep -q '[^ -~]' "$tmp/out" ||
                bad="$bad $3 ${w}x$h"
        done
    done
}
for s in overview operators kernels trace; do sweep '1 9 20 39 40 57 80 121 300' '1 5 9 10 13 24 36 90' $s 'j Enter PgDn > q'; done
some_w='39 40 57 80 121 300' some_h='9 10 13 24 90'
for s in memory distributed steps modules api idle problems; do sweep "$some_w" "$some_h" $s 'j l Tab Enter PgDn > q'; done
sweep "$some_w" "$some_h" flame 'j l Enter o PgDn o x G'
sweep "$some_w" "$some_h" trace 'm l l m Tab Tab Tab j i Tab'
if [ -z "$bad" ] && [ $shown = 558 ]; then ok "sizes 1x1 to 300x90"; else fail "sizes 1x1 to 300x90" "$bad"; fi
[ "$("$BIN" --dump 39x24 --unicode ascii assets/sample_gpu | tr -d ' \n')" = 40x10needed ] && ok "too small says so" || fail "too small says so" ""
