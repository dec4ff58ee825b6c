/* model/tables/findings/none_found.c - see none_found.h. */
#include "model/tables/findings/none_found.h"
#include "model/tables/idle/tables.h"

#include <string.h>

#include "model/hang/hang.h"
#include "model/summary/stub.h"
#include "model/tables/findings/claims/finding.h"
#include "model/tables/idle/gpu_time.h"

static bool same_device(const tt_table *a, uint32_t row, const tt_table *b, uint32_t of)
{
    static const char *const keys[] = {"device", "worker", "span"};
    for (size_t k = 0; k < COUNT_OF(keys); k++) {
        const char *x = tt_finding_text(a, row, keys[k]), *y = tt_finding_text(b, of, keys[k]);
        if (x && y ? strcmp(x, y) != 0 : x != y) return false;
    }
    return true;
}

/* Row of idle_causes with the largest part of a device's time; TT_NONE. */
static uint32_t largest_cause(const tt_table *causes, const tt_table *time, uint32_t device)
{
    uint32_t most = TT_NONE;
    for (uint32_t r = 0; r < causes->n_rows; r++) {
        int64_t ns = tt_finding_int(causes, r, "idle_ns");
        if (ns > (most == TT_NONE ? 0 : tt_finding_int(causes, most, "idle_ns")) &&
            same_device(causes, r, time, device))
            most = r;
    }
    return most;
}

/* Whether the account of a summary, which has no events, is steps, by its rows of table overview. */
static bool kept_steps(const tt_summary *x)
{
    const char *why;
    const tt_imported *t = tt_summary_rows(x, "overview", &why);
    int name = t ? tt_imported_column_of(t, "name") : -1;
    for (uint32_t r = 0; name >= 0 && r < t->n_rows; r++) {
        const char *text = t->cells[(size_t)r * t->n_cols + (uint32_t)name].s;
        if (text && !strcmp(text, "steps")) return true;
    }
    return false;
}

static bool any_steps(const tt_query *q)
{
    bool any = false;
    for (uint32_t i = 0; i < q->session->n_traces && !any; i++) {
        const tt_summary *x = tt_summary_of(q->session->traces[i]);
        if (x) {
            any = kept_steps(x);
            continue;
        }
        tt_account a = tt_account_make(q->session, q->scope, i);
        any = a.kind == TT_ACCOUNT_STEPS && a.steps;
        tt_account_free(&a);
    }
    return any;
}

const char *tt_none_found(const tt_query *q, tt_table *t)
{
    const tt_hang *h = tt_hang_get(q->session);
    if (h) return tt_hang_verdict(h, &t->arena);
    tt_options none = {0};
    const char *note = NULL;
    tt_table *time = tt_table_compute(q->session, &tt_table_gpu_time, q->scope, &none);
    tt_table *causes = tt_table_compute(q->session, &tt_table_idle_causes, q->scope, &none);
    uint32_t least = tt_gpu_time_least_busy(time),
             cause = least == TT_NONE ? TT_NONE : largest_cause(causes, time, least);
    if (least != TT_NONE) {
        const char *worker = tt_finding_text(time, least, "worker");
        char device[TT_TITLE_CAP], rank[32];
        note = tt_arena_printf(&t->arena, "No findings. %s%s%s is busy %.1f%% %s",
                               tt_device_shown(tt_finding_text(time, least, "device"), device), worker ? " of " : "",
                               worker ? tt_rank_name(q->session, worker, rank) : "",
                               100 - tt_finding_real(time, least, "idle_pct"),
                               any_steps(q) ? "of the step time" : "of the time");
    }
    if (cause != TT_NONE)
        note = tt_arena_printf(
            &t->arena, "%s; largest idle cause: %s %.1f%%", note,
            tt_wait_text[tt_wait_named(tt_finding_text(causes, cause, "cause"))],
            tt_pct((double)tt_finding_int(causes, cause, "idle_ns"), (double)tt_finding_int(time, least, "total_ns")));
    tt_table_free(time);
    tt_table_free(causes);
    return note;
}
