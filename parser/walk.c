/* The structure of a trace document: the top-level object or list, the event list, what to do when it is broken. See walk.h.
 * Everything moves over the index of the window (w->at); a place behind its end is the sentinel w->n.                    */
#include "parser/walk.h"

#include <stdlib.h>
#include <string.h>

#include "parser/jsonstr.h"
#include "parser/number.h"
#include "parser/tolerant.h"
#include "parser/walk_inline.h"
#include "parser/window.h"

#define META_MOST ((size_t)64 << 10)
#define EXAMPLE_MOST 100
#define PATIENCE ((uint32_t)1 << 20) /* bytes without the end of an event before it is taken for broken */

void tt_walker_init(tt_walker *w, tt_builder *b)
{
    *w = (tt_walker){.b = b, .rank = -1, .world_size = -1};
    tt_strings_init(&w->strings);
    w->simd = tt_simd_new();
    for (int i = 0; i < 32; i++) w->cats[i].len = UINT32_MAX;
    tt_walk_args_init(w);
    tt_walk_slots_init(w);
}

void tt_walker_free(tt_walker *w)
{
    tt_strings_free(&w->strings);
    tt_vec_free(&w->top);
    tt_vec_free(&w->devices);
    tt_vec_free(&w->tolerant);
    tt_simd_free(w->simd);
}

/* The JSON text of the value at index i, whose end is before index next. */
static tt_span value_text(const tt_walker *w, uint32_t i, uint32_t next)
{
    tt_span s = tt_walk_scalar(w, i);
    if (s.type) return s;
    const char *p = w->text + w->at[i];
    return (tt_span){p, (uint32_t)(w->text + w->at[next - 1] + 1 - p), *p};
}

/* Call member(arg, key, value index) for every member of the object at index i. */
static void each_member(tt_walker *w, uint32_t i, void (*member)(tt_walker *w, void *arg, tt_span key, uint32_t v),
                        void *arg)
{
    for (i++; tt_walk_char(w, i) == '"' && tt_walk_char(w, i + 1) == ':';) {
        uint32_t next;
        tt_span key = tt_walk_scalar(w, i);
        if (!tt_walk_skip(w, i + 2, &next)) return;
        member(w, arg, key, i + 2);
        if (tt_walk_char(w, next) != ',') return;
        i = next + 1;
    }
}

static bool span_is(tt_span s, const char *text) { return s.len == strlen(text) && !memcmp(s.p, text, s.len); }

static bool int_value(tt_span s, int64_t *out) { return s.type && tt_parse_int(s.p, s.p + s.len, out); }

static void device_member(tt_walker *w, void *arg, tt_span key, uint32_t v)
{
    tt_device_props *d = arg;
    const struct {
        const char *key;
        int64_t *to;
    } numbers[] = {{"id", &d->id},
                   {"totalGlobalMem", &d->memory_bytes},
                   {"computeMajor", &d->major},
                   {"major", &d->major},
                   {"computeMinor", &d->minor},
                   {"minor", &d->minor},
                   {"numSms", &d->sms},
                   {"multiProcessorCount", &d->sms},
                   {"smCount", &d->sms},
                   {"maxThreadsPerMultiprocessor", &d->max_threads_per_sm},
                   {"maxThreadsPerBlock", &d->max_threads_per_block},
                   {"warpSize", &d->warp_size},
                   {"regsPerMultiprocessor", &d->regs_per_sm},
                   {"sharedMemPerMultiprocessor", &d->shared_per_sm}};
    tt_span s = tt_walk_scalar(w, v);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        if (span_is(key, numbers[i].key) && !int_value(s, numbers[i].to)) *numbers[i].to = TT_UNKNOWN;
    }
    if (span_is(key, "name") && s.type == '"') {
        char *name = tt_malloc(s.len + 1);
        d->name = tt_strings_put(&w->strings, name, tt_json_unescape(s.p, s.len, name, NULL));
        free(name);
    }
}

static void devices(tt_walker *w, uint32_t i)
{
    if (tt_walk_char(w, i) != '[') return;
    uint32_t next;
    for (i++; tt_walk_char(w, i) == '{' && tt_walk_skip(w, i, &next); i = next + 1) {
        tt_device_props *d = tt_vec_push(&w->devices);
        const int64_t u = TT_UNKNOWN;
        *d = (tt_device_props){(int64_t)w->devices.n - 1, 0, u, u, u, u, u, u, u, u, u};
        each_member(w, i, device_member, d);
        if (tt_walk_char(w, next) != ',') break;
    }
    w->kineto = true;
}

static void distributed_member(tt_walker *w, void *arg, tt_span key, uint32_t v)
{
    (void)arg;
    int64_t n;
    tt_span s = tt_walk_scalar(w, v);
    if (span_is(key, "rank") && int_value(s, &n)) w->rank = n;
    if (span_is(key, "world_size") && int_value(s, &n)) w->world_size = n;
}

void tt_walk_member(tt_walker *w, tt_span key, uint32_t v, uint32_t next)
{
    tt_span s = value_text(w, v, next);
    if (span_is(key, "deviceProperties") || span_is(key, "computeProperties")) devices(w, v);
    if (span_is(key, "distributedInfo") && s.type == '{') each_member(w, v, distributed_member, NULL);
    if (span_is(key, "baseTimeNanoseconds")) (void)int_value(s, &w->base_ns);
    if (span_is(key, "schemaVersion")) w->kineto |= s.type != '"';
    if (s.len > META_MOST) s.len = META_MOST;
    char *text = tt_malloc(s.len + 1);
    tt_top *top = tt_vec_push(&w->top);
    top->place = w->base + w->at[v];
    size_t n = s.len;
    if (s.type == '"') {
        n = tt_json_unescape(s.p, s.len, text, NULL);
    } else {
        memcpy(text, s.p, s.len);
    }
    top->value = tt_strings_put(&w->strings, text, n);
    top->key = tt_strings_put(&w->strings, key.p, key.len);
    free(text);
}

/* ---- the event list ---- */

static void problem_here(tt_walker *w, tt_problem_kind kind, uint32_t i)
{
    size_t at = i < w->n ? w->at[i] : w->at[w->n], len = w->at[w->n] - at;
    tt_problem_add(&w->b->problems, kind, (int64_t)(w->base + at), w->text + at,
                   len < EXAMPLE_MOST ? len : EXAMPLE_MOST);
}

/* Index of the next thing that looks like the start of an event behind index i: an object whose first key is one of an event, after a
 * comma or bracket. w->n when there is none. */
static uint32_t next_event_start(const tt_walker *w, uint32_t i)
{
    for (i++; i + 2 < w->n; i++) {
        if (w->text[w->at[i]] != '{') continue;
        char prev = w->text[w->at[i - 1]];
        if ((prev == ',' || prev == '[') && tt_looks_like_event(w->text + w->at[i], w->text + w->at[w->n])) return i;
    }
    return w->n;
}

/* Read the one event in [text, text + len) with the tolerant indexer. The walker works on a padded copy meanwhile. */
static bool reread_event(tt_walker *w, const char *text, size_t len, uint64_t place)
{
    tt_index_list local = {0};
    tt_problems noticed = {0};
    char *copy = tt_calloc(len + 2 * TT_SIMD_PADDING, 1);
    memcpy(copy + TT_SIMD_PADDING, text, len);
    bool ok = tt_tolerant_index(copy + TT_SIMD_PADDING, len, place, &local, &noticed) && local.n;
    if (ok) {
        tt_walker outer = *w;
        uint32_t next;
        w->text = copy + TT_SIMD_PADDING;
        w->base = place;
        w->at = local.at;
        w->n = (uint32_t)local.n;
        ok = tt_walk_event(w, 0, &next);
        w->text = outer.text;
        w->base = outer.base;
        w->at = outer.at;
        w->n = outer.n;
        if (ok) tt_problems_merge(&w->b->problems, &noticed);
    }
    tt_vec_free(&local);
    free(copy);
    return ok;
}

/* An event that the walker refused: try it again with the tolerant indexer on its own text; else skip it. Returns where to go on;
 * w->n with *incomplete set when its end is not in this window. */
static uint32_t repair_event(tt_walker *w, uint32_t i, bool last, bool *incomplete)
{
    uint32_t stop = next_event_start(w, i), balanced;
    bool has_end = tt_walk_skip(w, i, &balanced);
    *incomplete = false;
    /* Its end may lie behind the window; what looks like the next event may be part of its arguments. */
    if (!has_end && !last && (stop == w->n || w->at[w->n] - w->at[i] < PATIENCE)) {
        *incomplete = true;
        return w->n;
    }
    uint32_t to = stop < w->n ? stop : has_end ? balanced : w->n;
    size_t from = w->at[i], len = (to < w->n ? w->at[to] : w->at[w->n]) - from;
    if (reread_event(w, w->text + from, len, w->base + from)) return has_end && balanced <= to ? balanced : to;
    if (!has_end && stop == w->n) { /* cut off: reported by the caller */
        *incomplete = true;
        return w->n;
    }
    problem_here(w, TT_PROBLEM_MALFORMED_EVENT, i);
    return to;
}

/* One element at index i. False when it is not complete in this window. */
static bool element(tt_walker *w, uint32_t i, bool last, uint32_t *next)
{
    if (tt_walk_char(w, i) == '{') {
        if (tt_walk_event(w, i, next)) return true;
        bool incomplete;
        *next = repair_event(w, i, last, &incomplete);
        return !incomplete;
    }
    if (!tt_walk_skip(w, i, next)) {
        char c = tt_walk_char(w, i);
        if (c == '[' || !c) return false;
        *next = i + 1; /* a stray colon or brace */
    }
    if (*next >= w->n && !last) return false; /* a scalar may go on behind the window */
    problem_here(w, TT_PROBLEM_NOT_AN_EVENT, i);
    return true;
}

/* Elements until the list or the window ends. Returns the index reached: the first element that is not complete. */
static uint32_t events(tt_walker *w, uint32_t i, bool last)
{
    while (i < w->n) {
        char c = w->text[w->at[i]];
        if (c == ',') {
            i++;
        } else if (c == ']') {
            w->state = w->array_form ? TT_AT_END : TT_IN_TOP;
            return i + 1;
        } else {
            uint32_t next;
            if (!element(w, i, last, &next)) return i;
            i = next;
        }
    }
    return i;
}

/* Members of the top-level object until an event list, the end of the object or of the window. */
static uint32_t top_members(tt_walker *w, uint32_t i, bool last)
{
    while (i < w->n) {
        char c = w->text[w->at[i]];
        if (c == ',') {
            i++;
            continue;
        }
        if (c == '}') {
            w->state = TT_AT_END;
            return i + 1;
        }
        uint32_t next;
        tt_span key = tt_walk_scalar(w, i);
        if (key.type != '"' || tt_walk_char(w, i + 1) != ':') {
            if (!last && i + 1 >= w->n) return i;
            problem_here(w, TT_PROBLEM_TRAILING_DATA, i);
            i++;
            continue;
        }
        if (span_is(key, "traceEvents") && tt_walk_char(w, i + 2) == '[') {
            w->state = TT_IN_EVENTS;
            w->saw_list = true;
            return i + 3;
        }
        if (!tt_walk_skip(w, i + 2, &next) || (next >= w->n && !last)) return i;
        tt_walk_member(w, key, i + 2, next);
        i = next;
    }
    return i;
}

static uint32_t start(tt_walker *w, uint32_t i)
{
    char c = tt_walk_char(w, i);
    w->state = c == '{' ? TT_IN_TOP : c == '[' ? TT_IN_EVENTS : TT_AT_END;
    w->array_form = w->saw_list = c == '[';
    return c == '{' || c == '[' ? i + 1 : i;
}

static bool make_index(tt_walker *w, const char *text, size_t len, uint64_t base)
{
    size_t n;
    tt_simd_result r = tt_simd_index(w->simd, text, len, &w->at, &n);
    w->text = text;
    w->base = base;
    w->n = (uint32_t)n;
    if (r == TT_SIMD_EMPTY) return false;
    if (r != TT_SIMD_OK) {
        tt_index_list list = {w->tolerant.at, w->tolerant.n, w->tolerant.cap};
        (void)tt_tolerant_index(text, len, base, &list, &w->b->problems);
        w->tolerant.at = list.at, w->tolerant.n = list.n, w->tolerant.cap = list.cap;
        w->at = list.at;
        w->n = (uint32_t)list.n;
    }
    return w->n > 0;
}

size_t tt_walk(tt_walker *w, const char *text, size_t len, uint64_t base, bool last)
{
    uint32_t i = 0;
    if (!make_index(w, text, len, base)) return len;
    while (i < w->n && w->state != TT_AT_END) {
        uint32_t before = i;
        tt_walk_state was = w->state;
        switch (was) {
        case TT_AT_START: i = start(w, i); break;
        case TT_IN_TOP: i = top_members(w, i, last); break;
        case TT_IN_EVENTS: i = events(w, i, last); break;
        case TT_AT_END: break;
        }
        if (i == before && w->state == was) break; /* an incomplete element or member */
    }
    if (w->state == TT_AT_END && i < w->n) problem_here(w, TT_PROBLEM_TRAILING_DATA, i);
    if (i >= w->n || w->state == TT_AT_END) {
        if (last && w->state == TT_IN_EVENTS) {
            w->open_list = true;
            tt_problem_add(&w->b->problems, TT_PROBLEM_UNCLOSED_LIST, (int64_t)(base + len), "", 0);
        }
        return len;
    }
    if (!last) return w->at[i];
    problem_here(w, TT_PROBLEM_TRUNCATED, i);
    return len;
}
