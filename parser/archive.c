/* parser/archive.c - listing the members of an archive, and sources of single members; see archive.h.
 *
 * A member is a source whose raw bytes are a part of the text of another source: of the archive, or, where zip has deflated it, of a
 * source that inflates that part. So whatever a source can do (marks, places read again, damage) works for members too.   */
#include "parser/archive.h"
#include "parser/archive_impl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MEMBERS_MOST 100000u

bool tt_member_name_is_safe(const char *name)
{
    if (!*name || *name == '/' || *name == '\\' || name[1] == ':') return false;
    for (const char *p = name;;) {
        size_t n = strcspn(p, "/\\");

        if (n == 2 && memcmp(p, "..", 2) == 0) return false;
        if (!p[n]) return true;
        p += n + 1;
    }
}

/* Call member() for the members of the archive; false when it is none. */
static bool walk(tt_source *archive, tt_member_fn *member, void *arg)
{
    char head[512];
    int64_t n = tt_source_read_at(archive, 0, head, sizeof head);

    if (n > 0 && archive->ops->direct && tt_is_zip(head, (size_t)n)) {
        tt_zip_walk(archive, member, arg);
    } else if (n > 0 && tt_is_tar(head, (size_t)n)) {
        tt_tar_walk(archive, member, arg);
    } else {
        return false;
    }
    return true;
}

static bool add_name(void *arg, const tt_member *m)
{
    tt_archive_names *l = arg;

    if (!tt_member_name_is_safe(m->name)) {
        l->left_out++;
    } else {
        *tt_vec_push(&l->at) = tt_strdup(m->name);
    }
    return l->at.n < MEMBERS_MOST;
}

bool tt_archive_list(const char *path, tt_archive_names *out)
{
    tt_source *s;
    tt_err err;
    bool archive;

    *out = (tt_archive_names){.left_out = 0};
    if (tt_source_open_raw(path, &s, &err) != TT_OK) return false;
    archive = !s->raw.pipe && walk(s, add_name, out);
    tt_source_close(s);
    return archive;
}

void tt_archive_names_free(tt_archive_names *l)
{
    for (size_t i = 0; i < l->at.n; i++) free(l->at.at[i]);
    tt_vec_free(&l->at);
}

/* ---- one member */

struct search {
    const char *name;
    tt_member found;
    bool any;
};

static bool look(void *arg, const tt_member *m)
{
    struct search *s = arg;

    if (strcmp(m->name, s->name) != 0) return true;
    s->found = *m;
    s->found.name = NULL;
    s->any = true;
    return false;
}

static tt_source *part_of(tt_source *inner, uint64_t at, uint64_t size, const tt_source_ops *ops)
{
    tt_source *s = tt_calloc(1, sizeof *s);

    s->path = tt_strdup(inner->path);
    s->ops = ops;
    s->raw.fd = -1;
    s->raw.inner = inner;
    s->raw.base = at;
    s->raw.limit = size;
    s->raw.size = size == UINT64_MAX ? 0 : at + size;
    return s;
}

tt_status tt_member_open(tt_source *archive, const char *path, const char *name, tt_source **out, tt_err *err)
{
    struct search found = {.name = name};
    tt_source *part;

    *out = NULL;
    if (!walk(archive, look, &found)) {
        tt_source_close(archive);
        return tt_fail(err, TT_ERR_INPUT, -1, "%s: Not a directory, and no archive either", path);
    }
    if (!found.any || !tt_member_name_is_safe(name)) {
        tt_source_close(archive);
        return tt_fail(err, TT_ERR_INPUT, -1, "%s: is not in the archive, or not as a file that can be read", path);
    }
    if (found.found.method != 0 && found.found.method != 8 && found.found.method != 93) {
        tt_source_close(archive);
        return tt_fail(err, TT_ERR_INPUT, -1,
                       "%s: is packed with method %u of zip, which is not read; unpack the archive", path,
                       found.found.method);
    }
    tt_source_forget_damage(archive);
    part = part_of(archive, found.found.at, found.found.size,
                   found.found.method == 8 ? &tt_source_deflate : &tt_source_plain);
    part->raw.has_crc = found.found.has_crc && found.found.method == 8;
    part->raw.crc = found.found.crc;
    if (found.found.method == 8) part = part_of(part, 0, UINT64_MAX, &tt_source_plain);
    free(part->path);
    part->path = tt_strdup(path);
    *out = part;
    return TT_OK;
}
