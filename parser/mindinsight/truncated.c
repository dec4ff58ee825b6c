/* parser/mindinsight/truncated.c - finds steps missing from a timeline: MindSpore up to 2.1 writes events in the order
 * of starts and stops silently after 20 MiB; only the names of its rows follow. The step trace has all steps. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "parser/mindinsight/folder.h"

#define LIMIT ((uint64_t)20 << 20)
#define SLACK (LIMIT / 200) /* for the buffer, and the names that follow */
#define TAIL ((uint64_t)1 << 20)

/* The last time in the text, in ns. */
static int64_t last_event(tt_mi *m, uint64_t size)
{
    uint32_t part = tt_input_find(m->in, "timeline", 0);
    uint64_t from = size > TAIL ? size - TAIL : 0;
    char *text = tt_malloc((size_t)(size - from) + 1), *last = NULL;
    int64_t ns = TT_UNKNOWN;
    size_t n;
    tt_err err;
    if (tt_input_read_at(m->in, part, from, text, (size_t)(size - from), &n, &err) == TT_OK) {
        text[n] = '\0';
        for (char *p = text; (p = memmem(p, (size_t)(text + n - p), "\"ts\"", 4)) != NULL; p += 4) last = p + 4;
    }
    if (last) last += strspn(last, " :\"\t\r\n");
    if (!last || !tt_decimal(last, strspn(last, "0123456789.eE+-"), TT_NS_OF_US, &ns)) ns = TT_UNKNOWN;
    free(text);
    return ns;
}

void tt_mi_truncated(tt_mi *m, uint64_t size)
{
    const tt_imported *steps = NULL;
    for (size_t i = 0; i < m->tables.n && !steps; i++)
        if (!strcmp(m->tables.at[i]->id, "step_trace")) steps = m->tables.at[i];
    if (!tt_input_has(m->in, "timeline") || size < LIMIT || size > LIMIT + SLACK || !steps) return;
    int64_t last = last_event(m, size);
    uint32_t behind = 0;
    for (uint32_t r = 0; r < steps->n_rows && last != TT_UNKNOWN; r++) {
        int64_t start = steps->cells[(size_t)r * steps->n_cols + 1].i; /* column start_at_ns */
        behind += start != TT_UNKNOWN && start > last;
    }
    if (!behind) return;
    tt_arena a = {0};
    const char *text =
        tt_arena_printf(&a, "%s ends at 20 MiB, where MindSpore stops: %" PRIu32 " of %" PRIu32 " steps are not in it",
                        tt_mi_file(m, "timeline"), behind, steps->n_rows);
    tt_mi_fact(m, "truncated_by_producer", text, strlen(text));
    tt_arena_free(&a);
}
