/* tui/export_move.c - pids, ids and times of an event's text changed, all else as it was. See export_move.h. */
#include "tui/export_move.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tui/jsonscan.h"

enum { PIDS = 10000000 }; /* more than Linux gives, and 200 workers stay within 31 bits, which viewers like */

/* Arguments that tell events of one process from each other. */
static const char *const id_keys[] = {
    "correlation",      "External id", "external id",        "Python id",
    "Python parent id", "Ev Idx",      "Record function id", "wait_on_cuda_event_record_corr_id"};

int64_t tt_move_pid(const tt_move *m, int64_t pid)
{
    int64_t by = (int64_t)m->worker * PIDS;
    return pid < 0 ? pid - by : pid + by;
}

uint64_t tt_move_id(const tt_move *m, uint64_t id) { return id + ((uint64_t)m->worker << 32); }

static void add(tt_mend_text *out, const char *p, size_t n)
{
    tt_vec_reserve(out, out->n + n);
    memcpy(out->at + out->n, p, n);
    out->n += n;
}

/* The whole number that a value is, as a number or as a text. */
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

/* What is no number gets the name of the worker in front. */
static void named(const tt_move *m, const char *p, size_t n, tt_mend_text *out)
{
    char head[16];
    if (n < 2 || *p != '"' || !m->worker) {
        add(out, p, n);
        return;
    }
    add(out, head, (size_t)snprintf(head, sizeof head, "\"%" PRIu32 ":", m->worker));
    add(out, p + 1, n - 1);
}

static void pid(const tt_move *m, const char *p, size_t n, tt_mend_text *out)
{
    char text[32];
    int64_t v;
    if (whole(p, n, &v)) {
        add(out, text, (size_t)snprintf(text, sizeof text, "%" PRId64, tt_move_pid(m, v)));
    } else {
        named(m, p, n, out);
    }
}

static void id(const tt_move *m, const char *p, size_t n, tt_mend_text *out)
{
    char text[32];
    int64_t v;
    if (*p != '"' && whole(p, n, &v) && v >= 0) {
        add(out, text, (size_t)snprintf(text, sizeof text, "%" PRIu64, v ? tt_move_id(m, (uint64_t)v) : 0));
    } else {
        named(m, p, n, out);
    }
}

static void args(const tt_move *m, const char *p, size_t n, tt_mend_text *out)
{
    const char *end = p + n, *at = p + 1;
    tt_json_member a;
    const char *sep = "{";
    if (*p != '{' || !m->worker) {
        add(out, p, n);
        return;
    }
    while (tt_json_next(&at, end, &a)) {
        size_t k = 0, keys = sizeof id_keys / sizeof *id_keys;
        add(out, sep, strlen(sep));
        add(out, "\"", 1);
        add(out, a.key, a.key_n);
        add(out, "\": ", 3);
        while (k < keys && !tt_json_is(&a, id_keys[k])) k++;
        if (k < keys && *a.value != '"') {
            id(m, a.value, a.value_n, out);
        } else {
            add(out, a.value, a.value_n);
        }
        sep = ", ";
    }
    add(out, *sep == '{' ? "{}" : "}", *sep == '{' ? 2 : 1);
}

void tt_move_event(const tt_move *m, const char *p, size_t n, const char *ts, tt_mend_text *out)
{
    const char *end = p + n, *at = p + 1, *sep = "{";
    tt_json_member e;
    out->n = 0;
    while (tt_json_next(&at, end, &e)) {
        add(out, sep, strlen(sep));
        add(out, "\"", 1);
        add(out, e.key, e.key_n);
        add(out, "\": ", 3);
        if (tt_json_is(&e, "ts")) {
            add(out, ts, strlen(ts));
        } else if (tt_json_is(&e, "pid")) {
            pid(m, e.value, e.value_n, out);
        } else if (tt_json_is(&e, "id")) {
            id(m, e.value, e.value_n, out);
        } else if (tt_json_is(&e, "args")) {
            args(m, e.value, e.value_n, out);
        } else {
            add(out, e.value, e.value_n);
        }
        sep = ", ";
    }
    add(out, *sep == '{' ? "{}" : "}", *sep == '{' ? 2 : 1);
}
