/* parser/chrome/paddle_dialect.c - Paddle's spelling of Chrome traces. See paddle_dialect.h.
 *
 * The clock: ts is the start in whole microseconds. args.start_time is the start relative to the first event, but went
 * through a 32-bit float: exact to a nanosecond for the first milliseconds, to half a microsecond after five seconds.
 * start_time plus the absolute time of its zero keeps the order and nesting of the recording. The file does not give
 * that zero; every event confines it to a microsecond, so the first window of the text tells it. */
#include "parser/chrome/paddle_dialect.h"

#include <math.h>
#include <string.h>

#include "parser/chrome/document_inline.h"
#include "parser/chrome/reader.h"
#include "parser/json/number.h"

#define US INT64_C(1000)
/* 2^23 us: from here on a 32-bit float has no fraction of a microsecond */
#define FLOAT_LIMIT (INT64_C(8388608) * US)

/* Digits of an unsigned number with up to three decimals at p, as thousandths; false when there is none. */
static bool thousandths(const char *p, const char *e, int64_t *out)
{
    int64_t v = 0;
    const char *from = p;
    for (; p < e && tt_is_digit(*p); p++) {
        if (v > INT64_MAX / 10000 - 10) return false; /* callers multiply by US */
        v = v * 10 + (*p - '0');
    }
    if (p == from) return false;
    v *= US;
    if (p < e && *p == '.') {
        int64_t scale = 100;
        for (p++; p < e && tt_is_digit(*p); p++, scale /= 10) v += (*p - '0') * scale;
    }
    *out = v;
    return true;
}

/* ---- recognising the format, and its clock ---- */

static bool has_schema(const char *text, const char *e)
{
    const char *v = tt_json_seek(text, e, "\"schemaVersion\"");
    if (v && e - v > 4 && !memcmp(v, "\"1.0.", 5)) return true;
    return tt_json_seek(text, e, "\"span_indx\"") != NULL;
}

/* Whether the text has an event as only Paddle writes them, for documents without their beginning. */
static bool has_event(const char *text, const char *e)
{
    const char *v = tt_json_seek(text, e, "\"start_time\"");
    if (!v || *v != '"' || !tt_json_seek(text, e, "\"cname\"")) return false;
    const char *close = memchr(v + 1, '"', (size_t)(e - v - 1));
    return close && close - v > 4 && close - v < 40 && !memcmp(close - 3, " us", 3);
}

struct zero { /* bounds of the absolute time of start_time 0, ns */
    int64_t low, high;
};

/* Half the distance of neighbouring 32-bit floats around a time, and half a unit of the last printed digit, ns. */
static int64_t uncertainty(int64_t ns) { return ns < FLOAT_LIMIT / 1024 ? 1 : ns / 16777216 + 1; }

static void confine(struct zero *z, int64_t ts, int64_t rel)
{
    int64_t slack = rel ? uncertainty(rel) : 0;
    int64_t low = ts - rel - slack, high = ts + US - 1 - rel + slack;
    if (low > z->high || high < z->low) return; /* the clock was set, or the event is another file's */
    if (low > z->low) z->low = low;
    if (high < z->high) z->high = high;
}

static int64_t derive_zero(const char *text, const char *e)
{
    struct zero z = {INT64_MIN, INT64_MAX};
    const char *from = text, *key;
    while ((key = memmem(from, (size_t)(e - from), "\"start_time\"", 12)) != NULL) {
        const char *ts_at = NULL, *rel_at = tt_json_seek(key, e, "\"start_time\"");
        for (const char *p = from; (p = tt_json_seek(p, key, "\"ts\"")) != NULL;) ts_at = p;
        int64_t ts, rel;
        if (rel_at && *rel_at == '"' && ts_at && thousandths(ts_at, key, &ts) && thousandths(rel_at + 1, e, &rel) &&
            rel < FLOAT_LIMIT) {
            confine(&z, ts, rel);
        }
        from = key + 12;
    }
    if (z.low == INT64_MIN) return TT_UNKNOWN;
    int64_t whole = (z.low + US - 1) / US * US;
    return whole <= z.high ? whole : z.low / US * US; /* a whole microsecond if possible: memory events count from it */
}

bool tt_paddle_sniff(const char *text, size_t len, tt_dialect *d)
{
    const char *e = text + len;
    size_t head = len < 4096 ? len : 4096;
    if (!has_schema(text, text + head) && !has_event(text, e)) return false;
    d->paddle = true;
    d->zero_ns = derive_zero(text, e);
    return true;
}

/* ---- names ---- */

size_t tt_paddle_name(const char *p, size_t len)
{
    const char *e = p + len;
    if (len < 10 || e[-1] != ']' || e[-2] != 's' || (e[-3] != 'm' && e[-3] != 'u') || e[-4] != ' ') return len;
    const char *q = e - 4;
    for (int i = 0; i < 3; i++) {
        if (!tt_is_digit(*--q)) return len;
    }
    if (*--q != '.') return len;
    const char *point = q;
    while (q > p && tt_is_digit(q[-1])) q--;
    if (q == point || q == p || q[-1] != '[') return len;
    return (size_t)(q - 1 - p);
}

size_t tt_paddle_layer(const char *p, size_t len)
{
    if (len > 8 && !memcmp(p + len - 8, "(Python)", 8)) return len - 8;
    if (len > 5 && !memcmp(p + len - 5, "(C++)", 5)) return len - 5;
    return len;
}

/* ---- values ---- */

int64_t tt_paddle_start(tt_chrome_parser *w, const tt_chrome_event *e, int64_t ts)
{
    int64_t rel, zero = w->dialect.zero_ns, jitter = US;
    tt_span s = e->arg[TT_ARG_START_TIME];
    /* A start before zero was printed as an enormous number, too large here: ts stands. */
    if (!tt_args_has(e, TT_ARG_START_TIME) || !thousandths(s.p, s.p + s.len, &rel)) return ts;
    if (zero != TT_UNKNOWN && rel < FLOAT_LIMIT) {
        int64_t start = zero + rel, off = start - ts, slack = 2 * uncertainty(rel);
        if (off >= -US - slack && off <= US + slack) { /* otherwise the clock was set in between */
            ts = start;
            jitter = slack;
        }
    }
    if (jitter > w->jitter_ns) w->jitter_ns = jitter;
    w->b->sub_us |= ts % US != 0;
    return ts;
}

static bool starts(const char *p, size_t len, const char *text)
{
    size_t n = strlen(text);
    return len >= n && !memcmp(p, text, n);
}

void tt_paddle_place(const char *p, size_t len, int16_t *type, int16_t *id)
{
    static const struct {
        const char *name;
        int16_t type;
    } types[] = {{"gpu_pinned", TT_DEVICE_PINNED}, {"gpu", 1}, {"cpu", 0}, {"undefined", -1}, {"xpu", 12}, {"ipu", 18}};
    if (starts(p, len, "Place(")) p += 6, len -= 6;
    const char *colon = memchr(p, ':', len);
    *type = 20; /* a plug-in device: npu, mlu, gcu, metax ... */
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        if (starts(p, len, types[i].name)) {
            *type = types[i].type;
            break;
        }
    }
    int64_t v = -1;
    if (colon && !(thousandths(colon + 1, p + len, &v) && v / US <= INT16_MAX)) v = -1;
    *id = *type == 0 || v < 0 ? -1 : (int16_t)(v / US);
}

void tt_paddle_memory(const tt_chrome_event *e, tt_memory_record *m)
{
    m->pool = starts(e->cat.p ? e->cat.p : "", e->cat.len, "Reserved");
    if (tt_args_has(e, TT_ARG_PLACE)) {
        tt_paddle_place(e->arg[TT_ARG_PLACE].p, e->arg[TT_ARG_PLACE].len, &m->device_type, &m->device_id);
    }
}

int64_t tt_paddle_bytes(const tt_chrome_event *e, int64_t bytes)
{
    const double wrap = 4294967296.0;
    int64_t ns;
    bool fraction = false;
    if (bytes == TT_UNKNOWN || bytes < INT32_MIN || bytes > INT32_MAX) return bytes;
    double turns = 0;
    if (tt_args_has(e, TT_ARG_BANDWIDTH) && e->dur.type &&
        tt_parse_us(e->dur.p, e->dur.p + e->dur.len, &ns, &fraction)) {
        tt_span s = e->arg[TT_ARG_BANDWIDTH];
        double rate = tt_parse_double(s.p, s.p + s.len); /* bytes per nanosecond */
        turns = rate > 0 && rate < 1e6 ? floor((rate * (double)ns - (double)bytes) / wrap + 0.5) : 0;
    }
    if (bytes < 0 && turns < 1) turns = 1;
    return turns > 0 && turns < 4096 ? bytes + (int64_t)turns * INT64_C(4294967296) : bytes;
}

bool tt_paddle_json_span(const char *head, size_t len, char *out, size_t cap)
{
    const char *e = head + len, *v = tt_json_seek(head, e, "\"span_indx\"");
    if (!v || v == e) return false;
    v += *v == '"';
    size_t n = 0;
    while (v + n < e && tt_is_digit(v[n])) n++;
    if (!n || n >= cap) return false;
    memcpy(out, v, n);
    out[n] = 0;
    return true;
}
