/* tests/doubles/fakecupti.h - state shared by the parts of the tests' libcupti: records (fakerecords.c), other clients
 * of CUPTI (fakerivals.c), script and functions (fakecupti.c). There is one object `fake`; its lock guards it between
 * threads.
 *
 * The library behaves as NVIDIA's headers and release notes say, not as the recorder expects:
 * - CUPTI returns a buffer when it is full or flushed, but not while work in it has not ended: only a forced flush
 *   returns such a buffer, and the records of that work then have no times, for ever
 * - CUPTI writes records in place, and the times of work when it looks for ended work: in a flush
 * - a buffer that the client promises to zero (attribute 5) is not zeroed by CUPTI; other buffers are, on the thread
 *   that launches
 * - switching buffers per thread while kinds are enabled is undefined: the program aborts
 * - from 13.0 on each thread has its own buffer; from 12.3 on also if the client sets the attribute before it registers
 *   its callbacks; otherwise all threads share one buffer
 * - records before Device5 share the name of a device; from Device5 on the client must free it
 * - CUPTI holds a lock around callbacks and inside most functions: a callback that waits for another thread's call of
 *   CUPTI hangs for ever
 * - from 13.3 on the functions of a subscriber (_v2) and those of the process exclude each other
 * - after the driver's exit handler CUPTI delivers nothing */
#ifndef TT_TESTS_DOUBLES_FAKECUPTI_H
#define TT_TESTS_DOUBLES_FAKECUPTI_H

#include <pthread.h>
#include <stdatomic.h>

#include "capture/cuda/cupti_calls.h"
#include "tests/doubles/layouts.h"

enum { KINDS_MOST = 64, SLOTS = 300, LOADED_FAILS = 16, CBIDS = 1024, NAMES = 64, FOREIGN = 8 };

typedef struct slot {
    uint8_t *data;
    size_t size, used;
    uint64_t until; /* end of the last work in the buffer */
    struct slot *next; /* in the list of full buffers */
} slot;

/* A kernel that has not ended: its record in a buffer has no times yet. */
typedef struct unfinished {
    struct unfinished *next;
    uint8_t *at; /* the record in the buffer */
    uint64_t end;
    rec_kernel whole; /* the record with its times */
} unfinished;

typedef void fake_callback(void *data, int domain, uint32_t cbid, const void *info);

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
    _Atomic(fake_callback *) callback;
    void *callback_data;
    uint8_t calls[4][CBIDS]; /* by domain: 1 = the subscriber wants this call */
    cu_request *request;
    cu_complete *complete;
    _Atomic(cu_timestamp *) clock;
    pthread_mutex_t api;  /* held inside functions and around callbacks; the same thread may take it again */
    pthread_mutex_t lock; /* guards the members below */
    slot slots[SLOTS];
    int n_slots;
    slot *full;              /* full buffers that hold unfinished work */
    unfinished *unfinished;
    uint64_t ahead_ns;       /* the GPU is so far behind the program: FAKE_AHEAD_MS */
    uint32_t hangs_at;       /* correlation of the kernel that never ends, 0 = none: FAKE_HANG_AFTER */
    atomic_int n_enable, n_disable, n_driver_api; /* calls since the last line "count" of the script */
    uint32_t correlation;
    _Atomic size_t dropped;
    size_t emitted[KINDS_MOST], refused, reported;
    _Atomic uint8_t subscribed, external_open, event_times, latency, driver, unified; /* driver: a context exists */
    uint64_t external[64];
    char holder[64];      /* client that subscribed before the recorder */
    uint8_t scoped;       /* a client uses the activities of a subscriber (_v2) */
    size_t attribute[16]; /* value of each attribute plus 1; 0 = not set */
    _Atomic uint8_t driver_on[CBIDS];
    uint8_t shared;              /* records share the names of devices in this version, too */
    uint8_t per_thread, late;    /* each thread has its buffer; late: the client asked for that too late */
    _Atomic uint8_t gone;        /* the driver's exit handler has run */
    _Atomic(const char *) hangs; /* name of the function that never returns */
    uint8_t graph_known;         /* the graph was instantiated while kernels were recorded */
    char *names[NAMES];          /* names that clients must free; they stay reachable here */
    int n_names;
    uint8_t *foreign[FOREIGN]; /* buffers that another client gave before the recorder registered */
    int n_foreign, reused;     /* reused: foreign buffers that the recorder gave as its own */
    uint8_t fast;              /* calls take no time */
    long start_us;             /* duration of the longest cuProfilerStart() */
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
void fake_end_work(uint64_t now);
void fake_return_full(size_t cut, int forced, uint64_t now);
void fake_tell(int domain, uint32_t cbid, const void *info);
void fake_instantiate(void);
void fake_replay(void);
void fake_driver_work(uint32_t cbid, uint32_t kind);
void fake_driver_call(uint32_t cbid);
uint64_t fake_now(void);
/* fakerivals.c */
__attribute__((visibility("default"))) void fake_steal(void);
void fake_steal_clock(void);
int fake_excludes(const char *function);
void fake_foreign(int n);
int fake_foreign_damaged(void);
int fake_is_foreign(const uint8_t *data);

#endif
