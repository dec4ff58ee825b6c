/* parser/ascend/steps.c - table cluster_steps of a rank: from step_trace_time.csv, or from sums over the timeline. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "model/base/bisect.h"
#include "model/trace/trace.h"
#include "parser/ascend/folder.h"
#include "parser/csv/fields.h"

enum {
    TYPE,
    INDEX,
    STEP,
    COMPUTING,
    NOT_OVERLAPPED,
    OVERLAPPED,
    COMMUNICATION,
    FREE,
    STAGE,
    BUBBLE,
    NOT_RECEIVING,
    PREPARING,
    N_COLUMN
};
static const tt_imported_key columns[N_COLUMN] = {
    {"type", TT_T_STRING},
    {"index", TT_T_STRING},
    {"step", TT_T_STRING},
    {"computing_ns", TT_T_DURATION},
    {"not_overlapped_ns", TT_T_DURATION},
    {"overlapped_ns", TT_T_DURATION},
    {"communication_ns", TT_T_DURATION},
    {"free_ns", TT_T_DURATION},
    {"stage_ns", TT_T_DURATION},
    {"bubble_ns", TT_T_DURATION},
    {"not_overlapped_exclude_receive_ns", TT_T_DURATION},
    {"preparing_ns", TT_T_DURATION},
};
static const tt_csv_field fields[N_COLUMN] = {
    [STEP] = {"Step", TT_CSV_OWN},
    [COMPUTING] = {"Computing", TT_CSV_NEEDED},
    [NOT_OVERLAPPED] = {"Communication(Not Overlapped)", TT_CSV_NEEDED},
    [OVERLAPPED] = {"Overlapped", TT_CSV_NEEDED},
    [COMMUNICATION] = {"Communication", TT_CSV_NEEDED},
    [FREE] = {"Free", TT_CSV_NEEDED},
    [STAGE] = {"Stage", 0},
    [BUBBLE] = {"Bubble", 0},
    [NOT_RECEIVING] = {"Communication(Not Overlapped and Exclude Receive)", 0},
    [PREPARING] = {"Preparing", 0},
};

static uint32_t add_row(const tt_ascend *a, tt_imported *t, const char *step, size_t n)
{
    char rank[24];
    uint32_t row = tt_imported_row(t);
    int len = snprintf(rank, sizeof rank, "%" PRId64, a->rank);
    tt_imported_set_s(t, row, TYPE, "rank", 4);
    if (a->rank >= 0) tt_imported_set_s(t, row, INDEX, rank, (size_t)len);
    if (n) tt_imported_set_s(t, row, STEP, step, n); /* empty = recorded without a schedule */
    return row;
}

bool tt_ascend_steps(tt_ascend *a)
{
    if (!tt_input_has(a->in, ROLE_STEPS)) return false;
    tt_csv *csv = tt_csv_open(a->in, ROLE_STEPS, NULL, &a->problems);
    tt_imported *t = NULL;
    int at[N_COLUMN];
    tt_csv_find(csv, fields, N_COLUMN, at);
    while (!tt_ascend_cancelled(a) && tt_csv_next(csv)) {
        tt_csv_text number = tt_csv_cell(csv, at[STEP]);
        if (!t) t = tt_ascend_table(a, "cluster_steps", columns, N_COLUMN);
        tt_csv_set_row(csv, fields, at, t, add_row(a, t, number.at, number.n));
    }
    tt_csv_close(csv);
    return t != NULL;
}

/* ---- from the timeline ---- */

typedef struct sums { /* sums of one step */
    int64_t from, to; /* device work that starts in this range counts */
    int64_t ns[N_COLUMN];
    int64_t first, last; /* range of computation, communication and receives; TT_UNKNOWN = none */
    int64_t first_busy;  /* start of the first computation or communication; TT_UNKNOWN = none */
} sums;

/* Set the start of each step's device work: its first work launched within the step on the host. */
static void device_starts(const tt_trace *s, sums *all)
{
    for (uint32_t i = 0; i < s->n_links; i++) {
        int64_t launch = s->start[s->launch_row[i]], at = s->start[s->dev[s->launched_activity[i]].row];
        uint32_t lo = 0, hi = s->n_steps;
        TT_BISECT(lo, hi, k, s->steps[k].host_end <= launch);
        if (lo < s->n_steps && launch >= s->steps[lo].host_start && at < all[lo].from) all[lo].from = at;
    }
}

static sums *begin(const tt_trace *s)
{
    sums *all = tt_calloc(s->n_steps, sizeof *all);
    for (uint32_t i = 0; i < s->n_steps; i++) {
        all[i].from = INT64_MAX;
        all[i].first = all[i].last = all[i].first_busy = TT_UNKNOWN;
    }
    device_starts(s, all);
    for (uint32_t i = 0; i < s->n_steps; i++) {
        const tt_step *step = &s->steps[i];
        bool none = step->row == TT_NONE;
        if (none) all[i].from = INT64_MIN;
        if (all[i].from == INT64_MAX) all[i].from = step->host_start;
        all[i].to = none ? INT64_MAX : step->end > all[i].from ? step->end : all[i].from;
        if (i && all[i].from < all[i - 1].to) all[i - 1].to = all[i].from; /* each belongs to one step */
    }
    return all;
}

static void cover(sums *k, int64_t start, int64_t end)
{
    if (k->first == TT_UNKNOWN || start < k->first) k->first = start;
    if (k->last == TT_UNKNOWN || end > k->last) k->last = end;
}

static sums *step_of(sums *all, uint32_t n, int64_t start)
{
    uint32_t lo = 0, hi = n;
    TT_BISECT(lo, hi, k, all[k].to <= start);
    return lo < n && start >= all[lo].from ? &all[lo] : NULL;
}

/* Add a row of the process "Overlap Analysis": computation, communication, both, or none. */
static bool add_overlap(const tt_trace *s, const tt_track *track, sums *all)
{
    bool any = false;
    for (tt_row r = track->first; r < track->first + track->n; r++) {
        const char *name = tt_row_name(s, r);
        unsigned column = !strcmp(name, fields[COMPUTING].names)        ? COMPUTING
                          : !strcmp(name, fields[COMMUNICATION].names)  ? COMMUNICATION
                          : !strcmp(name, fields[NOT_OVERLAPPED].names) ? NOT_OVERLAPPED
                          : !strcmp(name, fields[FREE].names)           ? FREE
                                                                        : N_COLUMN;
        sums *k = column < N_COLUMN ? step_of(all, s->n_steps, s->start[r]) : NULL;
        if (!k) continue;
        any = true;
        k->ns[column] += s->dur[r];
        if (column == FREE) continue;
        cover(k, s->start[r], tt_row_end(s, r));
        if (column != NOT_OVERLAPPED && (k->first_busy == TT_UNKNOWN || s->start[r] < k->first_busy))
            k->first_busy = s->start[r];
    }
    return any;
}

/* Add whole receives from another pipeline stage, which have their own row, not the parts of a receive. */
static void add_receives(const tt_trace *s, const tt_track *track, sums *all)
{
    for (tt_row r = track->first; r < track->first + track->n; r++) {
        if (strncasecmp(tt_row_name(s, r), "hcom_receive", 12) != 0) continue;
        sums *k = step_of(all, s->n_steps, s->start[r]);
        if (!k) continue;
        k->ns[BUBBLE] += s->dur[r];
        cover(k, s->start[r], tt_row_end(s, r));
    }
}

static bool begins(const char *text, const char *with) { return !strncmp(text, with, strlen(with)); }

static bool gather(const tt_trace *s, sums *all)
{
    bool any = false;
    for (uint32_t t = 0; t < s->n_tracks; t++) {
        const tt_track *track = &s->tracks[t];
        const char *process = tt_str(&s->strings, s->processes[track->process].name);
        if (begins(process, "Overlap Analysis")) any |= add_overlap(s, track, all);
        if ((begins(process, "HCCL") || begins(process, "Communication")) &&
            !begins(tt_str(&s->strings, track->name), "Plane"))
            add_receives(s, track, all);
    }
    return any;
}

static void put_sums(const tt_ascend *a, const tt_trace *s, tt_imported *t, uint32_t i, sums *k)
{
    const tt_step *step = &s->steps[i];
    char number[24];
    int n = snprintf(number, sizeof number, "%" PRId64, step->number);
    uint32_t row = add_row(a, t, number, step->row == TT_NONE ? 0 : (size_t)n);
    k->ns[OVERLAPPED] = k->ns[COMMUNICATION] - k->ns[NOT_OVERLAPPED];
    k->ns[STAGE] = k->first == TT_UNKNOWN ? 0 : k->last - k->first - k->ns[BUBBLE];
    k->ns[NOT_RECEIVING] = k->ns[NOT_OVERLAPPED] - k->ns[BUBBLE];
    for (uint32_t c = COMPUTING; c < PREPARING; c++) tt_imported_set_i(t, row, c, k->ns[c]);
    if (step->row != TT_NONE && k->first_busy != TT_UNKNOWN)
        tt_imported_set_i(t, row, PREPARING, k->first_busy - step->host_start);
}

void tt_ascend_steps_of_timeline(tt_ascend *a, const tt_trace *s)
{
    if (!s->n_steps) return;
    sums *all = begin(s);
    if (gather(s, all)) {
        tt_imported *t = tt_ascend_table(a, "cluster_steps", columns, N_COLUMN);
        for (uint32_t i = 0; i < s->n_steps; i++) put_sums(a, s, t, i, &all[i]);
    }
    free(all);
}
