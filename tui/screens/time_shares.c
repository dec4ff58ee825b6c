/* tui/screens/time_shares.c - see time_shares.h. */
#include "tui/screens/time_shares.h"

#include <string.h>

#include "model/tables/analysis/wait_cause.h"
#include "tui/screen/table_fetch.h"
#include "tui/screens/step_parts.h"

/* Idle time as a person asks about it: several causes of idle_causes are one question each. */
typedef struct idle_kind {
    const char *title;
    tt_hue hue;
    unsigned causes; /* bits 1u << tt_wait_cause */
} idle_kind;
static const idle_kind idle_kinds[] = {
    {"input", TT_HUE_DATALOADER, 1u << TT_WAIT_INPUT},
    {"CPU", TT_HUE_CPU_OP, 1u << TT_WAIT_RUNTIME | 1u << TT_WAIT_OPERATOR | 1u << TT_WAIT_BETWEEN},
    {"launch", TT_HUE_RUNTIME, 1u << TT_WAIT_LAUNCH},
    {"queued", TT_HUE_OVERHEAD, 1u << TT_WAIT_QUEUE},
    {"sync", TT_HUE_SYNC, 1u << TT_WAIT_SYNC},
    {"other", TT_HUE_OTHER, 1u << TT_WAIT_UNKNOWN},
};
enum { N_IDLE_KINDS = sizeof idle_kinds / sizeof *idle_kinds };

static int64_t sum_of(const tt_table *t, const char *key)
{
    int64_t sum = 0;
    for (uint32_t r = 0; t && r < t->n_rows; r++) {
        int64_t ns = tt_cell_int(t, r, key);
        if (ns > 0) sum += ns;
    }
    return sum;
}

static void add(tt_time_shares *o, const char *title, tt_hue hue, bool idle, int64_t ns)
{
    if (ns <= 0 || o->n == TT_TIME_SHARES) return;
    o->at[o->n++] = (tt_time_share){title, hue, idle, ns, 0};
    o->ns += ns;
}

static unsigned cause_bit(const char *name)
{
    for (int k = 0; k < TT_WAIT_COUNT_; k++)
        if (!strcmp(name, tt_wait_name[k])) return 1u << k;
    return 1u << TT_WAIT_UNKNOWN;
}

static void device_shares(tt_time_shares *o, const tt_table *t, const tt_table *why)
{
    int64_t idle = sum_of(t, "idle_ns");
    add(o, "compute", TT_HUE_KERNEL, false, sum_of(t, "computation_ns"));
    add(o, "exposed comm.", TT_HUE_COMMUNICATION, false, sum_of(t, "communication_exposed_ns"));
    add(o, "copies", TT_HUE_MEMCPY, false, sum_of(t, "copy_exposed_ns"));
    for (int k = 0; k < N_IDLE_KINDS; k++) {
        bool last = k + 1 == N_IDLE_KINDS;
        int64_t ns = 0;
        for (uint32_t r = 0; why && r < why->n_rows && !last; r++) {
            int64_t v = tt_cell_int(why, r, "idle_ns");
            if (v > 0 && idle_kinds[k].causes & cause_bit(tt_cell_str(why, r, "cause"))) ns += v;
        }
        if (last || ns > idle) ns = idle; /* what is left */
        idle -= ns;
        add(o, idle_kinds[k].title, idle_kinds[k].hue, true, ns);
    }
}

/* Largest remainder: tenths of a percent that add up to 1000, each at most one off its share. */
static void make_permille(tt_time_shares *o)
{
    int given = 0;
    bool more[TT_TIME_SHARES] = {false};
    for (int i = 0; i < o->n; i++) {
        o->at[i].permille = (int)((__int128)o->at[i].ns * 1000 / o->ns);
        given += o->at[i].permille;
    }
    for (; o->n && given < 1000; given++) {
        int best = -1;
        int64_t rest = -1;
        for (int i = 0; i < o->n; i++) {
            int64_t r = (int64_t)((__int128)o->at[i].ns * 1000 % o->ns);
            if (!more[i] && r > rest) best = i, rest = r;
        }
        if (best < 0) return;
        more[best] = true;
        o->at[best].permille++;
    }
}

tt_time_shares tt_time_shares_of(const tt_table *steps, const tt_table *gpu_time, const tt_table *idle_causes)
{
    tt_time_shares o = {.mean_step = TT_UNKNOWN};
    if (steps && steps->n_rows) o.mean_step = sum_of(steps, "total_ns") / steps->n_rows;
    o.device = sum_of(gpu_time, "busy_ns") > 0;
    if (o.device) device_shares(&o, gpu_time, idle_causes);
    for (int p = 0; p < TT_STEP_PARTS && !o.device; p++)
        add(&o, tt_step_parts_shown[p].title, tt_step_parts_shown[p].hue, false,
            sum_of(steps, tt_step_parts_shown[p].key));
    if (o.ns > 0) make_permille(&o);
    return o;
}
