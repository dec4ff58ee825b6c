/* tui/screens/straggler.c - the rank that comes last to collectives, and why. */
#include "tui/screens/straggler.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/median.h"
#include "model/base/mem.h"
#include "model/tables/cells.h"
#include "model/tables/communication/columns.h"
#include "model/tables/steps/columns.h"
#include "tui/charts/step_parts.h"
#include "tui/screen/table_fetch.h"

typedef struct rank_row {
    const char *worker;
    uint32_t row;
} rank_row;

static int by_worker(const void *a, const void *b)
{
    return strcmp(((const rank_row *)a)->worker, ((const rank_row *)b)->worker);
}

enum { NOBODY, OTHER_LAST, IT_LAST, DOUBTFUL };

/* By number of the collective: the rank that came last. */
static unsigned char *who_was_last(tt_straggler *s, const tt_table *waits)
{
    int64_t most = -1;
    for (uint32_t r = 0; r < waits->n_rows; r++) {
        int64_t call = tt_cell_i(waits, r, TT_COMM_WAITS_CALL);
        if (call > most) most = call;
    }
    s->n_calls = (uint32_t)(most + 1);
    unsigned char *last = tt_calloc(s->n_calls + (size_t)1, 1);
    for (uint32_t r = 0; r < waits->n_rows; r++) {
        unsigned char *at = &last[tt_cell_i(waits, r, TT_COMM_WAITS_CALL)];
        if (tt_cell_i(waits, r, TT_COMM_WAITS_WAITED) == TT_UNKNOWN) {
            s->doubtful += *at != DOUBTFUL;
            *at = DOUBTFUL;
        } else if (*at != DOUBTFUL && tt_cell_i(waits, r, TT_COMM_WAITS_CAME_LAST) == 1) {
            *at = s->row != TT_NONE && !strcmp(tt_cell_worker(waits, r), s->worker) ? IT_LAST : OTHER_LAST;
        }
    }
    return last;
}

/* Add up how long each rank waited for the straggler, and find the collective with the longest wait. */
static void add_waits(tt_straggler *s, const tt_table *ranks, const tt_table *waits, const unsigned char *last)
{
    int64_t *of_call = tt_calloc(s->n_calls + (size_t)1, sizeof *of_call);
    rank_row *names = tt_malloc((ranks->n_rows + (size_t)1) * sizeof *names);
    for (uint32_t r = 0; r < ranks->n_rows; r++) names[r] = (rank_row){tt_cell_worker(ranks, r), r};
    qsort(names, ranks->n_rows, sizeof *names, by_worker);
    s->waited = tt_calloc(ranks->n_rows + (size_t)1, sizeof *s->waited);
    for (uint32_t r = 0; r < waits->n_rows; r++) {
        int64_t call = tt_cell_i(waits, r, TT_COMM_WAITS_CALL), ns = tt_cell_i(waits, r, TT_COMM_WAITS_WAITED);
        if (last[call] != IT_LAST || ns <= 0) continue;
        rank_row want = {tt_cell_worker(waits, r), 0};
        const rank_row *at = bsearch(&want, names, ranks->n_rows, sizeof *names, by_worker);
        if (at) s->waited[at->row] += ns;
        if (ns > s->longest) s->longest = ns;
        of_call[call] += ns;
        if (of_call[call] <= s->once) continue;
        s->once = of_call[call];
        snprintf(s->step, sizeof s->step, "%.23s", tt_cell_s(waits, r, TT_COMM_WAITS_STEP));
    }
    free(names);
    free(of_call);
}

/* Find the part of the step that takes longer than on the other ranks; without steps all rows count as one step. */
static void find_reason(tt_straggler *s, const tt_table *t)
{
    int64_t mine[TT_STEP_PARTS] = {0}, ns[TT_STEP_PARTS] = {0}, *others[TT_STEP_PARTS];
    uint32_t n = 0;
    bool found = false;
    for (int p = 0; p < TT_STEP_PARTS; p++) others[p] = tt_malloc((t->n_rows + (size_t)1) * sizeof *others[p]);
    for (uint32_t r = 0; r < t->n_rows; r++) {
        if (*s->step && strcmp(tt_cell_s(t, r, TT_STEP_BREAKDOWN_STEP), s->step) != 0) continue;
        bool it = !strcmp(tt_cell_worker(t, r), s->worker);
        tt_step_parts_of(t, r, it ? mine : ns);
        found = found || it;
        for (int p = 0; p < TT_STEP_PARTS && !it; p++) others[p][n] = ns[p] > 0 ? ns[p] : 0;
        n += !it;
    }
    for (int p = 0; p < TT_STEP_PARTS && found && n; p++) {
        if (tt_step_parts_shown[p].hue == TT_HUE_COMMUNICATION || mine[p] < 0) continue;
        int64_t more = mine[p] - tt_median(others[p], n);
        if (more > s->part_more) s->part = p, s->part_more = more;
    }
    if (s->part_more * 10 < s->longest) s->part = -1; /* the part explains next to nothing of the wait */
    for (int p = 0; p < TT_STEP_PARTS; p++) free(others[p]);
}

tt_straggler tt_straggler_of(const tt_table *ranks, const tt_table *waits, const tt_table *breakdown)
{
    tt_straggler s = {.ranks = ranks, .row = TT_NONE, .worker = "", .part = -1};
    for (uint32_t r = 0; ranks && r < ranks->n_rows; r++) {
        int64_t ns = tt_cell_i(ranks, r, TT_COMM_RANKS_CAUSED);
        if (ns > s.caused) s.caused = ns, s.row = r;
    }
    if (s.row != TT_NONE) {
        s.worker = tt_cell_worker(ranks, s.row);
        s.last = tt_cell_i(ranks, s.row, TT_COMM_RANKS_LAST_CALLS);
        s.calls = tt_cell_i(ranks, s.row, TT_COMM_RANKS_CALLS);
    }
    if (!waits || !waits->n_rows) return s;
    unsigned char *last = who_was_last(&s, waits);
    if (s.doubtful * 2 > s.n_calls) s.row = TT_NONE;
    if (s.row != TT_NONE) add_waits(&s, ranks, waits, last);
    if (s.row != TT_NONE && breakdown) find_reason(&s, breakdown);
    free(last);
    return s;
}

void tt_straggler_free(tt_straggler *s)
{
    free(s->waited);
    *s = (tt_straggler){.row = TT_NONE, .worker = "", .part = -1};
}

void tt_straggler_why(const tt_straggler *s, char *out, size_t cap)
{
    char ns[TT_TEXT_CAP];
    out[0] = 0;
    if (s->row == TT_NONE || s->part < 0) return;
    snprintf(out, cap, "%s%s%sits %s takes %s longer than the median rank's", *s->step ? "in step " : "", s->step,
             *s->step ? " " : "", tt_step_parts_shown[s->part].title, tt_brief_ns(ns, s->part_more));
}
