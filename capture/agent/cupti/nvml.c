/* capture/agent/cupti/nvml.c - NVML counters of the GPUs in use. Own prototypes, so that building needs no NVIDIA
 * headers. See nvml.h. */
#include "capture/agent/cupti/nvml.h"

#include <dlfcn.h>
#include <errno.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "capture/agent/core/report_progress.h"
#include "capture/agent/core/write_records.h"
#include "capture/shared/files.h"
#include "capture/shared/sysfile.h"

/* SLOW_NS: sampling interval of values that change slowly or take NVML long to read (20 ms for PCIe traffic). */
enum { GPUS_MOST = 64, UUID_TEXT = 96, SLOW_NS = 1000000000 };
/* Wait before trying again for a GPU that another process samples: doubles from the first value to the second. */
#define RETRY_NS INT64_C(200000000)
#define RETRY_MOST_NS INT64_C(5000000000)
enum { CLOCK_OF_SM = 1, SENSOR_OF_GPU = 0, BUS_SENT = 0, BUS_RECEIVED = 1 };

typedef struct gpu {
    bool known, used, refused; /* known: CUPTI described it; refused: NVML has no such device */
    char uuid[UUID_TEXT];      /* UUID as NVML spells it, "" = not known */
    void *handle;
    tt_own lock; /* lock on the GPU within the run; closed: another process samples */
    int64_t retry_at, retry_ns;
} gpu;

/* X(member, name without "nvml", parameters): any function may be missing */
#define DEVICE_FUNCTIONS(X)                                                                                            \
    X(utilization, "DeviceGetUtilizationRates", (void *device, unsigned rates[2]))                                     \
    X(memory, "DeviceGetMemoryInfo", (void *device, unsigned long long total_free_used[3]))                            \
    X(power, "DeviceGetPowerUsage", (void *device, unsigned *milliwatt))                                               \
    X(power_limit, "DeviceGetEnforcedPowerLimit", (void *device, unsigned *milliwatt))                                 \
    X(temperature, "DeviceGetTemperature", (void *device, int sensor, unsigned *celsius))                              \
    X(clock, "DeviceGetClockInfo", (void *device, int type, unsigned *mhz))                                            \
    X(bus, "DeviceGetPcieThroughput", (void *device, int direction, unsigned *kb_per_s))                               \
    X(throttle, "DeviceGetCurrentClocksThrottleReasons", (void *device, unsigned long long *reasons))

static struct {
    void *lib;
    bool tried, have;
    int64_t at, slow_at; /* times of the last samples: fast values, slow values */
    gpu at_id[GPUS_MOST];
    int (*by_uuid)(const char *uuid, void **device);
    int (*by_index)(unsigned index, void **device);
    int (*uuid_of)(void *device, char *uuid, unsigned cap);
    int (*count)(unsigned *n);
#define X(member, name, parameters) int(*member) parameters;
    DEVICE_FUNCTIONS(X)
#undef X
} n;

static bool symbol(const char *name, void *out)
{
    char whole[64];
    snprintf(whole, sizeof whole, "nvml%s", name);
    void *f = dlsym(n.lib, whole);
    memcpy(out, &f, sizeof f);
    return f != NULL;
}

/* Load NVML once. Without a driver NVML is absent, and CUPTI's note says so. */
static bool load(void)
{
    int (*init)(void) = NULL;
    if (n.tried) return n.have;
    n.tried = true;
    n.lib = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!n.lib || !symbol("Init_v2", &init)) return false;
    symbol("DeviceGetHandleByUUID", &n.by_uuid);
    symbol("DeviceGetHandleByIndex_v2", &n.by_index);
    symbol("DeviceGetUUID", &n.uuid_of);
    symbol("DeviceGetCount_v2", &n.count);
#define X(member, name, parameters) symbol(name, &n.member);
    DEVICE_FUNCTIONS(X)
#undef X
    return n.have = !init();
}

void tt_nvml_start(void)
{
    memset(&n, 0, sizeof n);
    for (int i = 0; i < GPUS_MOST; i++) n.at_id[i].lock.fd = -1;
}

/* "GPU-b1a2c3d4-0102-0304-0506-0708090a0b0c" */
void tt_nvml_device(uint32_t id, const uint8_t uuid[16], bool part)
{
    if (id >= GPUS_MOST || n.at_id[id].known) return;
    char *out = n.at_id[id].uuid;
    size_t at = (size_t)snprintf(out, UUID_TEXT, "%s-", part ? "MIG" : "GPU");
    for (int i = 0; i < 16; i++) {
        const char *dash = i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "";
        at += (size_t)snprintf(out + at, UUID_TEXT - at, "%s%02x", dash, uuid[i]);
    }
    n.at_id[id].known = true;
}

void tt_nvml_use(uint32_t id)
{
    if (id < GPUS_MOST) n.at_id[id].used = true;
}

static void find_everywhere(void)
{
    unsigned count = 0;
    if (!load() || !n.by_index || !n.uuid_of || !n.count || n.count(&count)) return;
    for (unsigned i = 0; i < count && i < GPUS_MOST; i++) {
        gpu *g = &n.at_id[i];
        if (g->known || n.by_index(i, &g->handle) || n.uuid_of(g->handle, g->uuid, UUID_TEXT)) continue;
        g->known = g->used = true;
    }
}

static bool find_handle(gpu *g)
{
    char mig[UUID_TEXT];
    if (g->handle || g->refused) return g->handle != NULL;
    if (!load() || !n.by_uuid) return false;
    if (n.by_uuid(g->uuid, &g->handle)) {
        snprintf(mig, sizeof mig, "MIG-%s", g->uuid + 4); /* a MIG part that CUPTI does not mark */
        if (n.by_uuid(mig, &g->handle)) g->handle = NULL;
    }
    g->refused = !g->handle;
    return g->handle != NULL;
}

typedef struct locking {
    const tt_recorder *r;
    gpu *g;
    int error;
} locking;

/* Lock the GPU by a socket name, which only one process of this machine can have and which ends with the process. A
 * file lock would not do: a thousand ranks may share the run's file system, and it may refuse locks. */
static void lock(void *arg)
{
    locking *l = arg;
    struct stat dir = {0}; /* identity of the run's folder: ranks may spell its path differently */
    struct sockaddr_un a = {.sun_family = AF_UNIX};
    (void)tt_sysfile_stat(l->r->dir, &dir);
    int k = snprintf(a.sun_path + 1, sizeof a.sun_path - 1, "tracetty-%llx-%llx-%s", (unsigned long long)dir.st_dev,
                     (unsigned long long)dir.st_ino, l->g->uuid);
    size_t len = offsetof(struct sockaddr_un, sun_path) + 1 + strnlen(a.sun_path + 1, k > 0 ? (size_t)k : 0);
    int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (fd < 0 || bind(fd, (const struct sockaddr *)&a, (socklen_t)len)) {
        l->error = errno;
        if (fd >= 0) close(fd);
        return;
    }
    l->error = -tt_own_take(&l->g->lock, fd);
}

/* Drop the lock if the program closed its descriptor. */
static void look(void *arg)
{
    tt_own *lock = arg;
    if (!tt_own_holds(lock, NULL)) lock->fd = -1;
}

static void unlock(void *arg) { tt_own_close(arg); }

/* Sample a GPU unless another process of the run holds its lock. */
static void sample_gpu(const tt_recorder *r, gpu *g, int64_t now)
{
    locking l = {r, g, 0};
    if (!g->known || !g->used || now < g->retry_at || !find_handle(g)) return;
    tt_files_run(lock, &l);
    if (!l.error) return;
    g->retry_ns = g->retry_ns ? g->retry_ns * 2 : RETRY_NS;
    if (g->retry_ns > RETRY_MOST_NS) g->retry_ns = RETRY_MOST_NS;
    g->retry_at = now + g->retry_ns;
    if (l.error != EADDRINUSE)
        tt_recorder_note("process %u: %s is not sampled: the system gives no socket for its lock: %s", r->pid, g->uuid,
                         strerror(l.error));
}

static void sample(tt_recorder *r, int64_t now, int id, const gpu *g)
{
    unsigned rates[2], v;
    unsigned long long memory[3];
    if (n.utilization && !n.utilization(g->handle, rates)) {
        tt_write_sample(r, now, "GPU utilisation %", "gpu", id, rates[0]);
        tt_write_sample(r, now, "GPU utilisation %", "memory bus", id, rates[1]);
    }
    if (n.memory && !n.memory(g->handle, memory))
        tt_write_sample(r, now, "GPU memory MiB", "used", id, (double)memory[2] / 1048576);
    if (n.power && !n.power(g->handle, &v)) tt_write_sample(r, now, "GPU power W", "draw", id, v / 1000.0);
    if (n.clock && !n.clock(g->handle, CLOCK_OF_SM, &v)) tt_write_sample(r, now, "SM clock MHz", "clock", id, v);
}

static void sample_slow(tt_recorder *r, int64_t now, int id, const gpu *g)
{
    /* NVML's throttle bits; idle and application clocks are no throttling */
    static const struct {
        unsigned long long bits;
        const char *what;
    } held[] = {{0x4 | 0x80, "power"}, {0x20 | 0x40, "heat"}, {0x8, "hardware slowdown"}, {0x10 | 0x100, "other GPUs"}};
    unsigned v;
    unsigned long long reasons;
    if (n.temperature && !n.temperature(g->handle, SENSOR_OF_GPU, &v))
        tt_write_sample(r, now, "GPU temperature C", "GPU", id, v);
    if (n.power_limit && !n.power_limit(g->handle, &v)) tt_write_sample(r, now, "GPU power W", "limit", id, v / 1000.0);
    if (n.bus && !n.bus(g->handle, BUS_SENT, &v)) tt_write_sample(r, now, "PCIe MB/s", "sent", id, v / 1000.0);
    if (n.bus && !n.bus(g->handle, BUS_RECEIVED, &v)) tt_write_sample(r, now, "PCIe MB/s", "received", id, v / 1000.0);
    if (!n.throttle || n.throttle(g->handle, &reasons)) return;
    for (size_t i = 0; i < sizeof held / sizeof *held; i++)
        tt_write_sample(r, now, "GPU clocks held back", held[i].what, id, (reasons & held[i].bits) != 0);
}

void tt_nvml_poll(tt_recorder *r, int64_t now)
{
    if (!(atomic_load(&r->gate) & TT_GATE_RECORDING) || now - n.at < 1000000000 / r->set.nvml_hz) return;
    bool slow = now - n.slow_at >= SLOW_NS;
    n.at = now;
    if (slow) n.slow_at = now;
    if (atomic_exchange(&r->all_gpus, false)) find_everywhere();
    for (int i = 0; i < GPUS_MOST; i++) {
        gpu *g = &n.at_id[i];
        if (!g->used) continue;
        if (slow && g->lock.fd >= 0) tt_files_run(look, &g->lock);
        bool first = g->lock.fd < 0;
        if (first) sample_gpu(r, g, now);
        if (g->lock.fd < 0) continue;
        sample(r, now, i, g);
        if (slow || first) sample_slow(r, now, i, g);
    }
}

void tt_nvml_forget(void)
{
    for (int i = 0; i < GPUS_MOST; i++) {
        if (n.at_id[i].known) tt_own_close(&n.at_id[i].lock);
        n.at_id[i].lock.fd = -1;
    }
}

/* Release the locks. NVML stays loaded: unloading would close descriptors whose numbers the program may have reused. */
void tt_nvml_stop(void)
{
    for (int i = 0; i < GPUS_MOST; i++) {
        if (n.at_id[i].lock.fd >= 0) tt_files_run(unlock, &n.at_id[i].lock);
        n.at_id[i].used = false;
    }
}
