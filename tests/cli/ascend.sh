#!/usr/bin/env bash
# Folders of Ascend's profilers: equal tables from a folder, from archives of it and from the folder of its files;
# ranks of one run; exports.
set -u
cd "$(dirname "$0")/../.." || exit 1
tmp=$(mktemp -d) && trap 'rm -rf "$tmp"' EXIT
ok() { echo "ok $1"; }
fail() { echo "FAIL $1: $2"; }
same() { if cmp -s "$2" "$3"; then ok "$1"; else fail "$1" "$(diff "$2" "$3" 2>&1 | head -5)"; fi; }
python3 - "$tmp" <<'PY'
import json, os, sys, tarfile, zipfile
to = sys.argv[1]
def put(path, text):
    path = os.path.join(to, path)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    open(path, "w", newline="").write(text)
us = 1700000000000000
for rank in (0, 1):
    out = "run/host_%d_20240101000000000_ascend_pt/" % (900 + rank)
    events = [{"ph": "M", "name": "process_name", "pid": p, "tid": 0, "args": {"name": n}} for p, n in ((1, "Python"), (2, "CANN"), (3, "Ascend Hardware"), (4, "Overlap Analysis"))]
    kernels = ["Step Id,Stream ID,Name,Type,Accelerator Core,Start Time(us),Duration(us),Block Dim,Input Shapes\r\n"]
    for i in range(40):
        t = us + 1000 * i + rank
        events += [
            {"ph": "X", "cat": "cpu_op", "name": "aten::op%d" % (i % 3), "pid": 1, "tid": 1, "ts": "%d.500" % t, "dur": 20, "args": {}},
            {"ph": "X", "name": "Node@launch", "pid": 2, "tid": 1, "ts": "%d.250" % (t + 5), "dur": 4, "args": {"level": "node", "id": "0", "connection_id": i + 1}},
            {"ph": "X", "name": "kernel%d" % (i % 4), "pid": 3, "tid": 2, "ts": "%d.125" % (t + 30), "dur": 12.5, "args": {"Task Type": "AI_CORE", "Physic Stream Id": 2, "connection_id": i + 1}},
            {"ph": "s", "id": i + 1, "name": "HostToDevice", "cat": "HostToDevice", "pid": 2, "tid": 1, "ts": "%d.250" % (t + 5)},
            {"ph": "f", "id": i + 1, "name": "HostToDevice", "cat": "HostToDevice", "bp": "e", "pid": 3, "tid": 2, "ts": "%d.125" % (t + 30)},
            {"ph": "X", "name": "Computing", "pid": 4, "tid": 0, "ts": "%d.125" % (t + 30), "dur": 12.5}]
        kernels.append('%s,2,kernel%d,Type%d,AI_VECTOR_CORE,%d.125\t,12.5,%d,"""2,%d"""\r\n' % ("", i % 4, i % 4, t + 30, 8, i % 4))
    events += [
        {"ph": "M", "name": "process_name", "pid": 5, "tid": 0, "args": {"name": "HCCL"}},
        {"ph": "M", "name": "thread_name", "pid": 5, "tid": 0, "args": {"name": "Group 7 Communication"}},
        {"ph": "X", "name": "hcom_allReduce__7_0", "pid": 5, "tid": 0, "ts": "%d.000" % (us + 50000), "dur": 400, "args": {}}]
    kernels.append(",N/A,hcom_allReduce__7_0,hcom_allReduce_,HCCL,%d.000\t,400,N/A,N/A\r\n" % (us + 50000))
    put(out + "ASCEND_PROFILER_OUTPUT/trace_view.json", json.dumps(events))
    put(out + "ASCEND_PROFILER_OUTPUT/kernel_details.csv", "".join(kernels))
    put(out + "ASCEND_PROFILER_OUTPUT/step_trace_time.csv", "Step,Computing,Communication(Not Overlapped),Overlapped,Communication,Free,Stage,Bubble,Communication(Not Overlapped and Exclude Receive),Preparing\n,%d.5,2,0,2,3,4,0,2,1\n" % (500 + rank))
    put(out + "ASCEND_PROFILER_OUTPUT/operator_memory.csv", "Name,Size(KB),Allocation Time(us),Release Time(us),Device Type\naten::op0,2,%d.000\t,%d.000\t,NPU:%d\n" % (us + 5, us + 500, rank))
    put(out + "ASCEND_PROFILER_OUTPUT/memory_record.csv", "Component,Timestamp(us),Total Allocated(MB),Total Reserved(MB),Total Active(MB),Stream Ptr,Device Type\nPTA,%d.000\t,1.5,2,1.5,1,NPU:%d\n" % (us + 5, rank))
    put(out + "profiler_info_%d.json" % rank, json.dumps({"rank_id": rank}))
    put(out + "PROF_1/device_0/timeline/msprof_0_1_1.json", json.dumps(events))  # raw data of the folder
files = [os.path.join(d, f) for d, _, names in os.walk(to + "/run") for f in names]
with zipfile.ZipFile(to + "/run.zip", "w", zipfile.ZIP_DEFLATED) as z, tarfile.open(to + "/run.tar.gz", "w:gz") as t:
    for f in sorted(files):
        z.write(f, os.path.relpath(f, to + "/run"))
        t.add(f, os.path.relpath(f, to + "/run"))
first = to + "/run/host_900_20240101000000000_ascend_pt/"
with zipfile.ZipFile(to + "/one.zip", "w") as z:  # packed from inside the folder
    for f in files:
        if f.startswith(first): z.write(f, os.path.relpath(f, first))
PY
one=$tmp/run/host_900_20240101000000000_ascend_pt
table() { "$BIN" summary --format csv --table "$1" "$2" 2>&1; }
for t in kernels operators op_types op_details cluster_steps memory_events memory_devices; do
    table $t "$tmp/run" >"$tmp/want"
    for a in run.zip run.tar.gz; do
        table $t "$tmp/$a" >"$tmp/got"
        same "$t of $a" "$tmp/want" "$tmp/got"
    done
    table $t "$one" >"$tmp/want"
    for a in "$one/ASCEND_PROFILER_OUTPUT" "$tmp/one.zip"; do
        table $t "$a" >"$tmp/got"
        same "$t of ${a#"$tmp"/}" "$tmp/want" "$tmp/got"
    done
done
json() { "$BIN" summary --format json --table "$1" "$2" | python3 -c 'import json, sys; d = json.load(sys.stdin); s = d["source"]; t = d["tables"][0] if "tables" in d else d["table"]; r = t["rows"]
print(eval(sys.argv[1]))' "$3"; }
got=$(json cluster_steps "$tmp/run" '[w["name"] if isinstance(w, dict) else w for w in s["workers"]], s["format"]')
[ "$got" = "(['host_900', 'host_901'], 'ascend')" ] && ok "a worker for each folder" || fail "a worker for each folder" "$got"
"$BIN" check "$tmp/run" >"$tmp/out"
[ $? = 0 ] && ok "nothing is lost" || fail "nothing is lost" "$(cat "$tmp/out")"
rm "$one/ASCEND_PROFILER_OUTPUT/kernel_details.csv" && "$BIN" check "$one" >"$tmp/out"
[ $? = 1 ] && grep -q "kernel_details.csv" "$tmp/out" && ok "a missing file is told" || fail "a missing file" "$(cat "$tmp/out")"

# ---- exports are traces with the same events
for which in timeline rows; do
    [ $which = rows ] && rm "$tmp/run/host_901_20240101000000000_ascend_pt/ASCEND_PROFILER_OUTPUT/trace_view.json"
    from=$tmp/run/host_901_20240101000000000_ascend_pt
    "$BIN" export -o "$tmp/$which.json" "$from" 2>"$tmp/err" || fail "export of $which" "$(cat "$tmp/err")"
    grep -q "without arguments" "$tmp/err" && fail "export of $which" "$(cat "$tmp/err")" || ok "export of $which"
    for t in kernels comm_ops memory_devices; do
        "$BIN" summary --format json --table $t "$from" 2>/dev/null | python3 -c 'import json, sys; print(sorted((r.get("name") or r.get("device"), r.get("calls"), r.get("total_ns"), r.get("latency_ns"), r.get("peak_allocated_bytes")) for t in json.load(sys.stdin)["tables"] for r in t["rows"]))' >"$tmp/want"
        "$BIN" summary --format json --table $t "$tmp/$which.json" 2>/dev/null | python3 -c 'import json, sys; print(sorted((r.get("name") or r.get("device"), r.get("calls"), r.get("total_ns"), r.get("latency_ns"), r.get("peak_allocated_bytes")) for t in json.load(sys.stdin)["tables"] for r in t["rows"]))' >"$tmp/got"
        same "$t of the export of $which" "$tmp/want" "$tmp/got"
    done
done
