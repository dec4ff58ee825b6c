/* Damaged spools: change every byte of a small spool, cut it there, remove bytes there and insert bytes there. The
 * reader loses only the block that was hit, and reports the loss. */
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "capture/spool/spool_writer.h"
#include "parser/load.h"
#include "tests/unit/check.h"

enum { BLOCKS = 6, MARKS = 3 }; /* blocks after the first one, which holds the facts */

static const int64_t t0 = 1700000000000000000;

typedef struct sample {
    unsigned char bytes[1 << 13];
    size_t n, start[BLOCKS + 2]; /* start: offset of each block, and of the end */
} sample;

static void make(const char *path, sample *x)
{
    tt_spool_writer w;
    CHECK_INT(tt_spool_open(&w, path, 0), 0);
    tt_spool_add_text(&w, TT_SPOOL_META, 0, "pid", "42", 2);
    tt_spool_add_text(&w, TT_SPOOL_META, 0, "baseTimeNanoseconds", "1700000000000000000", 19);
    tt_spool_flush(&w);
    for (uint32_t b = 1; b <= BLOCKS; b++) {
        char name[24];
        int n = snprintf(name, sizeof name, "mark %u TTB1", b); /* the magic inside a text does not begin a block */
        x->start[b] = (size_t)w.bytes;
        tt_spool_add_text(&w, TT_SPOOL_STRING, b, NULL, name, (size_t)n);
        for (int i = 0; i < MARKS; i++) {
            tt_spool_mark *m = tt_spool_add(&w, TT_SPOOL_MARK, sizeof *m, b);
            m->ts = t0 + b * 100 + i;
            m->tid = 7;
        }
        if (b == BLOCKS) tt_spool_add(&w, TT_SPOOL_END, sizeof(tt_spool_end), 0);
        tt_spool_flush(&w);
    }
    x->start[BLOCKS + 1] = (size_t)w.bytes;
    tt_spool_close(&w);
    int fd = open(path, O_RDONLY);
    x->n = (size_t)read(fd, x->bytes, sizeof x->bytes);
    close(fd);
    CHECK_INT(x->n, x->start[BLOCKS + 1]);
}

/* The blocks that the reader finds, one bit each; 0 = the file cannot be opened. */
static unsigned blocks_in(const char *path, const void *bytes, size_t n, uint64_t *problems, bool *clean)
{
    tt_err err = {0};
    tt_load_options o = {.threads = 1};
    unsigned found = 0;
    int fd = open(path, O_WRONLY | O_TRUNC);
    CHECK(write(fd, bytes, n) == (ssize_t)n);
    close(fd);
    tt_session *all = tt_load_finish(tt_load_start(&path, 1, &o), NULL, &err);
    *problems = 0;
    *clean = false;
    if (!all) return CHECK(err.message[0] != 0) ? 0 : 0;
    const tt_trace *s = all->traces[0];
    unsigned marks[BLOCKS + 1] = {0};
    for (uint32_t i = 0; i < s->n_instants; i++) {
        int64_t at = s->origin_ns + s->instants[i].ts - t0;
        char want[24];
        uint32_t b = (uint32_t)(at / 100);
        if (!CHECK(at >= 100 && b <= BLOCKS)) continue;
        snprintf(want, sizeof want, "mark %u TTB1", b);
        CHECK_STR(tt_str(&s->strings, s->instants[i].name), want);
        marks[b]++;
    }
    for (unsigned b = 1; b <= BLOCKS; b++) {
        CHECK(marks[b] == 0 || marks[b] == MARKS);
        found |= (unsigned)(marks[b] == MARKS) << b;
    }
    const tt_problems *p = &s->problems;
    *problems = p->of[TT_PROBLEM_MALFORMED_EVENT].count + p->of[TT_PROBLEM_TRUNCATED].count;
    *clean = !p->of[TT_PROBLEM_UNCLEAN_END].count;
    tt_session_free(all);
    return found;
}

enum { ALL = (1u << (BLOCKS + 1)) - 2 };

static unsigned block_of(const sample *x, size_t at)
{
    unsigned b = 0;
    while (b < BLOCKS && at >= x->start[b + 1]) b++;
    return b;
}

static void test_flips(const char *path, sample *x)
{
    static const unsigned char masks[] = {0x01, 0x80, 0xFF};
    uint64_t problems;
    bool clean;
    for (size_t i = 0; i < x->n; i++) {
        for (size_t k = 0; k < sizeof masks; k++) {
            unsigned b = block_of(x, i), want = ALL & ~(1u << b);
            bool number = i - x->start[b] >= 12 && i - x->start[b] < 16; /* block number: other blocks tell it */
            if (number) want = ALL;
            x->bytes[i] ^= masks[k];
            unsigned found = blocks_in(path, x->bytes, x->n, &problems, &clean);
            x->bytes[i] ^= masks[k];
            if (i < 4) continue; /* without its magic the file is not taken for a spool */
            CHECK_INT(found, want);
            if (found != want) printf("byte %zu of block %u, mask %x\n", i, b, masks[k]);
            CHECK_INT(problems, 1);
            CHECK(clean == (b != BLOCKS || number));
        }
    }
}

static void test_cuts(const char *path, const sample *x)
{
    uint64_t problems;
    bool clean;
    for (size_t n = 4; n < x->n; n++) {
        unsigned whole = block_of(x, n), want = ((1u << whole) - 1) & ALL;
        unsigned found = blocks_in(path, x->bytes, n, &problems, &clean);
        CHECK_INT(found, want);
        if (found != want) printf("cut at %zu\n", n);
        CHECK(!clean);
        if (n > x->start[1]) CHECK_INT(problems, n != x->start[whole]);
    }
}

/* Removed or inserted bytes move all later blocks. */
static void test_moves(const char *path, const sample *x)
{
    static unsigned char bytes[sizeof x->bytes + 16];
    uint64_t problems;
    bool clean;
    for (size_t i = 20; i < x->n; i += 3) {
        for (size_t by = 1; by < 10; by += 4) {
            unsigned b = block_of(x, i), last = block_of(x, i + by), want = ALL & ~(1u << b);
            if (i + by <= x->n && last == b) {
                memcpy(bytes, x->bytes, i);
                memcpy(bytes + i, x->bytes + i + by, x->n - i - by);
                CHECK_INT(blocks_in(path, bytes, x->n - by, &problems, &clean), want);
                CHECK(problems > 0);
            }
            memcpy(bytes, x->bytes, i);
            memset(bytes + i, 'T', by);
            memcpy(bytes + i + by, x->bytes + i, x->n - i);
            /* a T inserted before a block or within the letters TT of its magic leaves the block whole */
            CHECK_INT(blocks_in(path, bytes, x->n + by, &problems, &clean), i - x->start[b] <= 2 ? ALL : want);
            CHECK(problems > 0);
        }
    }
}

/* Remove a block, repeat a block, swap two blocks. */
static void test_blocks(const char *path, const sample *x)
{
    static unsigned char bytes[2 * sizeof x->bytes];
    uint64_t problems;
    bool clean;
    for (unsigned b = 1; b <= BLOCKS; b++) {
        size_t from = x->start[b], to = x->start[b + 1];
        memcpy(bytes, x->bytes, from);
        memcpy(bytes + from, x->bytes + to, x->n - to);
        CHECK_INT(blocks_in(path, bytes, x->n - (to - from), &problems, &clean), ALL & ~(1u << b));
        CHECK_INT(problems, b < BLOCKS); /* the last block holds END: its loss shows as an unclean end only */
        memcpy(bytes, x->bytes, to);
        memcpy(bytes + to, x->bytes + from, x->n - from); /* repeat the block */
        CHECK_INT(blocks_in(path, bytes, x->n + (to - from), &problems, &clean), ALL);
        CHECK_INT(problems, 1);
    }
}

/* A block with a correct checksum but a wrong record: the reader keeps the records before it and all other blocks. */
static void test_records(const char *path, const sample *x)
{
    static const uint16_t sizes[] = {0, 4, 7, 12, 16, 24, 0xFFF8};
    static unsigned char bytes[sizeof x->bytes];
    uint64_t problems;
    bool clean;
    for (unsigned b = 1; b <= BLOCKS; b++) {
        for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
            tt_spool_block head;
            memcpy(bytes, x->bytes, x->n);
            memcpy(&head, bytes + x->start[b], sizeof head);
            unsigned char *records = bytes + x->start[b] + sizeof head;
            tt_spool_rec string, mark;
            memcpy(&string, records, sizeof string);
            memcpy(&mark, records + string.size, sizeof mark);
            CHECK_INT(mark.type, TT_SPOOL_MARK);
            if (sizes[k] == 24) mark.type = TT_SPOOL_KERNEL; /* a kernel is longer than 24 bytes */
            mark.size = sizes[k];
            memcpy(records + string.size, &mark, sizeof mark);
            head.sum = tt_spool_sum(records, head.len);
            memcpy(bytes + x->start[b], &head, sizeof head);
            CHECK_INT(blocks_in(path, bytes, x->n, &problems, &clean), ALL & ~(1u << b));
            CHECK_INT(problems, 1);
        }
    }
}

/* Bytes that only look like blocks cost little time. */
static void test_hostile(const char *path, const sample *x)
{
    size_t n = 24 << 20;
    unsigned char *bytes = calloc(1, n);
    uint64_t problems;
    bool clean;
    memcpy(bytes, x->bytes, x->start[2]);
    for (size_t at = x->start[2]; at + sizeof(tt_spool_block) < n; at += sizeof(tt_spool_block)) {
        tt_spool_block b = {.len = 4 << 20, .sum = 1, .seq = 2};
        memcpy(b.magic, TT_SPOOL_MAGIC, sizeof b.magic);
        memcpy(bytes + at, &b, sizeof b);
    }
    CHECK_INT(blocks_in(path, bytes, n, &problems, &clean), 1u << 1);
    CHECK_INT(problems, 1);
    free(bytes);
}

int main(void)
{
    char dir[] = "/tmp/tracetty-damage-XXXXXX", path[128];
    static sample x;
    CHECK(mkdtemp(dir) != NULL);
    snprintf(path, sizeof path, "%s/host_42.1700000000000000000.ttspool", dir);
    make(path, &x);
    uint64_t problems;
    bool clean;
    CHECK_INT(blocks_in(path, x.bytes, x.n, &problems, &clean), ALL);
    CHECK(problems == 0 && clean);
    test_flips(path, &x);
    test_cuts(path, &x);
    test_moves(path, &x);
    test_blocks(path, &x);
    test_records(path, &x);
    test_hostile(path, &x);
    unlink(path);
    rmdir(dir);
    return check_done();
}
