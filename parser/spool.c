/* The recorder's spool files into a store: block by block, and record by record straight into the builder.
 *
 * The first block that is damaged ends the reading: blocks are written one after another, so what is behind it cannot be trusted to be
 * whole.                                                                                                                */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "parser/demangle.h"
#include "parser/jsonstr.h"
#include "parser/spool_read.h"
#include "parser/walk.h"

/* ---- facts ---- */

static void on_string(spool *s, const tt_spool_text *t)
{
    if (t->h.a >= s->f.by_id.n + ((uint32_t)1 << 16)) return; /* ids are dense: this one is damage */
    while (s->f.by_id.n <= t->h.a) *tt_vec_push(&s->f.by_id) = 0;
    char *text = tt_malloc(2 * (size_t)t->len + 1);
    size_t n = 0;
    for (uint32_t i = 0; i < t->len; i++) { /* a string cannot hold a NUL */
        if (!t->text[i]) text[n++] = (char)0xC0;
        text[n++] = t->text[i] ? t->text[i] : (char)0x80;
    }
    s->f.by_id.at[t->h.a] = tt_strings_put(&s->f.text, text, n);
    free(text);
}

static void meta(spool *s, const char *key, const char *value, size_t len)
{
    char *text = tt_malloc(len + 1);
    bool quoted = len >= 2 && value[0] == '"' && value[len - 1] == '"';
    size_t n = len;
    if (quoted) {
        n = tt_json_unescape(value + 1, len - 2, text, NULL);
    } else {
        memcpy(text, value, len);
    }
    text[n] = 0;
    *tt_vec_push(&s->h.meta) =
        (tt_meta){tt_strings_put(&s->h.strings, key, strlen(key)), tt_strings_put(&s->h.strings, text, n)};
    if (!strcmp(key, "pid")) snprintf(s->f.pid, sizeof s->f.pid, "%s", text);
    if (!strcmp(key, "baseTimeNanoseconds")) s->f.base = strtoll(text, NULL, 10);
    if (!strcmp(key, "process")) snprintf(s->process, sizeof s->process, "%s", text);
    if (!strcmp(key, "windowed")) s->windowed = !strcmp(text, "true");
    if (!strcmp(key, "rank")) s->h.rank = strtoll(text, NULL, 10);
    if (!strcmp(key, "world_size")) s->h.world_size = strtoll(text, NULL, 10);
    free(text);
}

static void on_meta(spool *s, const tt_spool_text *t)
{
    size_t key = strnlen(t->text, t->len);
    if (key < t->len) meta(s, t->text, t->text + key + 1, t->len - key - 1);
}

/* ---- the file ---- */

static void on_record(spool *s, const tt_spool_rec *r, uint64_t place)
{
    const void *p = r;
    if (r->type == TT_SPOOL_META || r->type == TT_SPOOL_STRING) {
        if (((const tt_spool_text *)p)->len > r->size - sizeof(tt_spool_text)) return;
    }
    switch (r->type) {
    case TT_SPOOL_META: on_meta(s, p); break;
    case TT_SPOOL_STRING: on_string(s, p); break;
    case TT_SPOOL_OPEN: {
        const tt_spool_range *o = p;
        *tt_vec_push(&s->opens) = (open_range){{o->start, o->tid}, *o, place};
        break;
    }
    case TT_SPOOL_DROPS:
        if (r->a < TT_SPOOL_DROP_COUNT_) s->drops[r->a] = ((const tt_spool_drops *)p)->count;
        break;
    case TT_SPOOL_END: s->ended = true; break;
    case TT_SPOOL_STEP:
    case TT_SPOOL_CLOCK:
    case TT_SPOOL_CONTEXT: break; /* for other tools: nothing here needs them */
    default: s->unknown += !tt_spool_on_event(s, r, place);
    }
}

static bool read_fully(spool *s, void *out, size_t n, size_t *got)
{
    *got = 0;
    while (*got < n && s->status == TT_OK) {
        size_t k = 0;
        s->status = tt_source_read(s->source, (char *)out + *got, n - *got, &k, &s->err);
        if (!k) break;
        *got += k;
    }
    atomic_fetch_add_explicit(&s->progress->text_bytes, *got, memory_order_relaxed);
    return *got == n && s->status == TT_OK;
}

static void damaged(spool *s, tt_problem_kind kind, const char *what)
{
    tt_problem_add(&s->h.problems, kind, (int64_t)s->place, what, strlen(what));
}

/* The records of the next block; false at the end. */
static bool next_block(spool *s)
{
    tt_spool_block head;
    size_t got;
    if (!read_fully(s, &head, sizeof head, &got)) {
        if (got) damaged(s, TT_PROBLEM_TRUNCATED, "block header");
        return false;
    }
    bool good = !memcmp(head.magic, TT_SPOOL_MAGIC, 4) && head.len <= TT_SPOOL_BLOCK_MOST && head.len % 8 == 0;
    if (!good || head.seq != s->seq) {
        damaged(s, TT_PROBLEM_MALFORMED_EVENT, "block header");
        return false;
    }
    if (head.len > s->cap) {
        s->cap = head.len;
        s->block = tt_realloc(s->block, s->cap, 1);
    }
    if (!read_fully(s, s->block, head.len, &got)) {
        damaged(s, TT_PROBLEM_TRUNCATED, "block");
        return false;
    }
    if (tt_spool_sum(s->block, head.len) != head.sum) {
        damaged(s, TT_PROBLEM_MALFORMED_EVENT, "block with a wrong checksum");
        return false;
    }
    s->seq++;
    s->place += sizeof head;
    for (size_t at = 0; at + sizeof(tt_spool_rec) <= head.len;) {
        const tt_spool_rec *r = (const void *)(s->block + at);
        if (r->size < sizeof *r || r->size % 8 || r->size > head.len - at || r->size < tt_spool_least(r->type)) {
            damaged(s, TT_PROBLEM_MALFORMED_EVENT, "record");
            return false;
        }
        on_record(s, r, s->place + at);
        at += r->size;
    }
    s->place += head.len;
    return !atomic_load(&s->progress->cancel);
}

static int key_order(const void *a, const void *b)
{
    const range_key *x = a, *y = b;
    if (x->start != y->start) return x->start < y->start ? -1 : 1;
    return x->tid < y->tid ? -1 : x->tid > y->tid;
}

/* Ranges that never ended last until the end of the recording. */
static void close_ranges(spool *s)
{
    s->f.end = s->b.max_ts > s->b.min_ts ? s->b.max_ts : s->b.min_ts;
    for (size_t i = 0; i < s->opens.n; i++) {
        if (s->opens.at[i].key.start > s->f.end || s->f.end == INT64_MAX) s->f.end = s->opens.at[i].key.start;
    }
    if (s->closed.n) qsort(s->closed.at, s->closed.n, sizeof *s->closed.at, key_order);
    if (s->opens.n) qsort(s->opens.at, s->opens.n, sizeof *s->opens.at, key_order); /* the key is the first member */
    for (size_t i = 0; i < s->opens.n; i++) {
        open_range *o = &s->opens.at[i];
        if (i && !key_order(&o->key, &s->opens.at[i - 1].key)) continue;
        if (s->closed.n && bsearch(&o->key, s->closed.at, s->closed.n, sizeof *s->closed.at, key_order)) continue;
        o->r.end = s->f.end;
        tt_spool_on_range(s, &o->r, o->place);
        const char *name = tt_spool_string(&s->f, o->r.h.a);
        tt_problem_add(&s->b.problems, TT_PROBLEM_UNMATCHED_BEGIN, (int64_t)o->place, name, strlen(name));
    }
}

static void count_losses(spool *s)
{
    static const char *const keys[] = {
#define X(id, key, meaning) key ": " meaning,
        TT_SPOOL_CAUSES(X)
#undef X
    };
    for (int i = 0; i < TT_SPOOL_DROP_COUNT_; i++) {
        if (s->drops[i]) tt_problem_add_n(&s->h.problems, TT_PROBLEM_RECORDER_DROPS, s->drops[i], -1, keys[i]);
    }
    if (s->unknown)
        tt_problem_add_n(&s->h.problems, TT_PROBLEM_UNKNOWN_PHASE, s->unknown, -1, "record of an unknown type");
    if (!s->ended) tt_problem_add(&s->h.problems, TT_PROBLEM_UNCLEAN_END, (int64_t)s->place, "", 0);
}

/* The devices as the JSON traces list them. */
static void device_meta(spool *s)
{
    TT_VEC(char) t = {0};
    for (size_t i = 0; i < s->f.devices.n; i++) {
        const tt_spool_device *d = &s->f.devices.at[i];
        char name[256];
        tt_vec_reserve(&t, t.n + 1024);
        size_t n = 0;
        for (const char *p = tt_spool_string(&s->f, d->h.a); *p && n + 2 < sizeof name; p++) {
            if (*p != '"' && *p != '\\' && (unsigned char)*p >= 0x20) name[n++] = *p;
        }
        name[n] = 0;
        t.n += (size_t)snprintf(
            t.at + t.n, t.cap - t.n,
            "%s{\"id\": %" PRIu32 ", \"name\": \"%s\", \"totalGlobalMem\": %" PRIu64 ", \"computeMajor\": %" PRIu32
            ", \"computeMinor\": %" PRIu32 ", \"maxThreadsPerBlock\": %" PRIu32
            ", \"maxThreadsPerMultiprocessor\": %" PRIu64 ", \"regsPerBlock\": %" PRIu32 ", \"warpSize\": %" PRIu32
            ", \"sharedMemPerBlock\": %" PRIu32 ", \"numSms\": %" PRIu32 ", \"regsPerMultiprocessor\": %" PRIu32
            ", \"sharedMemPerMultiprocessor\": %" PRIu32 "}",
            i ? ", " : "[", d->id, name, d->memory_bytes, d->major, d->minor, d->threads_per_block,
            (uint64_t)d->warps_per_sm * d->warp_size, d->regs_per_block, d->warp_size, d->shared_per_block, d->sms,
            d->regs_per_sm, d->shared_per_sm);
        if (i + 1 == s->f.devices.n) t.at[t.n++] = ']';
    }
    if (t.n) meta(s, "deviceProperties", t.at, t.n);
    tt_vec_free(&t);
}

/* What was lost, for those who read an export only. */
static void own_meta(spool *s)
{
    static const char *const keys[] = {
#define X(id, key, meaning) key,
        TT_SPOOL_CAUSES(X)
#undef X
    };
    char text[64 * (TT_SPOOL_DROP_COUNT_ + 1)];
    size_t n = (size_t)snprintf(text, sizeof text, "{\"clean_exit\": %s, \"drops\": {", s->ended ? "true" : "false");
    const char *sep = "";
    for (int i = 0; i < TT_SPOOL_DROP_COUNT_; i++) {
        if (!s->drops[i]) continue;
        n += (size_t)snprintf(text + n, sizeof text - n, "%s\"%s\": %" PRIu64, sep, keys[i], s->drops[i]);
        sep = ", ";
    }
    n += (size_t)snprintf(text + n, sizeof text - n, "}}");
    meta(s, "tracetty", text, n);
}

/* ---- entry points ---- */

static size_t as_is(const char *in, size_t len, char *out)
{
    memcpy(out, in, len);
    return len;
}

static size_t decode(const char *in, size_t len, char *out, bool *bad)
{
    (void)bad;
    return as_is(in, len, out);
}

static void start(spool *s, const tt_reader_names *names)
{
    tt_builder_init(&s->b);
    tt_strings_init(&s->f.text);
    tt_strings_init(&s->h.strings);
    *tt_vec_push(&s->f.by_id) = 0;
    s->f.demangle_tries = TT_DEMANGLE_TRIES;
    snprintf(s->f.pid, sizeof s->f.pid, "?");
    s->h.path = tt_strdup(names->path);
    s->h.worker = tt_strdup(names->worker);
    s->h.span = tt_strdup(names->span);
    s->h.rank = names->rank;
    s->h.world_size = -1;
    s->h.format = TT_FORMAT_KINETO;
}

static void spool_free(spool *s, bool whole)
{
    if (whole) { /* else the store has it */
        free(s->h.path);
        free(s->h.worker);
        free(s->h.span);
        tt_strings_free(&s->h.strings);
        tt_vec_free(&s->h.meta);
        tt_vec_free(&s->h.devices);
        tt_spool_facts_free(&s->f);
    }
    tt_builder_free(&s->b);
    tt_vec_free(&s->names);
    tt_vec_free(&s->opens);
    tt_vec_free(&s->closed);
    tt_vec_free(&s->windows);
    tt_vec_free(&s->corrs);
    tt_vec_free(&s->late);
    tt_vec_free(&s->kernels);
    tt_vec_free(&s->pairs);
    free(s->block);
}

static void read_blocks(spool *s)
{
    while (next_block(s)) {
        atomic_fetch_add_explicit(&s->progress->events, s->b.n_events - s->told, memory_order_relaxed);
        s->told = s->b.n_events;
        if (s->hooks->notify) s->hooks->notify(s->hooks->arg);
    }
}

tt_status tt_read_spool(tt_source *source, const tt_reader_names *names, unsigned threads, tt_reader_progress *progress,
                        const tt_reader_hooks *hooks, tt_store **out, tt_err *err)
{
    spool s = {.source = source, .progress = progress, .hooks = hooks};
    const tt_build_codec codec = {.decode = decode, .tidy = as_is};
    tt_builder *builder = &s.b;
    *out = NULL;
    start(&s, names);
    atomic_store(&progress->phase, "reading");
    read_blocks(&s);
    if (s.status == TT_OK && !s.seq && !atomic_load(&progress->cancel)) {
        s.status = tt_fail(&s.err, TT_ERR_INPUT, 0, "%s: a recording whose first block is damaged; nothing can be read",
                           names->path);
    }
    tt_status status = s.status;
    if (status != TT_OK) {
        if (err) *err = s.err;
        tt_source_close(source);
    } else {
        close_ranges(&s);
        tt_spool_settle(&s);
        tt_spool_project(&s);
        count_losses(&s);
        tt_spool_label_tracks(&s);
        device_meta(&s);
        own_meta(&s);
        s.b.sub_us = true;
        s.h.text_bytes = s.place;
        tt_read_note(source, progress, s.place, &s.h.problems);
        atomic_store(&progress->phase, "sorting and linking");
        *out = tt_build_finish(&builder, 1, &s.h, &codec, true, threads);
        (*out)->text = tt_spool_text_new(tt_source_text(source), &s.f);
    }
    spool_free(&s, status != TT_OK);
    return status;
}

bool tt_spool_sniff(const char *head, size_t len) { return len >= 4 && !memcmp(head, TT_SPOOL_MAGIC, 4); }

bool tt_spool_span(const char *head, size_t len, char *out, size_t cap)
{
    (void)head, (void)len, (void)out, (void)cap; /* the name of the file says it */
    return false;
}
