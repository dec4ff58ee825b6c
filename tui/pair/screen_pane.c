/* tui/pair/screen_pane.c - the slice, interval or row at the cursor in the base and in the new run, with the
 * difference. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/buf.h"
#include "tui/pair/screen.h"
#include "tui/timeline/model/axis.h"
#include "tui/timeline/model/cursor.h"
#include "tui/timeline/model/row_source.h"
#include "tui/timeline/navigate/select.h"
#include "tui/timeline/screen/act.h"

enum { COLUMNS = 4, TEXT = 96 };

typedef struct facts { /* a small table: titles of columns, cells by side, the difference */
    char title[32];    /* title of the pane */
    char name[512];    /* name of the slice, interval or row */
    const char *head[COLUMNS];
    char cell[TT_SIDES][COLUMNS][TEXT];
    char change[COLUMNS][TEXT];
    const char *missing[TT_SIDES]; /* a sentence by side that replaces its cells */
} facts;

static void put_change(char out[TEXT], int64_t was, int64_t now, bool percent, tt_unit unit)
{
    char ns[TT_TEXT_CAP];
    int64_t by = now - was;
    tt_buf line = tt_buf_on(out, TEXT);
    tt_buf_add(&line, "%s%s", by < 0 ? "-" : "+", tt_format_duration(ns, by < 0 ? -by : by, unit));
    if (percent && was > 0) tt_buf_add(&line, " (%+.1f%%)", 100 * (double)by / (double)was);
}

static void put_offset(char out[TEXT], int64_t offset, tt_unit unit)
{
    char ns[TT_TEXT_CAP];
    snprintf(out, TEXT, "%s%s", offset < 0 ? "-" : "+", tt_format_duration(ns, offset < 0 ? -offset : offset, unit));
}

static void put_track(char out[TEXT], const tt_timeline *t, tt_slice_ref r)
{
    char label[256] = "";
    uint32_t node = t->track_node[r.trace][tt_row_track(tt_timeline_trace(t, r), r.row)];
    if (node != TT_NONE) tt_timeline_label(t, &t->nodes.at[node], label, sizeof label);
    snprintf(out, TEXT, "%.90s", label);
}

static const char *label_here(const tt_timeline *t, char *out, size_t cap)
{
    out[0] = '\0';
    if (t->line < t->lines.n) tt_timeline_label(t, &t->nodes.at[t->lines.at[t->line].node], out, cap);
    return out;
}

static void slice_facts(const tt_pair_screen *x, tt_unit unit, facts *f)
{
    const tt_pair *p = x->p;
    const tt_timeline *of = p->half[p->focus].t;
    const tt_trace *s = tt_timeline_trace(of, of->sel);
    char ns[TT_TEXT_CAP], place[TT_TEXT_CAP], n[TT_TEXT_CAP];
    int64_t start[TT_SIDES] = {0, 0}, dur[TT_SIDES] = {0, 0};
    snprintf(f->title, sizeof f->title, "%s", tt_kind_title[tt_row_kind(s, of->sel.row)]);
    snprintf(f->name, sizeof f->name, "%s", tt_row_name(s, of->sel.row));
    f->head[0] = p->by == TT_PAIR_BY_STEP ? "starts in its step" : "starts";
    f->head[1] = "duration";
    f->head[2] = p->by == TT_PAIR_BY_STEP ? "call of its step" : "call";
    f->head[3] = "on";
    for (int side = 0; side < TT_SIDES; side++) {
        const tt_pair_call *c = &x->call[side];
        if (c->r.row == TT_NONE) {
            f->missing[side] = !x->call[p->focus].in_sample && p->by == TT_PAIR_BY_STEP
                                   ? "the call is in no step that is compared"
                               : c->n > 0     ? "not so many calls of this name in the step"
                               : c->in_sample ? "no call of this name there"
                                              : "no such step";
            continue;
        }
        const tt_timeline *t = p->half[side].t;
        start[side] = c->offset;
        dur[side] = tt_timeline_end(t, c->r) - tt_timeline_start(t, c->r);
        put_offset(f->cell[side][0], start[side], unit);
        snprintf(f->cell[side][1], TEXT, "%s", tt_format_duration(ns, dur[side], unit));
        if (c->n > 0)
            snprintf(f->cell[side][2], TEXT, "%s of %s", tt_format_count(place, (int64_t)c->place + 1),
                     tt_format_count(n, c->n));
        put_track(f->cell[side][3], t, c->r);
    }
    if (f->missing[TT_BASE] || f->missing[TT_NEW]) return;
    put_change(f->change[0], start[TT_BASE], start[TT_NEW], false, unit);
    put_change(f->change[1], dur[TT_BASE], dur[TT_NEW], true, unit);
    int64_t more = (int64_t)x->call[TT_NEW].n - (int64_t)x->call[TT_BASE].n;
    if (more) snprintf(f->change[2], TEXT, "%+lld", (long long)more);
}

/* Facts about the marked interval on the row of each side's cursor. */
static void interval_facts(const tt_pair *p, tt_unit unit, facts *f)
{
    char ns[TT_TEXT_CAP], label[256];
    int64_t busy[TT_SIDES] = {0, 0}, len[TT_SIDES] = {0, 0};
    uint32_t count[TT_SIDES] = {0, 0};
    snprintf(f->title, sizeof f->title, "Interval");
    f->head[0] = "length";
    f->head[1] = "busy";
    f->head[2] = "slices";
    f->head[3] = "row";
    for (int side = 0; side < TT_SIDES; side++) {
        tt_timeline *t = p->half[side].t;
        int64_t a, b;
        if (!tt_timeline_marked(t, &a, &b)) {
            f->missing[side] = "no A-B range";
            continue;
        }
        len[side] = b - a;
        tt_timeline_busy(t, a, b, &busy[side], &count[side]);
        snprintf(f->cell[side][0], TEXT, "%s", tt_format_duration(ns, len[side], unit));
        snprintf(f->cell[side][1], TEXT, "%s (%.1f%%)", tt_format_duration(ns, busy[side], unit),
                 100 * (double)busy[side] / (double)len[side]);
        snprintf(f->cell[side][2], TEXT, "%s", tt_format_count(ns, count[side]));
        snprintf(f->cell[side][3], TEXT, "%.90s", label_here(t, label, sizeof label));
    }
    if (f->missing[TT_BASE] || f->missing[TT_NEW]) return;
    if (len[TT_BASE] != len[TT_NEW]) put_change(f->change[0], len[TT_BASE], len[TT_NEW], false, unit);
    put_change(f->change[1], busy[TT_BASE], busy[TT_NEW], true, unit);
    snprintf(f->change[2], TEXT, "%+lld", (long long)count[TT_NEW] - (long long)count[TT_BASE]);
}

/* Facts about a row without slices: the gap at the cursor, or the busy share of the window. */
static void row_facts(const tt_pair *p, tt_unit unit, facts *f)
{
    char ns[TT_TEXT_CAP], label[256];
    int64_t dur[TT_SIDES] = {0, 0};
    const tt_timeline *of = p->half[p->focus].t;
    bool gap = tt_row_source_here(of)->is_wait;
    snprintf(f->title, sizeof f->title, gap ? "Gap at the cursor" : "Row, in view");
    snprintf(f->name, sizeof f->name, "%s", label_here(of, label, sizeof label));
    f->head[0] = gap ? "starts" : "";
    f->head[1] = gap ? "duration" : "busy";
    f->head[2] = "";
    f->head[3] = "row";
    for (int side = 0; side < TT_SIDES; side++) {
        tt_timeline *t = p->half[side].t;
        int64_t a, b;
        uint32_t count;
        if (tt_row_source_here(t) != tt_row_source_here(of)) {
            f->missing[side] = "no such row";
            continue;
        }
        if (gap && !tt_timeline_span(t, &a, &b)) {
            f->missing[side] = "the device works";
            continue;
        }
        if (gap) {
            put_offset(f->cell[side][0], tt_pair_offset(p, side, a), unit);
            dur[side] = b - a;
        } else {
            tt_timeline_busy(t, t->t0, t->t1, &dur[side], &count);
        }
        snprintf(f->cell[side][1], TEXT, "%s", tt_format_duration(ns, dur[side], unit));
        snprintf(f->cell[side][3], TEXT, "%.90s", label_here(t, label, sizeof label));
    }
    if (!f->missing[TT_BASE] && !f->missing[TT_NEW]) put_change(f->change[1], dur[TT_BASE], dur[TT_NEW], true, unit);
}

/* Collect the facts for the cursor; false = there are none. */
static bool make_facts(const tt_screen *s, facts *f)
{
    const tt_pair_screen *x = tt_pair_screen_of(s);
    tt_unit unit = (tt_unit)tt_host_unit(s->host);
    *f = (facts){0};
    if (!x->p) return false;
    const tt_timeline *t = x->p->half[x->p->focus].t;
    int64_t a, b;
    if (tt_timeline_marked(t, &a, &b)) {
        interval_facts(x->p, unit, f);
    } else if (tt_timeline_has_sel(t)) {
        slice_facts(x, unit, f);
    } else if (tt_timeline_here(t) && !tt_timeline_is_track(tt_timeline_here(t))) {
        row_facts(x->p, unit, f);
    } else {
        return false;
    }
    return true;
}

void tt_pair_screen_pane(tt_screen *s, tt_canvas *c, int y)
{
    static const char *const name[] = {"base", "new", "change"};
    facts f;
    bool any = make_facts(s, &f);
    tt_rule(c, y, any ? f.title : "Slice", NULL);
    const tt_pair *p = tt_pair_screen_of(s)->p;
    tt_timeline_legend(p->half[p->focus].t, c, y, 22); /* behind the title */
    if (!any) {
        tt_put_cut(c, y + 1, 1, TT_ROLE_DIM,
                   "no slice at the cursor: h l nearest slice, j k row, Tab other run, < > step", c->w - 2, TT_CUT_END);
        return;
    }
    static const int widths[][COLUMNS - 1] = {{14, 18, 14}, {20, 24, 17}, {24, 28, 20}};
    const int *wide = widths[c->w >= 100 ? 2 : c->w >= 70];
    tt_put_cut(c, y + 1, 1, TT_ROLE_NAME, f.name, c->w - 2, TT_CUT_KERNEL);
    int line = f.name[0] ? y + 2 : y + 1;
    const int label = 9;
    for (int k = 0, x = label; k < COLUMNS; x += wide[k < COLUMNS - 1 ? k : 0], k++) {
        int w = k + 1 < COLUMNS ? wide[k] - 1 : c->w - x - 1;
        if (x + 8 > c->w) break;
        tt_put_cut(c, line, x, TT_ROLE_HEAD, f.head[k], w, TT_CUT_END);
        for (int side = 0; side < TT_SIDES; side++)
            if (!f.missing[side]) tt_put_cut(c, line + 1 + side, x, TT_ROLE_NUMBER, f.cell[side][k], w, TT_CUT_MIDDLE);
        tt_put_cut(c, line + 3, x, TT_ROLE_STRONG, f.change[k], w, TT_CUT_END);
    }
    for (int i = 0; i < 3; i++)
        tt_put(c, line + 1 + i, 1, i < TT_SIDES ? TT_ROLE_TITLE : TT_ROLE_STRONG, name[i], label - 2);
    for (int side = 0; side < TT_SIDES; side++)
        if (f.missing[side])
            tt_put_cut(c, line + 1 + side, label, TT_ROLE_DIM, f.missing[side], c->w - label - 1, TT_CUT_END);
}

char *tt_pair_screen_text(const tt_screen *s)
{
    facts f;
    char *text = NULL;
    size_t n = 0;
    FILE *out;
    if (!make_facts(s, &f) || !(out = open_memstream(&text, &n))) return NULL;
    fprintf(out, "%s\tbase\tnew\tchange\n", f.name[0] ? f.name : f.title);
    for (int k = 0; k < COLUMNS; k++) {
        if (!f.head[k][0]) continue;
        fprintf(out, "%s\t%s\t%s\t%s\n", f.head[k], f.missing[TT_BASE] ? f.missing[TT_BASE] : f.cell[TT_BASE][k],
                f.missing[TT_NEW] ? f.missing[TT_NEW] : f.cell[TT_NEW][k], f.change[k]);
    }
    if (fclose(out) == 0) return text;
    free(text);
    return NULL;
}
