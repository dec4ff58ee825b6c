/* parser/input/ring_paths.c - see ring_paths.h. */
#include "parser/input/ring_paths.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "capture/format/spool_name.h"
#include "model/base/sort_by.h"

typedef struct segment {
    uint64_t number;
    char *path;
} segment;

void tt_ring_paths(const char *path, tt_walk_names *out)
{
    const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
    size_t whole = strlen(base), stem;
    char *folder = tt_strndup(path, (size_t)(base - path));
    tt_walk_entries files = {0};
    TT_VEC(segment) all = {0};
    if (whole > strlen(TT_SPOOL_ENDING)) tt_walk_list(NULL, folder, &files);
    for (size_t i = 0; i < files.n; i++) {
        const char *name = files.at[i].name;
        segment s;
        bool is = !files.at[i].folder && tt_spool_is_segment(name, strlen(name), &stem, &s.number);
        if (!is || stem + strlen(TT_SPOOL_ENDING) != whole || strncmp(name, base, stem) != 0) continue;
        if (asprintf(&s.path, "%s%s", folder, name) < 0) tt_mem_fail();
        *tt_vec_push(&all) = s;
    }
    TT_SORT_BY(all.at, all.n, TT_ASC(segment, number));
    for (size_t i = 0; i < all.n; i++) *tt_vec_push(out) = all.at[i].path;
    tt_vec_free(&all);
    tt_walk_entries_free(&files);
    free(folder);
}
