/* parser/recording/past.c - see past.h. */
#include "parser/recording/past.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "model/base/bisect.h"
#include "model/base/mem.h"
#include "model/base/sort_by.h"
#include "parser/recording/facts.h"
#include "parser/recording/tail.h"

enum {
    CALLS_MOST = 1 << 17, /* latest calls: one of them launched work that has not ended */
    TOLD_MOST = 1 << 16   /* records between two settlements */
};

/* What a record is about, if later records go on about it. */
typedef struct subject {
    uint64_t a, b;
    uint16_t type;
} subject;

typedef struct told { /* a record about a subject */
    subject of;
    uint64_t offset;
    size_t at;      /* index of the record in past_file.records */
    uint32_t words; /* its length; 0: the subject is over */
    uint32_t order; /* number of the record among those told */
} told;

typedef struct launch {
    uint64_t offset; /* offset of the call's record */
    uint32_t correlation;
} launch;

typedef struct past_file {
    tt_past_file f; /* first: the reader's part */
    char *path;
    bool used;               /* by the last load */
    TT_VEC(launch) launches; /* the latest calls */
    TT_VEC(uint64_t) facts;  /* an offset and a record, again and again */
    TT_VEC(told) told;       /* the first n_settled: one for each subject that goes on */
    TT_VEC(uint64_t) records;
    size_t n_settled;
    struct past_file *next;
} past_file;

struct tt_past {
    pthread_mutex_t lock; /* held for access to files */
    past_file *files;
    uint64_t newest;
};

tt_past *tt_past_new(void)
{
    tt_past *p = tt_calloc(1, sizeof *p);
    pthread_mutex_init(&p->lock, NULL);
    p->newest = UINT64_MAX;
    return p;
}

static void forget(past_file *f)
{
    tt_vec_free(&f->facts);
    tt_vec_free(&f->told);
    tt_vec_free(&f->records);
    tt_vec_free(&f->launches);
    f->n_settled = 0;
    f->f = (tt_past_file){.until = INT64_MIN};
}

/* Free the files that were not used since the last call. */
static void free_unused(tt_past *p)
{
    for (past_file **at = &p->files, *f; (f = *at) != NULL;) {
        if (f->used) {
            f->used = false;
            at = &f->next;
            continue;
        }
        *at = f->next;
        forget(f);
        free(f->path);
        free(f);
    }
}

void tt_past_free(tt_past *p)
{
    if (!p) return;
    for (int i = 0; i < 2; i++) free_unused(p);
    pthread_mutex_destroy(&p->lock);
    free(p);
}

void tt_past_set_newest(tt_past *p, uint64_t bytes)
{
    free_unused(p);
    p->newest = bytes;
}

uint64_t tt_past_newest(const tt_past *p) { return p->newest; }

bool tt_past_left(const tt_past *p)
{
    bool left = false;
    for (const past_file *f = p->files; f; f = f->next) left |= f->used && f->f.offset;
    return left;
}

/* ---- records of older blocks ---- */

typedef enum meaning {
    EVENT, /* belongs to its block alone */
    FACT,
    GOES_ON, /* the last record about its subject counts */
    ENDS,    /* its subject is over */
} meaning;

static meaning of_work(unsigned flags)
{
    return flags & TT_SPOOL_WORK_OPEN ? GOES_ON : flags & TT_SPOOL_WORK_WAS_OPEN ? ENDS : EVENT;
}

static meaning meaning_of(const tt_spool_rec *r, subject *of)
{
    const void *p = r;
    const tt_spool_range *range = p;
    const tt_spool_kernel *kernel = p;
    const tt_spool_copy *copy = p;
    const tt_spool_call *call = p;
    *of = (subject){.a = r->a, .type = r->type};
    switch (r->type) {
    case TT_SPOOL_META:
    case TT_SPOOL_STRING:
    case TT_SPOOL_THREAD:
    case TT_SPOOL_STATE:
    case TT_SPOOL_DEVICE:
    case TT_SPOOL_SEGMENT: return FACT;
    case TT_SPOOL_DROPS:
    case TT_SPOOL_COMM: return GOES_ON;
    case TT_SPOOL_OPEN:
    case TT_SPOOL_RANGE:
        *of = (subject){(uint64_t)range->start, range->tid, TT_SPOOL_OPEN};
        return r->type == TT_SPOOL_OPEN ? GOES_ON : range->flags & TT_SPOOL_WAS_OPEN ? ENDS : EVENT;
    case TT_SPOOL_COLL: of->a = call->id; return call->flags & TT_SPOOL_CALL_OPEN ? GOES_ON : ENDS;
    case TT_SPOOL_KERNEL:
        *of = (subject){kernel->correlation, kernel->graph_node, r->type};
        return of_work(kernel->flags);
    case TT_SPOOL_COPY:
    case TT_SPOOL_SET: of->b = copy->graph_node; return of_work(copy->flags);
    case TT_SPOOL_GRAPH: return of_work(tt_spool_graph_flags(p));
    default: return EVENT;
    }
}

static void keep_fact(past_file *f, const tt_spool_rec *r, uint64_t offset)
{
    size_t words = r->size / sizeof(uint64_t);
    tt_vec_reserve(&f->facts, f->facts.n + 1 + words);
    f->facts.at[f->facts.n] = offset;
    memcpy(&f->facts.at[f->facts.n + 1], r, words * sizeof(uint64_t));
    f->facts.n += 1 + words;
}

/* When the record was written at the earliest; INT64_MIN: not known. */
static int64_t written(const tt_spool_rec *r)
{
    const void *p = r;
    if (r->type == TT_SPOOL_CLOCK) return ((const tt_spool_clock *)p)->spool;
    if (r->type == TT_SPOOL_RANGE) return ((const tt_spool_range *)p)->end;
    if (r->type == TT_SPOOL_API) return ((const tt_spool_api *)p)->end;
    return INT64_MIN;
}

static void tell(past_file *f, const subject *of, const tt_spool_rec *r, uint64_t offset)
{
    uint32_t words = r ? r->size / (uint32_t)sizeof(uint64_t) : 0;
    *tt_vec_push(&f->told) = (told){*of, offset, f->records.n, words, (uint32_t)f->told.n};
    tt_vec_reserve(&f->records, f->records.n + words);
    if (r) memcpy(&f->records.at[f->records.n], r, words * sizeof(uint64_t));
    f->records.n += words;
}

static bool is_same(const subject *x, const subject *y) { return x->a == y->a && x->b == y->b && x->type == y->type; }

/* Keep the last record about each subject that is not over. */
static void settle(past_file *f)
{
    size_t kept = 0, n = 0;
    uint64_t *records = tt_malloc(f->records.n * sizeof *records);
    TT_SORT_BY(f->told.at, f->told.n, TT_ASC(told, of.type), TT_ASC(told, of.a), TT_ASC(told, of.b),
               TT_ASC(told, order));
    for (size_t i = 0; i < f->told.n; i++) {
        told t = f->told.at[i];
        if (!t.words || (i + 1 < f->told.n && is_same(&f->told.at[i + 1].of, &t.of))) continue;
        memcpy(records + n, &f->records.at[t.at], t.words * sizeof *records);
        t.at = n;
        t.order = (uint32_t)kept;
        n += t.words;
        f->told.at[kept++] = t;
    }
    if (n) memcpy(f->records.at, records, n * sizeof *records);
    free(records);
    f->told.n = f->n_settled = kept;
    f->records.n = n;
}

static void note_call(past_file *f, const tt_spool_api *a, uint64_t offset)
{
    enum { KEPT = CALLS_MOST / 2 };
    if (!a->correlation) return;
    if (f->launches.n == CALLS_MOST) {
        memmove(f->launches.at, f->launches.at + CALLS_MOST - KEPT, KEPT * sizeof *f->launches.at);
        f->launches.n = KEPT;
    }
    *tt_vec_push(&f->launches) = (launch){offset, a->correlation};
}

static bool is_work(unsigned type)
{
    return type == TT_SPOOL_KERNEL || type == TT_SPOOL_COPY || type == TT_SPOOL_SET || type == TT_SPOOL_GRAPH;
}

/* Keep the calls that launched open work, which began behind them. */
static void keep_calls(past_file *f, const tt_spool_tail *tail)
{
    bool sorted = false;
    for (size_t i = 0, n = f->n_settled; i < n; i++) {
        const subject call = {.a = f->told.at[i].of.a, .type = TT_SPOOL_API};
        size_t lo = 0, hi = f->launches.n;
        tt_spool_api a;
        if (!is_work(f->told.at[i].of.type)) continue;
        if (!sorted) TT_SORT_BY(f->launches.at, f->launches.n, TT_ASC(launch, correlation), TT_ASC(launch, offset));
        sorted = true;
        TT_BISECT(lo, hi, at, f->launches.at[at].correlation < call.a);
        if (lo == f->launches.n || f->launches.at[lo].correlation != call.a) continue;
        uint64_t offset = f->launches.at[lo].offset;
        if (pread(tail->fd, &a, sizeof a, (off_t)offset) == sizeof a && a.h.type == TT_SPOOL_API &&
            a.h.size == sizeof a)
            tell(f, &call, &a.h, offset);
    }
    settle(f);
}

typedef struct looking {
    past_file *f;
    const tt_spool_tail *tail;
} looking;

static void on_record(void *arg, const tt_spool_rec *r)
{
    looking *l = arg;
    past_file *f = l->f;
    const void *p = r;
    uint64_t offset = l->tail->offset + sizeof(tt_spool_block) + (uint64_t)((const char *)r - l->tail->in);
    subject of;
    meaning m = meaning_of(r, &of);
    int64_t at = written(r);
    if (at > f->f.until && at < TT_TIME_MAX) f->f.until = at;
    if (m == FACT) keep_fact(f, r, offset);
    if (r->type == TT_SPOOL_API) note_call(f, p, offset);
    const subject call = {.a = of.a, .type = TT_SPOOL_API};
    if (m == GOES_ON) tell(f, &of, r, offset);
    if (m == ENDS) tell(f, &of, NULL, offset);
    if (m == ENDS && is_work(r->type)) tell(f, &call, NULL, offset);
    if (f->told.n - f->n_settled > TOLD_MOST) settle(f);
}

/* ---- files ---- */

static past_file *file_of(tt_past *p, const char *path)
{
    pthread_mutex_lock(&p->lock);
    past_file *f = p->files;
    while (f && strcmp(f->path, path) != 0) f = f->next;
    if (!f) {
        f = tt_calloc(1, sizeof *f);
        f->path = tt_strdup(path);
        f->next = p->files;
        p->files = f;
        forget(f);
    }
    f->used = true;
    pthread_mutex_unlock(&p->lock);
    return f;
}

const tt_past_file *tt_past_look(tt_past *p, const char *path, uint64_t size, uint64_t behind)
{
    past_file *f = file_of(p, path);
    tt_spool_tail tail;
    uint64_t newest = p->newest > behind ? p->newest - behind : 0, until = size > newest ? size - newest : 0;
    if (size < f->f.offset) forget(f); /* another file has taken its name */
    if (until > f->f.offset && tt_spool_tail_open(&tail, path)) {
        if (f->f.offset) tail.seq = f->f.seq;
        tail.offset = f->f.offset;
        tt_spool_tail_read(&tail, until, on_record, &(looking){f, &tail});
        f->f.offset = tail.offset;
        f->f.seq = tail.seq;
        settle(f);
        keep_calls(f, &tail);
        tt_spool_tail_close(&tail);
    }
    return f->f.offset ? &f->f : NULL;
}

void tt_past_each(const tt_past_file *file, void (*each)(void *arg, const tt_spool_rec *r, uint64_t offset), void *arg)
{
    const past_file *f = (const past_file *)file;
    for (size_t i = 0; i < f->facts.n;) {
        const tt_spool_rec *r = (const void *)&f->facts.at[i + 1];
        each(arg, r, f->facts.at[i]);
        i += 1 + r->size / sizeof(uint64_t);
    }
    for (size_t i = 0; i < f->told.n; i++)
        each(arg, (const void *)&f->records.at[f->told.at[i].at], f->told.at[i].offset);
}
