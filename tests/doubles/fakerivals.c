/* tests/doubles/fakerivals.c - other clients of the libcupti for tests, as profilers in a program are: one that was there
 * before the recorder and left buffers behind, one that comes later and takes everything over. */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tests/doubles/fakecupti.h"

enum { FRONT = 64, SIZE = 1 << 16, SIGN = 0xA5 };

/* ---- a client from before: its buffers come back to whoever is registered then ---- */

/* Its bytes in front of the buffer are its own, as are the buffer's. */
void fake_foreign(int n)
{
    for (int i = 0; i < n && i < FOREIGN; i++) {
        uint8_t *whole = malloc(FRONT + SIZE);
        if (!whole) return;
        memset(whole, SIGN, FRONT + SIZE);
        fake.foreign[fake.n_foreign++] = whole + FRONT;
        /* nobody is registered yet: what it holds is one call of that client's time */
        rec_api a = {.kind = CU_KIND_RUNTIME, .cbid = 211, .start = fake_now(), .end = fake_now() + 500};
        memcpy(whole + FRONT, &a, sizeof a);
        fake.slots[SLOTS - 1 - i] = (slot){.data = whole + FRONT, .size = SIZE, .used = sizeof a};
    }
}

int fake_is_foreign(const uint8_t *data)
{
    for (int i = 0; i < fake.n_foreign; i++) {
        if (data == fake.foreign[i]) return 1;
    }
    return 0;
}

int fake_foreign_damaged(void)
{
    int damaged = 0;
    for (int i = 0; i < fake.n_foreign; i++) {
        for (int k = 1; k <= FRONT; k++) damaged += *(fake.foreign[i] - k) != SIGN;
    }
    return damaged;
}

/* ---- a client that comes later ---- */

static void their_request(uint8_t **out, size_t *size, size_t *most)
{
    *size = SIZE;
    *out = malloc(FRONT + SIZE);
    if (*out) {
        memcpy(*out, "theirs", sizeof "theirs");
        *out += FRONT;
    }
    *most = 0;
}

/* A buffer that is not its own it leaves alone, for ever: "unknown buffer". */
static void their_complete(void *context, uint32_t stream, uint8_t *data, size_t size, size_t valid)
{
    (void)context, (void)stream, (void)valid;
    if (size == SIZE && !memcmp(data - FRONT, "theirs", sizeof "theirs")) free(data - FRONT);
}

/* Ticks of a counter, not nanoseconds of any clock. */
static uint64_t their_clock(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return ((uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec) * 2;
}

static void their_callback(void *data, int domain, uint32_t cbid, const void *info)
{
    (void)data, (void)domain, (void)cbid, (void)info;
}

void fake_steal_clock(void) { fake.clock = their_clock; }

/* Without a word to the one before: what is open goes to the new one. */
void fake_steal(void)
{
    pthread_mutex_lock(&fake.lock);
    fake.request = their_request;
    fake.complete = their_complete;
    fake.callback = their_callback;
    fake_steal_clock();
    pthread_mutex_unlock(&fake.lock);
}
