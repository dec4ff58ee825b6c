"""Writes a capture as `nsys export --type sqlite` does. Columns depend on the version of the schema; these are the
oldest and the newest version that were seen."""
import re
from collections import namedtuple

from .sql import File, Strings

# registered: texts of ranges are ids of strings; operators: operators are ranges, too; domains: "DOMAIN:text" becomes
# a range of that domain; open_range: the text of a range that never ends
Options = namedtuple("Options", "schema registered domains operators open_range environment", defaults=("3.25", False, False, False, None, "TOKEN=never-shown"))

KERNEL = ("start end deviceId contextId{green} streamId correlationId globalPid demangledName shortName{mangled} registersPerThread gridX gridY gridZ "
          "blockX blockY blockZ staticSharedMemory dynamicSharedMemory localMemoryPerThread localMemoryTotal gridId sharedMemoryExecuted graphNodeId{graph}")
MEMCPY = "start end deviceId contextId{green} streamId correlationId globalPid bytes copyKind{old} srcKind dstKind srcDeviceId dstDeviceId graphNodeId{count}"
MEMSET = "start end deviceId contextId{green} streamId correlationId globalPid value bytes graphNodeId memKind"
SYNC = "start end deviceId contextId{green} streamId correlationId globalPid{oldsync} syncType eventId"
RUNTIME = "start end eventClass globalTid correlationId nameId returnValue callchainId"
NVTX = ("start end eventType rangeId category color text:t globalTid endGlobalTid textId domainId uint64Value int64Value doubleValue:r uint32Value "
        "int32Value floatValue:r jsonTextId jsonText:t{binary}")
GPU = "{vm}id name:t busLocation:t totalMemory smCount{uuid} cuDevice computeMajor computeMinor"
SCHEMAS = {
    "2.9": {"version": "2.9.1", "product": "2022.2.1.31", "meta": "EXPORT_META_DATA", "first_string": 281474976710657, "empty_tables": True, "cuda_devices": False,
            "columns": dict(green="", mangled="", graph="", old=" srcId dstId", count="", oldsync="", binary="", vm="", uuid="")},
    "3.25": {"version": "3.25.0", "product": "2026.2.1.210", "meta": "META_DATA_EXPORT", "first_string": 1, "empty_tables": False, "cuda_devices": True,
             "columns": dict(green=" greenContextId", mangled=" mangledName launchType", graph=" graphId clusterX clusterY clusterZ", old=" deprecatedSrcId",
                             count=" copyCount", oldsync=" deprecatedSyncType", binary=" binaryData:t", vm="vmId ", uuid=" uuid:t")},
}
MACHINE = 1 << 48  # the number of the virtual machine, in the bits above the process
MEMORY = {"Pageable": 0, "Pinned": 1, "Device": 2, "Array": 3, "Managed": 4, "Unknown": 7}
COPIES = {"HtoD": 1, "DtoH": 2, "DtoD": 8, "PtoP": 10}
SYNCS = {"Event Sync": 1, "Stream Wait Event": 2, "Stream Sync": 3, "Context Sync": 4}
PUSH_POP, START_END, DOMAIN = 59, 60, 75


def global_pid(pid):
    return MACHINE | pid << 24


def global_tid(pid, tid):
    return global_pid(pid) | tid & 0xffffff


def on_device(w):
    return {"start": w.start, "end": w.end, "deviceId": w.device, "contextId": w.context, "streamId": w.stream, "correlationId": w.correlation,
            "globalPid": global_pid(w.pid), "graphNodeId": w.graph_node, "bytes": w.bytes}


def kernel(w, strings):
    shared = min(w.shared or 0, 1024)
    return dict(on_device(w), demangledName=strings(w.name), shortName=strings(re.split(r"[(<]", w.name)[0].split("::")[-1].split(" ")[-1]),
                registersPerThread=w.registers, gridX=w.grid[0], gridY=w.grid[1], gridZ=w.grid[2], blockX=w.block[0], blockY=w.block[1], blockZ=w.block[2],
                staticSharedMemory=shared, dynamicSharedMemory=(w.shared or 0) - shared, graphId=None if w.graph_node is None else 1)


def copy(w):
    way, source, target = re.match(r"Memcpy (\w+) \((\w+) -> (\w+)\)", w.name).groups()
    return dict(on_device(w), copyKind=COPIES[way], srcKind=MEMORY[source], dstKind=MEMORY[target])


def memset(w):
    return dict(on_device(w), value=0, memKind=MEMORY[re.match(r"Memset \((\w+)\)", w.name).group(1)])


def sync(w):
    return dict(on_device(w), syncType=SYNCS[w.name], deprecatedSyncType=SYNCS[w.name], eventId=0)


def call(c, strings):
    """The call's name with the interface version that introduced it."""
    return {"start": c.start, "end": c.end, "eventClass": 1 if c.driver else 0, "globalTid": global_tid(c.pid, c.tid), "correlationId": c.correlation,
            "nameId": strings(c.name + ("_v11060" if c.name.endswith("ExC") else "_v7000") * (not c.driver)), "returnValue": 0}


def ranges(found, options, strings):
    domains = {}
    for r in sorted(found.ranges + (found.operators if options.operators else []), key=lambda r: (r.start, -r.end)):
        text, domain = r.name, 0
        if options.domains and re.match(r"\w+:[^:]", text):
            name, text = text.split(":", 1)
            if (r.pid, name) not in domains:
                domains[(r.pid, name)] = 1 + sum(pid == r.pid for pid, _ in domains)
                yield {"start": 0, "eventType": DOMAIN, "text": name, "globalTid": global_tid(r.pid, r.tid), "domainId": domains[(r.pid, name)]}
            domain = domains[(r.pid, name)]
        yield {"start": r.start, "end": r.end, "eventType": PUSH_POP, "globalTid": global_tid(r.pid, r.tid), "domainId": domain,
               "text": None if options.registered else text, "textId": strings(text) if options.registered else None}
    if options.open_range:
        pid, tid = sorted(found.threads)[0]
        yield {"start": found.calls[0].start, "eventType": PUSH_POP, "text": options.open_range, "globalTid": global_tid(pid, tid), "domainId": 0}


def devices(found):
    """One GPU for each device of a process: processes that all call their device 0 saw the others hidden by
    CUDA_VISIBLE_DEVICES."""
    gpus, of_processes = [], []
    for gpu, d in enumerate(found.devices):
        gpus.append({"vmId": global_pid(0), "id": gpu, "name": d.name, "busLocation": "0000:%02x:00.0" % (gpu + 1), "totalMemory": d.memory, "smCount": d.sms,
                     "uuid": "gpu-%d" % gpu, "cuDevice": gpu, "computeMajor": d.major, "computeMinor": d.minor})
        of_processes.append({"gpuId": gpu, "cudaId": d.id, "pid": d.pid, "uuid": "gpu-%d" % gpu, "numMultiprocessors": d.sms})
    return gpus, of_processes


def secrets(f, found, options, strings):
    """Data that a reader must not show: the environment of the program and of the machine."""
    pid = min(found.processes)
    f.table("TARGET_INFO_SYSTEM_ENV", "globalVid devStateName:t name:t nameEnum value:t",
            [{"globalVid": global_pid(0), "devStateName": "Local (CLI)", "name": "EnvironmentVariables", "nameEnum": 30, "value": options.environment}])
    f.table("META_DATA_CAPTURE", "name:t value:t", [{"name": "ENVIRONMENT_VARIABLE", "value": options.environment}])
    f.table("ProcessStreams", "globalPid filenameId contentId",
            [{"globalPid": global_pid(pid), "filenameId": strings("/proc/%d/environ" % pid), "contentId": strings(options.environment)}])


def write(path, found, options=Options()):
    schema = SCHEMAS[options.schema]
    strings = Strings(schema["first_string"])
    of = {kind: [w for w in found.work if w.kind == kind] for kind in ("kernel", "copy", "set", "sync")}
    tables = (("CUPTI_ACTIVITY_KIND_KERNEL", KERNEL, [kernel(w, strings) for w in of["kernel"]]), ("CUPTI_ACTIVITY_KIND_MEMCPY", MEMCPY, map(copy, of["copy"])),
              ("CUPTI_ACTIVITY_KIND_MEMSET", MEMSET, map(memset, of["set"])), ("CUPTI_ACTIVITY_KIND_SYNCHRONIZATION", SYNC, map(sync, of["sync"])),
              ("CUPTI_ACTIVITY_KIND_RUNTIME", RUNTIME, [call(c, strings) for c in found.calls]), ("NVTX_EVENTS", NVTX, ranges(found, options, strings)))
    gpus, of_processes = devices(found)
    with File(path) as f:
        for name, text, rows in tables:
            rows = list(rows)
            if rows or schema["empty_tables"]:
                f.table(name, text.format(**schema["columns"]), rows)
        f.table("TARGET_INFO_GPU", GPU.format(**schema["columns"]), gpus)
        if schema["cuda_devices"]:
            f.table("TARGET_INFO_CUDA_DEVICE", "gpuId cudaId pid uuid:t numMultiprocessors", of_processes)
        f.table("TARGET_INFO_SESSION_START_TIME", "utcEpochNs utcTime:t localTime:t", [{"utcEpochNs": found.zero_ns}])
        f.table(schema["meta"], "name:t value:t", [{"name": "EXPORT_PRODUCT_NAME", "value": "NVIDIA Nsight Systems"},
                {"name": "EXPORT_PRODUCT_VERSION", "value": schema["product"]}, {"name": "EXPORT_SCHEMA_VERSION", "value": schema["version"]}])
        f.table("PROCESSES", "globalPid pid name:t", [{"globalPid": global_pid(p), "pid": p, "name": name} for p, name in [(1, "systemd"), *found.processes.items()]])
        f.table("ThreadNames", "nameId priority globalTid",
                [{"nameId": strings(name), "priority": 10, "globalTid": global_tid(*thread)} for thread, name in sorted(found.threads.items())])
        secrets(f, found, options, strings)
        f.table("StringIds", "id:k value:t", strings.rows("value"))
