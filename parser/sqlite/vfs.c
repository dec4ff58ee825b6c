/* parser/sqlite/vfs.c - SQLite's file system with one read-only file. See vfs.h. */
#include "parser/sqlite/vfs.h"

#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define VFS_NAME "tracetty"

typedef struct file {
    sqlite3_file base; /* must be first for SQLite */
    const tt_db_bytes *bytes;
} file;

static int xclose(sqlite3_file *f)
{
    (void)f;
    return SQLITE_OK;
}

/* Read up to n bytes; returns their number, -1 = cannot be read. */
static int read_bytes(const tt_db_bytes *b, void *out, int n, int64_t at)
{
    int got = 0;
    if (b->fd < 0) {
        uint64_t left = (uint64_t)at < b->size ? b->size - (uint64_t)at : 0;
        got = left < (uint64_t)n ? (int)left : n;
        if (got) memcpy(out, b->at + at, (size_t)got);
    }
    while (b->fd >= 0 && got < n) {
        ssize_t k = pread(b->fd, (char *)out + got, (size_t)(n - got), at + got);
        if (k < 0 && errno == EINTR) continue;
        if (k < 0) return -1;
        if (!k) break;
        got += (int)k;
    }
    return got;
}

/* Bytes beyond the end read as zeros, with SQLITE_IOERR_SHORT_READ. */
static int xread(sqlite3_file *f, void *out, int n, sqlite3_int64 at)
{
    int got = at < 0 ? -1 : read_bytes(((file *)(void *)f)->bytes, out, n, at);
    if (got < 0) return SQLITE_IOERR_READ;
    if (got == n) return SQLITE_OK;
    memset((char *)out + got, 0, (size_t)(n - got));
    return SQLITE_IOERR_SHORT_READ;
}

static int xwrite(sqlite3_file *f, const void *p, int n, sqlite3_int64 at)
{
    (void)f;
    (void)p;
    (void)n;
    (void)at;
    return SQLITE_READONLY;
}

static int xtruncate(sqlite3_file *f, sqlite3_int64 size)
{
    (void)f;
    (void)size;
    return SQLITE_READONLY;
}

static int xnothing(sqlite3_file *f, int arg)
{
    (void)f;
    (void)arg;
    return SQLITE_OK;
}

static int xsize(sqlite3_file *f, sqlite3_int64 *out)
{
    const tt_db_bytes *b = ((file *)(void *)f)->bytes;
    *out = (sqlite3_int64)(b->says > b->size ? b->says : b->size);
    return SQLITE_OK;
}

static int xreserved(sqlite3_file *f, int *out)
{
    (void)f;
    *out = 0;
    return SQLITE_OK;
}

static int xcontrol(sqlite3_file *f, int what, void *arg)
{
    (void)f;
    (void)what;
    (void)arg;
    return SQLITE_NOTFOUND;
}

static int xsector(sqlite3_file *f)
{
    (void)f;
    return 4096;
}

static int xtraits(sqlite3_file *f)
{
    (void)f;
    return SQLITE_IOCAP_IMMUTABLE;
}

static const sqlite3_io_methods methods = {.iVersion = 1,
                                           .xClose = xclose,
                                           .xRead = xread,
                                           .xWrite = xwrite,
                                           .xTruncate = xtruncate,
                                           .xSync = xnothing,
                                           .xFileSize = xsize,
                                           .xLock = xnothing,
                                           .xUnlock = xnothing,
                                           .xCheckReservedLock = xreserved,
                                           .xFileControl = xcontrol,
                                           .xSectorSize = xsector,
                                           .xDeviceCharacteristics = xtraits};

/* Open the file; tt_db_bytes_open() has put the address of its bytes into the name. */
static int xopen(sqlite3_vfs *v, const char *name, sqlite3_file *f, int flags, int *out)
{
    (void)v;
    file *x = (file *)(void *)f;
    uintptr_t at = 0;
    *x = (file){0};
    if (!name || !(flags & SQLITE_OPEN_MAIN_DB) || sscanf(name, "/%" SCNxPTR, &at) != 1 || !at) return SQLITE_CANTOPEN;
    *x = (file){{&methods}, (const tt_db_bytes *)at}; /* NOLINT(performance-no-int-to-ptr): made from one */
    if (out) *out = SQLITE_OPEN_READONLY | SQLITE_OPEN_MAIN_DB;
    return SQLITE_OK;
}

static int xdelete(sqlite3_vfs *v, const char *name, int sync)
{
    (void)v;
    (void)name;
    (void)sync;
    return SQLITE_READONLY;
}

/* Reports every other file as missing. */
static int xaccess(sqlite3_vfs *v, const char *name, int flags, int *out)
{
    (void)v;
    (void)name;
    (void)flags;
    *out = 0;
    return SQLITE_OK;
}

static int xpath(sqlite3_vfs *v, const char *name, int cap, char *out)
{
    (void)v;
    return snprintf(out, (size_t)cap, "%s", name) < cap ? SQLITE_OK : SQLITE_CANTOPEN;
}

static int xrandom(sqlite3_vfs *v, int n, char *out)
{
    (void)v;
    memset(out, 0, (size_t)n); /* random names of temporary files, which are never made */
    return n;
}

static int xsleep(sqlite3_vfs *v, int us)
{
    (void)v;
    return us;
}

static int xtime(sqlite3_vfs *v, double *out)
{
    (void)v;
    *out = 2440587.5;
    return SQLITE_OK;
}

static int xerror(sqlite3_vfs *v, int n, char *out)
{
    (void)v;
    (void)n;
    (void)out;
    return errno;
}

static sqlite3_vfs vfs = {.iVersion = 1,
                          .szOsFile = sizeof(file),
                          .mxPathname = 64,
                          .zName = VFS_NAME,
                          .xOpen = xopen,
                          .xDelete = xdelete,
                          .xAccess = xaccess,
                          .xFullPathname = xpath,
                          .xRandomness = xrandom,
                          .xSleep = xsleep,
                          .xCurrentTime = xtime,
                          .xGetLastError = xerror};

void tt_db_bytes_look(tt_db_bytes *b)
{
    unsigned char h[100];
    b->says = 0;
    if (read_bytes(b, h, sizeof h, 0) != (int)sizeof h) return;
    uint64_t page = (uint64_t)h[16] << 8 | h[17], pages = 0;
    for (int i = 28; i < 32; i++) pages = pages << 8 | h[i];
    if (page == 1) page = 65536;
    bool valid = !memcmp(h + 24, h + 92, 4); /* the header's page count is valid if the last change wrote it */
    if (valid && page >= 512 && !(page & (page - 1))) b->says = page * pages;
}

static void register_vfs(void) { sqlite3_vfs_register(&vfs, 0); }

int tt_db_bytes_open(const tt_db_bytes *b, sqlite3 **out)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    char uri[96];
    pthread_once(&once, register_vfs);
    snprintf(uri, sizeof uri, "file:///%" PRIxPTR "?vfs=" VFS_NAME "&mode=ro&immutable=1", (uintptr_t)b);
    return sqlite3_open_v2(
        uri, out, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_PRIVATECACHE, NULL);
}
