/* parser/discover/inputs.c - from paths to the identities of files. */
#include "parser/discover/inputs.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Status of the file itself, or of the archive that contains it. */
static bool look(const char *path, struct stat *st)
{
    if (strcmp(path, "-") == 0) return fstat(STDIN_FILENO, st) == 0;
    char *part = tt_strdup(path), *slash;
    int rc = stat(part, st);
    while (rc && (errno == ENOTDIR || errno == ENAMETOOLONG) && (slash = strrchr(part, '/')) && slash > part) {
        *slash = '\0';
        rc = stat(part, st);
    }
    free(part);
    return rc == 0;
}

void tt_inputs_add(tt_file_ids *l, const char *path)
{
    struct stat st;
    if (!look(path, &st) || !(S_ISREG(st.st_mode) || S_ISFIFO(st.st_mode) || S_ISBLK(st.st_mode))) return;
    tt_file_id one = {(uint64_t)st.st_dev, (uint64_t)st.st_ino};
    if (l->n && l->at[l->n - 1].dev == one.dev && l->at[l->n - 1].ino == one.ino) return; /* the same archive */
    *tt_vec_push(l) = one;
}

void tt_inputs_found(tt_file_ids *l, const char *const *paths, uint32_t n, const tt_found_list *found)
{
    for (uint32_t i = 0; i < n; i++) tt_inputs_add(l, paths[i]);
    for (size_t i = 0; i < found->keys.n; i++) tt_inputs_add(l, found->keys.at[i].path);
    for (size_t i = 0; i < found->n; i++) {
        tt_inputs_add(l, found->at[i].path);
        for (size_t k = 0; k < found->at[i].parts.n; k++) tt_inputs_add(l, found->at[i].parts.at[k].path);
    }
}
