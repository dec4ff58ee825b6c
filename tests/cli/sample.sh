#!/usr/bin/env bash
# The generated sample traces are possible traces, and equal the generator's current output.
set -u
cd "$(dirname "$0")/../.." || exit 1
tmp=$(mktemp -d) && trap 'rm -rf "$tmp"' EXIT
python3 tests/tools/make_sample.py "$tmp" >/dev/null
python3 tests/tools/check_sample.py assets/sample_gpu/*.json.gz
python3 tests/tools/check_sample.py assets/sample_gpu_before/*.json.gz
for f in assets/sample_gpu{,_before}/*.json.gz; do
    if cmp -s <(gzip -dc "$f") <(gzip -dc "$tmp/${f#assets/}"); then echo "ok generated ${f##*/}"; else
        echo "FAIL generated ${f##*/}: make samples writes something else"; fi
done

python3 tests/tools/make_ranks.py --sample "$tmp/ranks" >/dev/null
"${BIN:-./tracetty}" summarize "$tmp/ranks" -o "$tmp/run.tts"
tables() { "${BIN:-./tracetty}" summary --table all --format json "$1" | grep -v '"path"\|^ *"paths"'; }
if cmp -s <(tables assets/sample_ranks/run.tts.gz) <(tables "$tmp/run.tts"); then echo "ok generated run.tts.gz"; else
    echo "FAIL generated run.tts.gz: make samples writes something else"; fi

# The same for folders: every file of one must be in the other.
text() {
    case $1 in
    *.gz) gzip -dc "$1" ;;
    *.sqlite | *.db | *.rpd) # pages may be laid out otherwise by another version of SQLite
        python3 -c 'import sqlite3, sys
for line in sqlite3.connect("file:%s?immutable=1" % sys.argv[1], uri=True).iterdump(): print(line)' "$1" ;;
    *) cat "$1" ;;
    esac
}
python3 tests/tools/make_serving_sample.py "$tmp/sample_serving"
python3 tests/tools/make_hang.py "$tmp/sample_hang" --seed 14 --gz >/dev/null
for kind in ascend mindinsight; do python3 "tests/tools/make_${kind}_sample.py" "$tmp/sample_$kind"; done
python3 tests/tools/kineto_to_db.py samples "$tmp"
for kind in ascend hang mindinsight nsys rocpd rpd serving; do
    differs=$( { diff <(cd "assets/sample_$kind" && find . -type f | sort) <(cd "$tmp/sample_$kind" && find . -type f | sort)
        (cd "assets/sample_$kind" && find . -type f) | while read -r f; do
            cmp -s <(text "assets/sample_$kind/$f") <(text "$tmp/sample_$kind/$f") || echo "$f"; done; } | head -5)
    if [ -z "$differs" ]; then echo "ok generated sample_$kind"; else
        echo "FAIL generated sample_$kind: make samples writes something else: $differs"; fi
done
