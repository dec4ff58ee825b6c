/* parser/discover/frozen.c - see frozen.h. */
#include "parser/discover/frozen.h"

#include <stdlib.h>

#include "capture/format/dump_name.h"
#include "model/base/mem.h"
#include "parser/discover/names.h"

enum { TOGETHER_MS = 30000 };

typedef struct frozen {
    size_t at;       /* index of the input */
    size_t above;    /* length of the place above its folder */
    int64_t ms, who; /* as its folder says */
    const char *place;
} frozen;
typedef TT_VEC(frozen) frozen_list;

static int by_time(const void *pa, const void *pb)
{
    const frozen *a = pa, *b = pb;
    int c = (a->above > b->above) - (a->above < b->above);
    if (!c) c = strncmp(a->place, b->place, a->above);
    if (!c) c = (a->ms > b->ms) - (a->ms < b->ms);
    if (!c) c = (a->who > b->who) - (a->who < b->who);
    return c ? c : (a->at > b->at) - (a->at < b->at);
}

/* Whether l.at[to] is of another job than l.at[from..to), of a later time, or of a process that is among them. */
static bool begins_another(const frozen_list *l, size_t from, size_t to)
{
    const frozen *last = &l->at[to - 1], *x = &l->at[to];
    if (x->above != last->above || strncmp(x->place, last->place, x->above) != 0) return true;
    if (!strcmp(x->place, last->place)) return false; /* more of the same folder */
    if (x->ms - last->ms > TOGETHER_MS) return true;
    for (size_t i = from; i < to; i++)
        if (l->at[i].who == x->who) return true;
    return false;
}

void tt_frozen_join(const char *const *places, size_t n, char **joined)
{
    frozen_list l = {0};
    for (size_t i = 0; i < n; i++) {
        const char *base = tt_names_base(places[i]);
        frozen x = {.at = i, .above = (size_t)(base - places[i]), .place = places[i]};
        if (tt_dump_name_parse(base, &x.ms, &x.who)) *tt_vec_push(&l) = x;
    }
    if (l.n) qsort(l.at, l.n, sizeof *l.at, by_time);
    for (size_t i = 0, k; i < l.n; i = k) {
        for (k = i + 1; k < l.n && !begins_another(&l, i, k);) k++;
        if (!strcmp(l.at[i].place, l.at[k - 1].place)) continue; /* one folder */
        size_t whole = l.at[i].above + sizeof TT_DUMP_FOLDER - 1 + TT_DUMP_STAMP;
        for (size_t j = i; j < k; j++) joined[l.at[j].at] = tt_strndup(l.at[i].place, whole);
    }
    tt_vec_free(&l);
}
