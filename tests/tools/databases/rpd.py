"""Writes a capture as rocmProfileData does. Calls have the names of HIP; operators are markers that the table of
autograd lists."""
from collections import namedtuple

from .rocpd import hip
from .sql import File, Strings

# first_id: first id of a session; operators: also write markers of operators; kernels of graphs are ops of type Task
Options = namedtuple("Options", "operators first_id monitors", defaults=(True, 1, False))
IN_WORK_ITEMS = ("hipExtModuleLaunchKernel",)  # the grid of these calls counts work items, that of others blocks; the recorder stores the argument of the call
COPIES = {"HtoD": ("CopyHostToDevice", 1), "DtoH": ("CopyDeviceToHost", 2), "DtoD": ("CopyDeviceToDevice", 3)}


class Writer:
    def __init__(self, found, options):
        self.found, self.options = found, options
        self.strings = Strings(options.first_id)
        self.rows = {name: [] for name in ("api", "op", "api_ops", "kernelapi", "copyapi", "autograd")}
        self.api_of = {}
        self.callers = {(c.pid, c.correlation): hip(c.name) for c in found.calls}

    def api(self, r, name, args):
        row = {"id": self.options.first_id + len(self.rows["api"]), "pid": r.pid, "tid": r.tid, "start": r.start, "end": r.end, "apiName_id": self.strings(name),
               "args_id": self.strings(args)}
        self.rows["api"].append(row)
        return row["id"]

    def op(self, w, kind, description):
        op = self.options.first_id + len(self.rows["op"])
        self.rows["op"].append({"id": op, "gpuId": self.device(w), "queueId": w.stream, "sequenceId": 0, "completionSignal": "", "start": w.start, "end": w.end,
                                "description_id": self.strings(description), "opType_id": self.strings(kind)})
        api = self.api_of.get((w.pid, w.correlation))
        if api is not None:
            self.rows["api_ops"].append({"id": self.options.first_id + len(self.rows["api_ops"]), "api_id": api, "op_id": op})
        return api

    def device(self, w):
        return [(d.pid, d.id) for d in self.found.devices].index((w.pid, w.device))

    def kernel(self, w):
        api = self.op(w, "KernelExecution" if w.graph_node is None else "Task", w.name)
        if api is not None and w.graph_node is None:
            items = w.block if self.callers[(w.pid, w.correlation)] in IN_WORK_ITEMS else (1, 1, 1)
            self.rows["kernelapi"].append(dict({"api_ptr_id": api, "stream": "0x%x" % w.stream, "groupSegmentSize": w.shared or 0, "privateSegmentSize": 0,
                                                "kernelName_id": self.strings(w.name)}, **{"grid" + a: m * n for a, m, n in zip("XYZ", w.grid, items)},
                                               **{"workgroup" + a: n for a, n in zip("XYZ", w.block)}))

    def copy(self, w):
        kind, number = COPIES[w.name.split()[1]]
        api = self.op(w, kind, "")
        if api is not None:
            self.rows["copyapi"].append({"api_ptr_id": api, "stream": "0x%x" % w.stream, "size": w.bytes, "width": 0, "height": 0, "kind": number, "dst": "0x0",
                                         "src": "0x0", "dstDevice": 0, "srcDevice": 0, "sync": 0, "pinned": 0})

    def fill(self):
        for c in self.found.calls:
            self.api_of[(c.pid, c.correlation)] = self.api(c, hip(c.name), "")
        for r in self.found.ranges:
            self.api(r, "UserMarker", r.name)
        for i, r in enumerate(self.found.operators if self.options.operators else ()):
            self.rows["autograd"].append({"api_ptr_id": self.api(r, "UserMarker", r.name), "autogradName_id": self.strings(r.name), "seq": i, "op_id": i, "sizes": "[]"})
        for w in self.found.work:
            if w.kind == "kernel":
                self.kernel(w)
            elif w.kind == "copy":
                self.copy(w)
            elif w.kind == "set":
                self.op(w, "FillBuffer", "")

    def write(self, path):
        with File(path) as f:
            f.table("rocpd_api", "id:k pid tid start end apiName_id args_id", self.rows["api"])
            f.table("rocpd_op", "id:k gpuId queueId sequenceId completionSignal:t start end description_id opType_id", self.rows["op"])
            f.table("rocpd_api_ops", "id:k api_id op_id", self.rows["api_ops"])
            f.table("rocpd_kernelapi", "api_ptr_id:k stream:t gridX gridY gridZ workgroupX workgroupY workgroupZ groupSegmentSize privateSegmentSize kernelName_id",
                    self.rows["kernelapi"])
            f.table("rocpd_copyapi", "api_ptr_id:k stream:t size width height kind dst:t src:t dstDevice srcDevice sync pinned", self.rows["copyapi"])
            if self.options.operators:
                f.table("ext_autogradapi", "api_ptr_id:k autogradName_id seq op_id sizes:t", self.rows["autograd"])
            if self.options.monitors:
                f.table("rocpd_monitor", "id:k deviceType:t deviceId monitorType:t start end value:t", self.monitors())
            f.table("rocpd_metadata", "id:k tag:t value:t", [{"id": 1, "tag": "schema_version", "value": "2"}, {"id": 2, "tag": "session_id", "value": "0"}])
            f.table("rocpd_string", "id:k string:t", self.strings.rows("string"))

    def monitors(self):
        """The clock of every device, at every tenth of the capture."""
        first, last = self.found.calls[0].start, max(w.end for w in self.found.work)
        every = (last - first) // 10
        return [{"deviceType": "gpu", "deviceId": d, "monitorType": "sclk", "start": first + i * every, "end": first + (i + 1) * every, "value": str(1700 + 10 * i)}
                for d in range(len(self.found.devices)) for i in range(10)]


def write(path, found, options=Options()):
    writer = Writer(found, options)
    writer.fill()
    writer.write(path)
