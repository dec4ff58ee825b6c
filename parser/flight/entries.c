/* parser/flight/entries.c - what the members of an entry mean. */
#include <stdlib.h>
#include <string.h>

#include "parser/flight/internal.h"

const char *const tt_fl_key[TT_FL_FIELDS] = {
#define X(id, key, kind) key,
#include "parser/flight/fields.def"
};
const tt_fl_kind tt_fl_kind_of[TT_FL_FIELDS] = {
#define X(id, key, kind) TT_FL_OF_##kind,
#include "parser/flight/fields.def"
};

int64_t tt_fl_number(const char *p, size_t n)
{
    const char *e = p + n;
    bool minus = n && *p == '-';
    int64_t v = 0;
    p += minus;
    if (p == e) return TT_UNKNOWN;
    for (; p < e; p++) {
        if (*p < '0' || *p > '9' || __builtin_mul_overflow(v, 10, &v) || __builtin_add_overflow(v, *p - '0', &v))
            return TT_UNKNOWN;
    }
    return minus ? -v : v;
}

void tt_fl_check(tt_fl_value *v, tt_fl_field field)
{
    bool time = tt_fl_kind_of[field] == TT_FL_OF_TIME;
    if (tt_fl_kind_of[field] == TT_FL_OF_STACK || tt_fl_kind_of[field] == TT_FL_OF_REAL || !v->given) return;
    if (tt_fl_kind_of[field] == TT_FL_OF_NUMBER || time) {
        v->bad = v->number < -TT_TIME_MAX || v->number > TT_TIME_MAX || (time && v->number < 0);
        if (time && !v->number) v->given = false;
    }
    if (v->bad) v->given = false;
}

/* A number as the entry says it; TT_UNKNOWN. */
static int64_t number(const tt_fl_value v[TT_FL_FIELDS], tt_fl_field f)
{
    return v[f].given ? v[f].number : TT_UNKNOWN;
}

/* ---- names of operations ---- */

static const char *digits(const char *p, int32_t *out)
{
    enum { MOST = 100000000 };
    const char *from = p;
    int32_t v = 0;
    for (; *p >= '0' && *p <= '9' && v < MOST; p++) v = v * 10 + (*p - '0');
    *out = p > from ? v : -1;
    return p;
}

/* Take apart "nccl:send 0->1", "nccl:recv 1<-0", "ncclx:all_reduce". */
static tt_fl_name take_apart(tt_fl *s, const char *text)
{
    tt_fl_name x = {.self = -1, .peer = -1};
    const char *colon = strchr(text, ':'), *blank = strchr(text, ' ');
    const char *op = colon && (!blank || colon < blank) ? colon + 1 : text;
    size_t n = blank && blank > op ? (size_t)(blank - op) : strlen(op);
    if (op > text) x.backend = tt_strings_put(&s->h.strings, text, (size_t)(op - 1 - text));
    if (n == 4 && !memcmp(op, "send", 4)) x.direction = TT_FLIGHT_SEND;
    if (n == 4 && !memcmp(op, "recv", 4)) x.direction = TT_FLIGHT_RECV;
    if (x.direction == TT_FLIGHT_NEITHER) n = strlen(op);
    if (x.direction != TT_FLIGHT_NEITHER && blank) {
        const char *arrow = x.direction == TT_FLIGHT_SEND ? "->" : "<-", *p = digits(blank + 1, &x.self);
        if (x.self >= 0 && !strncmp(p, arrow, 2)) digits(p + 2, &x.peer);
    }
    x.op = tt_strings_put(&s->h.strings, op, n);
    return x;
}

static tt_fl_name name_of(tt_fl *s, tt_sid text)
{
    while (s->name_of.n <= text) *tt_vec_push(&s->name_of) = 0;
    if (!s->name_of.at[text]) {
        char *copy = tt_strdup(tt_str(&s->h.strings, text));
        *tt_vec_push(&s->names) = take_apart(s, copy);
        s->name_of.at[text] = (uint32_t)s->names.n;
        free(copy);
    }
    return s->names.at[s->name_of.at[text] - 1];
}

/* ---- entries ---- */

void tt_fl_bad_entry(tt_fl *s) { tt_problem_add(&s->b.problems, TT_PROBLEM_BAD_ENTRY, s->item, "", 0); }

static uint32_t call_number(tt_fl *s, const tt_flight_call *c)
{
    tt_sid id = tt_strings_put(&s->call_keys, (const char *)c, sizeof *c);
    if (id > s->calls.n) *tt_vec_push(&s->calls) = *c;
    return id - 1;
}

static uint8_t state_of(tt_fl *s, tt_sid text)
{
    uint8_t i = 0;
    while (i < TT_FLIGHT_UNSAID && s->states[i] != text) i++;
    return i;
}

static void note_numbers(tt_fl *s, const tt_fl_value v[TT_FL_FIELDS])
{
    for (int f = 0; f < TT_FL_FIELDS; f++)
        if (v[f].bad)
            tt_problem_add(&s->b.problems, TT_PROBLEM_BAD_NUMBER, s->item, tt_fl_key[f], strlen(tt_fl_key[f]));
}

bool tt_fl_make_entry(tt_fl *s, const tt_fl_value v[TT_FL_FIELDS], tt_flight_entry *out)
{
    const double most = 1e12; /* ms */
    note_numbers(s, v);
    if (!v[TT_FL_NAME].given || (number(v, TT_FL_SEQ) == TT_UNKNOWN && number(v, TT_FL_P2P_SEQ) == TT_UNKNOWN)) {
        tt_fl_bad_entry(s);
        return false;
    }
    tt_fl_name name = name_of(s, v[TT_FL_NAME].text);
    int64_t timeout = number(v, TT_FL_TIMEOUT);
    tt_flight_call c = {.group_name = v[TT_FL_GROUP].text,
                        .group_desc = v[TT_FL_GROUP].second,
                        .op = name.op,
                        .backend = name.backend,
                        .in_sizes = v[TT_FL_IN_SIZES].text,
                        .out_sizes = v[TT_FL_OUT_SIZES].text,
                        .in_dtypes = v[TT_FL_IN_TYPES].text,
                        .out_dtypes = v[TT_FL_OUT_TYPES].text,
                        .group = TT_NONE,
                        .self = name.self,
                        .peer = name.peer,
                        .p2p = number(v, TT_FL_IS_P2P) == 1 || name.direction != TT_FLIGHT_NEITHER,
                        .direction = name.direction,
                        .timeout = timeout > 0 && timeout < TT_TIME_MAX / 1000000 ? timeout * 1000000 : TT_UNKNOWN,
                        .pg_id = number(v, TT_FL_PG_ID)};
    double ms = v[TT_FL_DURATION].given ? v[TT_FL_DURATION].real : -1;
    *out = (tt_flight_entry){.record_id = number(v, TT_FL_RECORD_ID),
                             .op_id = number(v, TT_FL_OP_ID),
                             .seq = number(v, TT_FL_SEQ),
                             .p2p_seq = number(v, TT_FL_P2P_SEQ),
                             .created = number(v, TT_FL_CREATED),
                             .started = number(v, TT_FL_STARTED),
                             .completed = number(v, TT_FL_COMPLETED),
                             .duration = ms >= 0 && ms < most ? (int64_t)(ms * 1e6 + 0.5) : TT_UNKNOWN,
                             .call = call_number(s, &c),
                             .stack = (uint32_t)v[TT_FL_FRAMES].number,
                             .state = state_of(s, v[TT_FL_STATE].text),
                             .retired = number(v, TT_FL_RETIRED) == 1};
    return true;
}

bool tt_fl_entry(tt_fl *s, const tt_fl_value v[TT_FL_FIELDS])
{
    tt_flight_entry e;
    if (s->entries.n >= TT_FLIGHT_ENTRIES_MOST || !tt_fl_make_entry(s, v, &e)) return false;
    *tt_vec_push(&s->entries) = e;
    return true;
}
