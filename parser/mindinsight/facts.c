/* parser/mindinsight/facts.c - facts of the run: from profiler_info and flops_summary, and the kind of the device from
 * the names of the files. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/text/json_text.h"
#include "parser/json/string.h"
#include "parser/mindinsight/folder.h"

/* Copy a number as the file spells it, or the text of a string. */
static void copy_fact(tt_mi *m, const char *from, const char *end, const char *key)
{
    tt_json_member v;
    if (!tt_json_find(from, end, key, &v) || !v.value_n || *v.value == '{' || *v.value == '[') return;
    if (*v.value != '"') {
        if (v.value_n != 4 || memcmp(v.value, "null", 4) != 0) tt_mi_fact(m, key, v.value, v.value_n);
        return;
    }
    if (v.value_n < 2) return;
    char *text = tt_malloc(v.value_n);
    tt_mi_fact(m, key, text, tt_json_unescape(v.value + 1, v.value_n - 2, text, NULL));
    free(text);
}

static void read_info(tt_mi *m)
{
    static const char *const keys[] = {"context_mode", "parallel_mode", "stage_num", "rank_size", "ms_version"};
    tt_text text;
    int64_t v;
    if (!tt_mi_text(m, "profiler_info", &text)) return;
    const char *end = text.at + text.n, *from = tt_json_blanks(text.at, end);
    if (*from != '{' || !tt_json_value_end(from, end))
        tt_mi_bad(m, "profiler_info", &text, *from == '{' ? end : from,
                  *from == '{' ? "ends early" : "is no JSON object");
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) copy_fact(m, from, end, keys[i]);
    if (tt_mi_integer(from, end, "rank_id", &v) && v >= 0) m->rank = m->h->rank = v;
    if (tt_mi_integer(from, end, "rank_size", &v) && v > 0) m->h->world_size = v;
    tt_vec_free(&text);
}

/* Add a fact that sums up a number: the total if given, else cube unit plus vector unit. */
static bool sum_fact(tt_mi *m, const tt_text *text, const char *const keys[3], const char *fact)
{
    const char *end = text->at + text->n, *from = tt_json_blanks(text->at, end);
    double sum = NAN, v;
    char number[40];
    for (size_t i = 0; i < 3; i++) {
        if (i == 1 && !isnan(sum)) break;
        if (tt_mi_number(from, end, keys[i], &v)) sum = isnan(sum) ? v : sum + v;
    }
    if (isnan(sum)) return false;
    tt_mi_fact(m, fact, number, (size_t)snprintf(number, sizeof number, "%.15g", sum));
    return true;
}

/* Facts: 10^6 operations in a step, and 10^9 in a second. */
static void read_flops(tt_mi *m)
{
    static const char *const count[3] = {"FLOPs", "cube_FLOPs", "vec_FLOPs"};
    static const char *const speed[3] = {"FLOPS", "cube_FLOPS", "vec_FLOPS"};
    tt_text text;
    if (!tt_mi_text(m, "flops_summary", &text)) return;
    sum_fact(m, &text, speed, "gflops_per_s");
    if (!sum_fact(m, &text, count, "flops")) tt_mi_bad(m, "flops_summary", &text, NULL, "has no FLOPs");
    tt_vec_free(&text);
}

/* Files of an Ascend come first, as in MindInsight. */
const char *tt_mi_device_type(const tt_mi *m)
{
    static const char *const ascend[] = {"aicore_types", "aicore_details", "aicpu", "framework",
                                         "device_tasks", "first_cycle",    "links", "get_next_us"};
    static const char *const gpu[] = {"gpu_types", "gpu_details", "gpu_activity", "gpu_kernels", "get_next_ns"};
    static const char *const cpu[] = {"cpu_types", "cpu_details"};
    const char *timeline = tt_mi_file(m, "timeline"), *cluster = tt_mi_file(m, "cluster");
    if (!strncmp(timeline, "ascend_", 7) || !strncmp(cluster, "ascend_", 7)) return "ascend";
    for (size_t i = 0; i < sizeof ascend / sizeof *ascend; i++)
        if (tt_input_has(m->in, ascend[i])) return "ascend";
    if (!strncmp(timeline, "gpu_", 4) || !strncmp(cluster, "gpu_", 4)) return "gpu";
    for (size_t i = 0; i < sizeof gpu / sizeof *gpu; i++)
        if (tt_input_has(m->in, gpu[i])) return "gpu";
    if (!strncmp(timeline, "cpu_", 4)) return "cpu";
    for (size_t i = 0; i < sizeof cpu / sizeof *cpu; i++)
        if (tt_input_has(m->in, cpu[i])) return "cpu";
    return "";
}

void tt_mi_facts(tt_mi *m)
{
    const char *device = tt_mi_device_type(m);
    tt_mi_fact(m, "device_type", device, strlen(device));
    read_info(m);
    read_flops(m);
}
