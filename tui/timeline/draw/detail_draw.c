/* tui/timeline/draw/detail_draw.c - the facts about a slice in the pane, on the page, and as text. */
#include "tui/timeline/draw/detail_draw.h"

#include <stdio.h>
#include <string.h>

#include "tui/timeline/rows/detail.h"

static int width_of(const char *s) { return (int)tt_text_width(s, strlen(s)); }

enum { STOP = 12 }; /* facts of the pane begin at multiples of this column */

typedef struct pane {
    tt_canvas *c; /* NULL: lines are counted, not drawn */
    int w, h, x, y;
} pane;

/* Put a fact behind the others; false = no room on this line, or with `wrap` on any line. */
static bool put_short(pane *p, const tt_fact *f, bool wrap)
{
    int key = width_of(f->key), value = width_of(f->value);
    /* wide panes place facts at stops: facts that two slices share stay in place and are not sent again */
    int x = p->x > 1 && p->w >= 100 ? (p->x - 2 + STOP) / STOP * STOP + 1 : p->x;
    int lead = x == 1 && key < STOP ? STOP : key + 1;
    if (x > 1 && x + key + 1 + value > p->w - 1) { /* a new line */
        if (!wrap) return false;
        p->y++;
        x = 1;
        lead = key < STOP ? STOP : key + 1;
    }
    if (p->y >= p->h) return false;
    int used = lead + value;
    if (p->c) {
        tt_put(p->c, p->y, x, TT_ROLE_DIM, f->key, p->w - 2);
        used = lead + tt_put_cut(p->c, p->y, x + lead, TT_ROLE_TEXT, f->value, p->w - 1 - x - lead, TT_CUT_KERNEL);
    }
    p->x = x + used + 3;
    if (p->x >= p->w - 8) {
        p->x = 1;
        p->y++;
    }
    return true;
}

static void put_line(const pane *p, const tt_fact *f)
{
    int key = width_of(f->key), x = key < STOP ? 1 + STOP : key + 2;
    tt_put(p->c, p->y, 1, TT_ROLE_DIM, f->key, -1);
    tt_put_cut(p->c, p->y, x, f->strong ? TT_ROLE_NAME | TT_BOLD : TT_ROLE_TEXT, f->value, p->w - 1 - x, f->cut);
}

/* Facts with a line of their own that come before fact i when not all fit. */
static int lines_before(const tt_detail *d, size_t i)
{
    int n = 0;
    for (size_t k = 0; k < d->facts.n; k++) {
        const tt_fact *f = &d->facts.at[k];
        if (f->page_only || !f->own_line) continue;
        n += f->weight > d->facts.at[i].weight || (f->weight == d->facts.at[i].weight && k < i);
    }
    return n;
}

/* Draw the facts of the pane from row 1 on: a line of short facts, the facts with lines of their own (the weightiest if
 * not all fit), then the other short facts. Returns the row behind the last. */
static int draw_facts(const tt_detail *d, tt_canvas *c, int w, int h)
{
    pane p = {c, w, h, 1, 1};
    size_t first = 0;
    for (; first < d->facts.n && !d->facts.at[first].own_line; first++) {
        if (d->facts.at[first].page_only) continue;
        if (!put_short(&p, &d->facts.at[first], false) || p.y > 1) break;
    }
    first += p.y > 1; /* the fact took the rest of the line */
    if (p.x > 1) p.y++;
    int room = h - p.y;
    for (size_t i = 0; i < d->facts.n; i++) {
        const tt_fact *f = &d->facts.at[i];
        if (f->page_only || !f->own_line || lines_before(d, i) >= room || p.y >= h) continue;
        if (c) put_line(&p, f);
        p.y++;
    }
    p.x = 1;
    for (size_t i = first; i < d->facts.n; i++) {
        if (d->facts.at[i].page_only || d->facts.at[i].own_line) continue;
        if (!put_short(&p, &d->facts.at[i], true)) break;
    }
    return p.y + (p.x > 1);
}

int tt_detail_pane_lines(const tt_detail *d, int w) { return d->name ? draw_facts(d, NULL, w, 64) : 0; }

void tt_detail_draw_pane(const tt_detail *d, tt_canvas *c)
{
    if (!d->name || c->h < 1) {
        return;
    }
    int place = width_of(d->place), room = c->w - 2;
    if (place + 20 <= room) {
        tt_put_right(c, 0, c->w - 1 - place, place, TT_ROLE_DIM, d->place);
        room -= place + 2;
    }
    tt_put_cut(c, 0, 1, TT_ROLE_STRONG, d->name, room, TT_CUT_KERNEL);
    draw_facts(d, c, c->w, c->h);
}

/* Bytes of the next line of at most w columns: to the end of a stack frame, else to the last place for a break. */
static size_t line_bytes(const char *s, int w)
{
    size_t n = strlen(s), at = 0, used, good = 0;
    for (int col = 0; at < n; at += used) {
        uint32_t cp = tt_utf8_next(s + at, n - at, &used);
        col += tt_char_width(cp);
        if (col > w) {
            return good > 0 ? good : at > 0 ? at : used;
        }
        if (cp == ';' || cp == '\n') {
            return at + used;
        }
        good = cp == ' ' || cp == ',' || cp == '/' ? at + used : good;
    }
    return n;
}

/* Draw a fact at line `line` of the page; returns the next line. */
static int draw_fact(tt_canvas *c, const tt_fact *f, int key_w, int line, int top)
{
    int w = c->w - key_w - 4 > 8 ? c->w - key_w - 4 : 8;
    if (line >= top) {
        tt_put_cut(c, line - top, 1, TT_ROLE_DIM, f->key, key_w, TT_CUT_MIDDLE);
    }
    const char *p = f->value;
    do {
        size_t n = line_bytes(p, w);
        if (line >= top && line - top < c->h) {
            char text[2048];
            snprintf(text, sizeof text, "%.*s", (int)(n < sizeof text ? n : sizeof text - 1), p);
            tt_put(c, line - top, key_w + 3, TT_ROLE_TEXT, text, w);
        }
        line++;
        p += n;
    } while (*p);
    return line;
}

int tt_detail_draw_page(const tt_detail *d, tt_canvas *c, int top)
{
    int key_w = 8, line = 0;
    for (size_t i = 0; i < d->facts.n; i++) {
        int n = width_of(d->facts.at[i].key);
        key_w = n > key_w ? n : key_w;
    }
    key_w = key_w > c->w / 3 ? c->w / 3 : key_w;
    tt_fact head[2] = {{.key = "name", .value = d->name ? d->name : ""},
                       {.key = "type", .value = d->place ? d->place : ""}};
    line = draw_fact(c, &head[0], key_w, line, top);
    line = draw_fact(c, &head[1], key_w, line, top);
    for (size_t i = 0; i < d->facts.n; i++) {
        if (i == d->n_own) {
            line++;
            if (line > top && line - top - 1 < c->h) {
                tt_put(c, line - top - 1, 1, TT_ROLE_TITLE, "Raw event", -1);
            }
        }
        line = draw_fact(c, &d->facts.at[i], key_w, line, top);
    }
    return line;
}

char *tt_detail_text(const tt_detail *d)
{
    TT_VEC(char) out = {0};
    for (size_t i = 0; i <= d->facts.n; i++) {
        const char *key = i == 0 ? "name" : d->facts.at[i - 1].key,
                   *value = i == 0 ? d->name : d->facts.at[i - 1].value;
        size_t k = strlen(key), v = strlen(value);
        tt_vec_reserve(&out, out.n + k + v + 3);
        memcpy(out.at + out.n, key, k);
        out.at[out.n + k] = '\t';
        memcpy(out.at + out.n + k + 1, value, v);
        out.at[out.n + k + 1 + v] = '\n';
        out.n += k + v + 2;
        out.at[out.n] = '\0';
    }
    return out.at;
}
