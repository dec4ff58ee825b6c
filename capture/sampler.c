/* capture/sampler.c - counters of processor and GPU use. See sampler.h.
 *
 * CPU: /proc/self/stat against the clock (all threads, may exceed 100 %), /proc/stat for the machine. GPU: NVML, loaded at run time, with
 * prototypes of our own; one process of a run samples it (a lock file in the run's directory).                           */
#include "capture/sampler.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

enum { GPUS_MOST = 16 };

typedef struct nvml {
    void *lib;
    int lock_fd;
    unsigned n;
    void *device[GPUS_MOST];
    int (*utilization)(void *device, unsigned out[2]);      /* gpu %, memory % */
    int (*memory)(void *device, unsigned long long out[3]); /* total, free, used */
    int (*power)(void *device, unsigned *milliwatt);
    int (*clock)(void *device, int type, unsigned *mhz);
    int (*shutdown)(void);
} nvml;

typedef struct sampler {
    int64_t cpu_at, gpu_at; /* time of the last sample */
    uint64_t process_ticks, busy, all;
    bool have;
    long hz;
    nvml gpu;
} sampler;

static sampler s; /* of the writer thread */

/* ---- CPU ---- */

static bool read_file(const char *path, char *out, size_t cap)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return false;
    ssize_t n = read(fd, out, cap - 1);
    close(fd);
    out[n > 0 ? n : 0] = 0;
    return n > 0;
}

static bool process_ticks(uint64_t *out)
{
    char text[1024];
    unsigned long long user, system;
    if (!read_file("/proc/self/stat", text, sizeof text)) return false;
    const char *p = strrchr(text, ')'); /* the name may hold anything */
    if (!p || sscanf(p + 1, " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %llu %llu", &user, &system) != 2)
        return false;
    *out = user + system;
    return true;
}

static bool machine_ticks(uint64_t *busy, uint64_t *all)
{
    char text[512];
    unsigned long long v[8] = {0};
    if (!read_file("/proc/stat", text, sizeof text)) return false;
    if (sscanf(text, "cpu %llu %llu %llu %llu %llu %llu %llu %llu", &v[0], &v[1], &v[2], &v[3], &v[4], &v[5], &v[6],
               &v[7]) < 4) {
        return false;
    }
    *all = 0;
    for (int i = 0; i < 8; i++) *all += v[i];
    *busy = *all - v[3] - v[4]; /* idle, waiting for disks */
    return true;
}

static void put(tt_recorder *r, int64_t ts, const char *name, const char *key, int device, double value)
{
    uint32_t n = tt_intern_put(&r->names, NULL, name, strlen(name)),
             k = tt_intern_put(&r->names, NULL, key, strlen(key));
    tt_writer_strings(r);
    tt_spool_counter *c = tt_spool_add(&r->spool, TT_SPOOL_COUNTER, sizeof *c, n);
    if (!c) return;
    c->ts = ts;
    c->value = value;
    c->key = k;
    c->device = device;
}

static void sample_cpu(tt_recorder *r, int64_t now)
{
    uint64_t mine, busy, all;
    if (!process_ticks(&mine) || !machine_ticks(&busy, &all)) return;
    if (s.have && now > s.cpu_at && (atomic_load(&r->gate) & TT_GATE_RECORDING)) {
        double seconds = (double)(now - s.cpu_at) * 1e-9;
        put(r, now, "CPU utilisation %", "process", -1,
            100 * (double)(mine - s.process_ticks) / (double)s.hz / seconds);
        if (all > s.all)
            put(r, now, "CPU utilisation %", "system", -1, 100 * (double)(busy - s.busy) / (double)(all - s.all));
    }
    s.process_ticks = mine;
    s.busy = busy;
    s.all = all;
    s.cpu_at = now;
    s.have = true;
}

/* ---- GPU ---- */

static bool symbol(void *lib, const char *name, void *out)
{
    void *f = dlsym(lib, name);
    memcpy(out, &f, sizeof f);
    return f != NULL;
}

static void open_nvml(tt_recorder *r)
{
    nvml *g = &s.gpu;
    char path[640];
    int (*init)(void) = NULL, (*count)(unsigned *) = NULL, (*by_index)(unsigned, void **) = NULL;
    unsigned n = 0;
    g->lib = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!g->lib) return; /* no driver: CUPTI's note says so */
    bool good = symbol(g->lib, "nvmlInit_v2", &init) && symbol(g->lib, "nvmlDeviceGetCount_v2", &count) &&
                symbol(g->lib, "nvmlDeviceGetHandleByIndex_v2", &by_index) &&
                symbol(g->lib, "nvmlShutdown", &g->shutdown);
    symbol(g->lib, "nvmlDeviceGetUtilizationRates", &g->utilization);
    symbol(g->lib, "nvmlDeviceGetMemoryInfo", &g->memory);
    symbol(g->lib, "nvmlDeviceGetPowerUsage", &g->power);
    symbol(g->lib, "nvmlDeviceGetClockInfo", &g->clock);
    snprintf(path, sizeof path, "%s/nvml.lock", r->dir);
    g->lock_fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0644);
    if (!good || g->lock_fd < 0 || flock(g->lock_fd, LOCK_EX | LOCK_NB) || init()) return;
    count(&n);
    for (unsigned i = 0; i < n && g->n < GPUS_MOST; i++) {
        if (!by_index(i, &g->device[g->n])) g->n++;
    }
}

static void sample_gpu(tt_recorder *r, int64_t now)
{
    const nvml *g = &s.gpu;
    s.gpu_at = now;
    if (!(atomic_load(&r->gate) & TT_GATE_RECORDING)) return;
    for (unsigned i = 0; i < g->n; i++) {
        unsigned rates[2], v;
        unsigned long long memory[3];
        if (g->utilization && !g->utilization(g->device[i], rates))
            put(r, now, "GPU utilisation %", "gpu", (int)i, rates[0]);
        if (g->memory && !g->memory(g->device[i], memory)) {
            put(r, now, "GPU memory MiB", "used", (int)i, (double)memory[2] / 1048576);
        }
        if (g->power && !g->power(g->device[i], &v)) put(r, now, "GPU power W", "draw", (int)i, v / 1000.0);
        if (g->clock && !g->clock(g->device[i], 1, &v)) put(r, now, "SM clock MHz", "clock", (int)i, v);
    }
}

void tt_sampler_start(tt_recorder *r)
{
    s = (sampler){.hz = sysconf(_SC_CLK_TCK), .gpu = {.lock_fd = -1}};
    if (s.hz < 1) s.hz = 100;
    if (r->set.nvml_hz && (r->set.traces >> TT_TRACE_NVML & 1)) open_nvml(r);
}

void tt_sampler_poll(tt_recorder *r, int64_t now)
{
    const tt_settings *set = &r->set;
    if (set->cpu_hz && (set->traces >> TT_TRACE_CPU & 1) && now - s.cpu_at >= 1000000000 / set->cpu_hz)
        sample_cpu(r, now);
    if (s.gpu.n && now - s.gpu_at >= 1000000000 / set->nvml_hz) sample_gpu(r, now);
}

void tt_sampler_stop(void)
{
    if (s.gpu.n && s.gpu.shutdown) s.gpu.shutdown();
    if (s.gpu.lock_fd >= 0) close(s.gpu.lock_fd);
    s.gpu.n = 0;
    s.gpu.lock_fd = -1;
}
