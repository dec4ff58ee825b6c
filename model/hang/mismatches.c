/* model/hang/mismatches.c - calls of one number that differ between ranks: in the order and words of PyTorch's
 * fr_trace, but for differences of state, which waits.c reads. */
#include <stdlib.h>
#include <string.h>

#include "model/base/sort_by.h"
#include "model/hang/internal.h"

const char *const tt_mismatch_name[TT_MISMATCH_DTYPE + 1] = {"COLLECTIVE_TYPE_MISMATCH", "SIZE_OR_SYNTAX_MISMATCH",
                                                             "COLLECTIVE_DTYPE_MISMATCH"};

typedef struct finding {
    tt_hang *h;
    TT_VEC(tt_hang_mismatch) out;
    TT_VEC(tt_sid) set_of; /* text of a set + 1, by text of a list of types; 0 = not made yet */
} finding;

/* ---- what is compared ---- */

static bool begins(const char *op, const char *word) { return !strncmp(op, word, strlen(word)); }
static bool is_all_to_all(const char *op) { return begins(op, "all_to_all") || begins(op, "alltoall"); }
static bool is_scatter(const char *op) { return begins(op, "scatter"); }
static bool is_gather(const char *op) { return begins(op, "gather"); }

/* The set of types of a list: each once, sorted. */
static tt_sid set_of(finding *x, tt_sid types)
{
    while (x->set_of.n <= types) *tt_vec_push(&x->set_of) = 0;
    if (x->set_of.at[types]) return x->set_of.at[types] - 1;
    TT_VEC(char *) items = {0};
    char *copy = tt_strdup(tt_str(&x->h->texts, types)), *save = NULL;
    tt_text joined = {0};
    for (char *p = strtok_r(copy, ",", &save); p; p = strtok_r(NULL, ",", &save)) *tt_vec_push(&items) = p;
    TT_SORT_UP(items.at, items.n);
    tt_text_put(&joined, "", 0);
    for (size_t i = 0; i < items.n; i++) {
        if (i && !strcmp(items.at[i], items.at[i - 1])) continue;
        tt_text_put(&joined, items.at[i], strlen(items.at[i]));
        tt_text_put(&joined, ",", 1);
    }
    tt_sid id = tt_strings_put(&x->h->texts, joined.at, joined.n);
    while (x->set_of.n <= types) *tt_vec_push(&x->set_of) = 0;
    x->set_of.at[types] = id + 1;
    tt_vec_free(&items);
    tt_vec_free(&joined);
    free(copy);
    return id;
}

enum { CHECK_OP, CHECK_IN_SIZES, CHECK_OUT_SIZES, CHECK_IN_TYPES, CHECK_OUT_TYPES, CHECKS };
static const tt_mismatch_kind kind_of_check[CHECKS] = {TT_MISMATCH_TYPE, TT_MISMATCH_SIZE, TT_MISMATCH_SIZE,
                                                       TT_MISMATCH_DTYPE, TT_MISMATCH_DTYPE};

static const tt_hang_texts *texts_of(const tt_hang *h, tt_hang_entry e)
{
    return &h->dumps[e.trace].texts[tt_hang_entry_of(h, e)->call];
}

/* The value that a check compares; 0 where it compares nothing of this operation. */
static tt_sid value_of(finding *x, tt_hang_entry e, int check)
{
    const tt_hang_texts *t = texts_of(x->h, e);
    const char *op = tt_str(&x->h->texts, t->op);
    switch (check) {
    case CHECK_OP: return t->op;
    case CHECK_IN_SIZES: return is_all_to_all(op) || is_scatter(op) ? 0 : t->in_sizes;
    case CHECK_OUT_SIZES: return is_all_to_all(op) || is_gather(op) ? 0 : t->out_sizes;
    case CHECK_IN_TYPES: return is_scatter(op) ? 0 : set_of(x, t->in_dtypes);
    default: return is_gather(op) ? 0 : set_of(x, t->out_dtypes);
    }
}

/* ---- collectives ---- */

typedef struct value {
    tt_sid text;
    uint32_t n;
} value;

/* The value that more of n entries have than any other value; false: there is none. */
static bool majority(const tt_sid *v, uint32_t n, tt_sid *out)
{
    TT_VEC(value) seen = {0};
    uint32_t best = 0, second = 0;
    for (uint32_t i = 0; i < n; i++) {
        size_t k = 0;
        while (k < seen.n && seen.at[k].text != v[i]) k++;
        if (k == seen.n) *tt_vec_push(&seen) = (value){v[i], 0};
        seen.at[k].n++;
    }
    for (size_t k = 0; k < seen.n; k++) {
        if (seen.at[k].n > best) {
            second = best;
            best = seen.at[k].n;
            *out = seen.at[k].text;
        } else if (seen.at[k].n > second) {
            second = seen.at[k].n;
        }
    }
    tt_vec_free(&seen);
    return best > second;
}

/* The first entry of a rank in a call; trace TT_NONE: none. */
static tt_hang_entry entry_in(const tt_hang *h, uint32_t call, uint32_t trace)
{
    const tt_hang_call *c = &h->calls[call];
    for (uint32_t i = c->first; i < c->first + c->n; i++)
        if (h->call_entries[i].trace == trace) return h->call_entries[i];
    return TT_HANG_NO_ENTRY;
}

/* Whether the culprit and the others call each other's operation soon. */
static bool is_swapped(const tt_hang *h, uint32_t call, tt_hang_entry own, tt_hang_entry other)
{
    enum { SOON = 3 };
    tt_sid mine = texts_of(h, own)->op, theirs = texts_of(h, other)->op;
    bool own_later = false, other_later = false;
    for (int64_t k = 1; k <= SOON; k++) {
        uint32_t next = tt_hang_call_at(h, h->calls[call].group, h->calls[call].seq + k);
        if (next == TT_NONE) continue;
        tt_hang_entry a = entry_in(h, next, own.trace), b = entry_in(h, next, other.trace);
        own_later |= a.trace != TT_NONE && texts_of(h, a)->op == theirs;
        other_later |= b.trace != TT_NONE && texts_of(h, b)->op == mine;
    }
    return mine != theirs && own_later && other_later;
}

static void add_rows(finding *x, uint32_t call, const tt_hang_entry *e, const tt_sid *v, uint32_t n, int check)
{
    const tt_hang *h = x->h;
    tt_sid expected = v[0];
    bool known = majority(v, n, &expected);
    uint32_t like = 0;
    if (!known) expected = v[0];
    while (v[like] != expected) like++;
    for (uint32_t i = 0; i < n; i++) {
        if (v[i] == expected) continue;
        *tt_vec_push(&x->out) = (tt_hang_mismatch){.kind = kind_of_check[check],
                                                   .group = h->calls[call].group,
                                                   .seq = h->calls[call].seq,
                                                   .call = call,
                                                   .rank = h->dumps[e[i].trace].rank,
                                                   .known = known,
                                                   .swapped = is_swapped(h, call, e[i], e[like]),
                                                   .open = h->calls[call].open,
                                                   .own = e[i],
                                                   .expected = e[like]};
    }
}

/* Number of elements of all tensors in a text of sizes, "[[2048, 5120]]"; false: it is none, or too large. */
static bool elements(const char *p, int64_t *out)
{
    int64_t total = 0, product = 1, v = 0;
    int depth = 0;
    bool digits = false, any = false;
    for (; *p; p++) {
        if (*p >= '0' && *p <= '9') {
            if (__builtin_mul_overflow(v, 10, &v) || __builtin_add_overflow(v, *p - '0', &v)) return false;
            digits = true;
            continue;
        }
        if (digits && __builtin_mul_overflow(product, v, &product)) return false;
        any |= digits;
        digits = false;
        v = 0;
        if (*p == '[') depth++;
        if (*p == ']' && depth-- == 2) {
            if (__builtin_add_overflow(total, product, &total)) return false;
            product = 1;
        }
    }
    *out = total;
    return any && depth == 0;
}

/* All members exchanged: what is sent must be what is received. */
static void check_sums(finding *x, uint32_t call, const tt_hang_entry *e, uint32_t n)
{
    const tt_hang *h = x->h;
    int64_t sent = 0, received = 0;
    if (n != h->groups[h->calls[call].group].size || !is_all_to_all(tt_str(&h->texts, texts_of(h, e[0])->op))) return;
    for (uint32_t i = 0; i < n; i++) {
        int64_t in, out;
        if (!elements(tt_str(&h->texts, texts_of(h, e[i])->in_sizes), &in) ||
            !elements(tt_str(&h->texts, texts_of(h, e[i])->out_sizes), &out) ||
            __builtin_add_overflow(sent, in, &sent) || __builtin_add_overflow(received, out, &received))
            return;
    }
    if (sent == received) return;
    *tt_vec_push(&x->out) = (tt_hang_mismatch){.kind = TT_MISMATCH_SIZE,
                                               .group = h->calls[call].group,
                                               .seq = h->calls[call].seq,
                                               .call = call,
                                               .rank = TT_NONE,
                                               .open = h->calls[call].open,
                                               .own = e[0],
                                               .expected = TT_HANG_NO_ENTRY};
}

static void check_call(finding *x, uint32_t call, tt_hang_entry *e, tt_sid *v)
{
    const tt_hang *h = x->h;
    const tt_hang_call *c = &h->calls[call];
    uint32_t n = 0;
    for (uint32_t i = c->first; i < c->first + c->n; i++)
        if (!n || h->call_entries[i].trace != e[n - 1].trace) e[n++] = h->call_entries[i];
    if (n < 2) return;
    for (int check = 0; check < CHECKS; check++) {
        bool differ = false;
        for (uint32_t i = 0; i < n; i++) {
            v[i] = value_of(x, e[i], check);
            differ |= v[i] != v[0];
        }
        if (!differ) continue;
        add_rows(x, call, e, v, n, check);
        return;
    }
    check_sums(x, call, e, n);
}

/* ---- sends and receives ---- */

typedef struct sent { /* the n-th of a pair: where it was sent, where it was received */
    tt_hang_entry send, receive;
} sent;

static void check_pair(finding *x, const sent *p)
{
    const tt_hang *h = x->h;
    if (p->send.trace == TT_NONE || p->receive.trace == TT_NONE) return;
    const tt_hang_texts *a = texts_of(h, p->send), *b = texts_of(h, p->receive);
    bool sizes = a->in_sizes != b->out_sizes;
    if (!sizes && set_of(x, a->in_dtypes) == set_of(x, b->out_dtypes)) return;
    const tt_flight_entry *e = tt_hang_entry_of(h, p->receive);
    *tt_vec_push(&x->out) = (tt_hang_mismatch){.kind = sizes ? TT_MISMATCH_SIZE : TT_MISMATCH_DTYPE,
                                               .group = h->dumps[p->receive.trace].call_group[e->call],
                                               .seq = e->p2p_seq,
                                               .call = TT_NONE,
                                               .rank = h->dumps[p->receive.trace].rank,
                                               .open = e->open,
                                               .p2p = true,
                                               .own = p->receive,
                                               .expected = p->send};
}

/* Pair the n-th send with the n-th receive, where both dumps begin with the first call of the job. */
static void check_pairs(finding *x)
{
    const tt_hang *h = x->h;
    tt_groups counts, nth;
    TT_VEC(uint32_t) count = {0};
    TT_VEC(sent) pairs = {0};
    tt_groups_init(&counts);
    tt_groups_init(&nth);
    for (uint32_t r = 0; r < h->n_ranks; r++) {
        uint32_t t = h->ranks[r].trace;
        const tt_flight *f = tt_hang_flight(h, t);
        if (!f || !f->n_entries || f->entries[0].record_id != 0) continue;
        for (uint32_t i = 0; i < f->n_entries; i++) {
            const tt_flight_call *c = tt_flight_call_of(f, &f->entries[i]);
            uint32_t g = h->dumps[t].call_group[f->entries[i].call];
            if (c->direction == TT_FLIGHT_NEITHER || c->self < 0 || c->peer < 0 || g == TT_NONE) continue;
            bool send = c->direction == TT_FLIGHT_SEND;
            uint64_t from = (uint64_t)(send ? c->self : c->peer), to = (uint64_t)(send ? c->peer : c->self);
            uint32_t k = tt_groups_put(&counts, (tt_group_key){.a = g, .b = from << 32 | to, .c = send});
            if (k == count.n) *tt_vec_push(&count) = 0;
            k = tt_groups_put(&nth, (tt_group_key){.a = g, .b = from << 32 | to, .c = count.at[k]++});
            if (k == pairs.n) *tt_vec_push(&pairs) = (sent){TT_HANG_NO_ENTRY, TT_HANG_NO_ENTRY};
            *(send ? &pairs.at[k].send : &pairs.at[k].receive) = (tt_hang_entry){t, i};
        }
    }
    for (size_t i = 0; i < pairs.n; i++) check_pair(x, &pairs.at[i]);
    tt_groups_free(&counts);
    tt_groups_free(&nth);
    tt_vec_free(&count);
    tt_vec_free(&pairs);
}

void tt_hang_find_mismatches(tt_hang *h)
{
    finding x = {.h = h};
    uint32_t most = 0;
    for (uint32_t i = 0; i < h->n_calls; i++) most = h->calls[i].n > most ? h->calls[i].n : most;
    tt_hang_entry *e = tt_calloc(most + (size_t)1, sizeof *e);
    tt_sid *v = tt_calloc(most + (size_t)1, sizeof *v);
    for (uint32_t i = 0; i < h->n_calls; i++) check_call(&x, i, e, v);
    check_pairs(&x);
    free(e);
    free(v);
    tt_vec_free(&x.set_of);
    TT_SORT_BY(x.out.at, x.out.n, TT_ASC(tt_hang_mismatch, group), TT_ASC(tt_hang_mismatch, seq),
               TT_ASC(tt_hang_mismatch, rank));
    h->mismatches = x.out.at;
    h->n_mismatches = (uint32_t)x.out.n;
}
