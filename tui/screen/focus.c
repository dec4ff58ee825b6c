/* tui/screen/focus.c - asks the parts of a focus: the first part that has a function answers. */
#include "tui/screen/focus.h"

/* The first part of focus f whose ops have the member; NULL = no part has it. */
#define PART_WITH(f, member)                                                                                           \
    (HAS(f, 0, member) ? &(f).at[0] : HAS(f, 1, member) ? &(f).at[1] : HAS(f, 2, member) ? &(f).at[2] : NULL)
#define HAS(f, i, member) ((f).at[i].ops && (f).at[i].ops->member)

bool tt_focus_selects_nothing(void *o, tt_drilldown *out)
{
    (void)o, (void)out;
    return false;
}

void tt_focus_status(tt_focus f, char *out, size_t cap)
{
    const tt_focus_part *p = PART_WITH(f, status);
    out[0] = '\0';
    if (p) p->ops->status(p->object, out, cap);
}

bool tt_focus_find(tt_focus f, const char *text, int dir)
{
    const tt_focus_part *p = PART_WITH(f, find);
    return p && p->ops->find(p->object, text, dir);
}

bool tt_focus_filters(tt_focus f) { return PART_WITH(f, filter) != NULL; }

bool tt_focus_filter(tt_focus f, const char *text)
{
    const tt_focus_part *p = PART_WITH(f, filter);
    return p && p->ops->filter(p->object, text);
}

bool tt_focus_selection(tt_focus f, tt_drilldown *out)
{
    const tt_focus_part *p = PART_WITH(f, selection);
    return p && p->ops->selection(p->object, out);
}

bool tt_focus_about(tt_focus f, tt_drilldown *out)
{
    const tt_focus_part *p = PART_WITH(f, about);
    return p ? p->ops->about(p->object, out) : tt_focus_selection(f, out);
}

char *tt_focus_copy(tt_focus f, bool all)
{
    const tt_focus_part *p = PART_WITH(f, copy);
    return p ? p->ops->copy(p->object, all) : NULL;
}

bool tt_focus_command(tt_focus f, const char *verb, const char *arg)
{
    for (int i = 0; i < TT_FOCUS_PARTS; i++)
        if (HAS(f, i, command) && f.at[i].ops->command(f.at[i].object, verb, arg)) return true;
    return false;
}

const tt_table *tt_focus_table(tt_focus f)
{
    const tt_focus_part *p = PART_WITH(f, table);
    return p ? p->ops->table(p->object) : NULL;
}

const char *tt_focus_export_name(tt_focus f)
{
    const tt_focus_part *p = PART_WITH(f, export_name);
    return p ? p->ops->export_name : NULL;
}

bool tt_focus_exports(tt_focus f)
{
    const tt_focus_part *lists = PART_WITH(f, table), *writes = PART_WITH(f, command);
    const tt_table *t = lists ? lists->ops->table(lists->object) : NULL;
    return lists ? t && t->n_rows : writes && tt_focus_export_name(f);
}
