// Fuzz target: each line names a file or folder (a "/" makes a folder) of a tree that is searched for traces.
#include <ftw.h>
#include <sys/stat.h>

#include "parser/discover/discover.h"
#include "tests/fuzz/common.h"

static int drop(const char *path, const struct stat *st, int type, struct FTW *at)
{
    (void)st, (void)type, (void)at;
    return remove(path);
}

static void make(const char *root, const char *name, size_t n)
{
    char path[512];
    if (!n || n > 200 || name[0] == '/' || memmem(name, n, "..", 2) || memchr(name, 0, n)) return;
    snprintf(path, sizeof path, "%s/%.*s", root, (int)n, name);
    for (char *p = path + strlen(root) + 1; (p = strchr(p, '/')); p++) {
        *p = 0;
        mkdir(path, 0755);
        *p = '/';
    }
    int fd = open(path, O_CREAT | O_WRONLY | O_CLOEXEC, 0644);
    if (fd >= 0) close(fd);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char root[] = "/dev/shm/tracetty-fuzz-XXXXXX";
    if (!mkdtemp(root)) return 0;
    size_t files = 0;
    for (const char *p = (const char *)data, *e = p + size; p < e && files < 20; files++) {
        const char *end = memchr(p, '\n', (size_t)(e - p));
        if (!end) end = e;
        make(root, p, (size_t)(end - p));
        p = end + 1;
    }
    const char *paths[] = {root};
    tt_found_list found = {0};
    tt_err err = {.offset = -1};
    if (tt_discover(paths, 1, &found, &err) == TT_OK) {
        MUST(found.n);
        for (size_t i = 0; i < found.n; i++) {
            const tt_found *f = &found.at[i];
            MUST(f->path && f->run && f->worker && f->stamp && f->span && access(f->path, F_OK) == 0);
            for (size_t k = 0; k < i; k++) {
                const tt_found *g = &found.at[k];
                MUST(strcmp(f->run, g->run) || strcmp(f->worker, g->worker) || strcmp(f->stamp, g->stamp));
            }
        }
        tt_found_free(&found);
    } else {
        MUST(err.message[0]);
    }
    nftw(root, drop, 16, FTW_DEPTH | FTW_PHYS);
    return 0;
}
