/* model/build/finish/split_internal.h - a trace while it is split into parts. Private to the files split*.c. */
#ifndef TT_MODEL_BUILD_FINISH_SPLIT_INTERNAL_H
#define TT_MODEL_BUILD_FINISH_SPLIT_INTERNAL_H

#include "model/base/mem.h"
#include "model/trace/trace.h"

struct tt_split_entry; /* split.h */

typedef struct tt_split_name {
    char *worker, *span; /* worker and span; span NULL = that of the file */
    int64_t rank;
    char *prefix; /* prefix of its process names that identifies the part; NULL */
} tt_split_name;

typedef struct tt_split_moment { /* start of a row in the text */
    uint64_t text;
    uint32_t part;
} tt_split_moment;

typedef struct tt_split {
    tt_trace *s;
    uint32_t n; /* number of parts; 0 = no split */
    tt_split_name *name;
    uint32_t *of_process; /* part by process; TT_NONE = the part it works for, or the first part */
    bool by_entry;
    uint32_t *of_track; /* part by stream: the part with most of its work; used for rows without another part */
    uint32_t *of_row;
    tt_row *now;                     /* index of each row within its part */
    tt_row *order, *first;           /* the rows of part p are order[first[p]] up to order[first[p + 1]] */
    TT_VEC(tt_split_moment) by_text; /* all rows in text order; made when first needed */
    tt_trace **part;
} tt_split;

typedef struct tt_split_ids { /* map from ids of the whole to ids of a part; TT_NONE = not in the part so far */
    uint32_t *to;
    TT_VEC(uint32_t) used;
} tt_split_ids;

typedef struct tt_split_filling { /* state for filling one part; the maps are cleared between parts */
    const tt_split *x;
    const tt_trace *s;
    tt_trace *to;
    uint32_t part;
    tt_split_ids text, args, coll, shape, track, process;
} tt_split_filling;

/* split_plan.c: name the parts, and choose the part of every process. Fewer than two parts: the trace stays whole. */
void tt_split_plan(tt_split *x, const struct tt_split_entry *entries, uint32_t n_entries);
void tt_split_forget_names(tt_split *x);

/* split_lists.c: copy the items of each list to their parts, with the ids of the whole. */
void tt_split_deal(tt_split *x);
/* Give the dealt items ids of the part, and copy samples. Tracks used by these alone come last. */
void tt_split_renumber(tt_split_filling *f);
/* Set begin and end of the part; with comparable times its own time begins at 0. */
void tt_split_set_time(tt_trace *to);

/* split_parts.c: fill all parts, whose lists have been dealt. */
void tt_split_fill(tt_split *x);
/* The part's id for a text or a track of the whole, which becomes part of it. */
tt_sid tt_split_text(tt_split_filling *f, tt_sid id);
uint32_t tt_split_track(tt_split_filling *f, uint32_t t);

#endif
