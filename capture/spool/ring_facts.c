/* capture/spool/ring_facts.c - what the head of a segment repeats. See ring_facts.h. */
#include "capture/spool/ring_facts.h"

#include "capture/spool/memory.h"

/* Most facts of a type that are kept: those of ended threads and old contexts go first. */
static uint32_t most_of(unsigned type)
{
    switch (type) {
    case TT_SPOOL_META: return 512;
    case TT_SPOOL_THREAD: return 2048;
    case TT_SPOOL_DEVICE:
    case TT_SPOOL_CONTEXT: return 256;
    case TT_SPOOL_COMM: return 1024;
    case TT_SPOOL_STEP: return 1;
    case TT_SPOOL_STATE: return 2; /* the last begin and the last end */
    case TT_SPOOL_DROPS: return TT_SPOOL_DROP_COUNT_;
    default: return 0;
    }
}

enum { BYTES_MOST = 1 << 22, META_MOST = 4096 };

static const tt_spool_rec *at(const tt_ring_facts *f, size_t i) { return (const void *)(f->at + i); }

/* Two records of one type tell of the same thing. */
static bool same(const void *a, const void *b)
{
    const tt_spool_rec *x = a, *y = b;
    const tt_spool_text *s = a, *t = b;
    switch (x->type) {
    case TT_SPOOL_META: return !strncmp(s->text, t->text, s->len < t->len ? s->len : t->len);
    case TT_SPOOL_THREAD: return ((const tt_spool_thread *)a)->tid == ((const tt_spool_thread *)b)->tid;
    case TT_SPOOL_DEVICE: return ((const tt_spool_device *)a)->id == ((const tt_spool_device *)b)->id;
    case TT_SPOOL_STEP: return true;
    default: return x->a == y->a;
    }
}

static void forget(tt_ring_facts *f, size_t i)
{
    size_t size = at(f, i)->size;
    memmove(f->at + i, f->at + i + size, f->n - i - size);
    f->n -= size;
}

/* Forget the earlier record of the same fact, or else the oldest of the type when there are too many. */
static void make_room(tt_ring_facts *f, const tt_spool_rec *r)
{
    uint32_t n = 0;
    size_t oldest = f->n;
    for (size_t i = f->own; i < f->n; i += at(f, i)->size) {
        if (at(f, i)->type != r->type) continue;
        if (same(at(f, i), r)) {
            forget(f, i);
            return;
        }
        if (!n++) oldest = i;
    }
    if (n >= most_of(r->type)) forget(f, oldest);
}

static void learn(tt_ring_facts *f, const tt_spool_rec *r)
{
    make_room(f, r);
    if (r->type == TT_SPOOL_META && f->own && r->size > META_MOST) return; /* a long text is in one segment only */
    if (f->n + r->size > f->cap) {
        size_t cap = f->cap ? f->cap * 2 : 1 << 16;
        unsigned char *more = cap <= BYTES_MOST ? tt_memory_grow(f->at, f->cap, cap) : NULL;
        if (!more) return;
        f->at = more;
        f->cap = cap;
    }
    memcpy(f->at + f->n, r, r->size);
    f->n += r->size;
}

void tt_ring_facts_learn(tt_ring_facts *f, const unsigned char *records, size_t n)
{
    for (size_t i = 0; i < n;) {
        const tt_spool_rec *r = (const void *)(records + i);
        if (most_of(r->type)) learn(f, r);
        i += r->size;
    }
}

void tt_ring_facts_repeat(const tt_ring_facts *f, tt_spool_writer *w)
{
    for (size_t i = 0; i < f->n; i += at(f, i)->size) {
        const tt_spool_rec *r = at(f, i);
        unsigned char *p = tt_spool_add(w, r->type, r->size, r->a);
        if (p) memcpy(p + sizeof *r, f->at + i + sizeof *r, r->size - sizeof *r);
    }
}

void tt_ring_facts_free(tt_ring_facts *f)
{
    tt_memory_give(f->at, f->cap);
    *f = (tt_ring_facts){0};
}
