/* tui/output/export/export_trace.c - writes a part of a trace: the texts of the picked events, in the order of the
 * file, repaired. */
#include "tui/output/export/export_trace.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/mem.h"
#include "parser/discover/head.h"
#include "parser/input/format.h"
#include "parser/json/repair_value.h"
#include "parser/json/scan.h"
#include "parser/json/write.h"
#include "tui/anonymise/anonymise.h"
#include "tui/files/outfile.h"
#include "tui/output/export/export_merge.h"
#include "tui/output/export/export_pick.h"

enum { FIRST_READ = 64 << 10, EVENT_READ = 16 << 20, META_READ = 256 << 20, META_CUT = 64 << 10 };

typedef struct exporter {
    const tt_trace *s;
    tt_picked picked;
    tt_export_write *write;
    void *arg;
    bool failed, any; /* any: an event was written */
    bool marked;      /* the file gets the mark of an export */
    int64_t place;    /* sort index for the next process in a common file */
    int64_t base;     /* trace time 0 on the clock of the file, in ns */
    char *buf;        /* text of the input from `at` on */
    size_t cap, n;
    uint64_t at;
    tt_text piece, moved;
    const tt_move *move;       /* when the file holds several workers; else NULL */
    tt_text made;              /* text of an event without a text in the input */
    const tt_anonymiser *hide; /* NULL: names stay as they are */
    tt_text hidden;            /* text of an event or member after anonymising */
    tt_exported *out;
} exporter;

/* ---- writing ---- */

static void write_bytes(exporter *x, const char *p, size_t n)
{
    if (!x->failed) x->failed = !x->write(x->arg, p, n);
}

/* Facts for the anonymiser: programs do not choose the names of device work and of launch calls. */
static tt_event_facts facts_of(const exporter *x, tt_row row)
{
    if (row == TT_NONE) return (tt_event_facts){0};
    tt_kind kind = tt_row_kind(x->s, row);
    /* but programs choose the names of these */
    bool named = kind == TT_KIND_GPU_ANNOTATION || kind == TT_KIND_DERIVED;
    return (tt_event_facts){.of_library = !named && (tt_kind_is_device(kind) || tt_kind_is_launch(kind)),
                            .is_operator = kind == TT_KIND_CPU_OP};
}

/* Write an event. row: its slice; TT_NONE: it is no slice. */
static void put_event(exporter *x, const char *p, size_t n, tt_row row)
{
    write_bytes(x, x->any ? ",\n" : "\n", x->any ? 2 : 1);
    if (x->hide) {
        x->hidden.n = 0;
        tt_anonymise_event(x->hide, p, n, facts_of(x, row), &x->hidden);
        p = x->hidden.at;
        n = x->hidden.n;
    }
    write_bytes(x, p, n);
    x->any = true;
}

/* Write a time (base + ns) in microseconds, as trace files have it. For a duration base is 0. */
static int time_text(char out[48], int64_t base, int64_t ns)
{
    int64_t t = base + ns;
    uint64_t abs = t < 0 ? 0u - (uint64_t)t : (uint64_t)t;
    return snprintf(out, 48, "%s%" PRIu64 ".%03u", t < 0 ? "-" : "", abs / 1000, (unsigned)(abs % 1000));
}

static tt_json begin_made(exporter *x)
{
    tt_json j;
    x->made.n = 0;
    tt_json_init_text(&j, &x->made);
    tt_json_open(&j, '{', true);
    return j;
}

static void end_made(exporter *x, tt_json *j, tt_row row)
{
    tt_json_close(j, '}');
    put_event(x, x->made.at, x->made.n, row);
}

/* Write a pid or tid: as a number if it looks like one. */
static void json_id(exporter *x, tt_json *j, const char *key, const char *text)
{
    const char *digits = text + (*text == '-');
    size_t n = strspn(digits, "0123456789");
    bool moves = x->move && *key == 'p';
    char head[16];
    tt_json_key(j, key);
    if (n && n < 18 && !digits[n] && (n == 1 || *digits != '0')) {
        int64_t id = strtoll(text, NULL, 10);
        tt_json_int(j, moves ? tt_move_pid(x->move, id) : id);
    } else if (moves && x->move->worker) {
        x->moved.n = 0;
        tt_text_put(&x->moved, head, (size_t)snprintf(head, sizeof head, "%" PRIu32 ":", x->move->worker));
        tt_text_put(&x->moved, text, strlen(text));
        tt_json_text(j, x->moved.at);
    } else {
        tt_json_text(j, text);
    }
}

static const char *str(const exporter *x, tt_sid id) { return tt_str(&x->s->strings, id); }

static uint64_t id_of(const exporter *x, uint32_t id) { return x->move ? tt_move_id(x->move, id) : id; }

/* Write a slice from the columns of the trace, because its text is missing or is no JSON. */
static void make_slice(exporter *x, tt_row r)
{
    const tt_trace *s = x->s;
    const tt_track *t = &s->tracks[tt_row_track(s, r)];
    tt_json j = begin_made(x);
    tt_json_key_text(&j, "ph", "X");
    tt_json_key_text(&j, "cat", str(x, s->cats[s->cat[r]].name));
    tt_json_key_text(&j, "name", tt_row_name(s, r));
    json_id(x, &j, "pid", str(x, t->pid));
    json_id(x, &j, "tid", str(x, t->tid));
    tt_json_key_us(&j, "ts", x->base + s->start[r]);
    tt_json_key_us(&j, "dur", s->dur[r]);
    tt_kind kind = tt_row_kind(s, r);
    if (s->correlation[r] && !tt_kind_is_python(kind) && !tt_kind_is_indexed(kind)) {
        tt_json_key(&j, "args");
        tt_json_open(&j, '{', true);
        tt_json_key_int(&j, "correlation", (int64_t)id_of(x, s->correlation[r]));
        tt_json_close(&j, '}');
    }
    end_made(x, &j, r);
    x->out->poor++;
    x->out->events++;
}

/* Write the beginning of the file. */
static void put_begin(exporter *x)
{
    if (x->marked)
        write_bytes(x, TT_EXPORT_MARK, sizeof TT_EXPORT_MARK - 1);
    else
        write_bytes(x, "{\n", 2);
}

/* ---- the text of an event ---- */

/* The text from pos on: at least `want` bytes, or up to its end. */
static const char *text_at(exporter *x, uint64_t pos, size_t want, size_t *n)
{
    bool single = x->s->text->single;
    if (single ? pos != x->at || want > x->n : pos < x->at || pos + want > x->at + x->n) {
        size_t keep = !single && pos >= x->at && pos < x->at + x->n ? (size_t)(x->at + x->n - pos) : 0;
        if (keep) memmove(x->buf, x->buf + (pos - x->at), keep);
        x->at = pos;
        x->n = keep;
        if (want > x->cap || !x->buf) {
            x->cap = want > FIRST_READ ? want : FIRST_READ;
            x->buf = tt_realloc(x->buf, x->cap, 1);
        }
        while (x->n < x->cap) {
            int64_t got = x->s->text->read(x->s->text, x->at + x->n, x->buf + x->n, x->cap - x->n);
            if (got <= 0) break;
            x->n += (size_t)got;
            if (single) break;
        }
    }
    *n = (size_t)(x->at + x->n - pos);
    return x->buf + (pos - x->at);
}

/* Read the value at pos into x->piece, as valid JSON of at most `most` bytes; false = it cannot be read or repaired. */
static bool read_value(exporter *x, uint64_t pos, size_t most, unsigned how)
{
    if (!x->s->text) return false;
    for (size_t want = 4096; want <= most; want *= 4) {
        size_t n;
        unsigned faults;
        const char *p = text_at(x, pos, want, &n);
        if (!n) return false;
        size_t valid = tt_json_valid(p, p + n);
        const char *end = valid ? p + valid : tt_json_value_end(p, p + n);
        size_t span = end ? (size_t)(end - p) : 0;
        x->piece.n = 0;
        /* a number at the end of the bytes may have further digits */
        if (valid && (valid < n || n < want || p[valid - 1] == '}')) {
            tt_text_put(&x->piece, p, valid);
            return true;
        }
        if (span && (span < n || n < want))
            return tt_repair_value(p, span, how | TT_MEND_STRICT, &x->piece, &faults) == span;
        if (n < want) return false;
    }
    return false;
}

/* Read the event at pos of a format that is not JSON, and convert it to JSON. */
static bool read_node(exporter *x, uint64_t pos, const tt_format *format)
{
    for (size_t want = 4096; want <= EVENT_READ; want *= 4) {
        size_t n;
        const char *p = text_at(x, pos, want, &n);
        x->piece.n = 0;
        if (format->json(p, n, &x->piece)) return true;
        if (n < want) return false;
    }
    return false;
}

/* Read the event at pos into x->piece. */
static bool read_piece(exporter *x, uint64_t pos)
{
    size_t n;
    const char *p = x->s->text ? text_at(x, pos, 1, &n) : NULL;
    if (!p || !n) return false;
    const tt_format *format = tt_format_of(x->s);
    if (*p != '{' && format && format->json && !x->s->n_others) return read_node(x, pos, format);
    return read_value(x, pos, EVENT_READ, TT_MEND_EVENT);
}

/* The value of a member of the event in x->piece, with its quotes; n = 0: the event has no such member. */
static const char *member_of(const exporter *x, const char *key, size_t *n)
{
    tt_json_member m = {.value = ""};
    (void)tt_json_find(x->piece.at, x->piece.at + x->piece.n, key, &m);
    *n = m.value_n;
    return m.value;
}

static bool member_is(const exporter *x, const char *key, const char *text)
{
    size_t n, len = strlen(text);
    const char *v = member_of(x, key, &n);
    return n == len + 2 && *v == '"' && !memcmp(v + 1, text, len);
}

/* The flow in x->piece leads from a launch to its work, and both are written. */
static bool is_of_launch(const exporter *x)
{
    char text[24], *end;
    size_t n;
    const char *v = member_of(x, "id", &n);
    if (n >= 2 && *v == '"') v++, n -= 2;
    if (!n || n >= sizeof text) return false;
    memcpy(text, v, n);
    text[n] = 0;
    int64_t id = strtoll(text, &end, 0);
    return !*end && tt_picked_launch(&x->picked, id);
}

/* The metadata in x->piece is written anew for every process of a common file. */
static bool is_made_anew(const exporter *x)
{
    return x->move && member_is(x, "ph", "M") &&
           (member_is(x, "name", "process_name") || member_is(x, "name", "process_sort_index"));
}

/* Write the event in x->piece, moved if the file holds several workers. */
static void put_piece(exporter *x, const tt_pick *it)
{
    char ts[48];
    tt_row row = it->what == TT_PICK_SLICE ? it->row : TT_NONE;
    if (x->move) {
        bool timed = it->ts != TT_ANY_TIME && it->ts != TT_NO_TIME;
        if (timed) time_text(ts, x->base, it->ts);
        tt_move_event(x->move, x->piece.at, x->piece.n, timed ? ts : NULL, &x->moved);
        put_event(x, x->moved.at, x->moved.n, row);
    } else {
        put_event(x, x->piece.at, x->piece.n, row);
    }
    x->out->events++;
}

static void put_items(exporter *x)
{
    for (size_t i = 0; i < x->picked.at.n && !x->failed; i++) {
        const tt_pick *it = &x->picked.at.at[i];
        bool slice = it->what == TT_PICK_SLICE;
        /* an event in two tables is picked twice */
        if (!slice && i && x->picked.at.at[i - 1].text == it->text) continue;
        if (!read_piece(x, it->text)) {
            if (slice) make_slice(x, it->row);
            x->out->lost += !slice;
        } else if (*x->piece.at != '{') {
            x->out->alien++;
        } else if (!(it->what == TT_PICK_LAUNCH_FLOW && !is_of_launch(x)) && !is_made_anew(x)) {
            put_piece(x, it);
        }
    }
}

/* ---- what has no text of its own ---- */

static void put_name(exporter *x, const char *what, const char *pid, const char *tid, const char *key, const char *text,
                     int64_t number)
{
    tt_json j = begin_made(x);
    tt_json_key_text(&j, "ph", "M");
    tt_json_key_text(&j, "name", what);
    json_id(x, &j, "pid", pid);
    if (tid) json_id(x, &j, "tid", tid);
    tt_json_key_int(&j, "ts", 0);
    tt_json_key(&j, "args");
    tt_json_open(&j, '{', true);
    tt_json_key(&j, key);
    if (text) {
        tt_json_text(&j, text);
    } else {
        tt_json_int(&j, number);
    }
    tt_json_close(&j, '}');
    end_made(x, &j, TT_NONE);
    x->out->events++;
}

/* Write the names of processes in a common file: the worker's name comes first, and processes are sorted by worker. */
static void put_moved_names(exporter *x)
{
    for (uint32_t i = 0; i < x->s->n_processes; i++) {
        const tt_process *p = &x->s->processes[i];
        const char *pid = str(x, p->pid);
        char name[300];
        snprintf(name, sizeof name, "%s%s%s", x->move->name, p->name ? ": " : "", str(x, p->name));
        put_name(x, "process_name", pid, NULL, "name", name, 0);
        put_name(x, "process_sort_index", pid, NULL, "sort_index", NULL,
                 x->place++); /* by worker, then in the order of the trace */
    }
}

/* Write metadata for a trace without metadata events. */
static void put_names(exporter *x)
{
    const tt_trace *s = x->s;
    for (uint32_t i = 0; i < s->n_processes; i++) {
        const tt_process *p = &s->processes[i];
        const char *pid = str(x, p->pid);
        if (p->name && !x->move) put_name(x, "process_name", pid, NULL, "name", str(x, p->name), 0);
        if (p->labels) put_name(x, "process_labels", pid, NULL, "labels", str(x, p->labels), 0);
        if (p->has_sort_index && !x->move)
            put_name(x, "process_sort_index", pid, NULL, "sort_index", NULL, p->sort_index);
    }
    for (uint32_t i = 0; i < s->n_tracks; i++) {
        const tt_track *t = &s->tracks[i];
        if (t->kind == TT_TRACK_ASYNC) continue;
        const char *tid = str(x, t->tid);
        if (t->named) put_name(x, "thread_name", str(x, t->pid), tid, "name", str(x, t->name), 0);
        if (t->has_sort_index) put_name(x, "thread_sort_index", str(x, t->pid), tid, "sort_index", NULL, t->sort_index);
    }
}

static void put_flow(exporter *x, const char *phase, tt_row r, uint32_t correlation)
{
    const tt_track *t = &x->s->tracks[tt_row_track(x->s, r)];
    tt_json j = begin_made(x);
    tt_json_key_text(&j, "ph", phase);
    tt_json_key_int(&j, "id", (int64_t)id_of(x, correlation));
    tt_json_key_text(&j, "cat", "ac2g");
    tt_json_key_text(&j, "name", "ac2g");
    json_id(x, &j, "pid", str(x, t->pid));
    json_id(x, &j, "tid", str(x, t->tid));
    tt_json_key_us(&j, "ts", x->base + x->s->start[r]);
    if (*phase == 'f') {
        tt_json_key_text(&j, "bp", "e");
    }
    end_made(x, &j, TT_NONE);
    x->out->events++;
}

/* Write flow events from launches to their work for a recording, which has none. */
static void put_flows(exporter *x)
{
    const tt_trace *s = x->s;
    tt_row last = TT_NONE;
    for (uint32_t i = 0; i < s->n_links && s->text && s->text->single && !x->failed; i++) {
        tt_row launch = s->launch_row[i], work = s->dev[s->launched_activity[i]].row;
        if (!tt_kind_is_work(tt_row_kind(s, work)) || !tt_picked_row(&x->picked, s, launch) ||
            !tt_picked_row(&x->picked, s, work))
            continue;
        if (launch != last) put_flow(x, "s", launch, s->correlation[launch]);
        put_flow(x, "f", work, s->correlation[launch]);
        last = launch;
    }
}

enum { LINES_MOST = 64 };

typedef struct counter { /* series that are lines of one counter */
    const tt_series *line[LINES_MOST];
    uint32_t at[LINES_MOST], n; /* index of the next sample of each line */
} counter;

/* Write the samples of the earliest time as one event. False: no samples are left. */
static bool put_sample(exporter *x, counter *c)
{
    const tt_trace *s = x->s;
    int64_t ts = INT64_MAX;
    bool any = false;
    for (uint32_t i = 0; i < c->n; i++) {
        if (c->at[i] == c->line[i]->n) continue;
        const tt_sample *v = &s->samples[c->line[i]->first + c->at[i]];
        if (!any || v->ts < ts) ts = v->ts;
        any = true;
    }
    if (!any) return false;
    bool shown = tt_picked_time(&x->picked, ts);
    tt_json j = begin_made(x);
    tt_json_key_text(&j, "ph", "C");
    tt_json_key_text(&j, "name", str(x, c->line[0]->name));
    json_id(x, &j, "pid", str(x, c->line[0]->pid));
    if (c->line[0]->id) {
        tt_json_key_text(&j, "id", str(x, c->line[0]->id));
    }
    tt_json_key_us(&j, "ts", x->base + ts);
    tt_json_key(&j, "args");
    tt_json_open(&j, '{', true);
    for (uint32_t i = 0; i < c->n; i++) {
        const tt_sample *v = &s->samples[c->line[i]->first + c->at[i]];
        if (c->at[i] == c->line[i]->n || v->ts != ts) continue;
        tt_json_key(&j, str(x, c->line[i]->key));
        tt_json_exact(&j, v->value);
        c->at[i]++;
    }
    tt_json_close(&j, '}');
    if (shown) end_made(x, &j, TT_NONE);
    x->out->events += shown;
    return true;
}

static void put_counters(exporter *x)
{
    const tt_trace *s = x->s;
    for (uint32_t i = 0; i < s->n_series;) {
        counter c = {0};
        const tt_series *first = &s->series[i];
        for (; i < s->n_series && c.n < LINES_MOST; i++) {
            const tt_series *line = &s->series[i];
            if (line->name != first->name || line->pid != first->pid || line->id != first->id) break;
            c.line[c.n++] = line;
        }
        while (!x->failed && put_sample(x, &c)) {}
    }
}

/* Write the end of the recording as an instant, like Kineto. */
static void put_window_end(exporter *x)
{
    const tt_trace *s = x->s;
    if (x->move || !s->text || !s->text->single) return;
    int64_t end = s->end;
    const tt_windows *w = &x->picked.windows;
    if (!w->everything) end = w->n ? w->at[w->n - 1].t1 : 0;
    tt_json j = begin_made(x);
    tt_json_key_text(&j, "ph", "i");
    tt_json_key_text(&j, "s", "g");
    tt_json_key_text(&j, "name", "Record Window End");
    tt_json_key_text(&j, "pid", "");
    tt_json_key_text(&j, "tid", "");
    tt_json_key_us(&j, "ts", x->base + (end < s->end ? end : s->end));
    end_made(x, &j, TT_NONE);
    x->out->events++;
}

/* Write the value of a member beside the list of events. */
static void put_member_value(exporter *x, const char *key, const char *p, size_t n)
{
    if (x->hide) {
        x->hidden.n = 0;
        tt_anonymise_member(x->hide, key, p, n, &x->hidden);
        p = x->hidden.at;
        n = x->hidden.n;
    }
    write_bytes(x, p, n);
}

static void put_key(exporter *x, const char *key)
{
    tt_json j;
    char room[64];
    x->made.n = 0;
    tt_json_init_text(&j, &x->made);
    tt_json_text(&j, x->hide ? tt_anonymise_key(x->hide, key, room, sizeof room) : key);
    write_bytes(x, x->made.at, x->made.n);
    write_bytes(x, ": ", 2);
}

/* Write a member beside the list of events as it was in the input. Without a text its value is written as JSON if it
 * is valid JSON, else as a string. */
static void put_meta(exporter *x, const tt_meta *m)
{
    const char *value = str(x, m->value);
    size_t n = strlen(value);
    if (!strcmp(str(x, m->key), "traceEvents")) return; /* a traceEvents that was no list */
    if (m->offset && read_value(x, m->offset, META_READ, 0)) {
        put_key(x, str(x, m->key));
        put_member_value(x, str(x, m->key), x->piece.at, x->piece.n);
    } else if (n < META_CUT) {
        bool json = *value != '"' && n && tt_json_valid(value, value + n) == n;
        put_key(x, str(x, m->key));
        x->made.n = 0;
        tt_json j;
        tt_json_init_text(&j, &x->made);
        if (!json) tt_json_text(&j, value);
        put_member_value(x, str(x, m->key), json ? value : x->made.at, json ? n : x->made.n);
    } else {
        x->out->members++; /* the trace keeps only the beginning of so long a value */
        return;
    }
    write_bytes(x, ",\n", 2);
}

/* A later member has the same key: the last one counts. */
static bool is_repeated(const tt_trace *s, uint32_t i)
{
    for (uint32_t k = i + 1; k < s->n_meta; k++) {
        if (s->meta[k].key == s->meta[i].key) return true;
    }
    return false;
}

/* ---- all of it ---- */

uint32_t tt_export_only_trace(const tt_session *s, const tt_scope *scope)
{
    uint32_t found = TT_NONE;
    for (uint32_t i = 0; i < s->n_traces; i++) {
        if (!tt_scope_has_trace(s, scope, i)) continue;
        if (found != TT_NONE) return TT_NONE;
        found = i;
    }
    return found;
}

static uint32_t traces_in(const tt_session *s, const tt_scope *scope)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < s->n_traces; i++) n += tt_scope_has_trace(s, scope, i);
    return n;
}

static bool has_metadata(const tt_trace *s)
{
    for (uint32_t i = 0; i < s->n_others && s->text; i++) {
        if (s->others[i].ts == TT_ANY_TIME) return true;
    }
    return false;
}

/* Write the events of one trace. */
static void put_trace(exporter *x, const tt_session *s, const tt_scope *scope, uint32_t trace)
{
    const tt_trace *t = x->s = s->traces[trace];
    x->at = x->n = 0;
    x->out->broken += t->problems.of[TT_PROBLEM_MALFORMED_EVENT].count;
    if (!t->text) x->out->lost += t->problems.of[TT_PROBLEM_UNKNOWN_PHASE].count;
    tt_export_pick(s, scope, trace, &x->picked);
    if (x->move) put_moved_names(x);
    if (!has_metadata(t)) put_names(x);
    put_items(x);
    put_flows(x);
    if (!t->text || t->text->single) put_counters(x);
    put_window_end(x);
}

static tt_status end(exporter *x, tt_err *err)
{
    write_bytes(x, "\n]}\n", 4);
    int error = errno;
    tt_vec_free(&x->made);
    free(x->buf);
    tt_picked_free(&x->picked);
    tt_vec_free(&x->piece);
    tt_vec_free(&x->moved);
    tt_vec_free(&x->hidden);
    return x->failed ? tt_fail(err, TT_ERR_INPUT, -1, "cannot be written: %s", strerror(error)) : TT_OK;
}

/* Write one file: its members, then the events of the trace. all: also the events of later traces in scope, which
 * are other workers of the same input file. */
static tt_status put_file(const tt_session *s, const tt_scope *scope, uint32_t trace, bool all, exporter *x,
                          tt_err *err)
{
    x->s = s->traces[trace];
    const char *base = tt_trace_meta(x->s, "baseTimeNanoseconds");
    *x->out = (tt_exported){0};
    put_begin(x);
    for (uint32_t i = 0; i < x->s->n_meta; i++) {
        if (!is_repeated(x->s, i)) put_meta(x, &x->s->meta[i]);
    }
    write_bytes(x, "\"traceEvents\": [", 16);
    for (uint32_t i = trace; i < (all ? s->n_traces : trace + 1) && !x->failed; i++) {
        if (!tt_scope_has_trace(s, scope, i)) continue;
        x->base = s->traces[i]->origin_ns - (base ? strtoll(base, NULL, 10) : 0);
        put_trace(x, s, scope, i);
    }
    return end(x, err);
}

tt_status tt_export_trace(const tt_session *s, const tt_scope *scope, uint32_t trace, const tt_anonymiser *hide,
                          tt_export_write *write, void *arg, tt_exported *out, tt_err *err)
{
    exporter x = {.write = write, .arg = arg, .hide = hide, .out = out};
    return put_file(s, scope, trace, false, &x, err);
}

/* The first trace in scope if all traces in scope come from one file; else TT_NONE. */
static uint32_t one_file(const tt_session *s, const tt_scope *scope)
{
    uint32_t first = TT_NONE;
    for (uint32_t i = 0; i < s->n_traces; i++) {
        if (!tt_scope_has_trace(s, scope, i)) continue;
        if (first == TT_NONE) first = i;
        if (strcmp(s->traces[i]->path, s->traces[first]->path) != 0) return TT_NONE;
    }
    return first;
}

/* ---- several workers in one file ---- */

/* The name of a worker or span, anonymised if asked for. */
static const char *called(const exporter *x, const char *word, const char *name, char *out, size_t cap)
{
    if (!x->hide) return name;
    tt_anonymise_word(x->hide, word, name, out, cap);
    return out;
}

/* The name of a trace in a common file: its worker, and its span if there are several spans. */
static const char *entry_name(const exporter *x, const tt_session *s, uint32_t trace, char *out, size_t cap)
{
    const tt_trace *t = s->traces[trace];
    char worker[300], span[300];
    bool spans = s->n_spans > 1;
    snprintf(out, cap, "%s%s%s", called(x, "worker", t->worker, worker, sizeof worker), spans ? " span " : "",
             spans ? called(x, "span", t->span, span, sizeof span) : "");
    return out;
}

/* Write the devices of a list that no earlier list had; ids holds the device numbers so far. */
static void put_devices_of(exporter *x, const tt_meta *m, tt_strings *ids, bool *any)
{
    const char *value = str(x, m->value), *p = value, *end = value + strlen(value);
    if (m->offset && read_value(x, m->offset, META_READ, 0)) p = x->piece.at, end = p + x->piece.n;
    if (p == end || *p != '[') return;
    tt_json_member device, id;
    for (p++; tt_json_item(&p, end, &device);) {
        uint32_t known = (uint32_t)ids->text.n;
        if (tt_json_valid(device.value, end) != device.value_n || !tt_json_find(device.value, p, "id", &id)) continue;
        if (tt_strings_put(ids, id.value, id.value_n) < known) continue;
        write_bytes(x, *any ? ", " : "\"deviceProperties\": [", *any ? 2 : 21);
        put_member_value(x, "deviceProperties", device.value, device.value_n);
        *any = true;
    }
}

/* Write the devices of all workers, each number once. */
static void put_devices(exporter *x, const tt_session *s, const tt_scope *scope)
{
    tt_strings ids;
    bool any = false;
    tt_strings_init(&ids);
    for (uint32_t i = 0; i < s->n_traces; i++) {
        if (!tt_scope_has_trace(s, scope, i)) continue;
        x->s = s->traces[i];
        x->at = x->n = 0;
        for (uint32_t k = 0; k < x->s->n_meta; k++) {
            if (!strcmp(str(x, x->s->meta[k].key), "deviceProperties") && !is_repeated(x->s, k))
                put_devices_of(x, &x->s->meta[k], &ids, &any);
        }
    }
    if (any) write_bytes(x, "],\n", 3);
    tt_strings_free(&ids);
}

/* Write the names of the workers in scope, or of their spans. */
static void put_entries(exporter *x, const tt_session *s, const tt_scope *scope, const char *key)
{
    char name[640];
    tt_json j;
    x->made.n = 0;
    tt_json_init_text(&j, &x->made);
    tt_json_key(&j, key);
    tt_json_open(&j, '[', true);
    for (uint32_t i = 0; i < s->n_traces; i++) {
        if (!tt_scope_has_trace(s, scope, i)) continue;
        tt_json_text(&j, *key == 's' ? called(x, "span", s->traces[i]->span, name, sizeof name)
                                     : entry_name(x, s, i, name, sizeof name));
    }
    tt_json_close(&j, ']');
    write_bytes(x, x->made.at, x->made.n);
    write_bytes(x, "\n,\n", 3);
}

/* Write the members of a common file: units of the first worker, all devices, origin of the common axis, names of
 * the workers. */
static void put_common_meta(exporter *x, const tt_session *s, const tt_scope *scope)
{
    static const char *const keys[] = {"schemaVersion", "displayTimeUnit"};
    int64_t origin = 0;
    bool first = true;
    put_begin(x);
    for (uint32_t i = 0; i < s->n_traces; i++) {
        if (!tt_scope_has_trace(s, scope, i)) continue;
        const tt_trace *t = s->traces[i];
        if (t->absolute && (!origin || t->origin_ns - s->offset_ns[i] < origin))
            origin = t->origin_ns - s->offset_ns[i];
        for (uint32_t k = 0; first && k < t->n_meta; k++) {
            x->s = t;
            x->at = x->n = 0;
            for (size_t m = 0; m < sizeof keys / sizeof *keys; m++) {
                if (!strcmp(str(x, t->meta[k].key), keys[m]) && !is_repeated(t, k)) put_meta(x, &t->meta[k]);
            }
        }
        first = false;
    }
    put_devices(x, s, scope);
    char text[64];
    write_bytes(x, text, (size_t)snprintf(text, sizeof text, "\"baseTimeNanoseconds\": %" PRId64 ",\n", origin));
    put_entries(x, s, scope, "workers");
    if (s->n_spans > 1) put_entries(x, s, scope, "spans"); /* the names of the traces end with their span */
    write_bytes(x, "\"traceEvents\": [", 16);
}

/* Write all traces in scope into one file, on the common time axis. Every worker's processes get pids of their own
 * and the worker's name in front of theirs; ids of different workers stay different. Such a file is for viewers:
 * tables computed from it mix the ranks. */
static tt_status export_merged(const tt_session *s, const tt_scope *scope, const tt_anonymiser *hide,
                               tt_export_write *write, void *arg, tt_exported *out, tt_err *err)
{
    exporter x = {.write = write, .arg = arg, .hide = hide, .marked = true, .out = out};
    tt_move move = {.stride = tt_move_stride(traces_in(s, scope))};
    char name[640];
    *x.out = (tt_exported){0};
    x.move = &move;
    put_common_meta(&x, s, scope);
    for (uint32_t i = 0; i < s->n_traces && !x.failed; i++) {
        if (!tt_scope_has_trace(s, scope, i)) continue;
        x.base = s->offset_ns[i];
        tt_move_worker(&move, s->traces[i]);
        move.name = entry_name(&x, s, i, name, sizeof name);
        put_trace(&x, s, scope, i);
        move.worker++;
    }
    tt_move_free(&move);
    return end(&x, err);
}

/* The export of a whole recording is no mere part: it is the trace that `record` writes. */
static bool is_recording(const tt_trace *t) { return t->format && !strcmp(t->format->id, "tracetty"); }

tt_status tt_export_file(const tt_session *s, const tt_scope *scope, unsigned what, const char *path, unsigned how,
                         tt_exported *out, tt_err *err)
{
    uint32_t trace = one_file(s, scope);
    bool merge = what & TT_EXPORT_MERGE;
    if (trace == TT_NONE && !merge)
        return tt_fail(err, TT_ERR_USAGE, -1,
                       "a trace file holds one worker and span: choose one with --worker, --rank or --span, or add "
                       "--merge (%u are loaded)",
                       s->n_traces);
    tt_anonymiser hide;
    bool hides = what & TT_EXPORT_ANONYMISE;
    if (hides) hide = (tt_anonymiser){tt_hash_key_own(), what & TT_EXPORT_HIDE_SHAPES};
    tt_outfile *o = tt_outfile_open(path, how | TT_OUTFILE_JSON, &s->inputs, err);
    if (!o) return err->code;
    exporter x = {.write = tt_outfile_write,
                  .arg = o,
                  .out = out,
                  .hide = hides ? &hide : NULL,
                  .marked = merge || !is_recording(s->traces[trace])};
    tt_status st = merge ? export_merged(s, scope, x.hide, tt_outfile_write, o, out, err)
                         : put_file(s, scope, trace, true, &x, err);
    tt_status end = tt_outfile_close(o, st == TT_OK, err);
    return end != TT_OK ? end : st;
}
