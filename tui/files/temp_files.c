/* tui/files/temp_files.c - a file is a list of blocks; a block that was never written reads as zeros. */
#include "tui/files/temp_files.h"

#include <pthread.h>
#include <sqlite3.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define VFS_NAME "tracetty-temporary"

enum { BLOCK = 256 << 10, SECTOR = 4096 };

typedef struct file {
    sqlite3_file base; /* first member: SQLite's interface wants it there */
    char **blocks;     /* NULL: block not written */
    sqlite3_int64 n_blocks, size;
} file;

static file *of(sqlite3_file *f) { return (file *)(void *)f; }

static void drop_blocks(file *f, sqlite3_int64 from)
{
    for (sqlite3_int64 i = from; i < f->n_blocks; i++) {
        sqlite3_free(f->blocks[i]);
        f->blocks[i] = NULL;
    }
}

static int xclose(sqlite3_file *base)
{
    file *f = of(base);
    drop_blocks(f, 0);
    sqlite3_free(f->blocks);
    f->blocks = NULL;
    f->n_blocks = 0;
    return SQLITE_OK;
}

static int xread(sqlite3_file *base, void *out, int n, sqlite3_int64 at)
{
    const file *f = of(base);
    char *to = out;
    bool all = at + n <= f->size;
    int left = all ? n : at < f->size ? (int)(f->size - at) : 0;
    memset(to + left, 0, (size_t)(n - left));
    while (left) {
        int offset = (int)(at % BLOCK), part = left < BLOCK - offset ? left : BLOCK - offset;
        const char *block = f->blocks[at / BLOCK];
        if (block)
            memcpy(to, block + offset, (size_t)part);
        else
            memset(to, 0, (size_t)part);
        to += part;
        at += part;
        left -= part;
    }
    return all ? SQLITE_OK : SQLITE_IOERR_SHORT_READ;
}

static bool make_room(file *f, sqlite3_int64 blocks)
{
    if (blocks <= f->n_blocks) return true;
    sqlite3_int64 more = blocks < 2 * f->n_blocks ? 2 * f->n_blocks : blocks;
    char **list = sqlite3_realloc64(f->blocks, (sqlite3_uint64)more * sizeof *list);
    if (!list) return false;
    for (sqlite3_int64 i = f->n_blocks; i < more; i++) list[i] = NULL;
    f->blocks = list;
    f->n_blocks = more;
    return true;
}

static int xwrite(sqlite3_file *base, const void *p, int n, sqlite3_int64 at)
{
    file *f = of(base);
    const char *from = p;
    if (!make_room(f, (at + n + BLOCK - 1) / BLOCK)) return SQLITE_IOERR_NOMEM;
    while (n) {
        int offset = (int)(at % BLOCK), part = n < BLOCK - offset ? n : BLOCK - offset;
        char **block = &f->blocks[at / BLOCK];
        if (!*block) {
            *block = sqlite3_malloc(BLOCK);
            if (!*block) return SQLITE_IOERR_NOMEM;
            memset(*block, 0, BLOCK);
        }
        memcpy(*block + offset, from, (size_t)part);
        from += part;
        at += part;
        n -= part;
        if (at > f->size) f->size = at;
    }
    return SQLITE_OK;
}

static int xtruncate(sqlite3_file *base, sqlite3_int64 size)
{
    file *f = of(base);
    if (size >= f->size) return SQLITE_OK;
    drop_blocks(f, (size + BLOCK - 1) / BLOCK);
    if (size % BLOCK && f->blocks[size / BLOCK])
        memset(f->blocks[size / BLOCK] + size % BLOCK, 0, (size_t)(BLOCK - size % BLOCK));
    f->size = size;
    return SQLITE_OK;
}

static int xsync(sqlite3_file *f, int flags)
{
    (void)f;
    (void)flags;
    return SQLITE_OK;
}

static int xsize(sqlite3_file *f, sqlite3_int64 *size)
{
    *size = of(f)->size;
    return SQLITE_OK;
}

static int xlock(sqlite3_file *f, int level)
{
    (void)f;
    (void)level;
    return SQLITE_OK;
}

static int xreserved(sqlite3_file *f, int *out)
{
    (void)f;
    *out = 0;
    return SQLITE_OK;
}

static int xcontrol(sqlite3_file *f, int op, void *arg)
{
    (void)f;
    (void)op;
    (void)arg;
    return SQLITE_NOTFOUND;
}

static int xsector(sqlite3_file *f)
{
    (void)f;
    return SECTOR;
}

static int xcharacteristics(sqlite3_file *f)
{
    (void)f;
    return 0;
}

static const sqlite3_io_methods methods = {
    .iVersion = 1,
    .xClose = xclose,
    .xRead = xread,
    .xWrite = xwrite,
    .xTruncate = xtruncate,
    .xSync = xsync,
    .xFileSize = xsize,
    .xLock = xlock,
    .xUnlock = xlock,
    .xCheckReservedLock = xreserved,
    .xFileControl = xcontrol,
    .xSectorSize = xsector,
    .xDeviceCharacteristics = xcharacteristics,
};

static int xopen(sqlite3_vfs *v, const char *name, sqlite3_file *base, int flags, int *out_flags)
{
    (void)v;
    base->pMethods = NULL;
    if (name) return SQLITE_CANTOPEN;
    *of(base) = (file){.base = {&methods}};
    if (out_flags) *out_flags = flags;
    return SQLITE_OK;
}

static int xdelete(sqlite3_vfs *v, const char *name, int sync)
{
    (void)v;
    (void)name;
    (void)sync;
    return SQLITE_OK;
}

static int xaccess(sqlite3_vfs *v, const char *name, int flags, int *out)
{
    (void)v;
    (void)name;
    (void)flags;
    *out = 0;
    return SQLITE_OK;
}

static int xfull_path(sqlite3_vfs *v, const char *name, int n, char *out)
{
    (void)v;
    sqlite3_snprintf(n, out, "%s", name);
    return SQLITE_OK;
}

static sqlite3_vfs *base_of(sqlite3_vfs *v) { return v->pAppData; }

static int xrandomness(sqlite3_vfs *v, int n, char *out) { return base_of(v)->xRandomness(base_of(v), n, out); }
static int xsleep(sqlite3_vfs *v, int us) { return base_of(v)->xSleep(base_of(v), us); }
static int xtime(sqlite3_vfs *v, double *out) { return base_of(v)->xCurrentTime(base_of(v), out); }
static int xerror(sqlite3_vfs *v, int n, char *out) { return base_of(v)->xGetLastError(base_of(v), n, out); }

static void register_files(void)
{
    sqlite3_vfs *base = sqlite3_vfs_find(NULL), *v = sqlite3_malloc(sizeof *v);
    if (!base || !v) {
        sqlite3_free(v);
        return;
    }
    *v = (sqlite3_vfs){
        .iVersion = 1,
        .szOsFile = sizeof(file),
        .mxPathname = 512,
        .zName = VFS_NAME,
        .pAppData = base,
        .xOpen = xopen,
        .xDelete = xdelete,
        .xAccess = xaccess,
        .xFullPathname = xfull_path,
        .xRandomness = xrandomness,
        .xSleep = xsleep,
        .xCurrentTime = xtime,
        .xGetLastError = xerror,
    };
    sqlite3_vfs_register(v, 0);
}

const char *tt_sql_temp_files(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, register_files);
    return sqlite3_vfs_find(VFS_NAME) ? VFS_NAME : NULL;
}
