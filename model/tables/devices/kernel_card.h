/* model/tables/devices/kernel_card.h - all about one kernel: its class, its callers, its cost to the step.
 *
 * Statistics of its durations are in the list of its calls; the card has the rest. */
#ifndef TT_MODEL_TABLES_DEVICES_KERNEL_CARD_H
#define TT_MODEL_TABLES_DEVICES_KERNEL_CARD_H

#include "model/tables/analysis/device/device_work.h"
#include "model/tables/operators/roofline.h"

typedef struct tt_card_line { /* a text, and the number of calls that it applies to */
    const char *text;
    int64_t calls;
} tt_card_line;

typedef struct tt_card_caller { /* place in the caller tree, depth first, most time first */
    const char *name;
    uint32_t depth;
    int64_t calls, ns; /* calls and time of the kernel below it */
} tt_card_caller;

typedef struct tt_card_shape {
    const tt_launch_shape *shape;
    int64_t calls;
    uint32_t first; /* first device work with this shape */
} tt_card_shape;

typedef struct tt_kernel_card {
    const char *name;        /* kernel name; owned by the trace */
    const char *work_class;  /* "computation" ... */
    int64_t calls, total_ns; /* calls in the scope */
    int64_t busy_ns;         /* busy time of its devices in the scope: sum of all device work */
    int64_t on_path_ns;      /* time on the critical path, TT_UNKNOWN = no path */
    int64_t path_ns;         /* the path's length */
    tt_roofline_work roof;   /* operator calls with a formula that the kernel works for; calls 0 = none */
    bool tensor_core;
    const struct tt_advice *advice; /* advice in the words of the trace's framework */
    TT_VEC(tt_card_shape) shapes;   /* launch shapes; this and the following lists have the most frequent first */
    TT_VEC(tt_card_line) lines;     /* program lines of the launches (python_line.h) */
    TT_VEC(tt_card_line) modules;   /* "GPT > Block > MLP": classes of the modules around the launch */
    TT_VEC(tt_card_caller) callers; /* operators and ranges around the launch, outermost first */
    int64_t no_caller;              /* number of calls without callers */
    tt_strings text;                /* texts of lines and modules */
} tt_kernel_card;

/* The card of a kernel name in a trace's part of the scope; never NULL. The caller frees. Makes a pass over the
 * trace's device work and the critical path: do not call on the drawing thread. */
tt_kernel_card *tt_kernel_card_make(const tt_session *s, const tt_scope *scope, uint32_t trace, const char *name);
void tt_kernel_card_free(tt_kernel_card *c); /* NULL is allowed */

#endif
