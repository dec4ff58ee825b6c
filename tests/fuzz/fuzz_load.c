// Fuzz target: any bytes as a trace file, through discovery, decompression, reader and store, then every table, and the
// arguments of some events read again. It must neither crash, leak, hang nor read out of bounds.
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "model/table.h"
#include "parser/eventtext.h"
#include "parser/load.h"

static void read_arguments(const tt_session *session)
{
    static const tt_origin everything = {.what = TT_ORIGIN_SLICES, .store = TT_NONE, .kinds = UINT32_MAX};
    tt_slice_ref refs[16];
    uint32_t n = tt_origin_slices(session, &tt_scope_all, &everything, refs, 16);
    for (uint32_t i = 0; i < n && i < 16; i++) {
        const tt_store *store = session->stores[refs[i].store];
        tt_fields fields;
        tt_err err;
        if (tt_event_fields(store, tt_row_text(store, refs[i].row), &fields, &err) == TT_OK) tt_fields_free(&fields);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    int fd = memfd_create("fuzz", 0);
    if (fd < 0 || write(fd, data, size) != (ssize_t)size) abort();
    char path[64];
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    const char *paths[] = {path};
    tt_load_options options = {.threads = 1 + size % 2};
    char *warnings = NULL;
    tt_err err;
    tt_session *session = tt_load_finish(tt_load_start(paths, 1, &options), &warnings, &err);
    free(warnings);
    if (session) {
        const tt_options none = {0};
        for (uint32_t i = 0; i < tt_n_tables; i++) tt_table_get(session, tt_tables[i], &tt_scope_all, &none);
        read_arguments(session);
        tt_session_free(session);
    }
    close(fd);
    return 0;
}
