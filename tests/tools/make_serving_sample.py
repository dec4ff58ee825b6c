#!/usr/bin/env python3
"""Writes the sample of LLM serving: an engine serves a small model on one GPU, as vLLM names its steps.

    make_serving_sample.py DIR

DIR/serving_rank0.pt.trace.json.gz: a prefill, decode steps that replay a graph each, a step with both, a pause, and a
step that waits for the CPU. DIR/capture_traces: the making of the graphs for 4 and 8 requests, which tells the
operators of the replays. Lengths of kernels follow from the FLOP and bytes of the operators; all of it is invented.
"""
import gzip
import json
import os
import sys

LAYERS, HIDDEN, HEADS, KV_HEADS, HEAD, INNER, WORDS = 4, 2048, 16, 4, 128, 5632, 32000
TFLOPS, TB_PER_S = 400.0, 3.2  # what the kernels reach
GPU = {"id": 0, "name": "AMD Instinct MI300X", "totalGlobalMem": 206141652992, "computeMajor": 9, "computeMinor": 4, "numSms": 304}
HOST, STREAM = 4000, 7


class Trace:
    def __init__(self, seed):
        self.events, self.correlation, self.external, self.state = [], 0, 0, seed
        self.host, self.device = 1000.0, 1000.0  # us: time of the thread, and when the device is free

    def jitter(self, share):
        """A factor near 1, the same in every run."""
        self.state = (self.state * 1103515245 + 12345) % 2**31
        return 1 + share * (self.state / 2**30 - 1)

    def slice(self, category, name, start, end, pid=HOST, tid=HOST, **args):
        self.events.append({"ph": "X", "cat": category, "name": name, "pid": pid, "tid": tid, "ts": round(start, 3),
                            "dur": round(end - start, 3), "args": args})

    def call(self, name, us, **args):
        self.correlation += 1
        self.slice("cuda_runtime", name, self.host, self.host + us, correlation=self.correlation, **args)
        self.host += us
        return self.correlation

    def work(self, name, us, correlation, category="kernel", **args):
        start = max(self.device, self.host)
        self.slice(category, name, start, start + us, pid=0, tid=STREAM, device=0, stream=STREAM, correlation=correlation, **args)
        self.device = start + us

    def save(self, path):
        os.makedirs(os.path.dirname(path), exist_ok=True)
        events = sorted(self.events, key=lambda e: (e["ts"], -e["dur"]))
        text = json.dumps({"schemaVersion": 1, "deviceProperties": [GPU], "traceEvents": events}, separators=(",", ":"))
        with open(path, "wb") as f:
            f.write(gzip.compress(text.encode(), 9, mtime=0))


def gemm_us(rows, inner, columns):
    flop = 2.0 * rows * inner * columns
    return max(flop / TFLOPS / 1e6, 2.0 * (rows * inner + inner * columns + rows * columns) / TB_PER_S / 1e6) + 1.5


def attention_us(tokens, k_sum, qk_sum):
    return max(4.0 * HEADS * HEAD * qk_sum / TFLOPS / 1e6, 2.0 * (2 * tokens * HEADS + 2 * k_sum * KV_HEADS) * HEAD / TB_PER_S / 1e6) + 2.5


def layer(tokens, k_sum, qk_sum):
    """Operators of a layer: name, input shapes, kernel, us."""
    def mm(inner, columns, kernel):
        return "aten::mm", [[tokens, inner], [inner, columns]], kernel, gemm_us(tokens, inner, columns)
    narrow = "small" if tokens <= 16 else "large"
    small = 2.0 + tokens * HIDDEN * 6 / TB_PER_S / 1e6
    heads = [[tokens, HEADS, HEAD], [tokens, KV_HEADS, HEAD], [tokens, KV_HEADS, HEAD]]
    return [("vllm::rms_norm", [[tokens, HIDDEN], [HIDDEN]], "rms_norm_kernel", small),
            mm(HIDDEN, (HEADS + 2 * KV_HEADS) * HEAD, "Cijk_Ailk_Bljk_BBS_BH_MT64x32x64_MI16x16x1_%s_qkv" % narrow),
            ("vllm::rotary_embedding", [[tokens, HEADS * HEAD]], "rotary_kernel", small),
            ("vllm::unified_attention", heads, "paged_attention_%s" % narrow, attention_us(tokens, k_sum, qk_sum)),
            mm(HEADS * HEAD, HIDDEN, "Cijk_Ailk_Bljk_BBS_BH_MT64x32x64_MI16x16x1_%s_out" % narrow),
            ("vllm::rms_norm", [[tokens, HIDDEN], [HIDDEN]], "rms_norm_kernel", small),
            mm(HIDDEN, 2 * INNER, "Cijk_Ailk_Bljk_BBS_BH_MT128x64x64_MI16x16x1_%s_up" % narrow),
            ("vllm::silu_and_mul", [[tokens, 2 * INNER]], "silu_kernel", small),
            mm(INNER, HIDDEN, "Cijk_Ailk_Bljk_BBS_BH_MT128x64x64_MI16x16x1_%s_down" % narrow)]


MODULES = ["RMSNorm", "Attention", "Attention", "Attention", "Attention", "RMSNorm", "MLP", "MLP", "MLP"]


def operators(t, tokens, k_sum, qk_sum, launch):
    """Run the layers; launch(kernel, us) makes the call of an operator."""
    model = t.host
    t.host += 1
    for n in range(LAYERS):
        begin, module, module_begin = t.host, None, 0.0
        t.host += 1
        for (name, shapes, kernel, us), part in zip(layer(tokens, k_sum, qk_sum), MODULES):
            if part != module:
                if module:
                    t.slice("python_function", "nn.Module: %s_%d" % (module, n), module_begin, t.host, **{"Python module id": 100 + n})
                module, module_begin = part, t.host
                t.host += 0.5
            start = t.host
            t.host += 2
            t.external += 1
            launch(kernel, us)
            t.host += 1
            t.slice("cpu_op", name, start, t.host, **{"External id": t.external, "Input Dims": shapes, "Input type": ["c10::BFloat16"] * len(shapes)})
            t.host += 0.5
        t.slice("python_function", "nn.Module: %s_%d" % (module, n), module_begin, t.host, **{"Python module id": 100 + n})
        t.slice("python_function", "nn.Module: DecoderLayer_%d" % n, begin, t.host + 0.2, **{"Python module id": 10 + n})
        t.host += 1
    t.slice("python_function", "nn.Module: LlamaModel_0", model, t.host, **{"Python module id": 1})
    t.host += 1


def eager(t, tokens, k_sum, qk_sum):
    def launch(kernel, us):
        t.work(kernel, us * t.jitter(0.03), t.call("hipModuleLaunchKernel", 4.0))
    operators(t, tokens, k_sum, qk_sum, launch)


def replay(t, batch, k_sum, qk_sum):
    correlation = t.call("hipGraphLaunch", 35.0)
    for _ in range(LAYERS):
        for _, _, kernel, us in layer(batch, k_sum, qk_sum):
            t.work(kernel, us * t.jitter(0.03), correlation)


def sample_tokens(t, requests, wait=0.0):
    """Take the most likely words and copy them to the host."""
    start = t.host
    t.external += 1
    t.host += 2
    t.work("argmax_kernel", 9 * t.jitter(0.05), t.call("hipLaunchKernel", 4.0))
    t.slice("cpu_op", "aten::argmax", start, t.host, **{"External id": t.external, "Input Dims": [[requests, WORDS]], "Input type": ["c10::BFloat16"]})
    t.host += 1
    t.work("Memcpy DtoH (Device -> Host)", 3, t.call("hipMemcpyAsync", 5.0), category="gpu_memcpy", bytes=requests * 8)
    begin = t.host
    t.host = max(t.host + 3, t.device + 4)
    t.slice("cuda_runtime", "hipEventSynchronize", begin, t.host)
    t.slice("python_function", "vllm/v1/worker/gpu_model_runner.py(3120): _bookkeeping_sync", t.host, t.host + 12 + wait, **{"Python id": 7})
    t.host += 12 + wait


def sums(lengths):
    """sq, sk, sqsq, sqsk of requests (tokens scheduled, tokens read)."""
    return (sum(q for q, _ in lengths), sum(k for _, k in lengths), sum(q * q for q, _ in lengths), sum(q * k for q, k in lengths))


def step(t, context, generation, graph, wait=0.0):
    begin, c, g = t.host, sums(context), sums(generation)
    t.host += 15
    tokens = c[0] + g[0]
    if graph:
        batch = 4 if tokens <= 4 else 8
        replay(t, batch, g[1], g[3])
    else:
        eager(t, tokens, c[1] + g[1], c[3] + g[3])
    sample_tokens(t, len(context) + len(generation), wait)
    text = "(sq%dsk%dsqsq%dsqsk%d)"
    name = "execute_%d_context_%d%s_generation_%d%s" % (tokens, len(context), text % c, len(generation), text % g)
    t.slice("user_annotation", name, begin, t.host)
    t.host += 6


def serve(path):
    t, prompts = Trace(1), [180, 240, 90, 310]
    step(t, [(n, n) for n in prompts], [], False)
    running = list(prompts)
    for k in range(26):
        if k == 12:  # three more requests arrive
            more = [150, 60, 220]
            step(t, [(n, n) for n in more], [(1, n + 1) for n in running], False)
            running = [n + 1 for n in running] + more
            continue
        if k == 20:  # nobody asks
            begin = t.host
            t.host += 60000
            t.slice("python_function", "queue.py(171): get", begin + 20, t.host - 5, **{"Python id": 8})
        wait = 900 if k in (6, 7, 16) else 0
        running = [n + 1 for n in running]
        step(t, [], [(1, n) for n in running], True, wait)
    t.save(path)


def capture(path, batch):
    t = Trace(batch)
    for _ in range(3):
        t.work("Memcpy DtoD (Device -> Device)", 2, t.call("hipMemcpyAsync", 3.0), category="gpu_memcpy", bytes=1024)
        t.host += 4
    begin = t.host
    t.host += 3
    t.call("hipStreamBeginCapture", 2.0)
    operators(t, batch, batch, batch, lambda kernel, us: t.call("hipModuleLaunchKernel", 3.0, kernel=kernel))
    t.call("hipStreamEndCapture", 4.0)
    t.slice("user_annotation", "capture_%d_FULL" % batch, begin, t.host + 2)
    t.save(path)


def main():
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    serve(os.path.join(sys.argv[1], "serving_rank0.pt.trace.json.gz"))
    for batch in (4, 8):
        capture(os.path.join(sys.argv[1], "capture_traces", "bs_%d_rank0.json.gz" % batch), batch)


if __name__ == "__main__":
    main()
