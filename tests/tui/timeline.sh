#!/usr/bin/env bash
# The timeline set up for a trace: pinned and hidden tracks, bookmarks, the filter, and what is there again the next time.
. "$(dirname "$0")/_lib.sh"
FILE=assets/sample_gpu/train_rank0.1700000000000.pt.trace.json.gz
command_line() { tt_keys : && tt_type "$1" && tt_keys Enter; }
# The screen has a line that matches; which one is the N-th from the ruler on (1 = right below it).
row() { tt_screen | sed -n '6,$p' | sed -n "$1p" | grep -q -- "$2"; }

view() { tt_screen | grep -o 'view [0-9.]* [a-z]*'; }

tt_start 120 40 --screen trace "$FILE" || exit 1
command_line 'pin stream 20'
tt_check "pinned below the ruler" row 1 '^•.*stream 20 GPU 0'
tt_keys G
tt_check "it stays when the rest is scrolled" row 1 '^•.*stream 20 GPU 0'
tt_keys g p
tt_expect "p lets it go" "is not pinned any more"
tt_keys P
tt_check "and it is gone from the top" eval '! row 1 "stream 20"'
command_line 'pin stream 20'
command_line 'hide autograd'
tt_reject "a hidden track" "pt_autog"
command_line 'set unit=us'
command_line 'goto 0'
tt_keys / && tt_type flash_fwd && tt_keys Enter Escape f f
command_line 'bookmark first flash'
tt_expect "a bookmark" "bookmark first flash at 28894.579 us"
tt_keys 0 B
tt_quit Q

tt_start 120 40 --screen trace "$FILE" || exit 1
tt_check "pinned the next time" row 1 '^•.*stream 20 GPU 0'
tt_reject "hidden the next time" "pt_autog"
tt_expect "and that is said" "as you left it: 2 pinned, 1 hidden, 2 bookmarks"
tt_keys j
tt_expect "what is hidden stays in the status line" "1 hidden: X shows"
tt_expect "and what was not hidden is there" "pt_main"
tt_keys X
tt_expect "shown again" "pt_autog"
was=$(view)
tt_keys "'"
tt_expect "the list of bookmarks" "first flash"
tt_expect "with their lengths" "86.342 us"
tt_keys Enter
tt_expect "to the first of them" "flash_fwd_kernel 86.342 us"
tt_check "whose window is another" [ "$(view)" != "$was" ]
tt_keys u
tt_check "and back" [ "$(view)" = "$was" ]
command_line 'goto first flash'
tt_expect "by its name" "flash_fwd_kernel 86.342 us"
command_line 'goto 100ms'
tt_expect "to a time" " 100 ms  1 cell"
command_line 'goto 200000µs'
tt_expect "... in the units of --range" " 200 ms  1 cell"
command_line 'unbookmark first flash'
command_line 'goto first flash'
tt_expect "a bookmark that is gone" "no bookmark and no time: 'first flash'"
tt_keys 0 P
tt_keys F && tt_type memcpy && tt_keys Enter
tt_expect "the filter is named" "F memcpy"
tt_reject "tracks without such slices are not there" "pt_main"
tt_expect "what passes is there" "Memcpy"
tt_keys '\'
tt_expect "everything again" "pt_main"
tt_quit Q

tt_start 120 40 --screen trace "$FILE" || exit 1
tt_check "what was let go stays so" eval '! row 1 "stream 20"'
tt_expect "what was shown again too" "pt_autog"
tt_keys x
tt_quit Q
printf 'not a line\n0123 p 4567\n' >>"$TT_DIR/.local/state/tracetty/traces"
tt_start 120 40 --screen trace "$FILE" || exit 1
tt_reject "a damaged file of states does not matter" "pt_main"
command_line 'set state=off'
tt_keys X
tt_quit Q
tt_start 120 40 --screen trace "$FILE" || exit 1
tt_reject "nothing is kept when that is off" "pt_main"
tt_quit Q
exit 0
