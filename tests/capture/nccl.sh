#!/usr/bin/env bash
# NCCL's profiler plugin: communicators and calls of all versions of the interface, and who is stuck in a job whose
# ranks are recorded.
. "$(dirname "$0")/_lib.sh"
fake=$B/tests/doubles/fakenccl
unset NCCL_PROFILER_PLUGIN

# events of the plugin in an export, one a line: NAME ROW KEY=VALUE...
calls() { # DIR
    "$BIN" export "$1" -o "$tmp/calls.json" >/dev/null 2>&1
    python3 - "$tmp/calls.json" <<'PY'
import json, sys
events = json.load(open(sys.argv[1]))["traceEvents"]
rows = {(str(e["pid"]), str(e["tid"])): e["args"]["name"] for e in events if e.get("name") == "thread_name"}
for e in events:
    if e.get("cat") == "nccl_profiler":
        a = e["args"]
        print(e["name"], rows[str(e["pid"]), str(e["tid"])].replace(" ", "_"),
              *("%s=%s" % (k, a[k]) for k in ("seq", "count", "type", "algorithm", "peer", "open", "from a graph", "end not seen") if k in a))
PY
}

# ---- each version
for v in 1 2 3 4 5 6; do
    record -- env RANK=0 WORLD_SIZE=2 "$fake" $v comm=world,ab12,2,0 coll=AllReduce,1024,3 send=1,7 comm=tp,cd,2,0 coll=AllGather,5
    same "version $v: the program is unhurt" $status 0
    calls "$dir" >"$tmp/calls"
    size=' (2 ranks)'
    [ $v -lt 4 ] && size= # these versions do not say it
    row=$(echo "NCCL_world$size" | tr ' ' _)
    same "version $v: calls" "$(LC_ALL=C sort "$tmp/calls" | tr '\n' ';')" "AllGather $(echo "NCCL_tp$size" | tr ' ' _) seq=1 count=5 type=ncclFloat32 algorithm=RING;AllReduce $row seq=1 count=1024 type=ncclFloat32 algorithm=RING;AllReduce $row seq=2 count=1024 type=ncclFloat32 algorithm=RING;AllReduce $row seq=3 count=1024 type=ncclFloat32 algorithm=RING;Send ${row}_send_and_receive seq=1 count=7 type=ncclFloat32 peer=1;"
    same "version $v: no problems" "$("$BIN" check "$dir" | tail -1)" "trust: OK"
done
same "nothing enters the tables of communication" "$(table comm_ops | tail -n +2; table kernels | tail -n +2)" ""
same "the plugin's name" "$(strings "$TRACETTY_CAPTURE_LIB" | grep -cm 1 '^tracetty$')" 1

# ---- graphs: captured once, launched many times by handles of a call that has ended
record -- "$fake" 6 comm=world,ab12,2,0 coll=AllReduce,8 graph=AllReduce,9,4 coll=AllReduce,8
calls "$dir" >"$tmp/calls"
same "graphs are numbered apart" "$(sed 's/ count.*RING//; s/NCCL[^ ]* //' "$tmp/calls" | LC_ALL=C sort | tr '\n' ';')" "AllReduce seq=1;AllReduce seq=1 from a graph=True;AllReduce seq=2;AllReduce seq=2 from a graph=True;AllReduce seq=3 from a graph=True;AllReduce seq=4 from a graph=True;"

# ---- ends that nothing tells
record -- "$fake" 6 comm=world,ab12,2,0 coll=AllReduce,8 blind=AllGather,9 sleep=1300
has "an end that is not seen is not open" <(calls "$dir") 'AllGather .* end not seen=True'
same "and no hang" "$("$BIN" "$dir" 2>/dev/null | head -1)" "No findings"

# ---- many calls: none is lost without a word, and the table never fills
record -- "$fake" 6 comm=world,ab12,2,0 fast=AllReduce,8,60000 destroy
kept=$(calls "$dir" | wc -l) lost=$(problem recorder_drops)
same "all of 60,000 calls" $((kept + ${lost:-0})) 60000

# ---- the variable
record -- sh -c 'echo "$NCCL_PROFILER_PLUGIN"'
same "record names the plugin" "$(cat "$tmp/out")" "$TRACETTY_CAPTURE_LIB"
NCCL_PROFILER_PLUGIN=none record -- sh -c 'echo "$NCCL_PROFILER_PLUGIN"'
same "a plugin of the user's stays" "$(cat "$tmp/out")" none
record --trace -nccl -- sh -c 'echo "${NCCL_PROFILER_PLUGIN-unset}"'
same "--trace -nccl" "$(cat "$tmp/out")" unset
NCCL_PROFILER_PLUGIN=$TRACETTY_CAPTURE_LIB "$fake" 6 comm=world,ab12,2,0 coll=AllReduce,8,10 destroy
same "without a recorder the plugin is silent" $? 0
NCCL_PROFILER_PLUGIN=$TRACETTY_CAPTURE_LIB record --trace -nccl -- "$fake" 6 comm=world,ab12,2,0 coll=AllReduce,8,10
same "named by the user, but left out" "$(calls "$dir" | wc -l)" 0

# ---- jobs of several ranks
# job NAME RANKS SIGNAL WORDS: records RANKS processes, each with the words that the shell function WORDS prints for its
# rank. A rank says "in" where it stays; when all have and a while has passed, SIGNAL ends them. Sets $dir.
job() {
    local ranks=$2 signal=$3 words=$4 pid
    n=$((n + 1)) dir=$tmp/job$n said=$tmp/said$n
    mkdir "$said"
    cat >"$tmp/job.sh" <<SH
trap 'kill -$signal \$(jobs -p)' TERM
$(declare -f "$words")
for ((r = 0; r < $ranks; r++)); do
    RANK=\$r WORLD_SIZE=$ranks "$fake" ${version:-6} \$($words \$r $ranks) >"$said/\$r" &
done
wait
wait
SH
    "$BIN" record -o "$dir" --at-end nothing --format spool -- bash "$tmp/job.sh" >/dev/null 2>"$tmp/err" &
    pid=$!
    until_ all_in "$said" "$ranks"
    sleep 1.5
    kill -TERM $pid
    wait $pid
}
all_in() { [ "$(cat "$1"/* 2>/dev/null | grep -c in)" = "$2" ]; }
verdict() { "$BIN" "${1:-$dir}" 2>/dev/null | head -1; }
said() { # WHAT PATTERN [DIR]
    local line
    line=$(verdict "${3:-$dir}")
    if [[ $line =~ $2 ]]; then echo "ok $1"; else echo "FAIL $1: '$line', want '$2'"; fi
}

never() { # rank 37 never enters the 21st collective
    echo "comm=world,ab12,$2,$1 coll=AllReduce,1024,20 $([ "$1" = 37 ] || echo open=AllReduce,1024) say=in hang"
}
job never 64 TERM never
said "of 64 ranks the one that never entered" '^Rank 37 stopped on the host: never called AllReduce seq 21 of world \(group 0*ab12, 64 ranks, Float32 \[\[1024\]\]\), since .*; 63 ranks wait\.'
same "the others are victims" "$(table hang_ranks | grep -c ,victim,)" 63
same "the worst first: a finding" "$(table findings | sed -n 2p | grep -c 'hang_host.*Rank 37')" 1
"$BIN" summary --fail-on hang "$dir" >/dev/null 2>&1
same "--fail-on hang" $? 1
"$BIN" "$dir" --dump 80x24 >"$tmp/screen" 2>/dev/null
has "the explorer opens on the verdict" <(sed -n 1,4p "$tmp/screen" | tr -d '\n') 'Hang.*Rank 37 stopped on the host'
"$BIN" summary --screen timeline --size 120x30 "$dir" >"$tmp/screen" 2>/dev/null
has "a row of the timeline is named after its communicator" "$tmp/screen" 'NCCL worl.*4 ranks\)[^0-9]*│'
"$BIN" summarize -o "$tmp/all.tts" "$dir" >/dev/null 2>&1
same "the same from a summary" "$(verdict "$tmp/all.tts")" "$(verdict)"
"$BIN" export "$dir" --format dump -o "$tmp/dumps" >/dev/null 2>&1
# a real dump is written minutes after the last call; times within 2 s would say that the job ran
find "$tmp/dumps" -type f -exec touch -d "1 hour" {} +
same "the same from dumps in PyTorch's form" "$(verdict "$tmp/dumps" | cut -d. -f1)" "$(verdict | cut -d. -f1)"

never5() { echo "comm=world,ab12,$2,$1 coll=AllReduce,1024,20 $([ "$1" = 5 ] || echo open=AllReduce,1024) say=in hang"; }
job killed 8 KILL never5
said "killed without a chance to write" '^Rank 5 stopped on the host: never called AllReduce seq 21 of world'
for version in 1 2 3 4; do
    job "version$version" 8 TERM never5
    said "version $version of the interface" '^Rank 5 stopped on the host: never called AllReduce seq 21 of world'
done
version=6

# one rank's device never finishes what the others have finished
device() { echo "comm=world,ab12,$2,$1 coll=AllReduce,1024,20 $([ "$1" = 3 ] && echo open || echo coll)=AllReduce,1024 say=in hang"; }
job device 8 TERM device
said "a device that is stuck" '^Rank 3 is stuck on the device: has not finished AllReduce seq 21 of world'

# calls that block in NCCL, before it has a task for them: the first call waits for all ranks to connect
blocked() { echo "comm=world,ab12,$2,$1 say=in $([ "$1" = 2 ] && echo hang || echo blocked=AllReduce,1024)"; }
job blocked 4 TERM blocked
said "calls that do not return" '^Rank 2 stopped on the host: never called AllReduce seq 1 of world'

# groups of the ranks 0-3 and 4-7; rank 6 stopped, and only its group waits
groups() {
    local g=$(($1 / 4))
    echo "comm=world,ab12,$2,$1 coll=AllReduce,8,3 comm=tp,c$g,4,$(($1 % 4)) coll=AllReduce,64,5 $([ $g = 0 ] || [ "$1" = 6 ] || echo open=ReduceScatter,64) say=in hang"
}
job groups 8 TERM groups
said "a group of four" '^Rank 6 stopped on the host: never called ReduceScatter seq 6 of tp \(group 0*c1, 4 ranks'
same "its members by rank" "$(cell hang_faults group_ranks ReduceScatter)" "4-7"

# a rank that calls something else
mismatch() { echo "comm=world,ab12,$2,$1 coll=AllReduce,1024,20 open=$([ "$1" = 1 ] && echo AllGather || echo AllReduce),1024 say=in hang"; }
job mismatch 4 TERM mismatch
said "a rank that calls another collective" '^Rank 1 called AllGather with .* where 3 ranks called AllReduce'

# a receive without a send
pair() { if [ "$1" = 0 ]; then echo "comm=pp,ab12,2,0 send=1,8,3 say=in hang"; else echo "comm=pp,ab12,2,1 recv=0,8,3 openrecv=0,8 say=in hang"; fi; }
job pair 2 TERM pair
said "a receive whose sender stopped" '^Rank 0 stopped on the host: never called send'

# ---- no false verdict
healthy() { echo "comm=world,ab12,$2,$1 coll=AllReduce,1024,100 say=in hang"; }
job healthy 4 TERM healthy
same "all calls finished" "$(verdict)" "No findings"
same "no hang tables are printed" "$("$BIN" "$dir" 2>/dev/null | grep -c -i 'hang\|Faults')" 0
busy() { echo "say=in comm=world,ab12,$2,$1 coll=AllReduce,1024,100000000"; }
for signal in KILL TERM; do
    job busy 4 $signal busy
    same "killed in the midst ($signal)" "$(verdict)" "No findings"
done
frozen() { echo "comm=world,ab12,$2,$1 coll=AllReduce,1024,100 freeze say=in hang"; }
job frozen 4 TERM frozen
same "frozen, and nothing is wrong" "$(verdict)" "No hang seen: every call was called by all members and finished."
behind() { echo "comm=world,ab12,$2,$1 coll=AllReduce,1024,100 freeze say=in launched=AllReduce,8 hang"; }
job behind 4 TERM behind
said "all called and none finished" '^Possibly: All 4 ranks called AllReduce seq 101 of world'
