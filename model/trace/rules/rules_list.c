/* model/trace/rules/rules_list.c - the rules of each framework. A member that is not named is false, NULL or the
 * first of its kind: as in torch.profiler's tables. */
#include "model/trace/rules/advice.h"

#include <stddef.h>
#include <string.h>

#define TORCH_STEPS .step_name = "ProfilerStep*"
#define GPU .device = "GPU", .runtime = "CUDA", .comm_library = "NCCL"
#define ASCEND .device = "NPU", .runtime = "CANN", .comm_library = "HCCL", .runtime_has_levels = true

const tt_rules tt_rules_chrome = {TORCH_STEPS, GPU};

const tt_rules tt_rules_pytorch = {.framework = "PyTorch", TORCH_STEPS, GPU};

const tt_rules tt_rules_flight = {.framework = "PyTorch", TORCH_STEPS, GPU, .advice = &tt_advice_flight};

const tt_rules tt_rules_snapshot = {.framework = "PyTorch", TORCH_STEPS, GPU, .advice = &tt_advice_snapshot};

const tt_rules tt_rules_recording = {.marked = {"aten::", "PyTorch"}, TORCH_STEPS, GPU, .advice = &tt_advice_recording};

const tt_rules tt_rules_nsys = {.marked = {"aten::", "PyTorch"},
                                TORCH_STEPS,
                                GPU,
                                .advice = &tt_advice_nsys,
                                .operators_are_ranges = true};

const tt_rules tt_rules_rocm = {.marked = {"aten::", "PyTorch"},
                                TORCH_STEPS,
                                .annotations_launch_nothing = true,
                                .device = "GPU",
                                .runtime = "HIP",
                                .comm_library = "RCCL",
                                .advice = &tt_advice_rocm};

const tt_rules tt_rules_ascend = {.framework = "PyTorch (torch_npu)",
                                  TORCH_STEPS,
                                  ASCEND,
                                  .advice = &tt_advice_torch_npu};

const tt_rules tt_rules_msprof = {.marked = {"Default/", "MindSpore"},
                                  TORCH_STEPS,
                                  ASCEND,
                                  .advice = &tt_advice_msprof};

const tt_rules tt_rules_mindspore = {.framework = "MindSpore", TORCH_STEPS, ASCEND, .advice = &tt_advice_mindspore};

const tt_rules tt_rules_mindspore_gpu = {.framework = "MindSpore", TORCH_STEPS, GPU, .advice = &tt_advice_mindspore};

#define XLA .framework = "XLA", .step_name = "Step*", .advice = &tt_advice_xla

const tt_rules tt_rules_xla = {XLA, GPU};

const tt_rules tt_rules_xla_gpu = {XLA, GPU, .steps_are_of_devices = true};

const tt_rules tt_rules_xla_tpu = {XLA,
                                   .device = "TPU",
                                   .runtime = "TPU runtime",
                                   .comm_library = "XLA",
                                   .steps_are_of_devices = true,
                                   .no_launches = true};

/* Paddle does not mark collectives: "c_allreduce_sum dygraph" */
static const char *const paddle_comm[] = {"allreduce",  "all_reduce",    "broadcast",      "rpc",      "allgather",
                                          "all_gather", "reducescatter", "reduce_scatter", "alltoall", NULL};
static const char *const paddle_shapes[] = {"broadcast_tensors", "broadcast_to", "broadcast_like", NULL};

const tt_rules tt_rules_paddle = {
    .framework = "PaddlePaddle",
    GPU,
    .advice = &tt_advice_paddle,
    .step_name = "ProfileStep*",
    .steps_are_host_ranges = true,
    .work_counts_by_launch = true,
    .utilization = TT_UTILIZATION_STEPS,
    .annotations_are_calls = true,
    .operator_parts_are_operators = true,
    .operators_are_roots = true,
    .tensor_time_of_all_kernels = true,
    .stages_by_category_only = true,
    .user_range_category = "PythonUserDefined",
    .copies_are_no_user_ranges = true,
    .comm_operators = paddle_comm,
    .no_comm_operators = paddle_shapes,
    .tie = TT_TIE_FIRST_CALL,
};

static const struct {
    const char *id;
    const tt_rules *rules;
} list[] = {
#define X(id) {#id, &tt_rules_##id},
#include "model/trace/rules/rules.def"
#undef X
};
enum { N_RULES = sizeof list / sizeof *list };

const char *tt_rules_id(const tt_rules *rules)
{
    int i = 0;
    while (i < N_RULES && list[i].rules != rules) i++;
    return i < N_RULES ? list[i].id : "";
}

const tt_rules *tt_rules_by_id(const char *id)
{
    int i = 0;
    while (i < N_RULES && strcmp(list[i].id, id)) i++;
    return i < N_RULES ? list[i].rules : &tt_rules_chrome;
}
