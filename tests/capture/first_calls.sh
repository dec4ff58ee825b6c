#!/usr/bin/env bash
# Threads that make their first calls at the same moment: none is lost while another one finds the library or attaches.
# Under `make tsan` also: what one thread set up is seen by the others, on processors that reorder loads, too.
. "$(dirname "$0")/_lib.sh"
threads=16 rounds=10
calls() { cell user_ranges calls first; }
lost=''
for i in $(seq $rounds); do
    record -- "$B/tests/doubles/together" $threads
    got=$(calls)
    [ "$status $got" = "0 $threads" ] || lost+=" round $i: status $status, ${got:-0} of $threads;"
done
same "first calls of $threads threads at once, $rounds times" "$lost" ""
