#!/usr/bin/env python3
"""Writes a large export of Nsight Systems: consecutive launches on the threads of processes, each with a kernel on a
stream of a GPU.

    make_nsys_big.py OUT [--kernels 5000000] [--names 200] [--processes 2] [--streams 4] [--ranges 1000] [--expected
    FILE]

--ranges: launches per NVTX range; 0 = no ranges. --expected writes calls and times of every kernel and of the calls
as JSON, as SQL sums them. SQLite itself makes the rows: 5 million kernels and as many calls take half a minute."""
import argparse
import json
import sys

sys.dont_write_bytecode = True
from databases import nsys  # noqa: E402
from databases.sql import File  # noqa: E402

EVERY, FIRST_PID, FIRST_STRING = 4000, 4100, 10
COUNT = "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < %d) "
# of launch i: its process, its number there, the name of its kernel
PROCESS, NUMBER, NAME = "(i %% {processes})", "(i / {processes})", "({first} + i * 7919 / 13 %% {names})"


def fill(f, table, values, count):
    """Rows 0 to COUNT - 1, whose columns are expressions of i."""
    f.db.execute((COUNT % count) + "INSERT INTO %s (%s) SELECT %s FROM n" % (table, ",".join(values), ",".join(map(str, values.values()))))


def events(f, args):
    words = {"processes": args.processes, "names": args.names, "first": FIRST_STRING}
    process, number, name = ((s.replace("%%", "%")).format(**words) for s in (PROCESS, NUMBER, NAME))
    pid = "(%d + (%d + %s << 24))" % (nsys.global_pid(0), FIRST_PID, process)
    tid = "(%s + %d + %s)" % (pid, FIRST_PID, process)
    launch = "(1000000 + %s * %d)" % (number, EVERY)
    taken = "(1200 + i * 131 % 900)"
    start = "(%s + 2500)" % launch
    fill(f, "CUPTI_ACTIVITY_KIND_RUNTIME", {"start": launch, "end": launch + "+" + taken, "eventClass": 0, "globalTid": tid, "correlationId": "1 + " + number,
         "nameId": 1, "returnValue": 0}, args.kernels)
    fill(f, "CUPTI_ACTIVITY_KIND_KERNEL", {"start": start, "end": start + " + 500 + i * 257 % 3000", "deviceId": process, "contextId": 1,
         "streamId": "7 + %s %% %d" % (number, args.streams), "correlationId": "1 + " + number, "globalPid": pid, "demangledName": name, "shortName": name,
         "registersPerThread": "16 + i % 200", "gridX": "1 + i % 1000", "gridY": 1, "gridZ": 1, "blockX": 128, "blockY": 1, "blockZ": 1, "staticSharedMemory": 0,
         "dynamicSharedMemory": "i % 8 * 1024"}, args.kernels)
    if args.ranges:
        first = "(1000000 + %s * %d)" % (number, EVERY * args.ranges)
        fill(f, "NVTX_EVENTS", {"start": "%s - 100" % first, "end": "%s + %d - 200" % (first, EVERY * args.ranges), "eventType": nsys.PUSH_POP, "globalTid": tid,
             "domainId": 0, "text": "'step ' || %s" % number}, args.kernels // args.ranges)


def machine(f, args):
    f.table("StringIds", "id:k value:t", [{"id": 1, "value": "cudaLaunchKernel_v7000"}, {"id": 2, "value": "python3"}] +
            [{"id": FIRST_STRING + i, "value": "void kernel_%d<float, (int)%d>(float *, int)" % (i, 64 << i % 5)} for i in range(args.names)])
    f.table("META_DATA_EXPORT", "name:t value:t", [{"name": "EXPORT_SCHEMA_VERSION", "value": "3.25.0"}])
    f.table("TARGET_INFO_SESSION_START_TIME", "utcEpochNs", [{"utcEpochNs": 1767225600000000000}])
    f.table("TARGET_INFO_GPU", "id name:t totalMemory smCount cuDevice computeMajor computeMinor", [{"id": i, "name": "NVIDIA H100 80GB HBM3", "cuDevice": i,
            "totalMemory": 85520809984, "smCount": 132, "computeMajor": 9, "computeMinor": 0} for i in range(args.processes)])
    f.table("PROCESSES", "globalPid pid name:t", [{"globalPid": nsys.global_pid(FIRST_PID + i), "pid": FIRST_PID + i, "name": "python3"} for i in range(args.processes)])


def expected(f, path):
    sql = ("SELECT value, count(*), sum(end - start), max(end - start), min(end - start) FROM %s JOIN StringIds ON StringIds.id = %s GROUP BY value ORDER BY value")
    found = {name: [dict(zip(("name", "calls", "total_ns", "max_ns", "min_ns"), row)) for row in f.db.execute(sql % (table, column))]
             for name, table, column in (("kernels", "CUPTI_ACTIVITY_KIND_KERNEL", "demangledName"), ("runtime_api", "CUPTI_ACTIVITY_KIND_RUNTIME", "nameId"))}
    with open(path, "w", encoding="utf-8") as out:
        json.dump(found, out, indent=1)


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("out")
    for name, default in ("kernels", 5000000), ("names", 200), ("processes", 2), ("streams", 4), ("ranges", 1000):
        p.add_argument("--" + name, type=int, default=default)
    p.add_argument("--expected", metavar="FILE")
    args = p.parse_args()
    columns = nsys.SCHEMAS["3.25"]["columns"]
    with File(args.out, 65536) as f:
        for table, text in ("CUPTI_ACTIVITY_KIND_RUNTIME", nsys.RUNTIME), ("CUPTI_ACTIVITY_KIND_KERNEL", nsys.KERNEL), ("NVTX_EVENTS", nsys.NVTX):
            f.table(table, text.format(**columns))
        events(f, args)
        machine(f, args)
        if args.expected:
            expected(f, args.expected)


if __name__ == "__main__":
    main()
