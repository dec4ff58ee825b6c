/* tui/sql/slices_plan.c - choosing the cheapest way to find rows of `slices`, and its cost. */
#include <string.h>

#include "tui/sql/slices.h"

typedef struct plan {
    double rows, cost;
    int how;
} plan;

static double all_rows(const tt_sql_data *d) { return (double)tt_session_slices(d->session) + 1; }

tt_indexed tt_sql_indexed(int col)
{
    switch (col) {
    case SL_NAME: return TT_BY_NAME;
    case SL_CATEGORY: return TT_BY_CATEGORY;
    case SL_KIND: return TT_BY_KIND;
    case SL_STEP: return TT_BY_STEP;
    case SL_DEVICE: return TT_BY_DEVICE;
    case SL_STREAM: return TT_BY_STREAM;
    default: return TT_INDEXED_COUNT;
    }
}

/* ---- how many rows a constraint leaves ---- */

/* The value of the constraint if the query has it as a constant; NULL: known only when the query runs. */
static sqlite3_value *written_value(sqlite3_index_info *info, int i)
{
    sqlite3_value *v = NULL;
#if SQLITE_VERSION_NUMBER >= 3038000
    if (sqlite3_vtab_rhs_value(info, i, &v) != SQLITE_OK) return NULL;
#else
    (void)info;
    (void)i;
#endif
    return v;
}

/* Number of slices in categories of this name or kind. */
static double in_categories(tt_sql_data *d, int col, const char *text)
{
    const tt_session *s = d->session;
    double n = 0;
    if (!d->in_category) {
        d->in_category = tt_calloc((size_t)s->n_traces * 256 + 1, sizeof *d->in_category);
        for (uint32_t i = 0; i < s->n_traces; i++) {
            for (tt_row r = 0; r < s->traces[i]->n; r++) d->in_category[i * 256 + s->traces[i]->cat[r]]++;
        }
    }
    for (uint32_t i = 0; i < s->n_traces; i++) {
        const tt_trace *t = s->traces[i];
        for (uint32_t k = 0; k < t->n_cats; k++) {
            const char *is = col == SL_KIND ? tt_kind_name[t->kind_of[k]] : tt_str(&t->strings, t->cats[k].name);
            if (!strcmp(is, text)) n += (double)d->in_category[i * 256 + k];
        }
    }
    return n;
}

/* Sums over all traces. */
typedef struct amounts {
    double tracks, names, steps, work, streams, devices;
} amounts;

static amounts amounts_of(const tt_session *s)
{
    amounts a = {.tracks = 1, .names = 1, .steps = 1, .streams = 1, .devices = 1};
    for (uint32_t i = 0; i < s->n_traces; i++) {
        const tt_trace *t = s->traces[i];
        a.tracks += t->n_tracks;
        a.names += (double)t->strings.text.n / 4;
        a.steps += t->n_steps;
        a.work += t->n_dev;
        a.devices += t->n_devices > 1 ? t->n_devices - 1 : 0;
        for (uint32_t k = 0; k < t->n_tracks; k++) a.streams += t->tracks[k].kind == TT_TRACK_STREAM;
    }
    return a;
}

/* Estimate the rows that an equality on a column leaves; counted where that is cheap. 0: the equality is no help. */
static double left_by(tt_sql_data *d, sqlite3_index_info *info, int i, int col)
{
    double n = all_rows(d);
    amounts all = amounts_of(d->session);
    switch (col) {
    case SL_ID: return 1;
    case SL_LAUNCH: return 2;
    case SL_CORRELATION: return 4;
    case SL_PARENT: return 8;
    case SL_NAME: return n / all.names + 10;
    case SL_TRACK: return n / all.tracks + 10;
    case SL_STEP: return n / all.steps + 10;
    case SL_STREAM: return all.work / all.streams + 10;
    case SL_DEVICE: return all.work / all.devices + 10;
    case SL_CATEGORY:
    case SL_KIND: {
        sqlite3_value *v = written_value(info, i);
        const char *text = v ? (const char *)sqlite3_value_text(v) : NULL;
        return text ? in_categories(d, col, text) + 1 : n / 6 + 10;
    }
    default: return 0;
    }
}

/* The share of slices that a bound on starts leaves, if starts were spread evenly. */
static double share_of(const tt_sql_data *d, sqlite3_index_info *info, int i, int col, char letter)
{
    sqlite3_value *v = col == SL_START ? written_value(info, i) : NULL;
    double end = (double)d->session->end_ns;
    if (!v || sqlite3_value_type(v) == SQLITE_NULL || !(end > 0)) return col == SL_START ? 0.6 : 0.5;
    double at = sqlite3_value_double(v) / end;
    at = at < 0 ? 0 : at > 1 ? 1 : at;
    return letter == OP_GT || letter == OP_GE ? 1 - at : at;
}

static int plan_of(int col)
{
    switch (col) {
    case SL_ID: return PLAN_ID;
    case SL_PARENT: return PLAN_PARENT;
    case SL_LAUNCH: return PLAN_LAUNCH;
    case SL_CORRELATION: return PLAN_CORRELATION;
    case SL_NAME:
    case SL_STEP:
    case SL_DEVICE:
    case SL_STREAM: return PLAN_VALUE + PLAN_COLUMN * (int)tt_sql_indexed(col);
    default: return PLAN_TRACKS;
    }
}

static char letter_of(int op)
{
    switch (op) {
    case SQLITE_INDEX_CONSTRAINT_EQ: return OP_EQ;
    case SQLITE_INDEX_CONSTRAINT_GT: return OP_GT;
    case SQLITE_INDEX_CONSTRAINT_GE: return OP_GE;
    case SQLITE_INDEX_CONSTRAINT_LT: return OP_LT;
    case SQLITE_INDEX_CONSTRAINT_LE: return OP_LE;
    default: return 0;
    }
}

/* The constraint compares texts by their bytes: only such texts can be found in an index. */
static bool bytes_compared(sqlite3_index_info *info, int i)
{
    const char *collation = sqlite3_vtab_collation(info, i);
    return !collation || !sqlite3_stricmp(collation, "BINARY");
}

/* The plan uses the constraint to skip rows. */
static bool is_taken(sqlite3_index_info *info, int i, char *letter)
{
    const struct sqlite3_index_constraint *c = &info->aConstraint[i];
    *letter = c->usable ? letter_of(c->op) : 0;
    if (!*letter) return false;
    switch (c->iColumn < 0 ? SL_ID : c->iColumn) {
    case SL_ID:
    case SL_PARENT:
    case SL_LAUNCH:
    case SL_CORRELATION:
    case SL_STEP:
    case SL_STREAM:
    case SL_TRACK: return *letter == OP_EQ;
    case SL_NAME:
    case SL_DEVICE:
    case SL_CATEGORY:
    case SL_KIND: return *letter == OP_EQ && bytes_compared(info, i);
    case SL_START:
    case SL_DURATION: return true;
    default: return false;
    }
}

/* The column of ORDER BY; SL_COUNT: there is none, or several. */
static int ordered_by(const sqlite3_index_info *info)
{
    if (info->nOrderBy != 1) return SL_COUNT;
    return info->aOrderBy[0].iColumn < 0 ? SL_ID : info->aOrderBy[0].iColumn;
}

/* The order of rows, if the plan can give the order asked for. */
static int order_of(int by, int how, bool has_start)
{
    if (how != PLAN_TRACKS) return ORDER_ID;
    if (by == SL_START) return ORDER_START;
    tt_indexed column = has_start ? TT_INDEXED_COUNT : tt_sql_indexed(by);
    return column != TT_INDEXED_COUNT ? ORDER_VALUE + PLAN_COLUMN * (int)column : ORDER_ID;
}

typedef struct bounds { /* shares of slices that bounds on the start leave below and above */
    double above, below;
    bool any;
} bounds;

/* Hand over the values of constraints; idxStr has the column and operator of each. */
static char *take_constraints(tt_sql_data *d, sqlite3_index_info *info, plan *best, bounds *start)
{
    char *ops = sqlite3_malloc64((sqlite3_uint64)info->nConstraint * 2 + 1);
    double n = all_rows(d), share = 1;
    int taken = 0;
    if (!ops) return NULL;
    *best = (plan){.rows = n, .cost = n, .how = PLAN_TRACKS};
    *start = (bounds){.above = 1, .below = 1};
    for (int i = 0; i < info->nConstraint; i++) {
        char letter;
        int col = info->aConstraint[i].iColumn < 0 ? SL_ID : info->aConstraint[i].iColumn;
        if (!is_taken(info, i, &letter)) continue;
        info->aConstraintUsage[i].argvIndex = taken + 1;
        ops[2 * taken] = (char)('A' + col);
        ops[2 * taken++ + 1] = letter;
        start->any = start->any || col == SL_START;
        double left = letter == OP_EQ ? left_by(d, info, i, col) : 0;
        if (letter != OP_EQ && col == SL_START) {
            double *side = letter == OP_GT || letter == OP_GE ? &start->above : &start->below;
            *side = share_of(d, info, i, col, letter);
        } else if (letter != OP_EQ) {
            share *= share_of(d, info, i, col, letter);
        } else if (left > 0 && left < best->rows) {
            int how = plan_of(col);
            best->rows = left;
            /* a search through all rows costs a look for each */
            best->cost = how == PLAN_TRACKS && col != SL_TRACK ? n / 8 + left : left + 2;
            best->how = how;
        }
    }
    ops[2 * taken] = '\0';
    best->rows *= share;
    best->cost *= share;
    return ops;
}

int tt_sql_slices_plan(tt_sql_data *d, sqlite3_index_info *info)
{
    plan best;
    bounds start;
    char *ops = take_constraints(d, info, &best, &start);
    if (!ops) return SQLITE_NOMEM;
    double share = start.above + start.below - 1; /* share of the time */
    if (share < 0.0001) share = 0.0001;
    int by = ordered_by(info), how = best.how % PLAN_COLUMN, order = order_of(by, how, start.any);
    bool down = info->nOrderBy == 1 && info->aOrderBy[0].desc;
    info->orderByConsumed = order != ORDER_ID || (by == SL_ID && !down && how == PLAN_TRACKS);
    info->idxNum = best.how | order | (order != ORDER_ID && down ? ORDER_DOWN : 0);
    info->idxStr = ops;
    info->needToFreeIdxStr = 1;
    info->estimatedRows = (sqlite3_int64)(best.rows * share) + 1;
    /* a bound on starts is found by bisection on tracks; elsewhere it is a look at each row */
    info->estimatedCost = 1 + best.cost * (how == PLAN_TRACKS ? share : 1) * (order == ORDER_ID ? 1.0 : 1.3);
    if (how == PLAN_ID) info->idxFlags |= SQLITE_INDEX_SCAN_UNIQUE;
    return SQLITE_OK;
}
