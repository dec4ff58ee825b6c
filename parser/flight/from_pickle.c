/* parser/flight/from_pickle.c - reads a dump that is a pickle: entries become records as they are read, the other parts
 * are taken from the value at the end. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/buf.h"
#include "parser/flight/internal.h"
#include "parser/pickle/frames.h"

enum { ENTRY, FRAME }; /* kinds of records */

typedef TT_VEC(tt_sid) sid_list;

typedef struct reading {
    tt_fl *s;
    tt_pickle *p;
    tt_pickle_frames frames;
    TT_VEC(uint32_t) moved; /* string of the header + 1, by string of the pickle; 0 = not looked up yet */
    /* text of a list + 1, by sequence of the pickle; 0 = not made yet. single_of: of the list of just that list */
    sid_list list_of, single_of;
    TT_VEC(tt_flight_entry) made; /* by number of their record */
} reading;

static tt_sid text_of(reading *r, tt_pickle_node n)
{
    if (tt_pickle_tag(n) != TT_PICKLE_TEXT) return 0;
    uint32_t id = n & TT_PICKLE_NUMBER;
    while (r->moved.n <= id) *tt_vec_push(&r->moved) = 0;
    return tt_pickle_moved(r->p, id, &r->s->h.strings, r->moved.at);
}

/* ---- lists as text ---- */

/* Append the numbers of a list: "[2048, 5120]"; lists in it down to one level. */
static void put_sizes(const reading *r, tt_pickle_node n, unsigned level, tt_text *out)
{
    const tt_pickle_node *at;
    uint32_t items = tt_pickle_items(r->p, n, &at);
    tt_text_put(out, "[", 1);
    for (uint32_t i = 0; i < items; i++) {
        tt_pickle_cell c = tt_pickle_value(r->p, at[i]);
        unsigned tag = tt_pickle_tag(at[i]);
        char digits[24];
        int64_t v;
        if (i) tt_text_put(out, ", ", 2);
        if (tt_pickle_integer(&c, &v)) {
            int len = snprintf(digits, sizeof digits, "%" PRId64, v);
            tt_text_put(out, digits, (size_t)len);
        } else if (level && (tag == TT_PICKLE_LIST || tag == TT_PICKLE_TUPLE)) {
            put_sizes(r, at[i], level - 1, out);
        } else {
            tt_text_put(out, "null", 4);
        }
    }
    tt_text_put(out, "]", 1);
}

static void put_types(const reading *r, tt_pickle_node n, tt_text *out)
{
    const tt_pickle_node *at;
    uint32_t items = tt_pickle_items(r->p, n, &at);
    for (uint32_t i = 0; i < items; i++) {
        const char *text = tt_pickle_text(r->p, at[i]);
        if (i) tt_text_put(out, ",", 1);
        if (text) tt_text_put(out, text, strlen(text));
    }
}

static tt_sid make_list(reading *r, tt_pickle_node n, tt_fl_kind kind)
{
    tt_text text = {0};
    tt_text_put(&text, "", 0);
    if (kind == TT_FL_OF_SIZES)
        put_sizes(r, n, 1, &text);
    else
        put_types(r, n, &text);
    tt_sid id = tt_strings_put(&r->s->h.strings, text.at, text.n);
    tt_vec_free(&text);
    return id;
}

/* Where the text of a list is kept; NULL: it is made anew. A list is kept by its items; a list of a single list, which
 * is a value of its own each time, by the items of that one. */
static tt_sid *kept_at(reading *r, tt_pickle_node n)
{
    const tt_pickle_node *at;
    bool single = tt_pickle_items(r->p, n, &at) == 1 && tt_pickle_tag(at[0]) == TT_PICKLE_LIST;
    uint32_t sequence = tt_pickle_sequence(r->p, single ? at[0] : n);
    sid_list *kept = single ? &r->single_of : &r->list_of;
    if (sequence == TT_NONE) return NULL;
    while (kept->n <= sequence) *tt_vec_push(kept) = 0;
    return &kept->at[sequence];
}

/* Text of a list, made once for equal lists. */
static tt_sid list_text(reading *r, tt_pickle_node n, tt_fl_kind kind)
{
    tt_sid *kept = kept_at(r, n);
    if (!kept) return make_list(r, n, kind);
    if (!*kept) *kept = make_list(r, n, kind) + 1;
    return *kept - 1;
}

/* ---- entries ---- */

static double real_of(const tt_pickle_cell *c)
{
    double d;
    int64_t v;
    if (tt_pickle_integer(c, &v)) return (double)v;
    memcpy(&d, &c->bits, sizeof d);
    return tt_pickle_tag(c->node) == TT_PICKLE_REAL ? d : __builtin_nan("");
}

static tt_fl_value value_of(reading *r, const tt_pickle_cell *c, tt_fl_field field)
{
    tt_fl_value v = {.given = c->node != 0};
    unsigned tag = tt_pickle_tag(c->node);
    const tt_pickle_node *at;
    if (!v.given) return v;
    switch (tt_fl_kind_of[field]) {
    case TT_FL_OF_TIME:
    case TT_FL_OF_NUMBER: {
        const char *text = tt_pickle_text(r->p, c->node);
        if (text)
            v.number = tt_fl_number(text, strlen(text));
        else if (!tt_pickle_integer(c, &v.number))
            v.number = TT_UNKNOWN;
        break;
    }
    case TT_FL_OF_REAL: v.real = real_of(c); break;
    case TT_FL_OF_TEXT:
        v.bad = tag != TT_PICKLE_TEXT;
        v.text = text_of(r, c->node);
        break;
    case TT_FL_OF_SIZES:
    case TT_FL_OF_TYPES:
        v.bad = tag != TT_PICKLE_LIST && tag != TT_PICKLE_TUPLE;
        if (!v.bad) v.text = list_text(r, c->node, tt_fl_kind_of[field]);
        break;
    case TT_FL_OF_PAIR:
        v.bad = tt_pickle_items(r->p, c->node, &at) < 1;
        if (!v.bad) v.text = text_of(r, at[0]);
        if (!v.bad && tt_pickle_items(r->p, c->node, &at) > 1) v.second = text_of(r, at[1]);
        break;
    case TT_FL_OF_STACK: v.number = tt_pickle_stack(&r->frames, c->node); break;
    }
    tt_fl_check(&v, field);
    return v;
}

static tt_pickle_node record(void *arg, tt_pickle *p, const tt_pickle_cell *members, size_t n)
{
    reading *r = arg;
    tt_fl_value v[TT_FL_FIELDS] = {0};
    tt_flight_entry e;
    tt_pickle_node frame = tt_pickle_frame(&r->frames, members, n);
    if (frame) return frame;
    if (tt_pickle_closing(p)) return 0; /* an entry that was cut off */
    bool entry = false;
    for (size_t i = 0; i + 1 < n; i += 2) {
        uint32_t key = tt_pickle_tag(members[i].node) == TT_PICKLE_TEXT ? members[i].node & TT_PICKLE_NUMBER : 0;
        entry |= key == TT_FL_NAME + 1;
    }
    if (!entry || r->made.n >= TT_FLIGHT_ENTRIES_MOST) return 0;
    r->s->item = (int64_t)r->made.n;
    for (size_t i = 0; i + 1 < n; i += 2) {
        uint32_t key = tt_pickle_tag(members[i].node) == TT_PICKLE_TEXT ? members[i].node & TT_PICKLE_NUMBER : 0;
        if (key && key <= TT_FL_FIELDS) v[key - 1] = value_of(r, &members[i + 1], (tt_fl_field)(key - 1));
    }
    if (!tt_fl_make_entry(r->s, v, &e)) return 0;
    *tt_vec_push(&r->made) = e;
    atomic_fetch_add_explicit(&r->s->progress->events, 1, memory_order_relaxed);
    return tt_pickle_make(TT_PICKLE_RECORD + ENTRY, (uint32_t)(r->made.n - 1));
}

/* The record of an item of the list of entries, even if its dictionary was filled piece by piece. */
static tt_pickle_node entry_of(reading *r, tt_pickle_node n)
{
    tt_pickle_cell cells[TT_PICKLE_MEMBERS];
    n = tt_pickle_resolve(r->p, n);
    uint32_t members = tt_pickle_members(r->p, n, cells);
    return members && !tt_pickle_closing(r->p) ? record(r, r->p, cells, members) : n;
}

static void take_entries(reading *r, tt_pickle_node list)
{
    tt_fl *s = r->s;
    const tt_pickle_node *at;
    uint32_t n = tt_pickle_items(r->p, list, &at);
    s->has_entries = tt_pickle_tag(list) == TT_PICKLE_LIST;
    tt_vec_reserve(&s->entries, n);
    for (uint32_t i = 0; i < n && s->has_entries; i++) {
        tt_pickle_node e = entry_of(r, at[i]);
        s->item = i;
        if (tt_pickle_is_record(e, ENTRY))
            *tt_vec_push(&s->entries) = r->made.at[e & TT_PICKLE_NUMBER];
        else if (i + 1 < n || !s->cut)
            tt_fl_bad_entry(s);
    }
}

/* ---- the other parts ---- */

static void take_groups(reading *r, tt_pickle_node dict)
{
    const tt_pickle_node *at;
    uint32_t n = tt_pickle_tag(dict) == TT_PICKLE_DICT ? tt_pickle_items(r->p, dict, &at) : 0;
    r->s->has_groups = tt_pickle_tag(dict) == TT_PICKLE_DICT;
    for (uint32_t i = 0; i + 1 < n; i += 2) {
        tt_pickle_node desc = 0, ranks = 0;
        const char *name = tt_pickle_text(r->p, at[i]), *text;
        tt_text list = {0};
        if (!name || !tt_pickle_member(r->p, at[i + 1], "ranks", &ranks)) continue;
        tt_pickle_member(r->p, at[i + 1], "desc", &desc);
        text = tt_pickle_text(r->p, ranks);
        if (!text) put_sizes(r, ranks, 0, &list);
        tt_fl_group(r->s, name, strlen(name), text_of(r, desc), text ? text : list.at, text ? strlen(text) : list.n);
        tt_vec_free(&list);
    }
}

static void take_status(reading *r, tt_pickle_node dict)
{
    const tt_pickle_node *at;
    uint32_t n = tt_pickle_tag(dict) == TT_PICKLE_DICT ? tt_pickle_items(r->p, dict, &at) : 0;
    r->s->has_status = tt_pickle_tag(dict) == TT_PICKLE_DICT;
    for (uint32_t i = 0; i + 1 < n; i += 2) {
        int64_t last[TT_FL_LASTS];
        const char *id = tt_pickle_text(r->p, at[i]);
        tt_pickle_cell c = tt_pickle_value(r->p, at[i]);
        char digits[24] = "";
        int64_t v;
        if (!id && tt_pickle_integer(&c, &v)) {
            snprintf(digits, sizeof digits, "%" PRId64, v);
            id = digits;
        }
        for (int k = 0; k < TT_FL_LASTS; k++) {
            tt_pickle_node value = 0;
            last[k] = TT_UNKNOWN;
            if (!tt_pickle_member(r->p, at[i + 1], tt_fl_last_key[k], &value)) continue;
            const char *text = tt_pickle_text(r->p, value);
            c = tt_pickle_value(r->p, value);
            if (text)
                last[k] = tt_fl_number(text, strlen(text));
            else if (!tt_pickle_integer(&c, &last[k]))
                last[k] = TT_UNKNOWN;
        }
        bool none = last[TT_FL_ENQUEUED] == TT_UNKNOWN && last[TT_FL_LAST_COMPLETED] == TT_UNKNOWN;
        if (id && !(none && r->s->cut)) tt_fl_status(r->s, id, strlen(id), last);
    }
}

static tt_sid member_text(reading *r, tt_pickle_node root, const char *key)
{
    tt_pickle_node n;
    return tt_pickle_member(r->p, root, key, &n) ? text_of(r, n) : 0;
}

static tt_status take_parts(reading *r, tt_pickle_node root, tt_err *err)
{
    tt_fl *s = r->s;
    tt_pickle_node part;
    if (tt_pickle_tag(root) == TT_PICKLE_LIST)
        return tt_fail(
            err, TT_ERR_INPUT, -1,
            "%s: is a dump of a flight recorder without a version, recorded by PyTorch before 2.3, which does "
            "not say what is needed; record it again with PyTorch 2.3 or later",
            s->path);
    s->out->version = member_text(r, root, "version");
    s->out->library = member_text(r, root, "comm_lib_version");
    if (!s->out->library) s->out->library = member_text(r, root, "nccl_version");
    if (tt_pickle_member(r->p, root, "pg_config", &part)) take_groups(r, part);
    if (tt_pickle_member(r->p, root, "pg_status", &part)) take_status(r, part);
    if (tt_pickle_member(r->p, root, "entries", &part)) take_entries(r, part);
    return TT_OK;
}

static void note_end(tt_fl *s, const tt_pickle *p, tt_pickle_end end)
{
    int64_t at = (int64_t)tt_pickle_offset(p);
    s->cut = end != TT_PICKLE_WHOLE;
    if (end == TT_PICKLE_CUT) tt_problem_add(&s->h.problems, TT_PROBLEM_TRUNCATED, at, "", 0);
    if (end == TT_PICKLE_DAMAGED) tt_problem_add(&s->h.problems, TT_PROBLEM_MALFORMED_EVENT, at, "pickle", 6);
}

tt_status tt_fl_read_pickle(tt_fl *s, tt_source *source, tt_err *err)
{
    reading r = {.s = s};
    tt_pickle_end end;
    tt_pickle_node root;
    r.p = tt_pickle_new(source, s->progress, s->hooks, record, &r);
    for (int i = 0; i < TT_FL_FIELDS; i++) tt_pickle_known(r.p, tt_fl_key[i]);
    tt_pickle_frames_init(&r.frames, r.p, FRAME);
    tt_status st = tt_pickle_read(r.p, s->path, &end, &root, err);
    if (st == TT_OK) {
        note_end(s, r.p, end);
        st = take_parts(&r, tt_pickle_resolve(r.p, root), err);
    }
    s->h.text_bytes = tt_pickle_offset(r.p);
    while (r.moved.n < tt_pickle_strings(r.p)->text.n) *tt_vec_push(&r.moved) = 0;
    if (st == TT_OK) tt_pickle_frames_keep(&r.frames, &s->h.strings, r.moved.at, &s->out->stacks);
    tt_pickle_frames_free(&r.frames);
    tt_pickle_free(r.p);
    tt_vec_free(&r.moved);
    tt_vec_free(&r.list_of);
    tt_vec_free(&r.single_of);
    tt_vec_free(&r.made);
    return st;
}
