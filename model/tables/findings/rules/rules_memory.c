/* model/tables/findings/rules/rules_memory.c - rules of table findings about memory: usage and copies. */
#include "model/base/group_by.h"
#include "model/tables/analysis/calls/python_line.h"
#include "model/tables/findings/rules/rules.h"
#include "model/tables/memory/memory.h"
#include "model/tables/memory/tables.h"
#include "model/trace/snapshot.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct memory_peak {
    int64_t bytes, at;
} memory_peak;
typedef TT_VEC(memory_peak) peak_list;

/* Collect the peak of every device with one, by group of its id. */
static void find_peaks(const tt_finding_context *c, tt_groups *ids, peak_list *peaks)
{
    for (uint32_t k = 0; k < c->s->n_memory; k++) {
        const tt_memory_record *m = &c->s->memory[k];
        if (m->device_type == 0 || m->device_type == TT_DEVICE_PINNED || m->allocated == TT_UNKNOWN) continue;
        uint32_t at = tt_groups_put(ids, (tt_group_key){.a = (uint64_t)m->device_id});
        if (at == peaks->n) *tt_vec_push(peaks) = (memory_peak){0};
        if (m->allocated > peaks->at[at].bytes && tt_query_has(c->q, m->ts))
            peaks->at[at] = (memory_peak){m->allocated, m->ts};
    }
}

static const char *size_in_digits(tt_table *t, int64_t bytes, int digits)
{
    static const char *const units[] = {"bytes", "KiB", "MiB", "GiB"};
    double size = (double)bytes;
    int unit = 0;
    for (; unit < 3 && size >= 1000; unit++) size /= 1024;
    return tt_arena_printf(&t->arena, "%.*g %s", digits, size, units[unit]);
}
static const char *size_text(tt_table *t, int64_t bytes) { return size_in_digits(t, bytes, 3); }

void tt_find_memory_limit(tt_finding_context *c)
{
    tt_groups ids;
    peak_list peaks = {0};
    if (!c->s->n_devices || !c->s->n_memory) return;
    tt_groups_init(&ids);
    find_peaks(c, &ids, &peaks);
    for (uint32_t i = 0; i < c->s->n_devices; i++) {
        const tt_device_props *p = &c->s->devices[i];
        if (p->memory_bytes == TT_UNKNOWN || p->memory_bytes <= 0) continue;
        uint32_t of = tt_groups_put(&ids, (tt_group_key){.a = (uint64_t)p->id});
        if (of >= peaks.n) continue;
        int64_t peak = peaks.at[of].bytes, at = peaks.at[of].at;
        double v = 100.0 * (double)peak / (double)p->memory_bytes;
        if (v <= 90) continue;
        const char *title = tt_arena_printf(&c->t->arena, "%s %" PRId64 " memory peaks at %.1f%% of %s",
                                            c->s->rules->device, p->id, v, size_text(c->t, p->memory_bytes));
        uint32_t row = tt_finding_add(c, "medium", title, "Use activation checkpointing or mixed precision");
        tt_set_d(c->t, row, TT_FINDING_VALUE_PCT, v);
        tt_set_range(c->q, c->t, row, at, at + 1);
    }
    tt_groups_free(&ids);
    tt_vec_free(&peaks);
}

/* ---- memory holders ---- */

/* Whether a frame belongs to the allocator, torch's C++ or the interpreter. */
static bool is_native(const char *frame, size_t n)
{
    static const char *const parts[] = {".cpp", ".cc:", ".cc(", ".cu", ".h:", ".h(", ".c:", ".c(", "??", "::"};
    for (size_t i = 0; i < COUNT_OF(parts); i++)
        if (memmem(frame, n, parts[i], strlen(parts[i]))) return true;
    return false;
}

/* The first frame of a stack outside the allocator and torch's C++; else its first frame. In the arena. */
static const char *holder_frame(tt_finding_context *c, const char *stack)
{
    for (const char *p = stack; *p; p += strspn(p, "; ")) {
        size_t n = strcspn(p, ";");
        if (n && !is_native(p, n)) return tt_arena_printf(&c->t->arena, "%.*s", (int)n, p);
        p += n;
    }
    return tt_arena_printf(&c->t->arena, "%.*s", (int)strcspn(stack, ";"), stack);
}

typedef struct holder { /* stack whose allocations hold most of a device's memory at a moment */
    const char *stack;  /* NULL: nothing was allocated; "" = unknown stack */
    const char *line;   /* program line in that stack; NULL: none */
    int64_t bytes;
    double pct; /* percent of the memory allocated on the device */
} holder;

/* The holder at time t of the trace. Its texts are in the arena. */
static holder holder_at(tt_finding_context *c, int64_t device, int64_t t)
{
    char line[512];
    tt_arena *a = &c->t->arena;
    const tt_session *s = c->q->session;
    tt_scope scope = *c->q->scope;
    int64_t at = tt_at(c->q, t);
    uint64_t id = tt_memory_device(&(tt_memory_record){.device_type = TT_SNAPSHOT_DEVICE_TYPE, .device_id = device});
    tt_options o = {.arg = {at ? at : 1, TT_ALIVE_DEVICE(c->q->trace, id)}};
    tt_scope_to_trace(s, c->q->trace, &scope);
    tt_table *alive = tt_table_compute(s, &tt_table_memory_peak, &scope, &o);
    holder h = {0};
    for (uint32_t r = 0; r < alive->n_rows; r++) {
        int64_t bytes = tt_finding_int(alive, r, "bytes");
        if (h.stack && bytes <= h.bytes) continue;
        const char *stack = tt_finding_text(alive, r, "stack");
        h = (holder){stack ? stack : "", NULL, bytes, tt_finding_real(alive, r, "pct")};
    }
    if (h.stack) {
        h.stack = tt_arena_printf(a, "%s", h.stack);
        if (tt_python_line_of_stack(h.stack, line, sizeof line)) h.line = tt_arena_printf(a, "%s", line);
    }
    tt_table_free(alive);
    return h;
}

/* ---- out of memory ---- */

typedef struct cached { /* memory that a device's allocator held unused when memory ran out */
    int64_t unused;     /* bytes; TT_UNKNOWN */
    int64_t largest;    /* largest free block when the snapshot was taken */
    bool exact;         /* nothing changed until the snapshot was taken; else rounding counts as unused */
} cached;

static cached cached_at(const tt_trace *s, const tt_snapshot_event *oom)
{
    cached c = {TT_UNKNOWN, 0, !s->snapshot->cut};
    uint64_t text = TT_SNAPSHOT_TEXT(oom - s->snapshot->events);
    int64_t free = 0;
    for (uint32_t i = 0; i < s->n_memory; i++) {
        const tt_memory_record *m = &s->memory[i];
        if (m->device_id != oom->device) continue;
        if (m->text < text) c.unused = m->reserved - m->allocated;
        if (m->text > text) c.exact = false;
    }
    for (uint32_t i = 0; i < s->snapshot->n_segments; i++) {
        const tt_snapshot_segment *g = &s->snapshot->segments[i];
        for (uint32_t k = 0; k < g->n && g->device == oom->device; k++) {
            const tt_snapshot_block *b = &s->snapshot->blocks[g->first + k];
            if (b->state != TT_BLOCK_FREE) continue;
            free += b->size;
            if (b->size > c.largest) c.largest = b->size;
        }
    }
    if (c.exact) c.unused = free;
    return c;
}

/* Why the allocation failed, and advice. */
static const char *oom_detail(tt_finding_context *c, const tt_snapshot_event *oom, const cached *k)
{
    tt_arena *a = &c->t->arena;
    holder h = holder_at(c, oom->device, oom->ts);
    const char *who = "", *why = "";
    if (h.stack && *h.stack)
        who = tt_arena_printf(a, "Largest holder: %s, %s (%.1f%%). ", h.line ? h.line : holder_frame(c, h.stack),
                              size_text(c->t, h.bytes), h.pct);
    if (k->unused != TT_UNKNOWN)
        why = tt_arena_printf(a, "PyTorch's cache held %s%s more, but its largest free piece %s %s. ",
                              k->exact ? "" : "up to ", size_text(c->t, k->unused), k->exact ? "was" : "at the end is",
                              size_text(c->t, k->largest));
    bool scattered = k->unused != TT_UNKNOWN && oom->size <= k->unused;
    return tt_arena_printf(a, "%s%s%s", who, why,
                           scattered ? "In one piece it would have been enough: set "
                                       "PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True"
                                     : "Tab Memory shows who held how much");
}

static void add_oom(tt_finding_context *c, const tt_snapshot_event *oom, int64_t times)
{
    tt_arena *a = &c->t->arena;
    cached k = cached_at(c->s, oom);
    const char *left = oom->addr == TT_SNAPSHOT_NOT_SAID
                           ? ""
                           : tt_arena_printf(a, ", %s free on the device", size_text(c->t, (int64_t)oom->addr));
    const char *often = times > 1 ? tt_arena_printf(a, " (the last of %" PRId64 " times)", times) : "";
    const char *title = tt_arena_printf(a, "Out of memory on %s %u: %s requested%s%s", c->s->rules->device, oom->device,
                                        size_text(c->t, oom->size), left, often);
    uint32_t row = tt_finding_add(c, "high", title, oom_detail(c, oom, &k));
    tt_set_i(c->t, row, TT_FINDING_START_AT, tt_at(c->q, oom->ts));
    tt_set_i(c->t, row, TT_FINDING_END_AT, tt_at(c->q, oom->ts));
    tt_set_range(c->q, c->t, row, oom->ts, oom->ts + 1);
}

/* Report the last failure of each device: it ended the program, or triggered the snapshot. */
void tt_find_out_of_memory(tt_finding_context *c)
{
    const tt_snapshot *p = c->s->snapshot;
    const tt_snapshot_event *last[UINT8_MAX + 1] = {NULL};
    int64_t times[UINT8_MAX + 1] = {0};
    for (uint32_t i = 0; p && i < p->n_ooms; i++) {
        const tt_snapshot_event *e = &p->events[p->ooms[i]];
        if (!tt_query_has(c->q, e->ts)) continue;
        last[e->device] = e;
        times[e->device]++;
    }
    for (unsigned d = 0; d <= UINT8_MAX; d++) {
        if (last[d]) add_oom(c, last[d], times[d]);
    }
}

/* ---- content of a snapshot ---- */

typedef struct device_peak {
    int64_t device, bytes, reserved, at;
} device_peak;

/* The device with the highest peak. */
static device_peak highest_peak(const tt_finding_context *c)
{
    device_peak p = {.device = -1};
    for (uint32_t k = 0; k < c->s->n_memory; k++) {
        const tt_memory_record *m = &c->s->memory[k];
        if (m->device_type == 0 || m->device_type == TT_DEVICE_PINNED || m->allocated == TT_UNKNOWN) continue;
        if (!tt_query_has(c->q, m->ts) || m->allocated <= p.bytes) continue;
        p = (device_peak){m->device_id, m->allocated, 0, m->ts};
    }
    for (uint32_t k = 0; k < c->s->n_memory; k++) {
        const tt_memory_record *m = &c->s->memory[k];
        if (m->device_id == p.device && m->reserved != TT_UNKNOWN && m->reserved > p.reserved &&
            tt_query_has(c->q, m->ts))
            p.reserved = m->reserved;
    }
    return p;
}

void tt_find_memory_peak(tt_finding_context *c)
{
    if (!c->s->snapshot) return;
    device_peak p = highest_peak(c);
    if (p.device < 0) return;
    tt_arena *a = &c->t->arena;
    holder h = holder_at(c, p.device, p.at);
    const char *largest = "", *from = "";
    if (h.stack && *h.stack) {
        const char *frame = holder_frame(c, h.stack);
        largest = tt_arena_printf(a, "; largest: %s (%.1f%%)", frame, h.pct);
        if (h.line && strcmp(h.line, frame)) from = tt_arena_printf(a, "Called from %s. ", h.line);
    }
    uint32_t row = tt_finding_add(
        c, "info",
        tt_arena_printf(a, "Peak %s allocated, %s reserved on %s %lld%s", size_in_digits(c->t, p.bytes, 4),
                        size_in_digits(c->t, p.reserved, 4), c->s->rules->device, (long long)p.device, largest),
        tt_arena_printf(a, "%sTab Memory shows the curve, and who held how much at the peak", from));
    if (h.stack) tt_set_d(c->t, row, TT_FINDING_VALUE_PCT, h.pct);
    tt_set_i(c->t, row, TT_FINDING_START_AT, tt_at(c->q, p.at));
    tt_set_i(c->t, row, TT_FINDING_END_AT, tt_at(c->q, p.at));
    tt_set_range(c->q, c->t, row, p.at, p.at + 1);
}

/* Report copies that block because the host memory is not pinned. */
void tt_find_pageable_copies(tt_finding_context *c)
{
    int64_t ns = 0, n = 0, total = tt_finding_steps(c);
    tt_row longest = TT_NONE;
    for (uint32_t i = 0; i < c->s->n_dev; i++) {
        tt_row r = c->s->dev[i].row;
        if (tt_row_kind(c->s, r) != TT_KIND_MEMCPY || !tt_query_has_row(c->q, r)) continue;
        if (!strstr(tt_row_name(c->s, r), "Pageable")) continue;
        n++;
        ns += c->s->dur[r];
        if (longest == TT_NONE || c->s->dur[r] > c->s->dur[longest]) longest = r;
    }
    double v = total > 0 ? 100.0 * (double)ns / (double)total : 0;
    if (v <= 1) return;
    uint32_t row = tt_finding_add(
        c, v > 10 ? "medium" : "info",
        tt_arena_printf(&c->t->arena, "%" PRId64 " copies use pageable host memory: %.1f%% of the step time", n, v),
        tt_advice_of(c->s->rules)->pin_memory);
    tt_set_d(c->t, row, TT_FINDING_VALUE_PCT, v);
    tt_set_row(c->q, c->t, row, longest);
}
