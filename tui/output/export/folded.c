/* tui/output/export/folded.c - folded stacks: one walk over the tree keeps the text of the current path. */
#include "tui/output/export/folded.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/text/text_order.h"
#include "model/text/text_safety.h"
#include "tui/files/outfile.h"
#include "tui/output/export/export_trace.h"

typedef struct level { /* a node of the current path, its next child, and the length of the path without the node */
    uint32_t node, next;
    size_t length;
} level;

typedef struct folder {
    const tt_flame *f;
    TT_VEC(level) levels;
    TT_VEC(char) path;
} folder;

static void push(folder *x, uint32_t node)
{
    char buf[128];
    const char *name = tt_flame_name(x->f, node, buf, sizeof buf);
    size_t n = tt_sanitize_term(NULL, 0, name, strlen(name));
    *tt_vec_push(&x->levels) = (level){node, 0, x->path.n};
    if (!node && x->f->nodes.at[0].kind == TT_KIND_COUNT_) return;
    tt_vec_reserve(&x->path, x->path.n + n + 2);
    if (x->path.n) x->path.at[x->path.n++] = ';';
    tt_sanitize_term(x->path.at + x->path.n, n + 1, name, strlen(name));
    for (size_t i = 0; i < n; i++) {
        char *c = &x->path.at[x->path.n + i];
        if (*c == ';') *c = ',';
    }
    x->path.n += n;
}

bool tt_folded_write(const tt_flame *f, tt_flame_weight w, bool (*write)(void *arg, const char *p, size_t n), void *arg)
{
    folder x = {.f = f};
    bool good = true;
    push(&x, 0);
    while (x.levels.n && good) {
        level *l = &x.levels.at[x.levels.n - 1];
        const tt_flame_node *n = &f->nodes.at[l->node];
        if (l->next == 0 && n->self[w] > 0 && x.path.n) {
            char weight[32];
            int digits = snprintf(weight, sizeof weight, " %" PRId64 "\n", n->self[w]);
            good = write(arg, x.path.at, x.path.n) && write(arg, weight, (size_t)digits);
        }
        if (l->next < n->n) {
            push(&x, tt_flame_child(f, l->node, l->next++));
        } else {
            x.path.n = l->length;
            x.levels.n--;
        }
    }
    tt_vec_free(&x.levels);
    tt_vec_free(&x.path);
    return good;
}

bool tt_folded_name(const char *path) { return tt_ends_with(path, ".folded") || tt_ends_with(path, ".folded.gz"); }

typedef struct counted {
    tt_outfile *out;
    uint64_t lines;
} counted;

static bool write_counted(void *arg, const char *p, size_t n)
{
    counted *c = arg;
    c->lines += n > 0 && p[n - 1] == '\n';
    return tt_outfile_write(c->out, p, n);
}

tt_status tt_folded_file(const tt_flame *f, tt_flame_weight w, const char *path, unsigned how,
                         const tt_file_ids *inputs, uint64_t *lines, tt_err *err)
{
    counted c = {.out = tt_outfile_open(path, how, inputs, err)};
    if (!c.out) return err->code;
    tt_folded_write(f, w, write_counted, &c);
    *lines = c.lines;
    return tt_outfile_close(c.out, true, err);
}

tt_status tt_folded_export(const tt_session *s, const tt_scope *scope, tt_flame_weight w, const char *path,
                           uint64_t *lines, tt_err *err)
{
    uint32_t trace = tt_export_only_trace(s, scope);
    if (trace == TT_NONE)
        return tt_fail(err, TT_ERR_USAGE, -1, "folded stacks are of one worker and span: choose one (%u are loaded)",
                       s->n_traces);
    tt_flame_spec spec = {.trace = trace, .track = TT_ALL, .root = TT_NONE};
    spec.windows = tt_scope_windows(s, scope, trace);
    tt_flame *f = tt_flame_new(s, &spec, NULL);
    tt_flame_sort(f, w);
    tt_status st = tt_folded_file(f, w, path, 0, &s->inputs, lines, err);
    tt_flame_free(f);
    tt_windows_free(&spec.windows);
    return st;
}
