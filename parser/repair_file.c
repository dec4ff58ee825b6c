/* The parser reads the text as for a trace, but passes every element to a sink, which mends and writes it: see
 * repair_file.h. */
#include "parser/repair_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "parser/chrome/document.h"
#include "parser/chrome/reader.h"
#include "parser/discover/discover.h"
#include "parser/json/repair_value.h"
#include "parser/json/string.h"
#include "parser/paddle_pb/reader.h"
#include "parser/recording/reader.h"

#define WINDOW ((size_t)1 << 20)
#define WINDOW_MOST ((size_t)1 << 29)
#define FORGET_EVERY ((uint64_t)64 << 20) /* bytes of text after which the parser's state is cleared */

typedef struct member { /* a member of the document */
    uint32_t key;
    tt_text text; /* "key": value */
} member;

struct repair {
    tt_repair_write *write;
    void *arg;
    bool failed, listed; /* listed: the list has begun */
    tt_repaired *result;
    tt_text piece, scratch;
    tt_strings keys;      /* keys of members in the order they are written */
    TT_VEC(member) front; /* members before the list, written when it begins; then the members after it */
    size_t written;       /* number of keys written before the list; their first values stay */
    tt_builder b;
    tt_chrome_parser w;
    char *memory;
    size_t cap, len;
};

static void write_bytes(struct repair *r, const char *p, size_t n)
{
    if (!r->failed) r->failed = !r->write(r->arg, p, n);
}

static void put_text(struct repair *r, const char *text) { write_bytes(r, text, strlen(text)); }

static bool mend(struct repair *r, const char *p, size_t n, unsigned how)
{
    unsigned faults;
    size_t before = r->piece.n;
    if (!tt_repair_value(p, n, how | TT_MEND_STRICT, &r->piece, &faults)) {
        r->piece.n = before;
        return false;
    }
    /* the parser reports these faults later or never */
    if (faults & TT_MEND_ESCAPE) tt_problem_add(&r->result->problems, TT_PROBLEM_BAD_ESCAPE, -1, p, n);
    if (faults & TT_MEND_NUMBER) tt_problem_add(&r->result->problems, TT_PROBLEM_BAD_NUMBER, -1, p, n);
    return true;
}

/* Write the collected members; of members with one key only the last. */
static void put_members(struct repair *r, const char *before, const char *after)
{
    size_t *last = tt_malloc(r->keys.text.n * sizeof *last);
    for (size_t i = 0; i < r->front.n; i++) last[r->front.at[i].key] = i;
    for (size_t i = 0; i < r->front.n; i++) {
        member *m = &r->front.at[i];
        if (last[m->key] == i) {
            put_text(r, before);
            write_bytes(r, m->text.at, m->text.n);
            put_text(r, after);
        } else {
            r->result->strict.keys++;
        }
        tt_vec_free(&m->text);
    }
    free(last);
    r->front.n = 0;
}

static void begin_list(struct repair *r)
{
    if (r->listed) return;
    r->listed = true;
    put_members(r, "", ",\n");
    r->written = r->keys.text.n;
    put_text(r, "\"traceEvents\": [");
}

static void on_event(struct repair *r, const char *p, size_t n)
{
    r->piece.n = 0;
    if (!mend(r, p, n, TT_MEND_EVENT)) {
        tt_problem_add(&r->result->problems, TT_PROBLEM_MALFORMED_EVENT, -1, p, n);
        return;
    }
    tt_strict_event(&r->piece, &r->scratch, &r->result->strict);
    begin_list(r);
    put_text(r, r->result->events++ ? ",\n" : "\n");
    write_bytes(r, r->piece.at, r->piece.n);
}

/* If a key comes before and after the list the first value stays, because it has been written; files of several
 * documents repeat keys. */
static void on_member(struct repair *r, tt_span key, const char *p, size_t n)
{
    char *quoted = tt_malloc((size_t)key.len + 2);
    quoted[0] = quoted[key.len + 1] = '"';
    memcpy(quoted + 1, key.p, key.len);
    r->piece.n = 0;
    bool ok = mend(r, quoted, (size_t)key.len + 2, 0);
    free(quoted);
    char *decoded = tt_malloc(r->piece.n + 1);
    size_t len = ok ? tt_json_unescape(r->piece.at + 1, r->piece.n - 2, decoded, NULL) : 0;
    uint32_t id = tt_strings_put(&r->keys, decoded, len);
    free(decoded);
    member m = {.key = id};
    tt_vec_reserve(&m.text, r->piece.n + 2);
    memcpy(m.text.at, r->piece.at ? r->piece.at : "", r->piece.n);
    memcpy(m.text.at + r->piece.n, ": ", 2);
    m.text.n = r->piece.n + 2;
    r->piece.n = 0;
    ok = ok && mend(r, p, n, 0) && r->piece.n;
    if (ok && id < r->written) {
        r->result->strict.keys++;
    } else if (ok) {
        tt_strict_value(&r->piece, &r->scratch, &r->result->strict);
        tt_vec_reserve(&m.text, m.text.n + r->piece.n);
        memcpy(m.text.at + m.text.n, r->piece.at, r->piece.n);
        m.text.n += r->piece.n;
        *tt_vec_push(&r->front) = m;
        return;
    }
    tt_vec_free(&m.text);
}

static void sink(void *arg, const tt_span *key, const char *p, size_t n)
{
    if (key) {
        on_member(arg, *key, p, n);
    } else {
        on_event(arg, p, n);
    }
}

/* Drop the trace that the parser has built. */
static void forget(struct repair *r)
{
    tt_problems_merge(&r->result->problems, &r->b.problems);
    tt_builder_free(&r->b);
    tt_builder_init(&r->b);
    tt_chrome_parser_forget(&r->w);
}

/* Append more text to the text in memory; false = the end was reached. */
static bool read_more(struct repair *r, tt_source *source, size_t want, tt_err *err, tt_status *status)
{
    bool more = true;
    if (want + 2 * TT_SIMD_PADDING > r->cap) {
        r->cap = want + 2 * TT_SIMD_PADDING;
        r->memory = tt_realloc(r->memory, r->cap, 1);
    }
    while (r->len < want && more) {
        size_t got = 0;
        *status = tt_source_read(source, r->memory + TT_SIMD_PADDING + r->len, want - r->len, &got, err);
        more = *status == TT_OK && got;
        r->len += got;
    }
    memset(r->memory + TT_SIMD_PADDING + r->len, 0, TT_SIMD_PADDING);
    return more;
}

static tt_status repair_source(struct repair *r, tt_source *source, const char *path, tt_err *err)
{
    uint64_t offset = 0, forgotten = 0;
    tt_status status = TT_OK;
    for (bool more = true; more && !r->failed;) {
        size_t had = r->len;
        more = read_more(r, source, had >= WINDOW ? had * 2 : had + WINDOW, err, &status);
        if (status != TT_OK) return status;
        char *text = r->memory + TT_SIMD_PADDING;
        if (!offset && !had) {
            if (tt_paddle_pb_sniff(text, r->len) || tt_spool_sniff(text, r->len))
                return tt_fail(err, TT_ERR_INPUT, -1, "%s: is no JSON; there is nothing to repair", path);
            if (r->len >= 3 && !memcmp(text, "\xEF\xBB\xBF", 3)) memset(text, ' ', 3);
        }
        size_t used = tt_chrome(&r->w, text, r->len, offset, !more || r->len >= WINDOW_MOST);
        memmove(text, text + used, r->len - used);
        r->len -= used;
        offset += used;
        if (offset - forgotten >= FORGET_EVERY) {
            forgotten = offset;
            forget(r);
        }
    }
    tt_chrome_end(&r->w, r->w.array_form, r->w.lines);
    bool others =
        r->result->problems.of[TT_PROBLEM_NOT_AN_EVENT].count || r->b.problems.of[TT_PROBLEM_NOT_AN_EVENT].count;
    if (!r->result->events && (!r->w.saw_list || others))
        return tt_fail(err, TT_ERR_INPUT, 0, "%s: no trace: there is no event in it that could be written", path);
    tt_reader_progress none = {0};
    tt_read_note(source, &none, offset, &r->result->problems);
    return TT_OK;
}

tt_status tt_repair(const char *path, tt_repair_write *write, void *arg, tt_repaired *out, tt_err *err)
{
    struct repair r = {.write = write, .arg = arg, .result = out};
    tt_source *source;
    *out = (tt_repaired){0};
    tt_status status = tt_source_open(path, &source, err);
    if (status == TT_ERR_INPUT) tt_discover_say_beside(path, err);
    if (status != TT_OK) return status;
    tt_strings_init(&r.keys);
    tt_strings_put(&r.keys, "traceEvents", 11);
    r.written = 2; /* the empty string has index 0 */
    tt_builder_init(&r.b);
    tt_chrome_parser_init(&r.w, &r.b);
    r.w.sink.call = sink;
    r.w.sink.arg = &r;
    put_text(&r, "{\n");
    status = repair_source(&r, source, path, err);
    begin_list(&r);
    put_text(&r, "\n]");
    put_members(&r, ",\n", "");
    put_text(&r, "\n}\n");
    forget(&r);
    if (status == TT_OK && r.failed)
        status = tt_fail(err, TT_ERR_INPUT, -1, "the output cannot be written: %s", strerror(errno));
    tt_chrome_parser_free(&r.w);
    tt_builder_free(&r.b);
    tt_strings_free(&r.keys);
    tt_vec_free(&r.piece);
    tt_vec_free(&r.scratch);
    tt_vec_free(&r.front);
    free(r.memory);
    tt_source_close(source);
    return status;
}
