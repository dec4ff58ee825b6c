// Fuzz target: bytes as an SQLite database of a profiler. The target corrects the first 16 bytes and the file size in
// the header, so that every input is recognised as a database. If the last byte is odd the database is read from
// memory, as out of an archive.
#include "parser/databases/reader.h"
#include "tests/fuzz/common.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char magic[] = "SQLite format 3"; // 16 bytes with the NUL
    if (size < 512) return 0;
    char *whole = tt_malloc(size);
    memcpy(whole, data, size);
    memcpy(whole, magic, sizeof magic);
    memory_file f = file_of(whole, size);
    tt_input *in = tt_input_new("fuzz.sqlite", NULL);
    tt_input_add(in, TT_INPUT_FILE, f.path, NULL, "");
    tt_reader_progress progress = {0};
    const tt_reader_names names = {.path = "fuzz.sqlite", .worker = "w", .span = "", .rank = -1};
    const tt_reader_hooks hooks = {.all_events = true, .element_most = 1 << 20};
    tt_trace *trace = NULL;
    tt_err err;
    int input = -1;
    if (data[size - 1] & 1) { // through a pipe, which cannot be read at an offset
        int ends[2];
        MUST(pipe(ends) == 0 && size <= 65536 && write(ends[1], whole, size) == (ssize_t)size);
        close(ends[1]);
        input = ends[0];
        char path[64];
        snprintf(path, sizeof path, "/proc/self/fd/%d", input);
        tt_input_free(in);
        in = tt_input_new("fuzz.sqlite", NULL);
        tt_input_add(in, TT_INPUT_FILE, path, NULL, "");
    }
    if (tt_read_database(in, &names, 2, &progress, &hooks, &trace, &err) == TT_OK) {
        MUST(trace);
        use_session(tt_session_new(&trace, 1, "run"));
    }
    tt_input_free(in);
    if (input >= 0) close(input);
    close(f.fd);
    free(whole);
    return 0;
}
