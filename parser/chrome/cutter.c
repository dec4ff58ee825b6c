/* parser/chrome/cutter.c - cuts a text into windows. See cutter.h. */
#include "parser/chrome/cutter.h"

#include <stdlib.h>
#include <string.h>

#include "parser/json/index_simd.h"
#include "parser/json/split.h"

#define CUT_MOST ((size_t)16 << 20) /* bytes of text without a cut, after which one thread reads in order */
#define STRETCH_MOST ((uint64_t)4 << 20)
#define STRETCHES_EACH 4 /* stretches per thread of a small file: threads then end at about one time */

void tt_cutter_init(tt_cutter *w)
{
    *w = (tt_cutter){0};
    pthread_mutex_init(&w->lock, NULL);
}

void tt_cutter_free(tt_cutter *w)
{
    tt_vec_free(&w->cursor.carry);
    pthread_mutex_destroy(&w->lock);
}

static void cursor_begin(tt_cursor *c, uint64_t offset, uint64_t end)
{
    c->carry.n = 0;
    c->offset = offset;
    c->end = end;
    c->eof = c->over = false;
}

void tt_cutter_begin(tt_cutter *w, tt_source *source, uint64_t element_most, unsigned threads)
{
    uint64_t size, each;
    w->source = source;
    w->element_most = element_most;
    w->shared = tt_source_shared(source, &size) && threads > 1;
    each = size / threads / STRETCHES_EACH;
    each = each > STRETCH_MOST ? STRETCH_MOST : each;
    w->stretch = (each / TT_CUT_WINDOW + 1) * TT_CUT_WINDOW;
    w->stretches = size ? (size + w->stretch - 1) / w->stretch : 1;
    atomic_store(&w->next, 0);
    atomic_store(&w->read, 0);
    atomic_store(&w->miscut, false);
    atomic_store(&w->failed, false);
    cursor_begin(&w->cursor, 0, UINT64_MAX);
    w->status = TT_OK;
}

void tt_cut_window_begin(tt_cut_window *k)
{
    k->len = 0;
    k->offset = 0;
    cursor_begin(&k->own, 0, 0);
    k->own.over = true;
}

void tt_cut_window_free(tt_cut_window *k)
{
    free(k->memory);
    tt_vec_free(&k->own.carry);
}

static void room(tt_cut_window *k, size_t need)
{
    need += 2 * TT_SIMD_PADDING;
    if (need <= k->cap) return;
    size_t cap = k->cap ? k->cap : TT_CUT_WINDOW + TT_CUT_WINDOW / 4;
    while (cap < need) cap *= 2;
    k->memory = tt_realloc(k->memory, cap, 1);
    k->buf = k->memory + TT_SIMD_PADDING;
    k->cap = cap;
}

static tt_status read_some(tt_cutter *w, const tt_cut_window *k, size_t cap, size_t *got, tt_err *err)
{
    char *to = k->buf + k->len;
    if (w->shared) return tt_source_read_shared(w->source, k->offset + k->len, to, cap, got, err);
    return tt_source_read(w->source, to, cap, got, err);
}

/* Read until the window holds `want` bytes or the source ends. Without stretches the caller holds the lock. */
static void read_more(tt_cutter *w, tt_cursor *c, tt_cut_window *k, size_t want)
{
    bool beginning = k->offset == 0 && k->len == 0;
    room(k, want);
    while (k->len < want && !c->eof) {
        size_t got = 0;
        tt_err err = {0};
        tt_status status = read_some(w, k, want - k->len, &got, &err);
        if (status != TT_OK || !got) c->eof = true;
        k->len += got;
        if (status == TT_OK || status == TT_ERR_CANCELLED) continue; /* the text that was read is kept */
        if (w->shared) pthread_mutex_lock(&w->lock);
        w->status = status;
        w->err = err;
        if (w->shared) pthread_mutex_unlock(&w->lock);
        atomic_store(&w->failed, true);
    }
    if (beginning && k->len >= 3 && !memcmp(k->buf, "\xEF\xBB\xBF", 3)) { /* byte order mark */
        memset(k->buf, ' ', 3);
    }
}

void tt_cutter_grow(tt_cutter *w, tt_cut_window *k, size_t want) { read_more(w, &w->cursor, k, want); }

/* Whether too much text has no cut; sets miscut. */
static bool hopeless(tt_cutter *w, const tt_cut_window *k)
{
    if (k->len <= CUT_MOST && k->len <= w->element_most) return false;
    atomic_store(&w->miscut, true);
    return true;
}

static void keep(tt_cursor *c, const char *text, size_t n)
{
    c->carry.n = n;
    tt_vec_reserve(&c->carry, n);
    memcpy(c->carry.at, text, n);
}

/* End of the window; 0: not found yet. */
static size_t find_cut(tt_cursor *c, const tt_cut_window *k, size_t before)
{
    if (k->offset + k->len <= c->end)
        return c->eof ? 0 : tt_last_event_start(k->buf, before > TT_SPLIT_LOOK ? before - TT_SPLIT_LOOK : 1, k->len);
    size_t cut = tt_event_start_from(k->buf, (size_t)(c->end - k->offset), k->len, c->eof);
    c->over = cut != SIZE_MAX;
    return c->over ? cut : 0;
}

/* Take text up to the last start of an element, or to the end of the stretch. */
static bool take_window(tt_cutter *w, tt_cursor *c, tt_cut_window *k)
{
    size_t cut = 0, want = c->carry.n + TT_CUT_WINDOW;
    k->offset = c->offset;
    k->first = c->offset == 0;
    room(k, want);
    if (c->carry.n) memcpy(k->buf, c->carry.at, c->carry.n);
    k->len = c->carry.n;
    c->carry.n = 0;
    for (;;) {
        size_t before = k->len;
        if (k->offset + want > c->end) { /* also read the text that tells the start of the next stretch */
            size_t least = (size_t)(c->end - k->offset) + 2 * TT_SPLIT_LOOK;
            want = want < least ? least : want;
        }
        read_more(w, c, k, want);
        cut = find_cut(c, k, before);
        if (cut || c->eof || hopeless(w, k)) break;
        want = k->len * 2;
    }
    if (cut) {
        keep(c, k->buf + cut, k->len - cut);
        k->len = cut;
    }
    c->offset += k->len;
    k->last = c->eof && !cut;
    c->over |= k->last;
    return k->len > 0;
}

/* Take the next stretch in which an event begins. */
static bool take_stretch(tt_cutter *w, tt_cut_window *k)
{
    uint64_t i;
    while ((i = atomic_fetch_add(&w->next, 1)) < w->stretches) {
        tt_cursor *c = &k->own;
        uint64_t from = i * w->stretch, end = i + 1 == w->stretches ? UINT64_MAX : from + w->stretch;
        cursor_begin(c, 0, end);
        if (!i) return true;
        k->offset = from - TT_SPLIT_LOOK;
        k->len = 0;
        size_t begins = SIZE_MAX, want = TT_SPLIT_LOOK * 4;
        for (; begins == SIZE_MAX && !c->eof && !hopeless(w, k); want = k->len * 2) {
            read_more(w, c, k, want);
            begins = tt_event_start_from(k->buf, TT_SPLIT_LOOK, k->len, c->eof);
        }
        if (atomic_load(&w->miscut)) return false;
        if (begins == SIZE_MAX || k->offset + begins >= end) continue;
        keep(c, k->buf + begins, k->len - begins);
        c->offset = k->offset + begins;
        c->eof = false; /* the next read finds it again */
        return true;
    }
    return false;
}

static void told(tt_cutter *w, uint64_t end)
{
    uint64_t read = atomic_load(&w->read);
    while (read < end && !atomic_compare_exchange_weak(&w->read, &read, end)) {}
}

bool tt_cutter_next(tt_cutter *w, tt_cut_window *k)
{
    bool any;
    if (w->shared) {
        while ((any = !k->own.over || take_stretch(w, k)) && !take_window(w, &k->own, k) && !atomic_load(&w->miscut)) {}
    } else {
        pthread_mutex_lock(&w->lock);
        any = !w->cursor.over && take_window(w, &w->cursor, k);
        pthread_mutex_unlock(&w->lock);
    }
    if (any) told(w, k->offset + k->len);
    return any && !atomic_load(&w->miscut) && !atomic_load(&w->failed);
}
