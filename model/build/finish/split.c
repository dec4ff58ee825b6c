/* model/build/finish/split.c - splits the rows of one trace into several: see split.h. Every list is walked once, in
 * order, so the parts keep the order of the whole. */
#include "model/build/finish/split.h"

#include <ctype.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "model/base/bisect.h"
#include "model/base/sort_by.h"
#include "model/build/passes/finish_internal.h"
#include "model/build/processes.h"

/* ---- parts ---- */

typedef struct part_name {
    char *worker, *span; /* worker and span; span NULL = that of the file */
    int64_t rank;
    char *prefix; /* prefix of its process names that identifies the part; NULL */
} part_name;

typedef struct split {
    tt_trace *s;
    uint32_t n; /* number of parts; 0 = no split */
    part_name *name;
    uint32_t *of_process; /* part by process; TT_NONE = the part it works for, or the first part */
    bool by_entry;
    uint32_t *of_track; /* part by stream: the part with most of its work; used for rows without another part */
    uint32_t *of_row;
    tt_row *now;           /* index of each row within its part */
    tt_row *order, *first; /* the rows of part p are order[first[p]] up to order[first[p + 1]] */
    tt_trace **part;
} split;

int64_t tt_rank_in_name(const char *name)
{
    for (const char *p = strcasestr(name, "rank"); p; p = strcasestr(p + 1, "rank")) {
        if (p > name && isalpha((unsigned char)p[-1])) continue;
        const char *d = p + 4;
        while (*d && strchr(" _-:#=", *d)) d++;
        char *end;
        int64_t v = isdigit((unsigned char)*d) ? strtoll(d, &end, 10) : -1;
        if (v >= 0 && v < 1000000000) return v;
    }
    return -1;
}

static const char *process_name(const tt_trace *s, uint32_t p) { return tt_str(&s->strings, s->processes[p].name); }

/* The longest entry that prefixes a process name, as its index + 1; 0 = none. */
static uint32_t entry_of(const tt_strings *entries, const char *name)
{
    size_t n = strlen(name);
    for (;;) {
        tt_sid id = tt_strings_find(entries, name, n);
        if (id != UINT32_MAX && id) return id;
        do {
            if (!n) return 0;
            n--;
        } while (name[n] != ':' || name[n + 1] != ' ');
    }
}

/* Plan parts by the list of a merge, numbered in the order of its entries. */
static void plan_by_entry(split *x, const tt_split_entry *list, uint32_t n_list)
{
    tt_strings entries;
    TT_VEC(uint32_t) first = {0}; /* by name: its entry in the list */
    tt_strings_init(&entries);
    *tt_vec_push(&first) = 0;
    for (uint32_t i = 0; i < n_list; i++)
        if (tt_strings_put(&entries, list[i].name, strlen(list[i].name)) == first.n) *tt_vec_push(&first) = i;
    uint32_t n = (uint32_t)entries.text.n, *entry = tt_malloc(x->s->n_processes * sizeof *entry);
    uint32_t *part = tt_calloc(n, sizeof *part);
    for (uint32_t p = 0; p < x->s->n_processes; p++) {
        entry[p] = entry_of(&entries, process_name(x->s, p));
        if (entry[p]) part[entry[p]] = 1;
    }
    x->name = tt_calloc(n, sizeof *x->name);
    for (uint32_t i = 1; i < n; i++) {
        if (!part[i]) continue;
        const tt_split_entry *e = &list[first.at[i]];
        x->name[x->n] = (part_name){.worker = tt_strdup(e->worker),
                                    .span = e->span ? tt_strdup(e->span) : NULL,
                                    .rank = tt_rank_in_name(e->worker),
                                    .prefix = tt_strdup(e->name)};
        part[i] = x->n++;
    }
    for (uint32_t p = 0; p < x->s->n_processes; p++) x->of_process[p] = entry[p] ? part[entry[p]] : TT_NONE;
    x->by_entry = true;
    tt_vec_free(&first);
    free(part);
    free(entry);
    tt_strings_free(&entries);
}

/* By process: whether it has steps on its threads, or a rank, so stands for itself. */
static bool *with_steps_or_rank(const tt_trace *s)
{
    bool *is = tt_calloc(s->n_processes + 1u, sizeof *is);
    for (uint32_t i = 0; i < s->n_steps; i++) {
        if (s->steps[i].row == TT_NONE) continue;
        const tt_track *t = &s->tracks[tt_row_track(s, s->steps[i].row)];
        if (t->kind != TT_TRACK_STREAM) is[t->process] = true;
    }
    for (uint32_t t = 0; t < s->n_tracks; t++) {
        if (s->tracks[t].kind != TT_TRACK_THREAD || !s->tracks[t].n) continue;
        uint32_t p = s->tracks[t].process;
        if (!is[p]) is[p] = tt_rank_in_name(process_name(s, p)) >= 0;
    }
    return is;
}

static void plan_by_process(split *x)
{
    tt_trace *s = x->s;
    bool *is = with_steps_or_rank(s);
    tt_strings names;
    TT_VEC(uint32_t) taken = {0}; /* by name: number of parts that want it */
    tt_strings_init(&names);
    *tt_vec_push(&taken) = 2; /* reserve the empty name */
    for (uint32_t p = 0; p < s->n_processes; p++) {
        if (!is[p]) continue;
        tt_sid id = tt_strings_put(&names, process_name(s, p), strlen(process_name(s, p)));
        if (id == taken.n) *tt_vec_push(&taken) = 0;
        taken.at[id]++;
    }
    x->name = tt_calloc(s->n_processes + 1u, sizeof *x->name);
    for (uint32_t p = 0; p < s->n_processes; p++) {
        x->of_process[p] = TT_NONE;
        if (!is[p]) continue;
        tt_arena a = {0};
        const char *name = process_name(s, p), *pid = tt_str(&s->strings, s->processes[p].pid);
        int64_t rank = tt_rank_in_name(name);
        if (taken.at[tt_strings_find(&names, name, strlen(name))] > 1) {
            name = rank >= 0 ? tt_arena_printf(&a, "rank %lld", (long long)rank) : tt_arena_printf(&a, "pid %s", pid);
        }
        x->name[x->n] = (part_name){.worker = tt_strdup(name), .rank = rank};
        x->of_process[p] = x->n++;
        tt_arena_free(&a);
    }
    tt_vec_free(&taken);
    tt_strings_free(&names);
    free(is);
}

/* ---- the part of every row ---- */

static void part_of_stream(split *x, uint32_t t, const uint32_t *world)
{
    const tt_trace *s = x->s;
    const tt_track *track = &s->tracks[t];
    uint32_t own = x->of_process[track->process], last = own != TT_NONE ? own : 0;
    bool first = true;
    for (tt_row r = track->first; r < track->first + track->n; r++) {
        uint32_t part = last;
        if (x->by_entry && own != TT_NONE) {
            part = own;
        } else if (tt_row_dev(s, r)) {
            uint32_t p = world[s->detail[r]];
            if (p < s->n_processes && x->of_process[p] != TT_NONE) part = x->of_process[p];
        }
        x->of_row[r] = last = part;
        if (first) x->of_track[t] = part;
        first = false;
    }
    if (first) x->of_track[t] = last;
}

static void place_rows(split *x)
{
    const tt_trace *s = x->s;
    uint32_t *world = tt_processes_of_devices(s);
    x->of_track = tt_calloc(s->n_tracks + 1u, sizeof *x->of_track);
    x->of_row = tt_malloc(s->n * sizeof *x->of_row);
    x->now = tt_malloc(s->n * sizeof *x->now);
    x->order = tt_malloc(s->n * sizeof *x->order);
    x->first = tt_calloc(x->n + 2u, sizeof *x->first);
    for (uint32_t t = 0; t < s->n_tracks; t++) {
        const tt_track *track = &s->tracks[t];
        if (track->kind == TT_TRACK_STREAM) {
            part_of_stream(x, t, world);
            continue;
        }
        uint32_t part = x->of_process[track->process];
        x->of_track[t] = part != TT_NONE ? part : 0;
        for (tt_row r = track->first; r < track->first + track->n; r++) x->of_row[r] = x->of_track[t];
    }
    for (tt_row r = 0; r < s->n; r++) x->first[x->of_row[r] + 2]++;
    for (uint32_t p = 2; p <= x->n + 1; p++) x->first[p] += x->first[p - 1];
    for (tt_row r = 0; r < s->n; r++) {
        uint32_t p = x->of_row[r];
        x->order[x->first[p + 1]++] = r;
    }
    for (uint32_t p = 0; p < x->n; p++)
        for (tt_row i = x->first[p]; i < x->first[p + 1]; i++) x->now[x->order[i]] = i - x->first[p];
    free(world);
}

/* ---- dealing lists ---- */

/* Copy n items to their parts, in order, into arrays of exact size. */
static void deal(const split *x, const void *items, size_t item, uint32_t n, const uint32_t *part, size_t list,
                 size_t count, bool in_pages)
{
    uint32_t *has = tt_calloc(x->n, sizeof *has);
    for (uint32_t i = 0; i < n; i++) has[part[i]]++;
    for (uint32_t p = 0; p < x->n; p++) {
        size_t bytes = has[p] * item;
        *(void **)(void *)((char *)x->part[p] + list) = in_pages ? tt_pages_alloc(bytes) : tt_malloc(bytes);
    }
    for (uint32_t i = 0; i < n; i++) {
        tt_trace *to = x->part[part[i]];
        uint32_t *at = (uint32_t *)(void *)((char *)to + count);
        memcpy(*(char **)(void *)((char *)to + list) + *at * item, (const char *)items + i * item, item);
        ++*at;
    }
    free(has);
}
#define DEAL(x, member, n_member, part, in_pages)                                                                      \
    deal(x, (x)->s->member, sizeof *(x)->s->member, (x)->s->n_member, part, offsetof(tt_trace, member),                \
         offsetof(tt_trace, n_member), in_pages)

/* Parts of n items by their tracks; items without a track go to the first part. */
#define BY_TRACK(x, list, n, out)                                                                                      \
    do {                                                                                                               \
        for (uint32_t i_ = 0; i_ < (n); i_++)                                                                          \
            (out)[i_] = (list)[i_].track < (x)->s->n_tracks ? (x)->of_track[(list)[i_].track] : 0;                     \
    } while (0)

typedef struct moment { /* start of a row in the text */
    uint64_t text;
    uint32_t part;
} moment;

typedef TT_VEC(moment) moment_list;

/* The part of the event written just before or after a place; the list is in text order. */
static uint32_t part_beside(const moment_list *by_text, uint64_t text)
{
    size_t lo = 0, hi = by_text->n;
    TT_BISECT(lo, hi, m, by_text->at[m].text <= text);
    return by_text->n ? by_text->at[lo ? lo - 1 : 0].part : 0;
}

/* Parts of flow ends between launches and work: on a shared stream, the part of the slice that begins then. */
static uint32_t *parts_of_launch_flows(const split *x)
{
    const tt_trace *s = x->s;
    uint32_t *part = tt_calloc(s->n_launch_flows, sizeof *part);
    for (uint32_t i = 0; i < s->n_launch_flows; i++) {
        const tt_launch_flow *f = &s->launch_flows[i];
        if (f->track >= s->n_tracks) continue;
        part[i] = x->of_track[f->track];
        if (s->tracks[f->track].kind != TT_TRACK_STREAM) continue;
        tt_row r = tt_track_lower_bound(s, f->track, f->ts);
        if (r < s->tracks[f->track].first + s->tracks[f->track].n && s->start[r] == f->ts) part[i] = x->of_row[r];
    }
    return part;
}

/* Parts of begin/end pairs: the part of the row whose text begins at the first event. */
static uint32_t *parts_of_pairs(const split *x, const moment_list *by_text)
{
    const tt_trace *s = x->s;
    uint32_t *part = tt_calloc(s->n_pairs, sizeof *part);
    for (uint32_t i = 0; i < s->n_pairs; i++) part[i] = part_beside(by_text, s->pairs[i].begin);
    return part;
}

/* All rows in text order. */
static moment_list rows_by_text(const split *x)
{
    moment_list all = {0};
    for (tt_row r = 0; r < x->s->n; r++) *tt_vec_push(&all) = (moment){tt_row_text(x->s, r), x->of_row[r]};
    TT_SORT_BY(all.at, all.n, TT_ASC(moment, text));
    return all;
}

static void deal_lists(split *x)
{
    const tt_trace *s = x->s;
    uint32_t most = s->n_flows > s->n_instants ? s->n_flows : s->n_instants;
    if (s->n_memory > most) most = s->n_memory;
    if (s->n_others > most) most = s->n_others;
    if (s->n_series > most) most = s->n_series;
    if (s->n_peaks > most) most = s->n_peaks;
    uint32_t *part = tt_calloc(most, sizeof *part);
    moment_list by_text = rows_by_text(x);
    DEAL(x, peaks, n_peaks, part, false); /* the file's peaks go to the part */
    BY_TRACK(x, s->flows, s->n_flows, part);
    DEAL(x, flows, n_flows, part, true);
    BY_TRACK(x, s->instants, s->n_instants, part);
    DEAL(x, instants, n_instants, part, false);
    BY_TRACK(x, s->memory, s->n_memory, part);
    DEAL(x, memory, n_memory, part, true);
    for (uint32_t i = 0; i < s->n_others; i++) {
        uint32_t t = s->others[i].track;
        part[i] = t < s->n_tracks ? x->of_track[t] : part_beside(&by_text, s->others[i].text);
    }
    DEAL(x, others, n_others, part, false);
    for (uint32_t i = 0; i < s->n_series; i++) {
        uint32_t p = s->series[i].process < s->n_processes ? x->of_process[s->series[i].process] : TT_NONE;
        part[i] = p != TT_NONE ? p : 0;
    }
    DEAL(x, series, n_series, part, false);
    free(part);
    part = parts_of_launch_flows(x);
    DEAL(x, launch_flows, n_launch_flows, part, true);
    free(part);
    part = parts_of_pairs(x, &by_text);
    DEAL(x, pairs, n_pairs, part, false);
    free(part);
    tt_vec_free(&by_text);
}

/* ---- one part ---- */

typedef struct id_map { /* map from ids of the whole to ids of a part */
    uint32_t *to;
    TT_VEC(uint32_t) used;
} id_map;

typedef struct filling { /* state for filling one part; the maps are cleared between parts */
    const split *x;
    const tt_trace *s;
    tt_trace *to;
    uint32_t part;
    id_map text, args, coll, shape, track, process;
} filling;

static id_map id_map_new(uint32_t n)
{
    id_map m = {.to = tt_malloc((n + (size_t)1) * sizeof *m.to)};
    memset(m.to, 0xFF, (n + (size_t)1) * sizeof *m.to); /* TT_NONE */
    return m;
}

static void id_map_empty(id_map *m)
{
    for (size_t i = 0; i < m->used.n; i++) m->to[m->used.at[i]] = TT_NONE;
    m->used.n = 0;
}

/* Slot of an id's new number; TT_NONE until it is set. */
static uint32_t *id_slot(id_map *m, uint32_t id)
{
    if (m->to[id] == TT_NONE) *tt_vec_push(&m->used) = id;
    return &m->to[id];
}

static tt_sid text_of(filling *f, tt_sid id)
{
    uint32_t *to = id_slot(&f->text, id);
    if (*to == TT_NONE) *to = tt_strings_put(&f->to->strings, tt_str(&f->s->strings, id), f->s->strings.len.at[id]);
    return *to;
}

static uint32_t coll_of(filling *f, uint32_t id)
{
    uint32_t *to = id_slot(&f->coll, id);
    if (*to != TT_NONE) return *to;
    tt_collective_args c = f->s->colls[id];
    c.name = text_of(f, c.name), c.dtype = text_of(f, c.dtype), c.group = text_of(f, c.group);
    c.group_desc = text_of(f, c.group_desc), c.ranks = text_of(f, c.ranks), f->to->colls[f->to->n_colls] = c;
    return *to = f->to->n_colls++;
}

static uint32_t args_of(filling *f, uint32_t id)
{
    uint32_t *to = id_slot(&f->args, id);
    if (*to != TT_NONE) return *to;
    tt_op_args a = f->s->op_args[id];
    a = (tt_op_args){text_of(f, a.shapes), text_of(f, a.types),     text_of(f, a.concrete), text_of(f, a.strides),
                     text_of(f, a.stack),  text_of(f, a.hierarchy), coll_of(f, a.coll)};
    f->to->op_args[f->to->n_op_args] = a;
    return *to = f->to->n_op_args++;
}

static uint32_t shape_of(filling *f, uint32_t id)
{
    uint32_t *to = id_slot(&f->shape, id);
    if (*to != TT_NONE) return *to;
    tt_launch_shape l = f->s->shapes[id];
    l.grid = text_of(f, l.grid), l.block = text_of(f, l.block), l.core = text_of(f, l.core);
    l.type = text_of(f, l.type), l.op = text_of(f, l.op), l.program = text_of(f, l.program);
    f->to->shapes[f->to->n_shapes] = l;
    return *to = f->to->n_shapes++;
}

static tt_row row_of(const filling *f, tt_row r)
{
    return r != TT_NONE && f->x->of_row[r] == f->part ? f->x->now[r] : TT_NONE;
}

static void fill_identity(filling *f)
{
    const tt_trace *s = f->s;
    tt_trace *to = f->to;
    const part_name *name = &f->x->name[f->part];
    to->path = s->path ? tt_strdup(s->path) : NULL;
    to->worker = tt_strdup(name->worker);
    to->span = tt_strdup(name->span ? name->span : s->span);
    to->format = s->format, to->rules = s->rules;
    to->rank = name->rank;
    to->world_size = s->world_size;
    to->origin_ns = s->origin_ns, to->absolute = s->absolute;
    to->resolution_ns = s->resolution_ns;
    to->external = s->external;
    to->text_bytes = f->part ? 0 : s->text_bytes;
    tt_strings_init(&to->strings);
    (void)text_of(f, 0);
    memcpy(to->cats, s->cats, sizeof to->cats);
    memcpy(to->kind_of, s->kind_of, sizeof to->kind_of);
    to->n_cats = s->n_cats;
    for (uint32_t i = 0; i < s->n_cats; i++) to->cats[i].name = text_of(f, s->cats[i].name);
    to->meta = tt_malloc(s->n_meta * sizeof *to->meta);
    for (uint32_t i = 0; i < s->n_meta; i++) {
        tt_meta *m = &to->meta[to->n_meta++];
        *m = s->meta[i];
        m->key = text_of(f, m->key), m->value = text_of(f, m->value);
    }
    to->devices = tt_malloc(s->n_devices * sizeof *to->devices);
    to->n_devices = s->n_devices;
    for (uint32_t i = 0; i < s->n_devices; i++) {
        to->devices[i] = s->devices[i];
        to->devices[i].name = text_of(f, s->devices[i].name);
    }
}

/* The original name of a merged process: without the entry in front. */
static tt_sid own_name(filling *f, const tt_process *p)
{
    const char *name = tt_str(&f->s->strings, p->name), *prefix = f->x->name[f->part].prefix;
    size_t skip = prefix ? strlen(prefix) : 0;
    if (!prefix || strncmp(name, prefix, skip) != 0) return text_of(f, p->name);
    name += skip + (name[skip] == ':' ? 2 : 0);
    return tt_strings_put(&f->to->strings, name, strlen(name));
}

static uint32_t track_of(filling *f, uint32_t t)
{
    uint32_t *to = id_slot(&f->track, t);
    if (*to != TT_NONE) return *to;
    const tt_track *from = &f->s->tracks[t];
    uint32_t *process = id_slot(&f->process, from->process);
    if (*process == TT_NONE) {
        tt_process *p = &f->to->processes[ *process = f->to->n_processes++];
        *p = f->s->processes[from->process];
        p->pid = text_of(f, p->pid), p->name = own_name(f, p), p->labels = text_of(f, p->labels);
    }
    tt_track *track = &f->to->tracks[ *to = f->to->n_tracks++];
    *track = *from;
    track->pid = text_of(f, track->pid), track->tid = text_of(f, track->tid), track->name = text_of(f, track->name);
    track->process = *process;
    track->first = track->n = 0;
    return *to;
}

static void fill_device(filling *f, tt_row r, tt_row now)
{
    tt_activity *d = &f->to->dev[f->to->n_dev];
    *d = f->s->dev[f->s->detail[r]];
    d->row = now;
    d->launch = row_of(f, d->launch);
    d->op = row_of(f, d->op);
    d->shape = shape_of(f, d->shape);
    d->coll = coll_of(f, d->coll);
    f->to->detail[now] = f->to->n_dev++;
}

static void fill_row(filling *f, tt_row r, tt_row now)
{
    const tt_trace *s = f->s;
    tt_trace *to = f->to;
    tt_kind kind = tt_row_kind(s, r);
    to->start[now] = s->start[r];
    to->dur[now] = s->dur[r];
    to->name[now] = text_of(f, s->name[r]);
    to->cat[now] = s->cat[r];
    to->correlation[now] = s->correlation[r];
    to->external_id[now] = s->external_id[r];
    tt_row up = s->parent[r];
    while (up != TT_NONE && row_of(f, up) == TT_NONE)
        up = s->parent[up]; /* skip parents in other parts, on a shared stream */
    to->parent[now] = row_of(f, up);
    to->depth[now] = s->depth[r];
    to->text_lo[now] = s->text_lo[r];
    to->text_hi[now] = s->text_hi[r];
    if (tt_row_dev(s, r))
        fill_device(f, r, now);
    else if (tt_kind_is_launch(kind))
        to->detail[now] = row_of(f, s->detail[r]);
    else
        to->detail[now] = tt_kind_is_device(kind) || tt_kind_is_python(kind) ? s->detail[r] : args_of(f, s->detail[r]);
}

/* Fill tracks in order: tracks with rows of the part, and tracks of its processes without any rows. */
static void fill_rows(filling *f, const uint32_t *empty, uint32_t n_empty)
{
    const split *x = f->x;
    tt_row begin = x->first[f->part], end = x->first[f->part + 1];
    uint32_t devices = 0, next = 0, t = 0;
    f->to->n = end - begin;
    tt_trace_columns_alloc(f->to);
    for (tt_row i = begin; i < end; i++) devices += tt_row_dev(f->s, x->order[i]) != NULL;
    f->to->dev = tt_pages_alloc(devices * sizeof *f->to->dev);
    for (tt_row i = begin; i < end;) {
        t = tt_row_track(f->s, x->order[i]);
        while (next < n_empty && empty[next] < t) (void)track_of(f, empty[next++]);
        uint32_t track = track_of(f, t);
        f->to->tracks[track].first = i - begin;
        for (; i < end && x->order[i] < f->s->tracks[t].first + f->s->tracks[t].n; i++)
            fill_row(f, x->order[i], i - begin);
        f->to->tracks[track].n = i - begin - f->to->tracks[track].first;
    }
    while (next < n_empty) (void)track_of(f, empty[next++]);
    tt_row row = 0; /* tracks without rows lie between their neighbours */
    for (uint32_t k = 0; k < f->to->n_tracks; k++) {
        if (!f->to->tracks[k].n) f->to->tracks[k].first = row;
        row += f->to->tracks[k].n;
    }
}

typedef struct launch_link {
    tt_row launch;
    uint32_t dev;
} launch_link;

static void fill_links(tt_trace *to)
{
    TT_VEC(launch_link) links = {0};
    for (uint32_t i = 0; i < to->n_dev; i++)
        if (to->dev[i].launch != TT_NONE) *tt_vec_push(&links) = (launch_link){to->dev[i].launch, i};
    TT_SORT_BY(links.at, links.n, TT_ASC(launch_link, launch), TT_ASC(launch_link, dev));
    to->n_links = (uint32_t)links.n;
    to->launch_row = tt_malloc(links.n * sizeof *to->launch_row);
    to->launched_activity = tt_malloc(links.n * sizeof *to->launched_activity);
    for (size_t i = 0; i < links.n; i++) {
        to->launch_row[i] = links.at[i].launch;
        to->launched_activity[i] = links.at[i].dev;
    }
    tt_vec_free(&links);
}

/* Fill the dealt lists with tracks, names and samples. Tracks used by these alone come last. */
static void fill_lists(filling *f)
{
    tt_trace *to = f->to;
    for (uint32_t i = 0; i < to->n_flows; i++) to->flows[i].track = track_of(f, to->flows[i].track);
    for (uint32_t i = 0; i < to->n_instants; i++)
        to->instants[i].track = track_of(f, to->instants[i].track),
        to->instants[i].name = text_of(f, to->instants[i].name);
    for (uint32_t i = 0; i < to->n_launch_flows; i++)
        if (to->launch_flows[i].track < f->s->n_tracks)
            to->launch_flows[i].track = track_of(f, to->launch_flows[i].track);
    for (uint32_t i = 0; i < to->n_memory; i++)
        to->memory[i].track = track_of(f, to->memory[i].track),
        to->memory[i].maker = tt_maker_bits(text_of(f, to->memory[i].maker));
    for (uint32_t i = 0; i < to->n_others; i++)
        if (to->others[i].track != TT_NONE) to->others[i].track = track_of(f, to->others[i].track);
    uint32_t n = 0;
    for (uint32_t i = 0; i < to->n_series; i++) n += to->series[i].n;
    to->samples = tt_malloc(n * sizeof *to->samples);
    for (uint32_t i = 0; i < to->n_series; i++) {
        tt_series *v = &to->series[i];
        if (v->n) memcpy(to->samples + to->n_samples, f->s->samples + v->first, v->n * sizeof *to->samples);
        v->first = to->n_samples;
        to->n_samples += v->n;
        v->pid = text_of(f, v->pid), v->name = text_of(f, v->name), v->id = text_of(f, v->id),
        v->key = text_of(f, v->key);
        uint32_t process = v->process < f->s->n_processes ? f->process.to[v->process] : TT_NONE;
        v->process = process != TT_NONE ? process : 0;
    }
}

static void fill_steps(tt_trace *to)
{
    TT_VEC(tt_row) rows = {0};
    for (tt_row r = 0; r < to->n; r++)
        if (tt_row_kind(to, r) == TT_KIND_STEP) *tt_vec_push(&rows) = r;
    tt_trace_find_steps(to, rows.at, rows.n);
    tt_vec_free(&rows);
}

typedef struct extent { /* extent of a part's times, or the shift to apply */
    int64_t t0, t1, by;
} extent;

static void see_time(extent *x, int64_t *ts, int64_t dur)
{
    *ts -= x->by;
    if (*ts < x->t0) x->t0 = *ts;
    if (*ts + dur > x->t1) x->t1 = *ts + dur;
}

static extent each_time(tt_trace *to, int64_t by)
{
    extent x = {INT64_MAX, INT64_MIN, by};
    for (tt_row r = 0; r < to->n; r++) see_time(&x, &to->start[r], to->dur[r]);
    for (uint32_t i = 0; i < to->n_flows; i++) see_time(&x, &to->flows[i].ts, 0);
    for (uint32_t i = 0; i < to->n_launch_flows; i++) see_time(&x, &to->launch_flows[i].ts, 0);
    for (uint32_t i = 0; i < to->n_instants; i++) see_time(&x, &to->instants[i].ts, 0);
    for (uint32_t i = 0; i < to->n_samples; i++) see_time(&x, &to->samples[i].ts, 0);
    for (uint32_t i = 0; i < to->n_memory; i++) see_time(&x, &to->memory[i].ts, 0);
    return x;
}

/* Set begin and end of the part; with comparable times its own time begins at 0. */
static void fill_time(tt_trace *to)
{
    extent x = each_time(to, 0);
    if (x.t0 > x.t1) return;
    to->end = x.t1;
    if (!to->absolute || !x.t0) return;
    to->end -= x.t0;
    to->origin_ns += x.t0;
    (void)each_time(to, x.t0);
    for (uint32_t i = 0; i < to->n_peaks; i++) to->peaks[i].allocated_at -= x.t0;
    for (uint32_t i = 0; i < to->n_others; i++)
        if (to->others[i].ts != TT_ANY_TIME && to->others[i].ts != TT_NO_TIME) to->others[i].ts -= x.t0;
}

static void fill(filling *f, const uint32_t *empty, uint32_t n_empty)
{
    const tt_trace *s = f->s;
    tt_trace *to = f->to;
    to->op_args = tt_malloc(s->n_op_args * sizeof *to->op_args);
    to->colls = tt_malloc(s->n_colls * sizeof *to->colls);
    to->shapes = tt_malloc(s->n_shapes * sizeof *to->shapes);
    to->tracks = tt_malloc(s->n_tracks * sizeof *to->tracks);
    to->processes = tt_malloc(s->n_processes * sizeof *to->processes);
    fill_identity(f);
    (void)coll_of(f, 0); /* the empty entries come first */
    (void)args_of(f, 0);
    (void)shape_of(f, 0);
    fill_rows(f, empty, n_empty);
    fill_links(to);
    fill_lists(f);
    fill_time(to);
    fill_steps(to);
    to->op_args = tt_realloc(to->op_args, to->n_op_args, sizeof *to->op_args);
    to->colls = tt_realloc(to->colls, to->n_colls, sizeof *to->colls);
    to->shapes = tt_realloc(to->shapes, to->n_shapes, sizeof *to->shapes);
    to->tracks = tt_realloc(to->tracks, to->n_tracks + 1u, sizeof *to->tracks);
    to->processes = tt_realloc(to->processes, to->n_processes + 1u, sizeof *to->processes);
    to->n_events = (uint64_t)to->n + to->n_flows + to->n_launch_flows + to->n_instants + to->n_samples + to->n_memory;
}

/* ---- the text, shared ---- */

typedef struct shared_text {
    tt_text_source *source;
    _Atomic uint32_t refs;
} shared_text;

typedef struct share {
    tt_text_source as;
    shared_text *of;
} share;

static int64_t share_read(tt_text_source *self, uint64_t offset, char *out, size_t cap)
{
    tt_text_source *source = ((share *)(void *)self)->of->source;
    return source->read(source, offset, out, cap);
}

static void share_close(tt_text_source *self)
{
    shared_text *of = ((share *)(void *)self)->of;
    free(self);
    if (--of->refs) return;
    of->source->close(of->source);
    free(of);
}

static void share_text(split *x)
{
    if (!x->s->text) return;
    shared_text *of = tt_malloc(sizeof *of);
    of->source = x->s->text;
    of->refs = x->n;
    x->s->text = NULL;
    for (uint32_t p = 0; p < x->n; p++) {
        share *one = tt_malloc(sizeof *one);
        *one = (share){{share_read, share_close, of->source->single}, of};
        x->part[p]->text = &one->as;
    }
}

/* ---- all together ---- */

typedef struct empty_track {
    uint32_t part, track;
} empty_track;

static void fill_parts(split *x)
{
    const tt_trace *s = x->s;
    filling f = {.x = x,
                 .s = s,
                 .text = id_map_new((uint32_t)s->strings.text.n),
                 .args = id_map_new(s->n_op_args),
                 .coll = id_map_new(s->n_colls),
                 .shape = id_map_new(s->n_shapes),
                 .track = id_map_new(s->n_tracks),
                 .process = id_map_new(s->n_processes)};
    id_map *const maps[] = {&f.text, &f.args, &f.coll, &f.shape, &f.track, &f.process};
    TT_VEC(empty_track) empty = {0};
    TT_VEC(uint32_t) tracks = {0};
    for (uint32_t t = 0; t < s->n_tracks; t++)
        if (!s->tracks[t].n) *tt_vec_push(&empty) = (empty_track){x->of_track[t], t};
    TT_SORT_BY(empty.at, empty.n, TT_ASC(empty_track, part), TT_ASC(empty_track, track));
    uint64_t events = s->n_events;
    for (uint32_t p = 0, i = 0; p < x->n; p++) {
        f.part = p;
        f.to = x->part[p];
        for (tracks.n = 0; i < empty.n && empty.at[i].part == p; i++) *tt_vec_push(&tracks) = empty.at[i].track;
        fill(&f, tracks.at, (uint32_t)tracks.n);
        events -= f.to->n_events < events ? f.to->n_events : events;
        for (size_t m = 0; m < sizeof maps / sizeof *maps; m++) id_map_empty(maps[m]);
    }
    x->part[0]->n_events += events; /* metadata and events that were not kept */
    for (size_t m = 0; m < sizeof maps / sizeof *maps; m++) {
        free(maps[m]->to);
        tt_vec_free(&maps[m]->used);
    }
    tt_vec_free(&empty);
    tt_vec_free(&tracks);
}

static void forget_names(split *x)
{
    for (uint32_t p = 0; p < x->n; p++) {
        free(x->name[p].worker);
        free(x->name[p].span);
        free(x->name[p].prefix);
    }
    free(x->name);
    x->name = NULL;
    x->n = 0;
    x->by_entry = false;
}

tt_trace **tt_trace_split(tt_trace *s, const tt_split_entry *entries, uint32_t n_entries, uint32_t *n)
{
    split x = {.s = s, .of_process = tt_malloc((s->n_processes + 1u) * sizeof *x.of_process)};
    if (s->n_processes > 1 && n_entries > 1) plan_by_entry(&x, entries, n_entries);
    if (x.n < 2) {
        forget_names(&x);
        if (s->n_processes > 1) plan_by_process(&x);
    }
    *n = x.n < 2 ? 1 : x.n;
    x.part = tt_malloc(*n * sizeof(tt_trace *));
    if (x.n < 2) {
        x.part[0] = s;
    } else {
        for (uint32_t p = 0; p < x.n; p++) x.part[p] = tt_calloc(1, sizeof(tt_trace));
        place_rows(&x);
        deal_lists(&x);
        fill_parts(&x);
        share_text(&x);
        x.part[0]->problems = s->problems;
        x.part[0]->imported = s->imported; /* they name no worker */
        x.part[0]->n_imported = s->n_imported;
        s->imported = NULL;
        s->n_imported = 0;
        tt_trace_free(s);
    }
    forget_names(&x);
    free(x.of_process);
    free(x.of_track);
    free(x.of_row);
    free(x.now);
    free(x.order);
    free(x.first);
    return x.part;
}
