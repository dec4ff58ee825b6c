#!/usr/bin/env python3
"""The work for a trace grows no faster than its size. Counted are instructions, not time: of loading, of every table
by every key, of every screen, every export, every table of SQL, and of the commands that read whole traces. Each is
counted for shapes of N and of 4 N events, less the cost of a trace of one event. A sort costs a little more than 4
times as much; 4.5 times is allowed. To find a loop within a loop before it dominates, no single function of tracetty
may grow faster than a sort either, unless it is a negligible part of the work."""
import json
import os
import re
import subprocess
import sys
import tempfile

N, MOST = 250, 4.5
SLACK = 2_000_000  # instructions for work of fixed size
ALONE = 6          # growth allowed to a single function; a sort grows by 4 * (1 + 2 / log2 N) = 5
SHARE = 0.01       # share of all work below which a function may grow faster
TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
B = os.environ.get("B", os.path.join(TOP, "build"))
BIN = os.environ.get("BIN", os.path.join(TOP, "tracetty"))
SHAPES = {}
COMMANDS = ("flat same_place crossing crossing_kernels threads streams processes counters launches_in_operators launches_in_ranges memory_in_operators "
            "leaves steps collectives flows paddle_nested steps_in_one_place gaps_below_annotations frames_over_operators correlation_of_all equal "
            "workers").split()  # commands are counted on these shapes, too


def shape(f):
    SHAPES[f.__name__] = f
    return f


def x(name, ts, dur, cat="cpu_op", pid=1, tid=1, **args):
    return {"ph": "X", "cat": cat, "name": name, "pid": pid, "tid": tid, "ts": ts, "dur": dur,
            "args": {k.replace("_", " "): v for k, v in args.items()}}


def launch(ts, corr, tid=1, ext=None, dur=1):
    ids = {"correlation": corr} if ext is None else {"correlation": corr, "External_id": ext}
    return x("cudaLaunchKernel", ts, dur, "cuda_runtime", 1, tid, **ids)


def kernel(ts, dur, corr, device=0, stream=7, name="k", **args):
    return x(name, ts, dur, "kernel", device, stream, device=device, stream=stream, correlation=corr, **args)


def memory(ts, size, address, device=0, total=0):
    return {"ph": "i", "s": "t", "cat": "cpu_instant_event", "name": "[memory]", "pid": 1, "tid": 1, "ts": ts,
            "args": {"Device Type": 1, "Device Id": device, "Addr": address, "Bytes": size, "Total Allocated": total or 512 + ts,
                     "Total Reserved": 1 << 30}}


def nested(n, cat="cpu_op", name="d%d", **more):
    """n slices, each inside the one before; inner events have room from 2 n to 90 n."""
    return [x(name % i if "%" in name else name, i, 100 * n - 2 * i, cat, **{k: v(i) for k, v in more.items()}) for i in range(n)]


def frames(n, name):
    return nested(n, "python_function", name, Python_id=lambda i: i + 1, Python_parent_id=lambda i: i or None,
                  Python_module_id=lambda i: i)


def work(n, at, ext=None):
    """n launches inside, and their kernels after them."""
    for i in range(n):
        yield launch(at + 2 * i, i + 1, ext=ext and ext(i))
        yield kernel(200 * n + 2 * i, 1, i + 1)


@shape
def flat(n): return (x("o%d" % (i % 50), 10 * i, 5) for i in range(n))
@shape
def distinct(n): return (x("o%d" % i, 10 * i, 5, Input_Dims=[[i]], Call_stack="f.py(%d): g;h.py(1): i" % i) for i in range(n))
@shape
def same_place(n): return (x("o%d" % (i % 50), 5, 1 + i) for i in range(n))
@shape
def crossing(n): return (x("o%d" % (i % 50), i, n) for i in range(4 * n))  # a parent is searched among 256
@shape
def crossing_kernels(n): return (kernel(i, n, i + 1, 0, i, "k%d" % i) for i in range(n))
@shape
def crossing_frames(n): return (x("f.py(%d): f" % (i % 50), i, n, "python_function") for i in range(4 * n))
@shape
def threads(n): return [e for i in range(n) for e in (x("o", i, 5, tid=i), launch(i + 1, i + 1, i), kernel(i + 2, 2, i + 1, 0, i))]
@shape
def streams(n): return (kernel(10 * i, 5, i + 1, 0, i) for i in range(8 * n))
@shape
def processes(n): return (x("o", 10 * i, 5, pid=i) for i in range(n))
@shape
def counters_of_processes(n):
    return ({"ph": "C", "name": "c", "id": i, "pid": i, "tid": 1, "ts": i, "args": {"v": i}} for i in range(2 * n))
@shape
def counters(n): return ({"ph": "C", "name": "c%d" % i, "pid": 1, "tid": 1, "ts": i, "args": {"v": i}} for i in range(2 * n))
@shape
def devices(n): return [e for i in range(n) for e in (kernel(10 * i, 5, i + 1, i), memory(10 * i, 512, 9, i))]
@shape
def launches_in_operators(n): return [*nested(n, External_id=lambda i: i + 1), *work(n, 2 * n, lambda i: 1)]
@shape
def launches_of_nobody(n): return [*nested(n, External_id=lambda i: i + 1), *work(n, 2 * n, lambda i: 9 * n + i)]
@shape
def launches_in_ranges(n): return [*nested(n, "user_annotation", External_id=lambda i: i + 1), *work(n, 2 * n, lambda i: 1)]
@shape
def launches_in_one_range(n): return [*nested(n, "user_annotation", "r"), *work(n, 2 * n)]
@shape
def launches_in_steps(n): return [*nested(n, "user_annotation", "ProfilerStep#%d"), *work(n, 2 * n)]
@shape
def launches_in_launches(n): return [e for i in range(n) for e in (launch(i, i + 1, dur=2 * (n - i)), kernel(3 * n + i, 1, i + 1))]
@shape
def launches_behind(n): return [*nested(n), *[e for i in range(n) for e in (launch(100 * n + i, i + 1), memory(100 * n + i, 512, i + 1))]]
@shape
def launches_of_threads(n):
    for i in range(n):
        yield x("o%d" % i, 0, 10 * n, tid=10 + i, External_id=i + 1)
        yield launch(5 * i + 1, n + i + 1, ext=i + 1)
        yield kernel(5 * i + 2, 3, n + i + 1, External_id=i + 1)
@shape
def memory_in_operators(n): return [*nested(n), *[memory(2 * n + i, 512, i + 1) for i in range(n)]]
@shape
def memory_in_one_name(n): return [*nested(n, name="d"), *[memory(2 * n + i, 512, i + 1) for i in range(n)]]
@shape
def memory_of_devices(n):
    return [e for i in range(n) for e in (x("o%d" % i, 9 * i, 8), memory(9 * i, 512, 1, i), memory(9 * i + 2, -512, 1, i))]
@shape
def memory_freed_later(n): return [memory(i, 512 if i < n else -512, i % n + 1) for i in range(2 * n)]
@shape
def modules(n): return [*frames(n, "nn.Module: M_%d"), *work(n, 2 * n)]
@shape
def python(n): return [*frames(n, "f.py(%d): f"), *[x("o%d" % i, 3 * n + 2 * i, 1) for i in range(n)]]
@shape
def leaves(n): return [*nested(n), *[x("z", 3 * n + 2 * i, 1) for i in range(2 * n)]]
@shape
def steps(n):
    for i in range(n):
        yield x("ProfilerStep#%d" % i, 100 * i, 99, "user_annotation")
        yield x("aten::mm", 100 * i + 1, 20, External_id=i + 1)
        yield launch(100 * i + 2, n + i + 1, ext=i + 1)
        yield kernel(100 * i + 10, 50, n + i + 1, name="ncclDevKernel_AllReduce" if i % 2 else "gemm")
@shape
def collectives(n):
    for i in range(n):
        yield kernel(10 * i, 5, i + 1, name="ncclDevKernel_AllReduce", Collective_name="allreduce", In_msg_nelems=9, dtype="Float",
                     Process_Group_Name=str(i), Process_Group_Ranks="[0,1]")
@shape
def collectives_nested(n): return nested(2 * n, "user_annotation", "nccl:all_reduce")
@shape
def flows(n):
    for i in range(n):
        yield x("a", 10 * i, 5)
        for ph, ts in (("s", 10 * i), ("f", 10 * i + 1)):
            yield {"ph": ph, "bp": "e", "id": 7, "pid": 1, "tid": 1, "ts": ts, "cat": "fwdbwd", "name": "fwdbwd"}


@shape
def steps_in_one_place(n):
    for i in range(n):
        yield x("ProfilerStep#%d" % i, 0, 100 * n, "user_annotation")
        yield x("aten::mm", i, 1)
        yield kernel(i, 1, i + 1)
@shape
def gaps_below_annotations(n):
    yield from nested(n, "user_annotation", "a")
    yield from (e for i in range(n) for e in (launch(2 * n + 20 * i, i + 1), kernel(2 * n + 20 * i + 5, 1, i + 1)))
@shape
def frames_over_operators(n):
    yield from frames(n, "f.py(%d): f")
    yield from (e for i in range(n) for e in (x("o", 2 * n + 9 * i, 8), memory(2 * n + 9 * i + 4, 512, i + 1)))
@shape
def correlation_of_all(n): return [e for i in range(n) for e in (launch(10 * i, 7), kernel(10 * i + 5, 3, 7))]
@shape
def equal(n): return (x("o", 5, 9) for i in range(2 * n))
@shape
def workers(n):
    for i in range(n // 5):
        yield x("ProfilerStep#5", 10 * i, 9, "user_annotation", i)
        yield x("aten::mm", 10 * i, 5, pid=i)


def paddle(name, cat, ts, dur, tid=1, **args):
    times = {"start_time": "%d us" % ts, "end_time": "%d us" % (ts + dur)}
    return {"ph": "X", "cat": cat, "name": name, "pid": 1, "tid": "%d(C++)" % tid, "ts": ts, "dur": dur, "args": {**times, **args}}


@shape
def paddle_crossing(n):
    for i in range(n):
        ids = {"correlation id": i + 1}
        yield paddle("o%d" % (i % 50), "Operator", i, n)
        yield paddle("cudaLaunchKernel", "CudaRuntime", i, 2, **ids)
        yield paddle("k%d" % (i % 30), "Kernel", i, n, 7, device=0, stream=7, **ids)
@shape
def paddle_nested(n): return (paddle("o%d" % i, "Operator", i, 2 * (n - i)) for i in range(n))
@shape
def paddle_threads(n): return (paddle("o", "Operator", i, 5, i) for i in range(n))


def write(path, make, n):
    head = {"schemaVersion": 1}
    if make.__name__.startswith("paddle"):
        head = {"schemaVersion": "1.0.2", "displayTimeUnit": "ms", "span_indx": "0"}
    elif make.__name__ == "devices":
        head["deviceProperties"] = [{"id": i, "name": "X", "totalGlobalMem": 10000, "computeMajor": 8, "computeMinor": 0} for i in range(n)]
    with open(path, "w") as f:
        json.dump({**head, "traceEvents": list(make(n))}, f)


# Valgrind counts every byte of "rep movsb" as an instruction, and the memory behind a growing array decides whether it is copied:
# large arrays move by pages, others are copied by vector code.
TUNABLES = "glibc.cpu.x86_rep_movsb_threshold=1073741824:glibc.cpu.x86_rep_stosb_threshold=1073741824:glibc.malloc.mmap_threshold=131072"


def pinned():
    """Pin one simdjson implementation on x86 processors; elsewhere use the existing one."""
    force = {"SIMDJSON_FORCE_IMPLEMENTATION": "westmere"}
    out = subprocess.run([BIN, "doctor"], stdout=subprocess.PIPE, text=True, env={**os.environ, **force}).stdout
    return force if re.search("^ok +JSON reader .* westmere$", out, re.M) else {}


def count(program, paths, folder):
    """Instructions of the program for each path, in all and by function."""
    env = {**os.environ, **pinned(), "GLIBC_TUNABLES": TUNABLES, "XDG_CONFIG_HOME": folder, "XDG_STATE_HOME": folder}
    command = ["valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=%s/count.%%p" % folder, *program, *paths]
    counts, total, functions = [], {}, {}
    with open(folder + "/errors", "w+") as errors:
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors, text=True, env=env, errors="replace") as p:
            for line in p.stdout:  # read at once: a busy machine soon reuses the process number for another child
                pid, path = line.rstrip("\n").split(" ", 1)
                counts.append((path, "%s/counted.%d" % (folder, len(counts))))
                os.rename("%s/count.%s" % (folder, pid), counts[-1][1])
        if p.returncode:
            errors.seek(0)
            print("FAIL counting: %s" % errors.read()[-500:])
            sys.exit(1)
    for path, counted in counts:
        by, name, file, sum_ = {}, "", "", 0
        for l in open(counted, errors="replace"):
            if l.startswith("fl="):
                own = re.search(r"/((?:model|parser|tui)/[^/].*)", l.strip())
                file = own and own.group(1)
            elif l.startswith("fn="):
                name = "%s:%s" % (file, l[3:].strip())
            elif l[0].isdigit():
                k = int(l.split()[1])
                sum_ += k
                if file:
                    by[name] = by.get(name, 0) + k
        total[path], functions[path] = sum_, by
    return total, functions


def is_of(path, names):
    name = os.path.basename(path).split(".")[0]
    return name == "one" or name in names


def judge(what, small, large, least, total, functions):
    a, b = (max(0, total[p] - total[least]) for p in (small, large))
    f, g, one = functions[small], functions[large], functions[least]
    alone = [(g[k] - ALONE * max(f.get(k, 0), one.get(k, 0)), k) for k in g]
    bad = [k for more, k in sorted(alone, reverse=True) if more > SHARE * b + SLACK / 10][:5]
    ok = b <= MOST * a + SLACK and not bad
    print("%s %s: %.2f times the work, %.0f million instructions" % ("ok" if ok else "FAIL", what, b / max(a, 1), b / 1e6))
    for k in bad:
        print("   %s: %.1f times, %.1f million" % (k, g[k] / max(f.get(k, 0), 1), g[k] / 1e6))


def main():
    program = os.path.join(B, "tests/bench/growth")
    if subprocess.run(["sh", "-c", "command -v valgrind"], stdout=subprocess.DEVNULL).returncode:
        print("skip valgrind is not installed")
        return
    symbols = subprocess.run(["nm", program], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout
    if re.search("__asan_init|__tsan_init|__gcov_", symbols):
        print("skip built with a sanitizer, or to count lines")
        return
    names = sys.argv[1:] or list(SHAPES)
    with tempfile.TemporaryDirectory() as folder:
        paths = ["%s/one.json" % folder]
        write(paths[0], flat, 1)
        for name in names:
            for n in (N, 4 * N):
                paths.append("%s/%s.%d.json" % (folder, name, n))
                write(paths[-1], SHAPES[name], n)
        for options in ([], ["--commands"]):
            some = [n for n in names if n in COMMANDS or not options]
            total, functions = count([program, *options], [p for p in paths if options == [] or is_of(p, some)], folder)
            for name in some:
                small, large = ("%s/%s.%d.json" % (folder, name, n) for n in (N, 4 * N))
                judge(" ".join([name, *options]), small, large, paths[0], total, functions)


main()
