/* tui/app/prompt/prompt.c - line editing with history; tui/app/app.c runs the line. */
#include "tui/app/prompt/prompt.h"

#include <stdlib.h>
#include <string.h>

#include "model/base/mem.h"

static const char *const labels[] = {"", "/", "filter: ", ":", "export to: ", "find: "};

void tt_prompt_set(tt_prompt *p, const char *text)
{
    size_t n = strlen(text);
    if (n >= TT_PROMPT_CAP) n = TT_PROMPT_CAP - 1;
    memmove(p->text, text, n);
    p->text[n] = 0;
    p->n = p->at = n;
}

void tt_prompt_open(tt_prompt *p, tt_prompt_kind kind, const char *text)
{
    p->kind = kind;
    p->history_at = -1;
    tt_prompt_set(p, text);
}

static size_t before(const tt_prompt *p, size_t at)
{
    while (at > 0 && ((unsigned char)p->text[--at] & 0xc0) == 0x80) {}
    return at;
}

static size_t after(const tt_prompt *p, size_t at)
{
    size_t used = 0;
    if (at < p->n) tt_utf8_next(p->text + at, p->n - at, &used);
    return at + used;
}

static tt_prompt_result erase(tt_prompt *p, size_t from, size_t to)
{
    memmove(p->text + from, p->text + to, p->n - to + 1);
    p->n -= to - from;
    p->at = from;
    return TT_PROMPT_CHANGED;
}

static tt_prompt_result recall(tt_prompt *p, int to)
{
    struct tt_history *h = &p->history[p->kind];
    if (to < -1 || to >= TT_PROMPT_HISTORY || (to >= 0 && !h->line[to])) return TT_PROMPT_MOVED;
    p->history_at = to;
    tt_prompt_set(p, to < 0 ? "" : h->line[to]);
    return TT_PROMPT_CHANGED;
}

static tt_prompt_result insert(tt_prompt *p, tt_key k)
{
    char utf8[4];
    if (k >= 0x110000 || tt_is_control(k)) return TT_PROMPT_MOVED;
    size_t n = tt_utf8_put(utf8, k);
    if (p->n + n >= TT_PROMPT_CAP) return TT_PROMPT_MOVED;
    memmove(p->text + p->at + n, p->text + p->at, p->n - p->at + 1);
    memcpy(p->text + p->at, utf8, n);
    p->n += n;
    p->at += n;
    return TT_PROMPT_CHANGED;
}

tt_prompt_result tt_prompt_key(tt_prompt *p, tt_key k)
{
    switch (k) {
    case TT_KEY_ENTER:
    case '\n': return TT_PROMPT_ACCEPT;
    case TT_KEY_ESC:
    case 3: return TT_PROMPT_CANCEL;
    case TT_KEY_TAB: return TT_PROMPT_COMPLETE;
    case 8:
    case 127:
    case TT_KEY_BKSP:
        if (p->n == 0) return TT_PROMPT_CANCEL;
        return p->at ? erase(p, before(p, p->at), p->at) : TT_PROMPT_MOVED;
    case TT_KEY_DEL: return erase(p, p->at, after(p, p->at));
    case 'U' - '@': return erase(p, 0, p->at);
    case 'K' - '@': return erase(p, p->at, p->n);
    case 'W' - '@': {
        size_t from = p->at;
        while (from && p->text[from - 1] == ' ') from--;
        while (from && p->text[from - 1] != ' ') from--;
        return erase(p, from, p->at);
    }
    case 'A' - '@':
    case TT_KEY_HOME: p->at = 0; return TT_PROMPT_MOVED;
    case 'E' - '@':
    case TT_KEY_END: p->at = p->n; return TT_PROMPT_MOVED;
    case TT_KEY_LEFT: p->at = before(p, p->at); return TT_PROMPT_MOVED;
    case TT_KEY_RIGHT: p->at = after(p, p->at); return TT_PROMPT_MOVED;
    case TT_KEY_UP: return recall(p, p->history_at + 1);
    case TT_KEY_DOWN: return recall(p, p->history_at - 1);
    default: return insert(p, k);
    }
}

void tt_prompt_remember(tt_prompt *p, tt_prompt_kind kind, const char *text)
{
    struct tt_history *h = &p->history[kind];
    int at = 0;
    while (at < TT_PROMPT_HISTORY - 1 && h->line[at] && strcmp(h->line[at], text) != 0) at++;
    char *own = tt_strdup(text); /* text may be the line that goes */
    free(h->line[at]);
    memmove(h->line + 1, h->line, sizeof *h->line * (size_t)at);
    h->line[0] = own;
}

void tt_prompt_close(tt_prompt *p, bool remember)
{
    if (remember && p->n) tt_prompt_remember(p, p->kind, p->text);
    p->kind = TT_PROMPT_NONE;
}

void tt_prompt_free(tt_prompt *p)
{
    for (size_t k = 0; k < sizeof p->history / sizeof *p->history; k++) {
        for (int i = 0; i < TT_PROMPT_HISTORY; i++) free(p->history[k].line[i]);
    }
}

void tt_prompt_draw(const tt_prompt *p, tt_canvas *screen, int y)
{
    int x = 1 + tt_put(screen, y, 1, TT_ROLE_KEY, labels[p->kind], -1);
    int room = screen->w - x - 1, left = tt_text_width(p->text, p->at);
    size_t from = 0;
    while (left > room - 1 && from < p->at) { /* keep the cursor in sight */
        size_t used;
        tt_utf8_next(p->text + from, p->n - from, &used);
        from += used;
        left = tt_text_width(p->text + from, p->at - from);
    }
    tt_put(screen, y, x, TT_ROLE_PROMPT, p->text + from, room);
    screen->cur_y = y;
    screen->cur_x = x + left;
}
