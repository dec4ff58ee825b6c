#!/usr/bin/env python3
"""Makes the seeds of a fuzz target: seeds.py TARGET FOLDER. They are small pieces of the sample traces, in every
container; none for a target that takes no traces. SEEDS has an entry for each target."""
import glob
import gzip
import io
import json
import os
import sqlite3
import struct
import subprocess
import sys
import tarfile
import tempfile
import zipfile
import zlib

HERE = os.path.dirname(os.path.abspath(__file__))
ASSETS = os.path.join(HERE, "..", "..", "assets")
SAMPLES = [os.path.join(ASSETS, "sample_cpu.pt.trace.json.gz")] + sorted(glob.glob(os.path.join(ASSETS, "sample_gpu", "*.json.gz")))


def pieces():
    """(name, text): a few events of every category of each sample."""
    for path in SAMPLES:
        doc = json.loads(gzip.open(path).read())
        events = doc if isinstance(doc, list) else doc["traceEvents"]
        kinds = {}
        for e in events:
            kinds.setdefault((e.get("ph"), e.get("cat"), e["name"] if e.get("ph") == "M" else ""), []).append(e)
        for n in (1, 3):
            few = [e for group in kinds.values() for e in group[:n]]
            base = "%s-%d" % (os.path.basename(path).split(".")[0], n)
            yield base, json.dumps(few if isinstance(doc, list) else {"schemaVersion": 1, "traceEvents": few}).encode()
            yield base + "-minified", json.dumps(few, separators=(",", ":")).encode()


def traces(put):
    for name, text in pieces():
        put(name, text)
        put(name + "-gz", gzip.compress(text, mtime=0))


def paddle(put):
    subprocess.run([sys.executable, os.path.join(HERE, "..", "tools", "make_paddle.py"), put.folder, "--steps", "1"], check=True)


def xplanes(put):
    sys.path.insert(0, os.path.join(HERE, "..", "tools"))
    import make_xplane
    for device in ("tpu", "gpu", "host"):
        for name, given in (("", {}), ("-maps-first", {"maps_first": True}), ("-shuffled", {"shuffle": 1, "negative": True}), ("-host-steps", {"host_steps": True})):
            whole = make_xplane.space(make_xplane.options(device=device, devices=1, steps=2, **given))
            put("xplane-%s%s" % (device, name), whole)
            put("xplane-%s%s-cut" % (device, name), whole[:len(whole) * 2 // 3])


def snapshots(put):
    """Small snapshots of every form and protocol; a short ring keeps them below the limit of a target."""
    for i, options in enumerate(([], ["--oom", "--pending"], ["--expandable"], ["--layout", "old"], ["--layout", "oldest"], ["--devices", "2"])):
        for protocol in (2, 4):
            subprocess.run([sys.executable, os.path.join(HERE, "..", "tools", "make_snapshot.py"), os.path.join(put.folder, "snapshot-%d-%d" % (i, protocol)),
                            "--steps", "1", "--layers", "2", "--ring", "12", "--capacity", "160", "--protocol", str(protocol), *options], check=True)


def dumps(put):
    """Dumps of two ranks for each fault and form, each behind its length."""
    for fault in ("host", "device", "size", "order", "deadlock"):
        for form in ("pickle", "json"):
            with tempfile.TemporaryDirectory() as folder:
                subprocess.run([sys.executable, os.path.join(HERE, "..", "tools", "make_hang.py"), folder, "--fault", fault, "--form", form, "--tp", "2", "--dp", "1", "--steps", "2"],
                               stdout=subprocess.DEVNULL, check=True)
                files = [open(os.path.join(folder, f), "rb").read() for f in sorted(os.listdir(folder))]
            put("dumps-%s-%s" % (fault, form), b"".join(struct.pack("<H", len(f)) + f for f in files))


def archives(put):
    for name, text in pieces():
        if not name.endswith("minified"):
            continue
        b = io.BytesIO()
        with zipfile.ZipFile(b, "w", zipfile.ZIP_DEFLATED) as a:
            a.writestr("a/b.pt.trace.json", text)
        put(name + "-zip", b.getvalue())
        b = io.BytesIO()
        with tarfile.open(fileobj=b, mode="w", format=tarfile.PAX_FORMAT) as t:
            info = tarfile.TarInfo("n" * 120 + ".pt.trace.json")
            info.size = len(text)
            t.addfile(info, io.BytesIO(text))
        put(name + "-tar", b.getvalue())
        put(name + "-cut-tar", b.getvalue()[:1500])
    event = b'[{"ph":"X","name":"a","pid":1,"tid":1,"ts":1,"dur":1}]'
    pair = io.BytesIO()
    with zipfile.ZipFile(pair, "w", zipfile.ZIP_DEFLATED) as a:
        a.writestr("x/a.pt.trace.json", event)
        a.writestr("x/b.pt.trace.json", event)
    put("behind-zip", b"#!/bin/sh\nexit 0\n" + pair.getvalue())
    for kind, headers, data in (("sparse1", {"GNU.sparse.major": "1", "GNU.sparse.name": "s.pt.trace.json", "GNU.sparse.realsize": "54"},
                                 b"1\n0\n54\n" + b"\0" * 505 + event),
                                ("sparse0", {"GNU.sparse.name": "s.pt.trace.json", "GNU.sparse.size": "54", "GNU.sparse.map": "0,54"}, event),
                                ("gnu", {}, event)):
        b = io.BytesIO()
        with tarfile.open(fileobj=b, mode="w", format=tarfile.PAX_FORMAT) as t:
            info = tarfile.TarInfo("a.pt.trace.json")
            info.size, info.pax_headers = len(data), headers
            t.addfile(info, io.BytesIO(data))
            t.addfile(info, io.BytesIO(data))
        text = bytearray(b.getvalue())
        if kind == "gnu":
            text[156:157] = b"S"
            text[386:410] = b"%011o\0%011o\0" % (0, len(event))
            text[482:495] = b"\1%011o\0" % len(event)
            text[148:156] = b" " * 8
            text[148:156] = b"%06o\0 " % sum(text[:512])
        put(kind + "-tar", bytes(text[:8192]))


def records(put):
    """One record of every type of the recorder's, and all of them together."""
    every = b""
    for kind in range(1, 24):
        body = struct.pack("<qqIIIIQQqqqq", 1700000000000000000 + kind * 1000, 1700000000000002000 + kind * 1000, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10)
        r = struct.pack("<HHI", kind, 8 + len(body), 1) + body
        put("record-%d" % kind, b"\1" + r)
        every += r
    text = struct.pack("<HHIII", 2, 24, 1, 8, 0) + b"a string"
    put("records", b"\1" + text + every)
    put("records-blocks", b"\x21" + text + every)


def csv_files(put):
    for name, options, text in (
            ("steps", 0, b"Step,Computing,Free\r\n50,8873.756000000001,25744.05\r\n51,,N/A\r\n"),
            ("quotes", 0, b'\xef\xbb\xbfName,"Call Stack",Duration(us)\na,"x.py(1): f;\n ""y"".py(2): g",1.5e-05\n"b,c", "" ,2.250\t\n'),
            ("cut", 0, b'a,b,c\n1,2,3\n4,"x\n5,6,7\n8,9'),
            ("most", 16, b'a,b\n1,2\n3,"012345678901234567890"\n5,6\n'),
            ("words", 7, b"0 0 1 7 1012\nGetNext_dequeue_wait 7000000 7000074 4\n"),
            ("semicolons", 6, b"Default/op1;GpuOps;1000,2.5\nDefault/op2;GpuOps;1100,0\n"),
            ("keys", 4, b'op_ids,0,1\nchildren_ids,[1],\nqueue,"[1, 2]",-1\n')):
        put("csv-" + name, bytes([options, 5]) + text)


def few_events(text, most):
    """A timeline with some events of every kind, another JSON text as it is."""
    doc = json.loads(text)
    events = doc.get("traceEvents") if isinstance(doc, dict) else doc
    if not isinstance(events, list):
        return text if len(text) <= most else b"{}"
    kinds = {}
    for e in events:
        key = (e.get("ph"), e.get("cat"), e.get("pid"), e.get("name") if e.get("ph") == "M" else "") if isinstance(e, dict) else ""
        kinds.setdefault(key, []).append(e)
    few = [e for group in kinds.values() for e in group[:2]]
    while len(json.dumps(few)) > most:
        few = few[:len(few) * 3 // 4]
    return json.dumps(few, separators=(",", ":")).encode()


def folder_files(put):
    """Folders of one rank with a few lines of every file, in pieces that fit."""
    for sample, inside, other in (("sample_ascend", "rank0_ascend_pt", "_1"), ("sample_mindinsight", "profiler", "_1")):
        top = os.path.join(ASSETS, sample, inside if sample == "sample_ascend" else "")
        files = []
        for base, _, names in os.walk(top):
            for name in sorted(n for n in names if other + "." not in n and other + "_" not in n):
                text = open(os.path.join(base, name), "rb").read()
                text, name = (gzip.decompress(text), name[:-3]) if name.endswith(".gz") else (text, name)
                text = few_events(text, 3000) if name.endswith(".json") else b"\n".join(text.split(b"\n")[:4]) + b"\n"
                path = os.path.join(inside, os.path.relpath(os.path.join(base, name), top))
                files.append(b"\1" + path.encode() + b"\n" + text.replace(b"\1", b""))
        files.sort(key=len)
        n, piece = 0, b""
        for f in files + [b""]:
            if f and len(piece) + len(f) < 7500:
                piece += f
                continue
            put("folder-%s-%d" % (sample, n), piece)
            n, piece = n + 1, f
        for i, f in enumerate(files):
            put("file-%s-%d" % (sample, i), f[:8000])


def databases(put):
    """A small database of each format: pages of 512 bytes, so that all fit, and a mutated one is a damaged page."""
    g, t = 1 << 56 | 7 << 24, 1 << 56 | 7 << 24 | 8
    nsys = {"META_DATA_EXPORT": ("name, value", [("EXPORT_SCHEMA_VERSION", "3.25.0")]),
            "StringIds": ("id INTEGER PRIMARY KEY, value", [(1, "k<int>(float*)"), (2, "cudaLaunchKernel_v7000"), (3, "ncclDevKernel_AllReduce_Sum_f32_RING_LL()")]),
            "CUPTI_ACTIVITY_KIND_KERNEL": ("start, end, deviceId, streamId, correlationId, globalPid, demangledName, gridX, blockX, staticSharedMemory",
                                           [(10, 20, 0, 7, 1, g, 1, 4, 128, 0), (20, 30, 0, 7, 2, g, 3, 1, 1, 64)]),
            "CUPTI_ACTIVITY_KIND_RUNTIME": ("start, end, globalTid, correlationId, nameId", [(1, 5, t, 1, 2), (6, 9, t, 2, 2)]),
            "NVTX_EVENTS": ("start, end, eventType, globalTid, text, textId, domainId",
                            [(0, None, 75, t, "D", None, 1), (0, 9, 59, t, "r", None, 1), (2, None, 60, t, None, 1, 0), (3, None, 34, t, "m", None, 0)])}
    more = {"StringIds": nsys["StringIds"], "TARGET_INFO_SESSION_START_TIME": ("utcEpochNs", [(1700000000000000000,)]),
            "CUPTI_ACTIVITY_KIND_MEMCPY": ("start, end, deviceId, streamId, correlationId, globalPid, bytes, copyKind, srcKind, dstKind", [(1, 2, 0, 7, 3, g, 64, 1, 0, 2)]),
            "CUPTI_ACTIVITY_KIND_SYNCHRONIZATION": ("start, end, deviceId, streamId, correlationId, globalPid, syncType, eventSyncId", [(1, 2, 0, 7, 4, g, 2, 9)]),
            "CUPTI_ACTIVITY_KIND_CUDA_EVENT": ("globalPid, eventSyncId, correlationId, streamId", [(g, 9, 1, 7)]),
            "GPU_METRICS": ("timestamp, typeId, metricId, value", [(5, 1, 1, 50)]), "TARGET_INFO_GPU": ("id, name, cuDevice", [(0, "GPU", 0)]),
            "TARGET_INFO_CUDA_DEVICE": ("gpuId, cudaId, pid", [(0, 0, 7), (1, 0, 8)]), "MPI_RANKS": ("globalPid, rank", [(g, 1)]),
            "OSRT_API": ("start, end, globalTid, nameId", [(1, 2, t, 2)])}
    q = "_a1"
    rocpd = {"rocpd_string" + q: ("id INTEGER PRIMARY KEY, string", [(1, "hipLaunchKernel"), (2, "HIP_RUNTIME_API"), (3, "MEMORY_COPY_HOST_TO_DEVICE")]),
             "rocpd_info_agent" + q: ("id, type, type_index, product_name", [(1, "CPU", 0, "c"), (2, "GPU", 0, "MI300")]),
             "rocpd_info_process" + q: ("id, pid", [(1, 7)]), "rocpd_info_thread" + q: ("id, tid", [(1, 8)]),
             "rocpd_info_kernel_symbol" + q: ("id, display_name", [(1, "k.kd")]), "rocpd_event" + q: ("id, category_id, stack_id", [(1, 2, 5), (2, 2, 5)]),
             "rocpd_region" + q: ("pid, tid, start, end, name_id, event_id", [(1, 1, 1, 5, 1, 1)]),
             "rocpd_kernel_dispatch" + q: ("pid, tid, start, end, agent_id, kernel_id, stream_id, grid_size_x, workgroup_size_x, event_id", [(1, 1, 6, 9, 2, 1, 0, 1000, 256, 2)]),
             "rocpd_memory_allocate" + q: ("type, agent_id, start, end, address, size", [("ALLOC", 2, 1, 2, 4096, 64), ("FREE", 2, 8, 9, 4096, 0)])}
    rpd = {"rocpd_string": ("id INTEGER PRIMARY KEY, string", [(1, "hipLaunchKernel"), (2, "KernelExecution"), (3, "k"), (4, "UserMarker"), (5, "CopyHostToDevice")]),
           "rocpd_api": ("id INTEGER PRIMARY KEY, pid, tid, start, end, apiName_id, args_id", [(1, 7, 8, 1, 5, 1, 3), (2, 7, 8, 0, 9, 4, 3)]),
           "rocpd_op": ("id INTEGER PRIMARY KEY, gpuId, queueId, start, end, description_id, opType_id", [(1, 2, 0, 6, 9, 3, 2), (2, 2, 0, 9, 10, 0, 5)]),
           "rocpd_api_ops": ("api_id, op_id", [(1, 1)]), "rocpd_kernelapi": ("api_ptr_id, gridX, workgroupX", [(1, 4, 128)]),
           "rocpd_monitor": ("start, deviceId, monitorType, value", [(1, 0, "sclk", "800")]), "ext_autogradapi": ("api_ptr_id, autogradName_id", [(2, 3)])}
    for name, tables in (("nsys", nsys), ("nsys-more", more), ("rocpd", rocpd), ("rpd", rpd)):
        for odd in (0, 1):
            with tempfile.TemporaryDirectory() as folder:
                path = os.path.join(folder, "db")
                db = sqlite3.connect(path)
                db.execute("PRAGMA page_size=512")
                for table, (columns, rows) in tables.items():
                    db.execute('CREATE TABLE "%s"(%s)' % (table, ", ".join('"end"' if c == "end" else c for c in columns.split(", "))))
                    db.executemany('INSERT INTO "%s" VALUES(%s)' % (table, ",".join("?" * len(rows[0]))), rows)
                db.commit()
                db.close()
                put("%s-%d" % (name, odd), open(path, "rb").read()[:8191] + bytes([odd]))


def summaries(put):
    """A summary of the sample, and its blocks unpacked, with the first byte that fuzz_tts.c wants."""
    binary = os.environ.get("BIN") or os.path.join(HERE, "..", "..", "tracetty")
    if not os.path.exists(binary):
        return
    with tempfile.TemporaryDirectory() as tmp:
        path = os.path.join(tmp, "a.tts")
        subprocess.run([binary, "summarize", SAMPLES[0], "-o", path], check=True)
        whole = open(path, "rb").read()
    raw, packed = struct.unpack("<QQ", whole[16:32])
    directory = zlib.decompress(whole[48:48 + packed])
    n, at = directory[0] & 127, 1
    if directory[0] & 128:
        n, at = n | directory[1] << 7, 2
    put("directory", b"\4" + directory[at:at + n])
    body = whole[48 + packed:]
    for i in range(64):
        inflate = zlib.decompressobj()
        try:
            block = inflate.decompress(body)
        except zlib.error:
            break
        if len(block) < 4096:
            put("block%d" % i, bytes([1 if i == 0 else 2]) + block)
        body = inflate.unused_data
        if not body:
            break
    if len(whole) < 8000:
        put("whole", b"\0" + whole)


SEEDS = {
    "fuzz_change": (),
    "fuzz_csv": (csv_files,),
    "fuzz_discover": (),
    "fuzz_flight": (dumps,),
    "fuzz_folder": (folder_files,),
    "fuzz_keys": (),
    "fuzz_load": (traces, paddle, archives),
    "fuzz_mend": (),
    "fuzz_pb": (paddle,),
    "fuzz_pickle": (snapshots,),
    "fuzz_spool": (records,),
    "fuzz_sqlite": (databases,),
    "fuzz_tts": (summaries,),
    "fuzz_xplane": (xplanes,),
}


class Put:
    def __init__(self, folder):
        self.folder = folder

    def __call__(self, name, data):
        with open(os.path.join(self.folder, name), "wb") as f:
            f.write(data)


def main():
    for make in SEEDS.get(sys.argv[1], (traces, paddle)):
        make(Put(sys.argv[2]))


if __name__ == "__main__":
    main()
