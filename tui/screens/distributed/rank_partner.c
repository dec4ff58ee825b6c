/* tui/screens/distributed/rank_partner.c - see rank_partner.h. */
#include "tui/screens/distributed/rank_partner.h"

#include <stdlib.h>
#include <string.h>

#include "model/base/mem.h"
#include "model/tables/cells.h"
#include "model/tables/communication/columns.h"
#include "tui/screen/table_fetch.h"

bool *tt_rank_partners(const tt_wait_matrix *m, uint32_t chosen, uint32_t n)
{
    bool any = false, *called = tt_calloc(m->n_calls + (size_t)1, sizeof *called),
         *with = tt_calloc(n + 1u, sizeof *with);
    int call = m->t ? tt_column_shown(m->t, TT_COMM_WAITS_CALL) : -1;
    for (uint32_t r = 0; call >= 0 && r < m->t->n_rows; r++)
        if (m->rank[r] == chosen) called[tt_table_cell(m->t, r, (uint32_t)call).i] = true;
    for (uint32_t r = 0; call >= 0 && r < m->t->n_rows; r++) {
        uint32_t rank = m->rank[r];
        if (rank == TT_NONE || rank == chosen || !called[tt_table_cell(m->t, r, (uint32_t)call).i]) continue;
        with[rank] = any = true;
    }
    free(called);
    if (any) return with;
    free(with);
    return NULL;
}

bool tt_rank_longest_wait(const tt_table *waits, uint32_t n_calls, const char *rank, const char *other, uint32_t out[2])
{
    const char *const who[2] = {other, rank};
    uint32_t *row[2]; /* by collective: the row of each rank */
    int64_t most = 0, call = TT_UNKNOWN;
    for (int k = 0; k < 2; k++) {
        row[k] = tt_malloc((n_calls + (size_t)1) * sizeof *row[k]);
        for (uint32_t i = 0; i < n_calls; i++) row[k][i] = TT_NONE;
        for (uint32_t r = 0; waits && r < waits->n_rows; r++) {
            uint32_t *at = &row[k][tt_cell_i(waits, r, TT_COMM_WAITS_CALL)];
            if (*at == TT_NONE && !strcmp(tt_cell_worker(waits, r), who[k])) *at = r;
        }
    }
    for (int turn = 0; turn < 2 && waits && call == TT_UNKNOWN; turn++) {
        for (uint32_t r = 0; r < waits->n_rows; r++) {
            int64_t ns = tt_cell_i(waits, r, TT_COMM_WAITS_WAITED), at = tt_cell_i(waits, r, TT_COMM_WAITS_CALL);
            if (ns <= most || strcmp(tt_cell_worker(waits, r), who[turn]) != 0) continue;
            if (!turn && tt_cell_i(waits, row[1][at], TT_COMM_WAITS_CAME_LAST) != 1) continue; /* for a third one */
            most = ns;
            call = at;
        }
    }
    for (int k = 0; k < 2; k++) {
        out[k] = call == TT_UNKNOWN ? TT_NONE : row[k][call];
        free(row[k]);
    }
    return waits && waits->drilldowns && out[0] != TT_NONE && out[1] != TT_NONE;
}
