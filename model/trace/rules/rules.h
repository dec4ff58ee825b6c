/* model/trace/rules/rules.h - how the framework that wrote a trace counts.
 *
 * Frameworks differ in what a step is, what belongs to it, which calls are operators and which ranges are stages,
 * and users compare the tables with those of their framework. A reader chooses the rules by what it recognises and
 * puts them into the build header; the trace keeps them. No table asks who wrote a trace: it asks the rules. Each
 * member says what it decides and who has it so; the first of the two is what false, NULL or 0 mean. A framework
 * more is a line in rules.def and its constant in rules_list.c; a member more only where it counts in a way that none
 * of these says. */
#ifndef TT_MODEL_TRACE_RULES_RULES_H
#define TT_MODEL_TRACE_RULES_RULES_H

#include <stdbool.h>

/* meaning of a busy device, for table devices and numbers computed from it */
typedef enum tt_utilization {
    /* share of the time from the first step's start to the last step's end; kernels are cut to it (TensorBoard) */
    TT_UTILIZATION_WINDOW,
    /* share of the time of the steps on the host; kernels that they launched count whole (Paddle) */
    TT_UTILIZATION_STEPS,
} tt_utilization;

/* order of rows that the sort key leaves equal, and of the parts of an operator */
typedef enum tt_tie {
    TT_TIE_TIME,       /* order of beginnings in the trace (PyTorch) */
    TT_TIE_FIRST_CALL, /* order in which a walk through the calls meets them first: call_order.h (Paddle) */
} tt_tie;

typedef struct tt_rules {
    /* ---- who wrote it ---- */

    /* name for people: "PyTorch". NULL: not known, or `marked` tells. */
    const char *framework;
    /* A name in the trace with this prefix means that framework. NULL: names tell nothing. */
    struct {
        const char *prefix, *framework;
    } marked;

    /* Words for its devices, the library that programs them and the library that connects them: "NPU", "CANN",
     * "HCCL" on Ascend, else "GPU", "CUDA", "NCCL". Never NULL. */
    const char *device, *runtime, *comm_library;
    /* What to change in a program, in the framework's words (advice.h); NULL: the words for PyTorch on GPUs. */
    const struct tt_advice *advice;

    /* ---- steps, and the device work that belongs to them ---- */

    /* The row of all steps in key_averages, as the framework names its ranges: "ProfilerStep*". Never NULL. */
    const char *step_name;
    /* A step is extended by the device work launched inside, and what the end of the recording cut off is left out
     * (TensorBoard); or it is its range on the host (Paddle). */
    bool steps_are_host_ranges;
    /* Device work belongs to the step that launched it; or, as the device has its own steps, to the step that it
     * begins in (XLA). */
    bool steps_are_of_devices;
    /* Profilers say which call launched what; or the device takes whole programs, and nobody misses a launch (TPU). */
    bool no_launches;
    /* Device work belongs to the step in whose time it runs (TensorBoard); or to the step that launched it, whenever
     * it runs, and is not cut where the step ends (Paddle). Tables comm_steps and distribution. */
    bool work_counts_by_launch;
    tt_utilization utilization;

    /* ---- operators ---- */

    /* Of the annotations only those of data loaders, optimizers and collectives are nodes of the operator tree, and
     * in a trace without operators all of them, in their place (PyTorch); or all are nodes like any other call
     * (Paddle). */
    bool annotations_are_calls;
    /* What a call inside an operator launches it launches itself (PyTorch); or the operator does, for those calls are
     * its parts: infer_meta, compute (Paddle). */
    bool operator_parts_are_operators;
    /* Table operator_tree lists operators under those that called them (PyTorch); or each by itself, with its parts
     * (Paddle). */
    bool operators_are_roots;
    /* Work that is launched outside all operators belongs to the annotation around the launch (PyTorch, Nsight
     * Systems); or to nothing (ROCm's profilers). */
    bool annotations_launch_nothing;
    /* Use of tensor cores refers to the kernels launched by operators (TensorBoard); or to all (Paddle). */
    bool tensor_time_of_all_kernels;

    /* ---- names and categories ---- */

    /* Stages are recognised by category or by name (PyTorch traces have only names); or by category only (Paddle). */
    bool stages_by_category_only;
    /* All annotations are ranges that the program named (PyTorch); or those of this category, in any case (Paddle,
     * whose layers are annotations of another one). */
    const char *user_range_category;
    /* Operators are the framework's, and no ranges of the program (PyTorch); or ranges that it named like all others
     * (Nsight Systems): user_ranges has them, too. */
    bool operators_are_ranges;
    /* A range whose name says that it moves memory is in user_ranges, too (PyTorch); or in memcpy alone (Paddle). */
    bool copies_are_no_user_ranges;
    /* Only what its library marks communicates, "nccl:all_reduce" (PyTorch); or also operators with one of the first in
     * their name, in any case, and none of the second (Paddle). Lists end with NULL. */
    const char *const *comm_operators;
    const char *const *no_comm_operators;

    /* Categories of runtime calls tell CUDA's runtime from its driver (PyTorch); or are the levels of the runtime,
     * whose names do not tell them apart (Ascend): table runtime_api. */
    bool runtime_has_levels;

    tt_tie tie;
} tt_rules;

#define X(id) extern const tt_rules tt_rules_##id;
#include "model/trace/rules/rules.def"
#undef X

/* The id of the rules in rules.def, by which files name them. */
const char *tt_rules_id(const tt_rules *rules);
/* The rules with this id; those of Chrome for an unknown one. */
const tt_rules *tt_rules_by_id(const char *id);

#endif
