#!/usr/bin/env bash
# NVTX: a stack per domain, the entry of NVTX 2, a parent's handles in its children; and processes that inherit a rank.
. "$(dirname "$0")/_lib.sh"
domains=$B/tests/doubles/domains
ns() { cell user_ranges host_total_ns "$1"; }

# ---- a range of one domain ends inside a range of another
record "$domains" cross
near() { # NAME: its time agrees with the program's report within 5 ms
    local want got
    want=$(sed -n "s/^$1 //p" "$tmp/out") got=$(ns "$1")
    if [ -n "$got" ] && [ $((got > want ? got - want : want - got)) -lt 5000000 ]; then echo "ok '$1' is as long as it was"; else
        echo "FAIL '$1': ${got:-no such range}, want $want"; fi
}
for name in A:first B:second inside; do near "$name"; done
has "a domain without open ranges has none to end" "$tmp/out" '^none -1$'
same "afterwards nothing is open" "$(cell user_ranges calls A:again) $(cell user_ranges calls around) $(problem unmatched_begin)" "1 1 "
record "$domains" ladder
same "... ten thousand times" "$(for d in A:a B:b; do echo "$d $(cell user_ranges calls $d)"; done)" "$(cat "$tmp/out")"
same "... and nothing dropped" "$(problem recorder_drops)" ""

# ---- NVTX 2 looks for another name
NVTX_ENTRY=InitializeInjectionNvtx record "$domains" ladder
same "NVTX 2 finds its entry" "$status $(cell user_ranges calls A:a)" "0 5001"

# ---- children without exec
if ! unforkable "children without exec"; then
    record --children all "$domains" fork
    same "a name registered before a fork" "$(cell user_ranges calls 'library:registered 7') $(cell user_ranges calls 'library:registered 42')" "1 1"
    same "... and the domain's own" "$(table user_ranges | grep -c 'library:of the child')" 2
    many=${FORKS:-1000}
    record --format spool --children all "$domains" forks "$many"
    same "$many forks: every child's ranges" "$(table user_ranges | python3 -c '
import csv, sys
n = {}
for r in csv.DictReader(sys.stdin): n[r["name"]] = n.get(r["name"], 0) + int(r["calls"])
print(n.get("library:of the child"), n.get("library:registered"))')" "$many $many"
    same "... in a file each" "$(find "$dir" -name '*.ttspool' | wc -l) $("$BIN" check "$dir" | grep -cE 'recorder_drops|unclean_end')" "$((many + 1)) 0"

    # a process that inherits a rank's variables is not that rank
    RANK=3 record --format spool --children all "$domains" fork
    same "forked children of a rank" "$(find "$dir" -name '*_rank3.*.ttspool' | wc -l) of $(find "$dir" -name '*.ttspool' | wc -l)" "1 of 3"
fi
cat >"$tmp/start.py" <<'PY'
import multiprocessing, sys, time
import tracetty
def work(k):
    tracetty.mark("worker %d" % k)
    time.sleep(0.3)  # such a child ends by _exit(): events since the writer's last pass are lost
if __name__ == "__main__":
    tracetty.mark("main")
    context = multiprocessing.get_context(sys.argv[1])
    all = [context.Process(target=work, args=(k,)) for k in range(2)]
    for p in all: p.start()
    for p in all: p.join()
PY
if sanitized; then
    echo "skip Python: the interpreter cannot load a library built with a sanitizer"
else
    for how in spawn forkserver fork; do
        PYTHONPATH=$PWD/capture RANK=3 record --format spool --children all python3 "$tmp/start.py" $how
        same "workers started by $how are not the rank" "$(find "$dir" -name '*_rank3.*.ttspool' | wc -l)" 1
        same "... and are recorded" "$(cat "$dir"/*.ttspool | grep -ao 'worker [01]' | sort -u | tr '\n' ' ')" "worker 0 worker 1 "
    done
fi
