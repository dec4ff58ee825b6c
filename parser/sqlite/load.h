/* parser/sqlite/load.h - all tables with events of a database into one trace, on several threads.
 *
 * A reader of a format looks at the small tables first (tt_db_each), then hands over what it learnt with the tables
 * that hold events. Ranges of rows are dealt to the threads, each with a connection and a builder of its own; the
 * result does not depend on who read what. An event's place in the text is its row: JSON is made from it again.
 * Private to parser/. */
#ifndef TT_PARSER_SQLITE_LOAD_H
#define TT_PARSER_SQLITE_LOAD_H

#include "parser/sqlite/event.h"

typedef struct tt_db_source { /* a table with events, and what its rows mean */
    const tt_db_spec *spec;
    const char *table; /* as the file calls it */
    const void *of;    /* what the meaning of its rows is asked with: the reader's own, or a part of it */
} tt_db_source;

typedef struct tt_db_plan {
    const tt_db_format *format;
    void *self; /* the reader's own; freed with free_self, also on failure */
    void (*free_self)(void *self);
    TT_VEC(tt_db_source) sources;
    tt_build_header header; /* taken over */
    tt_arena arena;         /* of the names of tables */
} tt_db_plan;

typedef struct tt_db_job { /* what every reader of a database is given */
    tt_input *in;
    tt_reader_names names; /* with the format that it was recognised as */
    unsigned threads;
    tt_reader_progress *progress;
    const tt_reader_hooks *hooks;
    tt_db_image *image; /* the loading takes it over */
    tt_db *db;          /* open on it; closed by whoever opened it */
} tt_db_job;

/* Adds the table called so, if it is there and has the columns that it needs. */
void tt_db_plan_table(tt_db_plan *p, tt_db_job *job, const tt_db_spec *spec, const char *table, const void *of);
/* The trace of all that the plan names; the plan is used up, the image taken over. Never NULL. */
tt_trace *tt_db_load(tt_db_job *job, tt_db_plan *plan);

#endif
