#!/usr/bin/env bash
# The ten questions with which users open a trace: at most three keys after opening answer each. Expected values are
# computed from the events of the file here, not by the program.
. "$(dirname "$0")/_lib.sh"
SAMPLE=assets/sample_gpu
CORPUS=${TRACETTY_CORPUS:-}
PT=$CORPUS/traces/pytorch
one() { find "$1" -name '*.json' -o -name '*.json.gz' | sort | head -n 1; }
truth() { python3 tests/tools/ten_answers.py "$@"; }
# ask QUESTION W H PATH KEYS...: opens PATH and presses the keys, which are counted
ask() {
    local question=$1 w=$2 h=$3 path=$4
    shift 4
    tt_start "$w" "$h" "$path" || exit 1
    tt_until indexed
    tt_check "$question: $# keys, at most three" [ $# -le 3 ]
    [ $# = 0 ] || tt_keys "$@"
    ASKED=$question
}
indexed() { ! tt_screen | grep -qE 'loading|indexing'; }
answer() { tt_expect "$ASKED: $1" "$2"; }
skip() { echo "skip $1: no corpus"; }

wide() { [ "$w" -ge 120 ]; }
# A Python line shortened as the screen does; "train.py(40)" always fits.
line() { if wide; then echo "$1"; else sed -E 's|^.*/||; s|: .*||' <<<"$1"; fi; }

for size in "80 24" "120 35" "160 45"; do
    read -r w h <<<"$size"
    # 1 the costliest kernel, and the line of Python that launched it
    if [ -n "$CORPUS" ]; then
        IFS=$'\t' read -r kernel line < <(truth kernel "$(one "$PT/h100_bert-small")")
        ask "1 costliest kernel ($w)" "$w" "$h" "$PT/h100_bert-small" 3 Enter
        answer "the kernel" "$kernel"
        answer "its line" "$(line "$line")"
    else
        skip "1 costliest kernel"
    fi

    # 2 why the GPU is idle in a step
    IFS=$'\t' read -r step idle < <(truth idle "$(one $SAMPLE)")
    ask "2 idle in step $step ($w)" "$w" "$h" $SAMPLE 7 W
    answer "the step" "step $step"
    answer "the share" "$idle"
    wide && causes=$(tt_screen | sed -n '/^── Idle causes /,/^$/p' | grep -oE ' [0-9.]+%' | awk '{s += $1} END {print s}')
    wide && tt_check "2: the causes add up to 100% ($causes)" awk "BEGIN {exit !($causes > 99.5 && $causes < 100.5)}"

    # 3 the slowest step, and why
    IFS=$'\t' read -r step more factor < <(truth slowest "$(one $SAMPLE)")
    ask "3 slowest step ($w)" "$w" "$h" $SAMPLE 7
    answer "which" "Slowest: step $step"
    answer "how much" "$more"
    answer "how many times" "$factor the median"
    answer "why" "DataLoader +"

    # 4 the straggler, and why it is late
    IFS=$'\t' read -r rank times < <(truth straggler $SAMPLE)
    ask "4 straggler ($w)" "$w" "$h" $SAMPLE 6
    answer "who" "Straggler: rank $rank"
    answer "why" "its DataLoader takes"

    # 5 the largest holder of memory at its peak
    IFS=$'\t' read -r peak operator line < <(truth memory "$(one $SAMPLE)")
    ask "5 memory at its peak ($w)" "$w" "$h" $SAMPLE 5
    answer "how much" "$peak"
    tt_check "5: the operator and its line ($operator, $line)" grep -qF "$(line "$line")" <(tt_screen | grep -F "$operator")

    # 6 whether input is the bottleneck: the first line of the first screen
    if [ -n "$CORPUS" ]; then
        IFS=$'\t' read -r share wait waits longest < <(truth input "$(one "$PT/resnet50_num_workers_0")")
        ask "6 input ($w)" "$w" "$h" "$PT/resnet50_num_workers_0"
        tt_check "6: the first line says so" grep -qE "Input-bound: GPU 0 is idle $share of the step time \($wait in $waits waits(, longest $longest\))?" <(tt_screen | sed -n 3p)
        ask "6 not the input ($w)" "$w" "$h" "$PT/h100_bert-small"
        tt_check "6: the first line of another does not" grep -qvi "input" <(tt_screen | sed -n 3p)
    else
        skip "6 input"
    fi

    # 7 the code that makes pageable copies
    IFS=$'\t' read -r copy line < <(truth pageable "$(one $SAMPLE)")
    ask "7 pageable copies ($w)" "$w" "$h" $SAMPLE 9 Tab
    wide && tt_check "7: the copy and its line ($line)" grep -qF "$(line "$line")" <(tt_screen | grep -F "$copy")

    # 8 tensor cores, SM efficiency, occupancy
    IFS=$'\t' read -r tensor busy < <(truth device "$(one $SAMPLE)")
    ask "8 how well the GPU is used ($w)" "$w" "$h" $SAMPLE
    row=$(tt_screen | grep -E 'rank 0 .*busy' | head -n 1)
    tt_check "8: busy $busy" grep -qF "$busy busy" <<<"$row"
    tt_keys : && tt_type "table devices" && tt_keys Enter
    tt_until tt_has "── Devices"
    wide && tt_check "8: tensor cores $tensor" grep -qF " $tensor" <(tt_screen | grep '^>')
    wide && tt_check "8: SM efficiency and occupancy" grep -qE 'SM efficiency %  Occupancy %' <(tt_screen)

    # 9 what changed between two runs
    if [ -n "$CORPUS" ]; then
        base=$(truth median "$(one "$PT/hta_trace_diff_control")")
        new=$(truth median "$(one "$PT/hta_trace_diff_test")")
        tt_start "$w" "$h" diff "$(one "$PT/hta_trace_diff_control")" "$(one "$PT/hta_trace_diff_test")" || exit 1
        ASKED="9 what changed ($w)"
        tt_check "9: opens on it" grep -qE '\[(Cmp|Compare)\]' <(tt_screen | head -n 1)
        tt_check "9: the step of both ($base, $new), and a verdict" grep -qE "step $base -> $new .* slower" <(tt_screen)
    else
        skip "9 what changed"
    fi

    # 10 whether the trace can be trusted: without a key, and with one
    ask "10 trust ($w)" "$w" "$h" $SAMPLE
    answer "without a key" "trust OK"
    if [ -n "$CORPUS" ]; then
        IFS=$'\t' read -r lost _ < <(truth launches "$(one "$PT/hta_alexnet")")
        ask "10 a doubtful trace ($w)" "$w" "$h" "$PT/hta_alexnet" '!'
        answer "what is wrong" "$lost"
    fi
done
