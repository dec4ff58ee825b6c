/* The append side of a trace: see builder.h. Everything here is local to one thread; finish.c joins the builders. */
#include "model/build/builder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Slices in a block: small for files with many thousand tracks; blocks from the middle size on are whole pages. */
#define BLOCK_FIRST 16u
#define MIDDLE_BYTES ((size_t)256 << 10)
#define LARGE_BYTES ((size_t)1 << 20)
#define ROOM(bytes) ((uint32_t)(((bytes) - sizeof(tt_rec_block)) / sizeof(tt_rec)))

void tt_builder_init(tt_builder *b)
{
    *b = (tt_builder){.min_ts = INT64_MAX, .max_ts = INT64_MIN};
    tt_strings *const all[] = {&b->names,       &b->texts,    &b->track_key, &b->shape_key,
                               &b->op_args_key, &b->coll_key, &b->series_key};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) tt_strings_init(all[i]);
    *tt_vec_push(&b->shapes) = (tt_launch_shape){.registers = TT_UNKNOWN,
                                                 .shared_bytes = TT_UNKNOWN,
                                                 .blocks_per_sm = __builtin_nan(""),
                                                 .warps_per_sm = __builtin_nan(""),
                                                 .occupancy_pct = __builtin_nan("")};
    *tt_vec_push(&b->op_args) = (tt_op_args){0};
    *tt_vec_push(&b->colls) = (tt_collective_args){
        .in_nelems = TT_UNKNOWN, .out_nelems = TT_UNKNOWN, .group_size = TT_UNKNOWN, .seq = TT_UNKNOWN};
}

void tt_builder_free(tt_builder *b)
{
    tt_strings *const all[] = {&b->names,       &b->texts,    &b->track_key, &b->shape_key,
                               &b->op_args_key, &b->coll_key, &b->series_key};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) tt_strings_free(all[i]);
    tt_number_set_free(&b->wide_ids);
    tt_page_pool stock = {0};
    for (size_t t = 0; t < b->tracks.n; t++) {
        for (tt_rec_block *k = b->tracks.at[t].first, *next; k; k = next) {
            next = k->next;
            tt_rec_block_free(k, &stock);
        }
    }
    tt_page_pool_free(&stock);
    tt_vec_free(&b->tracks);
    tt_page_vec_free(&b->dev);
    tt_vec_free(&b->shapes);
    tt_vec_free(&b->op_args);
    tt_vec_free(&b->colls);
    tt_vec_free(&b->flows);
    tt_page_vec_free(&b->launch_flows);
    tt_vec_free(&b->instants);
    tt_vec_free(&b->pairs);
    tt_vec_free(&b->others);
    tt_vec_free(&b->graph_nodes);
    tt_vec_free(&b->series);
    tt_vec_free(&b->series_at);
    tt_vec_free(&b->samples);
    tt_page_vec_free(&b->memory);
    tt_vec_free(&b->peaks);
    tt_vec_free(&b->labels);
}

/* Size of a block taken from the system, in bytes; 0 for a smaller block. */
static size_t page_bytes(uint32_t cap)
{
    return cap == ROOM(LARGE_BYTES) ? LARGE_BYTES : cap == ROOM(MIDDLE_BYTES) ? MIDDLE_BYTES : 0;
}

static tt_rec_block *block_new(uint32_t cap)
{
    size_t pages = page_bytes(cap);
    tt_rec_block *k = pages ? tt_pages_alloc_now(pages) : tt_malloc(sizeof(tt_rec_block) + cap * sizeof(tt_rec));
    k->next = NULL;
    k->n = 0;
    k->cap = cap;
    return k;
}

void tt_rec_block_free(tt_rec_block *k, tt_page_pool *stock)
{
    if (page_bytes(k->cap)) {
        tt_page_pool_give(stock, k, page_bytes(k->cap));
    } else {
        free(k);
    }
}

tt_rec *tt_build_grow_(tt_build_track *t)
{
    const uint32_t middle = ROOM(MIDDLE_BYTES), large = ROOM(LARGE_BYTES);
    uint32_t cap = BLOCK_FIRST;
    if (t->last) cap = t->last->cap < middle / 4 ? t->last->cap * 4 : t->n < large ? middle : large;
    tt_rec_block *k = block_new(cap);
    k->n = 1;
    if (t->last) {
        t->last->next = k;
    } else {
        t->first = k;
    }
    t->last = k;
    return &k->at[0];
}

void tt_build_launch_flow(tt_builder *b, int64_t ts, uint64_t offset, uint32_t track)
{
    *tt_page_vec_push(&b->launch_flows) =
        (tt_launch_flow){ts, offset, track < TT_FLOW_NO_TRACK ? track : TT_FLOW_NO_TRACK};
    tt_build_timed_(b, ts, ts);
}

uint32_t tt_build_activity_(tt_builder *b, const tt_device_in *d)
{
    *tt_page_vec_push(&b->dev) =
        (tt_activity){.row = TT_NONE,
                      .launch = TT_NONE,
                      .bytes = d->bytes,
                      .stream = d->stream,
                      .device = d->device >= 0 && d->device < INT32_MAX ? (int32_t)d->device : -1,
                      .shape = d->shape,
                      .coll = d->coll,
                      .wait_record = d->wait_record,
                      .wait_stream = d->wait_record ? d->wait_stream : TT_NONE};
    return (uint32_t)b->dev.n - 1;
}

void tt_build_recast(tt_builder *b, uint32_t track, tt_rec *r, uint8_t cat, const tt_device_in *d)
{
    tt_kind kind = b->cats[cat].kind;
    r->text_cat = tt_rec_offset(r) << 8 | cat;
    if (tt_kind_is_device(kind)) {
        b->tracks.at[track].device_slices++;
        r->detail = tt_build_activity_(b, d ? d : &TT_NO_DEVICE);
    } else {
        r->detail = tt_build_host_detail_(kind, r->detail, 0);
    }
}

void tt_build_end(tt_builder *b, const tt_slice_in *s, const tt_device_in *d, char phase, uint64_t id, uint32_t scope)
{
    tt_kind kind = b->cats[s->cat].kind;
    bool device = tt_kind_is_device(kind);
    uint32_t detail =
        device ? tt_build_activity_(b, d ? d : &TT_NO_DEVICE) : tt_build_host_detail_(kind, s->args, s->kernel);
    *tt_vec_push(&b->pairs) = (tt_pair_end){.ts = s->ts,
                                            .text = s->offset,
                                            .id = id,
                                            .track = s->track,
                                            .name = s->name,
                                            .correlation = s->correlation,
                                            .external_id = s->external_id,
                                            .detail = detail,
                                            .scope = scope,
                                            .cat = s->cat,
                                            .phase = phase};
    b->n_slices += phase == 'B' || phase == 'b' || phase == 'S';
    tt_build_timed_(b, s->ts, s->ts);
}

void tt_build_flow(tt_builder *b, const tt_flow *f)
{
    *tt_vec_push(&b->flows) = *f;
    tt_build_timed_(b, f->ts, f->ts);
}

void tt_build_instant(tt_builder *b, const tt_instant *i)
{
    *tt_vec_push(&b->instants) = *i;
    tt_build_timed_(b, i->ts, i->ts);
}

void tt_build_memory(tt_builder *b, const tt_memory_record *m)
{
    *tt_page_vec_push(&b->memory) = *m;
    tt_build_timed_(b, m->ts, m->ts);
}

void tt_build_sample(tt_builder *b, uint32_t series, int64_t ts, double value, uint64_t place)
{
    *tt_vec_push(&b->samples) = (tt_sample_rec){ts, value, place, series};
}

void tt_build_label_text(tt_builder *b, uint32_t track, tt_label what, uint32_t text, uint64_t offset)
{
    *tt_vec_push(&b->labels) = (tt_label_rec){.what = what, .track = track, .text = text, .offset = offset};
}

void tt_build_label_number(tt_builder *b, uint32_t track, tt_label what, int64_t number, uint64_t offset)
{
    *tt_vec_push(&b->labels) = (tt_label_rec){.what = what, .track = track, .number = number, .offset = offset};
}

void tt_build_other(tt_builder *b, int64_t ts, uint64_t offset, uint32_t track)
{
    if (offset < TT_TEXT_MAX) *tt_vec_push(&b->others) = (tt_other){.ts = ts, .text = offset, .track = track};
}

bool tt_build_span(tt_builder *b, uint64_t offset, const char *name, size_t len, int64_t start, int64_t end,
                   int64_t *dur)
{
    *dur = 0;
    if (start < -TT_TIME_MAX || start > TT_TIME_MAX) {
        tt_problem_add(&b->problems, TT_PROBLEM_BAD_TIME, (int64_t)offset, name, len);
        return false;
    }
    if (end < start || end > TT_TIME_MAX) {
        tt_problem_add(&b->problems, TT_PROBLEM_BAD_DURATION, (int64_t)offset, name, len);
    } else {
        *dur = end - start;
    }
    return true;
}

void tt_build_no_time(tt_builder *b, uint64_t offset, const char *name, size_t len)
{
    tt_problem_add(&b->problems, TT_PROBLEM_NO_TIMESTAMP, (int64_t)offset, name, len);
    b->no_time++;
}

/* Intern several parts as one key, separated by NUL, which no part holds unescaped. */
static uint32_t put_key(tt_strings *s, const char *const part[], const size_t len[], size_t n)
{
    char small[256] = "", *key = small;
    size_t total = n;
    for (size_t i = 0; i < n; i++) total += len[i];
    if (total > sizeof small) key = tt_malloc(total);
    size_t at = 0;
    for (size_t i = 0; i < n; i++) {
        if (len[i]) memcpy(key + at, part[i], len[i]);
        at += len[i];
        key[at++] = 0;
    }
    uint32_t id = tt_strings_put(s, key, at);
    if (key != small) free(key);
    return id;
}

uint32_t tt_build_track_of(tt_builder *b, const char *pid, size_t pid_len, const char *tid, size_t tid_len)
{
    const char *const part[] = {pid, tid};
    const size_t len[] = {pid_len, tid_len};
    uint32_t id = put_key(&b->track_key, part, len, 2) - 1; /* id 0 is the empty string */
    if (id == b->tracks.n) {
        uint32_t p = tt_strings_put(&b->names, pid, pid_len), t = tt_strings_put(&b->names, tid, tid_len);
        *tt_vec_push(&b->tracks) = (tt_build_track){.pid = p, .tid = t};
    }
    return id;
}

uint8_t tt_build_category(tt_builder *b, uint32_t name, tt_kind kind)
{
    for (uint32_t i = 0; i < b->n_cats; i++) {
        if (b->cats[i].name == name && b->cats[i].kind == kind) return (uint8_t)i;
    }
    if (b->n_cats == 250) { /* the last category collects the rest */
        tt_problem_add(&b->problems, TT_PROBLEM_TOO_MANY_CATEGORIES, -1, "", 0);
        return 249;
    }
    b->cats[b->n_cats] = (tt_category){.name = name, .kind = kind};
    return (uint8_t)b->n_cats++;
}

uint32_t tt_build_wide_id_(tt_builder *b, uint64_t value)
{
    return TT_WIDE_ID | tt_number_set_put(&b->wide_ids, value);
}

uint64_t tt_build_id_value(const tt_builder *b, uint32_t id)
{
    return id & TT_WIDE_ID ? b->wide_ids.at.at[id & ~TT_WIDE_ID] : id;
}

uint32_t tt_build_shape(tt_builder *b, const tt_launch_shape *s)
{
    uint32_t id = tt_strings_put(&b->shape_key, (const char *)s, sizeof *s);
    if (id == b->shapes.n) *tt_vec_push(&b->shapes) = *s;
    return id;
}

uint32_t tt_build_op_args(tt_builder *b, const tt_op_args *a)
{
    uint32_t id = tt_strings_put(&b->op_args_key, (const char *)a, sizeof *a);
    if (id == b->op_args.n) *tt_vec_push(&b->op_args) = *a;
    return id;
}

uint32_t tt_build_coll(tt_builder *b, const tt_collective_args *c)
{
    tt_collective_args v = *c;
    v.zero = 0;
    uint32_t id = tt_strings_put(&b->coll_key, (const char *)&v, sizeof v);
    if (id == b->colls.n) *tt_vec_push(&b->colls) = v;
    return id;
}

uint32_t tt_build_series(tt_builder *b, uint32_t track, uint32_t name, const char *id, size_t id_len, const char *key,
                         size_t key_len, uint64_t place)
{
    const tt_build_track *t = &b->tracks.at[track];
    const char *const part[] = {tt_str(&b->names, t->pid), tt_str(&b->names, name), id, key};
    const size_t len[] = {b->names.len.at[t->pid], b->names.len.at[name], id_len, key_len};
    uint32_t series = put_key(&b->series_key, part, len, 4) - 1;
    if (series == b->series.n) {
        uint32_t k = tt_strings_put(&b->names, key, key_len), i = tt_strings_put(&b->names, id, id_len);
        *tt_vec_push(&b->series) = (tt_series){.pid = t->pid, .name = name, .id = i, .key = k};
        *tt_vec_push(&b->series_at) = place;
    }
    if (place < b->series_at.at[series]) b->series_at.at[series] = place;
    return series;
}

void tt_build_peak(tt_builder *b, const tt_memory_record *m, int64_t allocated, int64_t reserved)
{
    if (m->allocated == TT_UNKNOWN) allocated = TT_UNKNOWN;
    if (allocated == TT_UNKNOWN && reserved == TT_UNKNOWN) return;
    tt_memory_peak said = {m->device_type, m->device_id, allocated, reserved, m->ts};
    for (size_t i = 0; i < b->peaks.n; i++) {
        if (tt_memory_peak_merge(&b->peaks.at[i], &said)) return;
    }
    *tt_vec_push(&b->peaks) = said;
}

void tt_build_header_init(tt_build_header *h, const tt_rules *rules, const char *path, const char *worker,
                          const char *span, int64_t rank)
{
    *h = (tt_build_header){.rules = rules,
                           .path = tt_strdup(path),
                           .worker = tt_strdup(worker),
                           .span = tt_strdup(span),
                           .rank = rank,
                           .world_size = -1,
                           .device = -1};
    tt_strings_init(&h->strings);
}

void tt_build_header_free(tt_build_header *h)
{
    free(h->path);
    free(h->worker);
    free(h->span);
    tt_strings_free(&h->strings);
    tt_vec_free(&h->meta);
    tt_vec_free(&h->devices);
}

void tt_build_meta(tt_build_header *h, const char *key, const char *value, size_t len)
{
    *tt_vec_push(&h->meta) =
        (tt_meta){tt_strings_put(&h->strings, key, strlen(key)), tt_strings_put(&h->strings, value, len), 0};
}

static size_t plain_text(const char *in, size_t len, char *out)
{
    memcpy(out, in, len);
    return len;
}

static size_t plain_string(const char *in, size_t len, char *out, bool *bad)
{
    size_t n = 0;
    (void)bad;
    for (size_t i = 0; i < len; i++) {
        if (!in[i]) out[n++] = (char)0xC0;
        out[n++] = in[i] ? in[i] : (char)0x80;
    }
    return n;
}

const tt_build_codec tt_build_plain = {.decode = plain_string, .tidy = plain_text};
