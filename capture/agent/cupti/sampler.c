/* capture/agent/cupti/sampler.c - CPU utilisation, and the times to sample GPUs. See sampler.h.
 *
 * Recorded are: CPU time of the process (all threads, may exceed 100 %) relative to wall time, and to its CPU limit
 * if it has one; CPU time of the machine from /proc/stat, which stays open. GPUs: nvml.c. */
#include "capture/agent/cupti/sampler.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "capture/agent/core/write_records.h"
#include "capture/agent/cupti/nvml.h"
#include "capture/shared/cpu_limit.h"
#include "capture/shared/files.h"

enum { MACHINE_TEXT = 512 }; /* the first line of /proc/stat */
enum { TICK_PATIENCE_NS = 100000000 };

typedef struct sampler {
    int64_t cpu_at; /* time of the last sample */
    uint64_t process_ns, busy, all;
    bool have;
    tt_own machine; /* /proc/stat */
    double allowed; /* CPU limit of the process in processors; 0: none */
} sampler;

static sampler s; /* used by the writer thread */

/* ---- CPU ---- */

static uint64_t process_ns(void)
{
    struct timespec t = {0};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static void open_machine(void *arg)
{
    (void)arg;
    if (!tt_own_holds(&s.machine, NULL)) tt_own_open(&s.machine, "/proc/stat", O_RDONLY, 0);
}

static void read_machine(void *arg)
{
    char *text = arg;
    open_machine(NULL);
    if (s.machine.fd < 0) return;
    ssize_t n = pread(s.machine.fd, text, MACHINE_TEXT - 1, 0);
    text[n > 0 ? n : 0] = 0;
}

static bool machine_ticks(uint64_t *busy, uint64_t *all)
{
    char text[MACHINE_TEXT] = "";
    unsigned long long v[8] = {0};
    tt_files_run(read_machine, text);
    if (sscanf(text, "cpu %llu %llu %llu %llu %llu %llu %llu %llu", &v[0], &v[1], &v[2], &v[3], &v[4], &v[5], &v[6],
               &v[7]) < 4) {
        return false;
    }
    *all = 0;
    for (int i = 0; i < 8; i++) *all += v[i];
    *busy = *all - v[3] - v[4]; /* v[3]: idle, v[4]: waiting for disks */
    return true;
}

/* The machine's CPU time has not ticked since the last sample. Ticks last some ms: the sample then waits, so that
 * the lines of machine and process have the same points. If no tick ever comes, the process still gets its line. */
static bool between_ticks(uint64_t all, int64_t now)
{
    return s.have && all <= s.all && now - s.cpu_at < TICK_PATIENCE_NS;
}

static void sample_cpu(tt_recorder *r, int64_t now)
{
    uint64_t mine = process_ns(), busy, all;
    if (!machine_ticks(&busy, &all) || between_ticks(all, now)) return;
    if (s.have && now > s.cpu_at && (atomic_load(&r->gate) & TT_GATE_RECORDING)) {
        double seconds = (double)(now - s.cpu_at) * 1e-9;
        double process = 100 * (double)(mine - s.process_ns) * 1e-9 / seconds;
        tt_write_sample(r, now, "CPU utilisation %", "process", -1, process);
        if (s.allowed > 0)
            tt_write_sample(r, now, "CPU utilisation %", "process, of its limit", -1, process / s.allowed);
        if (all > s.all)
            tt_write_sample(r, now, "CPU utilisation %", "system", -1,
                            100 * (double)(busy - s.busy) / (double)(all - s.all));
    }
    s.process_ns = mine;
    s.busy = busy;
    s.all = all;
    s.cpu_at = now;
    s.have = true;
}

static void count_processors(void *arg)
{
    double all = (double)sysconf(_SC_NPROCESSORS_ONLN), allowed = tt_processors_allowed("");
    if (allowed < all) *(double *)arg = allowed;
}

/* Find the CPU limit: a container sees the whole machine but may use only a part of it. */
static void find_limit(tt_recorder *r)
{
    char text[32];
    tt_files_run(count_processors, &s.allowed);
    if (!(s.allowed > 0)) return;
    snprintf(text, sizeof text, "%.2f", s.allowed);
    tt_write_meta(r, "processors_allowed", text);
}

void tt_sampler_start(tt_recorder *r)
{
    s = (sampler){.machine = {.fd = -1}};
    if (r->set.traces >> TT_TRACE_CPU & 1) {
        find_limit(r);
        if (r->set.cpu_hz) tt_files_run(open_machine, NULL);
    }
    tt_nvml_start();
}

void tt_sampler_poll(tt_recorder *r, int64_t now)
{
    const tt_capture_settings *set = &r->set;
    if (set->cpu_hz && (set->traces >> TT_TRACE_CPU & 1) && now - s.cpu_at >= 1000000000 / set->cpu_hz)
        sample_cpu(r, now);
    if (set->nvml_hz && (set->traces >> TT_TRACE_NVML & 1)) tt_nvml_poll(r, now);
}

static void close_machine(void *arg) { tt_own_close(arg); }

void tt_sampler_stop(void)
{
    tt_files_run(close_machine, &s.machine);
    tt_nvml_stop();
}
