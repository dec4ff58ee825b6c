/* model/tables/analysis/names/name_class.h - classes of the names of slices, decided once per distinct name. */
#ifndef TT_MODEL_TABLES_ANALYSIS_NAMES_NAME_CLASS_H
#define TT_MODEL_TABLES_ANALYSIS_NAMES_NAME_CLASS_H

#include "model/tables/analysis/names/kernel_class.h"
#include "model/trace/session.h"

/* bits of tt_name_classes.of[]; first the bits for host names */
enum {
    /*  */
    TT_NAME_DATALOADER = 1 << 0, /* an item fetched from a DataLoader or DataPipe */
    TT_NAME_OPTIMIZER = 1 << 1,  /* Optimizer.step#..., Optimizer.zero_grad#... */
    TT_NAME_OPT_STEP = 1 << 2,   /* Optimizer.step#... */
    TT_NAME_DP = 1 << 3,         /* DataParallel.forward */
    TT_NAME_DDP = 1 << 4,        /* DistributedDataParallel.forward */
    TT_NAME_COMM = 1 << 5,       /* a collective marked by its library: nccl:..., gloo:... */
    TT_NAME_ELIGIBLE = 1 << 6,   /* can run on tensor cores */
    TT_NAME_BACKWARD = 1 << 7,   /* annotations and autograd nodes that say backward */
    TT_NAME_AUTOGRAD = 1 << 13,  /* autograd::engine::evaluate_function: ... */
    TT_NAME_FORWARD = 1 << 8,    /* annotations that say forward */
    TT_NAME_COMM_NODE =
        1 << 12, /* one of the five basic collectives of nccl: or gloo:, which operator trees list as a call */
    TT_NAME_IGNORED = 1 << 11, /* the profiler's own bookkeeping, which key_averages leaves out */
    /* bits of kernel names */
    TT_NAME_TENSOR = 1 << 9,       /* runs on tensor or matrix cores */
    TT_NAME_COMM_KERNEL = 1 << 10, /* class communication */
    TT_NAME_HOST_DONE = 1 << 14,
    TT_NAME_KERNEL_DONE = 1 << 15,
    /* bits of host names of PyTorch Lightning: "[pl][module]CLASS: NAME", "[pl][profile]HOOK" */
    TT_NAME_PL_MODULE = 1 << 16,
    TT_NAME_PL_HOOK = 1 << 17,
    /* bits of kernel names */
    TT_NAME_COMM_STEP = 1 << 18, /* communication where steps are divided: tt_comm_step_kernel() */
    TT_NAME_CLASS_SHIFT = 19,    /* tt_kernel_class, three bits */
};

typedef struct tt_name_classes {
    uint32_t *of; /* bits of each tt_sid; names of Python functions are not classified */
} tt_name_classes;

/* Built once per trace and kept. */
const tt_name_classes *tt_name_classes_get(const tt_session *s, uint32_t trace);

static inline unsigned tt_name_class(const tt_name_classes *names, const tt_trace *s, tt_row r)
{
    return names->of[s->name[r]];
}
/* The class of a kernel by its name. */
static inline tt_kernel_class tt_name_kernel_class(const tt_name_classes *names, tt_sid name)
{
    return (tt_kernel_class)(names->of[name] >> TT_NAME_CLASS_SHIFT & 7u);
}
/* Whether the kernel communicates, by its name or by the collective metadata that the trace has for it. */
static inline bool tt_comm_kernel(const tt_name_classes *names, const tt_trace *s, const tt_activity *d)
{
    return (names->of[s->name[d->row]] & TT_NAME_COMM_KERNEL) != 0 || d->coll != 0;
}

#endif
