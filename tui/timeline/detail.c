/* tui/timeline/detail.c - the facts about one slice: times, launch, operator, Python frame, device work, arguments. */
#include "tui/timeline/detail.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "parser/input/event_text.h"

enum { STOP = 12 };                                /* columns; facts of the pane begin at multiples of it */
enum { CHILDREN_MAX = 200000, WORK_MAX = 100000 }; /* what is looked at to add up a slice; more gets a ">" in front */

static void fact(tt_detail *d, const char *key, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
static void fact(tt_detail *d, const char *key, const char *fmt, ...)
{
    va_list ap, again;
    va_start(ap, fmt);
    va_copy(again, ap);
    char small[1];
    int n = vsnprintf(small, sizeof small, fmt, ap);
    va_end(ap);
    char *text = tt_arena_alloc(&d->arena, n > 0 ? (size_t)n + 1 : 1);
    text[0] = '\0';
    if (n > 0) {
        vsnprintf(text, (size_t)n + 1, fmt, again);
    }
    va_end(again);
    *tt_vec_push(&d->facts) = (tt_fact){key, text, false};
}

static void fact_sid(tt_detail *d, const char *key, const tt_trace *s, tt_sid id)
{
    if (id != 0) {
        fact(d, key, "%s", tt_str(&s->strings, id));
    }
}

static const char *dur(char out[TT_TEXT_CAP], const tt_detail *d, int64_t ns)
{
    return tt_format_duration(out, ns, d->unit);
}

/* ---- device ---- */

static void launch_facts(tt_detail *d, const tt_timeline *t, const tt_trace *s, const tt_activity *x)
{
    char a[TT_TEXT_CAP], b[TT_TEXT_CAP];
    if (x->launch == TT_NONE) {
        fact(d, "launched by", "not in the trace");
        return;
    }
    int64_t delay = s->start[x->row] - tt_row_end(s, x->launch);
    fact(d, "launched by", "%s @ %s", tt_row_name(s, x->launch),
         tt_format_time(a, s->start[x->launch] + t->session->offset_ns[d->of.trace], d->unit));
    fact(d, "queue delay", "%s%s", dur(b, d, delay > 0 ? delay : 0),
         delay < 0 ? " (began before the call returned)" : "");
    tt_row op = tt_activity_operator(s, x);
    if (op != TT_NONE) {
        fact(d, "operator", "%s", tt_row_name(s, op));
    }
}

static void shape_facts(tt_detail *d, const tt_trace *s, const tt_launch_shape *x)
{
    char a[TT_TEXT_CAP];
    fact_sid(d, "grid", s, x->grid);
    fact_sid(d, "block", s, x->block);
    if (x->registers != TT_UNKNOWN) {
        fact(d, "regs", "%lld", (long long)x->registers);
    }
    if (x->shared_bytes != TT_UNKNOWN && x->shared_bytes > 0) {
        fact(d, "smem", "%s", tt_format_bytes(a, x->shared_bytes));
    }
    if (!isnan(x->occupancy_pct)) {
        fact(d, "occ", "%s", tt_format_percent(a, x->occupancy_pct));
    }
    if (!isnan(x->blocks_per_sm)) {
        fact(d, "blocks/SM", "%s", tt_format_number(a, x->blocks_per_sm));
    }
}

static void coll_facts(tt_detail *d, const tt_trace *s, uint32_t coll)
{
    if (coll == 0) {
        return;
    }
    const tt_collective_args *x = &s->colls[coll];
    fact_sid(d, "collective", s, x->name);
    fact_sid(d, "dtype", s, x->dtype);
    if (x->in_nelems != TT_UNKNOWN) {
        fact(d, "elements in", "%lld", (long long)x->in_nelems);
    }
    if (x->group_size != TT_UNKNOWN) {
        fact(d, "group size", "%lld", (long long)x->group_size);
    }
    fact_sid(d, "group", s, x->group_desc ? x->group_desc : x->group);
}

static void device_facts(tt_detail *d, const tt_timeline *t, const tt_trace *s, const tt_activity *x)
{
    char a[TT_TEXT_CAP], b[TT_TEXT_CAP];
    if (x->bytes != TT_UNKNOWN) {
        int64_t ns = s->dur[x->row];
        double rate = ns > 0 ? (double)x->bytes / (double)ns : 0; /* GB/s */
        fact(d, "size", "%s", tt_format_bytes(a, x->bytes));
        if (rate > 0) {
            fact(d, "rate", "%s GB/s", tt_format_number(b, round(rate * 100) / 100));
        }
    }
    launch_facts(d, t, s, x);
    shape_facts(d, s, &s->shapes[x->shape]);
    coll_facts(d, s, x->coll);
}

/* ---- host ---- */

static void self_fact(tt_detail *d, const tt_trace *s, tt_row r)
{
    const tt_track *k = &s->tracks[tt_row_track(s, r)];
    int64_t self = s->dur[r];
    tt_row end = k->first + k->n, c = r + 1, stop = end - c < CHILDREN_MAX ? end : c + CHILDREN_MAX;
    for (; c < stop && s->start[c] < tt_row_end(s, r); c++) {
        self -= s->parent[c] == r ? s->dur[c] : 0;
    }
    if (c < stop || stop == end) {
        char a[TT_TEXT_CAP];
        fact(d, "self", "%s", dur(a, d, self > 0 ? self : 0));
    }
}

/* What a host slice started on devices. */
static void work_facts(tt_detail *d, const tt_trace *s, tt_row r)
{
    uint32_t from, to;
    tt_timeline_launches(s, r, &from, &to);
    if (from >= to) {
        return;
    }
    char a[TT_TEXT_CAP], n[TT_TEXT_CAP];
    int64_t total = 0;
    uint32_t last = to - from < WORK_MAX ? to : from + WORK_MAX;
    const tt_activity *longest = NULL;
    uint32_t pieces = 0;
    for (uint32_t i = from; i < last; i++) {
        const tt_activity *x = &s->dev[s->launched_activity[i]];
        if (!tt_kind_is_work(tt_row_kind(s, x->row))) { /* waiting is no work */
            continue;
        }
        pieces++;
        total += s->dur[x->row];
        longest = !longest || s->dur[x->row] > s->dur[longest->row] ? x : longest;
    }
    if (!longest) {
        return;
    }
    const char *what = last < to ? "pieces (and more)" : pieces == 1 ? "piece" : "pieces";
    fact(d, "device work", "%s in %s %s", dur(a, d, total), tt_format_count(n, pieces), what);
    fact(d, pieces > 1 ? "longest" : "kernel", "%s  %s", dur(a, d, s->dur[longest->row]), tt_row_name(s, longest->row));
    if (tt_kind_is_launch(tt_row_kind(s, r))) {
        int64_t delay = s->start[longest->row] - tt_row_end(s, r);
        fact(d, "queue delay", "%s", dur(a, d, delay > 0 ? delay : 0));
    }
}

static bool has_op_args(tt_kind k) { return !tt_kind_is_device(k) && !tt_kind_is_launch(k) && !tt_kind_is_python(k); }

static void around_facts(tt_detail *d, const tt_trace *s, tt_row r)
{
    uint32_t track = tt_row_track(s, r);
    tt_row frame = tt_track_slice_at(s, track, s->start[r], 1u << TT_KIND_PYTHON | 1u << TT_KIND_MODULE);
    tt_row module = tt_track_slice_at(s, track, s->start[r], 1u << TT_KIND_MODULE);
    if (frame != TT_NONE && frame != r) {
        fact(d, "python", "%s", tt_row_name(s, frame));
    }
    if (module != TT_NONE && module != r && module != frame) {
        fact(d, "module", "%s", tt_row_name(s, module));
    }
}

/* Lists of nothing: ["", "", []]. */
static bool is_empty(const char *value)
{
    for (; *value; value++) {
        if (!strchr("[]{}\", ", *value)) {
            return false;
        }
    }
    return true;
}

/* ["c10::BFloat16", "long int", ""] as people say it: BFloat16, long int, - */
static void types_fact(tt_detail *d, const tt_trace *s, tt_sid id)
{
    const char *p = tt_str(&s->strings, id);
    char text[256];
    size_t n = 0;
    if (id == 0 || is_empty(p)) {
        return;
    }
    for (; *p && n < sizeof text - 2; p++) {
        bool none = p[0] == '"' && p[1] == '"';
        if (strncmp(p, "c10::", 5) == 0) {
            p += 4;
        } else if (none || !strchr("[]\"", *p)) {
            text[n++] = none ? '-' : *p;
            p += none;
        }
    }
    fact(d, "types", "%.*s%s", (int)n, text, *p ? "..." : "");
}

static void host_facts(tt_detail *d, const tt_trace *s, tt_row r)
{
    tt_kind kind = tt_row_kind(s, r);
    self_fact(d, s, r);
    work_facts(d, s, r);
    if (tt_kind_is_launch(kind)) {
        if (s->detail[r] != TT_NONE) {
            fact(d, "operator", "%s", tt_row_name(s, s->detail[r]));
        }
    } else if (has_op_args(kind) && s->detail[r] != 0 && s->detail[r] < s->n_op_args) {
        const tt_op_args *x = &s->op_args[s->detail[r]];
        fact_sid(d, "shapes", s, x->shapes);
        types_fact(d, s, x->types);
        coll_facts(d, s, x->coll);
        fact_sid(d, "module", s, x->hierarchy);
    }
    if (s->parent[r] != TT_NONE) {
        fact(d, "inside", "%s", tt_row_name(s, s->parent[r]));
    }
    if (tt_timeline_has_flow(s, r)) {
        fact(d, "flow", "b follows it");
    }
}

/* ---- all ---- */

static void step_fact(tt_detail *d, const tt_trace *s, tt_row r)
{
    for (uint32_t i = 0; i < s->n_steps; i++) {
        const tt_step *x = &s->steps[i];
        if (x->row != TT_NONE && x->row != r && s->start[r] >= x->host_start && s->start[r] < x->host_end) {
            fact(d, "step", "%lld", (long long)x->number);
            return;
        }
    }
}

/* Arguments that the facts above them say in other words, or that few look for: the full detail has them. */
static bool said_already(const char *key)
{
    static const char *const keys[] = {
        "Input Dims", "Input type", "grid", "block", "registers per thread", "shared memory", "blocks per SM",
        "est. achieved occupancy %", "stream", "device", "Device", "Collective name", "In msg nelems", "Group size",
        "dtype", "bytes", "Input Strides",
        /* numbers by which the profiler ties events together: they are the links above */
        "External id", "Record function id", "Ev Idx", "Python id", "Python parent id", "Python module id",
        "Sequence number", "Fwd thread id", "correlation", "cbid", "context", "queued", "submitted"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        if (strcmp(key, keys[i]) == 0) {
            return true;
        }
    }
    return false;
}

static void argument_facts(tt_detail *d, const tt_trace *s)
{
    tt_fields f = {0};
    tt_err err;
    bool device = tt_kind_is_device(tt_row_kind(s, d->of.row));
    if (tt_event_fields(s, tt_row_text(s, d->of.row), &f, &err) != TT_OK) {
        fact(d, "arguments", "cannot be read again: %s", err.message);
    }
    for (uint32_t i = 0; i < f.n; i++) {
        const char *key = f.at[i].key;
        bool argument = strncmp(key, "args.", 5) == 0;
        key += argument ? 5 : 0;
        fact(d, tt_arena_strndup(&d->arena, key, strlen(key)), "%s", f.at[i].value);
        /* the size of device work is among its facts */
        bool said = said_already(key) && (device || strcmp(key, "bytes") != 0);
        d->facts.at[d->facts.n - 1].page_only = !argument || said || is_empty(f.at[i].value);
    }
    tt_fields_free(&f);
    d->has_arguments = true;
}

void tt_detail_free(tt_detail *d)
{
    tt_vec_free(&d->facts);
    tt_arena_free(&d->arena);
    *d = (tt_detail){.of.row = TT_NONE};
}

void tt_detail_make(tt_detail *d, const tt_timeline *t, tt_slice_ref r, tt_unit unit, bool arguments)
{
    const tt_trace *s = t->session->traces[r.trace];
    bool same = d->name && d->of.trace == r.trace && d->of.row == r.row && d->unit == unit;
    if (!same) {
        tt_detail_free(d);
        d->of = r;
        d->unit = unit;
        if (r.row == TT_NONE) {
            return;
        }
        char label[256], a[TT_TEXT_CAP];
        uint32_t track = tt_row_track(s, r.row), node = t->track_node[r.trace][track];
        tt_kind kind = tt_row_kind(s, r.row);
        label[0] = '\0';
        if (node != TT_NONE) {
            size_t n = 0;
            uint32_t up = t->nodes.at[node].parent;
            if (up != TT_NONE && t->nodes.at[up].device) {
                tt_timeline_label(t, &t->nodes.at[up], label, sizeof label / 2);
                n = strlen(label);
                label[n++] = ' ';
            }
            tt_timeline_label(t, &t->nodes.at[node], label + n, sizeof label - n);
        }
        d->name = tt_row_name(s, r.row);
        const char *what =
            kind == TT_KIND_OTHER ? tt_str(&s->strings, s->cats[s->cat[r.row]].name) : tt_kind_title[kind];
        d->place = tt_arena_printf(&d->arena, "%s, %s", *what ? what : "slice", label);
        fact(d, "dur", "%s", dur(a, d, s->dur[r.row]));
        fact(d, "start", "%s", tt_format_time(a, tt_timeline_start(t, r), unit));
        const tt_activity *x = tt_row_dev(s, r.row);
        if (x) {
            device_facts(d, t, s, x);
        } else {
            step_fact(d, s, r.row); /* early: it keeps its place from slice to slice */
            if (!tt_kind_is_device(kind)) {
                host_facts(d, s, r.row);
            }
        }
        around_facts(d, s, x && x->launch != TT_NONE ? x->launch : r.row);
        if (x) {
            step_fact(d, s, x->launch != TT_NONE ? x->launch : r.row);
        }
        d->n_own = d->facts.n;
    }
    if (arguments && !d->has_arguments && r.row != TT_NONE) {
        argument_facts(d, s);
    }
}

/* ---- drawing ---- */

static int columns(const char *s) { return (int)tt_text_width(s, strlen(s)); }

void tt_detail_draw_pane(const tt_detail *d, tt_canvas *c)
{
    if (!d->name || c->h < 1) {
        return;
    }
    int place = columns(d->place), room = c->w - 2;
    if (place + 20 <= room) {
        tt_put_right(c, 0, c->w - 1 - place, place, TT_ROLE_DIM, d->place);
        room -= place + 2;
    }
    tt_put_cut(c, 0, 1, TT_ROLE_STRONG, d->name, room, TT_CUT_KERNEL);
    int y = 1, x = 1;
    for (size_t i = 0; i < d->facts.n && y < c->h; i++) {
        const tt_fact *f = &d->facts.at[i];
        if (f->page_only) {
            continue;
        }
        int key = columns(f->key) + 1, value = columns(f->value), most = c->w - 2;
        /* at stops where there is room, so that what the next slice has too stays where it is and is not sent again */
        x = x > 1 && c->w >= 100 ? (x - 2 + STOP) / STOP * STOP + 1 : x;
        if (x > 1 && x + key + value > c->w - 1) { /* a new line, where it fits or at least more of it */
            if (++y >= c->h) {
                break;
            }
            x = 1;
        }
        x += tt_put(c, y, x, TT_ROLE_DIM, f->key, most) + 1;
        x += tt_put_cut(c, y, x, TT_ROLE_TEXT, f->value, c->w - 1 - x, TT_CUT_KERNEL) + 3;
        if (x >= c->w - 8) {
            y++;
            x = 1;
        }
    }
}

/* Bytes of the next line of at most w columns: up to the end of a stack frame, else behind the last place to break
 * at. */
static size_t line_bytes(const char *s, int w)
{
    size_t n = strlen(s), at = 0, used, good = 0;
    for (int col = 0; at < n; at += used) {
        uint32_t cp = tt_utf8_next(s + at, n - at, &used);
        col += tt_char_width(cp);
        if (col > w) {
            return good > 0 ? good : at > 0 ? at : used;
        }
        if (cp == ';' || cp == '\n') {
            return at + used;
        }
        good = cp == ' ' || cp == ',' || cp == '/' ? at + used : good;
    }
    return n;
}

/* A fact from line `line` of the page on; returns the line behind it. */
static int draw_fact(tt_canvas *c, const tt_fact *f, int key_w, int line, int top)
{
    int w = c->w - key_w - 4 > 8 ? c->w - key_w - 4 : 8;
    if (line >= top) {
        tt_put_cut(c, line - top, 1, TT_ROLE_DIM, f->key, key_w, TT_CUT_MIDDLE);
    }
    const char *p = f->value;
    do {
        size_t n = line_bytes(p, w);
        if (line >= top && line - top < c->h) {
            char text[2048];
            snprintf(text, sizeof text, "%.*s", (int)(n < sizeof text ? n : sizeof text - 1), p);
            tt_put(c, line - top, key_w + 3, TT_ROLE_TEXT, text, w);
        }
        line++;
        p += n;
    } while (*p);
    return line;
}

int tt_detail_draw_page(const tt_detail *d, tt_canvas *c, int top)
{
    int key_w = 8, line = 0;
    for (size_t i = 0; i < d->facts.n; i++) {
        int n = columns(d->facts.at[i].key);
        key_w = n > key_w ? n : key_w;
    }
    key_w = key_w > c->w / 3 ? c->w / 3 : key_w;
    tt_fact head[2] = {{"name", d->name ? d->name : "", true}, {"what", d->place ? d->place : "", true}};
    line = draw_fact(c, &head[0], key_w, line, top);
    line = draw_fact(c, &head[1], key_w, line, top);
    for (size_t i = 0; i < d->facts.n; i++) {
        if (i == d->n_own) {
            line++;
            if (line > top && line - top - 1 < c->h) {
                tt_put(c, line - top - 1, 1, TT_ROLE_TITLE, "as the file has it", -1);
            }
        }
        line = draw_fact(c, &d->facts.at[i], key_w, line, top);
    }
    return line;
}

char *tt_detail_text(const tt_detail *d)
{
    TT_VEC(char) out = {0};
    for (size_t i = 0; i <= d->facts.n; i++) {
        const char *key = i == 0 ? "name" : d->facts.at[i - 1].key,
                   *value = i == 0 ? d->name : d->facts.at[i - 1].value;
        size_t k = strlen(key), v = strlen(value);
        tt_vec_reserve(&out, out.n + k + v + 3);
        memcpy(out.at + out.n, key, k);
        out.at[out.n + k] = '\t';
        memcpy(out.at + out.n + k + 1, value, v);
        out.at[out.n + k + 1 + v] = '\n';
        out.n += k + v + 2;
        out.at[out.n] = '\0';
    }
    return out.at;
}
