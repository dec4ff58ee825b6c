/* tui/screens/distributed/cluster_ranks.c - how the ranks of a cluster spend a step. */
#include "tui/screens/distributed/cluster_ranks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/mem.h"
#include "model/tables/cells.h"
#include "model/tables/communication/columns.h"
#include "tui/charts/step_parts.h"
#include "tui/screen/table_fetch.h"

enum { COMPUTING, OVERLAPPED, EXPOSED, RECEIVE, FREE };
const tt_stack_part tt_cluster_parts[TT_CLUSTER_PARTS] = {
    [COMPUTING] = {TT_CLUSTER_STEPS_COMPUTING, "Compute", TT_HUE_KERNEL},
    [OVERLAPPED] = {TT_CLUSTER_STEPS_OVERLAPPED, "Overlapped comm.", TT_HUE_MEMCPY},
    [EXPOSED] = {TT_CLUSTER_STEPS_NOT_OVERLAPPED, "Exposed comm.", TT_HUE_COMMUNICATION},
    [RECEIVE] = {TT_CLUSTER_STEPS_BUBBLE, "Wait for stages", TT_HUE_SYNC},
    [FREE] = {TT_CLUSTER_STEPS_FREE, "Idle", TT_HUE_OTHER},
};
static const int part_of_time[TT_CLUSTER_TIMES] = {COMPUTING, EXPOSED, FREE};

typedef struct sums { /* sums of a rank while its rows are read */
    int64_t ns[TT_CLUSTER_PARTS], time[TT_CLUSTER_TIMES];
    uint32_t n[TT_CLUSTER_TIMES], rows;
    bool stored; /* the sums are the average that the rank's profiler stored, not sums of steps */
} sums;

static int64_t at_least_0(int64_t v) { return v > 0 ? v : 0; }

/* Add a row. In the table computing includes the overlap, and exposed communication includes the time to receive
 * from other stages; the parts of a bar include neither. */
static void add_row(const tt_table *t, uint32_t row, sums *s)
{
    int64_t overlapped = at_least_0(tt_cell_i(t, row, TT_CLUSTER_STEPS_OVERLAPPED));
    int64_t computing = at_least_0(tt_cell_i(t, row, TT_CLUSTER_STEPS_COMPUTING));
    int64_t exposed = at_least_0(tt_cell_i(t, row, TT_CLUSTER_STEPS_NOT_OVERLAPPED));
    int64_t others = tt_cell_i(t, row, TT_CLUSTER_STEPS_NOT_OVERLAPPED_EXCLUDE_RECEIVE);
    int64_t receive = others != TT_UNKNOWN ? exposed - others : at_least_0(tt_cell_i(t, row, TT_CLUSTER_STEPS_BUBBLE));
    if (receive > exposed) receive = exposed;
    s->ns[COMPUTING] += at_least_0(computing - overlapped);
    s->ns[OVERLAPPED] += overlapped;
    s->ns[EXPOSED] += exposed - at_least_0(receive);
    s->ns[RECEIVE] += at_least_0(receive);
    s->ns[FREE] += at_least_0(tt_cell_i(t, row, TT_CLUSTER_STEPS_FREE));
    for (int k = 0; k < TT_CLUSTER_TIMES; k++) {
        int64_t ns = tt_cell_i(t, row, tt_cluster_parts[part_of_time[k]].column);
        if (ns == TT_UNKNOWN) continue;
        s->time[k] += ns;
        s->n[k]++;
    }
    s->rows++;
}

static uint32_t rank_at(tt_cluster_ranks *c, const char *worker, const char *index)
{
    for (uint32_t i = c->n; i-- > 0;) { /* the rows of a rank are adjacent */
        if (!strcmp(c->ranks[i].index, index) && !strcmp(c->ranks[i].worker, worker)) return i;
    }
    c->ranks[c->n] = (tt_cluster_rank){.worker = worker, .index = index};
    snprintf(c->ranks[c->n].name, sizeof c->ranks[c->n].name, *index ? "rank %.30s" : "%.30s", *index ? index : worker);
    return c->n++;
}

static void read_ranks(tt_cluster_ranks *c, const tt_table *t)
{
    sums *of = tt_calloc(t->n_rows + (size_t)1, sizeof *of);
    char buf[24];
    for (uint32_t r = 0; r < t->n_rows; r++) {
        if (strcmp(tt_cell_s(t, r, TT_CLUSTER_STEPS_TYPE), "rank") != 0) continue;
        uint32_t i = rank_at(c, tt_cell_worker(t, r), tt_cell_s(t, r, TT_CLUSTER_STEPS_INDEX));
        bool stored = !strcmp(tt_cell_label(t, r, TT_CLUSTER_STEPS_STEP, buf), "average");
        if (!stored && of[i].stored) continue; /* the profiler knows best which steps are usual */
        if (stored && !of[i].stored) of[i] = (sums){.stored = true};
        c->stored |= stored;
        add_row(t, r, &of[i]);
    }
    for (uint32_t i = 0; i < c->n; i++) {
        for (int p = 0; p < TT_CLUSTER_PARTS; p++) c->ranks[i].ns[p] = of[i].ns[p] / (of[i].rows ? of[i].rows : 1);
        for (int k = 0; k < TT_CLUSTER_TIMES; k++)
            c->ranks[i].time[k] = of[i].n[k] ? of[i].time[k] / of[i].n[k] : TT_UNKNOWN;
    }
    free(of);
}

/* A list "0,1,2" contains the index. */
static bool names(const char *list, const char *index)
{
    size_t n = strlen(index);
    for (const char *p = list; *p; p += strcspn(p, ","), p += *p == ',') {
        if (strcspn(p, ",") == n && !strncmp(p, index, n)) return true;
    }
    return false;
}

/* Read the ranks of each stage from the rows of stages. */
static void read_stages(tt_cluster_ranks *c, const tt_table *t)
{
    uint32_t n = 0;
    const char *before = "";
    for (uint32_t r = 0; r < t->n_rows; r++) {
        const char *list = tt_cell_s(t, r, TT_CLUSTER_STEPS_INDEX);
        if (strcmp(tt_cell_s(t, r, TT_CLUSTER_STEPS_TYPE), "stage") != 0 || !strcmp(list, before)) continue;
        before = list;
        n++;
        for (uint32_t i = 0; i < c->n; i++)
            if (names(list, c->ranks[i].index)) c->ranks[i].stage = n;
    }
}

typedef struct spread { /* the spread of a time over the ranks of a stage */
    uint32_t most, least;
    int64_t ns;
    double pct; /* percent of the mean step */
} spread;

static spread spread_of(const tt_cluster_ranks *c, uint32_t stage, int k)
{
    spread w = {TT_NONE, TT_NONE, 0, 0};
    double step = 0;
    uint32_t n = 0;
    for (uint32_t i = 0; i < c->n; i++) {
        const tt_cluster_rank *r = &c->ranks[i];
        if (r->stage != stage) continue;
        if (r->time[k] == TT_UNKNOWN) return (spread){TT_NONE, TT_NONE, 0, 0};
        n++;
        for (int p = 0; p < TT_CLUSTER_TIMES; p++) step += (double)at_least_0(r->time[p]);
        if (w.most == TT_NONE || r->time[k] > c->ranks[w.most].time[k]) w.most = i;
        if (w.least == TT_NONE || r->time[k] < c->ranks[w.least].time[k]) w.least = i;
    }
    if (n < 2 || step <= 0) return (spread){TT_NONE, TT_NONE, 0, 0};
    w.ns = c->ranks[w.most].time[k] - c->ranks[w.least].time[k];
    w.pct = 100 * (double)w.ns / (step / n);
    return w;
}

/* Find the slow ranks. By computing and free time the rank with the most is slow; by exposed communication the rank
 * with the least, because it comes last and the others wait for it in collectives. A rank that computes longer or is
 * free longer has its reason in that. */
static void judge(tt_cluster_ranks *c)
{
    static const char *const words[] = {"computes", "communicates", "is idle"};
    double worst = 0;
    char ns[TT_TEXT_CAP];
    uint32_t stages = 0;
    for (uint32_t i = 0; i < c->n; i++)
        if (c->ranks[i].stage > stages) stages = c->ranks[i].stage;
    for (uint32_t stage = 0; stage <= stages; stage++) {
        for (int n = 0; n < TT_CLUSTER_TIMES; n++) {
            static const int order[TT_CLUSTER_TIMES] = {0, 2, 1};
            int k = order[n];
            spread w = spread_of(c, stage, k);
            if (w.pct <= 5) continue;
            uint32_t i = k == 1 ? w.least : w.most;
            tt_cluster_rank *r = &c->ranks[i];
            if (k == 1 && r->slow[0]) continue;
            char text[64];
            snprintf(text, sizeof text, "%s %s %s", words[k], tt_brief_ns(ns, w.ns), k == 1 ? "less" : "longer");
            if (w.pct > worst || !r->slow[0]) snprintf(r->slow, sizeof r->slow, "%s (%.1f%%)", text, w.pct);
            if (w.pct <= worst) continue;
            worst = w.pct;
            c->worst = i;
            snprintf(c->verdict, sizeof c->verdict, "Slow rank: %s %s than %s%s, %.1f%% of a step", r->name, text,
                     c->ranks[k == 1 ? w.most : w.least].name, k == 1 ? ", which waits for it" : "", w.pct);
        }
    }
}

void tt_cluster_ranks_free(tt_cluster_ranks *c)
{
    free(c->ranks);
    *c = (tt_cluster_ranks){.worst = TT_NONE};
}

void tt_cluster_ranks_set(tt_cluster_ranks *c, const tt_table *t)
{
    tt_cluster_ranks_free(c);
    if (!t || !t->n_rows) return;
    c->ranks = tt_calloc(t->n_rows + (size_t)1, sizeof *c->ranks);
    read_ranks(c, t);
    read_stages(c, t);
    judge(c);
}
