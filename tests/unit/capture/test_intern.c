/* Names in the recorded process: caches of threads, names that are given up, ids that are used again. */
#include <stdlib.h>

#include "capture/spool/intern.h"
#include "tests/unit/check.h"

static uint32_t put(tt_intern *t, tt_intern_cache *c, unsigned k)
{
    char text[64];
    int n = snprintf(text, sizeof text, "name %u%.*s", k, (int)(k % 40), "........................................");
    return tt_intern_put(t, c, text, (size_t)n);
}

static bool is(tt_intern *t, uint32_t id, unsigned k)
{
    char text[64];
    snprintf(text, sizeof text, "name %u%.*s", k, (int)(k % 40), "........................................");
    return !strcmp(tt_intern_at(t, id)->text, text);
}

static void test_names(void)
{
    tt_intern t;
    tt_intern_cache c = {0};
    CHECK_INT(tt_intern_init(&t, 1 << 20), 0);
    CHECK_INT(tt_intern_put(&t, &c, "", 0), TT_NAME_NONE);
    uint32_t a = put(&t, &c, 1), b = put(&t, &c, 2);
    CHECK(a != b && a > TT_NAME_FULL);
    CHECK_INT(put(&t, &c, 1), a);
    CHECK_INT(put(&t, NULL, 2), b);
    CHECK(is(&t, a, 1) && is(&t, b, 2));
    CHECK_STR(tt_intern_at(&t, 1u << 31)->text, "");
    CHECK_STR(tt_intern_at(&t, 12345)->text, "");
    /* a name must be written once in each file */
    CHECK(tt_intern_use(&t, a, 1) != NULL);
    CHECK(tt_intern_use(&t, a, 1) == NULL);
    CHECK(tt_intern_use(&t, a, 2) != NULL);
    CHECK(tt_intern_use(&t, TT_NAME_NONE, 3) == NULL);
}

static void test_limit(void)
{
    tt_intern t;
    unsigned k = 0;
    CHECK_INT(tt_intern_init(&t, 1 << 16), 0);
    while (put(&t, NULL, k) != TT_NAME_FULL && k < 10000) k++;
    CHECK(k > 300 && k < 2000);
    CHECK_INT(t.refused, 1);
    CHECK(is(&t, put(&t, NULL, 3), 3));
    /* giving up all of them makes room for as many */
    for (int i = 0; i < 4; i++) tt_intern_evict(&t, 2, 1, 2);
    CHECK_STR(tt_intern_at(&t, put(&t, NULL, 20000))->text, "name 20000");
    unsigned more = 1;
    while (put(&t, NULL, 20000 + 40 * more) != TT_NAME_FULL && more < 10000) more++;
    CHECK(more > 300);
}

/* A name that no kept file has goes, in two steps: first it is no longer found, then its id is used again. */
static void test_giving_up(void)
{
    tt_intern t;
    tt_intern_cache c = {0}, late = {0};
    CHECK_INT(tt_intern_init(&t, 1 << 20), 0);
    uint32_t a = put(&t, &c, 1), b = put(&t, &c, 2), pinned = tt_intern_pin(&t, "handle", 6);
    put(&t, &late, 1);
    tt_intern_use(&t, a, 1);
    tt_intern_use(&t, b, 1);
    tt_intern_evict(&t, 1, 1, 2);
    CHECK_INT(put(&t, &c, 1), a); /* file 1 is kept */
    tt_intern_use(&t, b, 5);
    tt_intern_evict(&t, 3, 5, 2);
    CHECK_INT(put(&t, &c, 2), b);
    CHECK(is(&t, a, 1)); /* a thread may have the id and write it now */
    uint32_t again = put(&t, &late, 1);
    CHECK(again != a && is(&t, again, 1)); /* the cache of the other thread is invalid, too */
    CHECK_INT(put(&t, &c, 1), again);
    /* the old id is written after all: it stays */
    CHECK(tt_intern_use(&t, a, 6) != NULL);
    for (int i = 0; i < 5; i++) tt_intern_evict(&t, 4, 6, 2);
    CHECK(is(&t, a, 1) && is(&t, b, 2));
    for (int i = 0; i < 4; i++) tt_intern_evict(&t, 7, 7, 2);
    CHECK_STR(tt_intern_at(&t, a)->text, "");
    CHECK_STR(tt_intern_at(&t, pinned)->text, "handle");
    CHECK_INT(tt_intern_pin(&t, "handle", 6), pinned);
    uint32_t x = put(&t, &c, 3), y = put(&t, &c, 4);
    CHECK((x == a || x == b || x == again) && (y == a || y == b || y == again) && x != y);
    CHECK(is(&t, x, 3) && is(&t, y, 4));
}

/* Many files with names that come and go: an id never has another name than the one it was given for, and memory and
 * ids do not grow. */
static void test_many_files(void)
{
    enum { FILES = 3000, EACH = 200, KEPT = 8, STEP = 90 };
    tt_intern t;
    tt_intern_cache c = {0};
    uint32_t most = 0;
    size_t bytes = 0;
    bool good = true;
    CHECK_INT(tt_intern_init(&t, 4 << 20), 0);
    uint32_t *id = calloc(FILES, EACH * sizeof *id);
    if (!CHECK(id != NULL)) return;
    for (unsigned f = 1; f <= FILES; f++) {
        uint32_t *mine = id + (size_t)(f - 1) * EACH;
        for (unsigned i = 0; i < EACH; i++) {
            mine[i] = put(&t, &c, f * STEP + i);
            tt_intern_use(&t, mine[i], f);
            if (mine[i] > most) most = mine[i];
        }
        unsigned oldest = f > KEPT ? f - KEPT : 1;
        for (unsigned k = oldest; k <= f; k += KEPT / 2) {
            for (unsigned i = 0; i < EACH; i++) good &= is(&t, id[(size_t)(k - 1) * EACH + i], k * STEP + i);
        }
        tt_intern_evict(&t, oldest, f, 3);
        if (f == FILES / 4) bytes = t.bytes;
    }
    CHECK(good);
    CHECK_INT(t.refused, 0);
    CHECK(most < 4 * EACH * KEPT);
    CHECK(t.bytes < bytes * 5 / 4);
    free(id);
}

typedef struct worker {
    tt_intern *t;
    _Atomic bool *over;
    unsigned seed;
    bool good;
    char room[64]; /* a cache line of its own */
} worker;

/* Threads intern names and look at once whether the id has that name, while names are given up. */
static void *work(void *arg)
{
    worker *w = arg;
    tt_intern_cache c = {0};
    w->good = true;
    for (unsigned i = 0; !atomic_load(w->over); i++) {
        w->seed = w->seed * 1103515245 + 12345;
        unsigned k = (w->seed >> 16) % 64 + i / 1000;
        w->good &= is(w->t, put(w->t, &c, k), k);
    }
    return NULL;
}

static void test_threads(void)
{
    enum { THREADS = 4, ROUNDS = 2000, WAIT = 1000 }; /* WAIT: longer than a thread is kept from running */
    tt_intern t;
    pthread_t id[THREADS];
    worker w[THREADS];
    _Atomic bool over = false;
    CHECK_INT(tt_intern_init(&t, 16 << 20), 0);
    for (unsigned i = 0; i < THREADS; i++) {
        w[i] = (worker){.t = &t, .over = &over, .seed = i};
        CHECK_INT(pthread_create(&id[i], NULL, work, &w[i]), 0);
    }
    for (uint64_t f = 2; f < ROUNDS; f++) {
        tt_intern_evict(&t, f - 1, f, WAIT);
        nanosleep(&(struct timespec){0, 1000000}, NULL);
    }
    atomic_store(&over, true);
    for (unsigned i = 0; i < THREADS; i++) {
        pthread_join(id[i], NULL);
        CHECK(w[i].good);
    }
    CHECK_INT(t.refused, 0);
}

int main(void)
{
    test_names();
    test_limit();
    test_giving_up();
    test_many_files();
    test_threads();
    return check_done();
}
