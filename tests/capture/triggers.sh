#!/usr/bin/env bash
# Triggers and dumps of tracetty record --keep: each makes one dump that opens and holds what the ring held; two at once, a dump while
# another is copied, a full disk, a folder taken away, a process that is killed around a dump.
. "$(dirname "$0")/_lib.sh"

# begin OPTIONS... -- COMMAND...: record into a new $dir in the background; sets $pid; waits until the process is attached. The file $end
# ends the command.
begin() {
    n=$((n + 1)) dir=$tmp/rec$n end=$tmp/end$n
    TICKS_UNTIL=$end "$BIN" record -o "$dir" --at-end nothing --format spool "$@" >"$tmp/out" 2>"$tmp/err" &
    pid=$!
    until_ attached_all
}
expected=1
attached_all() { "$BIN" ctl "$dir" status 2>/dev/null | grep -Eq "^processes +$expected attached"; }
finish() { touch "$end"; wait $pid; status=$?; }
dumps() { find "$dir" -maxdepth 1 -name 'hang-*' | sort; }
n_dumps() { dumps | grep -c .; }
has_dumps() { [ "$(n_dumps)" -ge "$1" ]; }
child() { pgrep -P "$pid" -x target; }
why() { "$BIN" summary --table run --format csv --limit 0 "$1" 2>/dev/null | sed -n 's/^trigger,//p'; }
clean() { "$BIN" check "$1" | grep -c 'no problems'; }
numbers() { table user_ranges "$1" | sed -n 's/^tick \([0-9]*\),.*/\1/p' | sort -n; }
# the ticks in a dump: one run of consecutive numbers, without a gap or a range without a name
gapless() {
    numbers "$1" >"$tmp/numbers"
    [ -s "$tmp/numbers" ] && [ "$(wc -l <"$tmp/numbers")" = $(($(tail -n 1 "$tmp/numbers") - $(head -n 1 "$tmp/numbers") + 1)) ] &&
        ! table user_ranges "$1" | grep -q '^,'
}
ticked() { [ "$(events "$dir")" -gt "$1" ]; }
# one_dump WHAT REASON: exactly one dump, which says why, opens without a problem, and has consecutive ticks
one_dump() {
    same "$1: one dump, which says why" "$(n_dumps) $(why "$(dumps)")" "1 $2"
    same "$1: it opens without problems" "$(clean "$(dumps)")" 1
    if gapless "$(dumps)"; then echo "ok $1: its ticks are consecutive"; else echo "FAIL $1: ticks $(tr '\n' ' ' <"$tmp/numbers" | head -c 200)"; fi
}
# the tables of a dump are those of the ring whose last part it is
same_window() { # WHAT DUMP
    for t in user_ranges run; do "$BIN" summary --run "$(basename "$dir")" --table $t --format csv --limit 0 "$dir"; done 2>/dev/null >"$tmp/ring"
    for t in user_ranges run; do table $t "$2"; done >"$tmp/dump"
    sed -i '/^path,\|^run,\|^traceName,/d' "$tmp/ring" "$tmp/dump"
    same "$1" "$(diff "$tmp/ring" "$tmp/dump" | head -n 5)$(grep -q ^tick "$tmp/dump" && echo with ticks)" "with ticks"
}

# ---- every trigger
begin --keep 60s "$target" ticks 6000
until_ ticked 60
"$BIN" ctl "$dir" dump 2>"$tmp/said"; same "ctl dump: its status" $? 0
has "ctl dump: where it lies" "$tmp/said" "dump of process [0-9]+ \(ctl dump\): $dir/hang-[0-9]{8}T[0-9]{6}\.[0-9]{3}Z-[0-9]+$"
one_dump "ctl dump" "ctl dump"
"$BIN" summary --table run --format csv "$(dumps)" >"$tmp/run" 2>/dev/null
has "ctl dump: the time of the trigger is a fact" "$tmp/run" '^trigger_time,20[0-9-]+T[0-9:.]+Z'
"$BIN" ctl "$dir" status >"$tmp/status"; has "ctl status counts dumps" "$tmp/status" '^dumps +1$'
finish
has "record says where the dump lies" "$tmp/err" "dump of process [0-9]+ \(ctl dump\): $dir/hang-"
has "... and which there are at its end" "$tmp/err" "1 dump in $dir: hang-"
same "the program was not disturbed" "$status $(numbers "$dir" | head -n 1)" "0 0"

begin --keep 60s "$target" ticks 6000
until_ ticked 60; kill -USR2 $pid; until_ has_dumps 1; finish
one_dump "SIGUSR2 to the recorder" "ctl dump"
begin --keep 60s "$target" ticks 6000
until_ ticked 60; kill -USR2 "$(child)"; until_ has_dumps 1; finish
one_dump "SIGUSR2 to the process" "SIGUSR2"
"$BIN" record -o "$tmp/refused" --keep 60s --dump-signal RTMIN "$target" ticks 1 >/dev/null 2>"$tmp/err"
same "a signal that is none is refused" "$(grep -c 'dump-signal' "$tmp/err")" 1
begin --keep 60s --dump-signal 40 "$target" ticks 6000
until_ ticked 60; kill -40 $pid; until_ has_dumps 1; kill -40 "$(child)"; until_ has_dumps 2; finish
same "another signal, to both" "$(n_dumps) $status" "2 0"
handled() { grep -q handled "$tmp/out"; }
TARGET_OWN_USR2=1 begin --keep 60s "$target" ticks 6000
until_ ticked 60; kill -USR2 "$(child)"; until_ handled; finish
same "a program's own handler stays" "$(n_dumps) $status" "0 0"
begin --keep 60s --dump-signal none "$target" ticks 6000
until_ ticked 60; kill -USR2 "$(child)"; wait $pid; same "no signal" "$? $(n_dumps)" "140 0"

for sig in TERM ABRT; do
    begin --keep 60s "$target" ticks 6000
    until_ ticked 60; kill -$sig "$(child)"; wait $pid
    same "SIG$sig: the status is the program's" $? $((128 + $(kill -l $sig)))
    one_dump "SIG$sig" "SIG$sig"
    same_window "SIG$sig: the tables are those of the ring" "$(dumps)"
done
begin --keep 60s "$target" ticks 6000
until_ ticked 60; kill -HUP "$(child)"; wait $pid; same "a terminal that hangs up makes no dump" "$? $(n_dumps)" "129 0"
record --keep 60s --on-exit "$target" ticks 60
one_dump "--on-exit" exit
same_window "--on-exit: the tables are those of the ring" "$(dumps)"
record --keep 60s "$target" ticks 60; same "without it the end makes no dump" "$status $(n_dumps)" "0 0"
record --keep 60s --slow-step 20x "$target" slow 60
same "--slow-step: the step that was slow" "$(for d in $(dumps); do why "$d"; done | grep -c '^"*step 50 took [0-9.]* x the median: ')" 1
record --keep 60s --slow-step 5000 "$target" slow 60; same "a factor that is none is refused" $status 2
begin --keep 60s --stall 2s "$target" slow 60
until_ has_dumps 1; before=$(wakes "$(child)")
until_ woken "$(child)" $((before + 300)) # it stalls for two seconds and more after the dump
finish
same "--stall: a stall makes one dump" "$(n_dumps) $(why "$(dumps)")" "1 no progress for 2 s: no step after step 59"

# ---- what held up a slow step: the stacks while it ran, though the dump is made when it has ended
cat >"$tmp/slow.py" <<'PY'
import time, tracetty
def holds_up(): time.sleep(1)
for i in range(40):
    if i == 30: holds_up()
    else: time.sleep(0.005)
    tracetty.step()
PY
if sanitized; then
    echo "skip Python: the interpreter cannot load a library built with a sanitizer"
else
    PYTHONPATH=capture record --keep 60s --slow-step 20x python3 "$tmp/slow.py"
    for d in $(dumps); do why "$d"; table stacks "$d"; done >"$tmp/stacks" # Python 3.10 and older have no stacks
    has "a slow step of a Python program" "$tmp/stacks" '^"?step 30 took'
    python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))' && has "... the stack while it ran" "$tmp/stacks" 'slow.py\(2\): holds_up'
fi

# ---- a GPU that hangs: the 60th of 100 kernels never ends
export FAKE_CUPTI=$tmp/script TRACETTY_CUPTI=$B/tests/doubles/libfakecupti.so
unfinished() { table unfinished "$1" | python3 -c '
import csv, sys
rows = list(csv.DictReader(sys.stdin))
print(len(rows), *(rows[0][c] for c in ("order", "stream", "name")) if rows else "")'; }
kernels() { table kernels "$1" | python3 -c 'import csv, sys; print(sum(int(r["calls"]) for r in csv.DictReader(sys.stdin)))'; }
printf '%s\n' "version 130001" device context "launch 50" "sleep 1500" "launch 50" "sleep 9000" "kill 6" >"$FAKE_CUPTI"
FAKE_HANG_AFTER=60 record --keep 60s --stall 3s "$target" cuda-script
same "a GPU that hangs: the stall and SIGABRT make a dump each" "$status $(for d in $(dumps); do why "$d" | tail -n 1; done | tr '\n' ' ')" "134 no progress for 3 s: 41 launches due SIGABRT "
for d in $(dumps); do
    same "... the kernel that hangs and those behind it, in ${d##*/}" "$(unfinished "$d") $(kernels "$d")" "41 1 7 void gemm<float, 128>(float const*, float*) 59"
done
unset FAKE_CUPTI TRACETTY_CUPTI

# ---- without a ring
begin --dump-signal USR2 "$target" ticks 6000
until_ ticked 60
"$BIN" ctl "$dir" dump 2>"$tmp/said"; same "without --keep: the status of ctl dump" $? 0
has "... says that there is no dump" "$tmp/said" 'in the recording; --keep makes dumps'
finish
same "... the recording has the trigger" "$(why "$dir") $(n_dumps)" "ctl dump 0"
begin "$target" ticks 6000; until_ ticked 60; "$BIN" ctl "$dir" dump 2>/dev/null
before=$(events "$dir"); until_ ticked $((before + 200)); kill -KILL "$(child)"; wait $pid
"$BIN" ctl "$dir" dump 2>"$tmp/said"; same "no process is left to dump" $? 3
same "SIGKILL after a trigger is no clean end" "$(problem unclean_end)" 1

# ---- several ranks
cat >"$tmp/ranks.sh" <<'SH'
for r in 0 1 2 3; do RANK=$r WORLD_SIZE=4 "$1" ticks 6000 & done
wait
SH
expected=4
begin --keep 60s bash "$tmp/ranks.sh" "$target"
expected=1
until_ ticked 300
"$BIN" ctl "$dir" dump 2>"$tmp/said"; same "four ranks dump" "$? $(grep -c 'dump of rank' "$tmp/said") $(n_dumps)" "0 4 4"
newest() { "$BIN" summary --table runs --format csv "$dir" 2>/dev/null | sed -n 2p | grep -q "^$1,"; }
if until_ newest "rec$n"; then echo "ok the ring that still runs is the newest run"; else echo "FAIL the ring that still runs is not the newest run"; fi
"$BIN" ctl "$dir" dump 2>"$tmp/said"
finish
"$BIN" summary --table runs --format csv "$dir" >"$tmp/runs" 2>/dev/null
same "their dumps are one run for each trigger, beside the ring" "$(tail -n +2 "$tmp/runs" | sed 's/,.*//; s/hang-.*/hang/' | sort | tr '\n' ' ')" "hang hang rec$n "
"$BIN" summary --table run --format json "$dir" 2>/dev/null >"$tmp/newest"
same "... of four workers" "$(python3 -c 'import json,sys; print(len(json.load(sys.stdin)["source"]["workers"]))' <"$tmp/newest")" 4

# ---- trouble
begin --keep 60s "$target" ticks 6000
until_ ticked 60
"$BIN" ctl "$dir" dump 2>/dev/null & first=$!
kill -USR2 "$(child)"; "$BIN" ctl "$dir" dump 2>/dev/null
wait $first; finish
said=$(for d in $(dumps); do why "$d" | tail -n 1; done)
bad=0; for d in $(dumps); do [ "$(clean "$d")" = 1 ] && gapless "$d" || bad=1; done
same "triggers at once: every reason is told, every dump opens" "$(grep -c SIGUSR2 <<<"$said") $(grep -q 'ctl dump' <<<"$said" && echo 1) $bad" "1 1 0"

touch "$tmp/nolinks"
TARGET_NO_LINKS=$tmp/nolinks begin --keep 60s "$target" ticks 6000
until_ ticked 60
for _ in 1 2 3; do kill -USR2 "$(child)"; kill -USR2 $pid; done # the next comes while one is copied
until_ has_dumps 1; "$BIN" ctl "$dir" dump 2>/dev/null; finish
bad=0; for d in $(dumps); do [ "$(clean "$d")" = 1 ] && gapless "$d" || bad=1; done
same "a file system without links: the dumps are copies" "$bad $(find "$dir"/hang-* -type f -links +1 | wc -l)" "0 0"
same "... all of them are complete" "$(find "$dir" -maxdepth 1 -name '.hang-*' | wc -l)" 0

TARGET_FULL=$tmp/full begin --keep 60s "$target" ticks 6000
until_ ticked 60; touch "$tmp/full"
"$BIN" ctl "$dir" dump 2>"$tmp/said"; same "a full disk: the status of ctl dump" $? 3
has "... says why" "$tmp/said" 'no dump of process [0-9]+ \(ctl dump\): No space left'
rm "$tmp/full"; "$BIN" ctl "$dir" dump 2>"$tmp/said"; same "... with room again there is a dump" "$? $(n_dumps) $(clean "$(dumps)")" "0 1 1"
finish
same "... and the recording is whole" "$status $(numbers "$dir" | head -n 1)" "0 0"

begin --keep 60s "$target" ticks 6000
until_ ticked 60
mkdir "$dir/.hang-20261128T203000.000Z-7.7"; cp "$dir"/*.ttspool "$dir/.hang-20261128T203000.000Z-7.7/"
kill -KILL "$(child)"; wait $pid
same "what a killed process leaves of a dump is removed" "$(find "$dir" -name '.hang*' | wc -l) $(numbers "$dir" | head -n 1)" "0 0"

begin --keep 60s "$target" ticks 6000
until_ ticked 60; mv "$dir" "$dir.away"
"$BIN" ctl "$dir.away" dump 2>"$tmp/said"; same "a folder taken away: the status of ctl dump" $? 3
has "... says why" "$tmp/said" 'no dump of process [0-9]+ \(ctl dump\): No such file'
mv "$dir.away" "$dir"; "$BIN" ctl "$dir" dump 2>/dev/null; same "... back again" "$? $(n_dumps)" "0 1"
finish; same "... and the program is unhurt" $status 0

begin --keep 60s "$target" ticks 6000
until_ ticked 60
for _ in $(seq 16); do "$BIN" ctl "$dir" dump 2>/dev/null; done
"$BIN" ctl "$dir" dump 2>"$tmp/said"; same "sixteen dumps are the most" "$? $(n_dumps)" "3 16"
has "... which is said" "$tmp/said" 'it has made 16, the most'
finish

# ---- killed at random instants around a dump: the ring and every dump open
python3 - "$tmp" "$target" <<'PY'
import os, random, signal, subprocess, sys, time
tmp, target = sys.argv[1:]
rng = random.Random(int(os.environ.get("SEED", time.time_ns() % 1000000)))
kills, good, dumps = int(os.environ.get("KILLS", "6")), 0, 0

def opens(path, *more):
    p = subprocess.run([os.environ["BIN"], "summary", "--table", "user_ranges", "--format", "csv", "--limit", "0", path, *more],
                       stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    rows = [line for line in p.stdout.splitlines() if line.startswith("tick ")]
    ticks = sorted(int(row.split(",")[0][5:]) for row in rows)
    return p.returncode == 0 and ticks and ticks == list(range(ticks[0], ticks[0] + len(ticks)))

for i in range(kills):
    where = "%s/around%d" % (tmp, i)
    record = subprocess.Popen([os.environ["BIN"], "record", "-o", where, "--keep", "60s", "--at-end", "nothing", "--format", "spool",
                               target, "ticks", "6000"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    child = None
    for _ in range(3000):
        out = subprocess.run([os.environ["BIN"], "ctl", where, "status"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout
        kids = open("/proc/%d/task/%d/children" % (record.pid, record.pid)).read().split()
        count = [line.split()[1] for line in out.splitlines() if line.startswith("events")]
        if kids and count and int(count[0]) > 100: child = int(kids[0]); break
        time.sleep(0.02)
    os.kill(record.pid, signal.SIGUSR2)
    time.sleep(rng.uniform(0, 0.6))
    os.kill(child, signal.SIGKILL)
    record.wait()
    some = [os.path.join(where, name) for name in os.listdir(where) if name.startswith("hang-")]
    dumps += len(some)
    bad = [path for path in some if not opens(path)]
    if not opens(where, "--run", os.path.basename(where)) and not (not some and opens(where)): bad.append(where)
    if bad: print("FAIL killed around a dump:", *bad)
    else: good += 1
print("%s killed at a random instant around a dump: ring and dumps open in %d of %d, %d dumps were made" % ("ok" if good == kills else "FAIL", good, kills, dumps))
PY

# ---- what a dump costs the writer
begin --keep 60s "$target" ticks 6000
until_ ticked 300
for _ in 1 2 3 4 5; do "$BIN" ctl "$dir" dump 2>/dev/null; done
finish
python3 - "$dir/ctl" <<'PY'
import struct, sys
at, took = 4096, []
data = open(sys.argv[1], "rb").read()
while at + 256 <= len(data):
    magic, kind = struct.unpack_from("4sI", data, at)
    if magic == b"TTCR" and kind == 4: took.append(struct.unpack_from("I", data, at + 16 + 24)[0])
    at += 256
print("%s the writer's time for a dump: %s us" % ("ok" if len(took) == 5 and all(took) else "FAIL", " ".join(map(str, took))))
PY
exit 0
