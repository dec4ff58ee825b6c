#!/usr/bin/env python3
"""`export --anonymise` keeps exact names only. Names from tui/anonymise/*.def get a secret at their beginning, in
their middle or at their end, and addresses and identities get other digits. They stand in every place of a trace that
holds text; no output format may contain the secrets. Names without a secret must stay where the kind of event has such
names. ANONYMISE_SEED=N uses another set of names."""
import glob
import gzip
import json
import os
import random
import re
import sqlite3
import subprocess
import tempfile

BIN = os.environ["BIN"]
TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
seed = int(os.environ.get("ANONYMISE_SEED", "1"))
rng = random.Random(seed)


def report(what, ok, why=""):
    print(("ok " if ok else "FAIL ") + what + ("" if ok else ": " + str(why)[:700]))


def lists():
    """The texts of every list, by its name in capitals."""
    out = {}
    for path in glob.glob(TOP + "/tui/anonymise/*.def"):
        text = re.sub(r"/\*.*?\*/", "", open(path).read(), flags=re.S)
        if path.endswith("/lists.def"):
            continue
        parts = re.findall(r'LIST\((\w+),((?:\s*"(?:[^"\\]|\\.)*",?)+)\)', text) or [(os.path.basename(path)[:-4].upper(), text)]
        for name, body in parts:
            out[name] = "".join(re.findall(r'"([^"]*)"', body)).split("|")[:-1]
    return out


LISTS = lists()
secrets = []


def secret():
    """Letters that no public name contains."""
    secrets.append(rng.choice(["qzj", "Qzj", "xqz_"]) + "".join(rng.choice("bcdfghjkmnpqvwxz") for _ in range(9)))
    return secrets[-1]


def identity():
    """An address, a UUID or another identity."""
    octet = lambda: str(rng.randrange(2, 255))  # noqa: E731
    digits = lambda n: "".join(rng.choice("0123456789abcdef") for _ in range(n))  # noqa: E731
    made = rng.choice([
        ".".join(("10", octet(), octet(), octet())), ":".join(digits(4) for _ in range(8)), "fe80::" + ":".join(digits(4) for _ in range(4)),
        "-".join(digits(n) for n in (8, 4, 4, 4, 12)), ":".join(digits(2) for _ in range(6)), digits(40),
        "-".join("".join(rng.choice("0123456789") for _ in range(n)) for n in (8, 4, 4, 4, 12))])
    secrets.append(made)
    return rng.choice(["", "tcp://", "GPU-", "host="]) + made + rng.choice(["", ":29500", "/24"])


def spoilt(name):
    """A listed name with an inserted text that no list has."""
    what = rng.choice(["", "", "_", ".", "::", "/", " ", "-", "@", "#"])
    add = secret() if rng.random() < 0.8 else identity()
    at = rng.choice([0, len(name), rng.randrange(len(name) + 1)])
    name = name.replace("#", str(rng.randrange(100)))
    return name[:at] + (what if at else "") + add + (what if at < len(name) else "") + name[at:]


def some(names, n=12):
    names = LISTS[names]
    return [rng.choice(names) for _ in range(n)]


CATS = [c.replace("#", "2") for c in LISTS["CATEGORIES"]] + ["Kernel", "Forward", "Operator", "UserDefined", "OperatorInner"]
NAMES = {"cpu_op": ("ATEN", "OPERATORS", "NODES", "RANGES", "CANN", "CALLS", "PADDLE", "HEADS", "NAMESPACES"), "user_annotation": ("RANGES", "HEADS", "TAILS", "OWNERS", "OPERATORS"),
         "kernel": ("KERNELS", "KERNEL_HEADS", "KERNEL_WORDS", "HLO_WORDS", "CANN", "ATEN", "CALLS"), "cuda_runtime": ("CALLS", "CALL_ENDS", "CALL_WORDS"), "cuda_driver": ("CALLS",),
         "gpu_memcpy": ("KERNELS",), "overhead": ("KERNELS", "CALLS"), "UserDefined": ("PADDLE", "PARTS", "TIMES"), "OperatorInner": ("PADDLE", "PARTS", "TIMES"), "Forward": ("MODULES", "TIMES")}
FORMS = {"NODES": ("%sBackward0", "autograd::engine::evaluate_function: %sBackward0"), "ATEN": ("aten::%s", "%s_kernel_cuda"), "NAMESPACES": ("%s::op",), "HEADS": ("%s", "%sAdamW.step"),
         "KERNELS": ("void at::native::%s<float, 4>(int)", "%s"), "KERNEL_HEADS": ("%s_gemm_128x64_tn", "%s_fused_add_0"), "CALLS": ("%s", "%s_v7000", "AscendCL@%s", "%s[3.1 us]")}


def frames():
    """Python frames with a secret in their file, function, module or type."""
    for path in some("TORCH_FILES", 8) + some("PYTHON_FILES", 8):
        function = rng.choice(LISTS["TORCH_FUNCTIONS" if path.startswith("torch/") else "PYTHON_FUNCTIONS"])
        root = rng.choice(["", "/v/lib/python3.11/site-packages/", "/v/lib/python3.11/", "/v/lib/python/", "/v/dist-packages/"])
        yield "%s%s(12): %s" % (root, spoilt(path), function)
        yield "%s%s(12): %s" % (root, path, spoilt(function))
        yield "%s%s(%s): %s" % (root, path, spoilt("1"), function)
        yield "%s%s/%s(12): %s" % (root, secret(), path, function)
    for name in some("FROZEN", 4):
        yield "<frozen %s>(1): f" % spoilt(name)
    for name in some("BUILTINS", 6):
        kind = rng.choice(LISTS["BUILTIN_TYPES"])
        yield "<built-in function %s>" % spoilt(name)
        yield "<built-in method %s of %s object at 0x7f12>" % (spoilt(name), kind)
        yield "<built-in method %s of %s object at 0x7f12>" % (name, spoilt(kind))
        yield "<built-in method %s of %s object at 0x7f12%s>" % (name, kind, secret())
    for name in some("MODULES", 6):
        yield "nn.Module: " + spoilt(name) + "_0"
        yield "nn.Module: " + name + "_" + secret()
    for name in some("HOOKS", 4):
        yield "[pl][profile]" + spoilt(name)


def plant():
    events, t = [], 0
    add = events.append
    for cat, kinds in NAMES.items():
        for kind in kinds:
            for name in some(kind, 9):
                t += 10
                name = spoilt(rng.choice(FORMS.get(kind, ("%s",))) % name)
                args = {"External id": t, "correlation": t} if cat in ("cpu_op", "cuda_runtime", "kernel") else {}
                add({"ph": "X", "cat": cat, "name": name, "pid": 1 if cat != "kernel" else 0, "tid": 7, "ts": t, "dur": 8, "args": args})
    for n, name in enumerate(frames()):
        t += 10
        add({"ph": "X", "cat": "python_function", "name": name, "pid": 1, "tid": 7, "ts": t, "dur": 8, "args": {"Python id": n + 1}})
        add({"ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 1, "tid": 8, "ts": t, "dur": 8, "args": {"Call stack": name + ";" + name}})
    for key in some("KEYS", 80):
        t += 10
        key = key.replace("#", "1")
        value = rng.choice([lambda: spoilt(rng.choice(LISTS["VALUES"])), identity, secret, lambda: [spoilt("float"), {spoilt("a"): spoilt("Half")}]])()
        cat = rng.choice(["cpu_op", "kernel", "cuda_runtime", "user_annotation", "gpu_memcpy"])
        name = {"cpu_op": "aten::mm", "cuda_runtime": "cudaLaunchKernel", "user_annotation": "forward"}.get(cat, "gemm")
        add({"ph": "X", "cat": cat, "name": name, "pid": 1, "tid": 7, "ts": t, "dur": 8, "args": {key: value, spoilt(key): 1, spoilt(key): spoilt("x")}})
        if key not in ("ph", "name", "ts", "dur", "args", "pid", "tid", "cat", "s", "f"):
            add({"ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 1, "tid": 7, "ts": t, "dur": 8, key: value, spoilt(key): spoilt("x")})
    for place in some("PLACES", 20):
        t += 10
        add({"ph": "M", "name": rng.choice(["process_name", "thread_name", "process_labels"]), "pid": t, "tid": t, "ts": 0, "args": {"name": spoilt(place), "labels": spoilt(place)}})
        add({"ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": spoilt(place), "tid": spoilt(place), "ts": t, "dur": 8})
        add({"ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": identity(), "tid": identity(), "ts": t, "dur": 8})
    for cat in [rng.choice(CATS) for _ in range(30)]:
        t += 10
        add({"ph": "X", "cat": spoilt(cat), "name": rng.choice(["aten::mm", spoilt("gemm")]), "pid": 1, "tid": 7, "ts": t, "dur": 8})
        add({"ph": "X", "cat": cat, "name": spoilt(rng.choice(["forward", "gemm", "aten::mm", "x"])), "pid": 1, "tid": 7, "ts": t, "dur": 8})
        add({"ph": rng.choice("sfti"), "cat": cat, "name": spoilt("ac2g"), "id": rng.choice([7, spoilt("7"), identity()]), "pid": 1, "tid": 7, "ts": t, "s": "t"})
    for n in range(12):  # a program's own names made of listed words, and words of hexadecimal digits
        t += 10
        words = [w for w in LISTS[rng.choice(["HLO_WORDS", "CANN", "KERNEL_WORDS"])] if len(w) > 3 and w.isalpha()]
        secrets.append("_".join(rng.sample(words, 4)))
        add({"ph": "X", "cat": "user_annotation", "name": secrets[-1], "pid": 1, "tid": 7, "ts": t, "dur": 8})
        add({"ph": "X", "cat": "cpu_op", "name": secrets[-1], "pid": 1, "tid": 7, "ts": t, "dur": 8})
        secrets.append("".join(rng.choice("abcdef") for _ in range(12)))
        key = rng.choice(LISTS["KEYS"])
        add({"ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 1, "tid": 7, "ts": t, "dur": 8, "args": {key: secrets[-1]}})
        secrets.append("c%d::%d:%d" % tuple(rng.randrange(256, 1000) for _ in range(3)))
        add({"ph": "X", "cat": "kernel", "name": "gemm " + secrets[-1], "pid": 1, "tid": 7, "ts": t, "dur": 8, "args": {key: secrets[-1]}})
    for name in some("METAS", 4):
        add({"ph": "M", "name": spoilt(name), "pid": 1, "tid": 1, "ts": 0, "args": {"name": secret()}})
    for name in some("RANGES", 6):
        add({"ph": "C", "name": spoilt(name), "pid": 1, "tid": 1, "ts": t, "args": {spoilt("KB"): 7, secret(): 8}})
    doc = {"schemaVersion": 1, "deviceProperties": [{"id": 0, "name": "NVIDIA A100-SXM4-80GB " + spoilt("Ti"), "uuid": identity(), spoilt("uuid"): identity()}],
           "distributedInfo": {"backend": spoilt("nccl"), "rank": 0, "world_size": 1, "master": identity(), "pg_config": [{"pg_name": spoilt("0"), "pg_desc": spoilt("default_pg")}]},
           "hostname": secret(), "host_name": identity(), "serial": int("98765" + str(rng.randrange(10**9))), secret(): 7}
    secrets.append(str(doc["serial"]))
    for key in some("HEADER_KEYS", 20):
        doc.setdefault(key.replace("#", "1") if rng.random() < 0.5 else spoilt(key), rng.choice([spoilt("1"), identity(), {secret(): secret(), "name": spoilt("GPU")}, [secret()]]))
    doc["traceEvents"] = events
    return doc


def everything(path):
    data = open(path, "rb").read()
    data = data[:4096] + gzip.decompress(data) if path.endswith(".gz") else data
    if path.endswith(".tts"):
        for args in (("summary", "--table", "all", "--format", "json"), ("check",)):
            data += subprocess.run([BIN, *args, path], capture_output=True, stdin=subprocess.DEVNULL).stdout
    if path.endswith(".sqlite"):
        db = sqlite3.connect(path)
        data += "\n".join(str(r) for (n,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
                          for r in db.execute('SELECT * FROM "%s"' % n)).encode()
    return data.decode("latin-1").lower()


with tempfile.TemporaryDirectory() as d:
    os.environ["XDG_STATE_HOME"] = d + "/state"
    doc = plant()
    source, other = d + "/%s.json" % secret(), d + "/%s.pt.trace.json.gz" % secret()
    with open(source, "w") as f:
        json.dump(doc, f)
    with gzip.open(other, "wt") as f:
        json.dump(doc, f)
    text = json.dumps(doc)
    secrets[:-2] = [s for s in secrets[:-2] if s in text]  # some secrets are generated but not placed
    report("seed %d: %d secrets are in the trace and in the names of its files" % (seed, len(secrets)), len(secrets) > 1000, len(secrets))
    for name, options, inputs in (("a.json", [], [source]), ("a.json.gz", [], [other]), ("merged.json", ["--merge"], [source, other]),
                                  ("a.sqlite", ["--args"], [source]), ("a.txt", ["--stacks", "time"], [source]), ("a.folded", ["--stacks", "device"], [source]),
                                  ("a.tts", [], [source, other])):
        p = subprocess.run([BIN, "export", "--anonymise", *options, *inputs, "-o", d + "/" + name], capture_output=True, text=True, stdin=subprocess.DEVNULL)
        out = everything(d + "/" + name) if p.returncode == 0 else ""
        left = sorted({s for s in secrets if s.lower() in out})
        where = out.find(left[0].lower()) if left else 0
        report("none of them is left in " + name, p.returncode == 0 and not left, (p.stderr, len(left), left[:5], out[max(0, where - 160):where + 80]))

    # names without a secret
    plain = [("cpu_op", "aten::" + n) for n in LISTS["ATEN"]] + [("cpu_op", n) for n in LISTS["OPERATORS"]] + [("cpu_op", n + "Backward0") for n in LISTS["NODES"]]
    plain += [("cuda_runtime", n) for n in LISTS["CALLS"]] + [("kernel", "void at::native::%s<float, 4>(int)" % n) for n in LISTS["KERNELS"]]
    plain += [("kernel", n) for n in ("sm90_xmma_gemm_bf16bf16_bf16f32_f32_tn_n_tilesize128x128x64_warpgroupsize1x1x1_execute_segment_k_off_kernel__5x_cublas",
                                      "ncclDevKernel_AllReduce_Sum_bf16_RING_LL(ncclDevKernelArgsStorage<4096ul>)", "nvjet_hsh_128x256_64x4_1x2_h_bz_coopA_TNT",
                                      "cutlass_80_tensorop_s1688gemm_128x256_16x3_tn_align4", "triton_poi_fused_add_mul_relu_0", "loop_add_fusion_3", "aclnnAddmm_MatMulCommon_MatMulV2")]
    plain += [("user_annotation", re.sub("(?<!#)#(?!#)|(?<=#)#", "5", n)) for n in LISTS["RANGES"]]
    plain += [("python_function", "%s(3): forward" % n) for n in LISTS["TORCH_FILES"] + LISTS["PYTHON_FILES"]]
    events = [{"ph": "X", "cat": c, "name": n, "pid": 1, "tid": 7, "ts": 10 * i, "dur": 8} for i, (c, n) in enumerate(plain)]
    with open(d + "/plain.json", "w") as f:
        json.dump({"traceEvents": events}, f)
    subprocess.run([BIN, "export", "--anonymise", d + "/plain.json", "-o", d + "/kept.json"], capture_output=True)
    kept = json.load(open(d + "/kept.json"))["traceEvents"]
    hidden = [(a["name"], b.get("name")) for a, b in zip(events, kept) if a["name"] != b.get("name")]
    report("%d public names stay" % len(plain), len(kept) >= len(plain) and not hidden, (len(kept), len(hidden), hidden[:6]))
