/* parser/xplane/classify.c - classifies planes and lines of an XSpace by their names and ids. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "parser/xplane/space.h"

#define DEVICE "/device:"

/* Kind and device of a plane: "/device:GPU:0", "/device:TPU:3 SparseCore 1"; parts of a device share its number. */
static void classify_plane(tt_xp_space *x, tt_xp_plane *p)
{
    const char *name = tt_str(&x->text, p->name);
    p->what = TT_XP_HOST;
    if (strncmp(name, DEVICE, sizeof DEVICE - 1) != 0) return;
    name += sizeof DEVICE - 1;
    const char *colon = strrchr(name, ':');
    if (!colon || colon[1] < '0' || colon[1] > '9') return; /* "/device:CUSTOM:Megascale" is no device */
    long n = strtol(colon + 1, NULL, 10);
    p->what = strncmp(name, "TPU", 3) ? TT_XP_GPU : TT_XP_TPU;
    p->device = n >= 0 && n < INT32_MAX ? (int32_t)n : -1;
    x->tpu |= p->what == TT_XP_TPU;
}

/* The number in "Stream #16(Kernel)", else the id of the line. The text in brackets is what the stream ran first. */
static int64_t stream_number(const char *name, int64_t id)
{
    const char *p = strchr(name, '#');
    return p && p[1] >= '0' && p[1] <= '9' ? strtoll(p + 1, NULL, 10) : id;
}

static bool starts(const char *text, const char *with) { return !strncmp(text, with, strlen(with)); }

static void classify_line(const tt_xp_space *x, tt_xp_line *l)
{
    const tt_xp_plane *p = &x->planes.at[l->plane];
    const char *name = tt_str(&x->text, l->name);
    if (p->what == TT_XP_HOST) {
        l->track = TT_XP_THREAD;
    } else if (!strcmp(name, "Steps")) {
        l->track = TT_XP_STEPS;
    } else if (!strcmp(name, "XLA Modules")) {
        l->track = TT_XP_MODULES;
    } else if (starts(name, "Async ")) {
        l->track = TT_XP_ASYNC;
    } else if (p->what == TT_XP_TPU && l->id >= 0 && !strcmp(name, "XLA Ops")) {
        l->track = TT_XP_OPS;
    } else if (p->what == TT_XP_GPU && l->id >= 0 && starts(name, "Stream")) {
        l->track = TT_XP_STREAM;
        l->stream = stream_number(name, l->id);
    } else {
        l->track = TT_XP_DERIVED;
    }
}

/* Choose the device whose step line counts, as every device repeats the run's steps: the first; lines of parts of a
 * device come last. */
static void choose_steps(tt_xp_space *x)
{
    tt_xp_line *best = NULL;
    for (size_t i = 0; i < x->lines.n; i++) {
        tt_xp_line *l = &x->lines.at[i];
        if (l->track != TT_XP_STEPS) continue;
        l->track = TT_XP_DERIVED;
        if (!l->events) continue;
        const tt_xp_plane *p = &x->planes.at[l->plane], *q = best ? &x->planes.at[best->plane] : NULL;
        if (!q || p->device < q->device ||
            (p->device == q->device && strcmp(tt_str(&x->text, p->name), tt_str(&x->text, q->name)) < 0))
            best = l;
    }
    if (best) best->track = TT_XP_STEPS;
    x->steps = best != NULL;
}

/* ---- identities ---- */

struct same {
    const tt_xp_space *x;
    uint32_t i;
};

static int line_order(const void *pa, const void *pb)
{
    const struct same *a = pa, *b = pb;
    const tt_xp_line *l = &a->x->lines.at[a->i], *m = &b->x->lines.at[b->i];
    if (l->plane != m->plane) return l->plane < m->plane ? -1 : 1;
    if (l->id != m->id) return l->id < m->id ? -1 : 1;
    int c = strcmp(tt_str(&a->x->text, l->name), tt_str(&b->x->text, m->name));
    return c ? c : (a->i > b->i) - (a->i < b->i);
}

static int plane_order(const void *pa, const void *pb)
{
    const struct same *a = pa, *b = pb;
    int c = strcmp(tt_str(&a->x->text, a->x->planes.at[a->i].name), tt_str(&b->x->text, b->x->planes.at[b->i].name));
    return c ? c : (a->i > b->i) - (a->i < b->i);
}

static struct same *in_order(const tt_xp_space *x, size_t n, int (*order)(const void *, const void *))
{
    struct same *all = tt_calloc(n, sizeof *all);
    for (size_t i = 0; i < n; i++) all[i] = (struct same){x, (uint32_t)i};
    if (n) qsort(all, n, sizeof *all, order);
    return all;
}

/* Per line: whether another line of its plane shares its name. The caller frees it. */
static bool *namesakes(const tt_xp_space *x)
{
    bool *several = tt_calloc(x->lines.n + 1, sizeof *several);
    tt_strings seen;
    TT_VEC(uint32_t) first = {0}; /* line by number in seen */
    tt_strings_init(&seen);
    *tt_vec_push(&first) = 0;
    for (uint32_t i = 0; i < x->lines.n; i++) {
        const uint32_t key[] = {x->lines.at[i].plane, x->lines.at[i].name};
        uint32_t at = tt_strings_put(&seen, (const char *)key, sizeof key);
        if (at == first.n) {
            *tt_vec_push(&first) = i;
        } else {
            several[i] = several[first.at[at]] = true;
        }
    }
    tt_vec_free(&first);
    tt_strings_free(&seen);
    return several;
}

/* Set each line's tid from its id. Rows of a device are no threads: they are identified by name where it is unique. */
static void identify_lines(tt_xp_space *x)
{
    struct same *all = in_order(x, x->lines.n, line_order);
    bool *several = namesakes(x);
    uint32_t again = 0;
    for (size_t i = 0; i < x->lines.n; i++) {
        tt_xp_line *l = &x->lines.at[all[i].i];
        const tt_xp_line *before = i ? &x->lines.at[all[i - 1].i] : NULL;
        bool row = l->name && x->planes.at[l->plane].what != TT_XP_HOST && l->track != TT_XP_STREAM;
        tt_arena a = {0};
        again = before && before->plane == l->plane && before->id == l->id ? again + 1 : 0;
        const char *text = tt_arena_printf(&a, "%" PRId64, l->id);
        if (again) text = tt_arena_printf(&a, "%s/%u", text, again);
        bool numbered = again || (several[all[i].i] && l->track != TT_XP_OPS && l->track != TT_XP_STEPS);
        if (row) text = tt_arena_printf(&a, numbered ? "%s %s" : "%s", tt_str(&x->text, l->name), text);
        l->tid = tt_strings_put(&x->text, text, strlen(text));
        tt_arena_free(&a);
    }
    free(several);
    free(all);
}

/* Append the id to the tid of device rows that still share one. */
static void tell_rows_apart(tt_xp_space *x)
{
    tt_strings seen;
    TT_VEC(uint32_t) first = {0}; /* line + 1 by number in seen */
    tt_strings_init(&seen);
    *tt_vec_push(&first) = 0;
    for (uint32_t i = 0; i < x->lines.n; i++) {
        tt_xp_line *l = &x->lines.at[i];
        tt_arena a = {0};
        const char *tid = tt_str(&x->text, l->tid);
        const char *key = tt_arena_printf(&a, "%u %s", l->plane, tid);
        uint32_t at = tt_strings_put(&seen, key, strlen(key));
        if (at == first.n) {
            *tt_vec_push(&first) = i + 1;
        } else {
            const char *text = tt_arena_printf(&a, "%s %" PRId64, tid, l->id);
            l->tid = tt_strings_put(&x->text, text, strlen(text));
        }
        tt_arena_free(&a);
    }
    tt_vec_free(&first);
    tt_strings_free(&seen);
}

static void identify_planes(tt_xp_space *x)
{
    struct same *all = in_order(x, x->planes.n, plane_order);
    uint32_t again = 0;
    for (size_t i = 0; i < x->planes.n; i++) {
        tt_xp_plane *p = &x->planes.at[all[i].i];
        again = i && x->planes.at[all[i - 1].i].name == p->name ? again + 1 : 0;
        p->pid = p->name;
        if (!again) continue;
        tt_arena a = {0};
        const char *text = tt_arena_printf(&a, "%s (%u)", tt_str(&x->text, p->name), again + 1);
        p->pid = tt_strings_put(&x->text, text, strlen(text));
        tt_arena_free(&a);
    }
    free(all);
}

/* ---- the clock ---- */

static int64_t start_time(const tt_xp_space *x)
{
    for (size_t i = 0; i < x->planes.n; i++) {
        const tt_xp_plane *p = &x->planes.at[i];
        for (size_t k = 0; k < p->facts.n; k++) {
            const tt_xp_stat *f = &p->facts.at[k];
            const tt_xp_value v = {.type = f->type, .value = f->value};
            if (tt_xp_role_of(p, f->metadata) == TT_XP_START_TIME) return tt_xp_number(&v);
        }
    }
    return TT_UNKNOWN;
}

/* Find the base of the lines' times: the start of the recording where the file states it, except in old files with
 * epoch times. */
static void find_clock(tt_xp_space *x)
{
    int64_t start = start_time(x), most = 0;
    for (size_t i = 0; i < x->lines.n; i++) {
        if (x->lines.at[i].timestamp_ns > most) most = x->lines.at[i].timestamp_ns;
    }
    x->base_ns = start > 0 && start < (int64_t)1 << 61 && most < start / 2 ? start : 0;
}

void tt_xp_space_classify(tt_xp_space *x)
{
    for (size_t i = 0; i < x->planes.n; i++) classify_plane(x, &x->planes.at[i]);
    for (size_t i = 0; i < x->lines.n; i++) classify_line(x, &x->lines.at[i]);
    choose_steps(x);
    identify_planes(x);
    identify_lines(x);
    tell_rows_apart(x);
    find_clock(x);
}
