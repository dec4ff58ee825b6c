/* parser/recording/cycles.c - divides a spool in three passes: collect cycles and facts; find the block with the last
 * record of each cycle; copy the records into files. So only as many files are open as cycles whose device work
 * overlaps. See cycles.h. */
#include "parser/recording/cycles.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "model/base/bisect.h"
#include "model/base/sort_by.h"
#include "parser/recording/facts.h"

enum { NAMES = 4, OPEN_MOST = 64, BLOCK = 1 << 20, GAP_MOST = 60000 };

typedef struct call { /* a CUDA call */
    uint32_t correlation;
    int64_t start;
} call;

typedef struct cycle {
    int64_t start;
    uint64_t last; /* number of the block with its last record, from 1 */
    uint64_t drops[TT_SPOOL_DROP_COUNT_];
    void *file; /* NULL: not begun, or already ended */
    bool begun;
    uint32_t blocks, names; /* blocks written; end of the ids that the file knows */
    TT_VEC(uint8_t) used;   /* per id: the name is in the file */
    TT_VEC(char) block;
} cycle;

typedef struct divider {
    const char *const *paths;
    uint32_t n_paths;
    char *in;             /* buffer of a block */
    uint64_t blocks, seq; /* blocks read; number of the next one */
    bool repeats;         /* the records are in the head of a segment that follows another */
    bool in_first_head;
    TT_VEC(cycle) cycles;
    tt_cycle_count count;
    uint64_t most, left; /* bytes to read, and those that are left in this pass */
    uint32_t only;       /* number of the only cycle to write, 0: all */
    int64_t only_end;    /* its end */
    uint64_t drops[TT_SPOOL_DROP_COUNT_];
    uint64_t drops_before[TT_SPOOL_DROP_COUNT_]; /* those before the first segment of a ring */
    TT_VEC(call) calls;
    TT_VEC(tt_spool_state) states;
    tt_text facts;                /* records of facts, unchanged */
    tt_text names;                /* STRING records, unchanged */
    TT_VEC(size_t) name_at;       /* offset in names + 1, by id; 0 = no such name */
    TT_VEC(uint32_t) facts_names; /* ids that facts use */
    tt_spool_end end;
    bool ended;
    uint32_t where; /* cycle of the previous record */
    const tt_cycles_out *out;
    bool failed; /* writing failed */
} divider;

typedef void on_record(divider *d, const tt_spool_rec *r);

/* ---- records ---- */

/* Time of a record; false: it has none. *correlation: id of the call that the record belongs to; 0: its time decides
 * its cycle. */
static bool time_of(const tt_spool_rec *r, int64_t *t, uint32_t *correlation)
{
    const void *p = r;
    *correlation = 0;
    switch (r->type) {
    case TT_SPOOL_RANGE:
    case TT_SPOOL_OPEN: *t = ((const tt_spool_range *)p)->start; return true;
    case TT_SPOOL_MARK: *t = ((const tt_spool_mark *)p)->ts; return true;
    case TT_SPOOL_COUNTER:
        *t = ((const tt_spool_counter *)p)->ts - 1;
        return true; /* counters are written when their step has ended */
    case TT_SPOOL_STEP: *t = ((const tt_spool_step *)p)->ts; return true;
    case TT_SPOOL_CLOCK: *t = ((const tt_spool_clock *)p)->spool; return true;
    case TT_SPOOL_API: *t = ((const tt_spool_api *)p)->start; return true;
    case TT_SPOOL_OVERHEAD: *t = ((const tt_spool_overhead *)p)->start; return true;
    case TT_SPOOL_MEMORY: *t = ((const tt_spool_memory *)p)->ts; return true;
    case TT_SPOOL_POOL: *t = ((const tt_spool_pool *)p)->ts; return true;
    case TT_SPOOL_UNIFIED: *t = ((const tt_spool_unified *)p)->start; return true;
    case TT_SPOOL_KERNEL: *t = ((const tt_spool_kernel *)p)->start; break;
    case TT_SPOOL_COPY:
    case TT_SPOOL_SET: *t = ((const tt_spool_copy *)p)->start; break;
    case TT_SPOOL_SYNC: *t = ((const tt_spool_sync *)p)->start; break;
    case TT_SPOOL_COLL: *t = ((const tt_spool_call *)p)->enqueued; return true;
    case TT_SPOOL_GRAPH: *t = ((const tt_spool_graph *)p)->start; break;
    case TT_SPOOL_EVENT: *t = ((const tt_spool_event *)p)->ts; break;
    default: return false;
    }
    *correlation = r->type == TT_SPOOL_KERNEL ? ((const tt_spool_kernel *)p)->correlation : r->a;
    return r->type != TT_SPOOL_EVENT || *t || *correlation;
}

static bool is_fact(unsigned type)
{
    return type == TT_SPOOL_META || type == TT_SPOOL_THREAD || type == TT_SPOOL_DEVICE || type == TT_SPOOL_CONTEXT ||
           type == TT_SPOOL_COMM;
}

/* Ids of names in a record; returns their number. */
static unsigned names_of(const tt_spool_rec *r, uint32_t id[NAMES])
{
    const void *p = r;
    id[0] = r->a;
    switch (r->type) {
    case TT_SPOOL_RANGE:
    case TT_SPOOL_OPEN: id[1] = ((const tt_spool_range *)p)->shapes; return 2;
    case TT_SPOOL_COUNTER: id[1] = ((const tt_spool_counter *)p)->key; return 2;
    case TT_SPOOL_COMM: id[0] = ((const tt_spool_comm *)p)->name; return 1;
    case TT_SPOOL_COLL:
        id[1] = ((const tt_spool_call *)p)->dtype;
        id[2] = ((const tt_spool_call *)p)->algorithm;
        id[3] = ((const tt_spool_call *)p)->protocol;
        return NAMES;
    case TT_SPOOL_MARK:
    case TT_SPOOL_THREAD:
    case TT_SPOOL_API:
    case TT_SPOOL_KERNEL:
    case TT_SPOOL_DEVICE: return 1;
    default: return 0;
    }
}

static uint32_t cycle_at(const divider *d, int64_t t)
{
    size_t lo = 0, hi = d->cycles.n; /* find the last cycle that had begun */
    TT_BISECT(lo, hi, i, d->cycles.at[i].start <= t);
    return lo ? (uint32_t)lo - 1 : 0;
}

static uint32_t cycle_of(divider *d, const tt_spool_rec *r)
{
    int64_t t;
    uint32_t correlation;
    if (!time_of(r, &t, &correlation)) return d->where; /* a record of unknown type stays with the one before */
    size_t lo = 0, hi = correlation ? d->calls.n : 0;
    TT_BISECT(lo, hi, i, d->calls.at[i].correlation < correlation);
    bool known = correlation && lo < d->calls.n && d->calls.at[lo].correlation == correlation;
    return d->where = cycle_at(d, known ? d->calls.at[lo].start : t);
}

/* ---- reading the file ---- */

static bool read_all(int fd, void *to, size_t n)
{
    for (size_t got = 0; got < n;) {
        ssize_t k = read(fd, (char *)to + got, n - got);
        if (k < 0 && errno == EINTR) continue;
        if (k <= 0) return false;
        got += (size_t)k;
    }
    return true;
}

static void on_segment(divider *d, const tt_spool_segment *s)
{
    bool begin = s->h.a == TT_SPOOL_SEGMENT_BEGIN;
    d->in_first_head = begin && !d->blocks;
    d->repeats = begin && d->blocks;
}

static bool read_file(divider *d, int fd, on_record *f)
{
    tt_spool_block b;
    for (ssize_t n; d->left && (n = read(fd, &b, sizeof b)) != 0; d->blocks++, d->seq++) {
        bool good = n == sizeof b && tt_spool_block_fits(&b) && read_all(fd, d->in, b.len) &&
                    tt_spool_sum(d->in, b.len) == b.sum;
        if (!good) return false;
        const tt_spool_rec *first = (const void *)d->in;
        if (!d->blocks && b.len >= sizeof *first && first->type == TT_SPOOL_SEGMENT) d->seq = b.seq;
        if (b.seq != d->seq) return false;
        uint64_t whole = sizeof b + (uint64_t)b.len;
        d->left = d->left > whole ? d->left - whole : 0;
        for (size_t at = 0; at + sizeof(tt_spool_rec) <= b.len;) {
            const tt_spool_rec *r = (const void *)(d->in + at);
            if (!tt_spool_record_fits(r, b.len - at)) return false;
            if (r->type == TT_SPOOL_SEGMENT) {
                on_segment(d, (const void *)r);
            } else if (!d->repeats || r->type == TT_SPOOL_STRING || r->type == TT_SPOOL_OPEN) {
                f(d, r);
            }
            if (d->failed) return false;
            at += r->size;
        }
    }
    return true;
}

/* Call f for every record, except those that only repeat others. False: a file is incomplete or damaged. */
static bool pass(divider *d, on_record *f)
{
    bool good = true;
    d->blocks = d->seq = 0;
    d->where = 0;
    d->left = d->most;
    d->repeats = d->in_first_head = false;
    for (uint32_t i = 0; i < d->n_paths && good; i++) {
        int fd = open(d->paths[i], O_RDONLY | O_CLOEXEC | O_NONBLOCK);
        good = fd >= 0 && read_file(d, fd, f);
        if (fd >= 0) close(fd);
    }
    return good && d->blocks > 0;
}

/* ---- first pass: cycles and facts ---- */

bool tt_cycle_begins(tt_cycle_count *c, const tt_spool_step *s)
{
    bool fresh = !c->n || c->state == TT_SPOOL_STEP_LAST || s->number != c->step + 1;
    c->step = s->number;
    c->state = s->h.a;
    if (!fresh || (c->n && s->ts <= c->start)) return false;
    c->start = s->ts;
    c->n++;
    return true;
}

static void on_step(divider *d, const tt_spool_step *s)
{
    if (!tt_cycle_begins(&d->count, s)) return;
    cycle *c = tt_vec_push(&d->cycles);
    *c = (cycle){.start = s->ts};
    for (int i = 0; d->cycles.n == 1 && i < TT_SPOOL_DROP_COUNT_; i++) c->drops[i] = d->drops[i] - d->drops_before[i];
}

static void on_drops(divider *d, const tt_spool_drops *s)
{
    if (s->h.a >= TT_SPOOL_DROP_COUNT_) return;
    if (d->cycles.n) d->cycles.at[d->cycles.n - 1].drops[s->h.a] += s->count - d->drops[s->h.a];
    d->drops[s->h.a] = s->count;
    if (d->in_first_head) d->drops_before[s->h.a] = s->count;
}

static void learn(divider *d, const tt_spool_rec *r)
{
    const void *p = r;
    uint32_t id[NAMES];
    if (is_fact(r->type)) {
        unsigned n = names_of(r, id);
        for (unsigned i = 0; i < n; i++) *tt_vec_push(&d->facts_names) = id[i];
        tt_text_put(&d->facts, p, r->size);
    } else if (r->type == TT_SPOOL_STRING && r->a < TT_SPOOL_ID_MOST) {
        while (d->name_at.n <= r->a) *tt_vec_push(&d->name_at) = 0;
        d->name_at.at[r->a] = 1 + d->names.n;
        tt_text_put(&d->names, p, r->size);
    } else if (r->type == TT_SPOOL_STEP) {
        on_step(d, p);
    } else if (r->type == TT_SPOOL_STATE) {
        *tt_vec_push(&d->states) = *(const tt_spool_state *)p;
    } else if (r->type == TT_SPOOL_DROPS) {
        on_drops(d, p);
    } else if (r->type == TT_SPOOL_END) {
        d->end = *(const tt_spool_end *)p;
        d->ended = true;
    } else if (r->type == TT_SPOOL_API && ((const tt_spool_api *)p)->correlation) {
        *tt_vec_push(&d->calls) = (call){((const tt_spool_api *)p)->correlation, ((const tt_spool_api *)p)->start};
    }
}

/* ---- second pass: last block of each cycle ---- */

static bool is_placed(unsigned type)
{
    return !is_fact(type) && type != TT_SPOOL_STRING && type != TT_SPOOL_STATE && type != TT_SPOOL_DROPS &&
           type != TT_SPOOL_END;
}

static void find_last(divider *d, const tt_spool_rec *r)
{
    if (is_placed(r->type)) d->cycles.at[cycle_of(d, r)].last = d->blocks + 1;
}

/* ---- third pass: copying ---- */

static void flush(divider *d, cycle *c)
{
    tt_spool_block b = {.len = (uint32_t)c->block.n, .seq = c->blocks++};
    memcpy(b.magic, TT_SPOOL_MAGIC, sizeof b.magic);
    b.sum = tt_spool_sum(c->block.at, c->block.n);
    if (!d->out->write(c->file, (const char *)&b, sizeof b) || !d->out->write(c->file, c->block.at, c->block.n))
        d->failed = true;
    c->block.n = 0;
}

static void append_record(divider *d, cycle *c, const void *record, size_t size)
{
    if (c->block.n && c->block.n + size > BLOCK) flush(d, c);
    tt_vec_reserve(&c->block, c->block.n + size);
    memcpy(c->block.at + c->block.n, record, size);
    c->block.n += size;
}

/* Write a name before the first record that uses it. Empty names bridge large gaps between ids: readers take an id far
 * beyond the known ones for damage. */
static void put_name(divider *d, cycle *c, uint32_t id)
{
    if (id >= d->name_at.n || !d->name_at.at[id]) return;
    while (c->used.n <= id / 8) *tt_vec_push(&c->used) = 0;
    if (c->used.at[id / 8] >> id % 8 & 1) return;
    for (; id >= c->names + GAP_MOST; c->names += GAP_MOST) {
        tt_spool_text none = {.h = {TT_SPOOL_STRING, sizeof none, c->names + GAP_MOST - 1}};
        append_record(d, c, &none, sizeof none);
    }
    const tt_spool_rec *r = (const void *)(d->names.at + d->name_at.at[id] - 1);
    c->used.at[id / 8] |= (uint8_t)(1 << id % 8);
    if (c->names <= id) c->names = id + 1;
    append_record(d, c, r, r->size);
}

/* Write the states of recording within this cycle: a window may continue from one cycle into the next. */
static void put_states(divider *d, cycle *c, int64_t until)
{
    bool first = c == d->cycles.at, on = false;
    tt_spool_state s = {.h = {TT_SPOOL_STATE, sizeof s, 1}, .ts = c->start};
    size_t i = 0;
    for (; !first && i < d->states.n && d->states.at[i].ts <= c->start; i++) on = d->states.at[i].h.a != 0;
    if (on) append_record(d, c, &s, sizeof s);
    for (; i < d->states.n && d->states.at[i].ts < until; i++) {
        on = d->states.at[i].h.a != 0;
        append_record(d, c, &d->states.at[i], sizeof s);
    }
    if (!on || until == INT64_MAX) return;
    s.h.a = 0;
    s.ts = until;
    append_record(d, c, &s, sizeof s);
}

static void put_number(divider *d, cycle *c)
{
    union {
        tt_spool_text t;
        char bytes[sizeof(tt_spool_text) + 32];
    } u = {0};
    int n = snprintf(u.t.text, 32, "cycle%c%zu", 0, (size_t)(c - d->cycles.at) + 1);
    size_t size = (sizeof u.t + (size_t)n + 7) & ~(size_t)7;
    u.t.h = (tt_spool_rec){TT_SPOOL_META, (uint16_t)size, 0};
    u.t.len = (uint32_t)n;
    append_record(d, c, &u, size);
}

static int64_t until(const divider *d, const cycle *c)
{
    return c + 1 < d->cycles.at + d->cycles.n ? c[1].start : INT64_MAX;
}

static void begin(divider *d, cycle *c)
{
    c->begun = true;
    c->file = d->out->begin(d->out->arg, c->start);
    if (!c->file) {
        d->failed = true;
        return;
    }
    for (size_t i = 0; i < d->facts_names.n; i++) put_name(d, c, d->facts_names.at[i]);
    for (size_t at = 0; at < d->facts.n;) {
        const tt_spool_rec *r = (const void *)(d->facts.at + at);
        append_record(d, c, r, r->size);
        at += r->size;
    }
    put_number(d, c);
    put_states(d, c, until(d, c));
}

static void finish(divider *d, cycle *c)
{
    bool last = until(d, c) == INT64_MAX;
    for (uint32_t i = 0; i < TT_SPOOL_DROP_COUNT_; i++) {
        tt_spool_drops s = {.h = {TT_SPOOL_DROPS, sizeof s, i}, .count = c->drops[i]};
        if (s.count) append_record(d, c, &s, sizeof s);
    }
    tt_spool_end e = {.h = {TT_SPOOL_END, sizeof e, 0}, .ts = !last ? until(d, c) : d->ended ? d->end.ts : d->only_end};
    if (!last || d->ended || (d->only && d->only_end != INT64_MAX)) append_record(d, c, &e, sizeof e);
    flush(d, c);
    if (!d->out->end(d->out->arg, c->file, !d->failed)) d->failed = true;
    c->file = NULL;
    tt_vec_free(&c->used);
    tt_vec_free(&c->block);
}

static void finish_done(divider *d)
{
    size_t open = 0;
    for (size_t i = 0; i < d->cycles.n; i++) {
        cycle *c = &d->cycles.at[i];
        if (c->file && !d->only && c->last <= d->blocks) finish(d, c);
        open += c->file != NULL;
    }
    if (open >= OPEN_MOST) d->failed = true;
}

static void divide(divider *d, const tt_spool_rec *r)
{
    uint32_t id[NAMES];
    if (!is_placed(r->type)) return;
    cycle *c = &d->cycles.at[cycle_of(d, r)];
    if (d->only && c != &d->cycles.at[d->only - 1]) return;
    if (!c->begun) {
        finish_done(d);
        begin(d, c);
    }
    if (!c->file) {
        d->failed = true;
        return;
    }
    unsigned n = names_of(r, id);
    for (unsigned i = 0; i < n; i++) put_name(d, c, id[i]);
    append_record(d, c, r, r->size);
}

/* ---- entry point ---- */

static tt_status divide_files(divider *d, tt_err *err)
{
    bool learnt = pass(d, learn);
    if (!d->only && (!learnt || d->cycles.n < 2)) {
        d->cycles.n = 0;
        return TT_OK;
    }
    TT_SORT_BY(d->calls.at, d->calls.n, TT_ASC(call, correlation), TT_ASC(call, start));
    if (!d->only) pass(d, find_last);
    bool good = learnt && d->only <= d->cycles.n && pass(d, divide);
    for (size_t i = 0; i < d->cycles.n; i++) {
        if (d->cycles.at[i].file && good && !d->failed) {
            finish(d, &d->cycles.at[i]);
        } else if (d->cycles.at[i].file) {
            d->out->end(d->out->arg, d->cycles.at[i].file, false);
        }
    }
    if (good && !d->failed) return TT_OK;
    return tt_fail(err, TT_ERR_INPUT, -1, "%s: it cannot be written as a file for each cycle", d->paths[0]);
}

static tt_status divider_run(divider *d, uint32_t *n, tt_err *err)
{
    *n = 0;
    for (uint32_t i = 0; i < d->n_paths; i++) {
        if (access(d->paths[i], R_OK)) return tt_fail(err, TT_ERR_INPUT, -1, "%s: %s", d->paths[i], strerror(errno));
    }
    d->in = tt_malloc(TT_SPOOL_BLOCK_MOST);
    tt_status status = divide_files(d, err);
    *n = status == TT_OK ? (uint32_t)d->cycles.n : 0;
    for (size_t i = 0; i < d->cycles.n; i++) {
        tt_vec_free(&d->cycles.at[i].used);
        tt_vec_free(&d->cycles.at[i].block);
    }
    tt_vec_free(&d->cycles);
    tt_vec_free(&d->calls);
    tt_vec_free(&d->states);
    tt_vec_free(&d->name_at);
    tt_vec_free(&d->facts_names);
    tt_vec_free(&d->facts);
    tt_vec_free(&d->names);
    free(d->in);
    return status;
}

tt_status tt_spool_divide(const char *const *paths, uint32_t n_paths, const tt_cycles_out *out, uint32_t *n,
                          tt_err *err)
{
    divider d = {.out = out, .paths = paths, .n_paths = n_paths, .most = UINT64_MAX};
    return divider_run(&d, n, err);
}

tt_status tt_spool_one_cycle(const char *path, uint64_t bytes, uint32_t number, int64_t end, const tt_cycles_out *out,
                             tt_err *err)
{
    divider d = {.out = out, .paths = &path, .n_paths = 1, .most = bytes, .only = number, .only_end = end};
    uint32_t n;
    return divider_run(&d, &n, err);
}
