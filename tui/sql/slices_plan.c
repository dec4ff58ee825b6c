/* tui/sql/slices_plan.c - which way to the rows of `slices` is the shortest, and how long it is. */
#include <string.h>

#include "tui/sql/slices.h"

typedef struct plan {
    double rows, cost;
    int how;
} plan;

static double all_rows(const tt_sql_data *d) { return (double)tt_session_slices(d->session) + 1; }

/* Guesses of how many rows an equality on a column leaves; 0: it is no help. */
static double left_by(const tt_sql_data *d, int col)
{
    double n = all_rows(d), tracks = 1, names = 1;
    for (uint32_t i = 0; i < d->session->n_traces; i++) {
        tracks += d->session->traces[i]->n_tracks;
        names += (double)d->session->traces[i]->strings.text.n / 4;
    }
    switch (col) {
    case SL_ID: return 1;
    case SL_LAUNCH: return 2;
    case SL_CORRELATION: return 4;
    case SL_PARENT: return 8;
    case SL_NAME: return n / names + 10;
    case SL_TRACK: return n / tracks + 10;
    case SL_CATEGORY:
    case SL_KIND: return n / 6 + 10;
    default: return 0;
    }
}

static int plan_of(int col)
{
    switch (col) {
    case SL_ID: return PLAN_ID;
    case SL_PARENT: return PLAN_PARENT;
    case SL_LAUNCH: return PLAN_LAUNCH;
    case SL_CORRELATION: return PLAN_CORRELATION;
    case SL_NAME: return PLAN_NAME;
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

/* Texts are found by their bytes alone. */
static bool bytes_compared(sqlite3_index_info *info, int i)
{
    const char *collation = sqlite3_vtab_collation(info, i);
    return !collation || !sqlite3_stricmp(collation, "BINARY");
}

/* A constraint that the rows are looked at for. */
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
    case SL_TRACK: return *letter == OP_EQ;
    case SL_NAME:
    case SL_CATEGORY:
    case SL_KIND: return *letter == OP_EQ && bytes_compared(info, i);
    case SL_START:
    case SL_DURATION: return true;
    default: return false;
    }
}

/* The one column that rows are to be in the order of; SL_COUNT: there is none, or they are several. */
static int ordered_by(const sqlite3_index_info *info)
{
    if (info->nOrderBy != 1) return SL_COUNT;
    return info->aOrderBy[0].iColumn < 0 ? SL_ID : info->aOrderBy[0].iColumn;
}

/* The order that the plan can have rows in, if it is asked for. */
static int order_of(int by, int how, bool has_start)
{
    if (how != PLAN_TRACKS) return ORDER_ID;
    if (by == SL_START) return ORDER_START;
    return by == SL_NAME && !has_start ? ORDER_NAME : ORDER_ID;
}

/* Each value that is handed over, with its column and operator, in idxStr. */
static char *take_constraints(const tt_sql_data *d, sqlite3_index_info *info, plan *best, bool *has_start)
{
    char *ops = sqlite3_malloc64((sqlite3_uint64)info->nConstraint * 2 + 1);
    double n = all_rows(d), share = 1;
    int taken = 0;
    if (!ops) return NULL;
    *best = (plan){.rows = n, .cost = n, .how = PLAN_TRACKS};
    for (int i = 0; i < info->nConstraint; i++) {
        char letter;
        int col = info->aConstraint[i].iColumn < 0 ? SL_ID : info->aConstraint[i].iColumn;
        if (!is_taken(info, i, &letter)) continue;
        info->aConstraintUsage[i].argvIndex = taken + 1;
        ops[2 * taken] = (char)('A' + col);
        ops[2 * taken++ + 1] = letter;
        *has_start = *has_start || col == SL_START;
        if (letter != OP_EQ) {
            share *= col == SL_START ? 0.2 : 0.5;
        } else if (left_by(d, col) > 0 && left_by(d, col) < best->rows) {
            int how = plan_of(col);
            best->rows = left_by(d, col);
            /* what is found by looking at every row costs a look each */
            best->cost = how == PLAN_TRACKS && col != SL_TRACK ? n / 8 + best->rows : best->rows + 2;
            best->how = how;
        }
    }
    ops[2 * taken] = '\0';
    best->rows = best->rows * share + 1;
    best->cost = best->cost * share + 1;
    return ops;
}

int tt_sql_slices_plan(tt_sql_data *d, sqlite3_index_info *info)
{
    plan best;
    bool has_start = false;
    char *ops = take_constraints(d, info, &best, &has_start);
    if (!ops) return SQLITE_NOMEM;
    int by = ordered_by(info), order = order_of(by, best.how, has_start);
    bool down = info->nOrderBy == 1 && info->aOrderBy[0].desc;
    info->orderByConsumed = order != ORDER_ID || (by == SL_ID && !down && best.how == PLAN_TRACKS);
    info->idxNum = best.how | order | (order != ORDER_ID && down ? ORDER_DOWN : 0);
    info->idxStr = ops;
    info->needToFreeIdxStr = 1;
    info->estimatedRows = (sqlite3_int64)best.rows;
    info->estimatedCost = best.cost * (order == ORDER_ID ? 1.0 : 1.3);
    if (best.how == PLAN_ID) info->idxFlags |= SQLITE_INDEX_SCAN_UNIQUE;
    return SQLITE_OK;
}
