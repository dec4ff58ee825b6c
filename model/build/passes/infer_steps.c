/* model/build/passes/infer_steps.c - iterations of a serving engine that names none of its steps, by their period.
 *
 * The device's work is read as tokens: a kernel by its name, all work of one graph launch as one token. A token that
 * returns at least four times, over most of the trace, in segments that repeat, marks an iteration if each repeated
 * segment copies something back to the host: an engine hands its tokens over in each step, while a layer keeps its
 * results on the device. */
#include <stdlib.h>
#include <string.h>

#include "model/base/sort_by.h"
#include "model/build/passes/finish_internal.h"
#include "model/text/call_name.h"
#include "model/text/engine_step.h"

enum {
    LEAST_REPLAYS = 4,
    LEAST_COPIES = 4,
    LEAST_SEGMENTS = 4,
    LEAST_ALIKE = 3,     /* segments of one kind, to count as repeated */
    LEAST_REPEATED = 80, /* repeated segments, percent */
};
#define HASH_MODULUS ((UINT64_C(1) << 61) - 1)
#define HASH_BASE UINT64_C(0x1f3d5b79acefb1)

typedef struct work { /* device work in the order of (start, place in the file) */
    int64_t start, end;
    uint64_t text;
    tt_row row, launch;
    bool copies_back, in_graph;
} work;

typedef struct token {
    uint64_t name; /* equal for equal kernels, and for replays of equal work */
    uint32_t work; /* index of its first work */
} token;

typedef struct inference {
    tt_trace *s;
    work *work;
    uint32_t n_work;
    int64_t span; /* from the start of the first work to the end of the last */
    token *token;
    uint32_t n_tokens;
    uint64_t *prefix, *power; /* hashes of the first i tokens; powers of the base */
    uint32_t *copies;         /* copies to the host among the first i works */
} inference;

/* ---- work and tokens ---- */

static uint64_t times(uint64_t a, uint64_t b) { return (uint64_t)((unsigned __int128)a * b % HASH_MODULUS); }
static uint64_t append(uint64_t hash, uint64_t value)
{
    return (times(hash, HASH_BASE) + value % HASH_MODULUS + 1) % HASH_MODULUS;
}

static bool copies_back(const char *name)
{
    return strstr(name, "DtoH") || strstr(name, "DeviceToHost") || strstr(name, "Device -> Host") ||
           strstr(name, "Device -> Pinned");
}

/* The device with most work, of several the smallest; INT32_MIN: no work. */
static int32_t busiest_device(const tt_trace *s)
{
    int32_t *of = tt_malloc((s->n_dev + (size_t)1) * sizeof *of), best = INT32_MIN;
    uint32_t n = 0, most = 0;
    for (uint32_t i = 0; i < s->n_dev; i++)
        if (tt_kind_is_work(tt_row_kind(s, s->dev[i].row))) of[n++] = s->dev[i].device;
    TT_SORT_UP(of, n);
    for (uint32_t i = 0, k; i < n; i = k) {
        for (k = i; k < n && of[k] == of[i];) k++;
        if (k - i > most) most = k - i, best = of[i];
    }
    free(of);
    return best;
}

/* By name: 1 = launches a graph, 2 = copies to the host. */
static uint8_t *classify_names(const tt_trace *s)
{
    uint8_t *of = tt_calloc(s->strings.text.n + (size_t)1, 1);
    for (tt_sid i = 1; i < s->strings.text.n; i++) {
        const char *name = s->strings.text.at[i];
        of[i] = tt_call_launches_graph(name) ? 1 : copies_back(name) ? 2 : 0;
    }
    return of;
}

static void list_work(inference *x, const uint8_t *names, int32_t device)
{
    const tt_trace *s = x->s;
    x->work = tt_malloc((s->n_dev + (size_t)1) * sizeof *x->work);
    for (uint32_t i = 0; i < s->n_dev; i++) {
        const tt_activity *d = &s->dev[i];
        tt_kind k = tt_row_kind(s, d->row);
        if (!tt_kind_is_work(k) || d->device != device) continue;
        x->work[x->n_work++] = (work){.start = s->start[d->row],
                                      .end = tt_row_end(s, d->row),
                                      .text = tt_row_text(s, d->row),
                                      .row = d->row,
                                      .launch = d->launch,
                                      .copies_back = k == TT_KIND_MEMCPY && names[s->name[d->row]] == 2,
                                      .in_graph = d->launch != TT_NONE && names[s->name[d->launch]] == 1};
    }
    TT_SORT_BY(x->work, x->n_work, TT_ASC(work, start), TT_ASC(work, text), TT_ASC(work, row));
    int64_t end = INT64_MIN;
    for (uint32_t i = 0; i < x->n_work; i++)
        if (x->work[i].end > end) end = x->work[i].end;
    x->span = end - x->work[0].start;
    x->copies = tt_malloc((x->n_work + (size_t)1) * sizeof *x->copies);
    for (uint32_t i = 0, n = 0; i <= x->n_work; i++) {
        x->copies[i] = n;
        if (i < x->n_work) n += x->work[i].copies_back;
    }
}

static bool is_kernel(const inference *x, const work *w) { return tt_row_kind(x->s, w->row) == TT_KIND_KERNEL; }

typedef struct replay_work {
    tt_row launch;
    uint32_t work;
} replay_work;

/* Make a token of each graph launch, from the names of its kernels and the kinds of its other work. */
static void add_replays(inference *x)
{
    replay_work *list = tt_malloc((x->n_work + (size_t)1) * sizeof *list);
    uint32_t n = 0;
    for (uint32_t i = 0; i < x->n_work; i++)
        if (x->work[i].in_graph) list[n++] = (replay_work){x->work[i].launch, i};
    TT_SORT_BY(list, n, TT_ASC(replay_work, launch), TT_ASC(replay_work, work));
    for (uint32_t i = 0, k; i < n; i = k) {
        uint64_t hash = 1;
        for (k = i; k < n && list[k].launch == list[i].launch; k++) {
            const work *w = &x->work[list[k].work];
            tt_kind kind = tt_row_kind(x->s, w->row);
            hash = append(hash, is_kernel(x, w) ? TT_KIND_COUNT_ + (uint64_t)x->s->name[w->row] : kind);
        }
        x->token[x->n_tokens++] = (token){UINT64_C(1) << 63 | hash, list[i].work};
    }
    free(list);
}

static void list_tokens(inference *x)
{
    x->token = tt_malloc((x->n_work + (size_t)1) * sizeof *x->token);
    add_replays(x);
    for (uint32_t i = 0; i < x->n_work; i++)
        if (!x->work[i].in_graph && is_kernel(x, &x->work[i]))
            x->token[x->n_tokens++] = (token){x->s->name[x->work[i].row], i};
    TT_SORT_BY(x->token, x->n_tokens, TT_ASC(token, work));
    x->prefix = tt_malloc((x->n_tokens + (size_t)1) * sizeof *x->prefix);
    x->power = tt_malloc((x->n_tokens + (size_t)1) * sizeof *x->power);
    x->prefix[0] = 0, x->power[0] = 1;
    for (uint32_t i = 0; i < x->n_tokens; i++) {
        x->prefix[i + 1] = append(x->prefix[i], x->token[i].name);
        x->power[i + 1] = times(x->power[i], HASH_BASE);
    }
}

/* ---- segments ---- */

typedef struct segment {
    uint64_t hash;
    uint32_t length, at; /* in tokens; place in the order of time */
    bool repeated;
} segment;

static segment segment_of(const inference *x, uint32_t from, uint32_t to, uint32_t at)
{
    uint64_t hash = x->prefix[to] + HASH_MODULUS - times(x->prefix[from], x->power[to - from]);
    return (segment){hash % HASH_MODULUS, to - from, at, false};
}

/* Mark the segments that are equal to at least two others; returns their number. The list is in the order of time
 * again afterwards. */
static uint32_t mark_repeated(segment *list, uint32_t n)
{
    uint32_t repeated = 0;
    TT_SORT_BY(list, n, TT_ASC(segment, hash), TT_ASC(segment, length), TT_ASC(segment, at));
    for (uint32_t i = 0, k; i < n; i = k) {
        for (k = i; k < n && list[k].hash == list[i].hash && list[k].length == list[i].length;) k++;
        if (k - i < LEAST_ALIKE) continue;
        for (uint32_t m = i; m < k; m++) list[m].repeated = true;
        repeated += k - i;
    }
    TT_SORT_BY(list, n, TT_ASC(segment, at));
    return repeated;
}

typedef struct place { /* a token and where it stands */
    uint64_t name;
    uint32_t token;
} place;

typedef struct anchor { /* occurrences of the token that marks iterations */
    const place *at;
    uint32_t n, repeated; /* segments between them; those that repeat */
} anchor;

/* Examine the n + 1 occurrences of one token. */
static bool is_anchor(const inference *x, const place *at, uint32_t n, segment *room, uint32_t *repeated)
{
    if (n < LEAST_SEGMENTS) return false;
    int64_t span = x->work[x->token[at[n].token].work].start - x->work[x->token[at[0].token].work].start;
    if (span * 2 < x->span) return false;
    for (uint32_t i = 0; i < n; i++) room[i] = segment_of(x, at[i].token, at[i + 1].token, i);
    *repeated = mark_repeated(room, n);
    if (*repeated * 100ull < n * (uint64_t)LEAST_REPEATED) return false;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t from = x->token[at[i].token].work, to = x->token[at[i + 1].token].work;
        if (room[i].repeated && x->copies[from] == x->copies[to]) return false;
    }
    return true;
}

/* Find the token that marks iterations: with most segments, of those with most repeated ones, the first. */
static anchor find_anchor(const inference *x, place *places)
{
    anchor best = {NULL, 0, 0};
    segment *room = tt_malloc((x->n_tokens + (size_t)1) * sizeof *room);
    for (uint32_t i = 0; i < x->n_tokens; i++) places[i] = (place){x->token[i].name, i};
    TT_SORT_BY(places, x->n_tokens, TT_ASC(place, name), TT_ASC(place, token));
    for (uint32_t i = 0, k; i < x->n_tokens; i = k) {
        uint32_t repeated = 0;
        for (k = i; k < x->n_tokens && places[k].name == places[i].name;) k++;
        if (k - i < best.n + 1 || !is_anchor(x, &places[i], k - i - 1, room, &repeated)) continue;
        anchor a = {&places[i], k - i - 1, repeated};
        bool first = !best.at || a.at[0].token < best.at[0].token;
        if (a.n > best.n || a.repeated > best.repeated || (a.repeated == best.repeated && first)) best = a;
    }
    free(room);
    return best;
}

/* ---- iterations ---- */

typedef struct piece {
    uint32_t from, to;   /* works */
    uint32_t first, end; /* tokens */
} piece;

typedef TT_VEC(piece) piece_list;

/* Cut the work after the last copy to the host of each segment. */
static piece_list cut_pieces(const inference *x, const anchor *a)
{
    piece_list pieces = {0};
    uint32_t from = 0, first = 0;
    for (uint32_t i = 0; i <= a->n; i++) {
        uint32_t to = x->n_work;
        if (i < a->n) {
            to = x->token[a->at[i + 1].token].work;
            uint32_t begin = x->token[a->at[i].token].work;
            while (to > begin && !x->work[to - 1].copies_back) to--;
            if (to == begin) continue;
        }
        if (to == from) continue;
        uint32_t end = first;
        while (end < x->n_tokens && x->token[end].work < to) end++;
        *tt_vec_push(&pieces) = (piece){from, to, first, end};
        from = to, first = end;
    }
    return pieces;
}

/* First launch in a piece; TT_NONE: none is known. */
static tt_row first_launch(const inference *x, const piece *p)
{
    for (uint32_t i = p->from; i < p->to; i++)
        if (x->work[i].launch != TT_NONE) return x->work[i].launch;
    return TT_NONE;
}

static int64_t last_launch_end(const inference *x, const piece *p, int64_t from)
{
    int64_t end = from;
    for (uint32_t i = p->from; i < p->to; i++)
        if (x->work[i].launch != TT_NONE && tt_row_end(x->s, x->work[i].launch) > end)
            end = tt_row_end(x->s, x->work[i].launch);
    return end;
}

/* Make steps of the pieces whose launches are known. */
static void make_steps(const inference *x, const piece_list *pieces)
{
    tt_trace *s = x->s;
    segment *alike = tt_malloc((pieces->n + 1) * sizeof *alike);
    TT_VEC(tt_step) steps = {0};
    for (uint32_t i = 0; i < pieces->n; i++) alike[i] = segment_of(x, pieces->at[i].first, pieces->at[i].end, i);
    (void)mark_repeated(alike, (uint32_t)pieces->n);
    for (uint32_t i = 0; i < pieces->n; i++) {
        const piece *p = &pieces->at[i];
        tt_row launch = first_launch(x, p);
        if (launch == TT_NONE || (steps.n && s->start[launch] < steps.at[steps.n - 1].host_start)) continue;
        int64_t from = s->start[launch];
        if (steps.n) steps.at[steps.n - 1].host_end = steps.at[steps.n - 1].end = from;
        int64_t number = (int64_t)steps.n;
        *tt_vec_push(&steps) = (tt_step){.number = number,
                                         .row = launch,
                                         .start = from,
                                         .end = last_launch_end(x, p, from),
                                         .host_start = from,
                                         .host_end = last_launch_end(x, p, from),
                                         .phases = 1u << TT_PHASE_UNKNOWN,
                                         .kept = true,
                                         .repeated = alike[i].repeated};
    }
    free(alike);
    s->steps = steps.at;
    s->n_steps = (uint32_t)steps.n;
}

/* ---- whether to infer ---- */

static bool has_engine_frames(const tt_trace *s)
{
    static const char *const files[] = {"vllm/", "sglang/", "tensorrt_llm/", "atom/model_engine"};
    bool python = false;
    for (uint32_t i = 0; i < s->n_cats; i++) python |= tt_kind_is_python(s->cats[i].kind);
    for (tt_sid i = 1; python && i < s->strings.text.n; i++)
        for (size_t k = 0; k < sizeof files / sizeof *files; k++)
            if (strstr(s->strings.text.at[i], files[k])) return true;
    return false;
}

static uint32_t count_replays(const tt_trace *s, const uint8_t *names)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < s->n_links; i++)
        n += names[s->name[s->launch_row[i]]] == 1 && (!i || s->launch_row[i] != s->launch_row[i - 1]);
    return n;
}

static tt_no_steps infer(inference *x, const uint8_t *names, bool asked)
{
    int32_t device = busiest_device(x->s);
    if (device == INT32_MIN) return TT_NO_STEPS_NO_WORK;
    if (!asked && count_replays(x->s, names) < LEAST_REPLAYS && !has_engine_frames(x->s)) return TT_NO_STEPS_NO_ENGINE;
    list_work(x, names, device);
    if (x->copies[x->n_work] < LEAST_COPIES) return TT_NO_STEPS_NO_COPIES;
    list_tokens(x);
    place *places = tt_malloc((x->n_tokens + (size_t)1) * sizeof *places);
    anchor a = find_anchor(x, places);
    if (a.at) {
        piece_list pieces = cut_pieces(x, &a);
        make_steps(x, &pieces);
        tt_vec_free(&pieces);
        x->s->steps_confidence = 100.0 * a.repeated / a.n;
        x->s->steps_anchor = a.at[0].name >> 63 ? 0 : (tt_sid)a.at[0].name;
    }
    free(places);
    return x->s->n_steps ? TT_NO_STEPS_NONE : TT_NO_STEPS_NO_PERIOD;
}

void tt_trace_infer_steps(tt_trace *s, bool asked)
{
    inference x = {.s = s};
    uint8_t *names = classify_names(s);
    s->no_steps = infer(&x, names, asked);
    if (s->no_steps == TT_NO_STEPS_NONE) s->steps_source = TT_STEPS_INFERRED;
    free(names);
    free(x.work);
    free(x.token);
    free(x.prefix);
    free(x.power);
    free(x.copies);
}
