/* tui/widgets/scroll.h - which entries of a list are on screen, so that the chosen entry is among them. */
#ifndef TT_TUI_WIDGETS_SCROLL_H
#define TT_TUI_WIDGETS_SCROLL_H

#include <stdint.h>

/* The first entry on screen, which has room for `room` entries. first: the first entry before; at: the chosen entry. */
static inline uint32_t tt_scroll_to(uint32_t first, uint32_t at, int room)
{
    if (first > at) return at;
    return room > 0 && at >= first + (uint32_t)room ? at - (uint32_t)room + 1 : first;
}

/* The same in a list of n entries, whose end leaves no room empty. */
static inline uint32_t tt_scroll_within(uint32_t first, uint32_t at, int room, uint32_t n)
{
    uint32_t fit = room > 0 ? (uint32_t)room : 1;
    first = tt_scroll_to(first, at, (int)fit);
    return first + fit <= n ? first : n > fit ? n - fit : 0;
}

#endif
