#!/usr/bin/env bash
# Limits: refused in time with status 4 and helpful words; bombs; places that cannot be read or written; files that
# change.
set -u
cd "$(dirname "$0")/../.." || exit 1
tmp=$(mktemp -d) && trap 'chmod -R u+rwx "$tmp"; rm -rf "$tmp"' EXIT
ok() { echo "ok $1"; }
fail() { echo "FAIL $1: $2"; }
# ends WHAT STATUS PATTERN COMMAND...: check the exit status and the message on stderr
ends() {
    local what=$1 want=$2 pattern=$3 status
    shift 3
    "$@" >"$tmp/out" 2>"$tmp/err" && status=0 || status=$?
    if [ $status = "$want" ] && { [ -z "$pattern" ] || grep -Eq -- "$pattern" "$tmp/err"; }; then ok "$what"
    else fail "$what" "status $status, wanted $want and '$pattern', got '$(head -c 300 "$tmp/err")'"; fi
}
sanitized() { grep -aq '__asan_init\|__tsan_init' "$BIN"; }
python3 - "$tmp" <<'PY'
import gzip, json, sys
folder = sys.argv[1]
line = '{"ph": "X", "cat": "cpu_op", "name": "aten::op%d", "pid": 1, "tid": %d, "ts": %d, "dur": 5, "args": {"External id": %d}}'
text = '{"traceEvents": [\n' + ",\n".join(line % (i % 50, i % 3, i * 10, i) for i in range(200000)) + "\n]}"
open(folder + "/t.json", "w").write(text)
with gzip.open(folder + "/bomb.gz", "wb", compresslevel=9) as f:
    f.write(b"[")
    for _ in range(24):
        f.write(b" " * (1 << 24))
with gzip.open(folder + "/events.gz", "wb", compresslevel=9) as f:
    f.write(b"[")
    for _ in range(40):
        f.write(b'{"ph":"X","name":"a","pid":1,"tid":1,"ts":1,"dur":1},' * 20000)
event = b'{"traceEvents":[{"ph":"X","name":"a","pid":1,"tid":1,"ts":1,"dur":1%s'
part = lambda text, times: text * ((times << 20) // len(text))
for name, head, fill in (("brackets", b'{"x":', b"["), ("blanks", b'{"x":"', b" "), ("name", event % b',"cat":"', b"N"),
                         ("keys", event % b',"args":{', b"".join(b'"k%d":%d,' % (i, i) for i in range(9999))),
                         ("header", b"{", b"".join(b'"h%d":"v",' % i for i in range(9999))),
                         ("devices", b'{"deviceProperties":[', b"{},")):
    with gzip.open(folder + "/" + name + ".gz", "wb", compresslevel=1) as f:
        f.write(head)
        for _ in range(18 if name == "blanks" else 12):
            f.write(part(fill, 8))
# many names, for tables made after all events are read
with open(folder + "/names.json", "w") as f:
    f.write('{"traceEvents": [\n' + ",\n".join('{"ph":"X","cat":"cpu_op","name":"n%d","pid":1,"tid":%d,"ts":%d,"dur":1}' % (i, i % 999, i) for i in range(400000)) + "\n]}")
PY
for c in summary check; do
    ends "$c: events" 4 "more than 1000 events; --max-events" "$BIN" $c --max-events 1000 "$tmp/t.json"
done
ends "events, explorer without a terminal" 4 "more than 1000 events" "$BIN" --max-events 1000 "$tmp/t.json"
ends "events of several files count together" 4 "more than 300000 events" "$BIN" summary --max-events 300000 "$tmp/t.json" "$tmp/t.json"
ends "events: enough" 0 "" "$BIN" summary --max-events 200000 "$tmp/t.json"
ends "a word for a size" 2 "no size" "$BIN" summary --max-memory much "$tmp/t.json"
ends "a word for a number" 2 "no number" "$BIN" summary --max-events many "$tmp/t.json"
if sanitized; then
    echo "skip limits of memory: a sanitizer takes what it likes"
else
    ends "bomb of blanks" 4 "more than 64 MiB of text with hardly an event.*--max-memory" "$BIN" summary --max-memory 256M "$tmp/bomb.gz"
    ends "memory" 4 "more than 12 MiB of memory .--max-memory.; --max-memory" "$BIN" summary --max-memory 12M "$tmp/t.json"
    ends "bomb of events" 4 "more than 24 MiB of memory.*--max-memory" "$BIN" summary --max-memory 24M "$tmp/events.gz"
    # a text with one very long value: refused with its offset, and never above the limit
    for shape in brackets blanks name keys; do
        ends "bomb of one element: $shape" 4 "what begins at byte [0-9]+ of the text goes on for more than 4 MiB.*--max-memory" "$BIN" summary --max-memory 256M "$tmp/$shape.gz"
    done
    ends "bomb of one element, without a limit" 4 "what begins at byte 1 of the text goes on for more than [0-9]+ MiB.*--max-memory" "$BIN" summary "$tmp/blanks.gz"
    ends "bomb of a header" 4 "more than 4 MiB of header in front of byte [0-9]+.*--max-memory" "$BIN" summary --max-memory 256M "$tmp/header.gz"
    ends "bomb of devices" 4 "begins at byte [0-9]+.*more than 4 MiB" "$BIN" summary --max-memory 256M "$tmp/devices.gz"
    python3 - "$BIN" "$tmp" <<'PY'
import os, resource, subprocess, sys
binary, folder = sys.argv[1:]
for name, limit in [(n + ".gz", 256) for n in ("brackets", "blanks", "name", "keys", "header", "devices", "bomb")] + [("events.gz", 24), ("names.json", 64), ("names.json", 48), ("t.json", 16)]:
    pid = os.fork()
    if pid == 0:
        os.dup2(os.open("/dev/null", os.O_WRONLY), 1)
        os.dup2(1, 2)
        os.execv(binary, [binary, "check", "--max-memory", "%dM" % limit, folder + "/" + name])
    status, used = os.wait4(pid, 0)[1:]
    most = used.ru_maxrss >> 10
    good = os.waitstatus_to_exitcode(status) == 4 and most <= limit + limit // 8 + 2  # small allocations are not counted singly
    print("%s peak of %s: %d MiB of %d, status %d" % ("ok" if good else "FAIL", name, most, limit, os.waitstatus_to_exitcode(status)))
PY
    ends "4 GiB of addresses" 0 "" bash -c 'ulimit -v 4194304; "$0" summary "$1"' "$BIN" "$tmp/t.json"
    ends "1 GiB of addresses" 0 "" bash -c 'ulimit -v 1048576; "$0" summary "$1"' "$BIN" "$tmp/t.json"
    for kib in 20000 40000 60000 80000 120000; do
        ends "$kib KiB of addresses: a message" 4 "memory|address" bash -c 'ulimit -v "$2"; "$0" summary --threads 2 "$1"; s=$?
            [ $s = 0 ] && { echo "memory was enough" >&2; exit 4; }; [ $s = 127 ] && { echo "memory for the program itself" >&2; exit 4; }; exit $s' "$BIN" "$tmp/t.json" "$kib"
    done
fi

# ---- places
mkdir -p "$tmp/run/closed" "$tmp/run/loop"
cp "$tmp/t.json" "$tmp/run/a.pt.trace.json"
ln -s .. "$tmp/run/loop/up"
ln -s nowhere "$tmp/run/dangling.pt.trace.json"
ends "a loop of links" 0 "" "$BIN" summary "$tmp/run"
if [ "$(id -u)" != 0 ]; then as=(); elif command -v setpriv >/dev/null; then as=(setpriv --reuid=65534 --regid=65534 --clear-groups); chmod 755 "$tmp"; fi
if [ -n "${as+x}" ]; then
    chmod 000 "$tmp/run/closed"
    ends "a folder that may not be read is named" 0 "warning: .*run/closed: cannot be read: Permission denied" "${as[@]}" "$BIN" summary "$tmp/run"
    ends "nothing but a folder that may not be read" 3 "closed: .*cannot be read: Permission denied" "${as[@]}" "$BIN" summary "$tmp/run/closed"
    chmod 755 "$tmp/run/closed"
    cp "$tmp/t.json" "$tmp/run/b.pt.trace.json" && chmod 000 "$tmp/run/b.pt.trace.json"
    ends "one of two files may not be read" 0 "warning: .*b.pt.trace.json: cannot be opened: Permission denied" "${as[@]}" "$BIN" summary "$tmp/run"
    ends "a file that may not be read" 3 "cannot be opened: Permission denied; you need the right to read it" "${as[@]}" "$BIN" summary "$tmp/run/b.pt.trace.json"
    rm -f "$tmp/run/b.pt.trace.json"
fi
ends "full disk: text" 3 "cannot write to standard output: No space" bash -c '"$0" summary "$1" >/dev/full' "$BIN" "$tmp/t.json"
# of any length: if the last block is full the stream has nothing left to flush and has forgotten the earlier error
wrong=$(for n in {1..60}; do "$BIN" summary --limit $n assets/sample_gpu 2>&1 >/dev/full | grep -v ': No space left'; done)
[ -z "$wrong" ] && echo "ok full disk: any length" || echo "FAIL full disk: any length: $wrong"
ends "full disk: JSON" 3 "cannot write to standard output: No space" bash -c '"$0" summary --format json --table all "$1" >/dev/full' "$BIN" "$tmp/t.json"
ends "full disk: check" 3 "cannot write to standard output: No space" bash -c '"$0" check "$1" >/dev/full' "$BIN" "$tmp/t.json"
sed 's/aten::op7"/aten::op8"/' "$tmp/t.json" >"$tmp/other.json" # as long, at the same times
"$BIN" summary "$tmp/t.json" "$tmp/other.json" 2>&1 >/dev/null | grep -q content && fail "files of the same size" "are said to be the same" || ok "files of the same size and times with other names"
gzip -c "$tmp/t.json" >"$tmp/t.json.gz"
ends "the same content in another file" 0 "t.json and .*t.json.gz have the same content|t.json.gz and .*t.json have the same content" "$BIN" summary "$tmp/t.json" "$tmp/other.json" "$tmp/t.json.gz"
ends "the same file twice" 0 "have the same content" "$BIN" summary "$tmp/t.json" "$tmp/t.json"

# ---- a file that shrinks, vanishes or grows while it is read
python3 - "$BIN" "$tmp/t.json" "$tmp/moving.json" <<'PY'
import os, shutil, subprocess, sys
sys.path.insert(0, "tests/tools")
from until import at_most, until, used
binary, source, path = sys.argv[1:]
for name, act in (("shrinks", lambda: os.truncate(path, 1000)), ("is emptied", lambda: os.truncate(path, 0)), ("vanishes", lambda: os.unlink(path)),
                  ("is replaced", lambda: (shutil.copy(source, path + ".new"), os.replace(path + ".new", path))),
                  ("grows", lambda: open(path, "a").write(",{}"))):
    bad = ""
    for delay in (0, 0.002, 0.005, 0.01, 0.02, 0.05):
        shutil.copy(source, path)
        p = subprocess.Popen([binary, "summary", path], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, preexec_fn=at_most(60))
        until(lambda: p.poll() is not None or used(p.pid) >= delay)
        act()
        err = p.communicate()[1]
        if p.returncode not in (0, 3) or b"Sanitizer" in err:
            bad = "status %d: %s" % (p.returncode, err[-300:])
    print("%s a file that %s while it is read%s" % ("FAIL" if bad else "ok", name, ": " + bad if bad else ""))
PY
