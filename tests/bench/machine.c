/* tests/bench/machine.c - limits of the machine that bound loading, measured alone.
 *
 *     machine inflate FILE     read the text of FILE through the program's own decompression and drop it
 *     machine copy             copy memory that is in no cache
 *
 * Prints {"seconds": s, "bytes": n}. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "parser/source/source.h"

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static int put(double seconds, uint64_t bytes)
{
    printf("{\"seconds\": %.6f, \"bytes\": %llu}\n", seconds, (unsigned long long)bytes);
    return 0;
}

static int inflate_all(const char *path)
{
    enum { PIECE = 1 << 20 };
    tt_source *s;
    tt_err err;
    char *piece = tt_malloc(PIECE);
    uint64_t bytes = 0;
    double t0 = now();
    size_t got = 1;
    tt_status status = tt_source_open(path, &s, &err);
    if (status != TT_OK) {
        fprintf(stderr, "machine: %s\n", err.message);
        return 1;
    }
    while (got && (status = tt_source_read(s, piece, PIECE, &got, &err)) == TT_OK) bytes += got;
    tt_source_close(s);
    free(piece);
    return status == TT_OK ? put(now() - t0, bytes) : 1;
}

static int copy_memory(void)
{
    enum { ROUNDS = 4 };
    const size_t n = (size_t)256 << 20;
    char *from = tt_pages_alloc_now(n), *to = tt_pages_alloc_now(n);
    double t0 = now();
    for (int i = 0; i < ROUNDS; i++) {
        from[(size_t)i * 4096] = 1; /* change the source, as a compiler may drop an equal copy */
        memcpy(to, from, n);
    }
    double seconds = now() - t0;
    int seen = to[0];
    tt_pages_free(from, n);
    tt_pages_free(to, n);
    return put(seconds, ROUNDS * n) + (seen > 1);
}

int main(int argc, char **argv)
{
    if (argc == 3 && !strcmp(argv[1], "inflate")) return inflate_all(argv[2]);
    if (argc == 2 && !strcmp(argv[1], "copy")) return copy_memory();
    fprintf(stderr, "usage: machine inflate FILE | machine copy\n");
    return 2;
}
