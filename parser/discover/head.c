/* parser/discover/head.c - see head.h. */
#include "parser/discover/head.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/mem.h"
#include "parser/discover/names.h"
#include "parser/flight/reader.h"
#include "parser/formats/formats.h"
#include "parser/input/format.h"
#include "parser/source/source.h"

enum {
    USUAL = 64 << 10, /* bytes by which formats are recognised */
    MOST = 256 << 10, /* Kineto writes the properties of all devices before the events */
    APPLICATION_ID = 68,
};

typedef struct text {
    char *at;
    size_t n;
} text;

/* Read until the text has `want` bytes. */
static void fill(tt_source *s, text *t, size_t want, tt_err *err)
{
    for (size_t got = 1; got && t->n < want; t->n += got)
        if (tt_source_read(s, t->at + t->n, want - t->n, &got, err) != TT_OK) break;
}

static const char *find(const char *from, const text *t, const char *word)
{
    return from ? memmem(from, t->n - (size_t)(from - t->at), word, strlen(word)) : NULL;
}

static size_t blank(const text *t, size_t at)
{
    while (at < t->n && strchr(" \t\r\n", t->at[at]) && t->at[at]) at++;
    return at;
}

/* Whether the text is a list of events without an object around it. */
static bool is_event_list(const text *t)
{
    size_t at = blank(t, 0);

    if (at >= t->n || t->at[at] != '[') return false;
    at = blank(t, at + 1);
    return at < t->n && t->at[at] == '{' && find(t->at, t, "\"ph\"") && find(t->at, t, "\"ts\"");
}

/* Parse the number after the key at p; the number may be quoted. */
static bool number_after(const char *p, const char *key, const text *t, double *out)
{
    char digits[40] = "";
    size_t at = (size_t)(p - t->at) + strlen(key), n = 0;

    at = blank(t, at);
    if (at >= t->n || t->at[at] != ':') return false;
    at = blank(t, at + 1);
    if (at < t->n && t->at[at] == '"') at++;
    while (at < t->n && n + 1 < sizeof digits && t->at[at] && strchr("0123456789.eE+-", t->at[at]))
        digits[n++] = t->at[at++];
    if (!n || at == t->n) return false; /* the text ends inside the number */
    *out = strtod(digits, NULL);
    return true;
}

/* The latest time of the events in ns, with the file's base; without a base only times since 1970 count. 0 = unknown.
 * */
static int64_t time_of(const text *t)
{
    static const char ts[] = "\"ts\"", base_key[] = "\"baseTimeNanoseconds\"";
    const char *p = find(t->at, t, base_key);
    double base = 0, latest = 0, v;
    bool based = p && number_after(p, base_key, t, &base) && base > 0;

    for (p = t->at; (p = find(p, t, ts)) != NULL; p += sizeof ts - 1)
        if (number_after(p, ts, t, &v) && v > latest) latest = v;
    if (!based && !(latest >= 1e15)) return 0;
    latest = latest * 1e3 + base;
    return latest < 4e18 ? (int64_t)latest : 0;
}

static int64_t rank_of(const text *t)
{
    static const char key[] = "\"rank\"";
    const char *info = find(t->at, t, "\"distributedInfo\""), *p = find(info, t, key);
    double v;

    return p && number_after(p, key, t, &v) && v >= 0 && v < 1e9 ? (int64_t)v : -1;
}

static bool is_text(const char *a, const char *b) { return a && !strcmp(a, b); }

static void look_at_json(const tt_format *named, const text *t, tt_head *out)
{
    const tt_format *last = &tt_formats[tt_n_formats - 1];
    const char *tool = find(t->at, t, "\"tool\": \"tracetty\"");

    out->own = (t->n >= sizeof TT_EXPORT_MARK - 1 && !memcmp(t->at, TT_EXPORT_MARK, sizeof TT_EXPORT_MARK - 1)) ||
               (tool && tool < t->at + 8);
    if (!out->trace) return;
    out->framework = last->framework(t->at, t->n);
    if (is_text(out->framework, "chrome") && named && is_text(named->info.id, "pytorch"))
        out->framework = named->info.id; /* short, or written by a version that leaves no mark */
    out->rank = rank_of(t);
    out->at_ns = time_of(t);
}

static void look_at(const char *path, const text *t, tt_head *out)
{
    const tt_format *last = &tt_formats[tt_n_formats - 1], *f = tt_format_recognise(t->at, t->n);
    const tt_format *named = tt_names_format(tt_names_base(path));

    out->trace = find(t->at, t, "\"traceEvents\"") || is_event_list(t);
    if (f == last) {
        look_at_json(named, t, out);
        return;
    }
    /* databases of several profilers begin alike */
    out->trace = true;
    out->framework = named && named->read == f->read ? named->info.id : f->info.id;
    out->own = !strcmp(f->info.id, "summary") || (t->n >= APPLICATION_ID + 4 && !memcmp(t->at, "SQLite format 3", 16) &&
                                                  !memcmp(t->at + APPLICATION_ID, TT_EXPORT_DATABASE, 4));
}

bool tt_head_is_dump(const char *path)
{
    unsigned char magic[4] = {0};
    tt_err err = {0};
    tt_source *s;
    text t = {0};
    bool dump = false;
    FILE *f = fopen(path, "rb");
    size_t n = f ? fread(magic, 1, sizeof magic, f) : 0;
    bool failed = f && ferror(f);

    if (f) fclose(f);
    if (failed) return true;
    /* a pickle, JSON, or compressed */
    bool may_be =
        n == sizeof magic && (magic[0] == 0x80 || strchr("{ \n\r\t", magic[0]) ||
                              (magic[0] == 0x1F && magic[1] == 0x8B) || !memcmp(magic, "\x28\xB5\x2F\xFD", 4));
    if (!may_be) return false;
    if (tt_source_open(path, &s, &err) != TT_OK) return true;
    t.at = tt_malloc(USUAL);
    fill(s, &t, USUAL, &err);
    tt_source_close(s);
    dump = err.code != TT_OK || tt_flight_sniff(t.at, t.n);
    free(t.at);
    return dump;
}

tt_head tt_head_read(const char *path, tt_err *err)
{
    tt_head out = {.rank = -1};
    text t = {0};
    tt_source *s;

    *err = (tt_err){.code = TT_OK};
    if (tt_source_open(path, &s, err) != TT_OK) return out;
    t.at = tt_malloc(MOST);
    fill(s, &t, USUAL, err);
    if (t.n == USUAL && !find(t.at, &t, "\"ts\"")) fill(s, &t, MOST, err);
    tt_source_close(s);
    if (t.n) look_at(path, &t, &out);
    free(t.at);
    return out;
}
