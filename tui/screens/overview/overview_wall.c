/* tui/screens/overview/overview_wall.c - the wall of the Overview for a run with many ranks: all ranks by step, in
 * place of the steps of one. The tables of the wall are fetched only then. */
#include <stdio.h>
#include <stdlib.h>

#include "model/base/mem.h"
#include "tui/screen/host.h"
#include "tui/screens/overview/overview.h"

enum { TIMES, COMM_STEPS, COMM_WAIT, N_WALL, WALL_LINES = 12, LABEL = 32 };

static const char *const ids[N_WALL + 1] =
    {[TIMES] = "rank_times", [COMM_STEPS] = "comm_steps", [COMM_WAIT] = "comm_wait"};

static void ready(tt_screen *s)
{
    overview *o = s->state;
    const tt_session *session = tt_host_session(s->host);
    tt_rank_wall_set(&o->wall, o->ranks.at[TIMES], o->ranks.at[COMM_STEPS], o->ranks.at[COMM_WAIT],
                     (const char *const *)session->workers, session->n_workers);
}

void tt_overview_ask_wall(tt_screen *s, bool renewed)
{
    overview *o = s->state;
    const tt_session *session = tt_host_session(s->host);
    if (!o->ranks.ids) o->ranks = (tt_table_fetch){.screen = s, .ids = ids, .ready = ready, .all_workers = true};
    if (renewed) tt_rank_wall_free(&o->wall); /* the wall has tables of the old session */
    if (session->n_workers < TT_WALL_RANKS) return;
    if (renewed)
        tt_table_fetch_renew(&o->ranks);
    else
        tt_table_fetch_ask(&o->ranks);
}

int tt_overview_wall_want(const overview *o)
{
    return tt_rank_wall_wanted(&o->wall) ? 1 + least((int)o->wall.n_ranks + 1, WALL_LINES) : 0;
}

void tt_overview_draw_wall(const tt_screen *s, overview *o, tt_canvas *c, int y0)
{
    const tt_session *session = tt_host_session(s->host);
    uint32_t n = o->wall.n_ranks;
    char(*text)[LABEL] = tt_calloc(n + (size_t)1, sizeof *text);
    const char **labels = tt_calloc(n + (size_t)1, sizeof *labels);
    for (uint32_t i = 0; i < n; i++) labels[i] = tt_rank_name(session, session->workers[i], text[i]);
    tt_rule(c, 0, "Ranks", c->w >= 60 ? "tab Distributed goes into them" : NULL);
    tt_canvas rows = tt_canvas_window(c, 1, 0, c->h - 1, c->w);
    int32_t worker = tt_host_scope(s->host)->worker;
    tt_rank_wall_draw(&o->wall, &rows, y0 + 1, labels, worker > 0 ? (uint32_t)worker : 0, false);
    free(labels);
    free(text);
}
