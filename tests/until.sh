# shellcheck shell=bash
# Waits of shell tests: for a state, never for a time. tests/tools/until.py is the same for Python.
#   until_ COMMAND...   look until the command succeeds; false if it does not within TEST_LOOKS looks. Looks are counted,
#                       not seconds: on a busy machine, or with a program that SLOWER declares slower, they last longer.
#                       After a failed wait the next ones get 300 looks: the test has failed, and need not take an hour.
#   used PID            print the CPU time of a process in hundredths of a second: it works while that grows
#   works PID TICKS     the process has used more than TICKS
#   wakes PID           print how often the process has waited and continued: it repeats its work while that grows
#   woken PID TIMES     the process has done so more than TIMES times
until_() {
    local n
    for ((n = ${TEST_LOOKS:-3000} * ${SLOWER:-1}; n > 0; n--)); do
        "$@" && return
        command sleep 0.02
    done
    TEST_LOOKS=300
    return 1
}
used() { awk '{sub(/.*\) /, ""); print $12 + $13}' "/proc/$1/stat" 2>/dev/null || echo 0; }
wakes() { sed -n 's/^voluntary_ctxt_switches:[^0-9]*//p' "/proc/$1/status" 2>/dev/null | grep . || echo 0; }
woken() { [ "$(wakes "$1")" -gt "$2" ]; }
works() { [ "$(used "$1")" -gt "$2" ]; }
