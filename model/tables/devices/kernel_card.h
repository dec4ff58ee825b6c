/* model/tables/devices/kernel_card.h - all about one kernel: what it is, who launches it, what it costs the step.
 *
 * Statistics of its durations are those of the list of its calls; here is what that list does not say. */
#ifndef TT_MODEL_TABLES_DEVICES_KERNEL_CARD_H
#define TT_MODEL_TABLES_DEVICES_KERNEL_CARD_H

#include "model/tables/analysis/device/device_work.h"
#include "model/tables/operators/roofline.h"

typedef struct tt_card_line { /* a text, and of how many calls it is true */
    const char *text;
    int64_t calls;
} tt_card_line;

typedef struct tt_card_caller { /* of the tree of what launches it, in depth-first order, the most time first */
    const char *name;
    uint32_t depth;
    int64_t calls, ns; /* of the kernel below it */
} tt_card_caller;

typedef struct tt_card_shape {
    const tt_launch_shape *shape;
    int64_t calls;
    uint32_t first; /* device work that has it */
} tt_card_shape;

typedef struct tt_kernel_card {
    const char *name;        /* the trace's */
    const char *work_class;  /* "computation" ... */
    int64_t calls, total_ns; /* in the scope */
    int64_t busy_ns;         /* of its devices in the scope: the sum of all device work */
    int64_t on_path_ns;      /* time on the critical path, TT_UNKNOWN = no path */
    int64_t path_ns;         /* the path's length */
    tt_roofline_work roof;   /* calls of operators that it works for and that have a formula; calls 0 = none */
    bool tensor_core;
    const struct tt_advice *advice; /* in the words of the trace's framework */
    TT_VEC(tt_card_shape) shapes;   /* the most frequent first, as the following */
    TT_VEC(tt_card_line) lines;     /* of the program, where it was launched (python_line.h) */
    TT_VEC(tt_card_line) modules;   /* "GPT > Block > MLP": classes of the modules around the launch */
    TT_VEC(tt_card_caller) callers; /* operators and ranges around the launch, the outermost first */
    int64_t no_caller;              /* calls without any */
    tt_strings text;                /* of lines and modules */
} tt_kernel_card;

/* Of a kernel of this name in what the scope has of a trace; never NULL. Caller frees. A pass over the trace's device
 * work and the critical path: not on the drawing thread. */
tt_kernel_card *tt_kernel_card_make(const tt_session *s, const tt_scope *scope, uint32_t trace, const char *name);
void tt_kernel_card_free(tt_kernel_card *c); /* NULL is fine */

#endif
