/* parser/xplane/event.h - one XEvent: what it says, and what that means. Private to parser/xplane.
 *
 * Nothing is copied: texts lie in the event's own bytes, or in the names of the space. */
#ifndef TT_PARSER_XPLANE_EVENT_H
#define TT_PARSER_XPLANE_EVENT_H

#include "parser/xplane/space.h"

typedef struct tt_xp_text {
    const char *at; /* NULL = not said */
    size_t n;
} tt_xp_text;

typedef struct tt_xp_event {
    int64_t metadata, offset_ps, duration_ps;
    bool aggregated;        /* a sum over many executions, which has no time of its own */
    bool damaged;           /* its bytes end in the middle of a field */
    const tt_xp_kind *kind; /* NULL: the file does not name it */
    uint64_t correlation;
    int64_t step; /* TT_UNKNOWN */
    tt_xp_text kernel_details, memcpy_details, memset_details, op, module, allocator;
    int64_t flops, accessed;                  /* of this execution, or of any of its kind; TT_UNKNOWN */
    int64_t allocated, bytes, address, index; /* of memory; TT_UNKNOWN */
} tt_xp_event;

void tt_xp_event_read(const tt_xp_space *x, const tt_xp_plane *p, const char *bytes, size_t len, tt_xp_event *e);
/* Its time on the clock of the file. Start and end are rounded to nanoseconds each, so that what lay inside of
 * something else still does. False: beyond all times. */
bool tt_xp_event_span(const tt_xp_line *l, const tt_xp_event *e, int64_t *start, int64_t *end);

/* What the event is on this line. step: it is a step of the run. */
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
/* Category and kind as PyTorch's traces spell them. */
const char *tt_xp_class_category(tt_xp_class c);
tt_kind tt_xp_class_kind(tt_xp_class c);
/* The name that is shown; into out, which is emptied. */
void tt_xp_event_name(const tt_xp_space *x, const tt_xp_event *e, tt_xp_class c, tt_text *out);

/* Of an event of memory: the device as in tt_memory_record; whether it gives memory back. */
void tt_xp_event_place(const tt_xp_event *e, int16_t *type, int16_t *id);
bool tt_xp_event_releases(const tt_xp_space *x, const tt_xp_event *e);

/* The launch that kernel_details tells: "regs:32 shm:0 grid:4,1,1 block:256,1,1 occ_pct:50". */
typedef struct tt_xp_launch {
    int64_t grid[3], block[3]; /* [0] TT_UNKNOWN when not given */
    int64_t registers, shared_bytes;
    double occupancy_pct; /* NaN */
} tt_xp_launch;
tt_xp_launch tt_xp_launch_of(tt_xp_text details);
/* "size:4096" of memcpy_details and memset_details; TT_UNKNOWN. */
int64_t tt_xp_size_of(tt_xp_text details);

#endif
