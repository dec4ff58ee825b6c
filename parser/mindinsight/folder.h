/* parser/mindinsight/folder.h - what the files of one worker are read into. Private to parser/mindinsight.
 *
 * Each theme (steps, operators, data, cluster, device work) is a function that is given the folder, reads its files,
 * and adds tables, facts, slices and problems. A file that is missing, empty or damaged costs what it says, and nothing
 * else. */
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
    TT_VEC(tt_imported *) tables; /* for the trace */
    /* of the trace while it is filled, else NULL */
    tt_builder *b;
    tt_build_header *h;
    uint64_t made_at, n_made; /* slices that no text has: offset of the first (made_text.h), and how many there are */
    int64_t rank;
    /* The device's clock, in ns, at time 0 of the trace; TT_UNKNOWN = what lies on that clock has no place in it. */
    int64_t zero;
} tt_mi;

bool tt_mi_cancelled(const tt_mi *m);
/* The csv file with this role, read from its header on; NULL when there is none. */
tt_csv *tt_mi_csv(tt_mi *m, const char *role, const tt_csv_options *options);
/* The whole text of the first file with this role; false when there is none, or nothing in it, which is reported. The
 * caller frees it. */
bool tt_mi_text(tt_mi *m, const char *role, tt_text *out);
/* The name of the first file with this role, without its folder; "" */
const char *tt_mi_file(const tt_mi *m, const char *role);
/* Report damage of a file that has no rows: "FILE:LINE: WHAT", the line of the byte `at` of its text; NULL = the
 * first. */
void tt_mi_bad(tt_mi *m, const char *role, const tt_text *text, const char *at, const char *what);
/* The offset of a further slice that no text has; false: there are too many. */
bool tt_mi_make(tt_mi *m, uint64_t *offset);
void tt_mi_fact(tt_mi *m, const char *key, const char *value, size_t n); /* nothing when there is no value */
bool tt_mi_has_fact(const tt_mi *m, const char *key);

/* ---- tables */

#define TT_MI_TABLE(m, id, columns) tt_mi_table(m, id, columns, sizeof(columns) / sizeof(columns)[0])
/* A table of the trace, without rows as yet. */
tt_imported *tt_mi_table(tt_mi *m, const char *id, const tt_imported_key *columns, uint32_t n);
void tt_mi_set_text(tt_imported *t, uint32_t row, uint32_t col, tt_csv_text text); /* nothing when it is missing */
/* Tables without rows go. */
void tt_mi_give_tables(tt_mi *m, tt_trace *s);

/* ---- JSON */

/* A number that a member has; false when it has none. */
bool tt_mi_number(const char *object, const char *end, const char *key, double *out);
bool tt_mi_integer(const char *object, const char *end, const char *key, int64_t *out);
/* The text of a member, decoded; "" when it has none. */
const char *tt_mi_string(const char *object, const char *end, const char *key, tt_arena *a);

/* ---- the themes, in this order */

void tt_mi_facts(tt_mi *m); /* facts.c: profiler_info, flops_summary */
/* facts.c: "ascend", "gpu", "cpu", as the names of the files tell; "" = they do not. */
const char *tt_mi_device_type(const tt_mi *m);
void tt_mi_clock(tt_mi *m);   /* clock.c: sets zero, as far as a clock is known */
void tt_mi_steps(tt_mi *m);   /* steps.c */
void tt_mi_data(tt_mi *m);    /* data_queues.c, data_pipeline.c, data_cpu.c */
void tt_mi_cluster(tt_mi *m); /* cluster.c */
/* truncated.c: after the steps; size of the timeline's text. */
void tt_mi_truncated(tt_mi *m, uint64_t size);

#endif
