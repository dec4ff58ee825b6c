/* tui/charts/link_matrix.h - draws the links between ranks as a matrix: a line for each sending rank, a column for
 * each receiving rank, shaded by the speed of the link; ! marks a slow one. Made from the table cluster_links. */
#ifndef TT_TUI_CHARTS_LINK_MATRIX_H
#define TT_TUI_CHARTS_LINK_MATRIX_H

#include "model/tables/table.h"
#include "tui/charts/heat_grid.h"
#include "tui/widgets/format_value.h"

enum { TT_MAX_TRANSPORTS = 16 };

typedef struct tt_link { /* a link of one transport as one rank measured it: the sum of all steps and operations */
    uint32_t transport, src, dst; /* src, dst: indexes into ranks[] */
    int64_t rank;
    double bytes, ns;
    /* the link is slower than the mean of its transport by more than a fifth, the limit of finding slow_link */
    bool slow;
} tt_link;

typedef struct tt_transport { /* a kind of link (HCCS, PCIe, RDMA, ...) */
    const char *name;
    double mean, best, bytes; /* mean and best: GB/s of the links between different ranks; bytes: their sum */
    uint32_t n_links, n_slow;
} tt_transport;

typedef struct tt_link_matrix {
    tt_link *links; /* links in the order of transport, src, dst */
    uint32_t n_links;
    int64_t *ranks; /* ranks that send or receive, ascending */
    uint32_t n_ranks;
    uint32_t *senders; /* ranks that send, each drawn as a line */
    uint32_t n_senders;
    tt_transport transports[TT_MAX_TRANSPORTS];
    uint32_t n_transports, at; /* at: index of the transport that is shown */
    uint32_t src, dst;         /* the chosen link: an index into senders[] and one into ranks[] */
    tt_heat_grid grid;         /* lines are senders[], columns are ranks[] */
} tt_link_matrix;

/* Read a table, which must outlive the picture or be replaced by NULL. The chosen link stays chosen if the new table
 * has it. */
void tt_link_matrix_set(tt_link_matrix *m, const tt_table *t);
void tt_link_matrix_free(tt_link_matrix *m);
static inline bool tt_link_matrix_any(const tt_link_matrix *m) { return m->n_links > 0; }
void tt_link_matrix_next_transport(tt_link_matrix *m);
/* Move the chosen link by a number of lines and of columns. */
void tt_link_matrix_move(tt_link_matrix *m, int64_t lines, int64_t columns);
/* Lines that the whole picture takes. */
int tt_link_matrix_height(const tt_link_matrix *m);
/* Draw on all of c: a rule, the ranks that receive, the lines, the chosen link in words. y0: the line of the screen
 * at which c begins. */
void tt_link_matrix_draw(tt_link_matrix *m, tt_canvas *c, int y0, bool focus, tt_unit unit);
/* Choose the link at a place of the screen; false = no link is there. */
bool tt_link_matrix_choose(tt_link_matrix *m, int y, int x);
/* "rank 0 to 1 over HCCS: 15.8 GB/s, 58.4 MiB in 3.884 ms, 1.5% below the mean of HCCS" */
void tt_link_matrix_text(const tt_link_matrix *m, tt_unit unit, char *out, size_t cap);

#endif
