#!/usr/bin/env bash
# Folders of MindInsight's profiler as a user opens them: a folder, its parent, an archive; faults reported by file and
# line.
set -u
cd "$(dirname "$0")/../.." || exit 1
tmp=$(mktemp -d) && trap 'rm -rf "$tmp"' EXIT
ok() { echo "ok $1"; }
fail() { echo "FAIL $1: $2"; }
same() { if cmp -s "$2" "$3"; then ok "$1"; else fail "$1" "$(diff "$2" "$3" 2>&1 | head -5)"; fi; }
python3 - "$tmp" <<'PY'
import json, os, sys, tarfile, zipfile
to = sys.argv[1] + "/"
def write(name, text):
    os.makedirs(os.path.dirname(to + name), exist_ok=True)
    open(to + name, "w").write(text)
head = "step_num,start_point,end_point,total,fp_point,bp_point,iteration_interval,fp_and_bp,tail,stream_4_0_AllReduce-op1," \
       "stream_4_0_AllReduce-op1_start_point,stream_4_0_AllReduce-op1_end_point\n"
def rank(folder, n):
    write("%s/step_trace_raw_%d_detail_time.csv" % (folder, n), head + "1,100,300,200,100,250,0,150,50,40,150,190\n"
          "2,300,600,300,320,560,20,240,40,30,400,430\n-,200,450,250,210,405,10,195,45,35,275,310\n")
    write("%s/min_cycle_counter_%d.txt" % (folder, n), "100.0")
    write("%s/output_timeline_data_%d.txt" % (folder, n),
          "op_name, stream_id, start_time(ms), duration(ms)\nDefault/Mul-op1,5,0.001,0.0005\nDefault/Mul-op1,5,0.0032,0.0007\n")
    write("%s/profiler_info_%d.json" % (folder, n), json.dumps({"context_mode": "graph", "rank_id": n, "rank_size": 2}))
    write("%s/minddata_pipeline_raw_%d.csv" % (folder, n),
          "op_id,op_type,num_workers,output_queue_size,output_queue_average_size,output_queue_length,output_queue_usage_rate,"
          "sample_interval,parent_id,children_id\n0,BatchOp,4,,,,0,10,,[1]\n1,MapOp,8,\"[4, 6]\",5.0,10,0.5,10,0,\n")
for n in 0, 1:
    rank("job/profiler", n)
    rank("apart/device%d/profiler" % n, n)
with zipfile.ZipFile(to + "job.zip", "w", zipfile.ZIP_DEFLATED) as z, tarfile.open(to + "job.tar.gz", "w:gz") as t:
    for base, _, names in os.walk(to + "job"):
        for name in names:
            path = os.path.join(base, name)
            z.write(path, os.path.relpath(path, to))
            t.add(path, os.path.relpath(path, to))
rank("bad/profiler", 0)
write("bad/profiler/step_trace_raw_0_detail_time.csv", head + "1,100,300,200,100,250,0,150,50,40,150,190\n2,300,x,300\n")
write("bad/profiler/minddata_pipeline_raw_0.csv", "")
write("raw/profiler/profiler_info_0.json", "{}")
PY
tables=(step_trace step_trace_summary step_collectives data_pipeline data_queue_curve kernels step_breakdown)
for t in "${tables[@]}"; do
    "$BIN" summary --format csv --table "$t" "$tmp/job/profiler" >"$tmp/want" 2>&1
    [ "$(wc -l <"$tmp/want")" -gt 2 ] || fail "$t" "$(cat "$tmp/want")"
    for from in job apart job.zip job.tar.gz; do
        "$BIN" summary --format csv --table "$t" "$tmp/$from" >"$tmp/got" 2>&1
        same "$t of $from" "$tmp/want" "$tmp/got"
    done
done
"$BIN" summary --format json --table step_trace --worker 1 "$tmp/job" >"$tmp/one" 2>&1
python3 - "$tmp/one" <<'PY' && ok "one worker" || fail "one worker" "$(head -c 300 "$tmp/one")"
import json, sys
doc = json.load(open(sys.argv[1]))
rows = doc["tables"][0]["rows"]
assert doc["source"]["format"] == "mindinsight", doc["source"]
assert [(r["step"], r["start_at_ns"], r["total_ns"], r["gap_ns"], r["collectives_ns"]) for r in rows] == \
    [("1", 0, 2000, 0, 400), ("2", 2000, 3000, 200, 300)], rows
PY
# device work belongs to the step in which it runs
"$BIN" summary --format csv --table kernels --steps 2 --worker 0 "$tmp/job" >"$tmp/got" 2>&1
grep -q "Default/Mul-op1" "$tmp/got" && grep -q ",700" "$tmp/got" && ok "the kernels of a step" || fail "the kernels of a step" "$(cat "$tmp/got")"
# slices without text are written as events
"$BIN" export --worker 0 -o "$tmp/export.json" "$tmp/job" 2>"$tmp/err" || fail export "$(cat "$tmp/err")"
python3 - "$tmp/export.json" <<'PY' && ok "export" || fail export "$(head -c 600 "$tmp/export.json")"
import json, sys
events = [e for e in json.load(open(sys.argv[1]))["traceEvents"] if e.get("ph") == "X"]
assert [(e["name"], e["ts"], e["dur"]) for e in events if e["cat"] == "user_annotation"] == \
    [("ProfilerStep#1", 0, 2), ("ProfilerStep#2", 2, 3)], events
assert sorted((e["name"], e["tid"], e["ts"], e["dur"], e["args"]["stream"]) for e in events if e["cat"] == "kernel") == \
    [("Default/Mul-op1", 5, 0, 0.5, 5), ("Default/Mul-op1", 5, 2.2, 0.7, 5)], events
PY
"$BIN" check "$tmp/bad" >"$tmp/got" 2>&1
[ $? = 1 ] && grep -q "step_trace_raw_0_detail_time.csv:3: " "$tmp/got" && grep -q "minddata_pipeline_raw_0.csv:1: " "$tmp/got" &&
    ok "damage is told with its file and line" || fail "damage" "$(cat "$tmp/got")"
"$BIN" check "$tmp/raw" >"$tmp/got" 2>&1
[ $? = 3 ] && grep -q "analyse()" "$tmp/got" && ok "a profile that was not analysed" || fail "a profile that was not analysed" "$(cat "$tmp/got")"
