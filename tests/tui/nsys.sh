#!/usr/bin/env bash
# A way through an export of Nsight Systems: the costliest kernel, its time, and the NVTX range that launches it.
# Expected values are computed from the tables of the database here, not by the program.
. "$(dirname "$0")/_lib.sh"
SAMPLE=assets/sample_nsys/train.sqlite
if "$BIN" check "$SAMPLE" 2>&1 | grep -q libsqlite3; then echo "skip nsys: built without libsqlite3"; exit 0; fi

truth() { # kernel, its first word, calls, ms; range around most of its launches; NVTX range of longest total, its calls
    python3 - "$SAMPLE" <<'PY'
import collections, re, sqlite3, sys
db = sqlite3.connect("file:%s?immutable=1" % sys.argv[1], uri=True)
text = dict(db.execute("SELECT id, value FROM StringIds"))
total, calls = collections.Counter(), collections.Counter()
for name, start, end in db.execute("SELECT demangledName, start, end FROM CUPTI_ACTIVITY_KIND_KERNEL"):
    total[name] += end - start
    calls[name] += 1
most = max(total, key=total.get)
domain = dict(db.execute("SELECT domainId, text FROM NVTX_EVENTS WHERE eventType = 75"))
ranges = collections.defaultdict(list)
for start, end, tid, name, d in db.execute("SELECT start, end, globalTid, text, domainId FROM NVTX_EVENTS WHERE eventType = 59 AND end IS NOT NULL"):
    ranges[tid].append((start, end, domain[d] + ":" + name if d else name))
around = collections.Counter()
for tid, start, end, kernel in db.execute("SELECT r.globalTid, r.start, r.end, k.end - k.start FROM CUPTI_ACTIVITY_KIND_KERNEL k JOIN CUPTI_ACTIVITY_KIND_RUNTIME r "
        "ON r.correlationId = k.correlationId AND r.globalTid >> 24 = k.globalPid >> 24 WHERE k.demangledName = ?", (most,)):
    mine = [x for x in ranges[tid] if x[0] <= start and end <= x[1]]
    around[max(mine, key=lambda x: (x[0], -x[1]))[2] if mine else "-"] += kernel
print("\t".join((text[most], re.match(r"\w+", text[most]).group(0)[:12], str(calls[most]), "%.2f" % (total[most] / 1e6), around.most_common(1)[0][0])))
PY
}
gone() { ! kill -0 "$1" 2>/dev/null; }
IFS=$'\t' read -r kernel word calls ms range < <(truth)

for size in "120 35" "80 24"; do
    read -r w h <<<"$size"
    tt_start "$w" "$h" $SAMPLE || exit 1
    tt_expect "$w: opens on the overview" "[1 Over"
    tt_expect "$w: the GPU is named" "H100"
    tt_check "$w: the costliest kernel is the first of its list" grep -qE "^ ?>?${word}.* +${ms%?}[0-9]? ms|^.*$word.* ${ms%??}" <(tt_screen)
    tt_keys 3
    tt_expect "$w: the kernels" "[3 Kern"
    tt_check "$w: first, with calls and time" grep -qE "^>$word.* $calls +${ms//./\\.}" <(tt_screen)
    if [ "$w" -ge 120 ]; then
        tt_expect "$w: its whole name" "$kernel"
        tt_expect "$w: its NVTX range" "launched by $range"
    fi
    tt_keys b
    tt_expect "$w: grouped" "group "
    tt_until tt_has "$range"
    tt_expect "$w: grouped by what launches it, the range is a column" "$range"
    tt_keys 4
    tt_expect "$w: the timeline" "[4 Time"
    tt_expect "$w: its stream" "stream 20"
    tt_check "$w: nothing is wider than the terminal" [ "$(tt_screen | wc -L)" -le "$w" ]
    tt_quit Q
done

# ---- a report without an export: the vendor's program (a double) exports it into a temporary folder
own=$(mktemp -d) && trap 'rm -rf "$own"; tt_cleanup' EXIT
mkdir "$own/bin" "$own/temporary" "$own/reports"
ln -s "$PWD/tests/doubles/nsys" "$own/bin/nsys"
printf 'NVIDIA Tegra Profiler Report 2026@1@1@204-261137176666v0.%060d' 0 >"$own/reports/report1.nsys-rep"
with() { printf 'env PATH=%q TMPDIR=%q NSYS_SAMPLE=%q NSYS_LOG=%q NSYS_DOES=%s' "$own/bin:$PATH" "$own/temporary" "$PWD/$SAMPLE" "$own/log" "$1"; }
TT_ENV=$(with well) tt_start 120 35 --nsys-export "$own/reports/report1.nsys-rep" || exit 1
tt_expect "a report: opens on the overview" "[1 Over"
tt_expect "a report: its name is the file's own" "report1.nsys-rep"
tt_keys 3
tt_check "a report: the kernels are those of the export" grep -qE "^>$word.* $calls +${ms//./\\.}" <(tt_screen)
tt_check "a report: nothing is left of the export while it is looked at" [ -z "$(ls "$own/temporary")" ]
tt_quit Q
TT_NO_WAIT=1 TT_ENV=$(with hangs) tt_start 120 35 --nsys-export "$own/reports/report1.nsys-rep"
tt_until grep -qs '^pid' "$own/log"
pid=$(sed -n 's/^pid //p' "$own/log")
tt_until tt_has "exporting the report"
tt_expect "an export that hangs: what is going on is told" "exporting the report with nsys"
tt_send Q
tt_check "an export that hangs: the program quits" tt_until [ -e "$TT_DIR/status" ]
tt_check "an export that hangs: nsys is gone" tt_until gone "$pid"
tt_check "an export that hangs: nothing is left of it" [ -z "$(ls "$own/temporary")" ]
tt_check "a report: nothing is beside it" [ "$(ls "$own/reports")" = report1.nsys-rep ]
exit 0
