#!/usr/bin/env bash
# Cost of opening archives, counted and not timed: four times as many files cost at most 4.5 times as much, in one
# folder (all files are loaded) and in separate folders (one file is loaded).
set -u
cd "$(dirname "$0")/../.." || exit 1
BIN=${BIN:-./tracetty}
command -v valgrind >/dev/null || { echo "skip valgrind is not installed"; exit 0; }
if nm "$BIN" 2>/dev/null | grep -qE '__asan_init|__tsan_init'; then
    echo "skip built with a sanitizer"
    exit 0
fi
tmp=$(mktemp -d) && trap 'rm -rf "$tmp"' EXIT
python3 - "$tmp" <<'PY'
import io, sys, tarfile, zipfile
trace = b'{"traceEvents":[{"ph":"X","cat":"cpu_op","name":"op%d","pid":1,"tid":1,"ts":1,"dur":5}]}'
for n in 1, 25, 100:
    for name, mode in (("flat.tar.gz", "w:gz"),):
        with tarfile.open("%s/%d.%s" % (sys.argv[1], n, name), mode) as t:
            for i in range(n):
                info = tarfile.TarInfo("w%d.pt.trace.json" % i)
                data = trace % (i % 3)  # many files have equal content
                info.size = len(data)
                t.addfile(info, io.BytesIO(data))
    for name, where in ("flat.zip", "w%d.pt.trace.json"), ("folders.zip", "f%d/w.pt.trace.json"):
        with zipfile.ZipFile("%s/%d.%s" % (sys.argv[1], n, name), "w", zipfile.ZIP_DEFLATED) as z:
            for i in range(n):
                z.writestr(where % i, trace % (i % 3))
PY
work() { valgrind --tool=callgrind --callgrind-out-file=/dev/null "$BIN" bench-load --threads 1 "$tmp/$1" 2>&1 >/dev/null | sed -n 's/.*Collected : \([0-9]*\).*/\1/p'; }
for kind in flat.tar.gz flat.zip folders.zip; do
    one=$(work 1.$kind) few=$(work 25.$kind) many=$(work 100.$kind)
    ratio=$(((${many:-0} - ${one:-0}) * 10 / (${few:-0} - ${one:-0} + 1)))
    if [ -n "$many" ] && [ "$ratio" -le 45 ] && [ "$ratio" -ge 20 ]; then echo "ok $kind: 4 times the files, $ratio tenths of the work"
    else echo "FAIL $kind: ${one:-none}, ${few:-none}, ${many:-none} instructions for 1, 25 and 100 files"; fi
done
