/* model/build/finish/split_parts.c - fills the parts of a split trace: its rows, and whatever they and the lists
 * name. */
#include <stdlib.h>
#include <string.h>

#include "model/base/sort_by.h"
#include "model/build/finish/split_internal.h"
#include "model/build/passes/finish_internal.h"
#include "model/trace/trace_lists.h"

/* ---- ids ---- */

static tt_split_ids new_ids(uint32_t n)
{
    tt_split_ids m = {.to = tt_malloc((n + (size_t)1) * sizeof *m.to)};
    memset(m.to, 0xFF, (n + (size_t)1) * sizeof *m.to); /* TT_NONE */
    return m;
}

static void empty_ids(tt_split_ids *m)
{
    for (size_t i = 0; i < m->used.n; i++) m->to[m->used.at[i]] = TT_NONE;
    m->used.n = 0;
}

/* Slot of an id's new number; TT_NONE until it is set. */
static uint32_t *id_slot(tt_split_ids *m, uint32_t id)
{
    if (m->to[id] == TT_NONE) *tt_vec_push(&m->used) = id;
    return &m->to[id];
}

tt_sid tt_split_text(tt_split_filling *f, tt_sid id)
{
    uint32_t *to = id_slot(&f->text, id);
    if (*to == TT_NONE) *to = tt_strings_put(&f->to->strings, tt_str(&f->s->strings, id), f->s->strings.len.at[id]);
    return *to;
}

static uint32_t coll_of(tt_split_filling *f, uint32_t id)
{
    uint32_t *to = id_slot(&f->coll, id);
    if (*to != TT_NONE) return *to;
    tt_collective_args c = f->s->colls[id];
    c.name = tt_split_text(f, c.name), c.dtype = tt_split_text(f, c.dtype), c.group = tt_split_text(f, c.group);
    c.group_desc = tt_split_text(f, c.group_desc), c.ranks = tt_split_text(f, c.ranks),
    f->to->colls[f->to->n_colls] = c;
    return *to = f->to->n_colls++;
}

static uint32_t args_of(tt_split_filling *f, uint32_t id)
{
    uint32_t *to = id_slot(&f->args, id);
    if (*to != TT_NONE) return *to;
    tt_op_args a = f->s->op_args[id];
    a = (tt_op_args){tt_split_text(f, a.shapes),  tt_split_text(f, a.types), tt_split_text(f, a.concrete),
                     tt_split_text(f, a.strides), tt_split_text(f, a.stack), tt_split_text(f, a.hierarchy),
                     coll_of(f, a.coll)};
    f->to->op_args[f->to->n_op_args] = a;
    return *to = f->to->n_op_args++;
}

static uint32_t shape_of(tt_split_filling *f, uint32_t id)
{
    uint32_t *to = id_slot(&f->shape, id);
    if (*to != TT_NONE) return *to;
    tt_launch_shape l = f->s->shapes[id];
    l.grid = tt_split_text(f, l.grid), l.block = tt_split_text(f, l.block), l.core = tt_split_text(f, l.core);
    l.type = tt_split_text(f, l.type), l.op = tt_split_text(f, l.op), l.program = tt_split_text(f, l.program);
    l.annotation = tt_split_text(f, l.annotation);
    f->to->shapes[f->to->n_shapes] = l;
    return *to = f->to->n_shapes++;
}

static tt_row row_of(const tt_split_filling *f, tt_row r)
{
    return r != TT_NONE && f->x->of_row[r] == f->part ? f->x->now[r] : TT_NONE;
}

static void fill_identity(tt_split_filling *f)
{
    const tt_trace *s = f->s;
    tt_trace *to = f->to;
    const tt_split_name *name = &f->x->name[f->part];
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
    (void)tt_split_text(f, 0);
    memcpy(to->cats, s->cats, sizeof to->cats);
    memcpy(to->kind_of, s->kind_of, sizeof to->kind_of);
    to->n_cats = s->n_cats;
    for (uint32_t i = 0; i < s->n_cats; i++) to->cats[i].name = tt_split_text(f, s->cats[i].name);
    to->meta = tt_malloc(s->n_meta * sizeof *to->meta);
    for (uint32_t i = 0; i < s->n_meta; i++) {
        tt_meta *m = &to->meta[to->n_meta++];
        *m = s->meta[i];
        m->key = tt_split_text(f, m->key), m->value = tt_split_text(f, m->value);
    }
    to->devices = tt_malloc(s->n_devices * sizeof *to->devices);
    to->n_devices = s->n_devices;
    for (uint32_t i = 0; i < s->n_devices; i++) {
        to->devices[i] = s->devices[i];
        to->devices[i].name = tt_split_text(f, s->devices[i].name);
    }
}

/* The original name of a merged process: without the entry in front. */
static tt_sid own_name(tt_split_filling *f, const tt_process *p)
{
    const char *name = tt_str(&f->s->strings, p->name), *prefix = f->x->name[f->part].prefix;
    size_t skip = prefix ? strlen(prefix) : 0;
    if (!prefix || strncmp(name, prefix, skip) != 0) return tt_split_text(f, p->name);
    name += skip + (name[skip] == ':' ? 2 : 0);
    return tt_strings_put(&f->to->strings, name, strlen(name));
}

uint32_t tt_split_track(tt_split_filling *f, uint32_t t)
{
    uint32_t *to = id_slot(&f->track, t);
    if (*to != TT_NONE) return *to;
    const tt_track *from = &f->s->tracks[t];
    uint32_t *process = id_slot(&f->process, from->process);
    if (*process == TT_NONE) {
        *process = f->to->n_processes++;
        tt_process *p = &f->to->processes[*process];
        *p = f->s->processes[from->process];
        p->pid = tt_split_text(f, p->pid), p->name = own_name(f, p), p->labels = tt_split_text(f, p->labels);
    }
    *to = f->to->n_tracks++;
    tt_track *track = &f->to->tracks[*to];
    *track = *from;
    track->pid = tt_split_text(f, track->pid), track->tid = tt_split_text(f, track->tid),
    track->name = tt_split_text(f, track->name);
    track->process = *process;
    track->first = track->n = 0;
    return *to;
}

static void fill_device(tt_split_filling *f, tt_row r, tt_row now)
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

/* Set what a row names by the part's ids; its other columns have been copied. */
static void fill_row(tt_split_filling *f, tt_row r, tt_row now)
{
    const tt_trace *s = f->s;
    tt_trace *to = f->to;
    tt_kind kind = tt_row_kind(s, r);
    to->name[now] = tt_split_text(f, s->name[r]);
    tt_row up = s->parent[r];
    while (up != TT_NONE && row_of(f, up) == TT_NONE)
        up = s->parent[up]; /* skip parents in other parts, on a shared stream */
    to->parent[now] = row_of(f, up);
    if (tt_row_dev(s, r))
        fill_device(f, r, now);
    else if (tt_kind_is_launch(kind))
        to->detail[now] = row_of(f, s->detail[r]);
    else if (!tt_kind_is_device(kind) && !tt_kind_is_python(kind))
        to->detail[now] = args_of(f, s->detail[r]);
}

/* Copy the columns of the part's rows: whole ranges, as only on shared streams do rows of parts alternate. */
static void copy_rows(const tt_split_filling *f, const tt_row *order, tt_row n)
{
    for (tt_row i = 0, k; i < n; i = k) {
        for (k = i + 1; k < n && order[k] == order[k - 1] + 1;) k++;
        tt_trace_columns_copy(f->to, i, f->s, order[i], k - i);
    }
}

/* Fill tracks in order: tracks with rows of the part, and tracks of its processes without any rows. */
static void fill_rows(tt_split_filling *f, const uint32_t *empty, uint32_t n_empty)
{
    const tt_split *x = f->x;
    tt_row begin = x->first[f->part], end = x->first[f->part + 1];
    uint32_t devices = 0, next = 0, t = 0;
    f->to->n = end - begin;
    tt_trace_columns_alloc(f->to);
    copy_rows(f, x->order + begin, f->to->n);
    for (tt_row i = begin; i < end; i++) devices += tt_row_dev(f->s, x->order[i]) != NULL;
    f->to->dev = tt_pages_alloc(devices * sizeof *f->to->dev);
    for (tt_row i = begin; i < end;) {
        t = tt_row_track(f->s, x->order[i]);
        while (next < n_empty && empty[next] < t) (void)tt_split_track(f, empty[next++]);
        uint32_t track = tt_split_track(f, t);
        f->to->tracks[track].first = i - begin;
        for (; i < end && x->order[i] < f->s->tracks[t].first + f->s->tracks[t].n; i++)
            fill_row(f, x->order[i], i - begin);
        f->to->tracks[track].n = i - begin - f->to->tracks[track].first;
    }
    while (next < n_empty) (void)tt_split_track(f, empty[next++]);
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

static void fill_steps(tt_trace *to)
{
    TT_VEC(tt_row) rows = {0};
    for (tt_row r = 0; r < to->n; r++)
        if (tt_row_kind(to, r) == TT_KIND_STEP || tt_row_kind(to, r) == TT_KIND_ENGINE_STEP) *tt_vec_push(&rows) = r;
    tt_trace_find_steps(to, rows.at, rows.n);
    tt_vec_free(&rows);
}

/* Lists that grow while a part is filled: with the rows that name their items. */
static const tt_trace_list grown[] = {TT_LIST_op_args, TT_LIST_colls, TT_LIST_shapes, TT_LIST_tracks,
                                      TT_LIST_processes};

static void fill_part(tt_split_filling *f, const uint32_t *empty, uint32_t n_empty)
{
    tt_trace *to = f->to;
    for (size_t i = 0; i < sizeof grown / sizeof *grown; i++)
        tt_trace_list_alloc(to, grown[i], *tt_trace_list_n(f->x->s, grown[i]));
    fill_identity(f);
    (void)coll_of(f, 0); /* the empty entries come first */
    (void)args_of(f, 0);
    (void)shape_of(f, 0);
    fill_rows(f, empty, n_empty);
    fill_links(to);
    tt_split_renumber(f);
    tt_split_set_time(to);
    fill_steps(to);
    for (size_t i = 0; i < sizeof grown / sizeof *grown; i++) tt_trace_list_shrink(to, grown[i]);
    to->n_events = (uint64_t)to->n + to->n_flows + to->n_launch_flows + to->n_instants + to->n_samples + to->n_memory;
}

typedef struct empty_track {
    uint32_t part, track;
} empty_track;

void tt_split_fill(tt_split *x)
{
    const tt_trace *s = x->s;
    tt_split_filling f = {.x = x,
                          .s = s,
                          .text = new_ids((uint32_t)s->strings.text.n),
                          .args = new_ids(s->n_op_args),
                          .coll = new_ids(s->n_colls),
                          .shape = new_ids(s->n_shapes),
                          .track = new_ids(s->n_tracks),
                          .process = new_ids(s->n_processes)};
    tt_split_ids *const maps[] = {&f.text, &f.args, &f.coll, &f.shape, &f.track, &f.process};
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
        fill_part(&f, tracks.at, (uint32_t)tracks.n);
        events -= f.to->n_events < events ? f.to->n_events : events;
        for (size_t m = 0; m < sizeof maps / sizeof *maps; m++) empty_ids(maps[m]);
    }
    x->part[0]->n_events += events; /* metadata and events that were not kept */
    for (size_t m = 0; m < sizeof maps / sizeof *maps; m++) {
        free(maps[m]->to);
        tt_vec_free(&maps[m]->used);
    }
    tt_vec_free(&empty);
    tt_vec_free(&tracks);
}
