/* parser/discover/key_files.c - see key_files.h. */
#include "parser/discover/key_files.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "model/keys/graph_capture.h"
#include "model/text/json_text.h"
#include "parser/discover/names.h"
#include "parser/source/source.h"

enum { DETAILS_MOST = 4 << 20 };

/* ---- execution_details.json */

/* The text of execution_details.json in a folder; the caller keeps the last one for the next file of the folder. */
typedef struct details {
    char *folder, *text;
    size_t n;
} details;

static void details_free(details *d)
{
    free(d->folder);
    free(d->text);
}

static void read_details(details *d, const char *folder)
{
    char *path = *folder ? tt_names_join(folder, TT_KEY_DETAILS) : tt_strdup(TT_KEY_DETAILS);
    struct stat st;
    tt_source *source;
    tt_err err;

    details_free(d);
    *d = (details){.folder = tt_strdup(folder)};
    if (stat(path, &st) == 0 && S_ISREG(st.st_mode) && tt_source_open(path, &source, &err) == TT_OK) {
        d->text = tt_malloc(DETAILS_MOST);
        for (size_t got = 1; got && d->n < DETAILS_MOST; d->n += got)
            if (tt_source_read(source, d->text + d->n, DETAILS_MOST - d->n, &got, &err) != TT_OK) break;
        tt_source_close(source);
    }
    free(path);
}

/* Whether a member of the object at p is this text. */
static bool member_is(const char *p, const char *end, const char *key, const char *text)
{
    tt_json_member m;
    size_t n = strlen(text);

    return tt_json_find(p, end, key, &m) && m.value_n == n + 2 && *m.value == '"' && !memcmp(m.value + 1, text, n);
}

/* Whether execution_details.json beside the file names it: [{"file", "batch_size"}, ...]. */
static bool in_details(details *d, const char *path, tt_found_key *out)
{
    const char *base = tt_names_base(path), *p, *end;
    char *folder = tt_strndup(path, base > path ? (size_t)(base - path - (base - path > 1)) : 0);
    tt_json_member item, m;

    if (!d->folder || strcmp(d->folder, folder) != 0) read_details(d, folder);
    free(folder);
    if (!d->n) return false;
    end = d->text + d->n;
    p = tt_json_blanks(d->text, end);
    if (p == end || *p++ != '[') return false;
    while (tt_json_item(&p, end, &item)) {
        const char *to = item.value + item.value_n;

        if (!item.value_n || *item.value != '{' || !member_is(item.value, to, "file", base)) continue;
        if (tt_json_find(item.value, to, "batch_size", &m) && *m.value >= '0' && *m.value <= '9')
            out->batch = strtoll(m.value, NULL, 10);
        return true;
    }
    return false;
}

/* ---- keys */

/* Whether the file is a key by its path or by the list beside it; then *out has what is known of it. */
static bool read_key(details *d, const char *path, tt_found_key *out)
{
    const char *base = tt_names_base(path);
    bool named, placed;

    *out = (tt_found_key){.home = base > path ? (size_t)(base - path - 1) : 0, .batch = -1};
    placed = tt_key_path(path, &out->home);
    named = in_details(d, path, out);
    return placed || named;
}

static void add_key(tt_found_list *l, const char *path, const tt_found_key *said)
{
    tt_found_key *key = tt_vec_push(&l->keys);

    *key = *said;
    key->path = tt_strdup(path);
}

void tt_key_files_take(tt_found_list *l, size_t from)
{
    size_t keys = 0, kept = from;
    tt_found_key *said = tt_calloc(l->n - from + 1, sizeof *said);
    bool *is_key = tt_calloc(l->n - from + 1, sizeof *is_key);
    details list = {0};

    for (size_t i = from; i < l->n; i++) {
        const tt_found *f = &l->at[i];

        is_key[i - from] = !f->parts.n && read_key(&list, f->path, &said[i - from]);
        keys += is_key[i - from];
    }
    for (size_t i = from, n = l->n; i < n; i++) {
        if (is_key[i - from] && keys < n - from) {
            add_key(l, l->at[i].path, &said[i - from]);
            tt_found_clear(&l->at[i]);
        } else {
            l->at[kept++] = l->at[i];
        }
    }
    l->n = kept;
    details_free(&list);
    free(said);
    free(is_key);
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
    details list = {0};

    if (strcmp(path, "-") != 0 && !tt_key_path(path, NULL)) tt_walk_list(NULL, folder, &entries);
    for (size_t i = 0; i < entries.n; i++) {
        const tt_walk_entry *e = &entries.at[i];
        char *full = tt_names_join(folder, e->name);

        if (!e->folder && e->bytes && (tt_names_kind(e->name) < TT_NAMES_ARCHIVE || tt_names_may_be_trace(e->name)) &&
            strcmp(e->name, TT_KEY_DETAILS) != 0 && !known(l, full)) {
            tt_found_key said;

            (void)read_key(&list, full, &said);
            add_key(l, full, &said);
        }
        free(full);
    }
    details_free(&list);
    tt_walk_entries_free(&entries);
    free(folder);
    free(dir);
}

/* Where a run lies, seen from a folder: in it, below it, or elsewhere. */
typedef enum place { ELSEWHERE, BELOW, IN } place;

static place place_of(const tt_found_run *r, const char *folder, size_t n)
{
    size_t all = strlen(r->path);

    while (all > 1 && r->path[all - 1] == '/') all--;
    if (r->folder && all == n && !strncmp(r->path, folder, n)) return IN;
    if (n && (all <= n || strncmp(r->path, folder, n) != 0 || r->path[n] != '/')) return ELSEWHERE;
    return !r->folder && tt_names_base(r->path) == r->path + n + (n > 0) ? IN : BELOW;
}

/* Whether the key belongs to the run: the nearest folder from the key's home upwards that holds runs holds this one;
 * runs below a folder count if none lies in it. */
static bool belongs(const tt_found_list *l, const tt_found_key *k, const tt_found_run *r)
{
    size_t n = k->home;

    if (!*r->path || n == TT_KEY_OF_ALL) return true;
    for (;;) {
        place nearest = ELSEWHERE;

        for (size_t i = 0; i < l->runs.n && nearest < IN; i++) {
            place here = place_of(&l->runs.at[i], k->path, n);

            if (here > nearest) nearest = here;
        }
        if (nearest) return place_of(r, k->path, n) == nearest;
        if (!n) return true; /* the runs lie below the folder of the key itself */
        while (n && k->path[--n] != '/') continue;
    }
}

const tt_found_key **tt_key_files_of_run(const tt_found_list *l, const char *run, uint32_t *n)
{
    const tt_found_key **keys = tt_malloc((l->keys.n + 1) * sizeof *keys);
    const tt_found_run *r = NULL;

    *n = 0;
    for (size_t i = 0; i < l->runs.n && !r; i++)
        if (!strcmp(l->runs.at[i].name, run)) r = &l->runs.at[i];
    for (size_t i = 0; i < l->keys.n && r; i++)
        if (belongs(l, &l->keys.at[i], r)) keys[(*n)++] = &l->keys.at[i];
    return keys;
}

void tt_key_files_named(tt_found_list *l, const tt_found_list *named)
{
    details list = {0};

    for (size_t i = 0; i < named->n + named->keys.n; i++) {
        const char *path = i < named->n ? named->at[i].path : named->keys.at[i - named->n].path;
        tt_found_key said;

        if (tt_key_files_name(l, path)) continue;
        (void)read_key(&list, path, &said);
        said.home = TT_KEY_OF_ALL;
        add_key(l, path, &said);
    }
    details_free(&list);
}

bool tt_key_files_name(const tt_found_list *l, const char *path)
{
    for (size_t i = 0; i < l->keys.n; i++)
        if (l->keys.at[i].home == TT_KEY_OF_ALL && !strcmp(l->keys.at[i].path, path)) return true;
    return false;
}
