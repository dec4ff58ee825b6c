/* Every record of a spool as JSON, for exports and the detail view: keys as in Kineto's traces, values from the record.
 * Also checks the values that reach the trace. */
#include <stdlib.h>
#include <unistd.h>

#include "capture/spool/spool_writer.h"
#include "parser/chrome/losses.h"
#include "parser/load.h"
#include "parser/recording/facts.h"
#include "tests/unit/check.h"

static const int64_t base = 1700000000000000000;

typedef struct file {
    tt_spool_writer w;
    uint64_t offset[96];
    const char *want[96];
    size_t n;
} file;

static void put_string(file *f, uint32_t id, const char *s)
{
    tt_spool_add_text(&f->w, TT_SPOOL_STRING, id, NULL, s, strlen(s));
}

/* Write a record into its own block and remember its expected JSON; NULL = it has no JSON, "" = it does not become an
 * event of the trace, so nobody asks for JSON. */
static void put(file *f, unsigned type, uint32_t a, void *record, size_t size, const char *want)
{
    tt_spool_flush(&f->w);
    f->offset[f->n] = f->w.bytes + sizeof(tt_spool_block);
    f->want[f->n++] = want;
    tt_spool_rec *r = tt_spool_add(&f->w, type, size, a);
    memcpy(r + 1, (tt_spool_rec *)record + 1, size - sizeof *r);
    tt_spool_flush(&f->w);
}
#define PUT(f, type, a, want, structure, ...)                                                                          \
    do {                                                                                                               \
        structure r_ = {__VA_ARGS__};                                                                                  \
        put(f, type, a, &r_, sizeof r_, want);                                                                         \
    } while (0)

enum { STEP = 1, MM, BACKWARD, SHAPES, LAUNCH, KERNEL, NCCL, GPU, ODD, LOSS, THREAD, OTHER };

static void put_host(file *f)
{
    PUT(f, TT_SPOOL_THREAD, THREAD, NULL, tt_spool_thread, .tid = 7);
    PUT(f, TT_SPOOL_RANGE, STEP,
        "{\"ph\": \"X\", \"cat\": \"user_annotation\", \"name\": \"ProfilerStep#5\", \"pid\": 42, \"tid\": 7, \"ts\": "
        "1.000, \"dur\": 900.000, "
        "\"args\": {\"External id\": 77, \"Record function id\": 0, \"Ev Idx\": %lu}}",
        tt_spool_range, .start = base + 1000, .end = base + 901000, .tid = 7, .external = 77);
    PUT(f, TT_SPOOL_RANGE, MM,
        "{\"ph\": \"X\", \"cat\": \"cpu_op\", \"name\": \"aten::mm\", \"pid\": 42, \"tid\": 7, \"ts\": 2.000, \"dur\": "
        "0.500, \"args\": {\"External "
        "id\": %lu, \"Record function id\": 0, \"Ev Idx\": %lu, \"Sequence number\": 11, \"Input Dims\": [[32, 64], "
        "[64, 8]]}}",
        tt_spool_range, .start = base + 2000, .end = base + 2500, .tid = 7, .cat = TT_SPOOL_CAT_OP, .seq = 12,
        .shapes = SHAPES);
    PUT(f, TT_SPOOL_RANGE, BACKWARD,
        "{\"ph\": \"X\", \"cat\": \"cpu_op\", \"name\": \"MmBackward0\", \"pid\": 42, \"tid\": 8, \"ts\": 3.000, "
        "\"dur\": 0.500, \"args\": "
        "{\"External id\": %lu, \"Record function id\": 0, \"Ev Idx\": %lu, \"Sequence number\": 11, \"Fwd thread "
        "id\": 7}}",
        tt_spool_range, .start = base + 3000, .end = base + 3500, .tid = 8, .cat = TT_SPOOL_CAT_OP, .seq = 12);
    PUT(f, TT_SPOOL_RANGE, ODD,
        "{\"ph\": \"X\", \"cat\": \"user_annotation\", \"name\": \"\\\"\\\\ \\u0001 \\u0000 \\u007f \\u009b \\u202e "
        "\\u2066 \\u061c \xEF\xBF\xBD "
        "\xC3\xA9\", \"pid\": 42, \"tid\": 7, \"ts\": 5.000, \"dur\": 1.000, \"args\": {\"External id\": %lu, \"Record "
        "function id\": 0, \"Ev "
        "Idx\": %lu, \"start/end pair\": true, \"end was lost\": true}}",
        tt_spool_range, .start = base + 5000, .end = base + 6000, .tid = 7, .flags = TT_SPOOL_ASYNC | TT_SPOOL_FORCED,
        .cat = 999);
    PUT(f, TT_SPOOL_OPEN, OTHER, /* an open range ends with the last event */
        "{\"ph\": \"X\", \"cat\": \"forward\", \"name\": \"other\", \"pid\": 42, \"tid\": 9, \"ts\": 7.000, \"dur\": "
        "2993.000, \"args\": {\"External "
        "id\": %lu, \"Record function id\": 0, \"Ev Idx\": %lu}}",
        tt_spool_range, .start = base + 7000, .tid = 9, .cat = TT_SPOOL_CAT_FORWARD);
    PUT(f, TT_SPOOL_MARK, OTHER,
        "{\"ph\": \"i\", \"cat\": \"python\", \"name\": \"other\", \"pid\": 42, \"tid\": 7, \"ts\": 8.001, \"s\": "
        "\"t\", \"args\": {}}",
        tt_spool_mark, .ts = base + 8001, .tid = 7, .cat = TT_SPOOL_CAT_PYTHON);
    PUT(f, TT_SPOOL_COUNTER, LOSS,
        "{\"ph\": \"C\", \"name\": \"loss\", \"pid\": 42, \"ts\": 9.000, \"args\": {\"loss\": 0.25}}", tt_spool_counter,
        .ts = base + 9000, .value = 0.25, .key = LOSS, .device = -1);
    PUT(f, TT_SPOOL_COUNTER, LOSS,
        "{\"ph\": \"C\", \"name\": \"loss\", \"pid\": 1, \"ts\": 9.500, \"args\": {\"other\": -3}}", tt_spool_counter,
        .ts = base + 9500, .value = -3, .key = OTHER, .device = 1);
    PUT(f, TT_SPOOL_COUNTER, LOSS, "", tt_spool_counter, .ts = base + 9600, .value = 1.0 / 0.0, .key = OTHER);
}

static void put_calls(file *f)
{
    PUT(f, TT_SPOOL_API, LAUNCH,
        "{\"ph\": \"X\", \"cat\": \"cuda_runtime\", \"name\": \"cudaLaunchKernel\", \"pid\": 42, \"tid\": 7, \"ts\": "
        "10.000, \"dur\": 5.000, "
        "\"args\": {\"External id\": 77, \"cbid\": 211, \"correlation\": 5}}",
        tt_spool_api, .start = base + 10000, .end = base + 15000, .tid = 7, .correlation = 5, .cbid = 211);
    PUT(f, TT_SPOOL_API, LAUNCH,
        "{\"ph\": \"X\", \"cat\": \"cuda_driver\", \"name\": \"cudaLaunchKernel\", \"pid\": 42, \"tid\": 7, \"ts\": "
        "16.000, \"dur\": 1.000, "
        "\"args\": {\"External id\": 99, \"cbid\": 307, \"correlation\": 6, \"status\": 2}}",
        tt_spool_api, .start = base + 16000, .end = base + 17000, .tid = 7, .correlation = 6, .cbid = 307,
        .kind = TT_SPOOL_API_DRIVER, .status = 2, .external = 99);
    PUT(f, TT_SPOOL_OVERHEAD, 6 << 16,
        "{\"ph\": \"X\", \"cat\": \"overhead\", \"name\": \"Command Buffer Full\", \"pid\": -1, \"tid\": 0, \"ts\": "
        "18.000, \"dur\": 0.700, "
        "\"args\": {\"thread\": 7, \"correlation of the call\": 6}}",
        tt_spool_overhead, .start = base + 18000, .end = base + 18700, .tid = 7, .correlation = 6);
    PUT(f, TT_SPOOL_OVERHEAD, 1,
        "{\"ph\": \"X\", \"cat\": \"overhead\", \"name\": \"Driver Compiler\", \"pid\": -1, \"tid\": 0, \"ts\": "
        "19.000, \"dur\": 0.100, \"args\": {}}",
        tt_spool_overhead, .start = base + 19000, .end = base + 19100);
    PUT(f, TT_SPOOL_OVERHEAD, 99 << 16,
        "{\"ph\": \"X\", \"cat\": \"overhead\", \"name\": \"Unknown\", \"pid\": -1, \"tid\": 0, \"ts\": 19.200, "
        "\"dur\": 0.000, \"args\": "
        "{\"correlation of the call\": 6}}",
        tt_spool_overhead, .start = base + 19200, .end = base + 19100, .correlation = 6);
}

#define WORK .start = base + 20000, .end = base + 21000, .context = 1, .stream = 7
static void put_work(file *f)
{
    PUT(f, TT_SPOOL_KERNEL, KERNEL,
        "{\"ph\": \"X\", \"cat\": \"kernel\", \"name\": \"vecadd(float*, float*, int)\", \"pid\": 0, \"tid\": 7, "
        "\"ts\": 20.000, \"dur\": 1.000, "
        "\"args\": {\"External id\": 77, \"queued\": 18.500, \"queued to start (us)\": 1.500, \"submitted\": 19.000, "
        "\"submitted to start "
        "(us)\": 1.000, \"device\": 0, \"context\": 1, \"stream\": 7, \"correlation\": 5, \"registers per thread\": "
        "32, \"shared memory\": 3072, "
        "\"blocks per SM\": 2.0000, \"warps per SM\": 16.0000, \"grid\": [132, 2, 1], \"block\": [128, 2, 1], \"est. "
        "achieved occupancy %\": "
        "25.0000, \"graph id\": 4, \"graph node id\": 3, \"channel\": 2}}",
        tt_spool_kernel, WORK, .correlation = 5, .queued = base + 18500, .submitted = base + 19000, .grid = {132, 2, 1},
        .block = {128, 2, 1}, .registers = 32, .shared_static = 1024, .shared_dynamic = 2048, .graph = 4,
        .graph_node = 3, .channel = 2);
    PUT(f, TT_SPOOL_KERNEL, NCCL, /* on an unknown device, without a launch */
        "{\"ph\": \"X\", \"cat\": \"kernel\", \"name\": \"ncclDevKernel_AllReduce_Sum_bf16_RING_LL(ncclDevComm*)\", "
        "\"pid\": 3, \"tid\": -1, \"ts\": "
        "20.000, \"dur\": 1.000, \"args\": {\"queued\": 0, \"device\": 3, \"context\": 1, \"stream\": -1, "
        "\"correlation\": 0, \"registers per "
        "thread\": 0, \"shared memory\": 0, \"grid\": [1, 1, 1], \"block\": [1, 1, 1], \"Collective name\": "
        "\"allreduce\", \"dtype\": "
        "\"BFloat16\"}}",
        tt_spool_kernel, .start = base + 20000, .end = base + 21000, .context = 1, .stream = UINT32_MAX, .device = 3,
        .grid = {1, 1, 1}, .block = {1, 1, 1});
    PUT(f, TT_SPOOL_COPY, 6,
        "{\"ph\": \"X\", \"cat\": \"gpu_memcpy\", \"name\": \"Memcpy HtoD (Pinned -> Device)\", \"pid\": 0, \"tid\": "
        "7, \"ts\": 20.000, \"dur\": "
        "1.000, \"args\": {\"External id\": 99, \"device\": 0, \"context\": 1, \"stream\": 7, \"correlation\": 6, "
        "\"bytes\": 4096, \"memory bandwidth "
        "(GB/s)\": 4.0960}}",
        tt_spool_copy, WORK, .bytes = 4096, .copy_kind = 1, .src_kind = 2, .dst_kind = 3, .peer_from = UINT32_MAX);
    PUT(f, TT_SPOOL_COPY, 0,
        "{\"ph\": \"X\", \"cat\": \"gpu_memcpy\", \"name\": \"Memcpy Unknown (Unknown -> Managed Static)\", \"pid\": "
        "1, \"tid\": 7, \"ts\": 20.000, "
        "\"dur\": 0.000, \"args\": {\"device\": 1, \"context\": 1, \"stream\": 7, \"correlation\": 0, \"bytes\": 8, "
        "\"fromDevice\": 2, \"inDevice\": "
        "1, \"toDevice\": 3, \"graph id\": 9}}",
        tt_spool_copy, .start = base + 20000, .end = base + 20000, .context = 1, .stream = 7, .device = 1, .bytes = 8,
        .copy_kind = 77, .src_kind = 88, .dst_kind = 7, .peer_from = 2, .peer_to = 3, .graph = 9);
    PUT(f, TT_SPOOL_SET, 6,
        "{\"ph\": \"X\", \"cat\": \"gpu_memset\", \"name\": \"Memset (Device)\", \"pid\": 0, \"tid\": 7, \"ts\": "
        "20.000, \"dur\": 1.000, \"args\": "
        "{\"External id\": 99, \"device\": 0, \"context\": 1, \"stream\": 7, \"correlation\": 6, \"bytes\": 64, "
        "\"value\": 170, \"memory bandwidth "
        "(GB/s)\": 0.0640}}",
        tt_spool_copy, WORK, .bytes = 64, .value = 170, .dst_kind = 3);
    PUT(f, TT_SPOOL_GRAPH, 5,
        "{\"ph\": \"X\", \"cat\": \"kernel\", \"name\": \"CUDA Graph 8\", \"pid\": 0, \"tid\": 7, \"ts\": 20.000, "
        "\"dur\": 1.000, \"args\": {\"External "
        "id\": 77, \"device\": 0, \"context\": 1, \"stream\": 7, \"correlation\": 5, \"graph id\": 8}}",
        tt_spool_graph, WORK, .graph = 8);
}

static void put_waits(file *f)
{
#define EVENT(name, correlation, stream)                                                                               \
    "{\"ph\": \"X\", \"cat\": \"cuda_sync\", \"name\": \"" name "\", \"pid\": 0, \"tid\": " stream                     \
    ", \"ts\": 22.000, \"dur\": 1.000, \"args\": {\"cuda_sync_kind\": \"" name                                         \
    "\", \"device\": 0, \"context\": 1, \"stream\": " stream ", \"correlation\": " correlation
    PUT(f, TT_SPOOL_EVENT, 30,
        "{\"ph\": \"X\", \"cat\": \"cuda_event\", \"name\": \"CUDA Event Record\", \"pid\": 0, \"tid\": 7, \"ts\": "
        "21.500, \"dur\": 0.000, \"args\": "
        "{\"device\": 0, \"context\": 1, \"stream\": 7, \"correlation\": 30, \"event_id\": 2, \"cuda_sync_id\": 100}}",
        tt_spool_event, .ts = base + 21500, .recording = 100, .context = 1, .stream = 7, .event = 2);
    PUT(f, TT_SPOOL_EVENT, 31, "", tt_spool_event, .recording = 101, .context = 1, .stream = 9, .event = 2);
#define WAIT .start = base + 22000, .end = base + 23000, .context = 1
    PUT(f, TT_SPOOL_SYNC, 32, /* waits for the recording that it names, not for the latest one */
        EVENT(
            "Event Sync", "32",
            "-1") ", \"wait_on_stream\": 7, \"wait_on_cuda_event_record_corr_id\": 30, \"wait_on_cuda_event_id\": 2}}",
        tt_spool_sync, WAIT, .kind = 1, .stream = UINT32_MAX, .event = 2, .recording = 100);
    PUT(f, TT_SPOOL_SYNC, 33, /* waits for the latest recording before the call */
        EVENT("Stream Wait Event", "33",
              "9") ", \"wait_on_stream\": 9, \"wait_on_cuda_event_record_corr_id\": 31, \"wait_on_cuda_event_id\": 2}}",
        tt_spool_sync, WAIT, .kind = 2, .stream = 9, .event = 2);
    PUT(f, TT_SPOOL_SYNC, 29, /* no recording precedes it */
        EVENT(
            "Stream Wait Event", "29",
            "9") ", \"wait_on_stream\": -1, \"wait_on_cuda_event_record_corr_id\": -1, \"wait_on_cuda_event_id\": 2}}",
        tt_spool_sync, WAIT, .kind = 2, .stream = 9, .event = 2);
    PUT(f, TT_SPOOL_SYNC, 34, EVENT("Stream Sync", "34", "7") "}}", tt_spool_sync, WAIT, .kind = 3, .stream = 7);
    PUT(f, TT_SPOOL_SYNC, 35, EVENT("Context Sync", "35", "-1") "}}", tt_spool_sync, WAIT, .kind = 4,
        .stream = UINT32_MAX);
    PUT(f, TT_SPOOL_SYNC, 36, EVENT("Unknown Sync", "36", "7") "}}", tt_spool_sync, WAIT, .kind = 99, .stream = 7);
}

static void put_memory(file *f)
{
    PUT(f, TT_SPOOL_MEMORY, 0,
        "{\"ph\": \"i\", \"cat\": \"cpu_instant_event\", \"name\": \"[memory]\", \"pid\": 42, \"tid\": 7, \"ts\": "
        "30.000, \"s\": \"t\", \"args\": "
        "{\"Addr\": 4096, \"Bytes\": 512, \"Device Type\": 1, \"Device Id\": 1, \"Total Allocated\": 512, \"Total "
        "Reserved\": 2048, "
        "\"correlation\": 5, \"pool\": 171, \"pool bytes\": 2048, \"pool bytes used\": 512}}",
        tt_spool_memory, .ts = base + 30000, .addr = 4096, .bytes = 512, .allocated = 512, .device = 1, .tid = 7,
        .correlation = 5, .held = 2048, .pool = 171, .pool_size = 2048, .pool_used = 512);
    PUT(f, TT_SPOOL_MEMORY, 0,
        "{\"ph\": \"i\", \"cat\": \"cpu_instant_event\", \"name\": \"[memory]\", \"pid\": 42, \"tid\": 7, \"ts\": "
        "31.000, \"s\": \"t\", \"args\": "
        "{\"Addr\": 4096, \"Bytes\": -512, \"Device Type\": 0, \"Device Id\": -1, \"Total Allocated\": 0}}",
        tt_spool_memory, .ts = base + 31000, .addr = 4096, .bytes = -512, .device = UINT32_MAX, .tid = 7);
#define POOL(name, more)                                                                                               \
    "{\"ph\": \"i\", \"cat\": \"memory_pool\", \"name\": \"" name                                                      \
    "\", \"pid\": 42, \"tid\": 7, \"ts\": 32.000, \"s\": \"t\", \"args\": {\"device\": 1, \"pool\": 171, \"pool "      \
    "bytes\": 64, \"pool bytes used\": 32, \"release threshold\": 16" more "}}"
#define THE_POOL .ts = base + 32000, .addr = 171, .size = 64, .used = 32, .threshold = 16, .device = 1, .tid = 7
    PUT(f, TT_SPOOL_POOL, TT_SPOOL_POOL_CREATED, POOL("Memory Pool Created", ", \"imported\": true"), tt_spool_pool,
        THE_POOL, .imported = 1);
    PUT(f, TT_SPOOL_POOL, TT_SPOOL_POOL_TRIMMED,
        POOL("Memory Pool Trimmed", ", \"bytes to keep\": 8, \"correlation\": 5"), tt_spool_pool, THE_POOL, .keep = 8,
        .correlation = 5);
    PUT(f, TT_SPOOL_POOL, 99, POOL("Memory Pool", ""), tt_spool_pool, THE_POOL);
}

static void put_unified(file *f)
{
#define UM(ph, name, pid, tid, times, args)                                                                            \
    "{\"ph\": \"" ph "\", \"cat\": \"unified_memory\", \"name\": \"" name "\", \"pid\": " pid ", \"tid\": " tid        \
    ", \"ts\": 40.000" times ", \"args\": {\"address\": 4096" args "}}"
#define MOVE .start = base + 40000, .end = base + 42000, .address = 4096, .value = 2048
    PUT(f, TT_SPOOL_UNIFIED, TT_SPOOL_UM_HTOD,
        UM("X", "Unified Memory HtoD", "1", "1073741825", ", \"dur\": 2.000",
           ", \"bytes\": 2048, \"cause\": \"prefetch\", \"memory bandwidth (GB/s)\": 1.0240"),
        tt_spool_unified, MOVE, .src = UINT32_MAX, .dst = 1, .flags = 3);
    PUT(f, TT_SPOOL_UNIFIED, TT_SPOOL_UM_DTOD,
        UM("X", "Unified Memory DtoD", "0", "1073741832", ", \"dur\": 2.000",
           ", \"bytes\": 2048, \"fromDevice\": 0, \"toDevice\": 1, \"memory bandwidth (GB/s)\": 1.0240"),
        tt_spool_unified, MOVE, .src = 0, .dst = 1, .flags = 99);
    PUT(f, TT_SPOOL_UNIFIED, TT_SPOOL_UM_CPU_FAULT,
        UM("i", "CPU Page Fault", "42", "1073741827", ", \"s\": \"t\"",
           ", \"program counter\": 2048, \"access\": \"write\""),
        tt_spool_unified, MOVE, .src = 0, .flags = 2);
    PUT(f, TT_SPOOL_UNIFIED, TT_SPOOL_UM_GPU_FAULT,
        UM("X", "GPU Page Fault", "2", "1073741828", ", \"dur\": 2.000", ", \"faults\": 2048, \"access\": \"read\""),
        tt_spool_unified, MOVE, .src = 2, .flags = 1);
    PUT(f, TT_SPOOL_UNIFIED, TT_SPOOL_UM_THRASHING,
        UM("i", "Thrashing", "2", "1073741829", ", \"s\": \"t\"", ", \"bytes\": 2048, \"devices, a bit each\": 12"),
        tt_spool_unified, MOVE, .src = 12);
    PUT(f, TT_SPOOL_UNIFIED, TT_SPOOL_UM_THROTTLING, UM("X", "Throttling", "0", "1073741830", ", \"dur\": 2.000", ""),
        tt_spool_unified, .start = base + 40000, .end = base + 42000, .address = 4096);
    PUT(f, TT_SPOOL_UNIFIED, TT_SPOOL_UM_REMOTE_MAP,
        UM("i", "Remote Map", "1", "1073741831", ", \"s\": \"t\"", ", \"bytes\": 2048, \"cause\": \"policy\""),
        tt_spool_unified, MOVE, .dst = 1, .flags = 3);
}

static void write_all(file *f, const char *path)
{
    static const char odd[] = "\"\\ \1 \0 \x7f \xC2\x9B \xE2\x80\xAE \xE2\x81\xA6 \xD8\x9C \xFF \xC3\xA9";
    CHECK_INT(tt_spool_open(&f->w, path, 0), 0);
    tt_spool_add_text(&f->w, TT_SPOOL_META, 0, "pid", "42", 2);
    tt_spool_add_text(&f->w, TT_SPOOL_META, 0, "baseTimeNanoseconds", "1700000000000000000", 19);
    tt_spool_add_text(&f->w, TT_SPOOL_META, 0, "recorder", "\"tracetty 9.8.7\"", 16);
    tt_spool_state *on = tt_spool_add(&f->w, TT_SPOOL_STATE, sizeof *on, 1);
    on->ts = base + 500;
    put_string(f, STEP, "ProfilerStep#5");
    put_string(f, MM, "aten::mm");
    put_string(f, BACKWARD, "MmBackward0");
    put_string(f, SHAPES, "[[32, 64], [64, 8]]");
    put_string(f, LAUNCH, "cudaLaunchKernel");
    put_string(f, KERNEL, "_Z6vecaddPfS_i");
    put_string(f, NCCL, "ncclDevKernel_AllReduce_Sum_bf16_RING_LL(ncclDevComm*)");
    put_string(f, GPU, "A \"GPU\" \\ \xC3\xA9");
    put_string(f, LOSS, "loss");
    put_string(f, THREAD, "worker");
    put_string(f, OTHER, "other");
    tt_spool_add_text(&f->w, TT_SPOOL_STRING, ODD, NULL, odd, sizeof odd - 1);
    tt_spool_device d = {.memory_bytes = 1 << 30,
                         .major = 9,
                         .sms = 132,
                         .warp_size = 32,
                         .warps_per_sm = 64,
                         .blocks_per_sm = 32,
                         .regs_per_sm = 65536,
                         .shared_per_sm = 233472,
                         .threads_per_block = 1024,
                         .shared_optin = 232448};
    put(f, TT_SPOOL_DEVICE, GPU, &d, sizeof d, NULL);
    d.id = 1;
    put(f, TT_SPOOL_DEVICE, OTHER, &d, TT_SPOOL_DEVICE_LEAST, NULL); /* the shorter record of the first recorders */
    put_host(f);
    put_calls(f);
    put_work(f);
    put_waits(f);
    put_memory(f);
    put_unified(f);
    PUT(f, TT_SPOOL_CONTEXT, 1, NULL, tt_spool_context, .device = 0);
    PUT(f, TT_SPOOL_CLOCK, 0, NULL, tt_spool_clock, .spool = 1);
    PUT(f, TT_SPOOL_STEP, 0, NULL, tt_spool_step, .number = 5);
    PUT(f, 999, 0, NULL, tt_spool_mark, .ts = 1);
    PUT(f, TT_SPOOL_MARK, OTHER, /* the last event */
        "{\"ph\": \"i\", \"cat\": \"user_annotation\", \"name\": \"other\", \"pid\": 42, \"tid\": 7, \"ts\": 3000.000, "
        "\"s\": \"t\", \"args\": {}}",
        tt_spool_mark, .ts = base + 3000000, .tid = 7);
    tt_spool_drops *l = tt_spool_add(&f->w, TT_SPOOL_DROPS, sizeof *l, TT_SPOOL_DROP_CUPTI);
    l->count = 17;
    tt_spool_close(&f->w); /* no END record: the process was killed */
}

static void check_texts(const tt_trace *s, const file *f)
{
    char got[4096], want[4096];
    for (size_t i = 0; i < f->n; i++) {
        int64_t n = s->text->read(s->text, f->offset[i], got, sizeof got - 1);
        if (!CHECK(n >= 0)) continue;
        got[n] = 0;
        if (!f->want[i]) {
            CHECK_INT(n, 0);
            continue;
        }
        if (!*f->want[i]) continue;
        unsigned long index = (unsigned long)(f->offset[i] / 8), external = (1ul << 30) + index;
        const char *one = strstr(f->want[i], "%lu"), *two = one ? strstr(one + 3, "%lu") : NULL;
        if (two) {
            snprintf(want, sizeof want, "%.*s%lu%.*s%lu%s", (int)(one - f->want[i]), f->want[i], external,
                     (int)(two - one - 3), one + 3, index, two + 3);
        } else if (one) {
            snprintf(want, sizeof want, "%.*s%lu%s", (int)(one - f->want[i]), f->want[i], index, one + 3);
        } else {
            snprintf(want, sizeof want, "%s", f->want[i]);
        }
        CHECK_STR(got, want);
        int64_t cut = s->text->read(s->text, f->offset[i], got, 10);
        CHECK(cut == 10 && !memcmp(got, want, 10));
    }
    CHECK_INT(s->text->read(s->text, TT_SPOOL_GPU_RANGE + 1000, got, sizeof got), 0);
    CHECK_INT(s->text->read(s->text, f->w.bytes + 4096, got, sizeof got), 0);
    CHECK_INT(s->text->read(s->text, TT_SPOOL_ARROW + 2, got, sizeof got), 0);
    for (int end = 0; end < 2; end++) { /* a link from the operator to its backward operator */
        int64_t length = s->text->read(s->text, TT_SPOOL_ARROW + (uint64_t)end, got, sizeof got - 1);
        got[length > 0 ? length : 0] = 0;
        CHECK_STR(
            got,
            end ? "{\"ph\": \"f\", \"cat\": \"fwdbwd\", \"name\": \"fwdbwd\", \"id\": 12, \"pid\": 42, \"tid\": 8, "
                  "\"ts\": 3.000, \"bp\": \"e\"}"
                : "{\"ph\": \"s\", \"cat\": \"fwdbwd\", \"name\": \"fwdbwd\", \"id\": 12, \"pid\": 42, \"tid\": 7, "
                  "\"ts\": 2.000}");
    }
    int64_t n = s->text->read(s->text, TT_SPOOL_GPU_RANGE, got, sizeof got - 1);
    got[n > 0 ? n : 0] = 0;
    CHECK_STR(got, "{\"ph\": \"X\", \"cat\": \"gpu_user_annotation\", \"name\": \"ProfilerStep#5\", \"pid\": 0, "
                   "\"tid\": 7, \"ts\": 20.000, \"dur\": "
                   "1.000, \"args\": {\"External id\": 77}}");
}

static const tt_track *track_of(const tt_trace *s, const char *pid, const char *tid)
{
    for (uint32_t i = 0; i < s->n_tracks; i++) {
        if (!strcmp(tt_str(&s->strings, s->tracks[i].pid), pid) && !strcmp(tt_str(&s->strings, s->tracks[i].tid), tid))
            return &s->tracks[i];
    }
    return NULL;
}

static void check_track(const tt_trace *s, const char *pid, const char *tid, const char *name, const char *process)
{
    const tt_track *t = track_of(s, pid, tid);
    if (!CHECK(t != NULL)) return;
    CHECK_STR(tt_str(&s->strings, t->name), name);
    CHECK_STR(tt_str(&s->strings, s->processes[t->process].labels), process);
}

static void check_trace(const tt_trace *s)
{
    static const char devices[] =
        "[{\"id\": 0, \"name\": \"A \\\"GPU\\\" \\\\ \xC3\xA9\", \"totalGlobalMem\": 1073741824, "
        "\"computeMajor\": 9, \"computeMinor\": 0, "
        "\"maxThreadsPerBlock\": 1024, \"maxThreadsPerMultiprocessor\": 2048, "
        "\"regsPerBlock\": 0, \"warpSize\": 32, \"sharedMemPerBlock\": 0, "
        "\"numSms\": 132, \"regsPerMultiprocessor\": 65536, \"sharedMemPerBlockOptin\": "
        "232448, \"sharedMemPerMultiprocessor\": 233472}, "
        "{\"id\": 1, \"name\": \"other\", \"totalGlobalMem\": 1073741824, \"computeMajor\": "
        "9, \"computeMinor\": 0, \"maxThreadsPerBlock\": 1024, "
        "\"maxThreadsPerMultiprocessor\": 2048, \"regsPerBlock\": 0, \"warpSize\": 32, "
        "\"sharedMemPerBlock\": 0, \"numSms\": 132, "
        "\"regsPerMultiprocessor\": 65536, \"sharedMemPerMultiprocessor\": 233472}]";
    CHECK_STR(tt_trace_format(s), "tracetty");
    CHECK(s->rules == &tt_rules_recording);
    CHECK_STR(tt_trace_meta(s, "deviceProperties"), devices);
    CHECK_STR(tt_trace_meta(s, "tracetty"),
              "{\"version\": \"9.8.7\", \"clean_exit\": false, \"drops\": {\"cupti\": 17}, \"windows\": "
              "[[0.500, 3000.000]], \"overhead_us\": 0.800}");
    CHECK_STR(tt_trace_meta(s, "traceName"), "host_42.1700000000000000000.ttspool");
    CHECK_INT(s->n_devices, 2);
    check_track(s, "42", "7", "thread 7 (worker)", "CPU");
    check_track(s, "42", "8", "thread 8", "CPU");
    check_track(s, "0", "7", "stream 7", "GPU 0");
    check_track(s, "3", "-1", "stream -1", "GPU 3");
    check_track(s, "42", "1073741827", "UM CPU faults", "CPU");
    check_track(s, "1", "1073741825", "UM HtoD", "GPU 1");
    CHECK_INT(s->n_flows, 2);
    CHECK_INT(s->n_memory, 2);
    CHECK_INT(s->memory[0].reserved, 2048);
    CHECK_INT(s->memory[1].device_type, 0);
    CHECK_INT(s->problems.of[TT_PROBLEM_RECORDER_DROPS].count, 17);
    CHECK_INT(s->problems.of[TT_PROBLEM_UNCLEAN_END].count, 1);
    CHECK_INT(s->problems.of[TT_PROBLEM_UNMATCHED_BEGIN].count, 1);
    CHECK_INT(s->problems.of[TT_PROBLEM_UNKNOWN_PHASE].count, 1);
    CHECK_INT(s->problems.of[TT_PROBLEM_BAD_NUMBER].count, 1);
    CHECK_INT(s->problems.of[TT_PROBLEM_BAD_DURATION].count, 1);
    for (uint32_t i = 0; i < s->n_dev; i++) {
        if (s->dev[i].coll) CHECK_STR(tt_str(&s->strings, s->colls[s->dev[i].coll].name), "allreduce");
        if (s->dev[i].coll) CHECK_STR(tt_str(&s->strings, s->colls[s->dev[i].coll].dtype), "BFloat16");
    }
}

/* Kernels of old and new communication libraries. */
static void check_collectives(void)
{
    static const struct {
        const char *kernel, *name, *dtype;
    } all[] = {{"ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevKernelArgsStorage<4096ul>)", "allreduce", "Float"},
               {"ncclKernel_AllReduce_RING_LL_Sum_half(ncclWorkElem)", "allreduce", "Half"},
               {"ncclDevKernel_ReduceScatter_Sum_f16_RING_LL", "reduce_scatter", "Half"},
               {"ncclKernel_ReduceScatter_TREE_LL128_Sum_int32_t", "reduce_scatter", "Int"},
               {"ncclDevKernel_AllGather_RING_LL(ncclDevComm*)", "allgather", ""},
               {"ncclKernel_Broadcast_RING_LL_Sum_int8_t(ncclDevComm*, unsigned long, ncclWork*)", "broadcast", ""},
               {"ncclKernel_SendRecv_RING_SIMPLE_Sum_int8_t(ncclWorkElem)", "sendrecv", ""},
               {"ncclDevKernel_Reduce_Prod_f64_RING_LL", "reduce", "Double"},
               {"ncclDevKernel_Generic_4(ncclDevComm*)", "", ""},
               {"ncclDevKernel_", "", ""},
               {"ncclKernel_AllReduce", "allreduce", ""},
               {"ncclKernel", "", ""},
               {"my_ncclDevKernel_AllReduce", "", ""},
               {"", "", ""}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        tt_spool_coll c = tt_spool_coll_of(all[i].kernel);
        CHECK_STR(c.name, all[i].name);
        CHECK_STR(c.dtype, all[i].dtype);
    }
}

/* An export reports lost records. */
static void check_losses(void)
{
    static const struct {
        const char *json;
        uint64_t lost;
        bool clean;
    } all[] = {{"{\"version\": \"1\", \"clean_exit\": true, \"drops\": {}}", 0, true},
               {"{\"clean_exit\": false, \"drops\": {\"ranges\": 3, \"cupti\": 40}, \"windows\": [], \"depth\": 7}", 43,
                false},
               {"{\"drops\": {\"cupti\": ", 0, true},
               {"", 0, true},
               {"\"text\"", 0, true}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        tt_problems p = {0};
        tt_spool_reported_losses(all[i].json, &p);
        CHECK_INT(p.of[TT_PROBLEM_RECORDER_DROPS].count, all[i].lost);
        CHECK_INT(p.of[TT_PROBLEM_UNCLEAN_END].count, !all[i].clean);
    }
}

int main(void)
{
    char dir[] = "/tmp/tracetty-text-XXXXXX", path[128];
    const char *paths = path;
    static file f;
    tt_err err = {0};
    tt_load_options o = {.threads = 1};
    CHECK(mkdtemp(dir) != NULL);
    snprintf(path, sizeof path, "%s/host_42.1700000000000000000.ttspool", dir);
    write_all(&f, path);
    tt_session *all = tt_load_finish(tt_load_start(&paths, 1, &o), NULL, &err);
    if (CHECK(all != NULL)) {
        check_texts(all->traces[0], &f);
        check_trace(all->traces[0]);
    }
    tt_session_free(all);
    check_collectives();
    check_losses();
    unlink(path);
    rmdir(dir);
    return check_done();
}
