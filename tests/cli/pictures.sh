#!/usr/bin/env bash
# Screens as pictures: XML that a strict parser reads, with the text of the screen, the same bytes each time, every
# theme and size, hostile names; PNG, or what to do without it; the Markdown summary of a run.
set -u
cd "$(dirname "$0")/../.." || exit 1
export LC_ALL=C.UTF-8 TZ=UTC
unset NO_COLOR COLUMNS LINES
BIN=${BIN:-$PWD/tracetty}
tmp=$(mktemp -d) && trap 'rm -rf "$tmp"' EXIT
ok() { echo "ok $1"; }
fail() { echo "FAIL $1: ${2:-}"; }
check() { # WHAT COMMAND...
    local what=$1
    shift
    if "$@" >"$tmp/said" 2>&1; then ok "$what"; else fail "$what" "$(tail -n 2 "$tmp/said")"; fi
}

# The words of the screen as text are in the picture, at their cells; every shape lies inside the picture.
cat >"$tmp/svg.py" <<'PY'
import re, sys, xml.etree.ElementTree as x
ns = "{http://www.w3.org/2000/svg}"
w, h = map(int, sys.argv[3].split("x"))
root = x.parse(sys.argv[1]).getroot()
assert (int(root.get("width")), int(root.get("height"))) == (w * 8 + 16, h * 16 + 16), root.attrib
lines = open(sys.argv[2]).read().split("\n")
for t in root.iter(ns + "text"):
    column, row = (int(t.get("x")) - 8) // 8, (int(t.get("y")) - 8 - 12) // 16
    assert int(t.get("x")) % 8 == 0 and 0 <= row < h and 0 <= column < w, t.attrib
    have = lines[row][column:column + len(t.text)]
    assert have.split() == t.text.split() or not have.isascii(), (row, column, have, t.text)
shapes = 0
for p in root.iter(ns + "path"):
    for m in re.finditer(r"M(\d+) (\d+)h(\d+)v(\d+)h-(\d+)z", p.get("d")):
        a, b, c, d, e = map(int, m.groups())
        assert c == e and c > 0 and d > 0 and 8 <= a and a + c <= w * 8 + 8 and 8 <= b and b + d <= h * 16 + 8, m.group()
        shapes += 1
    assert re.fullmatch(r"(M\d+ \d+h\d+v\d+h-\d+z)+", p.get("d"))
assert shapes > 3
PY
for size in 40x12 80x24 120x35 160x45; do
    for screen in overview kernels trace memory distributed; do
        "$BIN" summary --screen $screen --size $size --format svg assets/sample_gpu >"$tmp/a.svg" 2>"$tmp/err"
        "$BIN" summary --screen $screen --size $size --color never --unicode always --theme dark assets/sample_gpu >"$tmp/a.txt" 2>>"$tmp/err"
        check "$screen $size" python3 "$tmp/svg.py" "$tmp/a.svg" "$tmp/a.txt" $size
    done
done
for theme in dark light colour-blind mono; do
    "$BIN" summary --screen trace --size 80x24 --theme $theme --format svg assets/sample_gpu >"$tmp/$theme.svg" 2>"$tmp/err"
    check "theme $theme" python3 -c 'import sys, xml.dom.minidom as x; x.parse(sys.argv[1])' "$tmp/$theme.svg"
done
check "themes differ" test "$(cksum <"$tmp/dark.svg")" != "$(cksum <"$tmp/light.svg")"
"$BIN" summary --screen trace --size 80x24 --format svg assets/sample_gpu >"$tmp/again.svg"
check "the same bytes each time" cmp "$tmp/again.svg" "$tmp/dark.svg"
LC_ALL=C "$BIN" summary --screen trace --size 80x24 --format svg assets/sample_gpu >"$tmp/c.svg"
check "whatever the locale is" cmp "$tmp/c.svg" "$tmp/dark.svg"

# names that XML, HTML or a terminal would interpret
python3 - "$tmp/hostile.json" <<'PY'
import json, sys
names = ["]]><script>alert(1)</script>", "&lt;&#0;&bogus;", "\u001b[31mred\u0007", "a\u0000b\uffff\ufffe\ud800", "| pipe ` tick @team #1 <img src=x>"]
events = [dict(ph="X", cat="kernel", name=n, pid=0, tid=7, ts=10 * i, dur=5 + i, args=dict(device=0, stream=7)) for i, n in enumerate(names)]
json.dump(dict(schemaVersion=1, traceEvents=events), open(sys.argv[1], "w"))
PY
"$BIN" summary --screen kernels --size 120x24 --format svg "$tmp/hostile.json" >"$tmp/h.svg" 2>"$tmp/err"
check "hostile names: still XML" python3 - "$tmp/h.svg" <<'PY'
import sys, xml.etree.ElementTree as x
root = x.parse(sys.argv[1]).getroot()
assert {e.tag.split("}")[1] for e in root.iter()} <= {"svg", "rect", "g", "path", "text"}
text = "".join(t.text or "" for t in root.iter())
assert "<script>alert(1)" in text and not any(ord(c) < 32 and c != "\n" for c in text)
PY
"$BIN" summary --format markdown "$tmp/hostile.json" >"$tmp/h.md" 2>"$tmp/err"
check "hostile names: no markup in Markdown" python3 - "$tmp/h.md" <<'PY'
import re, sys
text = open(sys.argv[1], encoding="utf-8").read()
rows = [l for l in text.split("\n") if l.startswith("|") and ("script" in l or "pipe" in l)]
assert rows and all(len(re.findall(r"(?<!\\)\|", r)) == 6 for r in rows), rows
plain = re.sub(r"`[^`]*`", "", text)
assert "<script" not in plain and "<img" not in plain and "@team" not in plain, plain
assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f]", text)
PY

# the Markdown summary has the values of the tables
"$BIN" summary --format markdown --worker train_rank0 assets/sample_gpu >"$tmp/run.md" 2>"$tmp/err"
"$BIN" summary --format json --worker train_rank0 --table overview,findings,kernels assets/sample_gpu >"$tmp/run.json" 2>>"$tmp/err"
check "Markdown: first line, parts of the time, findings and kernels as in the tables" python3 - "$tmp/run.md" "$tmp/run.json" <<'PY'
import json, sys
text = open(sys.argv[1], encoding="utf-8").read()
t = {x["id"]: x["rows"] for x in json.load(open(sys.argv[2]))["tables"]}
plain = text.replace("`", "")
assert t["findings"][0]["title"] in plain
for row in t["findings"]: assert row["title"] in plain, row
for row in t["overview"]: assert row["what"] != "part" or row["pct"] < 0.05 or "%s %.1f%%" % (row["name"], row["pct"]) in text, row
assert [r["text"] for r in t["overview"] if r["what"] == "verdict"] == [plain.split("**")[1]]
calls = sorted(t["kernels"], key=lambda r: -r["total_ns"])[:10]
lines = [l for l in text.split("#### Top kernels")[1].split("<details>")[0].split("\n") if l.startswith("| ") and "---" not in l][1:]
lines = [l for l in lines if l.count("|") >= 6]
assert len(lines) == 10, lines
for row, line in zip(calls, lines): assert "| %d |" % row["calls"] in line, (row, line)
PY

status() { # WHAT STATUS TEXT ARGS...
    local what=$1 want=$2 text=$3
    shift 3
    "$BIN" "$@" >"$tmp/out" 2>"$tmp/err" </dev/null
    local got=$?
    if [ $got = "$want" ] && grep -qF -- "$text" "$tmp/err"; then ok "$what"; else fail "$what" "status $got, $(head -c 200 "$tmp/err")"; fi
}
status "svg needs a screen" 2 "needs --screen" summary --format svg assets/sample_gpu
status "a screen is no csv" 2 "text, svg or png" summary --screen overview --format csv assets/sample_gpu
if "$BIN" doctor | grep -q 'SVG, PNG'; then
    "$BIN" summary --screen overview --size 80x24 --format png assets/sample_gpu >"$tmp/a.png"
    check "png" python3 - "$tmp/a.png" <<'PY'
import struct, sys
head = open(sys.argv[1], "rb").read(24)
assert head[:8] == b"\x89PNG\r\n\x1a\n" and struct.unpack(">II", head[16:24]) == (2 * (80 * 8 + 16), 2 * (24 * 16 + 16)), head
PY
    check "png is not written to a terminal" python3 - "$BIN" <<'PY'
import os, pty, sys
out = b""
pid, fd = pty.fork()
if not pid: os.execv(sys.argv[1], [sys.argv[1], "summary", "--screen", "overview", "--format", "png", "assets/sample_gpu"])
try:
    while b := os.read(fd, 4096): out += b
except OSError: pass
assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 2 and b"terminal" in out, out[:300]
PY
    mkdir "$tmp/none" && : >"$tmp/none/libcairo.so.2"
    export LD_LIBRARY_PATH=$tmp/none
    status "where the library is missing, it says what to do" 2 "install libcairo2" summary --screen overview --format png assets/sample_gpu
    unset LD_LIBRARY_PATH
else
    status "without cairo it says what to do" 2 "libcairo2-dev" summary --screen overview --format png assets/sample_gpu
fi
