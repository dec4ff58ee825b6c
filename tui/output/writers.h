/* tui/output/writers.h - tables to a stream, in the formats of `summary` and `diff`. The writers sort and compute
 * nothing: rows come in order. */
#ifndef TT_TUI_OUTPUT_WRITERS_H
#define TT_TUI_OUTPUT_WRITERS_H

#include <stdio.h>

#include "model/tables/compare/conditions.h"
#include "tui/args/cli.h"

typedef struct tt_section { /* one table, or a part of one */
    const tt_table *table;
    const uint32_t *rows; /* rows to print, in order */
    uint32_t n_rows;
    uint32_t n_found;   /* rows before the limit */
    bool sorted;        /* rows are not in the table's own order */
    uint32_t skip;      /* leading columns that `part` says already */
    const char *remark; /* a sentence below the table; NULL */
    const char *part;   /* "thread 12 (main)"; NULL = the whole table */
    struct tt_output_option {
        const char *key, *value;
    } options[24]; /* options that differ from the defaults: group_by, sort, steps, ... */
    uint32_t n_options;
} tt_section;

typedef struct tt_compared { /* the part of a document about two runs */
    const tt_session *base;
    const char *base_path;
    const tt_matching *matching;
    const tt_condition *conditions; /* conditions of --fail-on, judged */
    uint32_t n_conditions;
    const tt_table *summary; /* table diff_summary, for the verdict on the step */
} tt_compared;

typedef struct tt_document {
    const tt_session *session;   /* the session; of two runs the new one */
    const tt_compared *compared; /* NULL: the document is about one run */
    const tt_scope *scope;       /* scope of the session */
    const char *const *paths;
    uint32_t n_paths;
    const tt_section *sections;
    uint32_t n_sections;
    tt_unit unit;   /* text */
    bool color;     /* text */
    uint32_t width; /* text: columns of the terminal; 0 = no limit */
    bool ascii;     /* text: "~" for the ellipsis */
    bool about_run; /* text: no table was asked for, so the first lines come first */
    bool alike;     /* text: key_averages is printed like every other table, not in PyTorch's layout */
} tt_document;

/* Write a document. Write errors stay in f, for tt_finish_output(). Texts of the trace are sanitised. */
void tt_out_text(FILE *f, const tt_document *d);
void tt_out_json(FILE *f, const tt_document *d);
/* Write a document as GitHub-flavoured Markdown. */
void tt_out_markdown(FILE *f, const tt_document *d);
void tt_out_csv(FILE *f, const tt_section *s);
/* The lines of a CSV one by one, for rows that come one at a time. */
void tt_out_csv_header(FILE *f, const tt_table *t);
void tt_out_csv_row(FILE *f, const tt_table *t, uint32_t row);
/* The type of a column as `tracetty tables` and JSON name it; its unit, "" = none. */
const char *tt_type_name(tt_type t);
const char *tt_type_unit(tt_type t);

#endif
