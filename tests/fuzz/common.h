// Shared by the fuzz targets: present bytes as a file without a file system, load them, abort on a broken promise.
#ifndef TT_TESTS_FUZZ_COMMON_H
#define TT_TESTS_FUZZ_COMMON_H

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "model/tables/registry/registry.h"
#include "model/tables/table.h"
#include "parser/input/event_text.h"
#include "parser/load.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define MUST(cond)                                                                                                     \
    do {                                                                                                               \
        if (!(cond)) {                                                                                                 \
            fprintf(stderr, "%s:%d: does not hold: %s\n", __FILE__, __LINE__, #cond);                                  \
            abort();                                                                                                   \
        }                                                                                                              \
    } while (0)

typedef struct memory_file {
    int fd;
    char path[64];
} memory_file;

static inline memory_file file_of(const void *data, size_t size)
{
    memory_file f = {.fd = memfd_create("fuzz", 0)};
    MUST(f.fd >= 0 && write(f.fd, data, size) == (ssize_t)size);
    snprintf(f.path, sizeof f.path, "/proc/self/fd/%d", f.fd);
    return f;
}

static inline tt_session *load_bytes(const void *data, size_t size, unsigned threads)
{
    memory_file f = file_of(data, size);
    const char *paths[] = {f.path};
    tt_load_options options = {.threads = threads};
    char *warnings = NULL;
    tt_err err;
    tt_session *session = tt_load_finish(tt_load_start(paths, 1, &options), &warnings, &err);
    free(warnings);
    close(f.fd);
    return session;
}

static inline void read_arguments(const tt_session *session)
{
    static const tt_drilldown everything = {.what = TT_DRILL_SLICES, .trace = TT_NONE, .kinds = UINT32_MAX};
    tt_slice_ref refs[16];
    uint32_t n = tt_drilldown_slices(session, &tt_scope_all, &everything, refs, 16);
    for (uint32_t i = 0; i < n && i < 16; i++) {
        const tt_trace *trace = session->traces[refs[i].trace];
        tt_fields fields;
        tt_err err;
        if (tt_event_fields(trace, tt_row_text(trace, refs[i].row), &fields, &err) == TT_OK) tt_fields_free(&fields);
    }
}

/* Compute every table and read some events again. NULL = no trace. */
static inline void use_session(tt_session *session)
{
    if (!session) return;
    const tt_options none = {0};
    tt_table_list tables = tt_session_tables(session);
    for (uint32_t i = 0; i < tables.n; i++) tt_table_get(session, tables.at[i], &tt_scope_all, &none);
    read_arguments(session);
    tt_session_free(session);
}

/* Load a small trace with every phase and category that screens look for. */
static inline tt_session *load_sample(void)
{
    static const char sample[] =
        "{\"schemaVersion\":1,\"deviceProperties\":[{\"id\":0,\"name\":\"GPU\",\"numSms\":8,\"totalGlobalMem\":1000000}"
        "],"
        "\"traceEvents\":["
        "{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":1,\"tid\":0,\"args\":{\"name\":\"python\"}},"
        "{\"ph\":\"X\",\"cat\":\"user_annotation\",\"name\":\"ProfilerStep#1\",\"pid\":1,\"tid\":1,\"ts\":100,\"dur\":"
        "900},"
        "{\"ph\":\"X\",\"cat\":\"user_annotation\",\"name\":\"ProfilerStep#2\",\"pid\":1,\"tid\":1,\"ts\":1000,\"dur\":"
        "900},"
        "{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"aten::mm\",\"pid\":1,\"tid\":1,\"ts\":120,\"dur\":200,\"args\":{"
        "\"External id\":1,"
        "\"Input Dims\":[[2,2],[2,2]],\"Call stack\":\"a;b\"}},"
        "{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"aten::add\",\"pid\":1,\"tid\":2,\"ts\":1200,\"dur\":300},"
        "{\"ph\":\"X\",\"cat\":\"cuda_runtime\",\"name\":\"cudaLaunchKernel\",\"pid\":1,\"tid\":1,\"ts\":150,\"dur\":"
        "10,\"args\":{"
        "\"correlation\":7,\"External id\":1}},"
        "{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"gemm<float, "
        "4>(int)\",\"pid\":0,\"tid\":7,\"ts\":300,\"dur\":400,\"args\":{"
        "\"correlation\":7,\"device\":0,\"stream\":7,\"grid\":[1,1,1],\"block\":[32,1,1],\"est. achieved occupancy "
        "%\":50}},"
        "{\"ph\":\"X\",\"cat\":\"gpu_memcpy\",\"name\":\"Memcpy "
        "HtoD\",\"pid\":0,\"tid\":7,\"ts\":900,\"dur\":50,\"args\":{\"bytes\":512}},"
        "{\"ph\":\"X\",\"cat\":\"python_function\",\"name\":\"nn.Module: "
        "Linear_0\",\"pid\":1,\"tid\":1,\"ts\":110,\"dur\":500,\"args\":{"
        "\"Python id\":1,\"Python module id\":0}},"
        "{\"ph\":\"i\",\"name\":\"[memory]\",\"pid\":1,\"tid\":1,\"ts\":130,\"s\":\"t\",\"args\":{\"Addr\":9,\"Bytes\":"
        "64,\"Device Type\":1,"
        "\"Device Id\":0,\"Total Allocated\":64,\"Total Reserved\":128}},"
        "{\"ph\":\"C\",\"name\":\"load\",\"pid\":1,\"ts\":140,\"args\":{\"v\":3}}]}";
    return load_bytes(sample, sizeof sample - 1, 1);
}

#endif
