#!/usr/bin/env bash
# The timeline adapted to a trace: pinned and hidden tracks, bookmarks, the filter, and their restoration at the next
# start.
. "$(dirname "$0")/_lib.sh"
FILE=assets/sample_gpu/train_rank0.1700000000000.pt.trace.json.gz
command_line() { tt_keys : && tt_type "$1" && tt_keys Enter; }
# row N PATTERN: whether the N-th line from the ruler on (1 = right below it) matches.
row() { tt_screen | sed -n '6,$p' | sed -n "$1p" | grep -q -- "$2"; }

view() { tt_screen | grep -o 'window [0-9.]* [a-z]*'; }

tt_start 120 40 --screen trace "$FILE" || exit 1
command_line 'pin stream 20'
tt_check "pinned below the ruler" row 1 '^•.*stream 20 GPU'
tt_keys G
tt_check "it stays when the rest is scrolled" row 1 '^•.*stream 20 GPU'
tt_keys g p
tt_expect "p lets it go" "stream 20 unpinned"
tt_keys P
tt_check "and it is gone from the top" eval '! row 1 "stream 20"'
command_line 'pin stream 20'
command_line 'hide autograd'
tt_reject "a hidden track" "pt_autog"
command_line 'set unit=us'
command_line 'goto 0'
tt_keys / && tt_type flash_fwd && tt_keys Enter Escape f f
command_line 'bookmark first flash'
tt_expect "a bookmark" "bookmark first flash at "
tt_keys 0 B
tt_quit Q

tt_start 120 40 --screen trace "$FILE" || exit 1
tt_check "pinned the next time" row 1 '^•.*stream 20 GPU'
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
tt_check "with their lengths" eval 'tt_screen | grep -q "first flash  *[0-9.]* [a-zµ]*s  *[0-9.]* [a-zµ]*s"'
tt_keys Enter
tt_expect "to the first of them" "flash_fwd_kernel"
tt_check "whose window is another" [ "$(view)" != "$was" ]
tt_keys u
tt_check "and back" [ "$(view)" = "$was" ]
command_line 'goto first flash'
tt_expect "by its name" "flash_fwd_kernel"
command_line 'goto 100ms'
tt_expect "to a time" " 100 ms  "
command_line 'goto 200000µs'
tt_expect "... in the units of --range" " 200 ms  "
command_line 'unbookmark first flash'
command_line 'goto first flash'
tt_expect "a bookmark that is gone" "'first flash'"
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
command_line 'hide pt_main'
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

# stacks folded and as recorded, layers of host threads; a jump reports what it unfolds, and choices are kept
tt_start 120 40 --screen trace "$FILE" || exit 1
tt_keys X
tt_expect "stacks are folded" "operators"
tt_expect "to modules" "modules"
tt_keys z
tt_expect "z: as recorded" "stacks as recorded; z folds them"
tt_reject "without bands" "modules"
tt_quit Q
tt_start 120 40 --screen trace "$FILE" || exit 1
tt_reject "kept for the next time" "modules"
tt_keys z
tt_expect "z again folds them" "modules"
tt_keys L
tt_expect "the list of layers" "shown   python"
tt_keys Enter
tt_expect "one is hidden" "layer python hidden; L shows it"
tt_reject "with its rows" "modules"
command_line 'layers python=on runtime=off'
tt_expect "by command" "modules"
tt_reject "several at once" "launches, syncs"
tt_keys '['
tt_expect "a jump to what is hidden shows it" "launches, syncs"
tt_keys u
tt_reject "going back hides it again" "launches, syncs"
command_line 'layers runtime'
tt_expect "what is no layer" "layers: python=on|off"
tt_quit Q

# reasons of waits, and the critical path: computed in the background
tt_start 120 40 --screen trace "$FILE" || exit 1
tt_keys V
tt_expect "the critical path" "segments   [ ] along it"
tt_check "in a row above the tracks" row 1 '^•.*critical path'
tt_keys g ']'
tt_expect "a segment of it" "segment 1,"
was=$(tt_screen | grep -o 'segment [0-9,]*')
tt_keys ']'
tt_check "] goes to the next" eval '[ "$(tt_screen | grep -o "segment [0-9,]*")" != "$was" ]'
tt_keys '['
tt_check "[ goes back" eval '[ "$(tt_screen | grep -o "segment [0-9,]*")" = "$was" ]'
tt_keys Enter
tt_expect "Enter goes to the slice, which says its part" "on the critical path for"
command_line 'path'
tt_expect "and off again" "critical path off"
tt_check "without its row" eval '! row 1 "critical path"'
tt_keys g
# 658 gaps between kernels and copies, one before the first and one after the last
for _ in 1 2 3 4 5 6 7 8 9 10 11 12; do tt_screen | grep -q " of 660, GPU 0" || tt_keys j; done
tt_expect "the row of idle time" " of 660, GPU 0"
was=$(tt_screen | grep -o 'gap [0-9]* of')
tt_keys l
tt_check "l goes to the next gap" eval '[ "$(tt_screen | grep -o "gap [0-9]* of")" != "$was" ]'
tt_keys Enter
tt_expect "all about the gap" "── Gap ──"
tt_keys q
tt_keys / && tt_type flash_fwd && tt_keys Enter
tt_keys Enter
tt_expect "Enter on a kernel: its card" "── Kernel ──"
tt_keys u Space
tt_expect "Space: its event as the file has it" "Raw event"
tt_keys Space
tt_expect "and back" "── Selection ──"
tt_quit Q
exit 0
