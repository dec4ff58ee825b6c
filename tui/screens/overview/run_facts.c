/* tui/screens/overview/run_facts.c - see run_facts.h. */
#include "tui/screens/overview/run_facts.h"
#include "model/base/buf.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "model/tables/cells.h"
#include "model/tables/overview/columns.h"
#include "tui/screen/table_fetch.h"
#include "tui/widgets/format_value.h"

const char *tt_run_value(const tt_table *t, const char *key)
{
    for (uint32_t r = 0; t && r < t->n_rows; r++)
        if (!strcmp(tt_cell_s(t, r, TT_RUN_KEY), key)) return tt_cell_s(t, r, TT_RUN_VALUE);
    return "";
}

static void add(tt_run_fact *f, int *n, const char *label, const char *text)
{
    if (!*text || *n == TT_RUN_FACTS) return;
    f[*n].label = label;
    snprintf(f[(*n)++].text, sizeof f->text, "%.95s", text);
}

/* Write a duration like "194.924 ms" with the four digits of a sentence. */
static void add_duration(tt_run_fact *f, int *n, const char *value)
{
    char *unit, text[64], micro[64];
    double v = strtod(value, &unit);
    if (unit == value || v >= 9999.5)
        snprintf(text, sizeof text, "%.60s", value);
    else
        snprintf(text, sizeof text, "%.4g%.20s", v, unit);
    add(f, n, "Duration", tt_format_micro(text, micro, sizeof micro));
}

/* Write a version of CUDA: 12040 is CUDA 12.4. */
static void add_cuda(tt_run_fact *f, int *n, const char *label, const char *number)
{
    char text[32] = "";
    long v = strtol(number, NULL, 10);
    if (v >= 1000) snprintf(text, sizeof text, "%ld.%ld", v / 1000, v % 1000 / 10);
    add(f, n, label, text);
}

static void add_start(tt_run_fact *f, int *n, const char *ns)
{
    char text[40] = "";
    time_t seconds = (time_t)(strtoll(ns, NULL, 10) / 1000000000);
    struct tm tm;
    if (*ns && seconds > 0 && gmtime_r(&seconds, &tm)) strftime(text, sizeof text, "%Y-%m-%d %H:%M UTC", &tm);
    add(f, n, "Recorded", text);
}

static void add_flag(tt_run_fact *f, int *n, const char *label, const char *value)
{
    bool yes = !strcmp(value, "1") || !strcasecmp(value, "true");
    add(f, n, label, *value ? yes ? "yes" : "no" : "");
}

/* Write the utilisation of processors as the profiler measured it: "process 180%, system 41%". */
static void add_processors(const tt_table *t, tt_run_fact *f, int *n)
{
    char text[96] = "";
    tt_buf line = tt_buf_of(text);
    for (uint32_t r = 0; t && r < t->n_rows && line.n < 60; r++) {
        const char *device = tt_cell_s(t, r, TT_DEVICES_DEVICE);
        double pct = tt_cell_d(t, r, TT_DEVICES_UTILIZATION_PCT);
        bool process = !strcmp(device, "CPU(Process)");
        if ((process || !strcmp(device, "CPU(System)")) && !isnan(pct) && strcmp(tt_cell_worker(t, r), "") == 0)
            tt_buf_list(&line, ", ", "%s %.0f%%", process ? "process" : "system", pct);
    }
    add(f, n, "CPU use", text);
}

int tt_run_facts(const tt_session *s, const tt_table *run, const tt_table *devices, tt_run_fact f[TT_RUN_FACTS])
{
    int n = 0;
    char text[96] = "";
    snprintf(text, sizeof text, "%.60s %.30s", tt_run_value(run, "framework"), tt_run_value(run, "framework_version"));
    for (size_t k = strlen(text); k && text[k - 1] == ' '; k--) text[k - 1] = 0;
    add(f, &n, "Framework", text);
    *text = 0;
    for (uint32_t r = 0; devices && r < devices->n_rows && !*text; r++) {
        char bytes[TT_TEXT_CAP] = "";
        const char *name = tt_cell_s(devices, r, TT_DEVICES_NAME);
        int64_t memory = tt_cell_i(devices, r, TT_DEVICES_MEMORY_BYTES);
        if (!*name) continue;
        if (memory > 0) tt_format_bytes(bytes, memory);
        snprintf(text, sizeof text, "%.60s%s%s", name, *bytes ? ", " : "", bytes);
    }
    add(f, &n, "Device", text);
    add_duration(f, &n, tt_run_value(run, "recorded_time"));
    if (s->n_workers < 2) add(f, &n, "Rank", tt_run_value(run, "rank"));
    add(f, &n, "World size", tt_run_value(run, "world_size"));
    add_flag(f, &n, "Python stacks", tt_run_value(run, "with_stack"));
    add_flag(f, &n, "Shapes", tt_run_value(run, "record_shapes"));
    add_flag(f, &n, "Memory", tt_run_value(run, "profile_memory"));
    add_flag(f, &n, "Modules", tt_run_value(run, "with_modules"));
    add_cuda(f, &n, "CUDA", tt_run_value(run, "cuda_runtime_version"));
    add_cuda(f, &n, "CUDA driver", tt_run_value(run, "cuda_driver_version"));
    add(f, &n, "Recorder", tt_run_value(run, "recorder"));
    add(f, &n, "Overhead", tt_run_value(run, "capture_overhead"));
    add_processors(devices, f, &n);
    add_start(f, &n, tt_run_value(run, "start_epoch_ns"));
    return n;
}
