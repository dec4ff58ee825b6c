/* tui/flame/flame_widget.h - the picture of merged calls: a box per path, as wide as its share, the widest to the left,
 * children below.
 *
 * Cost of a frame is O(cells). Boxes too narrow for a cell are shaded together at the right end of their parent. */
#ifndef TT_TUI_FLAME_FLAME_WIDGET_H
#define TT_TUI_FLAME_FLAME_WIDGET_H

#include "model/index/flame.h"
#include "tui/screen/actions.h"
#include "tui/widgets/canvas.h"
#include "tui/widgets/format_value.h"

typedef struct tt_flame_view {
    tt_flame *f; /* the merged calls, owned; NULL = nothing to show yet */
    tt_flame_weight weight;
    uint32_t zoom;   /* the node that fills the width */
    uint32_t cursor; /* the node with the cursor, in the tree of zoom */
    int top;         /* number of rows scrolled away */
    int w, h, y;     /* size in the last frame; y: first line on the screen's canvas */
    char found[256]; /* the text searched for; matches are marked, the other boxes grey */
    uint64_t n_found;
    int64_t found_ns; /* total of the matches that lie in no other match */
} tt_flame_view;

void tt_flame_view_free(tt_flame_view *v);
/* Show all of another flame, which is taken over. */
void tt_flame_view_set(tt_flame_view *v, tt_flame *f);
/* Draw the boxes; y: the line of the screen at which c begins. */
void tt_flame_view_draw(tt_flame_view *v, tt_canvas *c, int y);
/* Draw two or more lines about the node under the cursor. */
void tt_flame_view_detail(const tt_flame_view *v, tt_canvas *c, tt_unit unit);
bool tt_flame_view_act(tt_flame_view *v, tt_action a);
/* The node at a place of the screen; TT_NONE = none. */
uint32_t tt_flame_view_at(const tt_flame_view *v, int y, int x);
/* Search names for a text. dir 0: the match at the cursor or the heaviest one, dir > 0: the next lighter one, dir <
 * 0: the next heavier one. "" = no search. */
bool tt_flame_view_find(tt_flame_view *v, const char *text, int dir);
void tt_flame_view_weigh(tt_flame_view *v, tt_flame_weight w);
/* Put the cursor on a node and zoom so that the node can be seen. */
void tt_flame_view_go(tt_flame_view *v, uint32_t node, uint32_t zoom);
/* The path of a node, "all > step > forward"; the text is cut at its end when there is no room. */
void tt_flame_view_path(const tt_flame_view *v, uint32_t node, char *out, size_t cap);

#endif
