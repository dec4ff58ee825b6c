/* model/tables/summary/make.c - see make.h. */
#include "model/tables/summary/make.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/keys/keys.h"
#include "model/summary/calls.h"
#include "model/summary/flight_block.h"
#include "model/summary/rows.h"
#include "model/summary/stub.h"
#include "model/tables/communication/lateness.h"
#include "model/tables/overview/tables.h"
#include "model/tables/registry/registry.h"
#include "model/tables/summary_rows.h"
#include "model/trace/flight.h"

#define HEAD ((size_t)64 << 10) /* bytes of the text that enter its identity */

/* ---- collectives ---- */

static tt_tts_calls calls_of(const tt_session *session)
{
    const tt_collectives *from = tt_collectives_get(session, 0);
    tt_tts_calls c = {0};
    for (size_t i = 0; i < from->at.n; i++) {
        const tt_collective *x = &from->at.at[i];
        *tt_vec_push(&c.at) = (tt_tts_call){.name = x->name,
                                            .group = x->group,
                                            .ranks = x->ranks,
                                            .start = x->start,
                                            .bytes = x->bytes,
                                            .seq = x->seq,
                                            .ns = x->ns,
                                            .total = x->total,
                                            .end = x->end,
                                            .kernel = x->kernel,
                                            .coll = x->coll,
                                            .first = x->first,
                                            .n = x->n};
    }
    for (size_t i = 0; i < from->ranges.n; i++) {
        tt_iv r = from->ranges.at[i];
        *tt_vec_push(&c.ranges) = (tt_tts_range){r.t0, r.t1, from->on_device.at[i]};
    }
    return c;
}

static void add_calls(const tt_session *session, tt_tts_making *m)
{
    tt_text bytes = {0};
    tt_tts_calls c = calls_of(session);
    tt_tts_put_calls(session->traces[0], &c, &bytes);
    m->s.calls_crc = tt_wire_crc(0, bytes.at, bytes.n);
    tt_tts_add_block(m, TT_TTS_CALLS, &bytes);
    tt_tts_calls_free(&c);
    tt_vec_free(&bytes);
}

/* ---- tables ---- */

/* Set the canonical path, so that one source has one spelling. */
static void spell_path(tt_table *t, const char *path)
{
    int key = tt_table_column(t, "key"), value = tt_table_column(t, "value");
    for (uint32_t r = 0; key >= 0 && value >= 0 && r < t->n_rows; r++) {
        const char *k = tt_table_cell(t, r, (uint32_t)key).s;
        if (k && !strcmp(k, "path")) t->cells[(size_t)r * t->n_cols + (uint32_t)value].s = path;
    }
}

static bool is_finding(const char *what) { return !strcmp(what, "finding") || !strcmp(what, "verdict"); }

/* Remove rows whose text in this column is recomputed once all ranks are present. */
static void leave_out(tt_table *t, const char *key, bool (*again)(const char *text))
{
    int col = tt_table_column(t, key);
    uint32_t kept = 0;
    for (uint32_t r = 0; col >= 0 && r < t->n_rows; r++) {
        const char *text = tt_table_cell(t, r, (uint32_t)col).s;
        if (text && again(text)) continue;
        memmove(&t->cells[(size_t)kept++ * t->n_cols], &t->cells[(size_t)r * t->n_cols], t->n_cols * sizeof *t->cells);
    }
    if (col >= 0) t->n_rows = kept;
}

static void add_table(const tt_session *session, const tt_table_desc *d, uint8_t group, tt_tts_making *m)
{
    char key[TT_SUMMARY_KEY_CAP], id[TT_SUMMARY_KEY_CAP + 8];
    const tt_options o = {.group = group, .places = true};
    tt_text bytes = {0};
    tt_table *t = tt_table_compute(session, d, &tt_scope_all, &o);
    if (!strcmp(d->id, "findings")) leave_out(t, "id", tt_summary_asks_again);
    if (!strcmp(d->id, "overview")) leave_out(t, "what", is_finding);
    if (!strcmp(d->id, "run")) spell_path(t, m->s.path);
    if (t->n_rows) {
        tt_tts_put_rows(&(tt_tts_rows){t->cols, t->n_cols, t->n_rows, t->cells, NULL}, &bytes);
        snprintf(id, sizeof id, "table %s", tt_summary_key(d, group, key));
        tt_tts_add_block(m, id, &bytes);
    }
    tt_vec_free(&bytes);
    tt_table_free(t);
}

static void add_tables(const tt_session *session, tt_tts_making *m)
{
    const char *why;
    for (uint32_t i = 0; i < tt_n_tables; i++) {
        const tt_table_desc *d = tt_tables[i];
        for (uint8_t g = 0; !g || (d->groups && d->groups[g]); g++)
            if (tt_summary_keeps(d, g, &why)) add_table(session, d, g, m);
    }
    add_table(session, &tt_table_trust, 0, m); /* trust is computed here, where the events are known */
}

/* Add imported tables: findings and tables over all ranks read them. */
static void add_imported(const tt_trace *s, tt_tts_making *m)
{
    for (uint32_t i = 0; i < s->n_imported; i++) {
        char id[32];
        tt_text bytes = {0};
        tt_tts_put_imported(s->imported[i], &bytes);
        snprintf(id, sizeof id, "imported %u", i);
        tt_tts_add_block(m, id, &bytes);
        tt_vec_free(&bytes);
    }
}

static void add_flight(const tt_trace *s, const tt_flight *flight, tt_tts_making *m)
{
    tt_text bytes = {0};
    tt_tts_put_flight(s, flight, &bytes);
    m->s.calls_crc = tt_wire_crc(m->s.calls_crc, bytes.at, bytes.n);
    tt_tts_add_block(m, TT_TTS_FLIGHT, &bytes);
    tt_vec_free(&bytes);
}

/* ---- identity ---- */

static uint32_t head_crc(const tt_trace *s)
{
    char *head = tt_malloc(HEAD);
    size_t n = 0;
    int64_t got = 1;
    while (s->text && n < HEAD && (got = s->text->read(s->text, n, head + n, HEAD - n)) > 0) n += (size_t)got;
    uint32_t crc = tt_wire_crc(0, head, n);
    free(head);
    return crc;
}

void tt_summary_make(tt_trace *s, struct tt_keys *keys, const char *path, uint32_t part, tt_tts_making *out)
{
    tt_trace *one[1] = {tt_trace_ref(s)};
    tt_session *session = tt_session_new(one, 1, "");
    tt_session_set_keys(session, keys); /* lent */
    tt_tts_source *x = &out->s;
    *x = (tt_tts_source){.rank = s->rank,
                         .part = part,
                         .start = s->origin_ns,
                         .end = s->end,
                         .bytes = s->text_bytes,
                         .events = s->n_events,
                         .head_crc = head_crc(s),
                         .world = s->world_size,
                         .slices = s->n,
                         .path = tt_arena_strndup(&out->arena, path, strlen(path)),
                         .worker = tt_arena_strndup(&out->arena, s->worker, strlen(s->worker)),
                         .span = tt_arena_strndup(&out->arena, s->span, strlen(s->span)),
                         .host = tt_host_of(s, &out->arena),
                         .device = s->n_devices ? tt_str(&s->strings, s->devices[0].name) : "",
                         .tool = TT_VERSION};
    x->device = tt_arena_strndup(&out->arena, x->device, strlen(x->device));
    add_calls(session, out);
    add_imported(s, out);
    struct tt_flight *flight = s->flight;
    if (flight || s->calls) add_flight(s, flight ? flight : s->calls, out);
    if (!tt_flight_alone(flight)) { /* else its tables are computed from the dumps of all ranks */
        s->flight = NULL;           /* its tables say nothing of a hang, which is a matter of all ranks */
        add_tables(session, out);
        s->flight = flight;
    }
    tt_tts_close_entry(out);
    tt_session_set_keys(session, NULL);
    tt_session_free(session);
}

/* ---- in memory ---- */

typedef struct kept_text {
    tt_text_source as;
    tt_text bytes;
} kept_text;

static int64_t kept_read(tt_text_source *self, uint64_t offset, char *out, size_t cap)
{
    const kept_text *k = (const kept_text *)(const void *)self;
    if (offset >= k->bytes.n) return 0;
    size_t n = k->bytes.n - (size_t)offset < cap ? k->bytes.n - (size_t)offset : cap;
    memcpy(out, k->bytes.at + offset, n);
    return (int64_t)n;
}

static void kept_close(tt_text_source *self)
{
    kept_text *k = (kept_text *)(void *)self;
    tt_vec_free(&k->bytes);
    free(k);
}

tt_trace *tt_summary_reduce(tt_trace *s)
{
    tt_tts_making m = {0};
    const tt_tts_source *one[1] = {&m.s};
    kept_text *k = tt_calloc(1, sizeof *k);
    tt_tts *f;
    tt_trace *out = NULL;
    tt_err err;
    if (s->summary) {
        free(k);
        return s;
    }
    k->as = (tt_text_source){.read = kept_read, .close = kept_close};
    tt_summary_make(s, NULL, s->path ? s->path : "", 0, &m);
    tt_tts_head(one, 1, &k->bytes);
    tt_text_put(&k->bytes, m.body.at, m.body.n);
    tt_tts_making_free(&m);
    if (tt_tts_open(&k->as, s->path ? s->path : "", &f, &err) == TT_OK) {
        tt_summary_in_place_of(s, &f->sources[0], &out, &err);
        tt_tts_free(f);
    }
    if (!out) return s;
    tt_trace_free(s);
    return out;
}
