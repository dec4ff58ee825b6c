/* capture/launcher/dumps.c - see dumps.h. */
#include "capture/launcher/dumps.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct following { /* a process, and the last order to dump that it has followed */
    uint64_t id;
    uint32_t order;
    bool there; /* it is attached and has not ended */
} following;

typedef struct reading {
    tt_dumps *out;
    following *at;
    uint32_t n, cap;
    bool full; /* no memory */
} reading;

static bool grow(void *list, uint32_t n, uint32_t *cap, size_t size)
{
    void *at, *more;
    memcpy(&at, list, sizeof at);
    if (n < *cap) return true;
    uint32_t want = *cap ? *cap * 2 : 16;
    if (!(more = realloc(at, want * size))) return false;
    memcpy(list, &more, sizeof more);
    *cap = want;
    return true;
}

static following *process_of(reading *g, uint64_t id)
{
    for (uint32_t i = g->n; i-- > 0;)
        if (g->at[i].id == id) return &g->at[i];
    g->full |= !grow(&g->at, g->n, &g->cap, sizeof *g->at);
    if (g->full) return NULL;
    g->at[g->n] = (following){.id = id};
    return &g->at[g->n++];
}

static void on_dump(reading *g, const tt_control_record *r)
{
    tt_dumps *out = g->out;
    following *p = process_of(g, r->id);
    g->full |= !grow(&out->at, out->n, &out->cap, sizeof *out->at);
    if (g->full) return;
    tt_control_dump *d = &out->at[out->n++];
    *d = r->dump;
    d->folder[sizeof d->folder - 1] = d->why[sizeof d->why - 1] = 0;
    if (d->order > p->order) p->order = d->order;
}

static void on_record(void *arg, const tt_control_record *r)
{
    reading *g = arg;
    if (r->kind == TT_CONTROL_DUMP) on_dump(g, r);
    if (r->kind != TT_CONTROL_PROCESS) return;
    following *p = process_of(g, r->id);
    if (p) p->there = r->process.attached && !r->process.ended;
}

bool tt_dumps_read(const tt_control *c, uint32_t order, tt_dumps *out)
{
    tt_dumps now = {0};
    reading g = {.out = &now};
    if (!tt_control_each(c, on_record, &g)) {
        tt_dumps_free(&now);
        free(g.at);
        return false;
    }
    for (uint32_t i = 0; i < g.n; i++) now.waiting += order && g.at[i].there && g.at[i].order < order;
    free(g.at);
    tt_dumps_free(out);
    *out = now;
    return true;
}

void tt_dumps_free(tt_dumps *d)
{
    free(d->at);
    *d = (tt_dumps){0};
}

void tt_dump_line(const tt_control_dump *d, const char *dir, char *out, size_t cap)
{
    char who[48];
    int n = d->rank >= 0 ? snprintf(who, sizeof who, "rank %d, ", d->rank) : 0;
    snprintf(who + n, sizeof who - (size_t)n, "process %u", d->pid);
    if (d->most) {
        snprintf(out, cap, "no dump of %s (%s): it has made %u, the most", who, d->why, d->most);
    } else if (d->error) {
        snprintf(out, cap, "no dump of %s (%s): %s", who, d->why, strerror((int)d->error));
    } else if (*d->folder) {
        snprintf(out, cap, "dump of %s (%s): %s/%s", who, d->why, dir, d->folder);
    } else {
        snprintf(out, cap, "trigger in %s (%s): in the recording; --keep makes dumps of it", who, d->why);
    }
}
