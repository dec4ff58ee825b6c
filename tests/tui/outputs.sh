#!/usr/bin/env bash
# Writing files from the running program: it asks before overwriting, refuses the trace itself, and leaves no partial
# file when it ends in the middle.
. "$(dirname "$0")/_lib.sh"
FILE=assets/sample_gpu/train_rank0.1700000000000.pt.trace.json.gz
mkdir -p "$TT_DIR/out"
out=$TT_DIR.out # as kept by tt_start
mkdir -p "$out" && trap 'rm -rf "$out"; tt_cleanup' EXIT
cp "$FILE" "$out/own.pt.trace.json.gz"
sum=$(sha256sum <"$out/own.pt.trace.json.gz")

tt_start 120 30 --screen operators "$out/own.pt.trace.json.gz" || exit 1
echo mine >"$out/k.csv"
write_to() { tt_keys e C-u && tt_type "$1" && tt_keys Enter; }
write_to "$out/k.csv"
tt_expect "a question" "k.csv? y n"
tt_keys n
tt_expect "no" "cancelled"
tt_check "no: it is as it was" [ "$(cat "$out/k.csv")" = mine ]
write_to "$out/k.csv"
tt_keys Enter
tt_check "Enter is no" [ "$(cat "$out/k.csv")" = mine ]
write_to "$out/k.csv"
tt_keys y
tt_expect "yes" "rows written to"
tt_check "yes: it is replaced" grep -q '^name,calls' "$out/k.csv"
tt_keys 4
write_to "$out/own.pt.trace.json.gz"
tt_expect "not over the trace" "is an input"
tt_check "which is as it was" [ "$(sha256sum <"$out/own.pt.trace.json.gz")" = "$sum" ]
tt_keys : && tt_type "dump /dev/tty" && tt_keys Enter y
tt_expect "not onto the terminal" "/dev/tty: cannot be written"
tt_quit Q
tt_check "nothing is left behind" [ -z "$(find "$out" -name '.tracetty*')" ]

# a signal while a file is written: a FIFO takes only the first bytes
mkfifo "$out/slow.json"
exec 7<>"$out/slow.json"
if tt_start 120 30 --screen trace "$FILE"; then
    tt_keys e C-u && tt_type "$out/slow.json" && tt_keys Enter
    tt_tmux send-keys -t app y
    tt_check "writing" tt_until tt_has "writing $out"
    kill -s USR1 "$(cat "$TT_DIR/pid")"
    TT_WANT_STATUS=138 tt_quit
fi
exec 7>&-
exit 0
