/* parser/xplane/event.h - parses one XEvent and classifies it. Private to parser/xplane.
 *
 * Texts are not copied: they lie in the event's bytes, or in the names of the space. */
#ifndef TT_PARSER_XPLANE_EVENT_H
#define TT_PARSER_XPLANE_EVENT_H

#include "parser/xplane/space.h"

typedef struct tt_xp_text {
    const char *at; /* NULL = absent */
    size_t n;
} tt_xp_text;

typedef struct tt_xp_event {
    int64_t metadata, offset_ps, duration_ps;
    bool aggregated;        /* a sum over many executions, without a time of its own */
    bool damaged;           /* its bytes end inside a field */
    const tt_xp_kind *kind; /* NULL: the file has no such kind */
    uint64_t correlation;
    int64_t step; /* number of the step; TT_UNKNOWN */
    tt_xp_text kernel_details, memcpy_details, memset_details, op, module, allocator;
    int64_t flops, accessed;                  /* per execution, from the event or its kind; TT_UNKNOWN */
    int64_t allocated, bytes, address, index; /* for memory events; TT_UNKNOWN */
} tt_xp_event;

void tt_xp_event_read(const tt_xp_space *x, const tt_xp_plane *p, const char *bytes, size_t len, tt_xp_event *e);
/* Start and end on the clock of the file, each rounded to ns, so that nesting is kept. False: out of range. */
bool tt_xp_event_span(const tt_xp_line *l, const tt_xp_event *e, int64_t *start, int64_t *end);

/* Class of an event on a line. */
typedef enum tt_xp_class {
    TT_XP_C_HOST,
    TT_XP_C_PYTHON,
    TT_XP_C_RUNTIME,
    TT_XP_C_DRIVER,
    TT_XP_C_STEP,
    TT_XP_C_MEMORY,
    TT_XP_C_KERNEL,
    TT_XP_C_MEMCPY,
    TT_XP_C_MEMSET,
    TT_XP_C_DERIVED,
    TT_XP_CLASSES_
} tt_xp_class;
tt_xp_class tt_xp_event_class(const tt_xp_space *x, const tt_xp_line *l, const tt_xp_event *e);
/* Category and kind in PyTorch's spelling. */
const char *tt_xp_class_category(tt_xp_class c);
tt_kind tt_xp_class_kind(tt_xp_class c);
/* Write the displayed name into out, replacing its content. */
void tt_xp_event_name(const tt_xp_space *x, const tt_xp_event *e, tt_xp_class c, tt_text *out);

/* Device of a memory event, as in tt_memory_record; whether the event releases memory. */
void tt_xp_event_place(const tt_xp_event *e, int16_t *type, int16_t *id);
bool tt_xp_event_releases(const tt_xp_space *x, const tt_xp_event *e);

/* Launch from kernel_details: "regs:32 shm:0 grid:4,1,1 block:256,1,1 occ_pct:50". */
typedef struct tt_xp_launch {
    int64_t grid[3], block[3]; /* [0] is TT_UNKNOWN when absent */
    int64_t registers, shared_bytes;
    double occupancy_pct; /* NaN = unknown */
} tt_xp_launch;
tt_xp_launch tt_xp_launch_of(tt_xp_text details);
/* Bytes from "size:4096" in memcpy_details or memset_details; TT_UNKNOWN. */
int64_t tt_xp_size_of(tt_xp_text details);

#endif
