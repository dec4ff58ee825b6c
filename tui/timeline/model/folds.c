/* tui/timeline/model/folds.c - see folds.h. */
#include "tui/timeline/model/folds.h"

#include <stdio.h>
#include <string.h>

#include "tui/timeline/model/layers.h"
#include "tui/timeline/model/lines.h"
#include "tui/timeline/model/row_source.h"

/* ---- changes of jumps ---- */

void tt_folds_keep_node(tt_timeline *t, uint32_t node)
{
    const tt_timeline_node *n = &t->nodes.at[node];
    tt_fold *f = tt_vec_push(&t->folds);
    *f = (tt_fold){.node = node, .collapsed = n->collapsed, .hidden = n->hidden, .cuts = true};
    memcpy(f->cut, n->cut, sizeof f->cut);
}

void tt_folds_keep_view(tt_timeline *t)
{
    *tt_vec_push(&t->folds) = (tt_fold){.node = TT_NONE, .view = t->view, .bands_off = t->layers.off};
}

void tt_folds_forget_cuts(tt_timeline *t)
{
    for (size_t i = 0; i < t->folds.n; i++) t->folds.at[i].cuts = false;
}

/* ---- keys of nodes ---- */

uint64_t tt_timeline_hash(const void *bytes, size_t n)
{
    uint64_t h = UINT64_C(14695981039346656037); /* FNV-1a */
    for (const unsigned char *p = bytes; n > 0; n--) {
        h = (h ^ *p++) * UINT64_C(1099511628211);
    }
    return h;
}

uint64_t tt_timeline_node_key(const tt_timeline *t, uint32_t node)
{
    char text[512];
    uint64_t key = 0;
    for (; node != TT_NONE; node = t->nodes.at[node].parent) {
        int n = snprintf(text, sizeof text, "%016llx", (unsigned long long)key);
        tt_timeline_label(t, &t->nodes.at[node], text + n, sizeof text - (size_t)n);
        key = tt_timeline_hash(text, strlen(text));
    }
    return key;
}

/* ---- pinned and hidden ---- */

static void set_flag(tt_timeline *t, tt_timeline_row_flag flag, uint32_t node, bool on)
{
    tt_timeline_node *n = &t->nodes.at[node];
    *(flag == TT_TIMELINE_PINNED ? &n->pinned : &n->hidden) = on;
}

uint32_t tt_timeline_count_flag(const tt_timeline *t, tt_timeline_row_flag flag)
{
    uint32_t count = 0;
    for (size_t i = 0; i < t->nodes.n; i++) {
        count += flag == TT_TIMELINE_PINNED ? t->nodes.at[i].pinned : t->nodes.at[i].hidden;
    }
    return count;
}

bool tt_timeline_flag_here(tt_timeline *t, tt_timeline_row_flag flag)
{
    if (t->line >= t->lines.n) {
        return false;
    }
    uint32_t node = t->lines.at[t->line].node;
    for (uint32_t p = node; flag == TT_TIMELINE_PINNED && p != TT_NONE; p = t->nodes.at[p].parent) {
        if (t->nodes.at[p].pinned) { /* a row pinned with its group is unpinned with it */
            t->nodes.at[p].pinned = false;
            tt_timeline_layout(t);
            return false;
        }
    }
    set_flag(t, flag, node, true);
    tt_timeline_layout(t);
    return true;
}

uint32_t tt_timeline_clear_flag(tt_timeline *t, tt_timeline_row_flag flag)
{
    uint32_t count = tt_timeline_count_flag(t, flag);
    for (uint32_t i = 0; i < t->nodes.n; i++) {
        set_flag(t, flag, i, false);
    }
    tt_timeline_layout(t);
    return count;
}

/* Every word of the text occurs in the label of the node or of one of its parents. */
static bool has_words(const tt_timeline *t, uint32_t node, const char *text)
{
    char label[256], word[128];
    for (const char *p = text; *(p += strspn(p, " "));) {
        size_t n = strcspn(p, " ");
        snprintf(word, sizeof word, "%.*s", (int)(n < sizeof word ? n : sizeof word - 1), p);
        bool found = false;
        for (uint32_t i = node; i != TT_NONE && !found; i = t->nodes.at[i].parent) {
            tt_timeline_label(t, &t->nodes.at[i], label, sizeof label);
            found = strcasestr(label, word) != NULL;
        }
        if (!found) {
            return false;
        }
        p += n;
    }
    return true;
}

uint32_t tt_timeline_flag_named(tt_timeline *t, tt_timeline_row_flag flag, const char *text)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < t->nodes.n;) {
        bool found = has_words(t, i, text);
        if (found) {
            set_flag(t, flag, i, true);
            count++;
        }
        i = found ? t->nodes.at[i].end : i + 1;
    }
    tt_timeline_layout(t);
    return count;
}

/* ---- collapsing ---- */

void tt_timeline_collapse(tt_timeline *t)
{
    if (t->lines.n == 0) {
        return;
    }
    uint32_t node = t->lines.at[t->line].node;
    tt_timeline_node *n = &t->nodes.at[node];
    if (tt_timeline_is_track(n) && tt_layers_uncut(t, n)) {
        tt_timeline_layout(t);
        return;
    }
    bool (*folds)(tt_timeline *, const tt_timeline_node *) = tt_row_source_of(t, n)->folds;
    bool leaf = !folds || !folds(t, n); /* c folds its parent instead */
    uint32_t parent = leaf && n->parent != TT_NONE ? tt_lines_find(t, n->parent, 0) : TT_NONE;
    if (parent != TT_NONE) { /* the parent has no line when the track alone is pinned */
        n = &t->nodes.at[n->parent];
        t->line = parent;
    }
    n->collapsed = !n->collapsed;
    tt_timeline_layout(t);
}

void tt_timeline_collapse_others(tt_timeline *t)
{
    if (t->lines.n == 0) {
        return;
    }
    uint32_t own = t->lines.at[t->line].node;
    bool any = false;
    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t i = 0; i < t->nodes.n; i++) {
            tt_timeline_node *n = &t->nodes.at[i];
            bool around = own >= i && own < n->end;
            if (!tt_row_source_of(t, n)->heads) continue;
            if (pass == 0) {
                any = any || (!around && !n->collapsed);
            } else {
                n->collapsed = any && !around;
            }
        }
    }
    tt_timeline_layout(t);
}
