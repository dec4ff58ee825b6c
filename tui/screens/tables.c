/* tui/screens/tables.c - the tabs that show one table each. A new tab takes one TABLE_SCREEN line here and one line
 * in tui/app/screens.def. */
#include "model/tables/registry/registry.h"
#include "tui/screen/host.h"
#include "tui/screens/empty.h"
#include "tui/table/table_widget.h"

typedef struct state {
    tt_table_view *table;
} state;

static tt_table_view *table_of(const tt_screen *s) { return ((state *)s->state)->table; }

static void open_table(tt_screen *s, const char *id)
{
    tt_table_style style = {0};
    const tt_table_desc *d = tt_table_find(id);
    ((state *)s->state)->table = tt_table_view_new(s->host, d ? d : tt_host_any_table(s->host), &style);
}

static void close_table(tt_screen *s) { tt_table_view_free(table_of(s)); }
static void renew_table(tt_screen *s, int64_t shift) { tt_table_view_renew(table_of(s), shift); }
static void scope_table(tt_screen *s) { tt_table_view_scope(table_of(s)); }
static void draw_table(tt_screen *s, tt_canvas *c) { tt_table_view_draw(table_of(s), c, true); }
static bool act_table(tt_screen *s, tt_action a) { return tt_table_view_act(table_of(s), a); }
static tt_focus focus_table(const tt_screen *s) { return (tt_focus){.at[0] = {&tt_table_focus, table_of(s)}}; }
static bool mouse_table(tt_screen *s, const tt_mouse *m) { return tt_table_view_mouse(table_of(s), m); }
static void save_table(const tt_screen *s, tt_screen_place *p) { tt_table_view_save(table_of(s), &p->table); }
static void restore_table(tt_screen *s, const tt_screen_place *p) { tt_table_view_restore(table_of(s), &p->table); }

#define TABLE_SCREEN(id_, title_, brief_, nothing_)                                                                    \
    static void open_##id_(tt_screen *s) { open_table(s, #id_); }                                                      \
    const tt_screen_ops tt_screen_##id_ = {                                                                            \
        .tab = {.name = #id_, .title = title_, .brief = brief_, .empty = nothing_},                                    \
        .context = TT_CTX_TABLE,                                                                                       \
        .state_size = sizeof(state),                                                                                   \
        .open = open_##id_,                                                                                            \
        .close = close_table,                                                                                          \
        .renew = renew_table,                                                                                          \
        .scope = scope_table,                                                                                          \
        .draw = draw_table,                                                                                            \
        .act = act_table,                                                                                              \
        .focus = focus_table,                                                                                          \
        .mouse = mouse_table,                                                                                          \
        .place = {.save = save_table, .restore = restore_table},                                                       \
    };

TABLE_SCREEN(any_table, "Table", "Table", NULL)
TABLE_SCREEN(kernels, "Kernels", "Kern", tt_empty_kernels)
TABLE_SCREEN(modules, "Modules", "Mod", tt_empty_modules)
