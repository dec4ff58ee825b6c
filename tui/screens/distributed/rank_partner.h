/* tui/screens/distributed/rank_partner.h - with which ranks one can be compared, and at which collective, by the table
 * comm_waits. */
#ifndef TT_TUI_SCREENS_RANK_PARTNER_H
#define TT_TUI_SCREENS_RANK_PARTNER_H

#include "tui/charts/wait_matrix.h"

/* By line of the picture, of which there are n, whether the rank takes part in a collective of the chosen one, for
 * free(); NULL: none does, or nothing tells. */
bool *tt_rank_partners(const tt_wait_matrix *m, uint32_t chosen, uint32_t n);
/* The collective at which the other one waited most for a rank; where it never did, at which the rank waited most:
 * the rows of both in comm_waits. False: there is none. */
bool tt_rank_longest_wait(const tt_table *waits, uint32_t n_calls, const char *rank, const char *other,
                          uint32_t out[2]);

#endif
