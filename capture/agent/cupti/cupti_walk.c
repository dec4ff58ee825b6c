/* capture/agent/cupti/cupti_walk.c - see cupti_walk.h. */
#include "capture/agent/cupti/cupti_walk.h"

#include <stdlib.h>
#include <string.h>

#include "capture/agent/core/report_progress.h"

/* Low bit of a place in tt_cupti_buffer.later: the record was written as open. Records are aligned to 8 bytes. */
enum { TOLD = 1 };

/* Note an unknown kind of record, once per kind. */
static void tell_of_kind(tt_cupti_walk *w, tt_recorder *r, uint32_t kind)
{
    uint64_t bit = (uint64_t)1 << (kind < 63 ? kind : 63);
    if (!(w->told_kinds & bit))
        tt_recorder_note("process %u: CUPTI's records of kind %u are not known here and left out", r->pid, kind);
    w->told_kinds |= bit;
}

static uint32_t kind_of(const void *record)
{
    uint32_t kind;
    memcpy(&kind, record, sizeof kind);
    return kind;
}

static void write_record(tt_cupti_walk *w, tt_recorder *r, void *record)
{
    tt_cupti_work_facts f;
    w->ended += w->records.work != TT_WORK_OPEN && tt_cupti_work_of(record, &f) && f.end;
    if (tt_cupti_record(&w->records, r, record)) return;
    tt_drop(r, TT_SPOOL_DROP_RECORDS, 1);
    tell_of_kind(w, r, kind_of(record));
}

/* ---- returned buffers ---- */

void tt_cupti_walk_returned(tt_cupti_walk *w, tt_recorder *r, tt_cupti_buffer *b)
{
    void *record = NULL;
    uint32_t later = 0;
    int e;
    while ((e = w->f->ActivityGetNextRecord(b->data, b->valid, &record)) == CU_OK) {
        size_t at = (size_t)((uint8_t *)record - b->data);
        bool waited = later < b->n_later && (b->later[later] & ~(uint32_t)TOLD) == at;
        bool told = waited && b->later[later] & TOLD;
        later += waited;
        if (b->spare) {
            tt_drop(r, TT_SPOOL_DROP_BUFFERS, 1);
        } else if (waited || !b->last || (uint8_t *)record > (uint8_t *)b->last) {
            w->records.work = told ? TT_WORK_TOLD : b->forced ? TT_WORK_MAY_BE_OPEN : TT_WORK_ENDED;
            write_record(w, r, record);
        }
    }
    w->records.work = TT_WORK_ENDED;
    b->n_later = 0;
    b->last = NULL;
    if (e == CU_ERROR_MAX_LIMIT) return;
    /* unknown kind: its size is unknown, so the rest of the buffer cannot be parsed */
    size_t at = record ? (size_t)((uint8_t *)record - b->data) : 0;
    tt_drop(r, TT_SPOOL_DROP_BYTES, b->valid > at ? b->valid - at : 0);
}

/* ---- held buffers ---- */

/* The work has ended, and its times are plausible: it began after CUPTI got the buffer, which CUPTI asks for while the
 * first work in it is launched. */
static bool has_ended(const tt_cupti_buffer *b, uint64_t start, uint64_t end, int64_t now)
{
    static const int64_t launch_ns = 1000000000; /* most time of that launch */
    return start >= (uint64_t)(b->given - launch_ns) && end >= start && end <= (uint64_t)now;
}

/* Whether the record is complete. Records of other kinds are left for the buffer's return. */
static bool complete(const tt_cupti_buffer *b, const void *record, int64_t until, int64_t now)
{
    tt_cupti_work_facts f;
    switch (kind_of(record)) {
    case CU_KIND_RUNTIME:
    case CU_KIND_DRIVER:
    case CU_KIND_INTERNAL_LAUNCH_API: {
        const cu_api *a = record;
        return a->correlationId && a->start && a->end >= a->start && a->end <= (uint64_t)until;
    }
    case CU_KIND_SYNCHRONIZATION: {
        const cu_sync *y = record;
        return y->start && y->end >= y->start && y->end <= (uint64_t)until;
    }
    case CU_KIND_EXTERNAL_CORRELATION: {
        const cu_external *x = record;
        return x->externalKind && x->correlationId;
    }
    default: return tt_cupti_work_of(record, &f) && has_ended(b, f.start, f.end, now);
    }
}

static bool add_later(tt_cupti_buffer *b, uint32_t place)
{
    if (b->n_later == b->cap_later) {
        uint32_t cap = b->cap_later ? b->cap_later * 2 : 256;
        uint32_t *more = realloc(b->later, cap * sizeof *more);
        if (!more) return false;
        b->later = more;
        b->cap_later = cap;
    }
    b->later[b->n_later++] = place;
    return true;
}

/* Write the records that were not complete before and are now. */
static void look_again(tt_cupti_walk *w, tt_recorder *r, tt_cupti_buffer *b, int64_t until, int64_t now)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < b->n_later; i++) {
        uint32_t place = b->later[i];
        void *record = b->data + (place & ~(uint32_t)TOLD);
        if (!complete(b, record, until, now)) {
            b->later[kept++] = place;
            continue;
        }
        w->records.work = place & TOLD ? TT_WORK_TOLD : TT_WORK_ENDED;
        write_record(w, r, record);
    }
    b->n_later = kept;
}

void tt_cupti_walk_held(tt_cupti_walk *w, tt_recorder *r, tt_cupti_buffer *b, int64_t until)
{
    int64_t now = tt_now(r);
    tt_cupti_work_facts f;
    if (b->spare) return;
    w->records.held = true;
    look_again(w, r, b, until, now);
    for (void *record = b->last; w->f->ActivityGetNextRecord(b->data, b->size, &record) == CU_OK; b->last = record) {
        if (!kind_of(record)) break; /* nothing is written there yet */
        bool whole = complete(b, record, until, now), work = tt_cupti_work_of(record, &f);
        uint32_t place = (uint32_t)((uint8_t *)record - b->data);
        if (!whole && !add_later(b, place | (work ? TOLD : 0))) break;
        w->records.work = whole ? TT_WORK_ENDED : TT_WORK_OPEN;
        if (whole || work) write_record(w, r, record);
    }
    w->records.work = TT_WORK_ENDED;
    w->records.held = false;
}

uint32_t tt_cupti_walk_due(const tt_cupti_buffer *b)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < b->n_later; i++) n += b->later[i] & TOLD;
    return n;
}

/* ---- open work, once more ---- */

static int by_value(const void *a, const void *b)
{
    const uint32_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* Write the open work again; its correlations, ascending, go to `of`. Returns their number. */
static size_t write_open(tt_cupti_walk *w, tt_recorder *r, tt_cupti_buffer *b, uint32_t *of)
{
    size_t n = 0;
    tt_cupti_work_facts f;
    w->records.work = TT_WORK_OPEN;
    for (uint32_t i = 0; i < b->n_later; i++) {
        void *record = b->data + (b->later[i] & ~(uint32_t)TOLD);
        if (!(b->later[i] & TOLD) || !tt_cupti_work_of(record, &f)) continue;
        of[n++] = f.correlation;
        write_record(w, r, record);
    }
    w->records.work = TT_WORK_ENDED;
    qsort(of, n, sizeof *of, by_value);
    return n;
}

static void write_calls(tt_cupti_walk *w, tt_recorder *r, tt_cupti_buffer *b, const uint32_t *of, size_t n)
{
    void *record = NULL;
    while (record != b->last && w->f->ActivityGetNextRecord(b->data, b->size, &record) == CU_OK) {
        uint32_t kind = kind_of(record);
        if (kind != CU_KIND_RUNTIME && kind != CU_KIND_DRIVER && kind != CU_KIND_INTERNAL_LAUNCH_API) continue;
        const cu_api *a = record;
        if (bsearch(&a->correlationId, of, n, sizeof *of, by_value)) write_record(w, r, record);
    }
}

void tt_cupti_walk_open(tt_cupti_walk *w, tt_recorder *r, tt_cupti_buffer *b)
{
    uint32_t *of = b->n_later ? malloc(b->n_later * sizeof *of) : NULL;
    if (!of) return;
    w->records.held = true;
    size_t n = write_open(w, r, b, of);
    if (n) write_calls(w, r, b, of, n);
    w->records.held = false;
    free(of);
}
