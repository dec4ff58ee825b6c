/* tui/record/record_replace.c - removes an old recording from a folder when a new one begins there (--force). See
 * record.h.
 *
 * Removed are only the files of a recording: spools, traces and summaries made from them, and files that describe
 * it. Other traces stay. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "model/text/text_order.h"
#include "parser/discover/head.h"
#include "parser/input/walk.h"
#include "tui/record/record.h"

static bool is_trace_of_recorder(const char *dir, const char *name)
{
    char path[1024];
    if (!tt_ends_with(name, ".pt.trace.json") && !tt_ends_with(name, ".pt.trace.json.gz")) return false;
    if ((size_t)snprintf(path, sizeof path, "%s/%s", dir, name) >= sizeof path) return false;
    tt_err err;
    tt_head head = tt_head_read(path, &err);
    return head.framework && !strcmp(head.framework, "tracetty");
}

static bool is_summary(const char *dir, const char *name)
{
    char path[1024];
    if (!tt_ends_with(name, ".tts") || (size_t)snprintf(path, sizeof path, "%s/%s", dir, name) >= sizeof path)
        return false;
    tt_err err;
    return tt_head_read(path, &err).own;
}

/* The file describes a recording, or one rank of it. */
static bool is_description(const tt_launch *l, const char *name)
{
    static const char *const files[][2] = {{"record", "json"}, {"output", "txt"}};
    char own[64];
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        if (i && l->output) continue; /* the new recording has written it already */
        if (l->rank < 0)
            snprintf(own, sizeof own, "%s.%s", files[i][0], files[i][1]);
        else
            snprintf(own, sizeof own, "%s-rank%ld.%s", files[i][0], l->rank, files[i][1]);
        if (!strcmp(name, own)) return true;
    }
    return l->rank < 0 && !strcmp(name, "index.json");
}

tt_record_old tt_record_find_old(const tt_launch *l)
{
    tt_record_old old = {0};
    tt_walk_names all = {0};
    char mine[40];
    snprintf(mine, sizeof mine, "_rank%ld.", l->rank);
    tt_walk_read(l->dir, &all);
    for (size_t i = 0; i < all.n; i++) {
        const char *name = all.at[i];
        bool ours = l->rank < 0 || strstr(name, mine);
        if (*name == '.') continue;
        if (is_description(l, name) || (ours && (tt_ends_with(name, ".ttspool") || is_trace_of_recorder(l->dir, name) ||
                                                 is_summary(l->dir, name))))
            *tt_vec_push(&old) = tt_strdup(name);
    }
    tt_walk_names_free(&all);
    return old;
}

void tt_record_end_old(const tt_launch *l, tt_record_old *old, bool remove)
{
    for (size_t i = 0; i < old->n; i++) {
        char path[1024];
        if (remove && (size_t)snprintf(path, sizeof path, "%s/%s", l->dir, old->at[i]) < sizeof path) unlink(path);
        free(old->at[i]);
    }
    tt_vec_free(old);
}
