"""A Chrome JSON trace of a profiler as device work, host slices, and the calls that launched the work.

Times are integer nanoseconds read from the digits, never through a double. Only what the definitions need is kept;
this reader knows nothing of tracetty's."""
import collections
import decimal
import gzip
import json
import re

KERNEL = {"kernel": "kernel", "gpu_memcpy": "copy", "memcpy": "copy", "gpu_memset": "copy", "memset": "copy", "mtia_ccp_events": "kernel"}
CALL = re.compile(r"(^|_|cuda)(runtime|driver)$")
# events that describe the recording or other slices and have no time of their own
NO_ACTIVITY = ("trace", "overhead", "gpu_user_annotation", "cuda_sync", "cuda_event", "cuda_profiler_range", "mtia_insight")
OPERATOR = ("cpu_op", "operator", "operatorinner")
ANNOTATION = ("user_annotation", "userdefined", "pythonuserdefined")
COLLECTIVE = re.compile(r"nccl|rccl|hccl|hcom_|cross_device_reduce|multimem_|(one|two)_shot_all_reduce|allreduce_fusion_kernel|mori::moe::Ep|deep_ep::(?!layout::)", re.I)
INPUT = re.compile(r"^(enumerate\(DataLoader\)#.*\.__next__$|enumerate\(DataPipe\)#)")
NO_OPERATOR = re.compile(r"^(ProfilerStep#|enumerate\(Data)")  # old traces write annotations as operators
BLOCKING = re.compile(r"^(cuda|hip)(Device|Stream|Event)Synchronize|^cu(Ctx|Stream|Event)Synchronize")
MOVES = re.compile(r"Memcpy|Memset")
MOVES_AND_BLOCKS = re.compile(r"^(cuda|hip)(Memcpy|Memset)")


def ns(value):
    return int((decimal.Decimal(value) * 1000).to_integral_value(rounding=decimal.ROUND_HALF_EVEN))


def blocks(name):
    return bool(BLOCKING.match(name) or (MOVES_AND_BLOCKS.match(name) and "Async" not in name))


class Slice:
    """A slice of a host thread: kind is input, call, operator or annotation."""
    __slots__ = ("start", "end", "name", "kind", "thread", "order", "tie", "correlation", "args")

    def __init__(self, start, end, name, kind, thread, order, tie, correlation, args):
        self.start, self.end, self.name, self.kind, self.thread = start, end, name, kind, thread
        self.order, self.tie, self.correlation, self.args = order, tie, correlation, args


class Work:
    """Device work; launch is the call that started it, None if the file lacks it."""
    __slots__ = ("start", "end", "name", "of", "device", "stream", "launch", "first", "order", "args", "at", "is_set")

    def __init__(self, start, end, name, of, device, stream, order, args):
        self.start, self.end, self.name, self.of, self.device, self.stream = start, end, name, of, device, stream
        self.launch, self.first, self.order, self.args, self.at = None, False, order, args, None
        self.is_set = False


def number_or_none(value):
    try:
        return int(value)
    except (TypeError, ValueError, decimal.InvalidOperation):
        return None


def correlation_of(args):
    for key in ("correlation", "correlation id"):
        if key in args:
            return number_or_none(args[key])
    return None


def load(path):
    raw = open(path, "rb").read()
    text = (gzip.decompress(raw) if raw[:2] == b"\x1f\x8b" else raw).decode("utf-8", "replace")
    doc = json.loads(text, parse_float=decimal.Decimal, strict=False)
    return doc if isinstance(doc, dict) else {"traceEvents": doc}


def tie_of(args, kind, name):
    """Nesting of slices with equal times: smaller ids outside; then annotations, operators, calls."""
    far = 1 << 62
    ids = [number_or_none(args.get(k)) for k in ("External id", "Ev Idx")]
    return tuple(far if i is None else i for i in ids) + ({"annotation": 0, "input": 0, "operator": 1, "call": 2}[kind], name)


class Trace:
    def __init__(self, path):
        self.doc = load(path)
        self.work, self.slices, self.syncs, self.steps, self.python = [], [], [], [], []
        self.base, self.threads, self.host_start, self.host_end = None, {}, None, None
        for order, e in enumerate(self.doc["traceEvents"]):
            if isinstance(e, dict):
                self.take(order, e)
        self.join()

    def take(self, order, e):
        if e.get("ph") == "M" or "ts" not in e:
            return
        start = ns(e["ts"])
        if self.base is None or start < self.base:
            self.base = start
        if e.get("ph") != "X":
            return
        end = start + max(0, ns(e.get("dur", 0)))
        cat, name, args = str(e.get("cat", "")).lower(), str(e.get("name", "")), e.get("args") or {}
        if cat in KERNEL:
            device = number_or_none(args.get("device", e.get("pid")))
            stream = str(args.get("stream", e.get("tid")))
            of = "copy" if KERNEL[cat] == "copy" else "communication" if COLLECTIVE.search(name) else "computation"
            self.work.append(Work(start, end, name, of, device, stream, order, args))
            self.work[-1].is_set = "memset" in cat
            return
        if cat not in NO_ACTIVITY and str(e.get("pid")) not in ("Spans", "Traces"):
            self.host_start = start if self.host_start is None else min(start, self.host_start)
            self.host_end = end if self.host_end is None else max(end, self.host_end)
        if cat == "cuda_sync":
            self.syncs.append((order, start, end, name, args, number_or_none(args.get("device", e.get("pid")))))
            return
        thread = (str(e.get("pid")), str(e.get("tid")))
        if cat == "python_function":
            self.python.append((thread, start, end, name, order))
            return
        kind = self.kind_of(cat, name)
        if kind is None:
            return
        s = Slice(start, end, name, kind, thread, order, tie_of(args, kind, name), correlation_of(args), args)
        self.threads.setdefault(thread, order)
        self.slices.append(s)
        if kind == "annotation" and re.match(r"^ProfilerStep#", name) or cat == "profilestep":
            self.steps.append(s)

    @staticmethod
    def kind_of(cat, name):
        if cat == "dataloader" or (cat in OPERATOR + ANNOTATION and INPUT.match(name)):
            return "input"
        if CALL.search(cat):
            return "call"
        if cat in OPERATOR:
            return "annotation" if NO_OPERATOR.match(name) else "operator"
        if cat in ANNOTATION or cat == "profilestep":
            return "annotation"
        return None

    def join(self):
        calls = {}
        for s in self.slices:
            if s.kind == "call" and s.correlation is not None:
                calls[s.correlation] = s  # the last one in the file
        self.call_of, self.launched = calls, collections.defaultdict(list)
        self.steps.sort(key=lambda s: (s.start, s.order))
        self.devices, self.streams = collections.defaultdict(list), collections.defaultdict(list)
        for w in sorted(self.work, key=lambda w: (w.start, w.order)):
            w.launch = calls.get(correlation_of(w.args))
            if w.launch is not None:
                w.first = w.launch not in self.launched
                self.launched[w.launch].append(w)
            self.devices[w.device].append(w)
            w.at = len(self.streams[(w.device, w.stream)])
            self.streams[(w.device, w.stream)].append(w)
        self.work.sort(key=lambda w: (w.start, w.order))
        self.on_thread = collections.defaultdict(list)
        for s in self.slices:
            self.on_thread[s.thread].append(s)

    def step_thread(self, t0=None, t1=None):
        """The thread of the annotation of the first step that touches the window."""
        for s in self.steps:
            if t0 is None or (s.end > t0 and s.start < t1):
                return s.thread
        return self.steps[0].thread if self.steps else None
