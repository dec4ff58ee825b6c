/* parser/discover/folder.c - matches the files of a folder against the parts of the formats. */
#include "parser/discover/folder.h"

#include <stdlib.h>
#include <string.h>

#include "parser/discover/file_name.h"

bool tt_folder_match(const char *glob, const char *name, size_t n, int64_t *number)
{
    for (; *glob && *glob != '/'; glob++) {
        if (*glob == '#') {
            int64_t v = 0;
            size_t d = 0;
            while (d < n && d < 9 && name[d] >= '0' && name[d] <= '9') v = v * 10 + (name[d++] - '0');
            if (!d) return false;
            *number = v;
            name += d;
            n -= d;
        } else if (*glob == '*') {
            for (size_t skip = 0; skip <= n; skip++) {
                int64_t inner = *number;
                if (!tt_folder_match(glob + 1, name + skip, n - skip, &inner)) continue;
                *number = inner;
                return true;
            }
            return false;
        } else {
            if (!n || *name != *glob) return false;
            name++;
            n--;
        }
    }
    return n == 0;
}

/* Append the files with the role `as` among a folder's entries l; `below` is the folder's place below the input. */
static void collect(tt_walk *tree, const char *path, const char *below, const tt_walk_entries *l, const char *glob,
                    const tt_folder_file *as, tt_folder_files *out)
{
    const char *rest = strchr(glob, '/');
    for (size_t i = 0; i < l->n; i++) {
        const tt_walk_entry *e = &l->at[i];
        tt_folder_file f = *as;
        tt_arena a = {0};
        if (e->folder != (rest != NULL)) continue;
        if (!tt_folder_match(glob, e->name, rest ? strlen(e->name) : tt_discover_uncompressed(e->name), &f.number))
            continue;
        const char *here = tt_arena_printf(&a, "%s%s%s", below, *below ? "/" : "", e->name);
        if (rest) {
            tt_walk_entries inner = {0};
            const char *full = tt_arena_printf(&a, "%s%s%s", path, *path ? "/" : "", e->name);
            tt_walk_list(tree, full, &inner);
            collect(tree, full, here, &inner, rest + 1, &f, out);
            tt_walk_entries_free(&inner);
        } else {
            f.folder = tt_strdup("");
            f.name = tt_strdup(here);
            *tt_vec_push(out) = f;
        }
        tt_arena_free(&a);
    }
}

static void file_free(tt_folder_file *f)
{
    free(f->folder);
    free(f->name);
}

static bool is_main(const tt_folder_file *f) { return !f->format->parts[f->part].beside; }

/* Drop the files from `from` on, sorted by folder and format, whose folder has no main part of the format. */
static void drop_beside(tt_folder_files *l, size_t from)
{
    tt_folder_files dropped = {0};
    size_t kept = from;
    for (size_t to; from < l->n; from = to) {
        bool any = false;
        for (to = from;
             to < l->n && l->at[to].format == l->at[from].format && !strcmp(l->at[to].folder, l->at[from].folder); to++)
            any |= is_main(&l->at[to]);
        for (size_t i = from; i < to; i++) {
            tt_folder_file *where = any ? &l->at[kept++] : tt_vec_push(&dropped);
            *where = l->at[i];
        }
    }
    l->n = kept;
    tt_folder_free(&dropped);
}

void tt_folder_of_directory(const tt_format *formats, unsigned n, const tt_walk_folder *dir, tt_walk *tree,
                            tt_folder_files *out)
{
    size_t before = out->n;
    for (unsigned i = 0; i < n && out->n == before; i++) {
        const tt_format *f = &formats[i];
        for (uint32_t k = 0; f->parts && f->parts[k].role; k++) {
            const tt_folder_file as = {.format = f, .part = k, .number = -1};
            collect(tree, dir->path, "", &dir->entries, f->parts[k].glob, &as, out);
        }
        drop_beside(out, before);
    }
    tt_folder_sort(out);
}

bool tt_folder_is_part(const tt_format *formats, unsigned n, const char *name)
{
    for (unsigned i = 0; i < n; i++) {
        for (const tt_folder_part *p = formats[i].parts; p && p->role; p++) {
            const char *slash = strrchr(p->glob, '/');
            int64_t number;
            if (tt_folder_match(slash ? slash + 1 : p->glob, name, tt_discover_uncompressed(name), &number))
                return true;
        }
    }
    return false;
}

bool tt_folder_is_inner(const tt_format *formats, unsigned n, const char *name)
{
    size_t len = strlen(name);
    for (unsigned i = 0; i < n; i++) {
        for (const tt_folder_part *p = formats[i].parts; p && p->role; p++) {
            if (!p->beside && strcspn(p->glob, "/*#") == len && p->glob[len] == '/' && !strncmp(p->glob, name, len))
                return true;
        }
    }
    return false;
}

/* Whether the name ends as the glob says; *folder = length of the name before that end, without the '/'. */
static bool ends_as(const char *name, const char *glob, size_t *folder, int64_t *number)
{
    const char *from = name + strlen(name);
    for (const char *g = glob; g; g = strchr(g, '/') ? strchr(g, '/') + 1 : NULL) { /* back by as many components */
        if (g != glob && from-- == name) return false;
        while (from > name && from[-1] != '/') from--;
    }
    *folder = from > name ? (size_t)(from - name - 1) : 0;
    for (const char *g = glob; g; from = strchr(from, '/') + 1) {
        const char *rest = strchr(g, '/');
        if (rest && !strchr(from, '/')) return false;
        size_t n = rest ? strcspn(from, "/") : tt_discover_uncompressed(from);
        if (!tt_folder_match(g, from, n, number)) return false;
        if (!rest) return true;
        g = rest + 1;
    }
    return false;
}

void tt_folder_of_member(const tt_format *formats, unsigned n, const char *name, size_t at, tt_folder_files *out)
{
    for (unsigned i = 0; i < n; i++) {
        const tt_format *f = &formats[i];
        for (uint32_t k = 0; f->parts && f->parts[k].role; k++) {
            int64_t number = -1;
            size_t length;
            if (!ends_as(name, f->parts[k].glob, &length, &number)) continue;
            *tt_vec_push(out) = (tt_folder_file){.format = f,
                                                 .part = k,
                                                 .folder = tt_strndup(name, length),
                                                 .name = tt_strdup(name + (length ? length + 1 : 0)),
                                                 .number = number,
                                                 .at = at};
        }
    }
}

static int by_place(const void *pa, const void *pb)
{
    const tt_folder_file *a = pa, *b = pb;
    int c = strcmp(a->folder, b->folder);
    if (!c) c = (a->format > b->format) - (a->format < b->format);
    if (!c) c = (a->part > b->part) - (a->part < b->part);
    if (!c) c = strverscmp(a->name, b->name);
    return c ? c : strcmp(a->name, b->name);
}

static int by_name(const void *a, const void *b) { return strcmp(*(const char *const *)a, *(const char *const *)b); }

typedef TT_VEC(const char *) folder_names;

/* Whether the folder lies inside one of the folders in l, which are sorted. */
static bool lies_in(const folder_names *l, const char *folder)
{
    bool inside = l->n && !*l->at[0] && *folder;
    char *above = tt_strdup(folder);
    for (char *slash; !inside && (slash = strrchr(above, '/')) != NULL;) {
        *slash = '\0';
        const char *key = above;
        inside = l->n && bsearch(&key, l->at, l->n, sizeof *l->at, by_name);
    }
    free(above);
    return inside;
}

void tt_folder_sort(tt_folder_files *l)
{
    folder_names inputs = {0};
    tt_folder_files kept = {0}, dropped = {0};
    if (l->n) qsort(l->at, l->n, sizeof *l->at, by_place);
    drop_beside(l, 0);
    for (size_t from = 0, to; from < l->n; from = to) {
        const char *folder = l->at[from].folder;
        const tt_format *format = lies_in(&inputs, folder) ? NULL : l->at[from].format;
        for (to = from + 1; to < l->n && !strcmp(l->at[to].folder, folder);) to++;
        if (format) *tt_vec_push(&inputs) = folder;
        for (size_t i = from; i < to; i++) {
            tt_folder_files *where = l->at[i].format == format ? &kept : &dropped;
            *tt_vec_push(where) = l->at[i];
        }
    }
    tt_vec_free(&inputs);
    tt_vec_free(l);
    tt_folder_free(&dropped);
    *l = kept;
}

void tt_folder_free(tt_folder_files *l)
{
    for (size_t i = 0; i < l->n; i++) file_free(&l->at[i]);
    tt_vec_free(l);
}
