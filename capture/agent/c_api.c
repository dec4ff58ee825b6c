/* capture/agent/c_api.c - the public C API, and the entry that CUDA calls in an injected library. See tracetty.h. */
#define TRACETTY_LINKED
#include "capture/tracetty.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "capture/agent/attach.h"
#include "capture/agent/core/recording_state.h"
#include "capture/agent/core/write_records.h"
#include "capture/agent/cupti/cupti.h"
#include "capture/agent/enter.h"
#include "capture/agent/events.h"
#include "capture/cuda/cuda_info.h"

#define EXPORT __attribute__((visibility("default")))

int InitializeInjection(void);

static int category(const char *text)
{
    static const char *const names[] = {
#define X(id, spelling) spelling,
        TT_SPOOL_CATEGORIES(X)
#undef X
    };
    for (int i = 0; text && i < TT_SPOOL_CAT_COUNT_; i++) {
        if (!strcmp(text, names[i])) return i;
    }
    return text ? TT_SPOOL_CAT_USER : -1;
}

/* Attach at the first call of a recorded program that uses neither CUDA nor NVTX. */
static bool ready(void)
{
    uint32_t gate = atomic_load_explicit(&tt_recorder_get()->gate, memory_order_acquire);
    return (gate & TT_GATE_ATTACHED) || tt_recorder_attach(NULL);
}

/* Called by CUDA in cuInit(), before any context exists. Must never make it fail. */
EXPORT int InitializeInjection(void)
{
    if (tt_inside || !tt_enter()) return 1; /* our own CUPTI calls may initialise CUDA */
    if (tt_recorder_attach_cuda()) {
        tt_recorder_leave_early();
        tt_cupti_boot(tt_recorder_get(), false);
    }
    tt_exit();
    return 1;
}

/* Set the variables that CUDA, NVTX and NCCL read at their first use, unless they name another tool. */
static void name_ourselves(void)
{
    Dl_info self;
    void *at;
    int (*here)(void) = InitializeInjection;
    memcpy(&at, &here, sizeof at);
    if (!dladdr(at, &self) || !self.dli_fname) return;
    setenv("CUDA_INJECTION64_PATH", self.dli_fname, 0);
    setenv("NVTX_INJECTION64_PATH", self.dli_fname, 0);
    setenv("NCCL_PROFILER_PLUGIN", self.dli_fname, 0);
}

EXPORT int tracetty_init(const char *dir)
{
    if (!tt_enter()) return -EDEADLK;
    tt_recorder *r = tt_recorder_get();
    bool good = tt_recorder_attach(dir && *dir ? dir : "tracetty-recording");
    if (good) name_ourselves();
    if (good && tt_cuda_driver_version()) {
        tt_recorder_leave_early();
        tt_cupti_boot(r, true);
    }
    tt_exit();
    return good ? 0 : -(r->error ? r->error : EIO);
}

/* Begin an API call: false when not attached, or in a handler that interrupted another call. */
static bool begin_call(void)
{
    if (!tt_enter()) return false;
    if (ready()) return true;
    tt_exit();
    return false;
}

static int pause_or_go(bool pause)
{
    if (!begin_call()) return -1;
    tt_recorder *r = tt_recorder_get();
    tt_recording_state_block(r, TT_BLOCK_PAUSED, pause, tt_now(r));
    tt_exit();
    return 0;
}

EXPORT int tracetty_start(void) { return pause_or_go(false); }

EXPORT int tracetty_stop(void) { return pause_or_go(true); }

EXPORT int tracetty_step(int64_t samples)
{
    if (!begin_call()) return -1;
    tt_recorder_step(samples);
    tt_exit();
    return 0;
}

EXPORT int tracetty_range_push_cat(const char *name, const char *cat)
{
    if (!name || !begin_call()) return -1;
    tt_range_push(&(tt_event_label){.name = name, .len = strlen(name), .cat = category(cat)});
    tt_exit();
    return 0;
}

EXPORT int tracetty_range_push(const char *name) { return tracetty_range_push_cat(name, NULL); }

EXPORT int tracetty_range_pop(void)
{
    if (!begin_call()) return -1;
    int depth = tt_range_pop(NULL);
    tt_exit();
    return depth;
}

EXPORT uint64_t tracetty_range_start(const char *name)
{
    if (!name || !begin_call()) return 0;
    uint64_t id = tt_range_start(&(tt_event_label){.name = name, .len = strlen(name), .cat = -1});
    tt_exit();
    return id;
}

EXPORT int tracetty_range_end(uint64_t id)
{
    if (!begin_call()) return -1;
    tt_range_end(id);
    tt_exit();
    return 0;
}

EXPORT int tracetty_mark(const char *name)
{
    if (!name || !begin_call()) return -1;
    tt_mark(&(tt_event_label){.name = name, .len = strlen(name), .cat = -1});
    tt_exit();
    return 0;
}

EXPORT int tracetty_counter(const char *name, double value)
{
    if (!name || !begin_call()) return -1;
    tt_counter(name, strlen(name), value);
    tt_exit();
    return 0;
}

EXPORT int tracetty_meta(const char *key, const char *json_value)
{
    if (!key || !json_value || !begin_call()) return -1;
    bool good = tt_queue_meta(tt_recorder_get(), key, json_value);
    tt_exit();
    return good ? 0 : -1;
}

EXPORT int tracetty_name_thread(const char *name)
{
    if (!name || !begin_call()) return -1;
    tt_name_thread(0, name, strlen(name));
    tt_exit();
    return 0;
}

EXPORT int tracetty_status(tracetty_status_t *out, size_t size)
{
    tt_recorder *r = tt_recorder_get();
    uint32_t gate = atomic_load(&r->gate);
    tracetty_status_t s = {
        .attached = (gate & TT_GATE_ATTACHED) != 0, .recording = (gate & TT_GATE_RECORDING) != 0, .step = -1};
    if (s.attached) {
        s.step = atomic_load(&r->step);
        s.events = atomic_load(&r->status_records);
        s.bytes = atomic_load(&r->status_bytes);
        for (int i = 0; i < TT_SPOOL_DROP_COUNT_; i++)
            s.drops += i == TT_SPOOL_DROP_BYTES ? 0 : atomic_load(&r->drops[i]);
    }
    if (out) memcpy(out, &s, size < sizeof s ? size : sizeof s);
    return s.attached ? 0 : -1;
}

EXPORT int tracetty_version(void) { return TRACETTY_VERSION; }
