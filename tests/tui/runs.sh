#!/usr/bin/env bash
# The runs of a folder in a terminal: the start page without arguments, hostile names, switching runs, rereading a file
# that grows, pictures, the Markdown summary.
. "$(dirname "$0")/_lib.sh"
made=$(mktemp -d)
trap 'chmod -R u+rwx "$made" 2>/dev/null; rm -rf "$made"; tt_cleanup' EXIT
BIN=$(readlink -f "$BIN")

# steps N FILE: a trace of N steps of 1 ms with a kernel each
steps() {
    python3 - "$1" "$2" <<'PY'
import json, sys
events = []
for i in range(int(sys.argv[1])):
    t = 1000 * (i + 1)
    events += [dict(ph="X", cat="user_annotation", name="ProfilerStep#%d" % (i + 1), pid=1, tid=1, ts=t, dur=1000),
               dict(ph="X", cat="cuda_runtime", name="cudaLaunchKernel", pid=1, tid=1, ts=t + 10, dur=5, args=dict(correlation=i + 1)),
               dict(ph="X", cat="kernel", name="gemm", pid=0, tid=7, ts=t + 20, dur=500, args=dict(correlation=i + 1, device=0, stream=7))]
json.dump(dict(schemaVersion=1, traceEvents=events), open(sys.argv[2], "w"))
PY
}
# start_in FOLDER W H ARGS...: starts the program with that working directory
start_in() {
    local folder=$1 w=$2 h=$3
    shift 3
    printf '#!/bin/bash\ncd %q && exec %q "$@"\n' "$folder" "$BIN" >"$made/begin"
    chmod +x "$made/begin"
    local program=$BIN
    BIN=$made/begin
    tt_start "$w" "$h" "$@"
    BIN=$program
}

mkdir -p "$made/w/old" "$made/w/new" "$made/w/any" "$made/w/.hidden" "$made/empty"
steps 3 "$made/w/old/rank0.pt.trace.json"
steps 3 "$made/w/old/rank1.pt.trace.json"
steps 5 "$made/w/new/rank0.pt.trace.json"
steps 2 "$made/w/any/some name.json"
steps 2 "$made/w/.hidden/rank0.pt.trace.json"
echo '{"name": "package"}' >"$made/w/any/package.json"
touch -d '2 days ago' "$made"/w/old/*
touch -d '3 hours ago' "$made"/w/new/*
touch -d '9 days ago' "$made"/w/any/*

# the page and the table agree
"$BIN" summary --table runs --format json "$made/w" >"$made/runs.json"
start_in "$made/w" 200 24 || exit 1
tt_check "the list has the rows of table runs" python3 - "$(tt_screen)" "$made/runs.json" <<'PY'
import json, re, sys
lines = [re.split(r" {2,}", l.strip(" >*")) for l in sys.argv[1].split("\n")]
head = next(i for i, l in enumerate(lines) if "Verdict" in l)
rows = json.load(open(sys.argv[2]))["tables"][0]["rows"]
assert len(rows) == 3 and all(r["verdict"] and r["busy_pct"] for r in rows), rows
for r, shown in zip(rows, lines[head + 1:]):
    at = dict(zip(lines[head], shown))
    want = {"Run": r["run"], "Workers": str(r["workers"]), "Steps": str(r["steps"]), "Busy": "%.1f%%" % r["busy_pct"], "Account": "%.3f ms" % (r["account_ns"] / 1e6)}
    assert want == {k: at[k] for k in want}, (want, at)
    shown = at["Verdict"].rstrip("…")
    assert len(shown) > 60 and r["verdict"].startswith(shown), (r["verdict"], at)
said = " ".join(sys.argv[1].split("\n")[head + 4:])
assert rows[0]["verdict"] in said and "pytorch, 5.000 ms in 5 steps" in said, said
PY
tt_quit q

start_in "$made/w" 100 24 || exit 1
tt_check "what there is, newest first" python3 - "$(tt_screen)" <<'PY'
import re, sys
rows = [re.split(r" {2,}", l.strip(" >*")) for l in sys.argv[1].split("\n")[3:6]]
assert [r[0] for r in rows] == ["new", "old", "any/some name.json"], rows
assert [r[1] for r in rows] == ["1", "2", "1"], rows
assert [r[2] for r in rows] == ["5", "3", "2"], rows
assert [r[4] for r in rows] == ["3 hours", "2 days", "9 days"], rows
PY
tt_reject "hidden folders are left out" ".hidden"
tt_expect "how many" "3 runs"
tt_keys Down Enter
tt_expect "Enter opens" "[1 Over]"
tt_expect "which" "old"
tt_keys A
tt_check "A lists them again, the open one marked" tt_until tt_has "*old"
tt_keys q
tt_expect "q goes back" "[1 Over]"
tt_keys :
tt_type "run new"
tt_keys Enter
tt_check ":run opens another one" grep -qE '^ new +' <(tt_screen)
tt_keys 4
steps 7 "$made/w/new/rank0.pt.trace.json"
tt_keys R
tt_expect "R reads it again and says what is new" "reloaded: 2 more steps"
tt_keys R
tt_expect "R: nothing new" "reloaded: nothing has changed"
tt_keys 1 Y
tt_expect "Y on the Overview copies" "copied"
tt_check "the Markdown summary" grep -q '^### new$' "$TT_DIR/tracetty-yank"
tt_keys :
tt_type "shot $made/s.svg"
tt_keys Enter
tt_expect "a picture is written" "screen written"
tt_check "it is XML with the text of the screen" python3 - "$made/s.svg" <<'PY'
import sys, xml.etree.ElementTree as x
root = x.parse(sys.argv[1]).getroot()
text = " ".join(t.text or "" for t in root.iter("{http://www.w3.org/2000/svg}text"))
assert "tracetty" in text or "Over" in text, text
assert int(root.get("width")) == 100 * 8 + 16 and int(root.get("height")) == 24 * 16 + 16
PY
tt_keys :
tt_type "shot $made/s.svg"
tt_keys Enter
tt_expect "what is there is not replaced without a question" "replace"
tt_keys n
tt_quit Q

# the list and the commands name equal runs equally
mkdir -p "$made/mixed/deep"
steps 2 "$made/mixed/rank0_trace.json"
steps 2 "$made/mixed/deep/some name.json"
echo '{"traceEvents": [{"ph": "X", "name": "x", "pid": 1, "tid": 1, "ts": 1, "dur": 1}]}' >"$made/mixed/other_trace.json"
: >"$made/mixed/deep/none.json"
touch -d '3 hours ago' "$made"/mixed/*.json
tt_start 100 24 "$made/mixed"
tt_check "the list has the runs that commands speak of" python3 - "$(tt_screen)" "$BIN" "$made/mixed" <<'PY'
import re, subprocess, sys
shown = {re.split(r" {2,}", l.strip(" >*"))[0] for l in sys.argv[1].split("\n")[3:6]}
words = subprocess.run([sys.argv[2], "summary", "--run", "?", sys.argv[3]], capture_output=True, text=True).stderr
said = set(words.strip().split("its runs are: ")[1].split(", "))
assert shown == said == {"deep/some name.json", "rank0_trace.json", "other_trace.json"}, (shown, said)
PY
tt_quit q
tt_start 100 24 --run other_trace.json "$made/mixed"
tt_expect "--run opens one without the list" "slice 1 of 1"
tt_quit Q

# a folder of several runs opens the list; of one run, the run
tt_start 80 24 "$made/w"
tt_expect "a folder of several runs" "3 runs"
tt_quit q
tt_start 80 24 "$made/w/any"
tt_expect "a folder whose only trace has any name" "[1 Over]"
tt_quit Q

# :run on the list itself
start_in "$made/w" 100 24
tt_keys :
tt_type "run ne"
tt_keys Tab
tt_expect "names are completed" ":run new"
tt_keys Enter
tt_check ":run opens from the list" tt_until tt_has "[1 Over"
tt_quit Q

# comparing two runs: the run marked first is the base
start_in "$made/w" 120 30
tt_keys = Down =
tt_check "two runs are compared" tt_until grep -qE 'base new +new old' <(tt_screen)
tt_quit Q

start_in "$made/empty" 80 24
tt_expect "nothing there: said" "No traces below this folder"
tt_expect "nothing there: how to record" "tracetty record python train.py"
tt_quit q

# hostile names, loops, unreadable folders, many files: listed in bounded time
python3 - "$made" <<'PY'
import os, sys
top = os.path.join(os.fsencode(sys.argv[1]), b"bad")
def trace(folder, name=b"rank0.pt.trace.json"):
    os.makedirs(os.path.join(top, folder), exist_ok=True)
    with open(os.path.join(top, folder, name), "w") as f: f.write('{"traceEvents": []}')
trace(b"line\nbreak")
trace(b"\x1b[31mred\x07\x1b]0;title\x07")
trace(b"\xff\xfe\x80")
trace(b"l" * 250)
trace(b"rtl \xe2\x80\xae evil")
trace(b"deep/" * 30)
trace(b"closed")
os.symlink(b"..", os.path.join(top, b"line\nbreak", b"up"))
os.symlink(b"loop", os.path.join(top, b"loop"))
os.mkfifo(os.path.join(top, b"pipe.json"))
os.chmod(os.path.join(top, b"closed"), 0)
for i in range(10000): trace(b"many", b"%05d.json" % i)
PY
start_in "$made/bad" 80 24
tt_check "bounded work" test "$(used "$(cat "$TT_DIR/pid")")" -lt $((1000 * ${SLOWER:-1}))
tt_check "no control character reaches the screen" python3 - "$(tt_screen)" <<'PY'
import sys, unicodedata
bad = [c for c in sys.argv[1] if c != "\n" and unicodedata.category(c) in ("Cc", "Cf")]
assert not bad, bad
PY
tt_expect "it says that it stopped early" "stopped"
tt_keys G g / 
tt_type "red"
tt_keys Enter
tt_expect "the filter finds it" "1 of"
tt_keys Enter
tt_check "and it opens, or says why not" tt_until tt_has "red"
tt_quit Q

# no choice without a terminal
TT_OUT=$(cd "$made/w" && "$BIN" 2>&1 </dev/null | cat)
if [[ $TT_OUT == *"no PATH given"*"newest below this folder: new, old, any/some name.json;"* ]]; then echo "ok without a terminal"; else echo "FAIL without a terminal: $TT_OUT"; fi
(cd "$made/w" && "$BIN" >/dev/null 2>&1 </dev/null)
[ $? = 2 ] && echo "ok without a terminal: status 2" || echo "FAIL without a terminal: status"
