#!/usr/bin/env bash
# Threads that make their first calls at one moment: no event is lost while another thread finds the library or
# attaches. Under `make tsan` also: threads see each other's setup, even on processors that reorder loads.
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
