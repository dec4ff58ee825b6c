/* parser/mindinsight/folder.h - results of reading the files of one worker. Private to parser/mindinsight.
 *
 * Each theme (steps, operators, data, cluster, device work) is a function that reads its files of the folder and adds
 * tables, facts, slices and problems. A missing, empty or damaged file loses only its own content. */
#ifndef TT_PARSER_MINDINSIGHT_FOLDER_H
#define TT_PARSER_MINDINSIGHT_FOLDER_H

#include "model/trace/imported.h"
#include "parser/csv/csv.h"
#include "parser/input/reader.h"

typedef struct tt_mi {
    tt_input *in;
    const tt_reader_names *names;
    tt_reader_progress *progress;
    tt_problems problems;
    TT_VEC(tt_imported *) tables; /* tables for the trace */
    /* builder of the trace while it is filled, else NULL */
    tt_builder *b;
    tt_build_header *h;
    uint64_t made_at, n_made; /* slices without text: offset of the first (made_text.h), and their number */
    int64_t rank;
    /* The device's clock, in ns, at time 0 of the trace; TT_UNKNOWN = times of that clock have no place in the trace.
     * */
    int64_t zero;
} tt_mi;

bool tt_mi_cancelled(const tt_mi *m);
/* Open the csv file with this role and read its header; NULL = there is none. */
tt_csv *tt_mi_csv(tt_mi *m, const char *role, const tt_csv_options *options);
/* Read the whole text of the first file with this role; false = there is none, or it is empty, which is reported. The
 * caller frees it. */
bool tt_mi_text(tt_mi *m, const char *role, tt_text *out);
/* Name of the first file with this role, without its folder; "" = none. */
const char *tt_mi_file(const tt_mi *m, const char *role);
/* Report damage of a file without rows: "FILE:LINE: WHAT", with the line of `at` in its text; at NULL = the first
 * line. */
void tt_mi_bad(tt_mi *m, const char *role, const tt_text *text, const char *at, const char *what);
/* Offset of another slice without text; false = there are too many. */
bool tt_mi_make(tt_mi *m, uint64_t *offset);
void tt_mi_fact(tt_mi *m, const char *key, const char *value, size_t n); /* adds nothing without a value */
bool tt_mi_has_fact(const tt_mi *m, const char *key);

/* ---- tables */

#define TT_MI_TABLE(m, id, columns) tt_mi_table(m, id, columns, sizeof(columns) / sizeof(columns)[0])
/* A new table of the trace, without rows. */
tt_imported *tt_mi_table(tt_mi *m, const char *id, const tt_imported_key *columns, uint32_t n);
void tt_mi_set_text(tt_imported *t, uint32_t row, uint32_t col, tt_csv_text text); /* nothing if it is missing */
/* Give the tables to the trace; tables without rows are dropped. */
void tt_mi_give_tables(tt_mi *m, tt_trace *s);

/* ---- JSON */

/* The number that a member holds; false = none. */
bool tt_mi_number(const char *object, const char *end, const char *key, double *out);
bool tt_mi_integer(const char *object, const char *end, const char *key, int64_t *out);
/* The text of a member, decoded; "" = none. */
const char *tt_mi_string(const char *object, const char *end, const char *key, tt_arena *a);

/* ---- the themes, in order of their calls */

void tt_mi_facts(tt_mi *m); /* facts.c: profiler_info, flops_summary */
/* facts.c: "ascend", "gpu" or "cpu" by the names of the files; "" = unknown. */
const char *tt_mi_device_type(const tt_mi *m);
void tt_mi_clock(tt_mi *m);   /* clock.c: sets zero if the clock is known */
void tt_mi_steps(tt_mi *m);   /* steps.c */
void tt_mi_data(tt_mi *m);    /* data_queues.c, data_pipeline.c, data_cpu.c */
void tt_mi_cluster(tt_mi *m); /* cluster.c */
/* truncated.c: call it after the steps; size of the timeline's text. */
void tt_mi_truncated(tt_mi *m, uint64_t size);

#endif
