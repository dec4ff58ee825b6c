/* tests/doubles/fakecupti.h - what the parts of the libcupti of the tests share: records (fakerecords.c), other clients
 * of CUPTI (fakerivals.c), script and functions (fakecupti.c). One object, guarded by its lock where threads meet.
 *
 * What it does is what NVIDIA's headers and release notes say, not what the recorder expects:
 * - a buffer comes back when it is full or asked for; FlushAll(0) leaves those with work that has not ended, and
 *   FlushPeriod brings only full ones
 * - buffers are of one thread each from 13.0 on, or where the attribute asks for it before the callbacks are registered
 *   (12.3 and later); else all threads share one
 * - the name of a device is shared by all records before Device5, and the client's to free from then on
 * - a lock is held around callbacks and inside most functions: a callback that waits for another thread that calls
 *   CUPTI waits for ever
 * - after the driver's exit handler nothing is delivered any more */
#ifndef TT_TESTS_DOUBLE_FAKECUPTI_H
#define TT_TESTS_DOUBLE_FAKECUPTI_H

#include <pthread.h>
#include <stdatomic.h>

#include "capture/cuda/cupti_calls.h"
#include "tests/doubles/layouts.h"

enum { KINDS_MOST = 64, SLOTS = 300, LOADED_FAILS = 16, CBIDS = 1024, NAMES = 64, FOREIGN = 8 };

typedef struct slot {
    uint8_t *data;
    size_t size, used;
    uint64_t until; /* its last work ends then */
} slot;

typedef struct fake_state {
    uint32_t version;
    _Atomic uint8_t enabled[KINDS_MOST];
    uint32_t unknown_kind;
    size_t unknown_size;
    struct {
        char name[48];
        int code;
    } fail[LOADED_FAILS];
    int n_fail;
    void (*callback)(void *data, int domain, uint32_t cbid, const void *info);
    void *callback_data;
    uint8_t calls[4][CBIDS]; /* what the subscriber is told of: by domain */
    cu_request *request;
    cu_complete *complete;
    cu_timestamp *clock;
    pthread_mutex_t api;  /* held inside functions and around callbacks; the same thread may take it again */
    pthread_mutex_t lock; /* of the members below */
    slot slots[SLOTS];
    int n_slots;
    uint32_t correlation;
    _Atomic size_t dropped;
    size_t emitted[KINDS_MOST], refused, reported;
    uint8_t subscribed, external_open, event_times, latency, driver, unified; /* driver: there is a context */
    uint64_t external[64];
    char holder[64];      /* who subscribed before the recorder */
    size_t attribute[16]; /* what was set, plus 1 */
    uint8_t driver_on[CBIDS];
    uint8_t shared;               /* names of devices are shared in this version, too */
    uint8_t per_thread, late;     /* buffers are; it was asked for too late */
    _Atomic uint8_t gone;         /* so is the driver */
    _Atomic(const char *) hangs;  /* the function that does not come back */
    uint8_t graph_known;          /* the graph was instantiated while kernels were recorded */
    char *names[NAMES];           /* that clients have to free: to be found when they do not */
    int n_names;
    uint8_t *foreign[FOREIGN];    /* buffers of another client, handed out before we registered */
    int n_foreign, reused;        /* reused: of them came back as ours */
    uint8_t fast;                 /* calls take no time */
    long start_us;                /* the longest cuProfilerStart() */
} fake_state;
extern fake_state fake;
extern __thread int fake_my_slot;

enum { PLAIN, ZERO, EARLY };

void fake_launch(int how);
void fake_one_copy(int peer);
void fake_one_set(void);
void fake_one_sync(void);
void fake_one_event(int i);
void fake_one_memory(int i);
void fake_pool(int n);
void fake_one_overhead(void);
void fake_one_graph(void);
void fake_graph_nodes(void);
void fake_the_device(void);
void fake_the_context(void);
void fake_the_stream(void);
void fake_one_environment(void);
void fake_one_unified(void);
void fake_unknown(uint32_t kind, size_t size, int known);
void fake_one_call(uint32_t kind, uint32_t cbid);
size_t fake_size_of(uint32_t kind);
slot *fake_slot_of_thread(void);
void fake_complete(slot *s, size_t cut);
void fake_flush(size_t cut, int forced);
void fake_tell(int domain, uint32_t cbid, const void *info);
void fake_instantiate(void);
void fake_replay(void);
void fake_driver_work(uint32_t cbid, uint32_t kind);
void fake_driver_call(uint32_t cbid);
uint64_t fake_now(void);
/* fakerivals.c */
__attribute__((visibility("default"))) void fake_steal(void);
void fake_steal_clock(void);
void fake_foreign(int n);
int fake_foreign_damaged(void);
int fake_is_foreign(const uint8_t *data);

#endif
