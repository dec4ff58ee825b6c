/* tests/doubles/fakerivals.c - other clients of the tests' libcupti, as profilers inside a program are. One came before
 * the recorder and left buffers behind; one comes later and takes over callbacks, buffers and clock. */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tests/doubles/fakecupti.h"

enum { FRONT = 64, SIZE = 1 << 16, SIGN = 0xA5 };

/* ---- the earlier client: CUPTI returns its buffers to the client registered by then ---- */

/* The client owns the FRONT bytes before each buffer, too; the recorder must not change them. */
void fake_foreign(int n)
{
    for (int i = 0; i < n && i < FOREIGN; i++) {
        uint8_t *whole = malloc(FRONT + SIZE);
        if (!whole) return;
        memset(whole, SIGN, FRONT + SIZE);
        fake.foreign[fake.n_foreign++] = whole + FRONT;
        /* no subscriber yet: the buffer holds one call from that client's time */
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

/* ---- the later client ---- */

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

/* The client frees its own buffers and leaves any other ("unknown buffer") alone for ever. */
static void their_complete(void *context, uint32_t stream, uint8_t *data, size_t size, size_t valid)
{
    (void)context, (void)stream, (void)valid;
    if (size == SIZE && !memcmp(data - FRONT, "theirs", sizeof "theirs")) free(data - FRONT);
}

/* Returns ticks of a counter, not nanoseconds of a clock. */
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

/* A client uses the functions of a subscriber: those of the process are refused, except the requests for buffers. */
int fake_excludes(const char *function)
{
    return fake.scoped && !strncmp(function, "Activity", 8) && strncmp(function, "ActivityFlush", 13) != 0;
}

/* CUPTI does not tell the earlier client; open buffers go to the new client. */
void fake_steal(void)
{
    pthread_mutex_lock(&fake.lock);
    fake.request = their_request;
    fake.complete = their_complete;
    fake.callback = their_callback;
    fake_steal_clock();
    pthread_mutex_unlock(&fake.lock);
}
