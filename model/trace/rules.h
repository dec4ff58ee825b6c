/* model/trace/rules.h - how the framework that wrote a trace counts.
 *
 * Frameworks differ in what a step is, what belongs to it, which calls are operators and which ranges are stages; users compare our
 * tables with those of their framework. A reader chooses the rules by what it recognises and puts them into the build header; the
 * trace keeps them. No table asks who wrote a trace: it asks the rules. A member is added where two frameworks differ, never for
 * one framework alone; its comment says what it decides, and who has it so. A new framework is one more constant in rules.c.   */
#ifndef TT_MODEL_TRACE_RULES_H
#define TT_MODEL_TRACE_RULES_H

#include <stdbool.h>

/* What busy means: table devices and what is made of it. */
typedef enum tt_utilization {
    TT_UTILIZATION_WINDOW, /* of the time from the first step's start to the last step's end; kernels are cut to it (TensorBoard) */
    TT_UTILIZATION_STEPS, /* of the time of the steps on the host; kernels that they launched count whole (Paddle) */
} tt_utilization;

/* The order of rows that the sorting of a table leaves equal, and of the parts of an operator. */
typedef enum tt_tie {
    TT_TIE_TIME,       /* as things begin in the trace (PyTorch) */
    TT_TIE_FIRST_CALL, /* as a walk through the calls first meets them: call_order.h (Paddle) */
} tt_tie;

typedef struct tt_rules {
    /* ---- who wrote it ---- */
    const char *framework; /* for people: "PyTorch"; NULL = not known, or as its operators tell: */
    struct {
        const char *prefix, *framework; /* a name that begins so means this framework; NULL = names tell nothing */
    } marked;

    /* ---- steps and the device work that belongs to them ---- */
    const char
        *step_name; /* the row of all steps in key_averages, as the framework names its ranges: "ProfilerStep*" */
    bool
        steps_are_host_ranges; /* a step is its range on the host (Paddle), else extended by the device work launched inside, and
                                   what the end of the recording cut off is left out (TensorBoard) */
    bool
        work_counts_by_launch; /* device work belongs to the step that launched it, whenever it ran, and is not cut at the end of
                                   steps (Paddle), else to the step in whose time it ran (TensorBoard): comm_steps, distribution */
    tt_utilization utilization;

    /* ---- operators ---- */
    bool
        annotations_are_calls; /* every annotation is a node of the operator tree (Paddle), else only those of data loaders,
                                   optimizers and collectives; a trace without operators has its ranges in their place */
    bool
        operator_parts_are_operators; /* parts of an operator are calls, but what they do the operator does itself (Paddle's
                                          infer_meta, compute); else a call inside has time of its own */
    bool
        operators_are_roots; /* operator_tree lists each operator by itself, what it contains below it (Paddle), else as called */
    bool
        tensor_time_of_all_kernels; /* use of tensor cores refers to all kernels (Paddle), else to those launched by operators */

    /* ---- names and categories ---- */
    bool
        stages_by_category_only; /* stages have categories of their own (Paddle), else names are looked at, too (PyTorch) */
    const char
        *user_range_category; /* category of the ranges that the program named, any case (Paddle's layers have another);
                                        NULL = all annotations are the program's */
    bool copies_are_no_user_ranges; /* a range whose name says that it moves memory is in table memcpy only (Paddle) */
    const char *const
        *comm_operators; /* an operator whose name has one of these in it, any case, is communication; ended by
                                             NULL; NULL = operators have marks of their libraries (PyTorch: "nccl:...") */
    const char *const *no_comm_operators; /* though it has one of these in it, it is not; ended by NULL, or NULL */

    tt_tie tie;
} tt_rules;

extern const tt_rules tt_rules_chrome; /* events of some program, in the format that Chrome made common */
extern const tt_rules
    tt_rules_pytorch; /* torch.profiler: Kineto, on whatever device (CUDA, ROCm, XPU ...), and the exports before it */
extern const tt_rules tt_rules_paddle;    /* paddle.profiler, JSON or protobuf */
extern const tt_rules tt_rules_recording; /* tracetty's own recorder, and its exports: of any program */

#endif
