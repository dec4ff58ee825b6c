/* model/summary/union.h - the union of sources: what a merge is.
 *
 * Sources are put in any order, from any number of files, the same one as often as it comes. */
#ifndef TT_MODEL_SUMMARY_UNION_H
#define TT_MODEL_SUMMARY_UNION_H

#include "model/summary/tts.h"

typedef struct tt_tts_union {
    TT_VEC(const tt_tts_source *) at;      /* after tt_tts_union_settle(): in order, each once */
    TT_VEC(const tt_tts_source *) doubles; /* those that another one of the same identity replaces */
    TT_VEC(tt_tts *) files;                /* owned */
    TT_VEC(tt_tts_making *) made;          /* owned */
} tt_tts_union;

void tt_tts_union_file(tt_tts_union *u, tt_tts *f);        /* all sources of a file; taken over */
void tt_tts_union_made(tt_tts_union *u, tt_tts_making *m); /* a source that was made (malloc'ed); taken over */
void tt_tts_union_settle(tt_tts_union *u);
/* The file of the settled union. TT_ERR_INPUT: a source is damaged. What cannot be written is the writer's matter. */
tt_status tt_tts_union_write(const tt_tts_union *u, tt_tts_write *write, void *arg, tt_err *err);
void tt_tts_union_free(tt_tts_union *u);

/* What a settled union says of its run. */
typedef struct tt_tts_run {
    int64_t world; /* ranks that there should be: what most sources say, of equally many the larger; -1 = none says */
    bool mixed;    /* sources disagree about it */
    TT_VEC(int64_t) missing;  /* ranks below world without a source */
    TT_VEC(int64_t) foreign;  /* ranks from world on */
    TT_VEC(int64_t) repeated; /* ranks with different recordings whose times overlap */
    uint32_t ranks;           /* different ones that are known */
    uint32_t nameless;        /* sources without a rank */
} tt_tts_run;
tt_tts_run tt_tts_run_of(const tt_tts_union *u);
void tt_tts_run_free(tt_tts_run *r);

#endif
