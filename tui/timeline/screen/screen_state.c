/* tui/timeline/screen/screen_state.c - pins, folds, hidden tracks, bookmarks and layers, kept for the next time the
 * trace is opened.
 *
 * All traces share one file. Its lines are KEY p|h|f|o NODE, KEY l LAYERS (the view of stacks and, four bits up, the
 * hidden bands), or KEY b A B T0 T1 NODE DEPTH NAME. KEY is a hash of the trace, NODE a hash of labels: no text of the
 * trace gets into the file. The newest trace is the last; when the file grows, the first ones are dropped. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/bisect.h"
#include "model/base/sort_by.h"
#include "tui/files/state_file.h"
#include "tui/timeline/model/cursor.h"
#include "tui/timeline/model/folds.h"
#include "tui/timeline/model/lines.h"
#include "tui/timeline/model/view.h"
#include "tui/timeline/navigate/bookmarks.h"
#include "tui/timeline/screen/screen.h"

enum { MOST_BYTES = 256 * 1024, LINE_CAP = 256 };
static const char file_name[] = "traces";

static uint64_t trace_key(const tt_session *s)
{
    uint64_t key = s->n_traces;
    for (uint32_t i = 0; i < s->n_traces; i++) {
        const tt_trace *x = s->traces[i];
        uint64_t part[] = {key, x->n_events, x->n, (uint64_t)x->origin_ns, (uint64_t)x->end};
        key = tt_timeline_hash(part, sizeof part);
    }
    return key;
}

/* ---- nodes by key ---- */

typedef struct keyed {
    uint64_t key;
    uint32_t node;
} keyed;

static keyed *keys_of(const tt_timeline *t)
{
    keyed *k = tt_calloc(t->nodes.n + 1, sizeof *k);
    for (uint32_t i = 0; i < t->nodes.n; i++) {
        k[i] = (keyed){tt_timeline_node_key(t, i), i};
    }
    TT_SORT_BY(k, t->nodes.n, TT_ASC(keyed, key), TT_ASC(keyed, node));
    return k;
}

/* Set a flag of all nodes with the key: p pinned, h hidden, f folded, o open. */
static void set_all(tt_timeline *t, const keyed *k, uint64_t key, char what)
{
    size_t a = 0, b = t->nodes.n;
    TT_BISECT(a, b, i, k[i].key < key);
    for (; a < t->nodes.n && k[a].key == key; a++) {
        tt_timeline_node *n = &t->nodes.at[k[a].node];
        switch (what) {
        case 'p': n->pinned = true; break;
        case 'h': n->hidden = true; break;
        case 'f': n->collapsed = true; break;
        case 'o': n->collapsed = false; break;
        default: break;
        }
    }
}

/* The flags of a node as letters. Folds of workers are left out: they follow the scope. */
static int letters_of(const tt_timeline_node *n, char out[4])
{
    int i = 0;
    if (n->pinned && n->kind != TT_TIMELINE_PATH) out[i++] = 'p'; /* the path row is pinned while it is shown */
    if (n->hidden) out[i++] = 'h';
    if (n->collapsed != n->folded_first && n->kind != TT_TIMELINE_WORKER) out[i++] = n->collapsed ? 'f' : 'o';
    out[i] = '\0';
    return i;
}

void tt_timeline_screen_carry(const tt_timeline *from, tt_timeline *to, int64_t shift)
{
    keyed *k = NULL;
    char what[4];
    for (uint32_t i = 0; i < from->nodes.n; i++) {
        int n = letters_of(&from->nodes.at[i], what);
        if (n > 0 && !k) k = keys_of(to);
        for (int c = 0; c < n; c++) {
            set_all(to, k, tt_timeline_node_key(from, i), what[c]);
        }
    }
    for (size_t i = 0; i < from->bookmarks.n; i++) {
        tt_bookmark b = from->bookmarks.at[i];
        b.a += shift;
        b.b += shift;
        b.t0 += shift;
        b.t1 += shift;
        tt_timeline_put_bookmark(to, &b);
    }
    to->layers.off = from->layers.off;
    tt_view_show(to, from->view);
    if (k) tt_timeline_layout(to);
    free(k);
}

/* ---- the file ---- */

static bool read_numbers(const char **p, int64_t *out, int n)
{
    for (int i = 0; i < n; i++) {
        char *end;
        out[i] = strtoll(*p, &end, 10);
        if (end == *p) return false;
        *p = end;
    }
    return true;
}

static void read_line(tt_timeline *t, const keyed *k, char what, const char *p)
{
    int64_t v[4], depth;
    char *end;
    if (what != 'b') {
        uint64_t key = strtoull(p, &end, 16);
        if (end != p && what == 'l' && (key & 15) < TT_VIEW_COUNT_) {
            t->layers.off = (unsigned)(key >> 4) & ((1u << TT_BAND_COUNT_) - 1);
            tt_view_show(t, (tt_timeline_view)(key & 15));
        }
        if (end != p) set_all(t, k, key, what);
        return;
    }
    tt_bookmark b = {0};
    if (!read_numbers(&p, v, 4)) return;
    b.node = strtoull(p, &end, 16);
    p = end;
    if (!read_numbers(&p, &depth, 1) || *p != ' ') return;
    b.a = v[0];
    b.b = v[1];
    b.t0 = v[2];
    b.t1 = v[3];
    b.depth = depth < 0 ? TT_NONE : (uint32_t)depth;
    snprintf(b.name, sizeof b.name, "%s", p + 1);
    int64_t end_ns = t->session->end_ns;
    if (b.name[0] && b.t0 < b.t1 && b.a <= b.b && b.a >= 0 && b.b <= end_ns && b.t0 > -end_ns && b.t1 < 3 * end_ns)
        tt_timeline_put_bookmark(t, &b);
}

/* Read the next line that is complete and has no control characters: the key of its trace, and the rest. */
static bool next_line(FILE *f, char line[LINE_CAP], uint64_t *key, const char **rest)
{
    while (fgets(line, LINE_CAP, f)) {
        size_t n = strcspn(line, "\n");
        bool clean = line[n] == '\n' && n > 19;
        for (size_t i = 0; i < n; i++) clean = clean && (unsigned char)line[i] >= ' ' && line[i] != 127;
        line[n] = '\0';
        char *end;
        *key = strtoull(line, &end, 16);
        *rest = end + 1;
        if (clean && end == line + 16 && *end == ' ') return true;
    }
    return false;
}

void tt_timeline_screen_keep_read(tt_screen *s)
{
    tt_timeline_screen *x = tt_timeline_screen_of(s);
    if (x->kept_read || !tt_host_keeps(s->host)) return;
    x->kept_read = true;
    FILE *f = tt_state_read(file_name);
    if (!f) return;
    char line[LINE_CAP];
    const char *rest;
    uint64_t key, own = trace_key(x->t->session);
    keyed *k = NULL;
    while (next_line(f, line, &key, &rest)) {
        if (key != own || rest[1] != ' ') continue;
        if (!k) k = keys_of(x->t);
        read_line(x->t, k, rest[0], rest + 2);
    }
    fclose(f);
    x->view = x->t->view; /* settings that were kept are no change by a jump */
    x->bands_off = x->t->layers.off;
    if (k) {
        tt_timeline_layout(x->t);
        tt_timeline_settle(x->t);
        char n[TT_TEXT_CAP];
        tt_host_set_status(s->host, "as you left it: %u pinned, %u hidden, %s",
                           tt_timeline_count_flag(x->t, TT_TIMELINE_PINNED),
                           tt_timeline_count_flag(x->t, TT_TIMELINE_HIDDEN),
                           tt_format_counted(n, (int64_t)x->t->bookmarks.n, "bookmark"));
    }
    free(k);
}

static void write_own(FILE *f, const tt_timeline *t, uint64_t key)
{
    char what[4];
    if (t->view != TT_VIEW_BANDS || t->layers.off)
        fprintf(f, "%016" PRIx64 " l %x\n", key, t->layers.off << 4 | (unsigned)t->view);
    for (uint32_t i = 0; i < t->nodes.n; i++) {
        int n = letters_of(&t->nodes.at[i], what);
        for (int c = 0; c < n; c++) {
            fprintf(f, "%016" PRIx64 " %c %016" PRIx64 "\n", key, what[c], tt_timeline_node_key(t, i));
        }
    }
    for (size_t i = 0; i < t->bookmarks.n; i++) {
        const tt_bookmark *b = &t->bookmarks.at[i];
        fprintf(f, "%016" PRIx64 " b %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 " %016" PRIx64 " %" PRId64 " %s\n",
                key, b->a, b->b, b->t0, b->t1, b->node, b->depth == TT_NONE ? -1 : (int64_t)b->depth, b->name);
    }
}

void tt_timeline_screen_keep_write(const tt_screen *s)
{
    const tt_timeline_screen *x = tt_timeline_screen_of(s);
    tt_state_file out;
    if (!x->kept_read || !tt_host_keeps(s->host) || !tt_state_begin(&out, file_name)) return;
    char line[LINE_CAP];
    const char *rest;
    uint64_t key, own = trace_key(x->t->session);
    size_t bytes = 0;
    for (int pass = 0; pass < 2; pass++) { /* first count the bytes, then copy the newest of them */
        FILE *in = tt_state_read(file_name);
        for (size_t at = 0; in && next_line(in, line, &key, &rest);) {
            if (key == own) continue;
            at += strlen(line) + 1;
            if (pass == 0) bytes = at;
            if (pass == 1 && at + MOST_BYTES > bytes) fprintf(out.f, "%s\n", line);
        }
        if (in) fclose(in);
    }
    write_own(out.f, x->t, own);
    tt_state_end(&out);
}
