/* model/trace/advice.c - see advice.h. */
#include "model/trace/advice.h"

#include <stddef.h>

static const tt_advice usual = {
    .record_device = "profile with ProfilerActivity.CUDA",
    .no_device = "profile with ProfilerActivity.CUDA; on some systems CUPTI needs more rights (see tracetty doctor)",
    .record_host = "profile with ProfilerActivity.CPU, or record with --ops",
    .record_memory = "profile with profile_memory=True",
    .mark_steps = "call prof.step() in the training loop, or record with --step-marker",
    .mark_ranges = "mark parts of the program with torch.profiler.record_function(\"name\") or NVTX",
    .collectives = "NCCL, RCCL or HCCL kernels or ranges such as gloo:all_reduce",
    .load_data = "load data in several worker processes (DataLoader num_workers), with pinned memory and prefetching",
    .fewer_launches = "CUDA graphs, torch.compile, fused or foreach optimizers, larger batches",
    .larger_kernels = "CUDA graphs, torch.compile, fused optimizers",
    .mixed_precision =
        "use mixed precision (torch.autocast) or allow TF32, so that these operators run on tensor cores",
};

const tt_advice tt_advice_torch_npu = {
    .record_device = "profile with torch_npu.profiler.ProfilerActivity.NPU",
    .no_device =
        "profile with torch_npu.profiler.ProfilerActivity.NPU; when the result is written, the CANN toolkit has "
        "to be installed and its environment set (set_env.sh)",
    .record_host = "profile with torch_npu.profiler.ProfilerActivity.CPU",
    .record_memory = "profile with profile_memory=True",
    .mark_steps = "call prof.step() in the training loop",
    .mark_ranges = "mark parts of the program with torch.profiler.record_function(\"name\") or torch_npu.npu.mstx",
    .collectives = "HCCL operations or ranges such as gloo:all_reduce",
    .load_data = "load data in several worker processes (DataLoader num_workers), with pinned memory and prefetching",
    .fewer_launches = "torch.compile with torchair, fused operators and optimizers of torch_npu, larger batches",
    .larger_kernels = "torch.compile with torchair, fused optimizers of torch_npu",
    .mixed_precision = "use mixed precision (torch.npu.amp.autocast), so that these operators run on the cube units",
};

const tt_advice tt_advice_mindspore = {
    .record_device = "profile with mindspore.Profiler(), made before the first step",
    .no_device = "make mindspore.Profiler() before the first step and call analyse() at the end; from MindSpore 2.5 on "
                 "profile with ProfilerActivity.NPU among the activities",
    .record_host = "profile with mindspore.Profiler(); from MindSpore 2.5 on with ProfilerActivity.CPU among the "
                   "activities",
    .record_memory = "profile with mindspore.Profiler(profile_memory=True)",
    .mark_steps = "train with mindspore.Model, or call profiler.step() in the training loop",
    .mark_ranges = "mark parts of the program with mindspore.profiler.mstx.range_start(\"name\")",
    .collectives = "collectives on the device or ranges such as hccl:all_reduce",
    .load_data = "raise num_parallel_workers of the dataset's operators, store the data as MindRecord, and feed the "
                 "device from a queue (dataset_sink_mode=True)",
    .fewer_launches = "graph mode (mindspore.set_context(mode=mindspore.GRAPH_MODE)) or @mindspore.jit, larger batches",
    .larger_kernels = "graph mode, @mindspore.jit, fused optimizers",
    .mixed_precision = "use mixed precision (mindspore.Model(amp_level=\"O2\") or mindspore.amp.auto_mixed_precision)",
};

/* Of any framework: what the framework's own profiler says comes first. */
const tt_advice tt_advice_msprof = {
    .record_device = "record with msprof --ascendcl=on --task-time=on, or with the profiler of the framework",
    .no_device = "record with msprof --task-time=on, and export with msprof --export=on where CANN is installed",
    .record_host = "record with the profiler of the framework, torch_npu.profiler or mindspore.Profiler",
    .record_memory = "record with the profiler of the framework and profile_memory=True",
    .mark_steps = "record with the profiler of the framework, or with msprof --model-execution=on where the model has "
                  "iterations",
    .mark_ranges = "mark parts of the program with mstx and record with msprof --msproftx=on",
    .collectives = "HCCL operations or ranges such as hccl:all_reduce",
    .load_data = "read the data in more threads or processes, and keep the next batches ready",
    .fewer_launches = "graph mode of the framework, fused operators, larger batches",
    .larger_kernels = "graph mode of the framework, fused optimizers",
    .mixed_precision = "use mixed precision, so that these operators run on the cube units",
};

const tt_advice *tt_advice_of(const tt_rules *rules) { return rules->advice ? rules->advice : &usual; }
