#!/usr/bin/env bash
# No event is lost: for every trace of the corpus and of assets/, source.events equals an independent count.
set -u
cd "$(dirname "$0")/../.." || exit 1
folders=(assets)
[ -n "${TRACETTY_CORPUS:-}" ] && folders+=("$TRACETTY_CORPUS"/traces/{pytorch,amd,chrome})
# in folders that are one trace only the timelines are traces by themselves
mapfile -t files < <(find "${folders[@]}" -type f \( -name '*.json' -o -name '*.json.gz' \) |
    grep -vE '^assets/sample_(ascend|mindinsight)/.*/?[^/]*(info|metadata|communication|communication_matrix|summary|profiling|utilization)[^/]*\.json$' | sort)
[ -n "${TRACETTY_CORPUS:-}" ] || echo "skip events of the corpus: TRACETTY_CORPUS is not set"
python3 - "$BIN" "${files[@]}" <<'PY'
import json, subprocess, sys
sys.path.insert(0, "tests/tools")
from count_events import count
for path in sys.argv[2:]:
    p = subprocess.run([sys.argv[1], "summary", "--format", "json", "--table", "problems", path], capture_output=True)
    try:
        got = json.loads(p.stdout)["source"]["events"] if p.returncode == 0 else None
    except (ValueError, KeyError) as e:
        got = "no JSON (%s)" % e
    want = count(path)
    name = "/".join(path.split("/")[-3:])
    if p.returncode == 0 and got == want:
        print("ok events", name, want)
    else:
        print("FAIL events", name, "status", p.returncode, "got", got, "want", want, p.stderr[-300:].decode("utf-8", "replace"))
PY
