/* tui/screens/distributed/rank_partner.h - the ranks with which a rank can be compared, and the collective at which,
 * by the table comm_waits. */
#ifndef TT_TUI_SCREENS_DISTRIBUTED_RANK_PARTNER_H
#define TT_TUI_SCREENS_DISTRIBUTED_RANK_PARTNER_H

#include "tui/charts/wait_matrix.h"

/* By line of the picture (n of them): the rank takes part in a collective of the chosen rank. The caller frees the
 * array; NULL: no rank does, or the table does not tell. */
bool *tt_rank_partners(const tt_wait_matrix *m, uint32_t chosen, uint32_t n);
/* The rows of both ranks in comm_waits for the collective at which the other rank waited most for `rank`; if the
 * other never waited, the collective at which `rank` waited most. False: no such collective. */
bool tt_rank_longest_wait(const tt_table *waits, uint32_t n_calls, const char *rank, const char *other,
                          uint32_t out[2]);

#endif
