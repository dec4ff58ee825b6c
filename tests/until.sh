# shellcheck shell=bash
# Waiting in tests of the shell: for a state, never for a time. tests/tools/until.py has the same for Python.
#
#   until_ COMMAND...   looks until the command succeeds; false when it does not in TEST_LOOKS looks. Looks are counted, not
#                       seconds: on a machine that is busy, or with a program that SLOWER says is slower, they last longer.
#                       After a wait that failed the next ones get 300: the test has failed already, and need not take an hour.
#   used PID            hundredths of a second of a processor that the process has used: it is at work when that grows
#   works PID TICKS     whether it has used more than that
#   wakes PID           how often the process has waited for something and gone on: it does what it does again when that grows
#   woken PID TIMES     whether it is more often than that
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
