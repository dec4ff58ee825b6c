/* model/summary/union.h - the union of sources, which a merge computes.
 *
 * Sources are added in any order, from any number of files, with any repetition. */
#ifndef TT_MODEL_SUMMARY_UNION_H
#define TT_MODEL_SUMMARY_UNION_H

#include "model/summary/tts.h"

typedef struct tt_tts_union {
    TT_VEC(const tt_tts_source *) at;      /* after tt_tts_union_settle(): distinct sources in order */
    TT_VEC(const tt_tts_source *) doubles; /* sources replaced by another one of equal identity */
    TT_VEC(tt_tts *) files;                /* owned */
    TT_VEC(tt_tts_making *) made;          /* owned */
} tt_tts_union;

void tt_tts_union_file(tt_tts_union *u, tt_tts *f);        /* add all sources of a file; takes it over */
void tt_tts_union_made(tt_tts_union *u, tt_tts_making *m); /* add a new source (malloc'ed); takes it over */
void tt_tts_union_settle(tt_tts_union *u);
/* Write the file of the settled union. TT_ERR_INPUT: a source is damaged. Write errors are the writer's matter. */
tt_status tt_tts_union_write(const tt_tts_union *u, tt_tts_write *write, void *arg, tt_err *err);
void tt_tts_union_free(tt_tts_union *u);

/* Facts of the run from a settled union. */
typedef struct tt_tts_run {
    int64_t world;            /* expected number of ranks: stated by most sources, on ties the larger; -1 = unknown */
    bool mixed;               /* sources disagree about world */
    TT_VEC(int64_t) missing;  /* ranks below world without a source */
    TT_VEC(int64_t) foreign;  /* ranks >= world */
    TT_VEC(int64_t) repeated; /* ranks with different recordings that overlap in time */
    uint32_t ranks;           /* number of different known ranks */
    uint32_t nameless;        /* number of sources without a rank */
} tt_tts_run;
tt_tts_run tt_tts_run_of(const tt_tts_union *u);
void tt_tts_run_free(tt_tts_run *r);

#endif
