#!/usr/bin/env bash
# Esc while a trace is read: the program stays, reports it with a way to go on, and leaves silently with status 0. A
# FIFO holds the reader before the first byte, or in the middle, until the key has come.
. "$(dirname "$0")/_lib.sh"
CPU=assets/sample_cpu.pt.trace.json.gz
WORDS="cancelled before anything was read"
FIFO=$(mktemp -d)/fifo
trap 'rm -rf "${FIFO%/*}"; tt_cleanup' EXIT
mkfifo "$FIFO"
exec 9<>"$FIFO"

begin() { # ARGS...: starts the program and waits until it reads the FIFO
    TT_NO_WAIT=1 tt_start 100 30 "$@"
    tt_check "${WHAT:=$*}: reads" tt_until tt_has "Esc stops"
}
taken() { python3 -c 'import fcntl, struct, sys, termios
sys.exit(fcntl.ioctl(9, termios.FIONREAD, b"1234") != bytes(4))'; }
over() { tt_has "partial" || tt_has "$WORDS"; }
leave() { # leaves with status 0, and without a complaint about the intact file
    tt_quit q
    tt_check "$WHAT: no word" [ ! -s "$TT_DIR/stderr" ]
}

# before the first byte
WHAT=file
begin "$FIFO" && tt_send Escape && tt_check "stopped" tt_until tt_has "$WORDS" && {
    tt_expect "how to go on" "R reads it again, A lists runs, q leaves"
    tt_send 2 j Enter / : && tt_send Escape '?'
    tt_check "help" tt_until tt_has "Enter runs the action"
    tt_send Escape
    tt_check "still stopped" tt_until tt_has "R reads it again"
    leave
}
# read again and cancelled again; then read to its end
begin "$FIFO" && tt_send Escape && tt_until tt_has "$WORDS" && tt_send R && {
    tt_check "reads again" tt_until tt_has "Esc stops"
    tt_send Escape
    tt_check "stopped again" tt_until tt_has "$WORDS"
    exec 9>&-
    tt_send R
    tt_until tt_has "Esc stops"
    cat "$CPU" >"$FIFO"
    tt_check "read to its end" tt_until tt_has "Findings"
    exec 9<>"$FIFO" # open it only now: with a writer the text would not end
    tt_reject "not partial" partial
    leave
}
# the page of runs from there, and one of its runs
begin "$FIFO" && tt_send Escape && tt_until tt_has "$WORDS" && {
    cp "$CPU" "${FIFO%/*}"
    tt_send A
    tt_check "page of runs" tt_until tt_has "Enter open"
    tt_send Enter
    tt_check "a run of it" tt_until tt_has "Findings"
    leave
}
# a run chosen on the page of runs, which returns
WHAT="from the page"
mkdir -p "${FIFO%/*}/two/a" "${FIFO%/*}/two/b"
cp "$CPU" "${FIFO%/*}/two/a" && cp "$CPU" "${FIFO%/*}/two/b"
if tt_start 100 30 "${FIFO%/*}/two"; then
    tt_type ":run $FIFO"
    tt_send Enter
    tt_check "$WHAT: reads" tt_until tt_has "Esc stops"
    tt_send Escape
    tt_check "page again" tt_until tt_has "Enter open"
    tt_expect "why" "$WORDS"
    tt_send Enter
    tt_check "another one is whole" tt_until tt_has "Findings"
    tt_reject "not partial" partial
    leave
fi
# standard input cannot be read again
WHAT="standard input"
TT_ENV="bash -c 'exec \"\$@\" <>$FIFO' x" begin - && tt_send Escape && tt_check "stopped" tt_until tt_has "$WORDS" && {
    tt_reject "nothing to read again" "R reads it again"
    tt_send R
    tt_check "and why" tt_until tt_has "standard input cannot be read again"
    leave
}
# both sides of a comparison
WHAT="new run"
begin diff "$CPU" "$FIFO" && tt_send Escape && tt_check "stopped" tt_until tt_has "$WORDS" && leave
WHAT="base"
TT_NO_WAIT=1 tt_start 100 30 diff "$FIFO" "$CPU" && tt_until tt_has "reading" && tt_send Escape &&
    tt_check "no comparison" tt_until tt_has "no comparison" && leave

# in the middle: the part that was read is kept, for all formats that a pipe can carry
mkdir "${FIFO%/*}/some"
some=${FIFO%/*}/some
cp "$CPU" assets/sample_paddle/*.pb assets/sample_xla/plugins/profile/*/*.pb assets/sample_snapshot/*.pickle "$some"
zcat "$CPU" >"$some/text.json"
"$BIN" summarize -o "$some/part.tts" "$CPU" 2>/dev/null
for file in "$some"/*; do
    WHAT=${file##*/}
    begin "$FIFO" || continue
    head -c $(($(stat -c %s "$file") / 2)) "$file" >&9
    tt_check "$WHAT: taken" tt_until taken
    tt_send Escape
    case $file in
    *.json) tt_check "$WHAT: partial" tt_until tt_has "partial" ;;
    *) tt_check "$WHAT: stopped" tt_until over ;; # half of these formats is a head without events
    esac
    leave
done
# one worker is complete, the other is not
WHAT="two workers"
begin "$CPU" "$FIFO" && tt_until tt_has "file 2 of 2" && tt_send Escape && tt_check "partial" tt_until tt_has "partial" && leave
exit 0
