/* tui/screens/overview/verdict.c - see verdict.h. */
#include "tui/screens/overview/verdict.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/tables/cells.h"
#include "model/tables/findings/claims/columns.h"
#include "model/tables/verdict/columns.h"
#include "tui/screen/table_fetch.h"

tt_style tt_severity_style(const char *severity)
{
    if (!strcasecmp(severity, "high")) return TT_ROLE_ERROR;
    return strcasecmp(severity, "medium") ? TT_ROLE_TEXT : TT_ROLE_WARN;
}

const char *tt_verdict_text(const tt_table *overview, const tt_table *findings, tt_style *style)
{
    *style = TT_ROLE_DIM;
    for (uint32_t r = overview && findings ? overview->n_rows : 0; r-- > 0;) {
        if (strcmp(tt_cell_s(overview, r, TT_OVERVIEW_WHAT), "verdict") != 0) continue;
        bool found = *tt_cell_s(overview, r, TT_OVERVIEW_NAME) != 0;
        *style = found ? tt_severity_style(tt_cell_s(findings, 0, TT_FINDING_SEVERITY)) : TT_ROLE_BETTER;
        return tt_cell_s(overview, r, TT_OVERVIEW_TEXT);
    }
    return "";
}

const char *tt_verdict_sign(tt_style style)
{
    return style == TT_ROLE_ERROR ? "!! " : style == TT_ROLE_WARN ? "! " : "";
}

void tt_frame_file_line(const char *frame, char *out, size_t cap)
{
    const char *open = strchr(frame, '(');
    const char *name = frame;
    out[0] = 0;
    if (!open || open == frame) return;
    for (const char *p = frame; p < open; p++)
        if (*p == '/' || *p == '\\') name = p + 1;
    long line = strtol(open + 1, NULL, 10);
    if (line > 0) snprintf(out, cap, "%.*s:%ld", (int)(open - name), name, line);
}
