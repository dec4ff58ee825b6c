#!/usr/bin/env python3
"""Folders without a timeline whose profiler kept sums: kernels of MindSpore on a GPU (gpu_activity_data), calls of
CANN (api_statistic). The tables show the sums; single events take precedence over sums; for a time range the tables
say that they know nothing.

Environment BIN, TRACETTY_CORPUS.
"""
import csv
import io
import json
import os
import shutil
import subprocess
import sys
import tempfile

BIN = os.environ.get("BIN", "./tracetty")
CORPUS = os.environ.get("TRACETTY_CORPUS", "")
ACTIVITY = """name,type,op_full_name,stream_id,block_dim,grid_dim,occurrences,total_duration(us),avg_duration(us),max_duration(us),min_duration(us)
"void f<1, 2>(int)",cuLaunchKernel,Default/A-op1,7,"256,1,1","8,1,1",3,30.5,10.1667,12,9
"void f<1, 2>(int)",cuLaunchKernel,Default/A-op2,7,"(256, 1, 1)","(8, 1, 1)",1,20,20,20,20
volta_fp16_s884gemm_fp16_128x128_ldg8_f2f_nn,cuLaunchKernel,Default/M-op3,7,"256,1,1","4,1,1",2,49.5,24.75,30,19.5
"""
DETAILS = """Step Id,Device_id,Model ID,Task ID,Stream ID,Name,Type,OP State,Accelerator Core,Start Time(us),Duration(us),Wait Time(us),Block Dim,Input Shapes
1,0,1,1,2,k,MatMul,dynamic,AI_CORE,"100.5	",20.25,0,8,"""
CALLS = """Level,API Name,Time(us),Count,Avg(us),Min(us),Max(us),Variance
node,launch,40.5,3,13.5,10.25,20,1.5
acl,Add_Tiling,9.5,2,4.75,4.5,5,0.1
"""
failed = False


def say(what, got, want):
    global failed
    failed = failed or got != want
    print("ok %s" % what if got == want else "FAIL %s: got %r, want %r" % (what, got, want))


def table(folder, name, columns, *more):
    p = subprocess.run([BIN, "summary", "--table", name, "--format", "csv", *more, folder], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    return [tuple(row.get(c) for c in columns) for row in csv.DictReader(io.StringIO(p.stdout.decode()))]


def write(folder, name, text):
    path = os.path.join(folder, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as f:
        f.write(text)


def gpu(folder):
    write(folder, "profiler_info_0.json", "{}")
    write(folder, "gpu_activity_data_0.csv", ACTIVITY)
    gemm = "volta_fp16_s884gemm_fp16_128x128_ldg8_f2f_nn"
    columns = ["name", "tensor_core", "calls", "total_ns", "mean_ns", "max_ns", "min_ns", "ratio_pct"]
    say("kernels by name", table(folder, "kernels", columns),
        [("void f<1, 2>(int)", "false", "4", "50500", "12625", "20000", "9000", "50.5"), (gemm, "true", "2", "49500", "24750", "30000", "19500", "49.5")])
    say("... by launch", table(folder, "kernels", ["name", "operator", "grid", "block", "calls", "mean_ns"], "--group-by", "launch"),
        [(gemm, "Default/M-op3", "[4, 1, 1]", "[256, 1, 1]", "2", "24750"), ("void f<1, 2>(int)", "Default/A-op1", "[8, 1, 1]", "[256, 1, 1]", "3", "10167"),
         ("void f<1, 2>(int)", "Default/A-op2", "[8, 1, 1]", "[256, 1, 1]", "1", "20000")])
    say("... by operator", [r[:2] for r in table(folder, "kernels", ["operator", "calls"], "--group-by", "operator")], [("Default/M-op3", "2"), ("Default/A-op1", "3"), ("Default/A-op2", "1")])
    tts = folder + ".tts"
    subprocess.run([BIN, "summarize", folder, "-o", tts], stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    say("... in a summary", table(tts, "kernels", columns), table(folder, "kernels", columns))
    p = subprocess.run([BIN, "summary", "--table", "kernels", "--format", "json", "--range", "0-1us", folder], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    found = json.loads(p.stdout)["tables"][0] if p.returncode == 0 else {"rows": [], "note": p.stderr.decode()}  # no times in the folder
    say("... of a range nothing", (found["rows"], bool(found.get("note"))), ([], True))
    write(folder, "activity_execute_timestamp_0.txt", "void g(int);7;1000;5.5\n")
    say("kernels one by one come before sums", table(folder, "kernels", ["name", "calls", "total_ns"]), [("void g(int)", "1", "5500")])


def cann(folder):
    folder = os.path.join(folder, "rank0_ascend_pt")
    write(folder, "ASCEND_PROFILER_OUTPUT/kernel_details.csv", DETAILS + "\n")
    write(folder, "ASCEND_PROFILER_OUTPUT/api_statistic.csv", CALLS)
    columns = ["level", "name", "calls", "total_ns", "mean_ns", "max_ns", "min_ns", "ratio_pct"]
    want = [("node", "launch", "3", "40500", "13500", "20000", "10250", "81"), ("acl", "Add_Tiling", "2", "9500", "4750", "5000", "4500", "19")]
    say("calls of CANN", table(folder, "runtime_api", columns), want)
    say("... of a range nothing", table(folder, "runtime_api", columns, "--range", "0-10us"), [])
    say("... beside the kernels", table(folder, "kernels", ["name", "calls", "total_ns"]), [("k", "1", "20250")])
    event = {"name": "AscendCL@own", "ph": "X", "pid": 5, "tid": 6, "ts": "100.000", "dur": 2, "args": {"level": "acl", "id": "own", "connection_id": 3}}
    write(folder, "ASCEND_PROFILER_OUTPUT/trace_view.json", json.dumps([{"name": "process_name", "ph": "M", "pid": 5, "args": {"name": "CANN"}}, event]))
    say("calls of a timeline come before sums", [r[1] for r in table(folder, "runtime_api", columns)], ["own"])


def real(folder):
    source = os.path.join(CORPUS, "traces/ascend/level1/rank0_ascend_pt")
    if not CORPUS or not os.path.isdir(source):
        print("skip a real folder: TRACETTY_CORPUS is not set")
        return
    columns = ["level", "name", "calls", "total_ns", "mean_ns", "max_ns", "min_ns", "ratio_pct"]
    to = os.path.join(folder, "rank0_ascend_pt")
    shutil.copytree(source, to, ignore=shutil.ignore_patterns("trace_view.json*"))
    want = table(source, "runtime_api", columns)
    say("the sums of a real folder are those of its timeline", (len(want) > 10, table(to, "runtime_api", columns)), (True, want))


def main():
    with tempfile.TemporaryDirectory() as folder:
        gpu(os.path.join(folder, "profiler"))
        cann(os.path.join(folder, "made"))
        real(os.path.join(folder, "real"))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
