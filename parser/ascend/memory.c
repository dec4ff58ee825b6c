/* parser/ascend/memory.c - operator_memory.csv and memory_record.csv: allocations with their operators, and the
 * allocator's totals over time.
 *
 * Sizes are in KB of 1024 bytes and MB of 2^20 bytes. An allocation without a release was not freed during the
 * recording. Of the components only the framework's own allocator counts: PTA (torch_npu) or MindSpore; "PTA+GE" and
 * APP contain the others. */
#include <stdlib.h>
#include <string.h>

#include "parser/ascend/folder.h"
#include "parser/ascend/made_text.h"
#include "parser/chrome/reader.h"

enum { NPU = 20, CPU = 0 }; /* c10::DeviceType, as in tt_memory_record */

typedef struct maker {
    tt_ascend *a;
    tt_builder *b;
    uint32_t track;
    uint64_t offset;
    uint32_t n;
    bool totals; /* take totals from allocations, because no other file has them */
} maker;

/* Parse "NPU:3". */
static void device_of(tt_ascend *a, tt_csv_text t, tt_memory_record *m)
{
    int64_t id = 0;
    bool npu = t.n >= 3 && !memcmp(t.at, "NPU", 3);
    if (npu && t.n > 4) (void)tt_decimal_whole(t.at + 4, t.n - 4, &id);
    m->device_type = npu || !t.n ? NPU : t.n >= 3 && !memcmp(t.at, "CPU", 3) ? CPU : -1;
    m->device_id = m->device_type == CPU ? -1 : id >= 0 && id < INT16_MAX ? (int16_t)id : -1;
    if (npu && a->device < 0) a->device = m->device_id;
}

static void add_record(maker *k, tt_memory_record *m)
{
    if (m->ts < -TT_TIME_MAX || m->ts > TT_TIME_MAX || k->n == UINT32_MAX) return;
    uint64_t at = k->offset + (uint64_t)k->n * TT_ASCEND_RECORD;
    if (at >= TT_TEXT_MAX) return;
    k->n++;
    m->text = at;
    m->track = k->track;
    tt_build_memory(k->b, m);
}

typedef struct columns {
    int name, size, allocated, released, device, totals[4];
} columns;

static int64_t bytes_or(tt_csv *csv, int column, bool wanted)
{
    int64_t v = TT_UNKNOWN;
    if (wanted) (void)tt_csv_bytes(csv, column, TT_BYTES_OF_MIB, &v);
    return v;
}

static void take_allocation(tt_csv *csv, const columns *c, maker *k, uint64_t address)
{
    int64_t bytes, at = 0, end = 0;
    tt_memory_record m = {.addr = address};
    if (!tt_csv_bytes(csv, c->size, TT_BYTES_OF_KIB, &bytes) || !bytes) return;
    bool begun = tt_csv_ns(csv, c->allocated, TT_NS_OF_US, &at), ended = tt_csv_ns(csv, c->released, TT_NS_OF_US, &end);
    device_of(k->a, tt_csv_cell(csv, c->device), &m);
    tt_csv_text name = tt_csv_cell(csv, c->name);
    m.maker = tt_chrome_plain_name(k->b, name.at, name.n);
    if (begun) { /* a negative size releases memory allocated before the recording */
        m.ts = at;
        m.bytes = bytes;
        m.allocated = bytes_or(csv, c->totals[0], k->totals);
        m.reserved = bytes_or(csv, c->totals[1], k->totals);
        add_record(k, &m);
    }
    if (!ended || bytes < 0 || (begun && end < at)) return;
    m.ts = end;
    m.bytes = -bytes;
    m.allocated = bytes_or(csv, c->totals[2], k->totals);
    m.reserved = bytes_or(csv, c->totals[3], k->totals);
    add_record(k, &m);
}

static void allocations(tt_ascend *a, maker *k)
{
    tt_csv *csv = tt_csv_open(a->in, ROLE_ALLOCATIONS, NULL, &a->problems);
    const columns c = {.name = tt_csv_need(csv, "Name"),
                       .size = tt_csv_need(csv, "Size(KB)"),
                       .allocated = tt_csv_need(csv, "Allocation Time(us)"),
                       .released = tt_csv_need(csv, "Release Time(us)"),
                       .device = tt_csv_need(csv, "Device Type"),
                       .totals = {tt_csv_column(csv, "Allocation Total Allocated(MB)"),
                                  tt_csv_column(csv, "Allocation Total Reserved(MB)"),
                                  tt_csv_column(csv, "Release Total Allocated(MB)"),
                                  tt_csv_column(csv, "Release Total Reserved(MB)")}};
    for (uint64_t row = 1; !tt_ascend_cancelled(a) && tt_csv_next(csv); row++) take_allocation(csv, &c, k, row);
    tt_csv_close(csv);
}

static bool totals(tt_ascend *a, maker *k)
{
    bool any = false;
    tt_csv *csv = tt_csv_open(a->in, ROLE_MEMORY, NULL, &a->problems);
    int component = tt_csv_need(csv, "Component"), at = tt_csv_need(csv, "Timestamp(us)"),
        allocated = tt_csv_need(csv, "Total Allocated(MB)"), reserved = tt_csv_need(csv, "Total Reserved(MB)"),
        device = tt_csv_need(csv, "Device Type");
    while (!tt_ascend_cancelled(a) && tt_csv_next(csv)) {
        tt_memory_record m = {.bytes = 0};
        if (!tt_csv_is(csv, component, "PTA") && !tt_csv_is(csv, component, "MindSpore")) continue;
        if (!tt_csv_ns(csv, at, TT_NS_OF_US, &m.ts)) continue;
        m.allocated = bytes_or(csv, allocated, true);
        m.reserved = bytes_or(csv, reserved, true);
        device_of(a, tt_csv_cell(csv, device), &m);
        add_record(k, &m);
        any = true;
    }
    tt_csv_close(csv);
    return any;
}

uint32_t tt_ascend_memory(tt_ascend *a, tt_builder *b, uint64_t offset)
{
    maker k = {.a = a, .b = b, .offset = offset};
    bool record = tt_input_has(a->in, ROLE_MEMORY), operators = tt_input_has(a->in, ROLE_ALLOCATIONS);
    if (!record && !operators) {
        if (a->memory_profiled)
            tt_ascend_missing(a, "operator_memory.csv", "memory was profiled, but the file is not there");
        return 0;
    }
    k.track = tt_build_track_of(b, "memory", 6, "memory", 6);
    k.totals = !(record && totals(a, &k));
    if (operators) allocations(a, &k);
    return k.n;
}
