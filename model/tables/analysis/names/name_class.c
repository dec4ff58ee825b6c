/* model/tables/analysis/names/name_class.c - one pass over the slices that classifies each distinct name. Python
 * frames are left out: there are many, and nothing asks for their class. */
#include "model/tables/analysis/names/name_class.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "model/tables/analysis/names/comm_names.h"
#include "model/tables/analysis/names/tensor_core.h"
#include "model/text/text_order.h"
#include "model/trace/analysis_cache.h"

static bool starts(const char *s, const char *with) { return strncmp(s, with, strlen(with)) == 0; }

static bool bookkeeping(const char *name)
{
    static const char *const names[] = {"profiler::_record_function_enter",
                                        "profiler::_record_function_enter_new",
                                        "profiler::_record_function_exit",
                                        "aten::is_leaf",
                                        "aten::output_nr",
                                        "aten::_version"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0) return true;
    return false;
}

static bool basic_collective(const char *name)
{
    static const char *const ops[] = {"broadcast", "reduce", "all_reduce", "all_gather", "reduce_scatter"};
    if (!starts(name, "nccl:") && !starts(name, "gloo:")) return false;
    for (size_t i = 0; i < sizeof ops / sizeof *ops; i++)
        if (strcmp(name + 5, ops[i]) == 0) return true;
    return false;
}

/* "[pl][profile][Strategy]SingleDeviceStrategy.training_step": the step of the loop is its forward pass. Hooks that
 * contain others (run_training_batch; optimizer_step, which runs the closure) are no stages. */
static unsigned lightning_class(const char *name)
{
    if (starts(name, "[pl][module]")) return TT_NAME_PL_MODULE;
    if (tt_ends_with(name, "dataloader_next") || tt_ends_with(name, "get_train_batch") ||
        tt_ends_with(name, "fetch_next_data"))
        return TT_NAME_PL_HOOK | TT_NAME_DATALOADER;
    if (tt_ends_with(name, "training_step") || tt_ends_with(name, "validation_step") ||
        tt_ends_with(name, "test_step") || tt_ends_with(name, "predict_step"))
        return TT_NAME_PL_HOOK | TT_NAME_FORWARD;
    return TT_NAME_PL_HOOK |
           (tt_ends_with(name, ".backward") || tt_ends_with(name, "]backward") ? TT_NAME_BACKWARD : 0u);
}

static unsigned host_class(const char *name)
{
    unsigned c = TT_NAME_HOST_DONE;
    if (starts(name, "[pl]")) return c | lightning_class(name);
    if (name[0] == 'e') {
        if ((starts(name, "enumerate(DataLoader)#") && tt_ends_with(name, ".__next__")) ||
            starts(name, "enumerate(DataPipe)#"))
            return c | TT_NAME_DATALOADER;
    }
    if (starts(name, "Optimizer.")) c |= TT_NAME_OPTIMIZER | (starts(name, "Optimizer.step") ? TT_NAME_OPT_STEP : 0);
    if (strcmp(name, "DataParallel.forward") == 0) c |= TT_NAME_DP;
    if (strcmp(name, "DistributedDataParallel.forward") == 0) c |= TT_NAME_DDP;
    if (tt_comm_op_library(name)) c |= TT_NAME_COMM | (basic_collective(name) ? TT_NAME_COMM_NODE : 0);
    if (tt_tensor_eligible(name)) c |= TT_NAME_ELIGIBLE;
    if (bookkeeping(name)) c |= TT_NAME_IGNORED;
    if (starts(name, "autograd::engine::evaluate_function")) c |= TT_NAME_AUTOGRAD;
    if (!starts(name, "aten::")) {
        if (strcasestr(name, "backward") || strcmp(name, "torch::autograd::AccumulateGrad") == 0)
            c |= TT_NAME_BACKWARD;
        else if (strcasestr(name, "forward"))
            c |= TT_NAME_FORWARD;
    }
    return c;
}

static unsigned kernel_class(const char *name)
{
    tt_kernel_class c = tt_kernel_class_of(name);
    return TT_NAME_KERNEL_DONE | (tt_tensor_kernel(name) ? TT_NAME_TENSOR : 0u) |
           (c == TT_KERNEL_COMMUNICATION ? TT_NAME_COMM_KERNEL : 0u) |
           (tt_comm_step_kernel(name) ? TT_NAME_COMM_STEP : 0u) | (unsigned)c << TT_NAME_CLASS_SHIFT;
}

static void *build(const tt_session *session, uint32_t trace)
{
    const tt_trace *s = session->traces[trace];
    tt_name_classes *names = tt_malloc(sizeof *names);
    names->of = tt_calloc(s->strings.text.n + 1, sizeof *names->of);
    for (tt_row r = 0; r < s->n; r++) {
        uint32_t *c = &names->of[s->name[r]];
        if ((*c & (TT_NAME_HOST_DONE | TT_NAME_KERNEL_DONE)) == (TT_NAME_HOST_DONE | TT_NAME_KERNEL_DONE)) continue;
        tt_kind k = tt_row_kind(s, r);
        if (tt_kind_is_device(k)) {
            if (!(*c & TT_NAME_KERNEL_DONE)) *c |= kernel_class(tt_row_name(s, r));
        } else if (!tt_kind_is_python(k) && !(*c & TT_NAME_HOST_DONE)) {
            *c |= host_class(tt_row_name(s, r));
            if (k == TT_KIND_CPU_OP && tt_comm_operator(s->rules, tt_row_name(s, r))) *c |= TT_NAME_COMM;
        }
    }
    return names;
}

static void release(void *value)
{
    tt_name_classes *names = value;
    free(names->of);
    free(names);
}

const tt_name_classes *tt_name_classes_get(const tt_session *s, uint32_t trace)
{
    static const tt_analysis_kind kind = {"names", build, release};
    return tt_analysis_get(s, trace, &kind);
}
