/* tests/doubles/fakecupti.h - what the two halves of the libcupti of the tests share: records (fakerecords.c),
 * script and functions (fakecupti.c). One object, guarded by its lock where threads meet. */
#ifndef TT_TESTS_DOUBLE_FAKECUPTI_H
#define TT_TESTS_DOUBLE_FAKECUPTI_H

#include <pthread.h>
#include <stdatomic.h>

#include "capture/cuda/cupti_calls.h"
#include "tests/doubles/layouts.h"

enum { KINDS_MOST = 64, SLOTS = 32, LOADED_FAILS = 16 };

typedef struct slot {
    uint8_t *data;
    size_t size, used;
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
    uint8_t calls[2]; /* cuProfilerStop, cuProfilerStart: asked for */
    uint8_t contexts; /* so are contexts that are created */
    cu_request *request;
    cu_complete *complete;
    cu_timestamp *clock;
    pthread_mutex_t lock;
    slot slots[SLOTS];
    int n_slots;
    uint32_t correlation;
    _Atomic size_t dropped;
    size_t emitted[KINDS_MOST], refused, reported;
    uint8_t subscribed, external_open, event_times, latency, driver, unified; /* driver: there is a context */
    uint64_t external[64];
    char holder[64];     /* who subscribed before the recorder */
    size_t attribute[8]; /* what was set, plus 1 */
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

#endif
