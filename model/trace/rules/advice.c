/* model/trace/rules/advice.c - see advice.h. */
#include "model/trace/rules/advice.h"

#include <stddef.h>

/* advice about a PyTorch program */
#define TORCH_PROGRAM                                                                                                  \
    .collectives = "NCCL, RCCL, HCCL, Gloo",                                                                           \
    .load_data = "Raise DataLoader num_workers; use pin_memory=True and prefetch_factor",                              \
    .fewer_launches = "CUDA graphs or torch.compile, fused/foreach optimizers, larger batches",                        \
    .larger_kernels = "CUDA graphs, torch.compile, fused optimizers",                                                  \
    .no_sync = "remove .item(), .cpu() and print() of tensors from the loop, copy with non_blocking=True",             \
    .overlap_communication = "Overlap with backward (DDP bucket_cap_mb), accumulate gradients, or raise the "          \
                             "per-GPU batch size",                                                                     \
    .overlap_copies = "Pin host memory (DataLoader pin_memory=True), copy with non_blocking=True on a stream of its "  \
                      "own, or keep the data on the device",                                                           \
    .pin_memory = "Pin host memory (pin_memory=True) and copy with non_blocking=True",                                 \
    .mixed_precision =                                                                                                 \
        "Use mixed precision (torch.autocast) or allow TF32, so that these operators run on tensor cores"

static const tt_advice usual = {
    .record_device = "add ProfilerActivity.CUDA",
    .no_device = "Add ProfilerActivity.CUDA; CUPTI may need more permissions (tracetty doctor)",
    .record_host = "add ProfilerActivity.CPU, or record with --ops",
    .record_shapes = "use record_shapes=True and ProfilerActivity.CUDA, or record with --via kineto",
    .record_memory = "use profile_memory=True",
    .record_lines = "use with_stack=True",
    .record_modules = "use with_stack=True, with_modules=True",
    .mark_steps = "call prof.step() in the training loop, or record with --step-marker",
    .mark_ranges = "use record_function(\"name\") or NVTX",
    TORCH_PROGRAM,
};

/* traces of `tracetty record`: its own options */
const tt_advice tt_advice_recording = {
    .record_device = "record without --yield-cupti; tracetty doctor says what CUPTI needs on this machine",
    .no_device = "Record without --yield-cupti; tracetty doctor says what CUPTI needs on this machine",
    .record_host = "record with --ops, or with --via kineto",
    .record_shapes = "record with --ops=shapes, or with --via kineto --trace +shapes",
    .record_memory = "record with --memory",
    .record_lines = "record with --via kineto --trace +stack",
    .record_modules = "record with --via kineto --trace +stack,+modules",
    .mark_steps = "record with --step-marker, or call tracetty_step() in the training loop",
    .mark_ranges = "use NVTX (nvtxRangePush, torch.cuda.nvtx.range_push), or record with --ops",
    TORCH_PROGRAM,
};

const tt_advice tt_advice_torch_npu = {
    .record_device = "profile with torch_npu.profiler.ProfilerActivity.NPU",
    .no_device =
        "profile with torch_npu.profiler.ProfilerActivity.NPU; when the result is written, the CANN toolkit has "
        "to be installed and its environment set (set_env.sh)",
    .record_host = "profile with torch_npu.profiler.ProfilerActivity.CPU",
    .record_shapes = "profile with record_shapes=True and ProfilerActivity.NPU of torch_npu.profiler",
    .record_memory = "use profile_memory=True",
    .record_lines = "use with_stack=True of torch_npu.profiler",
    .record_modules = "use with_stack=True and with_modules=True of torch_npu.profiler",
    .record_op_types = "use profiler_level=ProfilerLevel.Level1 or Level2; table kernels has details",
    .mark_steps = "call prof.step() in the training loop",
    .mark_ranges = "use record_function(\"name\") or torch_npu.npu.mstx",
    .collectives = "HCCL, Gloo",
    .load_data = "Raise DataLoader num_workers; use pin_memory=True and prefetch_factor",
    .fewer_launches = "torch.compile with torchair, fused operators and optimizers of torch_npu, larger batches",
    .larger_kernels = "torch.compile with torchair, fused optimizers of torch_npu",
    .no_sync = "remove .item(), .cpu() and print() of tensors from the loop, copy with non_blocking=True",
    .overlap_communication = "Overlap with backward (DDP bucket_cap_mb), accumulate gradients, or raise the "
                             "per-NPU batch size",
    .overlap_copies = "Pin host memory (DataLoader pin_memory=True), copy with non_blocking=True on a stream of its "
                      "own, or keep the data on the device",
    .pin_memory = "Pin host memory (pin_memory=True) and copy with non_blocking=True",
    .mixed_precision = "Use mixed precision (torch.npu.amp.autocast), so that these operators run on the cube units",
};

const tt_advice tt_advice_mindspore = {
    .record_device = "profile with mindspore.Profiler(), made before the first step",
    .no_device = "make mindspore.Profiler() before the first step and call analyse() at the end; from MindSpore 2.5 on "
                 "add ProfilerActivity.NPU to the activities",
    .record_host = "profile with mindspore.Profiler(); from MindSpore 2.5 on with ProfilerActivity.CPU among the "
                   "activities",
    .record_shapes = "shapes of operators are recorded by torch_npu.profiler with record_shapes=True",
    .record_memory = "profile with mindspore.Profiler(profile_memory=True)",
    .record_lines = "profile with mindspore.Profiler(with_stack=True)",
    .record_modules = "cells stand in the full names of the operators (Default/network/...)",
    .record_op_types =
        "mindspore.Profiler() up to MindSpore 2.3 writes them; table kernels has those of later versions",
    .mark_steps = "train with mindspore.Model, or call profiler.step() in the training loop",
    .mark_ranges = "use mindspore.profiler.mstx.range_start(\"name\")",
    .collectives = "HCCL",
    .load_data = "Raise num_parallel_workers of the dataset's operators, store the data as MindRecord, and feed the "
                 "device from a queue (dataset_sink_mode=True)",
    .fewer_launches = "graph mode (mindspore.set_context(mode=mindspore.GRAPH_MODE)) or @mindspore.jit, larger batches",
    .larger_kernels = "graph mode, @mindspore.jit, fused optimizers",
    .no_sync = "remove asnumpy(), item() and print() of tensors from the loop, and read the loss less often",
    .overlap_communication = "Fuse the collectives of gradients (all_reduce_fusion_config), accumulate gradients, or "
                             "raise the batch size per device",
    .overlap_copies = "Feed the device from a queue (dataset_sink_mode=True), or keep the data on the device",
    .pin_memory = "Feed the device from a queue (dataset_sink_mode=True)",
    .mixed_precision = "Use mixed precision (mindspore.Model(amp_level=\"O2\") or mindspore.amp.auto_mixed_precision)",
};

/* a snapshot holds memory alone; a profile of the same run has the rest */
#define PROFILE_TOO "record a profile beside the snapshot, with torch.profiler"
const tt_advice tt_advice_snapshot = {
    .record_device = PROFILE_TOO " and ProfilerActivity.CUDA",
    .no_device = PROFILE_TOO " and ProfilerActivity.CUDA",
    .record_host = PROFILE_TOO " and ProfilerActivity.CPU",
    .record_shapes = PROFILE_TOO " and record_shapes=True",
    .record_memory = "call torch.cuda.memory._record_memory_history() before what is to be seen",
    .record_lines = "call torch.cuda.memory._record_memory_history(stacks=\"all\") before what is to be seen",
    .record_modules = PROFILE_TOO ", with_stack=True and with_modules=True",
    .mark_steps = PROFILE_TOO " and prof.step() in the training loop",
    .mark_ranges = "use record_function(\"name\") and a PyTorch that writes external_annotations",
    TORCH_PROGRAM,
};

/* a dump of a flight recorder holds calls of collectives alone */
#define NOT_IN_DUMPS "a dump of a flight recorder does not hold it: record a profile, with torch.profiler"
const tt_advice tt_advice_flight = {
    .record_device = NOT_IN_DUMPS " and ProfilerActivity.CUDA",
    .no_device = NOT_IN_DUMPS " and ProfilerActivity.CUDA",
    .record_host = NOT_IN_DUMPS " and ProfilerActivity.CPU",
    .record_shapes = NOT_IN_DUMPS " and record_shapes=True",
    .record_memory = NOT_IN_DUMPS " and profile_memory=True",
    .record_lines = "set TORCH_INCLUDE_STACK_TRACE=1 for the recorder",
    .record_modules = NOT_IN_DUMPS ", with_stack=True and with_modules=True",
    .mark_steps = NOT_IN_DUMPS " and prof.step() in the training loop",
    .mark_ranges = NOT_IN_DUMPS " and record_function(\"name\")",
    TORCH_PROGRAM,
};

/* traces of any framework: options of the framework's own profiler come first */
const tt_advice tt_advice_msprof = {
    .record_device = "record with msprof --ascendcl=on --task-time=on, or with the profiler of the framework",
    .no_device = "record with msprof --task-time=on, and export with msprof --export=on where CANN is installed",
    .record_host = "record with the profiler of the framework, torch_npu.profiler or mindspore.Profiler",
    .record_shapes = "record with torch_npu.profiler and record_shapes=True",
    .record_memory = "record with the profiler of the framework and profile_memory=True",
    .record_lines = "record with the profiler of the framework and with_stack=True",
    .record_modules = "record with torch_npu.profiler, with_stack=True and with_modules=True",
    .record_op_types = "record with msprof --aic-metrics=PipeUtilization; table kernels has details",
    .mark_steps = "record with the profiler of the framework, or with msprof --model-execution=on where the model has "
                  "iterations",
    .mark_ranges = "use mstx and record with msprof --msproftx=on",
    .collectives = "HCCL",
    .load_data = "Read the data in more threads or processes, and keep the next batches ready",
    .fewer_launches = "graph mode of the framework, fused operators, larger batches",
    .larger_kernels = "graph mode of the framework, fused optimizers",
    .no_sync = "synchronise and read results back less often inside a step",
    .overlap_communication = "Overlap with backward, accumulate gradients, or raise the batch size per device",
    .overlap_copies = "Pin host memory, copy on a stream of its own, or keep the data on the device",
    .pin_memory = "Pin host memory and copy without waiting",
    .mixed_precision = "Use mixed precision, so that these operators run on the cube units",
};

const tt_advice tt_advice_paddle = {
    .record_device = "add ProfilerTarget.GPU to targets",
    .no_device = "Add paddle.profiler.ProfilerTarget.GPU to targets; CUPTI may need more permissions (tracetty doctor)",
    .record_host = "add ProfilerTarget.CPU to targets",
    .record_shapes = "use record_shapes=True and ProfilerTarget.GPU",
    .record_memory = "use profile_memory=True",
    .record_lines = "Paddle's profiler does not record Python lines",
    .record_modules = "Paddle's profiler does not record layers; name them with paddle.profiler.RecordEvent",
    .mark_steps = "call prof.step() in the training loop",
    .mark_ranges = "use paddle.profiler.RecordEvent(\"name\") or NVTX",
    .collectives = "NCCL, RCCL, HCCL, Gloo",
    .load_data = "Raise num_workers of paddle.io.DataLoader; use use_shared_memory=True and prefetch_factor",
    .fewer_launches = "paddle.jit.to_static, CUDA graphs, fused operators (paddle.incubate.nn), larger batches",
    .larger_kernels = "paddle.jit.to_static, CUDA graphs, fused operators (paddle.incubate.nn)",
    .no_sync = "remove .item(), .numpy() and print() of tensors from the loop, and read the loss less often",
    .overlap_communication = "Overlap with backward (paddle.DataParallel comm_buffer_size), accumulate gradients "
                             "(no_sync()), or raise the per-GPU batch size",
    .overlap_copies = "Read ahead (paddle.io.DataLoader use_buffer_reader=True), pin host memory "
                      "(Tensor.pin_memory()), or keep the data on the device",
    .pin_memory = "Pin host memory (Tensor.pin_memory()) and copy with Tensor.cuda(blocking=False)",
    .mixed_precision =
        "Use mixed precision (paddle.amp.auto_cast, level=\"O2\"), so that these operators run on tensor "
        "cores",
};

/* traces of any program, often not Python */
const tt_advice tt_advice_nsys = {
    .record_device = "record with nsys profile --trace=cuda,nvtx",
    .no_device =
        "Record with nsys profile --trace=cuda,nvtx; where that is the case already, nsys status --environment "
        "says what else may be wrong",
    .record_host = "annotate them with torch.autograd.profiler.emit_nvtx(), or record with torch.profiler",
    .record_shapes = "record with torch.profiler and record_shapes=True",
    .record_memory = "record with torch.profiler and profile_memory=True",
    .record_lines = "record with nsys profile --python-backtrace=cuda",
    .record_modules = "record with torch.profiler, with_stack=True and with_modules=True",
    .mark_steps = "limit to one with --range, or record with torch.profiler and call prof.step()",
    .mark_ranges = "use NVTX (nvtxRangePush, torch.cuda.nvtx.range_push) and record with --trace=cuda,nvtx",
    .collectives = "NCCL",
    .load_data = "Read the data in more threads or processes (DataLoader num_workers), and keep the next batches ready",
    .fewer_launches = "CUDA graphs, fused kernels, larger batches",
    .larger_kernels = "CUDA graphs, fused kernels",
    .no_sync = "read results back less often, and copy with cudaMemcpyAsync or non_blocking=True",
    .overlap_communication =
        "Overlap with computation (of PyTorch's DDP bucket_cap_mb), accumulate gradients, or raise "
        "the per-GPU batch size",
    .overlap_copies = "Pin host memory (cudaMallocHost, pin_memory=True), copy with cudaMemcpyAsync on a stream of its "
                      "own, or keep the data on the device",
    .pin_memory = "Pin host memory (cudaMallocHost, pin_memory=True) and copy with cudaMemcpyAsync",
    .mixed_precision = "Use mixed precision or allow TF32, so that these kernels run on tensor cores",
};

const tt_advice tt_advice_rocm = {
    .record_device = "record with rocprofv3 --sys-trace",
    .no_device = "Record with rocprofv3 --sys-trace; the user has to be in the groups video and render",
    .record_host = "record with torch.profiler",
    .record_shapes = "record with torch.profiler and record_shapes=True",
    .record_memory = "record with torch.profiler and profile_memory=True",
    .record_lines = "record with torch.profiler and with_stack=True",
    .record_modules = "record with torch.profiler, with_stack=True and with_modules=True",
    .mark_steps = "limit to one with --range, or record with torch.profiler and call prof.step()",
    .mark_ranges = "use ROCTx (roctxRangePush) and record with --marker-trace",
    .collectives = "RCCL",
    .load_data = "Read the data in more threads or processes (DataLoader num_workers), and keep the next batches ready",
    .fewer_launches = "HIP graphs, fused kernels, larger batches",
    .larger_kernels = "HIP graphs, fused kernels",
    .no_sync = "read results back less often, and copy with hipMemcpyAsync or non_blocking=True",
    .overlap_communication =
        "Overlap with computation (of PyTorch's DDP bucket_cap_mb), accumulate gradients, or raise "
        "the per-GPU batch size",
    .overlap_copies = "Pin host memory (hipHostMalloc, pin_memory=True), copy with hipMemcpyAsync on a stream of its "
                      "own, or keep the data on the device",
    .pin_memory = "Pin host memory (hipHostMalloc, pin_memory=True) and copy with hipMemcpyAsync",
    .mixed_precision = "Use mixed precision, so that these kernels run on matrix cores",
};

const tt_advice tt_advice_xla = {
    .record_device =
        "record with jax.profiler.trace(), or with torch_xla's or TensorFlow's profiler, on the host of the "
        "device",
    .no_device =
        "record on the host of the device, with the plug-in of the accelerator loaded; on GPUs CUPTI or rocprofiler "
        "may need more permissions",
    .record_host = "record with host_tracer_level=2, or higher",
    .record_shapes = "shapes stand in the names of the HLO operators",
    .record_memory = "record with host_tracer_level=2, or higher",
    .record_lines = "record with python_tracer_level=1",
    .record_modules = "use jax.named_scope(\"name\"): scopes stand in the names of the HLO operators",
    .mark_steps = "put jax.profiler.StepTraceAnnotation(\"train\", step_num=n) around each step",
    .mark_ranges = "use jax.profiler.TraceAnnotation(\"name\") or jax.named_scope(\"name\")",
    .collectives = "NCCL, RCCL, XLA's own",
    .load_data = "Prepare the next batches while the device computes (tf.data prefetch, grain workers, "
                 "jax.device_put ahead of time)",
    .fewer_launches = "jax.jit around more of the step, jax.lax.scan instead of loops in Python, larger batches",
    .larger_kernels = "jax.jit around more of the step, jax.lax.scan",
    .no_sync = "remove block_until_ready(), .item() and print() of arrays from the loop, and read the loss less often",
    .overlap_communication =
        "Let XLA overlap collectives (latency hiding scheduler, asynchronous collectives), or raise the "
        "batch size per device",
    .overlap_copies = "Copy ahead (jax.device_put of the next batch), or keep the data on the device",
    .pin_memory = "Copy ahead (jax.device_put of the next batch)",
    .mixed_precision = "Compute in bfloat16 (jax.default_matmul_precision, dtype of the model)",
};

const tt_advice *tt_advice_of(const tt_rules *rules) { return rules->advice ? rules->advice : &usual; }
