/* parser/chrome/read_text.c - reads the parts of an input window by window, with several threads. See reader.h. */
#include "parser/input/format.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "model/base/clock.h"
#include "model/build/finish/finish.h"
#include "parser/chrome/ascend_dialect.h"
#include "parser/chrome/cutter.h"
#include "parser/chrome/document.h"
#include "parser/chrome/header.h"
#include "parser/chrome/paddle_dialect.h"
#include "parser/chrome/parts_text.h"
#include "parser/chrome/reader.h"

#define ELEMENT_MOST ((uint64_t)128 << 20) /* largest element, bytes, unless the caller gives a limit */
#define THREADS_MOST 64u

struct reader {
    tt_input *in;
    const tt_chrome_folder *folder;
    tt_source *source; /* source of the part being read */
    uint64_t base;     /* offset of the part's text among all texts */
    tt_reader_progress *progress;
    const tt_reader_hooks *hooks;
    const tt_reader_names *names;
    struct worker *workers;
    unsigned n_workers;
    uint64_t element_most;
    /* Held shared while a window is read, alone by a preview, which reads all builders. */
    pthread_rwlock_t builders;
    pthread_mutex_t previewing; /* guards next_preview */
    double next_preview;        /* monotonic time, s */
    double began;
    tt_cutter cutter;
    tt_dialect dialect; /* dialect of the part, known before the threads start */
    tt_err err;
    /* set once by any thread: a window did not end between two events */
    atomic_bool miscut;
    /* problems of the parts already read */
    tt_problems problems;
    tt_parts_text *texts;
    uint32_t read; /* number of parts that were a trace */
};

struct worker {
    struct reader *r;
    tt_builder b;
    tt_chrome_parser w;
    tt_cut_window window;
    bool taken;              /* the window already holds the next text to read */
    uint64_t counted, bytes; /* events and bytes reported to progress */
};

/* Find the writer of a part by its beginning. */
static void sniff(struct reader *r, const char *text, size_t len)
{
    if (!tt_paddle_sniff(text, len, &r->dialect)) tt_ascend_folder(r->folder, text, len, &r->dialect);
}

/* Offset of the furthest window's end. */
static uint64_t end_of_read(const struct reader *r) { return r->base + atomic_load(&r->cutter.read); }

static void report_progress(struct worker *k, size_t bytes)
{
    tt_reader_progress *p = k->r->progress;
    atomic_fetch_add_explicit(&p->text_bytes, bytes, memory_order_relaxed);
    atomic_fetch_add_explicit(&p->events, k->b.n_events - k->counted, memory_order_relaxed);
    k->counted = k->b.n_events;
    k->bytes += bytes;
    if (k->r->hooks->notify) k->r->hooks->notify(k->r->hooks->arg);
}

static tt_trace *make_trace(struct reader *r, uint64_t text_bytes, bool last);

/* Make a preview if one is due, between two windows; one thread at a time. Intervals double, so that all previews
 * together cost less than one more finish. */
static void maybe_preview(struct worker *k)
{
    struct reader *r = k->r;
    if (!r->hooks->preview || pthread_mutex_trylock(&r->previewing)) return;
    double t = tt_clock_seconds();
    if (t >= r->next_preview) {
        r->next_preview = t + (t - r->began);
        pthread_rwlock_wrlock(&r->builders);
        tt_trace *s = make_trace(r, end_of_read(r), false);
        pthread_rwlock_unlock(&r->builders);
        r->hooks->preview(r->hooks->arg, s);
    }
    pthread_mutex_unlock(&r->previewing);
}

/* Check the limits of an element, and of text before and behind the events. False: reading has to end. */
static bool within_limits(struct worker *k, uint64_t element, uint64_t offset)
{
    const tt_reader_hooks *h = k->r->hooks;
    bool header = k->w.top_bytes > k->r->element_most;
    if (!header && element <= k->r->element_most) return true;
    if (h->too_long) h->too_long(h->arg, offset, header);
    return false;
}

static bool miscut(const struct reader *r) { return atomic_load(&r->miscut) || atomic_load(&r->cutter.miscut); }

static bool stopped(const struct reader *r) { return miscut(r) || atomic_load(&r->progress->cancel); }

static bool next_window(struct worker *k)
{
    bool taken = k->taken;
    k->taken = false;
    return taken || tt_cutter_next(&k->r->cutter, &k->window);
}

static void *read_windows(void *arg)
{
    struct worker *k = arg;
    tt_cut_window *t = &k->window;
    while ((k->taken || !stopped(k->r)) && next_window(k)) { /* a window that was taken is read */
        uint64_t offset = k->r->base + t->offset;
        memset(t->buf + t->len, 0, TT_SIMD_PADDING);
        pthread_rwlock_rdlock(&k->r->builders);
        k->w.dialect = k->r->dialect;
        k->w.state = t->first ? TT_AT_START : TT_IN_EVENTS;
        size_t used = tt_chrome(&k->w, t->buf, t->len, offset, t->last);
        pthread_rwlock_unlock(&k->r->builders);
        if (!t->last && (used != t->len || k->w.state != TT_IN_EVENTS)) atomic_store(&k->r->miscut, true);
        report_progress(k, t->len);
        if (t->last || !within_limits(k, 0, offset + used)) break;
        maybe_preview(k);
    }
    return NULL;
}

/* Read with one thread and without cuts: the rest of a window goes in front of the next one. */
static void read_in_order(struct worker *k)
{
    struct reader *r = k->r;
    tt_cut_window *t = &k->window;
    while (!atomic_load(&r->progress->cancel)) {
        size_t had = t->len;
        size_t want = had >= TT_CUT_WINDOW ? had * 2 : had + TT_CUT_WINDOW;
        tt_cutter_grow(&r->cutter, t,
                       want < r->element_most + TT_CUT_WINDOW ? want : (size_t)r->element_most + TT_CUT_WINDOW);
        bool last = r->cutter.cursor.eof;
        memset(t->buf + t->len, 0, TT_SIMD_PADDING);
        if (!t->offset && !had) {
            sniff(r, t->buf, t->len);
            k->w.dialect = r->dialect;
        }
        size_t used = tt_chrome(&k->w, t->buf, t->len, r->base + t->offset, last);
        report_progress(k, used);
        memmove(t->buf, t->buf + used, t->len - used);
        t->len -= used;
        t->offset += used;
        atomic_store(&r->cutter.read, t->offset);
        if (last || !within_limits(k, t->len, r->base + t->offset)) break;
        maybe_preview(k);
    }
}

static void worker_init(struct worker *k, struct reader *r)
{
    *k = (struct worker){.r = r};
    tt_builder_init(&k->b);
    tt_chrome_parser_init(&k->w, &k->b);
    k->w.folder = r->folder;
}

static void worker_free(struct worker *k)
{
    tt_chrome_parser_free(&k->w);
    tt_builder_free(&k->b);
    tt_cut_window_free(&k->window);
}

/* Read with all threads, after inspecting the beginning. */
static void read_in_threads(struct reader *r)
{
    pthread_t id[THREADS_MOST];
    unsigned started = 0;
    struct worker *k = r->workers;
    k->taken = tt_cutter_next(&r->cutter, &k->window);
    if (!k->taken) return;
    sniff(r, k->window.buf, k->window.len);
    while (started + 1 < r->n_workers && !pthread_create(&id[started], NULL, read_windows, &k[started + 1])) started++;
    read_windows(&k[0]);
    while (started) pthread_join(id[--started], NULL);
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

/* Problem of a text that ends inside its header; NULL = none. */
static const tt_problem *cut_in_header(const struct worker *k, unsigned n)
{
    for (unsigned i = 0; i < n; i++) {
        const tt_problem *p = &k[i].b.problems.of[TT_PROBLEM_TRUNCATED];
        if (p->count && k[i].w.state == TT_IN_TOP) return p;
    }
    return NULL;
}

/* What the parsers have seen, to compare before and after a part. */
struct said {
    uint64_t events, others; /* counts over all parts so far */
    bool list, text;
};

static struct said said(const struct reader *r)
{
    struct said s = {0};
    for (unsigned i = 0; i < r->n_workers; i++) {
        const struct worker *k = &r->workers[i];
        s.list |= k->w.saw_list;
        s.text |= k->w.text != NULL;
        s.events += k->b.n_events;
        s.others += k->b.problems.of[TT_PROBLEM_NOT_AN_EVENT].count;
    }
    return s;
}

/* TT_OK when the part just read is a trace; before: what had been seen before it. */
static tt_status check_part(struct reader *r, const struct said *before, const char *path)
{
    tt_err *err = &r->err;
    struct said now = said(r);
    if (now.events > before->events || (now.list && now.others == before->others)) return TT_OK;
    const tt_problem *cut = now.list ? NULL : cut_in_header(r->workers, r->n_workers);
    if (cut) {
        const char *damage = tt_source_damage(r->source, NULL);
        return tt_fail(
            err, TT_ERR_INPUT, cut->offset,
            "%s: cut off in front of the first event (%s): the writer was stopped, the disk was full, or the "
            "copy is not whole; record or copy it again",
            path, damage ? damage : "in the header of the trace");
    }
    if (!now.text) return tt_fail(err, TT_ERR_INPUT, -1, "%s: nothing but white space; no trace", path);
    if (now.list) return tt_fail(err, TT_ERR_INPUT, 0, "%s: a JSON list without trace events; no trace", path);
    return tt_fail(
        err, TT_ERR_INPUT, 0,
        "%s: no trace: neither a JSON object with traceEvents nor a list of trace events; pass the file that "
        "the profiler wrote (*.pt.trace.json, *.json.gz)",
        path);
}

/* ---- parts ---- */

/* Prepare the parsers for a new part: forget what holds only for the part before. */
static void begin_part(struct reader *r)
{
    r->dialect = (tt_dialect){0};
    tt_cutter_begin(&r->cutter, r->source, r->element_most, r->n_workers);
    for (unsigned i = 0; i < r->n_workers; i++) {
        tt_chrome_parser_begin(&r->workers[i].w);
        tt_cut_window_begin(&r->workers[i].window);
    }
}

/* Read part i; on miscut all parts have to be read again. */
static tt_status read_part(struct reader *r, uint32_t i, bool in_order)
{
    TT_TRY(tt_input_open_part(r->in, i, &r->source, &r->err));
    struct said before = said(r);
    bool named = strcmp(tt_input_part_role(r->in, i), TT_INPUT_FILE) != 0;
    const char *path = named ? tt_input_part_path(r->in, i) : r->names->path;
    begin_part(r);
    if (in_order)
        read_in_order(&r->workers[0]);
    else
        read_in_threads(r);
    if (miscut(r) && !in_order) return TT_OK;
    uint64_t base = r->base;
    r->base = end_of_read(r) + 1; /* also for a part that failed: some of its events may be kept */
    end_all(r->workers, r->n_workers);
    if (r->cutter.status != TT_OK) {
        r->err = r->cutter.err;
        return r->cutter.status;
    }
    TT_TRY(check_part(r, &before, path));
    tt_read_note_at(r->source, base, &r->problems);
    tt_parts_text_add(r->texts, base, tt_input_text(r->in, r->source));
    r->read++;
    return TT_OK;
}

static void note_unread(struct reader *r, uint32_t part)
{
    tt_arena a = {0};
    const char *text =
        tt_arena_printf(&a, "%s: %s", tt_input_part_name(r->in, part), tt_input_reason(r->in, part, &r->err));
    tt_problem_add(&r->problems, TT_PROBLEM_MISSING_FILE, -1, text, strlen(text));
    tt_arena_free(&a);
}

/* Read all parts. A part that is no trace fails a file; in a folder other parts or files may make a trace. */
static tt_status read_parts(struct reader *r, bool in_order)
{
    tt_status first = TT_OK;
    tt_err why = {0};
    const char *role = r->folder->role;
    uint32_t n = tt_input_parts(r->in);
    for (uint32_t i = tt_input_find(r->in, role, 0); i < n; i = tt_input_find(r->in, role, i + 1)) {
        tt_status st = read_part(r, i, in_order);
        if (miscut(r) && !in_order) return TT_OK;
        if (st != TT_OK) {
            if (first == TT_OK) first = st, why = r->err;
            note_unread(r, i);
        }
        if (atomic_load(&r->progress->cancel)) break;
    }
    if (r->read || r->folder->fill) return TT_OK;
    if (first == TT_OK) return tt_fail(&r->err, TT_ERR_INPUT, -1, "%s: has no file for '%s'", r->names->path, role);
    r->err = why;
    return first;
}

/* Begin again with one thread, which becomes the only worker. */
static void start_over(struct reader *r)
{
    for (unsigned i = 0; i < r->n_workers; i++) {
        atomic_fetch_sub(&r->progress->text_bytes, r->workers[i].bytes);
        atomic_fetch_sub(&r->progress->events, r->workers[i].counted);
        worker_free(&r->workers[i]);
    }
    r->n_workers = 1;
    worker_init(&r->workers[0], r);
    tt_parts_text_clear(r->texts);
    r->problems = (tt_problems){0};
    r->base = r->read = 0;
}

static tt_status read_all(struct reader *r)
{
    for (unsigned i = 0; i < r->n_workers; i++) worker_init(&r->workers[i], r);
    TT_TRY(read_parts(r, false));
    if (!miscut(r)) return TT_OK;
    start_over(r);
    return read_parts(r, true);
}

static bool is_ascend(const struct reader *r)
{
    bool any = false;
    for (unsigned i = 0; i < r->n_workers; i++) any |= r->workers[i].w.dialect.ascend;
    return any;
}

/* Make the trace. last: everything was read, so the builders may be freed. */
static tt_trace *make_trace(struct reader *r, uint64_t text_bytes, bool last)
{
    const tt_chrome_parser *parsers[THREADS_MOST];
    tt_builder *builders[THREADS_MOST + 1], own;
    tt_build_header header;
    unsigned n = r->n_workers;
    for (unsigned i = 0; i < n; i++) {
        parsers[i] = &r->workers[i].w;
        builders[i] = &r->workers[i].b;
    }
    if (is_ascend(r)) tt_ascend_settle(builders, n);
    tt_chrome_header(&header, parsers, n, r->folder, r->names);
    header.text_bytes = text_bytes;
    bool fill = last && r->folder->fill;
    if (last) {
        tt_problems_merge(&header.problems, &r->problems);
        tt_read_note_cancelled(r->progress, text_bytes, &header.problems);
    }
    if (fill) {
        tt_builder_init(&own);
        r->folder->fill(r->folder->arg, &own, &header);
        builders[n++] = &own;
    }
    tt_trace *s = tt_build_finish(builders, n, &header, &tt_chrome_codec, last, r->n_workers);
    if (fill) tt_builder_free(&own);
    return s;
}

bool tt_chrome_recognise(const char *head, size_t len)
{
    (void)head, (void)len;
    return true;
}

tt_status tt_read_chrome_folder(tt_input *in, const tt_chrome_folder *folder, const tt_reader_names *names,
                                unsigned threads, tt_reader_progress *progress, const tt_reader_hooks *hooks,
                                tt_trace **out, tt_err *err)
{
    *out = NULL;
    struct reader r = {.in = in, .folder = folder, .progress = progress, .hooks = hooks, .names = names};
    r.n_workers = threads < 1 ? 1 : threads > THREADS_MOST ? THREADS_MOST : threads;
    r.element_most = hooks->element_most ? hooks->element_most : ELEMENT_MOST;
    r.workers = tt_calloc(r.n_workers, sizeof *r.workers);
    r.began = tt_clock_seconds();
    r.next_preview = r.began + hooks->preview_after;
    r.texts = tt_parts_text_new();
    tt_cutter_init(&r.cutter);
    pthread_rwlock_init(&r.builders, NULL);
    pthread_mutex_init(&r.previewing, NULL);
    atomic_store(&progress->phase, "reading");
    tt_status status = read_all(&r);
    if (status != TT_OK) {
        if (err) *err = r.err;
    } else {
        atomic_store(&progress->phase, "sorting and linking");
        *out = make_trace(&r, r.base ? r.base - 1 : 0, true);
        (*out)->text = tt_parts_text_take(r.texts);
    }
    tt_parts_text_free(r.texts);
    for (unsigned i = 0; i < r.n_workers; i++) worker_free(&r.workers[i]);
    free(r.workers);
    tt_cutter_free(&r.cutter);
    pthread_rwlock_destroy(&r.builders);
    pthread_mutex_destroy(&r.previewing);
    return status;
}

tt_status tt_read_chrome(tt_input *in, const tt_reader_names *names, unsigned threads, tt_reader_progress *progress,
                         const tt_reader_hooks *hooks, tt_trace **out, tt_err *err)
{
    static const tt_chrome_folder file = {.role = TT_INPUT_FILE};
    return tt_read_chrome_folder(in, &file, names, threads, progress, hooks, out, err);
}
