/* model/trace/columns.h - types of columns and cells, for computed tables and for tables that a trace brings. */
#ifndef TT_MODEL_TRACE_COLUMNS_H
#define TT_MODEL_TRACE_COLUMNS_H

#include <math.h>
#include <stdint.h>

#include "model/trace/events.h"

typedef enum tt_type {
    TT_T_STRING,
    TT_T_COUNT,
    TT_T_BOOL,
    TT_T_DURATION, /* int64 ns; key ends in _ns */
    TT_T_TIME,     /* int64 ns on the session's axis; key ends in _at_ns */
    TT_T_BYTES,    /* key ends in _bytes */
    TT_T_PERCENT,  /* double, 0..100; key ends in _pct */
    TT_T_NUMBER,   /* double */
} tt_type;

/* A cell. Unknown is TT_UNKNOWN in .i, NaN in .d, NULL in .s. Strings live as long as the table. */
typedef union tt_cell {
    int64_t i; /* COUNT, BOOL, DURATION, TIME, BYTES */
    double d;  /* PERCENT, NUMBER */
    const char *s;
} tt_cell;

typedef struct tt_column {
    const char *key;   /* JSON and CSV name, --sort key */
    const char *title; /* title on screen and in text */
    tt_type type;
    uint8_t prio; /* 0 = always shown; columns with the highest number are hidden first when the terminal is narrow */
    uint8_t in_groups; /* bit g set: shown when grouped by desc->groups[g]; no bit: always */
    const char *help;  /* one line; names the definition that is used if profilers differ */
    bool optional;     /* hidden where no row has a value */
    bool place; /* shown only with options.places (screens): says where in the program a row comes from, or what follows
                   from other columns */
    const char *unknown; /* shown on screens for an unknown text; NULL = "-" */
    bool above_all;      /* PERCENT: values above 100 are shown as they are; else as ">100%" */
    bool own_digits;     /* NUMBER: rows have units of their own, so each value is shown with digits of its own */
    bool is_id;          /* COUNT: a number that identifies, whose digits are not grouped */
} tt_column;

/* The unknown value of this type. */
static inline tt_cell tt_cell_none(tt_type type)
{
    tt_cell c = {.i = TT_UNKNOWN};
    if (type == TT_T_STRING) c.s = NULL;
    if (type == TT_T_PERCENT || type == TT_T_NUMBER) c.d = NAN;
    return c;
}

#endif
