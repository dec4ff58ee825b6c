"""The critical path: from the window's end back along the work that later work waited for."""
import bisect
import collections
import heapq

from .idle import DELIVERY
from .spans import cut, minus, union
from .trace import MOVES, blocks, correlation_of, number_or_none

NEAR = 20000  # ns: a wait that ends this soon after another stream's work was for that work


class Segment:
    def __init__(self, t0, t1, category, name, inferred=False, device=None):
        self.t0, self.t1, self.category, self.name, self.inferred = t0, t1, category, name, inferred
        self.device = device  # categories of work that waits in a queue

    def parts(self, spans, category=None):
        """Splits merged spans by the category of the slices in them."""
        return [Segment(a, b, category or self.category, self.name, self.inferred, self.device) for a, b in cut(spans, self.t0, self.t1)]


def pieces_of(slices):
    """The counted slices of a thread as stretches with one innermost slice: [(start, end, slice)]."""
    slices = sorted((s for s in slices if s.kind != "annotation" and s.end > s.start), key=lambda s: s.start)
    edges = sorted({s.start for s in slices} | {s.end for s in slices})
    active, out, i = [], [], 0
    for a, b in zip(edges, edges[1:]):
        while i < len(slices) and slices[i].start <= a:
            s = slices[i]
            i += 1
            # innermost: started last; of equal starts the shorter; of equal slices the one inside
            heapq.heappush(active, (-s.start, s.end, [Backwards(x) for x in s.tie + (s.order,)], s.order, s))
        while active and active[0][1] <= a:
            heapq.heappop(active)
        if not active:
            continue
        s = active[0][4]
        if out and out[-1][2] is s and out[-1][1] == a:
            out[-1] = (out[-1][0], b, s)
        else:
            out.append((a, b, s))
    return out


class Backwards:
    def __init__(self, value):
        self.value = value

    def __lt__(self, other):
        return other.value < self.value

    def __eq__(self, other):
        return other.value == self.value


class Path:
    def __init__(self, trace, t0, t1, thread):
        self.trace, self.t0, self.t1 = trace, t0, t1
        self.out, self.visited = [], set()
        self.pieces = {t: pieces_of(s) for t, s in trace.on_thread.items()}
        self.pieces = {t: p for t, p in self.pieces.items() if p}
        self.ends = {t: [p[1] for p in ps] for t, ps in self.pieces.items()}
        # the thread whose first slice comes first in the file
        self.threads = sorted(self.pieces, key=lambda t: min(s.order for s in trace.on_thread[t]))
        self.by_end = {d: sorted(w, key=lambda w: (w.end, w.order)) for d, w in trace.devices.items()}
        self.end_keys = {d: [w.end for w in v] for d, v in self.by_end.items()}
        self.last_before = {}  # by stream: the work so far that ends last
        for key, works in trace.streams.items():
            best, list_ = None, []
            for w in works:
                list_.append(best)
                if best is None or w.end >= best.end:
                    best = w
            self.last_before[key] = list_
        self.records = collections.defaultdict(list)
        for s in trace.syncs:
            self.records[correlation_of(s[4])].append(s)
        self.events_of_stream = self.wait_events()
        self.walk(thread)
        self.out.reverse()

    # ---- dependencies

    def launched_before(self, device, stream, call):
        """The last work of a stream launched before a call."""
        best = None
        for w in self.trace.streams.get((device, stream), ()):
            if w.launch and w.launch.start < call.start and (best is None or w.launch.start >= best.launch.start):
                best = w
        return best

    def wait_events(self):
        """{work: [work it waited for]}: Stream Wait Event records, each for the first work launched after its call."""
        out = collections.defaultdict(list)
        for _, _, _, name, args, device in self.trace.syncs:
            if name != "Stream Wait Event":
                continue
            call = self.trace.call_of.get(correlation_of(args))
            record = self.trace.call_of.get(number_or_none(args.get("wait_on_cuda_event_record_corr_id")))
            if not call or not record:
                continue
            after = [w for w in self.trace.streams.get((device, str(args.get("stream"))), ())
                     if w.launch and w.launch.thread == call.thread and w.launch.start > call.start]
            if not after:
                continue
            source = self.launched_before(device, str(args.get("wait_on_stream")), record)
            if source is not None:
                out[min(after, key=lambda w: (w.launch.start, w.start, w.order))].append(source)
        return out

    def waited_for(self, s):
        """The work that a call waited for; None = none."""
        if s.kind != "call":
            return None
        if not blocks(s.name):
            if MOVES.search(s.name):
                own = [w for w in self.trace.launched.get(s, ()) if w.of == "copy" and w.end < s.end]
                return max(own, key=lambda w: (w.end, w.order)) if own else None
            return None
        works, records = self.trace.work, self.records.get(s.correlation) if s.correlation is not None else None
        if records:
            _, _, _, name, args, device = records[-1]
            if name == "Event Sync":
                event = number_or_none(args.get("wait_on_cuda_event_record_corr_id"))
                record = self.trace.call_of.get(event) if event is not None and event != -1 else None
                return self.launched_before(device, str(args.get("wait_on_stream")), record) if record else None
            if name == "Stream Sync":
                works = self.trace.streams.get((device, str(args.get("stream"))), ())
            elif name == "Context Sync":
                works = self.trace.devices.get(device, ())
        best = None
        for w in works:
            if w.start < s.end and (w.launch.start if w.launch else w.start) <= s.start and \
                    (best is None or (w.end, w.order) > (best.end, best.order)):
                best = w
        return best

    # ---- the walk

    def emit(self, a, b, category, name=None, inferred=False, device=None):
        a = max(a, self.t0)
        if b > a:
            self.out.append(Segment(a, b, category, name, inferred, device))

    def walk(self, thread):
        done = [w for w in self.trace.work if self.t0 < w.end <= self.t1]
        last = max(done, key=lambda w: (w.end, w.order)) if done else None
        host = None
        for t in self.threads:
            i = bisect.bisect_right(self.ends[t], self.t1) - 1
            if i >= 0 and (host is None or self.ends[t][i] > host[0]):
                host = (self.ends[t][i], t)
        if last and (host is None or last.end >= host[0]):
            self.emit(last.end, self.t1, "between")
            place, t = last, last.end
        else:
            place = thread if thread in self.pieces else host[1] if host else None
            t = self.t1
        while t > self.t0 and place is not None:
            place, t = self.at_work(place, t) if not isinstance(place, tuple) else self.at_thread(place, t)
        if t > self.t0:
            self.emit(self.t0, t, "unknown")

    def at_work(self, x, t):
        self.visited.add(x)
        self.emit(x.start, t, x.of, x.name)
        t = min(t, x.start)
        found = []  # (time, rank, kind, work)
        before = self.last_before[(x.device, x.stream)][x.at]
        while before is not None and before in self.visited:
            before = self.last_before[(x.device, x.stream)][before.at]
        if before is not None:
            found.append((min(before.end, t), 1, "stream", before))
        for w in self.events_of_stream.get(x, ()):
            if w not in self.visited:
                found.append((min(w.end, t), 2, "event", w))
        call = x.launch
        if call:
            waits = x.of == "copy" and call.end >= x.end
            found.append((min(call.start if waits else call.end, t), 0, "launch", None))
            if call.end < t:
                latest = max([c[0] for c in found] + [call.end])
                guess = self.ended_near(x, latest, t)
                if guess:
                    found.append((guess.end, 2, "inferred", guess))
        if not found:
            self.emit(self.t0, t, "unknown")
            return None, self.t0
        at, _, kind, work = max(found, key=lambda c: (c[0], c[1]))
        if kind == "launch":
            at = min(call.end, t)
            self.emit(at + DELIVERY, t, "queue", x.name, device=x.device)
            self.emit(at, min(t, at + DELIVERY), "launch", x.name)
            return call.thread, at
        if kind == "inferred" and at == t and self.out and self.out[-1].t0 == t:
            self.out[-1].inferred = True  # nothing lies between the two: mark the work itself
        self.emit(at, t, "queue" if call else "unknown", x.name, kind == "inferred", x.device)
        return work, at

    def ended_near(self, x, after, t):
        """Of the work of other streams that started before x, the one that ended last in (after, t], if near."""
        works = self.by_end[x.device]
        i = bisect.bisect_right(self.end_keys[x.device], t) - 1
        while i >= 0 and works[i].end > after and t - works[i].end <= NEAR:
            w = works[i]
            if w.stream != x.stream and w not in self.visited and w.start < x.start:
                return w
            i -= 1
        return None

    def at_thread(self, thread, t):
        ends = self.ends[thread] if thread in self.ends else []
        i = bisect.bisect_left(ends, t)  # the first piece that ends at t or later
        if i < len(ends) and self.pieces[thread][i][0] < t:
            a, _, s = self.pieces[thread][i]
            w = self.waited_for(s)
            if w is not None and w not in self.visited and w.start < t:
                e = min(w.end, t)
                if e > s.start:
                    self.emit(e, t, "sync", s.name)
                    return w, e
            self.emit(a, t, {"input": "input", "operator": "operator"}.get(s.kind) or ("sync" if blocks(s.name) else "runtime"), s.name)
            return thread, a
        j = i - 1 if i >= len(ends) or ends[i] > t else i
        u = ends[j] if j >= 0 else self.t0
        best = None
        for k in self.threads:
            if k == thread:
                continue
            n = bisect.bisect_right(self.ends[k], t) - 1
            if n < 0:
                continue
            e = self.ends[k][n]
            if n + 1 < len(self.ends[k]):
                start = self.pieces[k][n + 1][0]
                if start < t or (start == t and e == t):
                    continue
            if e > u and (best is None or e > best[0]):
                best = (e, k)
        if best:
            self.emit(best[0], t, "between")
            return best[1], best[0]
        self.emit(u, t, "between")
        return thread, min(u, t)


def marked(segments, trace, account, gaps):
    """Marks parts that are unknown: queues where their device's idle time is; blocking calls before any device work."""
    unknown = {d: union(s for g in gaps if g.device == d for s in g.unknown) for d in trace.devices}
    before = [(account[0][0], min(work[0].start for work in trace.devices.values()))] if trace.devices else []
    before = [s for s in before if s[1] > s[0]]
    for s in segments:
        spans = unknown[s.device] if s.category == "queue" else before if s.category == "sync" else []
        yield from sorted(s.parts(spans, "unknown") + s.parts(minus([(s.t0, s.t1)], spans)), key=lambda p: p.t0)


def critical_path(trace, runs, account, gaps):
    """Segments in the order of time: one walk per run, cut to the account."""
    out = []
    for t0, t1 in runs:
        for s in marked(Path(trace, t0, t1, trace.step_thread(t0, t1)).out, trace, account, gaps):
            out += s.parts(account)
    return out
