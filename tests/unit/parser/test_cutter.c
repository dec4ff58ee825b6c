/* Cutting a text for several threads: whatever their number, the windows tile the text and each begins with an element
 * of the event list (the test noted these places as it wrote the text); the cutter reports a text that it cannot cut.
 */
#include "parser/chrome/cutter.h"

#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#include "parser/json/index_simd.h"
#include "tests/unit/check.h"
#include "tests/unit/random.h"
#include "tests/unit/tempdir.h"

typedef struct text { /* text of a file, offsets of its events */
    TT_VEC(char) at;
    TT_VEC(size_t) starts;
} text;

static void put(text *t, const char *s, size_t n)
{
    tt_vec_reserve(&t->at, t->at.n + n);
    memcpy(t->at.at + t->at.n, s, n);
    t->at.n += n;
}

static void fill(text *t, char c, size_t n)
{
    tt_vec_reserve(&t->at, t->at.n + n);
    memset(t->at.at + t->at.n, c, n);
    t->at.n += n;
}

/* Write events whose arguments hold braces, quotes and lists of objects. One event in `giant_every` is longer than a
 * stretch; up to `blanks` blanks lie between two events. */
static void make(text *t, size_t bytes, uint32_t giant_every, uint32_t blanks)
{
    static const char head[] =
        "{\"schemaVersion\": 1, \"deviceProperties\": [{\"id\": 0, \"name\": \"x\"}],\n \"traceEvents\": [";
    t->at.n = t->starts.n = 0;
    put(t, head, sizeof head - 1);
    for (uint64_t i = 0; t->at.n < bytes; i++) {
        char event[200];
        size_t wide = (size_t)random_below(blanks);
        if (i) put(t, ",", 1);
        fill(t, wide % 3 ? ' ' : '\n', wide);
        *tt_vec_push(&t->starts) = t->at.n;
        int n = snprintf(event, sizeof event,
                         "{\"ph\": \"X\", \"name\": \"f{%d}, {\\\"ph\\\": 1}\", \"ts\": %llu, \"args\": {\"a\": "
                         "{\"b\": {}}, \"t\": \"",
                         (int)random_below(1000), (unsigned long long)i);
        put(t, event, (size_t)n);
        fill(t, '[', random_below(giant_every) ? (size_t)random_below(3000) : 700000);
        put(t, "\"}}", 3);
    }
    put(t, "\n], \"traceName\": \"t\"}\n", 22);
}

typedef struct piece {
    size_t at, n;
    bool first, last;
} piece;

typedef struct reading {
    tt_cutter cutter;
    pthread_mutex_t lock;
    TT_VEC(piece) all;
    const text *text;
    bool differs;
} reading;

static void *read_all(void *arg)
{
    reading *r = arg;
    tt_cut_window k = {0};
    tt_cut_window_begin(&k);
    while (tt_cutter_next(&r->cutter, &k)) {
        memset(k.buf + k.len, 0, TT_SIMD_PADDING);
        pthread_mutex_lock(&r->lock);
        *tt_vec_push(&r->all) = (piece){k.offset, k.len, k.first, k.last};
        r->differs |= k.offset + k.len > r->text->at.n || memcmp(k.buf, r->text->at.at + k.offset, k.len) != 0;
        pthread_mutex_unlock(&r->lock);
        if (k.last) break;
    }
    tt_cut_window_free(&k);
    return NULL;
}

static int by_place(const void *a, const void *b)
{
    const piece *x = a, *y = b;
    return (x->at > y->at) - (x->at < y->at);
}

static int by_size(const void *a, const void *b)
{
    size_t x = *(const size_t *)a, y = *(const size_t *)b;
    return (x > y) - (x < y);
}

static void read_text(const char *path, unsigned threads, reading *r)
{
    pthread_t id[16];
    tt_source *s;
    tt_err err;
    CHECK_INT(tt_source_open(path, &s, &err), TT_OK);
    tt_cutter_init(&r->cutter);
    pthread_mutex_init(&r->lock, NULL);
    tt_cutter_begin(&r->cutter, s, (uint64_t)128 << 20, threads);
    for (unsigned i = 0; i < threads; i++) CHECK_INT(pthread_create(&id[i], NULL, read_all, r), 0);
    for (unsigned i = 0; i < threads; i++) pthread_join(id[i], NULL);
    if (r->all.n) qsort(r->all.at, r->all.n, sizeof *r->all.at, by_place);
    tt_source_close(s);
}

static void end_reading(reading *r)
{
    tt_vec_free(&r->all);
    pthread_mutex_destroy(&r->lock);
    tt_cutter_free(&r->cutter);
}

static bool tiles(const reading *r)
{
    const text *t = r->text;
    size_t at = 0, lasts = 0;
    for (size_t i = 0; i < r->all.n; i++) {
        const piece *p = &r->all.at[i];
        bool starts = p->at && bsearch(&p->at, t->starts.at, t->starts.n, sizeof *t->starts.at, by_size);
        if (p->at != at || !p->n || p->first != !i || (i && !starts)) return false;
        at += p->n;
        lasts += p->last;
    }
    return at == t->at.n && lasts == 1 && r->all.at[r->all.n - 1].last && !r->differs;
}

static void windows_tile_the_text(void)
{
    text t = {0};
    for (uint64_t seed = 1; seed <= 6; seed++) {
        make(&t, seed * 700000, seed % 2 ? 40 : 4000, seed % 3 == 1 ? 3000 : 3);
        const char *path = temp_file("t.json", t.at.at, t.at.n);
        for (unsigned threads = 1; threads <= 16; threads = threads < 4 ? threads + 1 : threads * 2) {
            reading r = {.text = &t};
            read_text(path, threads, &r);
            CHECK(tiles(&r));
            CHECK(!atomic_load(&r.cutter.miscut));
            CHECK(threads == 1 || r.cutter.shared);
            CHECK_INT((int64_t)atomic_load(&r.cutter.read), (int64_t)t.at.n);
            end_reading(&r);
        }
    }
    tt_vec_free(&t.at);
    tt_vec_free(&t.starts);
}

/* 40 MB without a place for a cut: the cutter leaves them to the reader with one thread. */
static void no_place_for_a_cut(void)
{
    text t = {0};
    put(&t, "{\"traceEvents\": [{\"ph\": \"X\", \"args\": {\"t\": \"", 45);
    fill(&t, 'x', 40u << 20);
    put(&t, "\"}}]}", 5);
    const char *path = temp_file("t.json", t.at.at, t.at.n);
    for (unsigned threads = 2; threads <= 8; threads *= 2) {
        reading r = {.text = &t};
        read_text(path, threads, &r);
        CHECK(atomic_load(&r.cutter.miscut));
        end_reading(&r);
    }
    tt_vec_free(&t.at);
}

/* The file gets shorter while threads read it: they read the rest once, and reading ends. */
static void cut_off_while_it_is_read(void)
{
    text t = {0};
    tt_source *s;
    tt_err err;
    make(&t, 4000000, 400, 3);
    const char *path = temp_file("t.json", t.at.at, t.at.n);
    CHECK_INT(tt_source_open(path, &s, &err), TT_OK);
    reading r = {.text = &t};
    tt_cutter_init(&r.cutter);
    pthread_mutex_init(&r.lock, NULL);
    tt_cutter_begin(&r.cutter, s, (uint64_t)128 << 20, 4);
    CHECK_INT(truncate(path, 1500000), 0);
    for (int i = 0; i < 4; i++) read_all(&r);
    qsort(r.all.at, r.all.n, sizeof *r.all.at, by_place);
    size_t at = 0;
    for (size_t i = 0; i < r.all.n; at += r.all.at[i++].n) CHECK_INT((int64_t)r.all.at[i].at, (int64_t)at);
    CHECK_INT((int64_t)at, 1500000);
    CHECK(!r.differs && !atomic_load(&r.cutter.failed));
    tt_source_close(s);
    end_reading(&r);
    tt_vec_free(&t.at);
    tt_vec_free(&t.starts);
}

int main(void)
{
    temp_begin();
    windows_tile_the_text();
    no_place_for_a_cut();
    cut_off_while_it_is_read();
    temp_end();
    return check_done();
}
