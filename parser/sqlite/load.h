/* parser/sqlite/load.h - loads all tables with events of a database into one trace, with several threads.
 *
 * A format's reader first looks at the small tables (tt_db_each), then passes its knowledge on with the list of tables
 * that hold events. Ranges of rows are dealt to threads, each with a connection and a builder of its own; the result
 * does not depend on which thread read a row. An event's place in the text is its row: JSON is made from it again.
 * Private to parser/. */
#ifndef TT_PARSER_SQLITE_LOAD_H
#define TT_PARSER_SQLITE_LOAD_H

#include "parser/sqlite/event.h"

typedef struct tt_db_source { /* a table with events and its meaning */
    const tt_db_spec *spec;
    const char *table; /* name of the table in the file */
    const void *of;    /* argument for spec->event(): the reader's data or a part of it */
} tt_db_source;

typedef struct tt_db_plan {
    const tt_db_format *format;
    void *self; /* the reader's data; freed with free_self, also on failure */
    void (*free_self)(void *self);
    TT_VEC(tt_db_source) sources;
    tt_build_header header; /* header of the trace; the load takes it over */
    tt_arena arena;         /* holds the names of tables */
} tt_db_plan;

typedef struct tt_db_job { /* arguments of every reader of a database */
    tt_input *in;
    tt_reader_names names; /* names, with the recognised format */
    unsigned threads;
    tt_reader_progress *progress;
    const tt_reader_hooks *hooks;
    tt_db_image *image; /* taken over by tt_db_load() */
    tt_db *db;          /* connection to the image; closed by its opener */
} tt_db_job;

/* Add a table by name if it exists with the columns that it needs. */
void tt_db_plan_table(tt_db_plan *p, tt_db_job *job, const tt_db_spec *spec, const char *table, const void *of);
/* Load the plan's tables into a trace; uses the plan up and takes the image over. Never NULL. */
tt_trace *tt_db_load(tt_db_job *job, tt_db_plan *plan);

#endif
