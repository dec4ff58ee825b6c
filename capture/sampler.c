/* capture/sampler.c - counters of processor use, and when GPUs are sampled. See sampler.h.
 *
 * /proc/self/stat against the clock (all threads, may exceed 100 %), and against what the process may use where that is not the whole
 * machine; /proc/stat for the machine. GPUs: nvml.c.                                                                     */
#include "capture/sampler.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "capture/nvml.h"
#include "capture/processors.h"
#include "capture/sysfile.h"

typedef struct sampler {
    int64_t cpu_at; /* time of the last sample */
    uint64_t process_ticks, busy, all;
    bool have;
    long hz;
    double allowed; /* processors that the process may use, where they are not all; else 0 */
} sampler;

static sampler s; /* of the writer thread */

/* ---- CPU ---- */

static bool process_ticks(uint64_t *out)
{
    char text[1024];
    unsigned long long user, system;
    if (!tt_sysfile_read("/proc/self/stat", text, sizeof text)) return false;
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
    if (!tt_sysfile_read("/proc/stat", text, sizeof text)) return false;
    if (sscanf(text, "cpu %llu %llu %llu %llu %llu %llu %llu %llu", &v[0], &v[1], &v[2], &v[3], &v[4], &v[5], &v[6],
               &v[7]) < 4) {
        return false;
    }
    *all = 0;
    for (int i = 0; i < 8; i++) *all += v[i];
    *busy = *all - v[3] - v[4]; /* idle, waiting for disks */
    return true;
}

void tt_sampler_put(tt_recorder *r, int64_t ts, const char *name, const char *key, int device, double value)
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
        double process = 100 * (double)(mine - s.process_ticks) / (double)s.hz / seconds;
        tt_sampler_put(r, now, "CPU utilisation %", "process", -1, process);
        if (s.allowed > 0)
            tt_sampler_put(r, now, "CPU utilisation %", "process, of its limit", -1, process / s.allowed);
        if (all > s.all)
            tt_sampler_put(r, now, "CPU utilisation %", "system", -1,
                           100 * (double)(busy - s.busy) / (double)(all - s.all));
    }
    s.process_ticks = mine;
    s.busy = busy;
    s.all = all;
    s.cpu_at = now;
    s.have = true;
}

/* A container sees the whole machine, and may use a part of it. */
static void find_limit(tt_recorder *r)
{
    char text[32];
    double all = (double)sysconf(_SC_NPROCESSORS_ONLN), allowed = tt_processors_allowed("");
    if (!(allowed < all)) return;
    s.allowed = allowed;
    snprintf(text, sizeof text, "%.2f", allowed);
    tt_writer_meta(r, "processors_allowed", text);
}

void tt_sampler_start(tt_recorder *r)
{
    s = (sampler){.hz = sysconf(_SC_CLK_TCK)};
    if (s.hz < 1) s.hz = 100;
    if (r->set.traces >> TT_TRACE_CPU & 1) find_limit(r);
    tt_nvml_start();
}

void tt_sampler_poll(tt_recorder *r, int64_t now)
{
    const tt_settings *set = &r->set;
    if (set->cpu_hz && (set->traces >> TT_TRACE_CPU & 1) && now - s.cpu_at >= 1000000000 / set->cpu_hz)
        sample_cpu(r, now);
    if (set->nvml_hz && (set->traces >> TT_TRACE_NVML & 1)) tt_nvml_poll(r, now);
}

void tt_sampler_stop(void) { tt_nvml_stop(); }
