/* Windows, threads, and the header of the trace: see reader.h. */
#include "parser/input/format.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "model/base/clock.h"
#include "parser/chrome/document.h"
#include "parser/chrome/losses.h"
#include "parser/chrome/paddle_dialect.h"
#include "parser/chrome/reader.h"
#include "parser/json/split.h"
#include "parser/json/string.h"

#define WINDOW ((size_t)1 << 18)           /* its text and its index stay in the second-level cache */
#define ELEMENT_MOST ((uint64_t)128 << 20) /* an element larger than this is given up, unless the caller says more */
#define CUT_MOST ((size_t)16 << 20)        /* without a cut in so much text, one thread reads on */
#define THREADS_MOST 64u

struct reader {
    tt_source *source;
    tt_reader_progress *progress;
    const tt_reader_hooks *hooks;
    const tt_reader_names *names;
    struct worker *workers;
    unsigned n_workers;
    uint64_t element_most;
    /* Reading a window holds this shared; a preview, which looks at all builders, holds it alone. */
    pthread_rwlock_t builders;
    pthread_mutex_t previewing; /* guards next_preview */
    double next_preview;        /* seconds on the clock */
    double began;
    pthread_mutex_t lock; /* guards the members down to the next comment */
    TT_VEC(char) carry;   /* text behind the last window */
    _Atomic uint64_t
        offset; /* of carry in the text; previews read it without the lock, which a slow pipe may hold for long */
    bool eof, first;
    tt_dialect dialect; /* from the first window on */
    tt_status status;
    tt_err err;
    /* set once by any thread */
    atomic_bool miscut;
};

struct worker {
    struct reader *r;
    tt_builder b;
    tt_chrome_parser w;
    char *memory, *buf; /* the text, and its start behind the padding in front */
    size_t cap, len;
    uint64_t offset;
    bool first, last;
    tt_dialect dialect; /* for w, which a preview in another thread reads and only `builders` guards */
    uint64_t counted;   /* events told to progress */
};

static void room(struct worker *k, size_t need)
{
    need += 2 * TT_SIMD_PADDING;
    if (need <= k->cap) return;
    size_t cap = k->cap ? k->cap : WINDOW + WINDOW / 4;
    while (cap < need) cap *= 2;
    k->memory = tt_realloc(k->memory, cap, 1);
    k->buf = k->memory + TT_SIMD_PADDING;
    k->cap = cap;
}

/* Read until the window holds `want` bytes or the source ends. Called with the lock held. */
static void read_more(struct worker *k, size_t want)
{
    struct reader *r = k->r;
    room(k, want);
    while (k->len < want && !r->eof) {
        size_t got = 0;
        r->status = tt_source_read(r->source, k->buf + k->len, want - k->len, &got, &r->err);
        if (r->status == TT_ERR_CANCELLED) r->status = TT_OK; /* what was read is kept */
        if (r->status != TT_OK || !got) r->eof = true;
        k->len += got;
    }
    if (r->first && k->len >= 3 && !memcmp(k->buf, "\xEF\xBB\xBF", 3)) { /* byte order mark */
        memset(k->buf, ' ', 3);
    }
    r->first = false;
}

/* The next window: everything up to the last place where an element begins. False at the end. */
static bool next_window(struct worker *k)
{
    struct reader *r = k->r;
    pthread_mutex_lock(&r->lock);
    size_t want = r->carry.n + WINDOW, cut = 0;
    k->first = r->first;
    k->offset = r->offset;
    room(k, want);
    if (r->carry.n) memcpy(k->buf, r->carry.at, r->carry.n);
    k->len = r->carry.n;
    r->carry.n = 0;
    for (;;) {
        size_t before = k->len;
        read_more(k, want);
        if (r->eof) break;
        cut = tt_last_event_start(k->buf, before > 4096 ? before - 4096 : 1, k->len);
        if (cut) break;
        if (k->len > CUT_MOST || k->len > r->element_most) {
            atomic_store(&r->miscut, true);
            break;
        }
        want = k->len * 2;
    }
    if (k->first) (void)tt_paddle_sniff(k->buf, k->len, &r->dialect);
    k->dialect = r->dialect;
    if (cut) {
        r->carry.n = k->len - cut;
        tt_vec_reserve(&r->carry, r->carry.n);
        memcpy(r->carry.at, k->buf + cut, r->carry.n);
        k->len = cut;
    }
    r->offset += k->len;
    k->last = r->eof;
    pthread_mutex_unlock(&r->lock);
    return k->len > 0;
}

static void tell(struct worker *k)
{
    tt_reader_progress *p = k->r->progress;
    atomic_fetch_add_explicit(&p->text_bytes, k->len, memory_order_relaxed);
    atomic_fetch_add_explicit(&p->events, k->b.n_events - k->counted, memory_order_relaxed);
    k->counted = k->b.n_events;
    if (k->r->hooks->notify) k->r->hooks->notify(k->r->hooks->arg);
}

static tt_trace *make_store(struct reader *r, uint64_t text_bytes, bool consume);

/* Called between two windows; one thread at a time makes previews. The doubling keeps the cost of all of them below
 * that of one more finish. */
static void maybe_preview(struct worker *k)
{
    struct reader *r = k->r;
    if (!r->hooks->preview || pthread_mutex_trylock(&r->previewing)) return;
    double t = tt_clock_seconds();
    if (t >= r->next_preview) {
        r->next_preview = t + (t - r->began);
        pthread_rwlock_wrlock(&r->builders);
        tt_trace *s = make_store(r, r->offset, false);
        pthread_rwlock_unlock(&r->builders);
        r->hooks->preview(r->hooks->arg, s);
    }
    pthread_mutex_unlock(&r->previewing);
}

/* Nothing larger is taken than an element may be, nor so much in front of the events and behind them. False: the
 * reading has to end. */
static bool within_limits(struct worker *k, uint64_t element, uint64_t offset)
{
    const tt_reader_hooks *h = k->r->hooks;
    bool header = k->w.top_bytes > k->r->element_most;
    if (!header && element <= k->r->element_most) return true;
    if (h->too_long) h->too_long(h->arg, offset, header);
    return false;
}

static bool stopped(const struct reader *r) { return atomic_load(&r->miscut) || atomic_load(&r->progress->cancel); }

static void *read_windows(void *arg)
{
    struct worker *k = arg;
    while (!stopped(k->r) && next_window(k)) {
        if (atomic_load(&k->r->miscut)) break;
        memset(k->buf + k->len, 0, TT_SIMD_PADDING);
        pthread_rwlock_rdlock(&k->r->builders);
        k->w.dialect = k->dialect;
        k->w.state = k->first ? TT_AT_START : TT_IN_EVENTS;
        size_t used = tt_chrome(&k->w, k->buf, k->len, k->offset, k->last);
        pthread_rwlock_unlock(&k->r->builders);
        if (!k->last && (used != k->len || k->w.state != TT_IN_EVENTS)) atomic_store(&k->r->miscut, true);
        tell(k);
        if (k->last || !within_limits(k, 0, k->offset + used)) break;
        maybe_preview(k);
    }
    return NULL;
}

/* One thread, no cuts: what is left of a window goes in front of the next one. */
static void read_in_order(struct worker *k)
{
    struct reader *r = k->r;
    k->len = 0;
    k->offset = 0;
    while (!atomic_load(&r->progress->cancel)) {
        size_t had = k->len;
        size_t want = had >= WINDOW ? had * 2 : had + WINDOW;
        read_more(k, want < r->element_most + WINDOW ? want : (size_t)r->element_most + WINDOW);
        bool last = r->eof;
        memset(k->buf + k->len, 0, TT_SIMD_PADDING);
        if (!k->offset && !had) (void)tt_paddle_sniff(k->buf, k->len, &k->w.dialect);
        size_t used = tt_chrome(&k->w, k->buf, k->len, k->offset, last);
        size_t len = k->len;
        k->len = used; /* what tell() counts */
        tell(k);
        memmove(k->buf, k->buf + used, len - used);
        k->len = len - used;
        k->offset += used;
        if (r->eof || !within_limits(k, k->len, k->offset)) break;
        maybe_preview(k);
    }
    r->offset = k->offset;
}

static void worker_init(struct worker *k, struct reader *r)
{
    *k = (struct worker){.r = r};
    tt_builder_init(&k->b);
    tt_chrome_parser_init(&k->w, &k->b);
}

static void worker_free(struct worker *k)
{
    tt_chrome_parser_free(&k->w);
    tt_builder_free(&k->b);
    free(k->memory);
}

/* Fill the workers; their number is lowered to 1 when the text has to be read in order. */
static tt_status read_all(struct reader *r)
{
    pthread_t id[THREADS_MOST];
    unsigned started = 0;
    struct worker *k = r->workers;
    for (unsigned i = 0; i < r->n_workers; i++) worker_init(&k[i], r);
    while (started + 1 < r->n_workers && !pthread_create(&id[started], NULL, read_windows, &k[started + 1])) started++;
    read_windows(&k[0]);
    while (started) pthread_join(id[--started], NULL);
    if (r->status != TT_OK) return r->status;
    if (!atomic_load(&r->miscut)) return TT_OK;
    for (unsigned i = 0; i < r->n_workers; i++) worker_free(&k[i]);
    r->n_workers = 1;
    worker_init(&k[0], r);
    TT_TRY(tt_source_rewind(r->source, &r->err));
    r->eof = false;
    r->first = true;
    r->carry.n = 0;
    atomic_store(&r->progress->text_bytes, 0);
    atomic_store(&r->progress->events, 0);
    read_in_order(&k[0]);
    return r->status;
}

/* ---- the header ---- */

static int by_place(const void *a, const void *b)
{
    const tt_top *x = a, *y = b;
    return x->offset < y->offset ? -1 : x->offset > y->offset;
}

static size_t decode(const char *in, size_t len, char *out, bool *bad) { return tt_json_unescape(in, len, out, bad); }

/* White space of a JSON value as people write it: ", " and ": ", nothing else outside strings. */
static size_t tidy(const char *in, size_t len, char *out)
{
    size_t n = 0;
    bool string = false;
    for (size_t i = 0; i < len; i++) {
        char c = in[i];
        if (string) {
            out[n++] = c;
            if (c == '\\' && i + 1 < len) out[n++] = in[++i];
            string = c != '"';
            continue;
        }
        if (c == ' ' || c == '\n' || c == '\r' || c == '\t') continue;
        string = c == '"';
        out[n++] = c;
        if (c == ',' || c == ':') out[n++] = ' ';
    }
    return n;
}

/* Paddle counts the spans of a process itself. */
static void take_span(tt_build_header *h)
{
    for (size_t i = 0; i < h->meta.n; i++) {
        const char *span = tt_str(&h->strings, h->meta.at[i].value);
        if (strcmp(tt_str(&h->strings, h->meta.at[i].key), "span_indx") || !*span) continue;
        free(h->span);
        h->span = tt_strdup(span);
    }
}

/* Objects and lists without the file's line breaks. */
static tt_sid put_value(tt_strings *strings, const char *text, size_t len)
{
    if (*text != '{' && *text != '[') return tt_strings_put(strings, text, len);
    char *out = tt_malloc(2 * len + 1);
    tt_sid id = tt_strings_put(strings, out, tidy(text, len, out));
    free(out);
    return id;
}

static tt_sid put_key(tt_strings *to, const tt_strings *from, tt_sid key)
{
    size_t len = from->len.at[key];
    const char *raw = tt_str(from, key);
    if (!memchr(raw, '\\', len)) return tt_strings_put(to, raw, len);
    char *text = tt_malloc(len);
    tt_sid id = tt_strings_put(to, text, tt_json_unescape(raw, len, text, NULL));
    free(text);
    return id;
}

/* An export of tracetty's own recorder. */
static bool recorded(const tt_build_header *h)
{
    const char *recorder = "";
    for (size_t m = 0; m < h->meta.n; m++) {
        if (!strcmp(tt_str(&h->strings, h->meta.at[m].key), "recorder"))
            recorder = tt_str(&h->strings, h->meta.at[m].value);
    }
    return !strncmp(recorder, "tracetty ", 9);
}

static void fill_header(tt_build_header *h, struct worker *k, unsigned n, const tt_reader_names *names)
{
    TT_VEC(tt_top) top = {0};
    tt_build_header_init(h, &tt_rules_chrome, names->path, names->worker, names->span, names->rank);
    bool kineto = false, paddle = false;
    for (unsigned i = 0; i < n; i++) {
        tt_chrome_parser *w = &k[i].w;
        for (size_t m = 0; m < w->top.n; m++) {
            tt_top *t = tt_vec_push(&top);
            t->offset = w->top.at[m].offset;
            t->key = put_key(&h->strings, &w->strings, w->top.at[m].key);
            t->value =
                put_value(&h->strings, tt_str(&w->strings, w->top.at[m].value), w->strings.len.at[w->top.at[m].value]);
        }
        for (size_t m = 0; m < w->devices.n; m++) {
            tt_device_props *d = tt_vec_push(&h->devices);
            *d = w->devices.at[m];
            d->name = tt_strings_put(&h->strings, tt_str(&w->strings, d->name), w->strings.len.at[d->name]);
        }
        if (w->base_ns) h->base_ns = w->base_ns;
        if (w->rank >= 0) h->rank = w->rank;
        if (w->world_size >= 0) h->world_size = w->world_size;
        kineto |= w->kineto || w->kineto_like;
        paddle |= w->dialect.paddle;
        if (w->jitter_ns > h->jitter_ns) h->jitter_ns = w->jitter_ns;
    }
    if (top.n) qsort(top.at, top.n, sizeof *top.at, by_place);
    for (size_t m = 0; m < top.n; m++)
        *tt_vec_push(&h->meta) = (tt_meta){top.at[m].key, top.at[m].value, top.at[m].offset};
    tt_vec_free(&top);
    for (size_t m = 0; m < h->meta.n; m++) {
        if (strcmp(tt_str(&h->strings, h->meta.at[m].key), TT_SPOOL_OWN) != 0) continue;
        tt_spool_reported_losses(tt_str(&h->strings, h->meta.at[m].value), &h->problems);
    }
    if (paddle) take_span(h);
    h->format = tt_format_dialect(tt_read_chrome, paddle ? "paddle" : kineto ? "pytorch" : "chrome");
    h->rules = paddle        ? &tt_rules_paddle
               : !kineto     ? &tt_rules_chrome
               : recorded(h) ? &tt_rules_recording
                             : &tt_rules_pytorch;
}

static void end_all(struct worker *k, unsigned n)
{
    bool array_form = false, lines = false;
    for (unsigned i = 0; i < n; i++) {
        array_form |= k[i].w.array_form;
        lines |= k[i].w.lines;
    }
    for (unsigned i = 0; i < n; i++) tt_chrome_end(&k[i].w, array_form, lines);
}

/* Where a text ends that is no more than the beginning of a header; NULL. */
static const tt_problem *cut_in_header(const struct worker *k, unsigned n)
{
    for (unsigned i = 0; i < n; i++) {
        const tt_problem *p = &k[i].b.problems.of[TT_PROBLEM_TRUNCATED];
        if (p->count && k[i].w.state == TT_IN_TOP) return p;
    }
    return NULL;
}

static tt_status no_trace(const struct worker *k, unsigned n, const char *path, tt_err *err)
{
    bool list = false;
    uint64_t events = 0, others = 0, text = 0;
    for (unsigned i = 0; i < n; i++) {
        list |= k[i].w.saw_list;
        events += k[i].b.n_events;
        others += k[i].b.problems.of[TT_PROBLEM_NOT_AN_EVENT].count;
        text += k[i].w.text != NULL;
    }
    if (events || (list && !others)) return TT_OK;
    const tt_problem *cut = list ? NULL : cut_in_header(k, n);
    if (cut) {
        const char *damage = tt_source_damage(k->r->source, NULL);
        return tt_fail(
            err, TT_ERR_INPUT, cut->offset,
            "%s: cut off in front of the first event (%s): the writer was stopped, the disk was full, or the "
            "copy is not whole; record or copy it again",
            path, damage ? damage : "in the header of the trace");
    }
    if (!text) return tt_fail(err, TT_ERR_INPUT, -1, "%s: nothing but white space; no trace", path);
    if (list) return tt_fail(err, TT_ERR_INPUT, 0, "%s: a JSON list without trace events; no trace", path);
    return tt_fail(
        err, TT_ERR_INPUT, 0,
        "%s: no trace: neither a JSON object with traceEvents nor a list of trace events; pass the file that "
        "the profiler wrote (*.pt.trace.json, *.json.gz)",
        path);
}

void tt_read_note(tt_source *source, tt_reader_progress *progress, uint64_t offset, tt_problems *problems)
{
    int64_t at;
    const char *damage = tt_source_damage(source, &at);
    tt_problem_kind kind = tt_source_damage_lost(source) ? TT_PROBLEM_BAD_COMPRESSION : TT_PROBLEM_TRAILING_DATA;
    if (damage) tt_problem_add(problems, kind, at, damage, strlen(damage));
    if (tt_source_changed(source)) tt_problem_add(problems, TT_PROBLEM_FILE_CHANGED, -1, "", 0);
    if (atomic_load(&progress->cancel)) tt_problem_add(problems, TT_PROBLEM_CANCELLED, (int64_t)offset, "", 0);
}

static tt_trace *make_store(struct reader *r, uint64_t text_bytes, bool consume)
{
    const tt_build_codec codec = {.decode = decode, .tidy = tidy};
    tt_build_header header;
    tt_builder *builders[THREADS_MOST];
    fill_header(&header, r->workers, r->n_workers, r->names);
    header.text_bytes = text_bytes;
    if (consume) tt_read_note(r->source, r->progress, r->offset, &header.problems);
    for (unsigned i = 0; i < r->n_workers; i++) builders[i] = &r->workers[i].b;
    return tt_build_finish(builders, r->n_workers, &header, &codec, consume, r->n_workers);
}

bool tt_chrome_recognise(const char *head, size_t len)
{
    (void)head, (void)len;
    return true;
}

tt_status tt_read_chrome(tt_input *in, const tt_reader_names *names, unsigned threads, tt_reader_progress *progress,
                         const tt_reader_hooks *hooks, tt_trace **out, tt_err *err)
{
    tt_source *source;
    *out = NULL;
    TT_TRY(tt_input_open(in, TT_INPUT_FILE, &source, err));
    struct reader r = {.source = source, .progress = progress, .hooks = hooks, .names = names, .first = true};
    r.n_workers = threads < 1 ? 1 : threads > THREADS_MOST ? THREADS_MOST : threads;
    r.element_most = hooks->element_most ? hooks->element_most : ELEMENT_MOST;
    r.workers = tt_calloc(r.n_workers, sizeof *r.workers);
    r.began = tt_clock_seconds();
    r.next_preview = r.began + hooks->preview_after;
    pthread_mutex_init(&r.lock, NULL);
    pthread_rwlock_init(&r.builders, NULL);
    pthread_mutex_init(&r.previewing, NULL);
    atomic_store(&progress->phase, "reading");
    tt_status status = read_all(&r);
    end_all(r.workers, r.n_workers);
    if (status != TT_OK) {
        if (err) *err = r.err;
    } else {
        status = no_trace(r.workers, r.n_workers, names->path, err);
    }
    if (status == TT_OK) {
        atomic_store(&progress->phase, "sorting and linking");
        *out = make_store(&r, r.offset, true);
        (*out)->text = tt_input_text(in, source);
    }
    for (unsigned i = 0; i < r.n_workers; i++) worker_free(&r.workers[i]);
    tt_vec_free(&r.carry);
    free(r.workers);
    pthread_mutex_destroy(&r.lock);
    pthread_rwlock_destroy(&r.builders);
    pthread_mutex_destroy(&r.previewing);
    return status;
}
