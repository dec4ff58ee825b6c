#!/usr/bin/env bash
# Traces in zip and tar archives: the same tables and the same events as from the files, one file by its path, archives in a folder.
set -u
cd "$(dirname "$0")/../.." || exit 1
tmp=$(mktemp -d) && trap 'rm -rf "$tmp"' EXIT
ok() { echo "ok $1"; }
fail() { echo "FAIL $1: $2"; }
same() { if cmp -s "$2" "$3"; then ok "$1"; else fail "$1" "$(diff "$2" "$3" 2>&1 | head -5)"; fi; }
python3 - "$tmp" assets/sample_gpu <<'PY'
import os, sys, tarfile, zipfile
to, source = sys.argv[1:]
names = sorted(n for n in os.listdir(source) if n.endswith(".json.gz"))
with zipfile.ZipFile(to + "/run.zip", "w", zipfile.ZIP_DEFLATED) as z, tarfile.open(to + "/run.tar.gz", "w:gz") as t:
    for n in names:
        z.write(os.path.join(source, n), "job/" + n)
        t.add(os.path.join(source, n), "job/" + n)
with zipfile.ZipFile(to + "/plain.zip", "w", zipfile.ZIP_DEFLATED) as z:
    import gzip
    z.writestr("job/" + names[0][:-3], gzip.open(os.path.join(source, names[0])).read())
print(names[0], file=open(to + "/first", "w"))
PY
first=$(cat "$tmp/first")
tables=(steps operators kernels comm_ops memory_events)
for t in "${tables[@]}"; do
    "$BIN" summary --format csv --table "$t" assets/sample_gpu >"$tmp/want" 2>&1
    for a in run.zip run.tar.gz; do
        "$BIN" summary --format csv --table "$t" "$tmp/$a" >"$tmp/got" 2>&1
        same "$t of $a" "$tmp/want" "$tmp/got"
    done
done
"$BIN" export --steps 3-4 -o "$tmp/want.json" "assets/sample_gpu/$first" || fail export "of the file"
for path in "run.zip/job/$first" "run.tar.gz/job/$first" "plain.zip/job/${first%.gz}" plain.zip; do # reads events again, here and there
    "$BIN" export --steps 3-4 -o "$tmp/got.json" "$tmp/$path" || fail export "of $path"
    same "export of $path" "$tmp/want.json" "$tmp/got.json"
done
mkdir "$tmp/only" "$tmp/both" && cp "$tmp/run.zip" "$tmp/only" && cp "$tmp/run.zip" "assets/sample_gpu/$first" "$tmp/both"
workers() { "$BIN" summary --format json --table run "$1" | python3 -c 'import json, sys; print(len(json.load(sys.stdin)["source"]["workers"]))'; }
[ "$(workers "$tmp/only")" = 2 ] && ok "a folder with an archive" || fail "a folder with an archive" "$(workers "$tmp/only") workers"
[ "$(workers "$tmp/both")" = 1 ] && ok "files hide the archive beside them" || fail "files beside an archive" "$(workers "$tmp/both") workers"
"$BIN" check "$tmp/run.zip/job/none.json" 2>"$tmp/err" && fail "a name that is not there" "status 0" || grep -q "not in the archive" "$tmp/err" && ok "a name that is not there"
"$BIN" check "$tmp/first/x" 2>"$tmp/err"
[ $? = 3 ] && ok "below a file that is no archive" || fail "below a file" "$(cat "$tmp/err")"
rm "$tmp/only/run.zip" && "$BIN" summary - <"$tmp/run.zip" >/dev/null 2>"$tmp/err"
[ $? = 3 ] && grep -q unzip "$tmp/err" && ok "an archive from a pipe is refused" || fail "an archive on standard input" "$(cat "$tmp/err")"
