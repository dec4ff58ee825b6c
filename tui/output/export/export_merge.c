/* tui/output/export/export_merge.c - changes pids, ids and times in the text of an event; the rest stays as it was.
 * See export_merge.h. */
#include "tui/output/export/export_merge.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "parser/json/scan.h"

enum { PIDS = 10000000 }; /* Linux gives smaller pids */

/* Arguments whose values are ids: they tell events of one process apart. */
static const char *const id_keys[] = {
    "correlation",      "External id", "external id",        "Python id",
    "Python parent id", "Ev Idx",      "Record function id", "wait_on_cuda_event_record_corr_id"};

int64_t tt_move_stride(uint32_t workers)
{
    int64_t stride = PIDS;
    while (stride > 10 && stride * workers > INT32_MAX) stride /= 10;
    return stride;
}

static int by_value(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

static bool fits(const tt_move *m, int64_t pid) { return pid > -m->stride && pid < m->stride; }

static bool has(const tt_move *m, int64_t pid)
{
    return m->own.n && bsearch(&pid, m->own.at, m->own.n, sizeof pid, by_value);
}

void tt_move_worker(tt_move *m, const tt_trace *s)
{
    m->name = s->worker;
    m->own.n = m->as.n = 0;
    for (uint32_t i = 0; i < s->n_processes; i++) {
        const char *text = tt_str(&s->strings, s->processes[i].pid);
        char *end;
        int64_t pid = strtoll(text, &end, 10);
        if (*text && !*end && strlen(text) < 19) *tt_vec_push(&m->own) = pid;
    }
    if (m->own.n) qsort(m->own.at, m->own.n, sizeof *m->own.at, by_value);
    int64_t free_one = m->stride;
    for (size_t i = 0; i < m->own.n; i++) {
        if (!fits(m, m->own.at[i])) {
            do free_one--;
            while (free_one > 0 && has(m, free_one));
        }
        *tt_vec_push(&m->as) = fits(m, m->own.at[i]) ? m->own.at[i] : free_one;
    }
}

void tt_move_free(tt_move *m)
{
    tt_vec_free(&m->own);
    tt_vec_free(&m->as);
}

int64_t tt_move_pid(const tt_move *m, int64_t pid)
{
    int64_t by = (int64_t)m->worker * m->stride;
    if (!fits(m, pid)) {
        const int64_t *own = m->own.n ? bsearch(&pid, m->own.at, m->own.n, sizeof pid, by_value) : NULL;
        pid = own ? m->as.at[own - m->own.at] : (pid < 0 ? -(pid + 1) : pid) % m->stride;
    }
    return pid < 0 ? pid - by : pid + by;
}

uint64_t tt_move_id(const tt_move *m, uint64_t id) { return id + ((uint64_t)m->worker << 32); }

/* Read a whole number that is written as a number or as a string. */
static bool whole(const char *p, size_t n, int64_t *out)
{
    char text[24], *end;
    if (n >= 2 && *p == '"') p++, n -= 2;
    if (!n || n >= 19) return false;
    memcpy(text, p, n);
    text[n] = 0;
    *out = strtoll(text, &end, 10);
    return !*end;
}

/* Write an id that is not a number as a string, with the number of the worker in front. */
static void named(const tt_move *m, const char *p, size_t n, tt_text *out)
{
    char head[16];
    bool text = n >= 2 && *p == '"';
    if (!m->worker || *p == '{' || *p == '[') {
        tt_text_put(out, p, n);
        return;
    }
    tt_text_put(out, head, (size_t)snprintf(head, sizeof head, "\"%" PRIu32 ":", m->worker));
    tt_text_put(out, p + text, n - text);
    tt_text_put(out, "\"", !text);
}

static void pid(const tt_move *m, const char *p, size_t n, tt_text *out)
{
    char text[32];
    int64_t v;
    if (whole(p, n, &v)) {
        tt_text_put(out, text, (size_t)snprintf(text, sizeof text, "%" PRId64, tt_move_pid(m, v)));
    } else {
        named(m, p, n, out);
    }
}

static void id(const tt_move *m, const char *p, size_t n, tt_text *out)
{
    char text[32];
    int64_t v;
    if (*p != '"' && whole(p, n, &v) && v >= 0) {
        tt_text_put(out, text, (size_t)snprintf(text, sizeof text, "%" PRIu64, v ? tt_move_id(m, (uint64_t)v) : 0));
    } else {
        named(m, p, n, out);
    }
}

static void args(const tt_move *m, const char *p, size_t n, tt_text *out)
{
    const char *end = p + n, *at = p + 1;
    tt_json_member a;
    const char *sep = "{";
    if (*p != '{' || !m->worker) {
        tt_text_put(out, p, n);
        return;
    }
    while (tt_json_next(&at, end, &a)) {
        size_t k = 0, keys = sizeof id_keys / sizeof *id_keys;
        tt_text_put(out, sep, strlen(sep));
        tt_text_put(out, "\"", 1);
        tt_text_put(out, a.key, a.key_n);
        tt_text_put(out, "\": ", 3);
        while (k < keys && !tt_json_is(&a, id_keys[k])) k++;
        if (k < keys && *a.value != '"') {
            id(m, a.value, a.value_n, out);
        } else {
            tt_text_put(out, a.value, a.value_n);
        }
        sep = ", ";
    }
    tt_text_put(out, *sep == '{' ? "{}" : "}", *sep == '{' ? 2 : 1);
}

/* Write an id with a scope: {"global": "0x1"}. */
static void id2(const tt_move *m, const char *p, size_t n, tt_text *out)
{
    const char *at = p + 1, *sep = "{";
    tt_json_member e;
    if (*p != '{') {
        id(m, p, n, out);
        return;
    }
    while (tt_json_next(&at, p + n, &e)) {
        tt_text_put(out, sep, strlen(sep));
        tt_text_put(out, e.key - 1, e.key_n + 2);
        tt_text_put(out, ": ", 2);
        named(m, e.value, e.value_n, out);
        sep = ", ";
    }
    tt_text_put(out, *sep == '{' ? "{}" : "}", *sep == '{' ? 2 : 1);
}

/* The event keeps its id: ids of counters and metadata name things within their process. */
static bool keeps_id(const char *p, size_t n)
{
    tt_json_member e;
    return tt_json_find(p, p + n, "ph", &e) && e.value_n == 3 && (e.value[1] == 'C' || e.value[1] == 'M');
}

void tt_move_event(const tt_move *m, const char *p, size_t n, const char *ts, tt_text *out)
{
    const char *end = p + n, *at = p + 1, *sep = "{";
    bool keeps = keeps_id(p, n), has_pid = false;
    tt_json_member e;
    out->n = 0;
    while (tt_json_next(&at, end, &e)) {
        tt_text_put(out, sep, strlen(sep));
        tt_text_put(out, "\"", 1);
        tt_text_put(out, e.key, e.key_n);
        tt_text_put(out, "\": ", 3);
        if (ts && tt_json_is(&e, "ts")) {
            tt_text_put(out, ts, strlen(ts));
        } else if (tt_json_is(&e, "pid")) {
            pid(m, e.value, e.value_n, out);
            has_pid = true;
        } else if (!keeps && (tt_json_is(&e, "id") || tt_json_is(&e, "bind_id"))) {
            id(m, e.value, e.value_n, out);
        } else if (!keeps && tt_json_is(&e, "id2")) {
            id2(m, e.value, e.value_n, out);
        } else if (tt_json_is(&e, "args")) {
            args(m, e.value, e.value_n, out);
        } else {
            tt_text_put(out, e.value, e.value_n);
        }
        sep = ", ";
    }
    if (!has_pid && m->worker && *sep != '{') { /* an event without a pid: the reader calls its process "?" */
        tt_text_put(out, ", \"pid\": ", 9);
        named(m, "?", 1, out);
    }
    tt_text_put(out, *sep == '{' ? "{}" : "}", *sep == '{' ? 2 : 1);
}
