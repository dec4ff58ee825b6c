/* tui/output/section.c - chooses the columns and options that people see. */
#include "tui/output/section.h"

#include <string.h>

bool tt_section_option_default(const tt_section *s, uint32_t i)
{
    return !s->table->options.group && !strcmp(s->options[i].key, "group_by");
}

const char *tt_section_option_name(const tt_section *s, uint32_t i, char out[TT_OPTION_NAME_CAP])
{
    snprintf(out, TT_OPTION_NAME_CAP, "%s", s->options[i].key);
    for (char *p = out; *p; p++) *p = *p == '_' ? '-' : *p;
    return out;
}

void tt_section_drop_noise(const tt_section *s, bool *shown)
{
    const tt_table *t = s->table;
    for (uint32_t c = 0; c < t->n_cols; c++) {
        bool known = !t->cols[c]->prio;
        for (uint32_t r = 0; r < s->n_rows && !known; r++)
            known = !tt_cell_unknown(t->cols[c]->type, tt_table_cell(t, s->rows[r], c));
        shown[c] = shown[c] && c >= s->skip && known;
    }
}

int tt_section_least_column(const tt_section *s, const bool *shown)
{
    int best = -1;
    for (uint32_t c = 0; c < s->table->n_cols; c++) {
        const tt_column *col = s->table->cols[c];
        if (shown[c] && col->prio && (best < 0 || col->prio >= s->table->cols[best]->prio)) best = (int)c;
    }
    return best;
}
