#!/usr/bin/env bash
# record --keep: a ring of segments. With RING_LAUNCHES (make nightly) also the memory and the disk that many launches
# through a ring of 256 MiB take.
. "$(dirname "$0")/_lib.sh"
export TRACETTY_CUPTI=$B/tests/doubles/libfakecupti.so FAKE_CUPTI=$tmp/script
script() { printf '%s\n' "version 130001" device context "$@" >"$FAKE_CUPTI"; }
tiny=(--keep 3600 --max-spool 64K --buffer-size 16K --buffers 4096)
segments() { find "$1" -name '*.ttspool' | sort; }
number() { sed 's/.*\.0*\([0-9]\+\)\.ttspool$/\1/'; }
many() { for ((i = 0; i < $1; i++)); do printf '%s\n' "rate 4" "sleep 20"; done; }
problems() { "$BIN" check "$1" | sed -n 's/^  \([a-z_]*\) (.*/\1/p' | grep -v crossing_slices | tr '\n' ' '; }

# ---- ten thousand rotations

last=("copy 20" "set 10" "sync 5" "memory 6" flush "sleep 1200")
mapfile -t work < <(many 200)
script "${work[@]}" "${last[@]}"
record --format spool,json "${tiny[@]}" "$target" cuda-script
turns=$(segments "$dir" | tail -n 1 | number)
if [ "$turns" -ge 10000 ]; then how=ok; else how=FAIL; fi
echo "$how a ring turns over $turns times: 10000 at the least"
same "... and fits into its limit" "$(segments "$dir" | xargs cat | wc -c | awk '{print $1 <= 65536}')" 1
ring=$dir
same "... is one worker" "$("$BIN" check "$ring" | grep -c '^/')" 1
same "... without a problem" "$(problems "$dir")" ""
has "... which record says" "$tmp/err" 'MB kept, of the last [0-9]+ s'
script "${last[@]}"
record --format spool "$target" cuda-script
same "its tables are those of a recording of the same work" "$(table memcpy "$ring")" "$(table memcpy)"
same "... and those of its export" "$(table kernels "$ring"/*.pt.trace.json)" "$(table kernels "$ring")"
same "status tells of the ring" "$("$BIN" ctl "$ring" status | grep -c '^kept  *the last [0-9]* s$') $("$BIN" ctl "$dir" status | grep -c ^kept)" "1 0"
good=0 bad=0
while [ "$(segments "$ring" | wc -l)" -gt 0 ]; do
    if "$BIN" check "$ring" >"$tmp/check" && "$BIN" check "$(segments "$ring" | head -n 1)" >>"$tmp/check"; then good=$((good + 1)); else bad=$((bad + 1)); fi
    rm "$(segments "$ring" | head -n 1)"
done
same "each suffix of segments opens without a problem, and each segment" "$((good > 5)) $bad" "1 0"

# ---- how it is shown

script "launch 40"
record --format spool "$target" cuda-script 8
plain=$(steps)
record --format spool --keep 60s "$target" cuda-script 8
same "a short ring is a recording of a segment" "$(segments "$dir" | number) $(steps)" "0 $plain"
record --format spool --keep 1s --max-spool 4M "$target" cuda-script 24
same "ranges before the ring are left out" "$(problems "$dir")|$(segments "$dir" | wc -l | awk '{print ($1 > 1)}')" "|1"
first=$(steps | cut -d' ' -f1)
same "... the last steps are there" "$(steps | tr ' ' '\n' | tail -n 2 | tr '\n' ' ')|$((first > 3))" "22 23 |1"
"$BIN" export "$dir" -o "$tmp/ring.json" 2>/dev/null
same "... in the export, too" "$("$BIN" summary --table user_ranges --format csv "$tmp/ring.json" 2>/dev/null)" "$(table user_ranges)"
whole=$(segments "$dir" | head -n 1 | sed 's/\.[0-9]*\.ttspool$/.ttspool/')
same "the name of the whole opens it" "$(table user_ranges "$whole")" "$(table user_ranges)"
same "... so do all files together" "$("$BIN" summary --table user_ranges --format csv --limit 0 "$dir"/*.ttspool 2>/dev/null)" "$(table user_ranges)"
tar -C "$dir" -cf "$tmp/ring.tar" .
same "... and an archive" "$("$BIN" summary --table user_ranges --format csv --limit 0 "$tmp/ring.tar" 2>/dev/null)" "$(table user_ranges)"
script "launch 40"
record --format spool --steps wait=1,warmup=1,active=2,repeat=4 --keep 60s "$target" cuda-script 20
same "cycles of a schedule are divided" "$(find "$dir" -name '*.ttspool' | wc -l) $(problems "$dir")" "4 "

# ---- refused

"$BIN" record --keep 0.2 true 2>"$tmp/err"; same "--keep 0.2" "$?" 2
has "... says why" "$tmp/err" 'shorter than a second'
"$BIN" record --keep 10 --via kineto true 2>"$tmp/err"; same "--keep with --via kineto" "$?" 2

# ---- killed at any instant

mapfile -t work < <(many 200)
script "${work[@]}"
python3 - "$tmp" "$target" <<'PY'
import glob, os, random, re, shutil, signal, subprocess, sys, time
tmp, target = sys.argv[1:]
rng = random.Random(int(os.environ.get("SEED", time.time_ns() % 1000000)))
allowed = {"crossing_slices", "unclean_end", "truncated", "malformed_event", "unmatched_begin"}
kills, good, turns = int(os.environ.get("KILLS", "4")) * 2, 0, 0
for i in range(kills):
    where = "%s/killed%d" % (tmp, i)
    record = subprocess.Popen([os.environ["BIN"], "record", "-o", where, "--at-end", "nothing", "--format", "spool", "--keep", "3600",
                               "--max-spool", "64K", "--buffer-size", "4K", "--buffers", "4096", target, "cuda-script"],
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    for _ in range(1000):
        try: kids = open("/proc/%d/task/%d/children" % (record.pid, record.pid)).read().split()
        except OSError: kids = []
        if kids and glob.glob(where + "/*.ttspool") and open("/proc/%s/comm" % kids[0]).read().strip() == "target": break
        time.sleep(0.01)
    time.sleep(rng.uniform(0.1, 1.5))
    os.kill(int(kids[0]), signal.SIGKILL)
    record.wait()
    files = sorted(glob.glob(where + "/*.ttspool"))
    turns += int(files[-1].split(".")[-2])
    text = subprocess.run([os.environ["BIN"], "check", where], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True).stdout
    said = set(re.findall(r"^  ([a-z_]+) \(", text, re.M))
    # between two segments a killed ring looks like one that was frozen: then no unclean_end
    if "trust:" in text and said <= allowed: good += 1
    else: print("FAIL killed:", text[:500])
    shutil.rmtree(where)
print("%s SIGKILL at a random instant: %d of %d rings open, after %d segments" % ("ok" if good == kills else "FAIL", good, kills, turns))
PY

[ -n "${RING_LAUNCHES:-}" ] || exit 0

# ---- many launches: memory and disk after a tenth of them and after all

script
for ((i = 0; i < RING_LAUNCHES / 4000000; i++)); do echo "rate 4000"; done >>"$FAKE_CUPTI"
"$BIN" record -o "$tmp/long" --at-end nothing --format spool --keep 60 "$target" cuda-script >"$tmp/out" 2>"$tmp/err" &
recorder=$!
measure() { # after N launches: "RSS DISK" in KiB
    until [ "$(events "$tmp/long")" -ge $((2 * $1)) ] || ! kill -0 $recorder 2>/dev/null; do sleep 0.2; done
    pid=$(cat "/proc/$recorder/task/$recorder/children")
    echo "$(sed -n 's/^VmRSS: *\([0-9]*\) kB/\1/p' "/proc/${pid%% *}/status") $(du -sk "$tmp/long" | cut -f1)"
}
early=$(measure $((RING_LAUNCHES / 10)))
late=$(measure $((RING_LAUNCHES / 100 * 98)))
wait $recorder
read -r rss1 disk1 <<<"$early"
read -r rss2 disk2 <<<"$late"
near() { local d=$(($1 - $2)); [ ${d#-} -le 16384 ]; } # a segment
if near "$rss1" "$rss2" && near "$disk1" "$disk2" && [ "$disk2" -le $((256 * 1024)) ]; then how=ok; else how=FAIL; fi
echo "$how memory and disk after $((RING_LAUNCHES / 10)) launches: $rss1 and $disk1 KiB; after $((RING_LAUNCHES / 100 * 98)): $rss2 and $disk2 KiB"
exit 0
