/* parser/chrome/header.c - the header of a trace of JSON events. See header.h. */
#include "parser/chrome/header.h"

#include <stdlib.h>
#include <string.h>

#include "model/base/sort_by.h"
#include "parser/chrome/losses.h"
#include "parser/input/format.h"
#include "parser/json/string.h"

static size_t decode(const char *in, size_t len, char *out, bool *bad) { return tt_json_unescape(in, len, out, bad); }

/* Copy a JSON value with the white space that people write: ", " and ": ", nothing else outside strings. */
static size_t tidy(const char *in, size_t len, char *out)
{
    size_t n = 0;
    bool string = false;
    for (size_t i = 0; i < len; i++) {
        char c = in[i];
        if (string) {
            out[n++] = c;
            if (c == '\\' && i + 1 < len) out[n++] = in[++i];
            string = c != '"';
            continue;
        }
        if (c == ' ' || c == '\n' || c == '\r' || c == '\t') continue;
        string = c == '"';
        out[n++] = c;
        if (c == ',' || c == ':') out[n++] = ' ';
    }
    return n;
}

/* Read the span number, which Paddle counts up per process. */
static void take_span(tt_build_header *h)
{
    for (size_t i = 0; i < h->meta.n; i++) {
        const char *span = tt_str(&h->strings, h->meta.at[i].value);
        if (strcmp(tt_str(&h->strings, h->meta.at[i].key), "span_indx") || !*span) continue;
        free(h->span);
        h->span = tt_strdup(span);
    }
}

/* Intern a value; objects and lists lose the file's line breaks. */
static tt_sid put_value(tt_strings *strings, const char *text, size_t len)
{
    if (*text != '{' && *text != '[') return tt_strings_put(strings, text, len);
    char *out = tt_malloc(2 * len + 1);
    tt_sid id = tt_strings_put(strings, out, tidy(text, len, out));
    free(out);
    return id;
}

static tt_sid put_key(tt_strings *to, const tt_strings *from, tt_sid key)
{
    size_t len = from->len.at[key];
    const char *raw = tt_str(from, key);
    if (!memchr(raw, '\\', len)) return tt_strings_put(to, raw, len);
    char *text = tt_malloc(len);
    tt_sid id = tt_strings_put(to, text, tt_json_unescape(raw, len, text, NULL));
    free(text);
    return id;
}

/* Whether tracetty's recorder wrote the trace. */
static bool recorded(const tt_build_header *h)
{
    const char *recorder = "";
    for (size_t m = 0; m < h->meta.n; m++) {
        if (!strcmp(tt_str(&h->strings, h->meta.at[m].key), "recorder"))
            recorder = tt_str(&h->strings, h->meta.at[m].value);
    }
    return !strncmp(recorder, "tracetty ", 9);
}

const tt_build_codec tt_chrome_codec = {.decode = decode, .tidy = tidy};

/* Gather the top-level members of all parsers, by offset. */
static void take_top(tt_build_header *h, const tt_chrome_parser *const *parsers, unsigned n)
{
    TT_VEC(tt_top) top = {0};
    for (unsigned i = 0; i < n; i++) {
        const tt_chrome_parser *w = parsers[i];
        for (size_t m = 0; m < w->top.n; m++) {
            tt_top *t = tt_vec_push(&top);
            t->offset = w->top.at[m].offset;
            t->key = put_key(&h->strings, &w->strings, w->top.at[m].key);
            t->value =
                put_value(&h->strings, tt_str(&w->strings, w->top.at[m].value), w->strings.len.at[w->top.at[m].value]);
        }
    }
    TT_SORT_BY(top.at, top.n, TT_ASC(tt_top, offset));
    for (size_t m = 0; m < top.n; m++)
        *tt_vec_push(&h->meta) = (tt_meta){top.at[m].key, top.at[m].value, top.at[m].offset};
    tt_vec_free(&top);
}

static void take_devices(tt_build_header *h, const tt_chrome_parser *w)
{
    for (size_t m = 0; m < w->devices.n; m++) {
        tt_device_props *d = tt_vec_push(&h->devices);
        *d = w->devices.at[m];
        d->name = tt_strings_put(&h->strings, tt_str(&w->strings, d->name), w->strings.len.at[d->name]);
    }
}

/* Whether torch_npu wrote operators: it gives them a category; msprof without it writes none. */
static bool has_operators(const tt_chrome_parser *w)
{
    for (uint32_t i = 0; i < w->b->n_cats; i++)
        if (w->b->cats[i].kind == TT_KIND_CPU_OP) return true;
    return false;
}

#define XLA_MOST 1000000 /* most events in XLA's JSON; XLA drops the others */

/* Report events that XLA may have dropped; its JSON has {"highres-ticks": true}. */
static void note_xla_cut(tt_build_header *h, const tt_chrome_parser *const *parsers, unsigned n)
{
    static const char text[] = "the JSON ends at 1,000,000 events, where XLA stops: the *.xplane.pb that was written "
                               "beside it has all";
    uint64_t slices = 0;
    bool xla = false;
    for (unsigned i = 0; i < n; i++) slices += parsers[i]->b->n_slices;
    for (size_t m = 0; m < h->meta.n; m++) {
        xla |= !strcmp(tt_str(&h->strings, h->meta.at[m].key), "metadata") &&
               strstr(tt_str(&h->strings, h->meta.at[m].value), "\"highres-ticks\"");
    }
    if (xla && slices >= XLA_MOST) tt_build_meta(h, "truncated_by_producer", text, sizeof text - 1);
}

void tt_chrome_header(tt_build_header *h, const tt_chrome_parser *const *parsers, unsigned n,
                      const tt_chrome_folder *folder, const tt_reader_names *names)
{
    tt_build_header_init(h, &tt_rules_chrome, names->path, names->worker, names->span, names->rank);
    bool kineto = false, paddle = false, ascend = false, numbered = false, torch = false;
    take_top(h, parsers, n);
    for (unsigned i = 0; i < n; i++) {
        const tt_chrome_parser *w = parsers[i];
        take_devices(h, w);
        if (w->base_ns) h->base_ns = w->base_ns;
        if (w->rank >= 0) h->rank = w->rank;
        if (w->world_size >= 0) h->world_size = w->world_size;
        kineto |= w->kineto || w->kineto_like;
        paddle |= w->dialect.paddle;
        ascend |= w->dialect.ascend;
        numbered |= w->dialect.numbered;
        torch |= w->dialect.ascend && has_operators(w);
        if (w->npu >= 0 && (h->device < 0 || w->npu < h->device)) h->device = w->npu;
        if (w->jitter_ns > h->jitter_ns) h->jitter_ns = w->jitter_ns;
    }
    for (size_t m = 0; m < h->meta.n; m++) {
        const char *key = tt_str(&h->strings, h->meta.at[m].key), *value = tt_str(&h->strings, h->meta.at[m].value);
        if (!strcmp(key, TT_SPOOL_OWN)) tt_spool_reported_losses(value, &h->problems);
        if (!strcmp(key, TT_SPOOL_TAKEN)) tt_spool_taken(&h->problems, value);
    }
    if (paddle) take_span(h);
    note_xla_cut(h, parsers, n);
    if (ascend && h->device < 0) h->device = 0;
    const char *other = kineto ? "pytorch" : "chrome";
    const char *of_ascend = numbered ? "mindinsight" : torch ? "ascend" : "msprof";
    h->format = tt_reader_dialect(names, tt_read_chrome, paddle ? "paddle" : ascend ? of_ascend : other);
    h->rules = paddle        ? &tt_rules_paddle
               : numbered    ? &tt_rules_mindspore
               : ascend      ? (torch ? &tt_rules_ascend : &tt_rules_msprof)
               : !kineto     ? &tt_rules_chrome
               : recorded(h) ? &tt_rules_recording
                             : &tt_rules_pytorch;
    if (folder && folder->format) h->format = folder->format;
    if (folder && folder->rules) h->rules = folder->rules;
}

uint32_t tt_chrome_plain_name(tt_builder *b, const char *text, size_t n)
{
    if (!n || (!memchr(text, '\\', n) && !memchr(text, '\0', n))) return tt_build_name(b, text, n);
    tt_text spelt = {0};
    for (size_t i = 0; i < n; i++) {
        if (!text[i])
            tt_text_put(&spelt, "\\u0000", 6);
        else
            tt_text_put(&spelt, text[i] == '\\' ? "\\\\" : &text[i], text[i] == '\\' ? 2 : 1);
    }
    uint32_t id = tt_build_name(b, spelt.at, spelt.n);
    tt_vec_free(&spelt);
    return id;
}
