// Fuzz target: bytes as the records of a recorder's file. The target adds blocks with correct headers and checksums,
// which no mutation would find. Bits of the first byte: 1 = correct the sizes of records, too; 2 = tear the last
// block; 4 = damage a byte; the other bits divide the records into blocks. The file is read as a whole, and from its
// middle on as one that is followed.
#include "parser/recording/facts.h"
#include "parser/recording/past.h"
#include "tests/fuzz/common.h"

/* Make every record at least as long as its type requires, where it fits. */
static void mend_sizes(char *p, size_t n)
{
    for (size_t at = 0; at + sizeof(tt_spool_rec) <= n;) {
        tt_spool_rec r;
        memcpy(&r, p + at, sizeof r);
        size_t least = (tt_spool_least(r.type) + 7) / 8 * 8;
        if (least < sizeof r) least = sizeof r;
        if (r.size < least || r.size % 8 || r.size > n - at) r.size = (uint16_t)(least < n - at ? least : n - at);
        memcpy(p + at, &r, sizeof r);
        at += r.size;
    }
}

/* Length of the next whole records: at least `want` bytes if that many are left. */
static size_t some_records(const char *p, size_t n, size_t want)
{
    size_t at = 0;
    while (at < want && at + sizeof(tt_spool_rec) <= n) {
        tt_spool_rec r;
        memcpy(&r, p + at, sizeof r);
        at += r.size >= sizeof r && r.size <= n - at && r.size % 8 == 0 ? r.size : n - at;
    }
    return at < n ? at : n;
}

static void follow(const void *bytes, size_t n)
{
    char path[64];
    tt_err err;
    snprintf(path, sizeof path, "/dev/shm/tracetty-fuzz-%ld.ttspool", (long)getpid());
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    MUST(fd >= 0 && write(fd, bytes, n) == (ssize_t)n);
    close(fd);
    const char *paths[] = {path};
    tt_load_options options = {.threads = 1, .past = tt_past_new()};
    tt_past_set_newest(options.past, n / 2);
    tt_session *session = tt_load_finish(tt_load_start(paths, 1, &options), NULL, &err);
    if (session) read_arguments(session);
    tt_session_free(session);
    tt_past_free(options.past);
    unlink(path);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 1 + sizeof(tt_spool_rec)) return 0;
    size_t n = (size - 1) & ~(size_t)7, want = 8 + (size_t)(data[0] >> 3) * 8, len = 0;
    char *records = tt_malloc(n), *file = tt_malloc(n * 3 + sizeof(tt_spool_block));
    memcpy(records, data + 1, n);
    if (data[0] & 1) mend_sizes(records, n);
    uint32_t seq = 0;
    for (size_t at = 0; at < n;) {
        size_t part = some_records(records + at, n - at, want);
        if (!part) part = n - at;
        tt_spool_block b = {.len = (uint32_t)part, .sum = tt_spool_sum(records + at, part), .seq = seq++};
        memcpy(b.magic, TT_SPOOL_MAGIC, sizeof b.magic);
        memcpy(file + len, &b, sizeof b);
        memcpy(file + len + sizeof b, records + at, part);
        len += sizeof b + part;
        at += part;
    }
    if (data[0] & 4) file[4 + (n * 7919 + data[size - 1] * 31u) % (len - 4)] ^= (char)(1 << data[size - 1] % 8);
    if (data[0] & 2) len -= 4;
    use_session(load_bytes(file, len, 1));
    follow(file, len);
    free(records);
    free(file);
    return 0;
}
