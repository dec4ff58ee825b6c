// A temporary folder for a test's files, removed at the end.
#ifndef TT_TESTS_UNIT_TEMPDIR_H
#define TT_TESTS_UNIT_TEMPDIR_H
#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char temp_dir_[256], temp_path_[8][512];
static unsigned temp_turn_;

static inline void temp_begin(void)
{
    const char *base = getenv("TMPDIR");

    snprintf(temp_dir_, sizeof temp_dir_, "%s/tracetty-test-XXXXXX", base ? base : "/tmp");
    if (!mkdtemp(temp_dir_)) {
        perror("mkdtemp");
        exit(1);
    }
}

// Path of a file in the folder; the result stays valid for the next seven calls.
static inline const char *temp_path(const char *name)
{
    char *p = temp_path_[temp_turn_++ % 8];

    snprintf(p, sizeof temp_path_[0], "%s/%s", temp_dir_, name);
    return p;
}

// Write a file and create the folders in its name.
static inline const char *temp_file(const char *name, const void *bytes, size_t n)
{
    const char *path = temp_path(name);
    char part[512];
    FILE *f;

    snprintf(part, sizeof part, "%s", path);
    for (char *p = part + strlen(temp_dir_) + 1; (p = strchr(p, '/')); *p++ = '/') {
        *p = '\0';
        if (mkdir(part, 0700) != 0 && errno != EEXIST) perror(part);
    }
    f = fopen(path, "wb");
    if (!f || fwrite(bytes, 1, n, f) != n || fclose(f) != 0) {
        perror(path);
        exit(1);
    }
    return path;
}

static inline int temp_remove_(const char *path, const struct stat *st, int type, struct FTW *at)
{
    (void)st, (void)type, (void)at;
    return remove(path);
}

static inline void temp_end(void) { nftw(temp_dir_, temp_remove_, 16, FTW_DEPTH | FTW_PHYS); }

#endif
