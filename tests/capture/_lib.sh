# shellcheck shell=bash
# For tests of recording: a folder, the doubles, and checks that print "ok WHAT" or "FAIL WHAT: WHY".
set -u
cd "$(dirname "$0")/../.." || exit 1
. tests/until.sh
tmp=$(mktemp -d) && trap 'rm -rf "$tmp"' EXIT
target=$B/tests/doubles/target
export TRACETTY_CAPTURE_LIB=$B/libtracetty_capture.so
unset CUDA_INJECTION64_PATH NVTX_INJECTION64_PATH RANK LOCAL_RANK WORLD_SIZE TRACETTY_CTL TRACETTY_CUPTI
for f in "$target" "$TRACETTY_CAPTURE_LIB" "$B/tests/doubles/libfakecupti.so"; do
    [ -e "$f" ] || { echo "FAIL $f was not built"; exit 1; }
done

# a sanitizer has threads and memory of its own, and must be loaded first
sanitized() { ldd "$TRACETTY_CAPTURE_LIB" | grep -q 'lib[at]san'; }
# It does not hold its allocator's locks during a fork: a child hangs on a lock that another thread held.
unforkable() { sanitized && echo "skip $1: the address sanitizer's own memory is not safe to fork"; }

n=0 dir='' status=0
# record OPTIONS... -- COMMAND: into a new $dir; sets $status; record's messages in $tmp/err, the command's output in
# $tmp/out
record() {
    n=$((n + 1)) dir=$tmp/rec$n
    "$BIN" record -o "$dir" --at-end nothing "$@" >"$tmp/out" 2>"$tmp/err" && status=0 || status=$?
}
table() { "$BIN" summary --table "$1" --format csv --limit 0 "${2:-$dir}" 2>/dev/null; }
# cell TABLE COLUMN NAME: the column in the row whose first matching cell is NAME
cell() { table "$1" | python3 -c '
import csv, sys
for row in csv.DictReader(sys.stdin):
    if sys.argv[2] in row.values():
        print(row[sys.argv[1]])
        break' "$2" "$3"; }
steps() { table step_breakdown | python3 -c 'import csv, sys; print(*(r["step"] for r in csv.DictReader(sys.stdin)), end=" ")'; } # step numbers of all spans
ticks() { table user_ranges | sed -n 's/^tick \([0-9]*\),.*/\1/p' | sort -n; } # numbers of the recorded ticks
attached() { "$BIN" ctl "$1" status 2>/dev/null | grep -Eq '^processes +1 attached'; }
events() { "$BIN" ctl "$1" status 2>/dev/null | sed -n 's/^events *//p' | grep . || echo 0; } # events of a running recording so far
more_events() { [ "$(events "$1")" -gt "$2" ]; }
problem() { "$BIN" check "$dir" | grep -A1 "^  $1 " | sed -n 's/^ *count *//p'; }
same() { # WHAT GOT WANT
    if [ "$2" = "$3" ]; then echo "ok $1"; else echo "FAIL $1: got '$2', want '$3'; $(head -c 300 "$tmp/err" | tr '\n' ' ')"; fi
}
# counters of a process or device in a recording, "name {line: latest value}"
counters() { # DIR PID
    "$BIN" export "$1" -o "$tmp/counters.json" 2>/dev/null
    python3 -c '
import json, sys
last = {}
for e in json.load(open(sys.argv[1]))["traceEvents"]:
    if e["ph"] == "C" and str(e["pid"]) == sys.argv[2]: last.setdefault(e["name"], {}).update(e["args"])
for name in sorted(last): print(name, last[name])' "$tmp/counters.json" "$2"
}
has() { # WHAT FILE PATTERN
    if grep -Eq -- "$3" "$2"; then echo "ok $1"; else echo "FAIL $1: no '$3' in: $(head -c 400 "$2" | tr '\n' ' ')"; fi
}
