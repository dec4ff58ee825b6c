/* parser/chrome/parse_document.c - the structure of a trace document: the top-level object or list, the event list, and
 * repair. See document.h. All functions move over the index of the window (w->at); a place behind its end is the
 * sentinel w->n. */
#include "parser/chrome/document.h"

#include <stdlib.h>
#include <string.h>

#include "model/base/bisect.h"
#include "parser/chrome/document_inline.h"
#include "parser/json/index_scalar.h"
#include "parser/json/number.h"
#include "parser/json/repair_value.h"
#include "parser/json/split.h"
#include "parser/json/string.h"

#define META_MOST ((size_t)64 << 10)
#define TOP_BYTES 64 /* bytes of a header member besides its text */
#define DEVICES_MOST 65536u
#define EXAMPLE_MOST 100
#define LIST_ENDS_MOST 8
#define MEND_MOST ((size_t)64 << 20)
#define PART_FIRST ((size_t)16 << 10)
#define PATIENCE ((uint32_t)1 << 20) /* bytes to read for an event's end before it counts as broken */

void tt_chrome_parser_forget(tt_chrome_parser *w)
{
    for (int i = 0; i < 16; i++) w->tracks[i].pid_len = UINT32_MAX;
    for (int i = 0; i < 32; i++) w->cats[i].len = UINT32_MAX;
    memset(w->last_text, 0, sizeof w->last_text);
}

void tt_chrome_parser_init(tt_chrome_parser *w, tt_builder *b)
{
    *w = (tt_chrome_parser){.b = b, .rank = -1, .world_size = -1, .npu = -1};
    tt_strings_init(&w->strings);
    w->simd = tt_simd_new();
    if (!w->simd) tt_mem_fail();
    tt_chrome_parser_forget(w);
    tt_chrome_args_init(w);
    tt_chrome_slots_init(w);
}

void tt_chrome_parser_begin(tt_chrome_parser *w)
{
    w->state = TT_AT_START;
    w->array_form = w->saw_list = w->lines = w->ended = false;
    w->text = NULL;
    tt_chrome_parser_forget(w); /* the dialect changes the meaning of categories */
}

void tt_chrome_parser_free(tt_chrome_parser *w)
{
    tt_strings_free(&w->strings);
    tt_vec_free(&w->top);
    tt_vec_free(&w->devices);
    tt_vec_free(&w->tolerant);
    tt_simd_free(w->simd);
}

/* JSON text of the value at index i; index next is behind it. */
static tt_span value_text(const tt_chrome_parser *w, uint32_t i, uint32_t next)
{
    tt_span s = tt_chrome_scalar(w, i);
    if (s.type) return s;
    const char *p = w->text + w->at[i];
    return (tt_span){p, (uint32_t)(w->text + w->at[next - 1] + 1 - p), *p};
}

/* Call member(arg, key, value index) for every member of the object at index i. */
static void each_member(tt_chrome_parser *w, uint32_t i,
                        void (*member)(tt_chrome_parser *w, void *arg, tt_span key, uint32_t v), void *arg)
{
    for (i++; tt_chrome_char(w, i) == '"' && tt_chrome_char(w, i + 1) == ':';) {
        uint32_t next;
        tt_span key = tt_chrome_scalar(w, i);
        if (!tt_chrome_skip(w, i + 2, &next)) return;
        member(w, arg, key, i + 2);
        if (tt_chrome_char(w, next) != ',') return;
        i = next + 1;
    }
}

static bool span_is(tt_span s, const char *text) { return s.len == strlen(text) && !memcmp(s.p, text, s.len); }

static bool int_value(tt_span s, int64_t *out) { return s.type && tt_parse_int(s.p, s.p + s.len, out); }

static void device_member(tt_chrome_parser *w, void *arg, tt_span key, uint32_t v)
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
    tt_span s = tt_chrome_scalar(w, v);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        if (span_is(key, numbers[i].key) && !int_value(s, numbers[i].to)) *numbers[i].to = TT_UNKNOWN;
    }
    if (span_is(key, "name") && s.type == '"') {
        char *name = tt_malloc(s.len + 1);
        d->name = tt_strings_put(&w->strings, name, tt_json_unescape(s.p, s.len, name, NULL));
        free(name);
    }
}

static void devices(tt_chrome_parser *w, uint32_t i)
{
    if (tt_chrome_char(w, i) != '[') return;
    uint32_t next;
    for (i++; tt_chrome_char(w, i) == '{' && w->devices.n < DEVICES_MOST && tt_chrome_skip(w, i, &next); i = next + 1) {
        tt_device_props *d = tt_vec_push(&w->devices);
        const int64_t u = TT_UNKNOWN;
        *d = (tt_device_props){(int64_t)w->devices.n - 1, 0, u, u, u, u, u, u, u, u, u};
        each_member(w, i, device_member, d);
        if (tt_chrome_char(w, next) != ',') break;
    }
    w->kineto = true;
}

static void distributed_member(tt_chrome_parser *w, void *arg, tt_span key, uint32_t v)
{
    (void)arg;
    int64_t n;
    tt_span s = tt_chrome_scalar(w, v);
    if (span_is(key, "rank") && int_value(s, &n)) w->rank = n;
    if (span_is(key, "world_size") && int_value(s, &n)) w->world_size = n;
}

/* Keep a top-level member. */
static void chrome_member(tt_chrome_parser *w, tt_span key, uint32_t v, uint32_t next)
{
    tt_span s = value_text(w, v, next);
    if (span_is(key, "deviceProperties") || span_is(key, "computeProperties")) devices(w, v);
    if (span_is(key, "distributedInfo") && s.type == '{') each_member(w, v, distributed_member, NULL);
    if (span_is(key, "baseTimeNanoseconds")) (void)int_value(s, &w->base_ns);
    if (span_is(key, "schemaVersion")) w->kineto |= s.type != '"';
    bool text_value = s.type == '"';
    if (w->sink.call) w->sink.call(w->sink.arg, &key, s.p - text_value, (size_t)s.len + 2 * text_value);
    if (s.len > META_MOST) s.len = META_MOST;
    w->top_bytes += (uint64_t)s.len + key.len + TOP_BYTES;
    char *text = tt_malloc(s.len + 1);
    tt_top *top = tt_vec_push(&w->top);
    top->offset = w->base + w->at[v];
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

static void problem_here(tt_chrome_parser *w, tt_problem_kind kind, uint32_t i)
{
    size_t at = i < w->n ? w->at[i] : w->at[w->n], len = w->at[w->n] - at;
    tt_problem_add(&w->b->problems, kind, (int64_t)(w->base + at), w->text + at,
                   len < EXAMPLE_MOST ? len : EXAMPLE_MOST);
}

/* Report what mending an event found, except faults that the tolerant indexer of its window has reported. */
static void report_faults(tt_chrome_parser *w, unsigned faults, const char *text, size_t len, uint64_t offset)
{
    static const struct {
        unsigned bit;
        tt_problem_kind kind;
        bool indexed;
    } table[] = {
        {TT_MEND_QUOTE, TT_PROBLEM_UNESCAPED_QUOTE, false},   {TT_MEND_KEY, TT_PROBLEM_MISSING_QUOTE, false},
        {TT_MEND_BRACKET, TT_PROBLEM_MISSING_BRACKET, false}, {TT_MEND_CONTROL, TT_PROBLEM_CONTROL_IN_STRING, true},
        {TT_MEND_UTF8, TT_PROBLEM_INVALID_UTF8, true},        {TT_MEND_ESCAPE, TT_PROBLEM_BAD_ESCAPE, true}};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        if (!(faults & table[i].bit) || (table[i].indexed && !w->index_exact)) continue;
        tt_problem_add(&w->b->problems, table[i].kind, (int64_t)offset, text, len < EXAMPLE_MOST ? len : EXAMPLE_MOST);
    }
}

/* Read a mended event from its new text. */
static bool read_mended(tt_chrome_parser *w, const char *text, size_t len, uint64_t offset)
{
    tt_index_list local = {0};
    char *copy = tt_calloc(len + 2 * TT_SIMD_PADDING, 1);
    memcpy(copy + TT_SIMD_PADDING, text, len);
    bool ok = tt_tolerant_index(copy + TT_SIMD_PADDING, len, offset, &local, NULL, 0) && local.n;
    if (ok) {
        const char *outer_text = w->text;
        const uint32_t *outer_at = w->at;
        uint64_t outer_base = w->base;
        uint32_t outer_n = w->n, next;
        w->text = copy + TT_SIMD_PADDING;
        w->base = offset;
        w->at = local.at;
        w->n = (uint32_t)local.n;
        w->mending = true;
        ok = tt_chrome_read_event(w, 0, &next);
        w->mending = false;
        w->text = outer_text;
        w->base = outer_base;
        w->at = outer_at;
        w->n = outer_n;
    }
    tt_vec_free(&local);
    free(copy);
    return ok;
}

/* Mend and read the event in [from, from + len) of the window; returns the bytes used, 0 when that fails. */
static size_t mend_event(tt_chrome_parser *w, size_t from, size_t len, unsigned how)
{
    tt_text text = {0};
    unsigned faults;
    if (len > MEND_MOST) return 0;
    size_t used = tt_repair_value(w->text + from, len, TT_MEND_EVENT | how, &text, &faults);
    if (used && read_mended(w, text.at, text.n, w->base + from)) {
        report_faults(w, faults, w->text + from, used, w->base + from);
    } else {
        used = 0;
    }
    tt_vec_free(&text);
    return used;
}

/* Index entry of an offset; w->n when there is none. */
static uint32_t entry_at(const tt_chrome_parser *w, size_t offset)
{
    uint32_t lo = 0, hi = w->n;
    TT_BISECT(lo, hi, i, w->at[i] < offset);
    return lo < w->n && w->at[lo] == offset ? lo : w->n;
}

/* Index at which to continue after a damaged event that ends at `to`, with the next event at `stop`. If the index
 * lacks an entry at `stop`, the damage has put it out of step: a new index begins at `to`. */
static uint32_t go_on(tt_chrome_parser *w, size_t to, size_t stop)
{
    size_t p = to;
    while (p < stop && (tt_is_blank(w->text[p]) || w->text[p] == ',')) p++;
    uint32_t i = p == stop ? entry_at(w, stop) : w->n;
    if (i < w->n) return i;
    if (to < w->at[w->n]) w->resync = to;
    return w->n;
}

/* Offset behind the next closing brace that a closing bracket follows; `end` when there is none. */
static size_t list_end(const char *text, size_t from, size_t end)
{
    for (const char *p = text + from, *e = text + end; p < e; p++) {
        p = memchr(p, '}', (size_t)(e - p));
        if (!p) break;
        const char *q = tt_json_blanks(p + 1, e);
        if (q < e && *q == ']') return (size_t)(p + 1 - text);
    }
    return end;
}

/* Repair an event that the parser refused, or else skip it. Returns the index at which to continue; w->n with
 * *incomplete set if the event's end is not in this window. */
static uint32_t repair_event(tt_chrome_parser *w, uint32_t i, bool last, bool *incomplete)
{
    size_t from = w->at[i], end = w->at[w->n], stop = tt_next_event_start(w->text, from + 1, end);
    uint32_t balanced = w->n;
    *incomplete = false;
    size_t used = 0;
    /* The last event of a list may end where the list seems to end: its strings should not reach into the text
     * behind. */
    for (size_t k = 0, to = from; stop == end && !used && k < LIST_ENDS_MOST; k++) {
        to = list_end(w->text, to, end);
        if (to == end) break;
        used = mend_event(w, from, to - from, 0);
    }
    if (!used) used = mend_event(w, from, stop - from, 0);
    if (used) return go_on(w, from + used, stop);
    bool has_end = tt_chrome_skip(w, i, &balanced);
    /* The event may end behind the window; the apparent next event may be part of its arguments. */
    *incomplete = !has_end && (stop == end || (!last && end - from < PATIENCE));
    if (*incomplete) return w->n;
    if (stop < end) used = mend_event(w, from, stop - from, TT_MEND_CLOSE);
    if (used) return go_on(w, from + used, stop);
    problem_here(w, TT_PROBLEM_MALFORMED_EVENT, i);
    return stop < end ? go_on(w, stop, stop) : balanced;
}

/* Read one element at index i. False when it is not complete in this window. */
static bool element(tt_chrome_parser *w, uint32_t i, bool last, uint32_t *next)
{
    if (tt_chrome_char(w, i) == '{') {
        if (tt_chrome_read_event(w, i, next)) return true;
        bool incomplete;
        *next = repair_event(w, i, last, &incomplete);
        return !incomplete && !w->resync;
    }
    if (!tt_chrome_skip(w, i, next)) {
        char c = tt_chrome_char(w, i);
        if (c == '[' || !c) return false;
        *next = i + 1; /* a stray colon or brace */
    }
    if (*next >= w->n && !last) return false; /* a scalar may continue behind the window */
    problem_here(w, TT_PROBLEM_NOT_AN_EVENT, i);
    return true;
}

/* Read elements until the list or the window ends. Returns the index reached: the first incomplete element. */
static uint32_t events(tt_chrome_parser *w, uint32_t i, bool last)
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

/* Read members of the top-level object until an event list, or the end of the object or the window. */
static uint32_t top_members(tt_chrome_parser *w, uint32_t i, bool last)
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
        if (c == '{' && tt_looks_like_event(w->text + w->at[i], w->text + w->at[w->n])) {
            problem_here(w, TT_PROBLEM_MISSING_BRACKET, i); /* the list had one bracket too many */
            w->state = TT_IN_EVENTS;
            return i;
        }
        if ((c == '{' || c == '[') && i && w->text[w->at[i - 1]] == ']') { /* the list was the whole document */
            w->state = TT_AT_END;
            return i;
        }
        tt_span key = tt_chrome_scalar(w, i);
        if (key.type != '"' || tt_chrome_char(w, i + 1) != ':') {
            if (!last && i + 1 >= w->n) return i;
            problem_here(w, TT_PROBLEM_TRAILING_DATA, i);
            i++;
            continue;
        }
        if (span_is(key, "traceEvents") && tt_chrome_char(w, i + 2) == '[') {
            w->state = TT_IN_EVENTS;
            w->saw_list = true;
            return i + 3;
        }
        if (!tt_chrome_skip(w, i + 2, &next) || (next >= w->n && !last)) return i;
        chrome_member(w, key, i + 2, next);
        i = next;
    }
    return i;
}

/* Whether the object at index i, whose end is in the window, is an event and not a document with events. */
static bool is_event_line(const tt_chrome_parser *w, uint32_t i)
{
    bool phase = false;
    if (!tt_looks_like_event(w->text + w->at[i], w->text + w->at[w->n])) return false;
    for (i++; tt_chrome_char(w, i) == '"' && tt_chrome_char(w, i + 1) == ':'; i++) {
        tt_span key = tt_chrome_scalar(w, i);
        phase |= span_is(key, "ph");
        if (span_is(key, "traceEvents") || !tt_chrome_skip(w, i + 2, &i)) return false;
        if (tt_chrome_char(w, i) != ',') break;
    }
    return phase && tt_chrome_char(w, i) == '}';
}

/* Index behind a byte order mark; 0: there is no mark. Tools that join files leave the mark in front of each file.
 * The index has one entry for its three bytes or, as made by ARM's instructions, one for each byte. */
static uint32_t behind_mark(const tt_chrome_parser *w, uint32_t i)
{
    if (w->at[w->n] - w->at[i] <= 3 || memcmp(w->text + w->at[i], "\xEF\xBB\xBF", 3)) return 0;
    uint32_t after = i + 1;
    while (tt_chrome_char(w, after) && w->at[after] < w->at[i] + 3) after++;
    return tt_chrome_char(w, after) && w->at[after] == w->at[i] + 3 ? after : 0;
}

static uint32_t start(tt_chrome_parser *w, uint32_t i)
{
    char c = tt_chrome_char(w, i);
    uint32_t marked = behind_mark(w, i);
    if (marked) return marked;
    if (c == '{' && is_event_line(w, i)) {
        w->state = TT_IN_EVENTS;
        w->array_form = w->saw_list = w->lines = true;
        problem_here(w, TT_PROBLEM_EVENT_LINES, i);
        return i;
    }
    w->state = c == '{' ? TT_IN_TOP : c == '[' ? TT_IN_EVENTS : TT_AT_END;
    w->array_form = c == '[';
    w->saw_list |= c == '[';
    return c == '{' || c == '[' ? i + 1 : i;
}

/* Behind the document: read another document or more events; other text is ignored. */
static uint32_t behind_end(tt_chrome_parser *w, uint32_t i)
{
    char c = w->text[w->at[i]], after = tt_chrome_char(w, i + 1);
    uint32_t marked = behind_mark(w, i);
    if (marked) return marked;
    if (c == ',' && (after == '{' || after == '[')) return i + 1;
    if (w->saw_list && (c == '{' || c == '[')) {
        problem_here(w, TT_PROBLEM_SEVERAL_DOCUMENTS, i);
        w->state = TT_AT_START;
        return i;
    }
    problem_here(w, TT_PROBLEM_TRAILING_DATA, i);
    size_t more = tt_next_event_start(w->text, w->at[i], w->at[w->n]);
    i = entry_at(w, more);
    if (i == w->n || !w->saw_list) return w->n;
    problem_here(w, TT_PROBLEM_MISSING_BRACKET, i);
    w->state = TT_IN_EVENTS;
    return i;
}

static bool make_index(tt_chrome_parser *w, const char *text, size_t len, uint64_t base)
{
    size_t n;
    tt_simd_result r = tt_simd_index(w->simd, text, len, &w->at, &n);
    if (w->scalar && r == TT_SIMD_OK) r = TT_SIMD_FAILED;
    w->text = text;
    w->base = base;
    w->n = (uint32_t)n;
    w->resync = 0;
    w->index_exact = r == TT_SIMD_OK;
    if (r == TT_SIMD_EMPTY) return false;
    if (r != TT_SIMD_OK) {
        tt_index_list list = {w->tolerant.at, w->tolerant.n, w->tolerant.cap};
        (void)tt_tolerant_index(text, len, base, &list, &w->b->problems, w->noted);
        w->tolerant.at = list.at, w->tolerant.n = list.n, w->tolerant.cap = list.cap;
        w->at = list.at;
        w->n = (uint32_t)list.n;
    }
    if (base + len > w->noted) w->noted = base + len;
    return w->n > 0;
}

void tt_chrome_end(tt_chrome_parser *w, bool array_form, bool lines)
{
    if (!w->ended) return;
    if (w->state == TT_IN_TOP && !array_form) { /* the list is complete, the text behind it is not */
        tt_problem_add(&w->b->problems, TT_PROBLEM_TRUNCATED, (int64_t)w->end_place, "", 0);
    }
    if (w->state == TT_IN_EVENTS && !lines) {
        tt_problem_add(&w->b->problems, TT_PROBLEM_UNCLOSED_LIST, (int64_t)w->end_place, "", 0);
    }
}

static void at_last(tt_chrome_parser *w, uint64_t offset)
{
    w->ended = true;
    w->end_place = offset;
}

/* Read a part of a window; returns the bytes used. Sets w->resync when the rest needs a new index. */
static size_t walk_part(tt_chrome_parser *w, const char *text, size_t len, uint64_t base, bool last)
{
    uint32_t i = 0;
    if (!make_index(w, text, len, base)) {
        if (last) at_last(w, base + len);
        return len;
    }
    while (i < w->n && !w->resync) {
        uint32_t before = i;
        tt_chrome_state was = w->state;
        switch (was) {
        case TT_AT_START: i = start(w, i); break;
        case TT_IN_TOP: i = top_members(w, i, last); break;
        case TT_IN_EVENTS: i = events(w, i, last); break;
        case TT_AT_END: i = behind_end(w, i); break;
        }
        if (i == before && w->state == was) break; /* an incomplete element or member */
    }
    if (w->resync) return w->resync;
    if (i >= w->n) {
        if (last) at_last(w, base + len);
        return len;
    }
    if (!last) return w->at[i];
    problem_here(w, TT_PROBLEM_TRUNCATED, i);
    return len;
}

/* Read a window; behind an event that put the index out of step, in parts: small ones at first, as damage often
 * repeats, and every new index costs work by the length of its part. */
size_t tt_chrome(tt_chrome_parser *w, char *text, size_t len, uint64_t base, bool last)
{
    size_t at = 0, most = len;
    while (at < len) {
        size_t n = len - at, cut = n > most ? tt_last_event_start(text + at, 1, most) : 0;
        if (cut) n = cut;
        char saved = text[at + n];
        text[at + n] = 0; /* terminates the part's text */
        size_t used = walk_part(w, text + at, n, base + at, last && !cut);
        text[at + n] = saved;
        at += used;
        if (w->resync) {
            most = PART_FIRST;
        } else if (cut) {
            most = used == n ? most * 4 : len; /* an element reaches beyond its apparent end */
        } else {
            break;
        }
    }
    return at;
}
