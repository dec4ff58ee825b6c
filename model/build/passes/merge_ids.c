/* Joins the id spaces of all builders. Local ids are dense, so a map is an array; strings are decoded and tidied
 * once per distinct string and builder. The order of tracks depends on the file alone. */
#include "model/build/passes/finish_internal.h"

#include <stdlib.h>
#include <string.h>

#include "model/base/group_by.h"
#include "model/base/sort.h"
#include "model/base/sort_by.h"

uint32_t tt_finish_wide(const tt_id_map *m, uint32_t id) { return id & TT_WIDE_ID ? m->wide[id & ~TT_WIDE_ID] : id; }

static void map_strings(tt_finish *fin, const tt_builder *b, tt_id_map *m, const tt_build_codec *codec)
{
    TT_VEC(char) buf = {0};
    m->name = tt_malloc(b->names.text.n * sizeof *m->name);
    for (size_t i = 0; i < b->names.text.n; i++) {
        const char *raw = b->names.text.at[i];
        size_t len = b->names.len.at[i];
        bool bad = false;
        if (codec && (memchr(raw, '\\', len) || memchr(raw, 0, len))) {
            tt_vec_reserve(&buf, 2 * len + 2);
            len = codec->decode(raw, len, buf.at, &bad);
            raw = buf.at;
        }
        if (bad) tt_problem_add(&fin->s->problems, TT_PROBLEM_BAD_ESCAPE, -1, raw, len);
        m->name[i] = tt_strings_put(&fin->s->strings, raw, len);
    }
    m->text = tt_malloc(b->texts.text.n * sizeof *m->text);
    for (size_t i = 0; i < b->texts.text.n; i++) {
        const char *raw = b->texts.text.at[i];
        size_t len = b->texts.len.at[i];
        if (codec && len) {
            tt_vec_reserve(&buf, 2 * len + 2);
            len = codec->tidy(raw, len, buf.at);
            raw = buf.at;
        }
        m->text[i] = tt_strings_put(&fin->s->strings, raw, len);
    }
    tt_vec_free(&buf);
}

static void map_categories(tt_finish *fin, const tt_builder *b, tt_id_map *m)
{
    tt_trace *s = fin->s;
    m->cat = tt_calloc(256, 1);
    for (uint32_t i = 0; i < b->n_cats; i++) {
        tt_category want = {.name = m->name[b->cats[i].name], .kind = b->cats[i].kind};
        uint32_t k = 0;
        while (k < s->n_cats && (s->cats[k].name != want.name || s->cats[k].kind != want.kind)) k++;
        if (k == 255) k = 254; /* the builder counted too many categories */
        if (k == s->n_cats) {
            s->cats[k] = want;
            s->kind_of[k] = (uint8_t)want.kind;
            s->n_cats++;
        }
        m->cat[i] = (uint8_t)k;
    }
}

/* Sort categories by kind, then by name: first appearance depends on the reading threads. */
static void order_categories(tt_finish *fin)
{
    tt_trace *s = fin->s;
    uint8_t now[256], order[256];
    for (uint32_t i = 0; i < s->n_cats; i++) {
        uint32_t at = i;
        const tt_category *c = &s->cats[i];
        for (; at; at--) {
            const tt_category *b = &s->cats[order[at - 1]];
            bool behind = b->kind != c->kind ? b->kind > c->kind
                                             : strcmp(tt_str(&s->strings, b->name), tt_str(&s->strings, c->name)) > 0;
            if (!behind) break;
            order[at] = order[at - 1];
        }
        order[at] = (uint8_t)i;
    }
    tt_category cats[256];
    memcpy(cats, s->cats, s->n_cats * sizeof *cats);
    for (uint32_t i = 0; i < s->n_cats; i++) {
        s->cats[i] = cats[order[i]];
        s->kind_of[i] = (uint8_t)s->cats[i].kind;
        now[order[i]] = (uint8_t)i;
    }
    for (uint32_t k = 0; k < fin->n_b; k++) {
        for (uint32_t i = 0; i < fin->b[k]->n_cats; i++) fin->map[k].cat[i] = now[fin->map[k].cat[i]];
    }
}

struct distinct { /* tables of distinct combinations, keyed by their bytes */
    tt_strings shape, op_args, coll;
    TT_VEC(tt_launch_shape) shapes;
    TT_VEC(tt_op_args) args;
    TT_VEC(tt_collective_args) colls;
};

static void map_combinations(const tt_builder *b, tt_id_map *m, struct distinct *d)
{
    m->shape = tt_calloc(b->shapes.n, sizeof *m->shape);
    for (size_t i = 0; i < b->shapes.n; i++) {
        tt_launch_shape v = b->shapes.at[i];
        v.grid = m->text[v.grid];
        v.block = m->text[v.block];
        v.core = m->text[v.core];
        v.type = m->text[v.type];
        v.op = m->text[v.op];
        v.program = m->text[v.program];
        v.annotation = m->name[v.annotation];
        m->shape[i] = i ? tt_strings_put(&d->shape, (const char *)&v, sizeof v) : 0;
        if (m->shape[i] == d->shapes.n) *tt_vec_push(&d->shapes) = v;
    }
    m->coll = tt_calloc(b->colls.n, sizeof *m->coll);
    for (size_t i = 0; i < b->colls.n; i++) {
        tt_collective_args v = b->colls.at[i];
        v.name = m->name[v.name];
        v.dtype = m->name[v.dtype];
        v.group = m->name[v.group];
        v.group_desc = m->name[v.group_desc];
        v.ranks = m->text[v.ranks];
        m->coll[i] = i ? tt_strings_put(&d->coll, (const char *)&v, sizeof v) : 0;
        if (m->coll[i] == d->colls.n) *tt_vec_push(&d->colls) = v;
    }
    m->op_args = tt_calloc(b->op_args.n, sizeof *m->op_args);
    for (size_t i = 0; i < b->op_args.n; i++) {
        tt_op_args v = b->op_args.at[i];
        v = (tt_op_args){m->text[v.shapes], m->text[v.types],     m->text[v.concrete], m->text[v.strides],
                         m->name[v.stack],  m->name[v.hierarchy], m->coll[v.coll]};
        m->op_args[i] = i ? tt_strings_put(&d->op_args, (const char *)&v, sizeof v) : 0;
        if (m->op_args[i] == d->args.n) *tt_vec_push(&d->args) = v;
    }
}

struct wide_id {
    uint64_t number;
    uint32_t builder, at;
};

static int by_number(const void *a, const void *b)
{
    const struct wide_id *x = a, *y = b;
    return (x->number > y->number) - (x->number < y->number);
}

/* Number wide ids from 1 in ascending order. */
static void order_wide(tt_finish *fin)
{
    TT_VEC(struct wide_id) all = {0};
    for (uint32_t k = 0; k < fin->n_b; k++) {
        const tt_number_set *ids = &fin->b[k]->wide_ids;
        fin->map[k].wide = tt_malloc(ids->at.n * sizeof *fin->map[k].wide);
        for (size_t i = 0; i < ids->at.n; i++) *tt_vec_push(&all) = (struct wide_id){ids->at.at[i], k, (uint32_t)i};
    }
    tt_sort_runs(all.at, all.n, sizeof *all.at, by_number);
    for (size_t i = 0, n = 0; i < all.n; i++) {
        n += !i || all.at[i].number != all.at[i - 1].number;
        fin->map[all.at[i].builder].wide[all.at[i].at] = TT_WIDE_ID | (uint32_t)n;
    }
    tt_vec_free(&all);
}

static uint32_t process_of(tt_trace *s, tt_strings *keys, size_t *cap, tt_sid pid)
{
    uint32_t p = tt_strings_put(keys, (const char *)&pid, sizeof pid) - 1;
    if (p == s->n_processes) {
        if (p == *cap) {
            *cap = *cap ? *cap * 2 : 16;
            s->processes = tt_realloc(s->processes, *cap, sizeof *s->processes);
        }
        s->processes[s->n_processes++] = (tt_process){.pid = pid, .device = -1};
    }
    return p;
}

/* Apply labels; the last one in the file wins. */
static void apply_labels(tt_finish *fin, const uint32_t *process_of_track)
{
    tt_trace *s = fin->s;
    uint64_t *seen = tt_calloc(((size_t)s->n_processes + s->n_tracks) * 5, sizeof *seen);
    for (uint32_t k = 0; k < fin->n_b; k++) {
        const tt_builder *b = fin->b[k];
        for (size_t i = 0; i < b->labels.n; i++) {
            const tt_label_rec *l = &b->labels.at[i];
            uint32_t t = fin->map[k].track[l->track];
            bool thread = l->what >= TT_LABEL_THREAD_NAME;
            uint32_t owner = thread ? s->n_processes + t : process_of_track[t];
            uint64_t *last = &seen[(size_t)owner * 5 + l->what];
            if (*last > l->offset + 1) continue;
            *last = l->offset + 1;
            tt_process *p = &s->processes[process_of_track[t]];
            tt_track *tr = &s->tracks[t];
            tt_sid text = fin->map[k].name[l->text];
            switch (l->what) {
            case TT_LABEL_PROCESS_NAME: p->name = text; break;
            case TT_LABEL_PROCESS_LABELS: p->labels = text; break;
            case TT_LABEL_PROCESS_SORT: p->sort_index = l->number, p->has_sort_index = true; break;
            case TT_LABEL_THREAD_NAME: tr->name = text, tr->named = true; break;
            case TT_LABEL_THREAD_SORT: tr->sort_index = l->number, tr->has_sort_index = true; break;
            }
        }
    }
    free(seen);
}

static void map_tracks(tt_finish *fin)
{
    tt_trace *s = fin->s;
    tt_strings keys, pids;
    TT_VEC(uint32_t) process = {0};
    size_t cap = 0, p_cap = 0;
    tt_strings_init(&keys);
    tt_strings_init(&pids);
    for (uint32_t k = 0; k < fin->n_b; k++) {
        const tt_builder *b = fin->b[k];
        tt_id_map *m = &fin->map[k];
        m->track = tt_malloc(b->tracks.n * sizeof *m->track);
        for (size_t i = 0; i < b->tracks.n; i++) {
            tt_sid id[2] = {m->name[b->tracks.at[i].pid], m->name[b->tracks.at[i].tid]};
            uint32_t t = tt_strings_put(&keys, (const char *)id, sizeof id) - 1;
            m->track[i] = t;
            if (t < s->n_tracks) continue;
            if (t == cap) {
                cap = cap ? cap * 2 : 64;
                s->tracks = tt_realloc(s->tracks, cap, sizeof *s->tracks);
            }
            *tt_vec_push(&process) = process_of(s, &pids, &p_cap, id[0]);
            s->tracks[s->n_tracks++] = (tt_track){
                .pid = id[0], .tid = id[1], .process = process.at[t], .device = -1, .stream = -1, .lanes = 1};
        }
    }
    apply_labels(fin, process.at);
    tt_vec_free(&process);
    tt_strings_free(&keys);
    tt_strings_free(&pids);
}

uint32_t tt_finish_add_track(tt_finish *fin, uint32_t beside, tt_sid tid, tt_track_kind kind)
{
    tt_trace *s = fin->s;
    if (!fin->track_room) {
        fin->track_room = s->n_tracks + 16;
        s->tracks = tt_realloc(s->tracks, (size_t)s->n_tracks + fin->track_room, sizeof *s->tracks);
    }
    const tt_track *b = &s->tracks[beside];
    s->tracks[s->n_tracks] = (tt_track){
        .pid = b->pid, .tid = tid, .process = b->process, .kind = kind, .device = -1, .stream = -1, .lanes = 1};
    fin->track_room--;
    return s->n_tracks++;
}

typedef struct series_place { /* first place of a series in the text, and its index within one event */
    uint64_t at;
    uint32_t local, was;
} series_place;

/* Sort series by their place in the text: first appearance depends on the reading threads. */
static void order_series(tt_finish *fin)
{
    tt_trace *s = fin->s;
    if (!s->n_series) return;
    series_place *place = tt_malloc(s->n_series * sizeof *place);
    tt_series *ordered = tt_malloc(s->n_series * sizeof *ordered);
    uint32_t *now = tt_malloc(s->n_series * sizeof *now);
    for (uint32_t i = 0; i < s->n_series; i++) place[i] = (series_place){UINT64_MAX, 0, i};
    for (uint32_t k = 0; k < fin->n_b; k++) {
        for (uint32_t i = 0; i < fin->b[k]->series.n; i++) {
            series_place *p = &place[fin->map[k].series[i]];
            if (fin->b[k]->series_at.at[i] < p->at) p->at = fin->b[k]->series_at.at[i], p->local = i;
        }
    }
    TT_SORT_BY(place, s->n_series, TT_ASC(series_place, at), TT_ASC(series_place, local), TT_ASC(series_place, was));
    for (uint32_t i = 0; i < s->n_series; i++) {
        ordered[i] = s->series[place[i].was];
        now[place[i].was] = i;
    }
    for (uint32_t k = 0; k < fin->n_b; k++) {
        for (size_t i = 0; i < fin->b[k]->series.n; i++) fin->map[k].series[i] = now[fin->map[k].series[i]];
    }
    free(s->series);
    s->series = ordered;
    free(now);
    free(place);
}

static void map_series(tt_finish *fin)
{
    tt_trace *s = fin->s;
    tt_strings keys;
    tt_groups pids; /* groups of pids, in process order */
    size_t cap = 0;
    tt_strings_init(&keys);
    tt_groups_init(&pids);
    for (uint32_t p = 0; p < s->n_processes; p++) tt_groups_put(&pids, (tt_group_key){.a = s->processes[p].pid});
    for (uint32_t k = 0; k < fin->n_b; k++) {
        const tt_builder *b = fin->b[k];
        tt_id_map *m = &fin->map[k];
        m->series = tt_malloc(b->series.n * sizeof *m->series);
        for (size_t i = 0; i < b->series.n; i++) {
            const tt_series *v = &b->series.at[i];
            tt_sid id[4] = {m->name[v->pid], m->name[v->name], m->name[v->id], m->name[v->key]};
            uint32_t n = tt_strings_put(&keys, (const char *)id, sizeof id) - 1;
            m->series[i] = n;
            if (n < s->n_series) continue;
            if (n == cap) {
                cap = cap ? cap * 2 : 16;
                s->series = tt_realloc(s->series, cap, sizeof *s->series);
            }
            uint32_t process = tt_groups_put(&pids, (tt_group_key){.a = id[0]});
            if (process > s->n_processes) process = s->n_processes; /* pid of no known process */
            s->series[s->n_series++] =
                (tt_series){.pid = id[0], .name = id[1], .id = id[2], .key = id[3], .process = process};
        }
    }
    tt_groups_free(&pids);
    tt_strings_free(&keys);
    order_series(fin);
}

void tt_finish_ids(tt_finish *fin, const tt_build_codec *codec)
{
    tt_trace *s = fin->s;
    struct distinct d = {0};
    tt_strings *const keys[] = {&d.shape, &d.op_args, &d.coll};
    for (int i = 0; i < 3; i++) tt_strings_init(keys[i]);
    uint32_t dev_base = 0;
    for (uint32_t k = 0; k < fin->n_b; k++) {
        tt_id_map *m = &fin->map[k];
        map_strings(fin, fin->b[k], m, codec);
        map_categories(fin, fin->b[k], m);
        map_combinations(fin->b[k], m, &d);
        m->dev_base = dev_base;
        dev_base += (uint32_t)fin->b[k]->dev.n;
        tt_problems_merge(&s->problems, &fin->b[k]->problems);
    }
    tt_finish_step_categories(fin);
    order_categories(fin);
    tt_finish_step_lookup(fin);
    s->n_dev = dev_base;
    s->shapes = d.shapes.at, s->n_shapes = (uint32_t)d.shapes.n;
    s->op_args = d.args.at, s->n_op_args = (uint32_t)d.args.n;
    s->colls = d.colls.at, s->n_colls = (uint32_t)d.colls.n;
    order_wide(fin);
    for (int i = 0; i < 3; i++) tt_strings_free(keys[i]);
    map_tracks(fin);
    map_series(fin);
}
