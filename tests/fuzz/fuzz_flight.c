// Fuzz target: bytes as dumps of flight recorders, pickle or JSON: up to four of them, each behind its length (two
// bytes, little endian). All tables are computed, those of hangs over all dumps.
#include "parser/flight/reader.h"
#include "tests/fuzz/common.h"

enum { DUMPS = 4 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    memory_file files[DUMPS];
    const char *paths[DUMPS];
    uint32_t n = 0;
    for (size_t at = 0; n < DUMPS && at + 2 < size; n++) {
        size_t length = data[at] | (size_t)data[at + 1] << 8;
        at += 2;
        if (length > size - at) length = size - at;
        (void)tt_flight_sniff((const char *)data + at, length);
        files[n] = file_of(data + at, length);
        paths[n] = files[n].path;
        at += length;
    }
    if (!n) return 0;
    tt_load_options options = {.threads = 1};
    char *warnings = NULL;
    tt_err err;
    tt_session *session = tt_load_finish(tt_load_start(paths, n, &options), &warnings, &err);
    free(warnings);
    for (uint32_t i = 0; i < n; i++) close(files[i].fd);
    use_session(session);
    return 0;
}
