/* Walks from slices to their parents give the same answers with and without the index of deep traces. */
#include <stdlib.h>

#include "model/trace/ancestors.h"
#include "tests/unit/check.h"
#include "tests/unit/made.h"

enum { SLICES = 700, LENGTH = 1000, QUESTIONS = 20000 };

static uint32_t next_random(uint32_t *state) { return *state = *state * 1664525 + 1013904223; }

/* Slices of two threads that nest, cross, coincide, and have Python frames in between. */
static tt_session *load_made(uint32_t seed, bool deep)
{
    static const char *const cats[] = {"cpu_op", "python_function", "user_annotation", "cuda_runtime"};
    made_trace m;
    made_begin(&m);
    for (int i = 0; i < SLICES; i++) {
        uint32_t start = deep ? (uint32_t)i / 3 : next_random(&seed) % LENGTH;
        uint32_t length = deep ? LENGTH - 2 * start : 1 + next_random(&seed) % (next_random(&seed) % LENGTH + 1);
        uint32_t cat = next_random(&seed) >> 8;
        fprintf(m.f, "{\"ph\":\"X\",\"cat\":\"%s\",\"name\":\"a\",\"pid\":1,\"tid\":%u,\"ts\":%u,\"dur\":%u},\n",
                cats[cat % 4], 7 + (cat >> 8 & 1), start, length);
    }
    return made_load(&m);
}

static tt_row walk(const tt_trace *s, tt_row r, int64_t t, uint32_t kinds)
{
    while (r != TT_NONE && (tt_row_end(s, r) <= t || !(kinds >> tt_row_kind(s, r) & 1))) r = s->parent[r];
    return r;
}

static tt_row look_back(const tt_trace *s, tt_row r, bool python)
{
    tt_row first = s->tracks[tt_row_track(s, r)].first;
    while (tt_kind_is_python(tt_row_kind(s, r)) != python) {
        if (r == first) return TT_NONE;
        r--;
    }
    return r;
}

static void check_answers(const tt_trace *s, uint32_t seed)
{
    for (int i = 0; i < QUESTIONS; i++) {
        tt_row r = next_random(&seed) % s->n;
        int64_t t = next_random(&seed) % 2 ? s->start[r] + (int64_t)(next_random(&seed) % (LENGTH * 1000)) : INT64_MIN;
        uint32_t kinds = next_random(&seed) % 4 ? 1u << (next_random(&seed) >> 9) % TT_KIND_COUNT_ : UINT32_MAX;
        bool python = next_random(&seed) >> 9 & 1;
        CHECK(tt_first_around(s, r, t, kinds) == walk(s, r, t, kinds));
        CHECK(tt_last_of_layer(s, &s->tracks[tt_row_track(s, r)], r, python) == look_back(s, r, python));
    }
    CHECK(tt_first_around(s, TT_NONE, 0, UINT32_MAX) == TT_NONE);
}

int main(void)
{
    for (uint32_t seed = 1; seed <= 8; seed++) {
        tt_session *session = load_made(seed, seed % 2);
        if (!session) continue;
        tt_trace *s = session->traces[0];
        CHECK(s->n == SLICES);
        tt_ancestors_free(s);
        check_answers(s, seed);
        tt_ancestors_build(s);
        tt_ancestors_build(s); /* the second call behaves like a thread that comes too late */
        check_answers(s, seed + 100);
        tt_session_free(session);
    }
    return check_done();
}
