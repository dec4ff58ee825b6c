"""Writes a capture as rocprofv3 does. Calls have the names of HIP; a memset is the kernel with which the runtime
fills memory."""
import re
from collections import namedtuple

from .sql import File, Strings

# suffix: end of the names of tables (by default made from the guid); views: also create the names without it; events:
# links and categories; full: all columns, not only those that small writers have
Options = namedtuple("Options", "guid suffix views events streams full environment", defaults=("00000001-0002-4003-8004-000000000005", None, True, True, True, True, "TOKEN=never-shown"))
DEVICE = "AMD Instinct MI300X"  # replaces the device of the trace
FILL = "__amd_rocclr_fillBufferAligned"
COPIES = {"HtoD": "HOST_TO_DEVICE", "DtoH": "DEVICE_TO_HOST", "DtoD": "DEVICE_TO_DEVICE", "HtoH": "HOST_TO_HOST"}
GPU = 1  # agent 0 is the CPU, so the GPU of index 0 is agent 1
OPTIONAL = {
    "event": "id:k guid:t category_id stack_id parent_stack_id correlation_id call_stack:t line_info:t extdata:t",
    "info_agent": "type_index absolute_index logical_index model_name:t vendor_name:t product_name:t user_name:t extdata:t",
    "info_process": "environment:t init:b fini:b extdata:t",
    "info_kernel_symbol": "code_object_id group_segment_size private_segment_size sgpr_count arch_vgpr_count accum_vgpr_count extdata:t",
    "kernel_dispatch": "private_segment_size group_segment_size region_name_id event_id extdata:t",
    "memory_copy": "dst_address src_address region_name_id event_id extdata:t",
    "region": "event_id extdata:t",
}
COLUMNS = {
    "metadata": "id:k tag:t value:t",
    "string": "id:k guid:t string:t",
    "info_node": "id:k guid:t hash:b machine_id:t system_name:t hostname:t",
    "info_process": "id:k guid:t nid ppid pid start:b end:b command:t",
    "info_thread": "id:k guid:t nid pid tid name:t start:b end:b",
    "info_agent": "id:k guid:t nid pid type:t name:t",
    "info_queue": "id:k guid:t nid pid name:t",
    "info_stream": "id:k guid:t nid pid name:t",
    "info_kernel_symbol": "id:k guid:t nid pid kernel_name:t display_name:t",
    "kernel_dispatch": "id:k guid:t nid pid tid agent_id kernel_id dispatch_id queue_id stream_id start:b end:b workgroup_size_x workgroup_size_y workgroup_size_z "
                       "grid_size_x grid_size_y grid_size_z",
    "memory_copy": "id:k guid:t nid pid tid start:b end:b name_id dst_agent_id src_agent_id size queue_id stream_id",
    "region": "id:k guid:t nid pid tid start:b end:b name_id",
}


OF_HIP = {"cuLaunchKernelEx": "hipExtModuleLaunchKernel"}


def hip(name):
    """The HIP call that corresponds to a CUDA call."""
    return OF_HIP.get(name) or re.sub(r"^cu(da)?(?=[A-Z])", "hip", name)


class Writer:
    def __init__(self, found, options):
        self.found, self.options = found, options
        self.strings = Strings(1)
        self.rows = {name: [] for name in COLUMNS}
        self.rows["event"] = []
        self.threads = {t: 1 + i for i, t in enumerate(sorted(found.threads))}
        self.processes = {p: 1 + i for i, p in enumerate(sorted(found.processes))}
        self.symbols, self.stacks = {}, {}
        self.callers = {(c.pid, c.correlation): c for c in found.calls}

    def add(self, table, **values):
        row = dict(values, id=1 + len(self.rows[table]), guid=self.options.guid, nid=1)
        self.rows[table].append(row)
        return row["id"]

    def event(self, category, of):
        """Work and its launching call share a stack id, a marker has its own; ids of stacks differ from those of
        events."""
        stack = self.stacks.setdefault((of.pid, getattr(of, "correlation", of)), 1001 + len(self.stacks))
        return self.add("event", category_id=self.strings(category), stack_id=stack, parent_stack_id=0, correlation_id=0)

    def symbol(self, name):
        if name not in self.symbols:
            self.symbols[name] = self.add("info_kernel_symbol", pid=1, kernel_name="_Z%d%s.kd" % (len(name), re.sub(r"\W", "_", name)), display_name=name,
                                          sgpr_count=16, arch_vgpr_count=32)
        return self.symbols[name]

    def agent(self, w):
        """The node's ids of agents count its CPU and every process' GPUs."""
        return GPU + [(d.pid, d.id) for d in self.found.devices].index((w.pid, w.device))

    def place(self, w):
        c = self.callers.get((w.pid, w.correlation))
        return {"pid": self.processes[w.pid], "tid": self.threads[(c.pid, c.tid)] if c else None, "queue_id": 1, "stream_id": self.stream(w), "start": w.start, "end": w.end}

    def stream(self, w):
        return 1 + sorted({(x.pid, x.stream) for x in self.found.work}).index((w.pid, w.stream)) if self.options.streams else 0

    def dispatch(self, w, name, grid, block):
        self.add("kernel_dispatch", **self.place(w), agent_id=self.agent(w), kernel_id=self.symbol(name), dispatch_id=1 + len(self.rows["kernel_dispatch"]),
                 group_segment_size=w.shared or 0, private_segment_size=0, event_id=self.event("KERNEL_DISPATCH", w), region_name_id=self.strings(""),
                 **{"workgroup_size_" + a: n for a, n in zip("xyz", block)}, **{"grid_size_" + a: m * n for a, m, n in zip("xyz", grid, block)})

    def copy(self, w):
        way = w.name.split()[1]
        to, come = (0 if way[-1] == "H" else self.agent(w)), (0 if way[0] == "H" else self.agent(w))
        self.add("memory_copy", **self.place(w), name_id=self.strings("MEMORY_COPY_" + COPIES[way]), dst_agent_id=to, src_agent_id=come, size=w.bytes,
                 event_id=self.event("MEMORY_COPY", w), region_name_id=self.strings(""))

    def region(self, r, name, category):
        self.add("region", pid=self.processes[r.pid], tid=self.threads[(r.pid, r.tid)], start=r.start, end=r.end, name_id=self.strings(name), event_id=self.event(category, r))

    def fill(self):
        for w in self.found.work:
            if w.kind == "kernel":
                self.dispatch(w, w.name, w.grid, w.block)
            elif w.kind == "set":
                self.dispatch(w, FILL, (256, 1, 1), (256, 1, 1))
            elif w.kind == "copy":
                self.copy(w)
        for c in self.found.calls:
            self.region(c, hip(c.name), "HIP_RUNTIME_API")
        for r in self.found.ranges:
            self.region(r, r.name, "MARKER_CORE_RANGE_API")
        self.machine()

    def machine(self):
        for p, i in self.processes.items():
            self.add("info_process", pid=p, ppid=1, command=self.found.processes[p], environment=self.options.environment, start=0, end=0)
        for (p, t), i in self.threads.items():
            self.add("info_thread", pid=self.processes[p], tid=t, name=self.found.threads[(p, t)])
        self.rows["info_agent"].append({"id": 0, "guid": self.options.guid, "nid": 1, "type": "CPU", "name": "AMD EPYC", "type_index": 0, "absolute_index": 0, "logical_index": 0,
                                        "product_name": "AMD EPYC"})
        for i, d in enumerate(self.found.devices):
            self.rows["info_agent"].append({"id": GPU + i, "guid": self.options.guid, "nid": 1, "type": "GPU", "name": "gfx942", "type_index": i, "absolute_index": GPU + i,
                                            "logical_index": GPU + i, "product_name": DEVICE})
        self.add("info_node", hash=1, machine_id="machine", system_name="Linux", hostname="node")
        self.add("info_queue", name="Queue 0", pid=1)
        for p, s in sorted({(w.pid, w.stream) for w in self.found.work}) if self.options.streams else ():
            self.add("info_stream", name="Stream %d" % s, pid=self.processes[p])
        for tag, value in ("schema_version", "3"), ("uuid", "_" + self.options.guid.replace("-", "_")), ("guid", self.options.guid):
            self.add("metadata", tag=tag, value=value)
        self.rows["string"] = [dict(r, guid=self.options.guid) for r in self.strings.rows("string")]

    def write(self, path):
        suffix = "_" + self.options.guid.replace("-", "_") if self.options.suffix is None else self.options.suffix
        with File(path) as f:
            for name, rows in self.rows.items():
                if name == "event" and not self.options.events or name == "info_stream" and not self.options.streams:
                    continue
                text = COLUMNS.get(name, "") + (" " + OPTIONAL.get(name, "") if self.options.full or name == "event" else "")
                f.table("rocpd_" + name + suffix, text if self.options.events else text.replace(" event_id", ""), rows)
                if self.options.views and suffix:
                    f.view("rocpd_" + name, "rocpd_" + name + suffix)


def write(path, found, options=Options()):
    writer = Writer(found, options)
    writer.fill()
    writer.write(path)
