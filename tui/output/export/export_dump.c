/* tui/output/export/export_dump.c - see export_dump.h. Keys are sorted, as PyTorch writes them. */
#include "tui/output/export/export_dump.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "model/trace/flight.h"
#include "parser/json/write.h"
#include "tui/anonymise/anonymise.h"
#include "tui/files/outfile.h"

typedef struct dump_writer {
    const tt_trace *s;
    const tt_flight *f;
    const tt_anonymiser *hide; /* NULL: names stay */
    tt_json j;
} dump_writer;

static const char *text(const dump_writer *w, tt_sid id) { return tt_str(&w->s->strings, id); }

/* ---- names ---- */

static void put_group_text(dump_writer *w, tt_sid id)
{
    char hidden[300];
    if (w->hide) tt_anonymise_group(w->hide, text(w, id), hidden, sizeof hidden);
    tt_json_text(&w->j, w->hide ? hidden : text(w, id));
}

static void put_group_key(dump_writer *w, tt_sid id)
{
    char hidden[300];
    if (w->hide) tt_anonymise_group(w->hide, text(w, id), hidden, sizeof hidden);
    tt_json_key(&w->j, w->hide ? hidden : text(w, id));
}

/* ---- groups and status ---- */

static void put_members(dump_writer *w, const tt_flight_group *g)
{
    tt_text list = {0};
    char number[24];
    tt_text_put(&list, "[", 1);
    for (uint32_t i = g->run; i < g->run + g->n_runs; i++) {
        for (int64_t k = 0; k < w->f->runs[i].n; k++) {
            int n = snprintf(number, sizeof number, "%s%" PRId64, list.n > 1 ? ", " : "",
                             tt_flight_rank_at(&w->f->runs[i], k));
            tt_text_put(&list, number, (size_t)n);
        }
    }
    tt_text_put(&list, "]", 1);
    tt_json_key_text(&w->j, "ranks", list.at);
    tt_vec_free(&list);
}

static void put_groups(dump_writer *w)
{
    tt_json_key(&w->j, "pg_config");
    tt_json_open(&w->j, '{', true);
    for (uint32_t i = 0; i < w->f->n_groups; i++) {
        const tt_flight_group *g = &w->f->groups[i];
        put_group_key(w, g->name);
        tt_json_open(&w->j, '{', true);
        tt_json_key(&w->j, "desc");
        put_group_text(w, g->desc);
        tt_json_key(&w->j, "name");
        put_group_text(w, g->name);
        put_members(w, g);
        tt_json_close(&w->j, '}');
    }
    tt_json_close(&w->j, '}');
}

static void put_number_text(dump_writer *w, const char *key, int64_t v)
{
    char digits[24];
    snprintf(digits, sizeof digits, "%" PRId64, v);
    tt_json_key_text(&w->j, key, digits);
}

static void put_status(dump_writer *w)
{
    char id[24];
    if (!w->f->n_status) return;
    tt_json_key(&w->j, "pg_status");
    tt_json_open(&w->j, '{', true);
    for (uint32_t i = 0; i < w->f->n_status; i++) {
        const tt_flight_status *x = &w->f->status[i];
        snprintf(id, sizeof id, "%" PRId64, x->id);
        tt_json_key(&w->j, id);
        tt_json_open(&w->j, '{', true);
        put_number_text(w, "last_completed_collective", x->completed);
        put_number_text(w, "last_enqueued_collective", x->enqueued);
        put_number_text(w, "last_started_collective", x->started);
        tt_json_close(&w->j, '}');
    }
    tt_json_close(&w->j, '}');
}

/* ---- entries ---- */

static void put_frames(dump_writer *w, uint32_t stack)
{
    const tt_stacks *s = &w->f->stacks;
    if (!s->n || !tt_stack_depth(s, stack)) return;
    tt_json_key(&w->j, "frames");
    tt_json_open(&w->j, '[', true);
    for (uint32_t i = s->first[stack]; i < s->first[stack + 1]; i++) {
        const tt_frame *x = &s->frames[s->frame[i]];
        tt_text file = {0}, function = {0};
        if (w->hide) tt_anonymise_frame(w->hide, text(w, x->file), text(w, x->function), &file, &function);
        tt_json_open(&w->j, '{', true);
        tt_json_key_text(&w->j, "filename", w->hide ? file.at : text(w, x->file));
        tt_json_key_int(&w->j, "line", x->line);
        tt_json_key_text(&w->j, "name", w->hide ? function.at : text(w, x->function));
        tt_json_close(&w->j, '}');
        tt_vec_free(&file);
        tt_vec_free(&function);
    }
    tt_json_close(&w->j, ']');
}

/* "BFloat16,Float" as a list of texts. */
static void put_types(dump_writer *w, const char *key, tt_sid id)
{
    const char *p = text(w, id);
    if (!id) return;
    tt_json_key(&w->j, key);
    tt_json_open(&w->j, '[', true);
    while (*p) {
        size_t n = strcspn(p, ",");
        tt_json_string(&w->j, p, n);
        p += n + (p[n] == ',');
    }
    tt_json_close(&w->j, ']');
}

static void put_sizes(dump_writer *w, const char *key, tt_sid id)
{
    if (!id) return;
    tt_json_key(&w->j, key);
    tt_json_raw(&w->j, text(w, id), w->s->strings.len.at[id]);
}

static void put_name(dump_writer *w, const tt_flight_call *c)
{
    static const char *const arrows[] = {[TT_FLIGHT_SEND] = "->", [TT_FLIGHT_RECV] = "<-"};
    tt_arena a = {0};
    const char *name = tt_arena_printf(&a, "%s%s%s", text(w, c->backend), c->backend ? ":" : "", text(w, c->op));
    if (c->direction != TT_FLIGHT_NEITHER && c->self >= 0)
        name = tt_arena_printf(&a, "%s %d%s%d", name, c->self, arrows[c->direction], c->peer);
    tt_json_key_text(&w->j, "profiling_name", name);
    tt_arena_free(&a);
}

static void put_time(dump_writer *w, const char *key, int64_t t)
{
    tt_json_key_int(&w->j, key, t == TT_UNKNOWN ? 0 : t);
}

static void put_entry(dump_writer *w, const tt_flight_entry *e)
{
    const tt_flight_call *c = tt_flight_call_of(w->f, e);
    tt_json *j = &w->j;
    tt_json_open(j, '{', true);
    tt_json_key_int(j, "collective_seq_id", e->seq == TT_UNKNOWN ? 0 : e->seq);
    if (e->duration != TT_UNKNOWN) {
        tt_json_key(j, "duration_ms");
        tt_json_exact(j, (double)e->duration / 1e6);
    }
    put_frames(w, e->stack);
    put_types(w, "input_dtypes", c->in_dtypes);
    put_sizes(w, "input_sizes", c->in_sizes);
    tt_json_key(j, "is_p2p");
    tt_json_bool(j, c->p2p && w->f->recorder != TT_FLIGHT_TORCHCOMMS);
    tt_json_key_known(j, "op_id", e->op_id);
    put_types(w, "output_dtypes", c->out_dtypes);
    put_sizes(w, "output_sizes", c->out_sizes);
    tt_json_key_int(j, "p2p_seq_id", e->p2p_seq == TT_UNKNOWN ? 0 : e->p2p_seq);
    tt_json_key_known(j, "pg_id", c->pg_id);
    tt_json_key(j, "process_group");
    tt_json_open(j, '[', true);
    put_group_text(w, c->group_name);
    put_group_text(w, c->group_desc);
    tt_json_close(j, ']');
    put_name(w, c);
    tt_json_key_known(j, "record_id", e->record_id);
    tt_json_key(j, "retired");
    tt_json_bool(j, e->retired);
    tt_json_key_text(j, "state", tt_flight_state_name[e->state]);
    put_time(w, "time_created_ns", e->created);
    put_time(w, "time_discovered_completed_ns", e->completed);
    put_time(w, "time_discovered_started_ns", e->started);
    if (c->timeout != TT_UNKNOWN) tt_json_key_int(j, "timeout_ms", c->timeout / 1000000);
    tt_json_close(j, '}');
}

static void put_dump(dump_writer *w, FILE *f)
{
    tt_json_init(&w->j, f);
    tt_json_open(&w->j, '{', false);
    if (w->f->library) tt_json_key_text(&w->j, "comm_lib_version", text(w, w->f->library));
    tt_json_key(&w->j, "entries");
    tt_json_open(&w->j, '[', false);
    for (uint32_t i = 0; i < w->f->n_entries; i++) put_entry(w, &w->f->entries[i]);
    tt_json_close(&w->j, ']');
    put_groups(w);
    put_status(w);
    tt_json_key_text(&w->j, "version", text(w, w->f->version));
    tt_json_close(&w->j, '}');
}

/* ---- files ---- */

static tt_status write_dump(const tt_session *s, const tt_trace *t, const tt_anonymiser *hide, const char *dir,
                            uint32_t i, tt_err *err)
{
    tt_arena a = {0};
    char letters[8] = "aaaaaaa"; /* digits in the name would be taken for the rank */
    for (int k = 6; k >= 0; k--, i /= 26) letters[k] = (char)('a' + i % 26);
    const char *path = t->rank >= 0 ? tt_arena_printf(&a, "%s/rank_%" PRId64 ".json", dir, t->rank)
                                    : tt_arena_printf(&a, "%s/unknown_%s.json", dir, letters);
    tt_outfile *o = tt_outfile_open(path, TT_OUTFILE_JSON, &s->inputs, err);
    tt_status st = o ? TT_OK : err->code;
    if (o) {
        dump_writer w = {.s = t, .f = t->flight, .hide = hide};
        FILE *f = tt_outfile_stream(o);
        put_dump(&w, f);
        st = tt_outfile_close(o, true, err);
    }
    tt_arena_free(&a);
    return st;
}

tt_status tt_export_dumps(const tt_session *s, const tt_scope *scope, bool hide, const char *dir, uint32_t *n,
                          tt_err *err)
{
    const tt_anonymiser how = {.key = hide ? tt_hash_key_own() : (tt_hash_key){{0}}};
    *n = 0;
    for (uint32_t i = 0; i < s->n_traces; i++)
        if (!s->traces[i]->flight || s->traces[i]->summary)
            return tt_fail(err, TT_ERR_USAGE, -1, "--format dump: %s is no dump of a flight recorder",
                           s->traces[i]->path);
    if (mkdir(dir, 0777) != 0 && errno != EEXIST)
        return tt_fail(err, TT_ERR_INPUT, -1, "%s: the folder cannot be made: %s", dir, strerror(errno));
    for (uint32_t i = 0; i < s->n_traces; i++) {
        if (!tt_scope_has_trace(s, scope, i)) continue;
        TT_TRY(write_dump(s, s->traces[i], hide ? &how : NULL, dir, i, err));
        ++*n;
    }
    return TT_OK;
}
