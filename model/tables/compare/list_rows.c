/* model/tables/compare/list_rows.c - see list_rows.h. Keys of both sides share one numbering: a key is a chain of
 * parts, each combined with the number of the parts before it. */
#include "model/tables/compare/list_rows.h"

#include <stdlib.h>
#include <string.h>

#include "model/base/group_by.h"
#include "model/base/run/parallel.h"
#include "model/text/short_name.h"

/* ---- the sides ---- */

typedef struct both {
    tt_list_rows *l;
    const tt_table_desc *of;
    tt_options options;
} both;

static void compute_side(void *arg, size_t i)
{
    const both *b = arg;
    tt_list_side *side = &b->l->side[i];
    const tt_matching *m = &b->l->matching;
    side->table = tt_table_compute_by_step(m->of[i], b->of, &m->scope[i], &b->options, &side->sums);
}

static uint32_t column(const tt_table *t, const char *key)
{
    return key ? (uint32_t)tt_table_column(t, key) : TT_NONE; /* -1 is TT_NONE */
}

static void find_columns(const tt_list *list, tt_list_side *side)
{
    side->col_calls = column(side->table, list->calls);
    side->col_main = column(side->table, list->main);
    side->col_device_main = column(side->table, list->device_main);
    for (uint32_t k = 0; k < list->n_keys; k++) side->col_key[k] = column(side->table, list->keys[k].key);
    for (uint32_t v = 0; v < list->n_values; v++) side->col_value[v] = column(side->table, list->values[v].key);
}

static int64_t cell(const tt_list_side *side, uint32_t row, uint32_t col)
{
    return col == TT_NONE ? TT_UNKNOWN : tt_table_cell(side->table, row, col).i;
}

static bool of_device(const tt_list *list, const tt_list_side *side, uint32_t row)
{
    return list->device_main && !strncmp(tt_table_cell(side->table, row, side->col_key[0]).s, "device", 6);
}

static uint32_t main_column(const tt_list *list, const tt_list_side *side, uint32_t row)
{
    return of_device(list, side, row) ? side->col_device_main : side->col_main;
}

static const uint32_t *samples_of_row(const tt_list_side *side, uint32_t row)
{
    return side->sample_of[tt_step_sums_part(&side->sums, row)->trace];
}

static void look_what_is_known(const tt_list *list, tt_list_side *side)
{
    bool any[2] = {false, false};
    for (uint32_t row = 0; row < side->table->n_rows; row++) {
        if (!samples_of_row(side, row)) continue;
        int n = of_device(list, side, row) ? 2 : 1;
        for (int k = 0; k < n; k++) {
            struct tt_list_known *known = &side->known[k];
            any[k] = true;
            known->calls |= cell(side, row, side->col_calls) != TT_UNKNOWN;
            known->main |= cell(side, row, main_column(list, side, row)) != TT_UNKNOWN;
            for (uint32_t v = 0; v < list->n_values; v++)
                known->value[v] |= cell(side, row, side->col_value[v]) != TT_UNKNOWN;
        }
    }
    for (int k = 0; k < 2; k++)
        if (!any[k]) memset(&side->known[k], true, sizeof side->known[k]);
}

/* ---- joining ---- */

typedef struct joiner {
    tt_list_rows *l;
    bool short_names;
    tt_strings texts;
    tt_groups keys;
    TT_VEC(uint32_t) row_of; /* row by key */
} joiner;

static const char *name_shown(joiner *j, const tt_list_side *side, uint32_t row, tt_list_name how, const char *name)
{
    tt_arena *a = &j->l->arena;
    if (!name || !j->short_names || how == TT_NAME_AS_IS) return name;
    if (how == TT_NAME_BY_SIDE) how = of_device(j->l->list, side, row) ? TT_NAME_KERNEL : TT_NAME_OPERATOR;
    return tt_brief_name(a, name, how == TT_NAME_KERNEL);
}

/* Number of the row's key; writes its parts as shown. */
static uint32_t key_of(joiner *j, const tt_list_side *side, uint32_t row, tt_cell *shown)
{
    const tt_list *list = j->l->list;
    uint32_t id = 0;
    for (uint32_t k = 0; k < list->n_keys; k++) {
        uint32_t col = side->col_key[k];
        if (col == TT_NONE) { /* column not in this grouping, or dropped because all cells are unknown */
            shown[k] = (tt_cell){.s = NULL};
            id = tt_groups_put(&j->keys, (tt_group_key){id, 0, 2 * k});
            continue;
        }
        tt_type type = side->table->cols[col]->type;
        tt_cell c = tt_table_cell(side->table, row, col);
        bool known = !tt_cell_unknown(type, c);
        uint64_t part = known ? (uint64_t)c.i : 0;
        if (type == TT_T_STRING && known) {
            c.s = name_shown(j, side, row, list->keys[k].names, c.s);
            part = tt_strings_put(&j->texts, c.s, strlen(c.s));
        }
        shown[k] = c;
        id = tt_groups_put(&j->keys, (tt_group_key){id, part, 2 * k + known});
    }
    return id;
}

static void join_side(joiner *j, int which)
{
    tt_list_side *side = &j->l->side[which];
    side->next = tt_malloc((side->table->n_rows + (size_t)1) * sizeof *side->next);
    for (uint32_t row = 0; row < side->table->n_rows; row++) {
        tt_cell shown[TT_LIST_MOST];
        if (!samples_of_row(side, row)) continue; /* row of a worker without a partner */
        uint32_t key = key_of(j, side, row, shown);
        while (j->row_of.n <= key) *tt_vec_push(&j->row_of) = TT_NONE;
        uint32_t at = j->row_of.at[key];
        if (at == TT_NONE) {
            at = j->row_of.at[key] = (uint32_t)j->l->rows.n;
            tt_list_row *added = tt_vec_push(&j->l->rows);
            *added = (tt_list_row){.first = {TT_NONE, TT_NONE}, .last = {TT_NONE, TT_NONE}};
            memcpy(added->key, shown, sizeof shown);
        }
        tt_list_row *r = &j->l->rows.at[at];
        if (r->first[which] == TT_NONE)
            r->first[which] = row;
        else
            side->next[r->last[which]] = row;
        r->last[which] = row;
        side->next[row] = TT_NONE;
    }
}

void tt_list_rows_make(tt_list_rows *l, const tt_list *list, const tt_session *new_run, const tt_scope *scope,
                       const tt_options *options)
{
    *l = (tt_list_rows){.list = list, .matching = tt_matching_make(new_run, scope, options->compare)};
    both b = {l, list->of, {.group = options->group, .stack_depth = options->stack_depth}};
    joiner j = {.l = l, .short_names = options->compare->short_names};
    tt_parallel(tt_threads(), TT_SIDES, compute_side, &b);
    tt_strings_init(&j.texts);
    tt_groups_init(&j.keys);
    for (int k = 0; k < TT_SIDES; k++) {
        find_columns(list, &l->side[k]);
        l->side[k].sample_of = tt_matching_sample_of(&l->matching, k);
        l->side[k].ns = tt_calloc(l->matching.n_samples[k] + (size_t)1, sizeof *l->side[k].ns);
        look_what_is_known(list, &l->side[k]);
        join_side(&j, k);
    }
    tt_vec_free(&j.row_of);
    tt_groups_free(&j.keys);
    tt_strings_free(&j.texts);
}

void tt_list_rows_free(tt_list_rows *l)
{
    for (int k = 0; k < TT_SIDES; k++) {
        tt_list_side *side = &l->side[k];
        for (uint32_t i = 0; i < l->matching.of[k]->n_traces; i++) free(side->sample_of[i]);
        free(side->sample_of);
        free(side->next);
        free(side->ns);
        tt_step_sums_free(&side->sums);
        tt_table_free(side->table);
    }
    tt_matching_free(&l->matching);
    tt_vec_free(&l->rows);
    tt_arena_free(&l->arena);
}

/* ---- values ---- */

/* Whether a missing row counts as 0, by the kind of row, which either side tells. */
static const struct tt_list_known *known_of(const tt_list_rows *l, const tt_list_row *r, int which)
{
    int has = r->first[TT_BASE] != TT_NONE ? TT_BASE : TT_NEW;
    return &l->side[which].known[of_device(l->list, &l->side[has], r->first[has])];
}

static int64_t fold(tt_list_fold how, int64_t a, int64_t b)
{
    if (how == TT_LIST_SUM) return a == TT_UNKNOWN || b == TT_UNKNOWN ? TT_UNKNOWN : a + b;
    if (a == TT_UNKNOWN || b == TT_UNKNOWN) return a == TT_UNKNOWN ? b : a;
    return (how == TT_LIST_MAX) == (a > b) ? a : b;
}

/* Fold the values of all rows that the side has for r: at least one. */
static int64_t folded(const tt_list_side *side, const tt_list_row *r, int which, uint32_t col, tt_list_fold how)
{
    int64_t all = cell(side, r->first[which], col);
    for (uint32_t row = side->next[r->first[which]]; row != TT_NONE; row = side->next[row])
        all = fold(how, all, cell(side, row, col));
    return all;
}

int64_t tt_list_calls(const tt_list_rows *l, const tt_list_row *r, int side)
{
    const tt_list_side *x = &l->side[side];
    if (r->first[side] == TT_NONE) return known_of(l, r, side)->calls ? 0 : TT_UNKNOWN;
    return folded(x, r, side, x->col_calls, TT_LIST_SUM);
}

int64_t tt_list_main(const tt_list_rows *l, const tt_list_row *r, int side)
{
    const tt_list_side *x = &l->side[side];
    if (r->first[side] == TT_NONE) return known_of(l, r, side)->main ? 0 : TT_UNKNOWN;
    return folded(x, r, side, main_column(l->list, x, r->first[side]), TT_LIST_SUM);
}

int64_t tt_list_value_of(const tt_list_rows *l, const tt_list_row *r, int side, uint32_t value)
{
    const tt_list_side *x = &l->side[side];
    tt_list_fold how = l->list->values[value].fold;
    bool alone = r->first[side] == r->last[side]; /* one row, or none */
    if (r->first[side] == TT_NONE) return how == TT_LIST_SUM && known_of(l, r, side)->value[value] ? 0 : TT_UNKNOWN;
    if (how != TT_LIST_MEAN || alone) return folded(x, r, side, x->col_value[value], how);
    tt_stat all = {.n = tt_list_calls(l, r, side), .total = tt_list_value_of(l, r, side, value - 1)};
    return all.n <= 0 || all.total == TT_UNKNOWN ? TT_UNKNOWN : tt_stat_mean(&all);
}

uint32_t tt_list_samples(tt_list_rows *l, const tt_list_row *r, int side, int64_t *calls)
{
    tt_list_side *x = &l->side[side];
    uint32_t n = l->matching.n_samples[side];
    int64_t workers = (int64_t)l->matching.workers.n;
    *calls = 0;
    if (!l->matching.per_step || tt_list_main(l, r, side) == TT_UNKNOWN) return 0;
    memset(x->ns, 0, n * sizeof *x->ns);
    for (uint32_t row = r->first[side]; row != TT_NONE; row = x->next[row]) {
        const uint32_t *sample_of = samples_of_row(x, row);
        uint32_t n_cells;
        const tt_step_cell *cells = tt_step_sums_of(&x->sums, row, &n_cells);
        for (uint32_t i = 0; i < n_cells; i++) {
            uint32_t sample = sample_of[cells[i].step];
            if (sample == TT_NONE) continue;
            x->ns[sample] += cells[i].ns;
            *calls += cells[i].calls;
        }
    }
    for (uint32_t i = 0; i < n && workers > 1; i++) {
        int64_t sum = x->ns[i];
        x->ns[i] = sum / workers - (sum % workers < 0);
    }
    return n;
}
