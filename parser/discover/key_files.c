/* parser/discover/key_files.c - see key_files.h. */
#include "parser/discover/key_files.h"

#include <stdlib.h>
#include <string.h>

#include "model/keys/graph_capture.h"
#include "parser/discover/names.h"

static bool is_key(const tt_found *f) { return !f->parts.n && !f->member && tt_key_path(f->path, NULL); }

static void add_key(tt_found_list *l, const char *path)
{
    tt_found_key key = {.path = tt_strdup(path)};

    (void)tt_key_path(path, &key.home);
    *tt_vec_push(&l->keys) = key;
}

void tt_key_files_take(tt_found_list *l, size_t from)
{
    size_t keys = 0, kept = from;

    for (size_t i = from; i < l->n; i++) keys += is_key(&l->at[i]);
    if (!keys || keys == l->n - from) return;
    for (size_t i = from; i < l->n; i++) {
        if (is_key(&l->at[i])) {
            add_key(l, l->at[i].path);
            tt_found_clear(&l->at[i]);
        } else {
            l->at[kept++] = l->at[i];
        }
    }
    l->n = kept;
}

static bool known(const tt_found_list *l, const char *path)
{
    for (size_t i = 0; i < l->keys.n; i++)
        if (!strcmp(l->keys.at[i].path, path)) return true;
    return false;
}

void tt_key_files_beside(tt_found_list *l, const char *path)
{
    const char *slash = strrchr(path, '/');
    char *dir = tt_strndup(path, slash ? (size_t)(slash - path) : 0), *folder = tt_names_join(dir, "capture_traces");
    tt_walk_entries entries = {0};

    if (strcmp(path, "-") != 0 && !tt_key_path(path, NULL)) tt_walk_list(NULL, folder, &entries);
    for (size_t i = 0; i < entries.n; i++) {
        const tt_walk_entry *e = &entries.at[i];
        char *full = tt_names_join(folder, e->name);

        if (!e->folder && e->bytes && (tt_names_kind(e->name) < TT_NAMES_ARCHIVE || tt_names_may_be_trace(e->name)) &&
            strcmp(e->name, "execution_details.json") != 0 && !known(l, full))
            add_key(l, full);
        free(full);
    }
    tt_walk_entries_free(&entries);
    free(folder);
    free(dir);
}

/* Whether a key with this home belongs to a run at `run`: the run lies there, or above. */
static bool belongs(const tt_found_key *k, const char *run)
{
    size_t n = strlen(run);
    const char *slash = strrchr(run, '/');

    while (n > 1 && run[n - 1] == '/') n--;
    if (!n || !strcmp(run, ".")) return true;
    if (k->home >= n && !strncmp(k->path, run, n) && (k->path[n] == '/' || k->home == n)) return true;
    return slash && (size_t)(slash - run) == k->home && !strncmp(k->path, run, k->home); /* a file beside the keys */
}

const char **tt_key_files_of_run(const tt_found_list *l, const char *run, uint32_t *n)
{
    const char **paths = tt_malloc((l->keys.n + 1) * sizeof *paths);

    *n = 0;
    for (size_t i = 0; i < l->keys.n; i++)
        if (belongs(&l->keys.at[i], run)) paths[(*n)++] = l->keys.at[i].path;
    return paths;
}
