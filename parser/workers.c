/* parser/workers.c - reads the list of workers that a merge writes at the top level of a file, and splits the trace by
 * it. */
#include "parser/workers.h"

#include <stdlib.h>
#include <string.h>

#include "model/build/finish/split.h"
#include "model/text/json_text.h"
#include "parser/discover/discover.h"
#include "parser/discover/file_name.h"
#include "parser/json/string.h"
#include "parser/summary/reader.h"

typedef struct names {
    TT_VEC(const char *) at;
    tt_arena arena;
} names;

/* Read a list such as ["r0", "r1"]; a value that is no text ends the list. */
static void read_names(const char *p, names *out)
{
    const char *e = p ? p + strlen(p) : NULL;
    tt_json_member m;
    if (!p || *p != '[') return;
    for (p++; tt_json_item(&p, e, &m);) {
        if (m.value_n < 2 || *m.value != '"' || m.value[m.value_n - 1] != '"') return;
        char *text = tt_malloc(m.value_n);
        size_t n = tt_json_unescape(m.value + 1, m.value_n - 2, text, NULL);
        *tt_vec_push(&out->at) = tt_arena_strndup(&out->arena, text, n);
        free(text);
    }
}

/* Worker of an entry; an entry of a worker with several spans is named "WORKER span SPAN". */
static const char *worker_of(names *list, const char *entry, const char *span)
{
    size_t n = strlen(entry), end = strlen(span);
    static const char between[] = " span ";
    size_t tail = end + sizeof between - 1;
    if (n < tail || strcmp(entry + n - end, span) != 0 || strncmp(entry + n - tail, between, sizeof between - 1) != 0)
        return entry;
    return tt_arena_strndup(&list->arena, entry, n - tail);
}

tt_trace **tt_workers_of(tt_trace *s, uint32_t *n)
{
    tt_trace **summarised = tt_summary_traces(s, n);
    if (summarised) return summarised;
    names list = {0}, spans = {0};
    TT_VEC(tt_split_entry) entries = {0};
    read_names(tt_trace_meta(s, "workers"), &list);
    read_names(tt_trace_meta(s, "spans"), &spans);
    for (size_t i = 0; i < list.at.n; i++) {
        const char *entry = list.at.at[i], *span = spans.at.n == list.at.n ? spans.at.at[i] : NULL;
        *tt_vec_push(&entries) = (tt_split_entry){entry, span ? worker_of(&list, entry, span) : entry, span};
    }
    tt_trace **parts = tt_trace_split(s, entries.at, (uint32_t)entries.n, n);
    for (uint32_t i = 0; *n > 1 && i < *n; i++)
        if (parts[i]->rank < 0) parts[i]->rank = tt_discover_rank(parts[i]->worker);
    tt_vec_free(&entries);
    tt_vec_free(&list.at);
    tt_arena_free(&list.arena);
    tt_vec_free(&spans.at);
    tt_arena_free(&spans.arena);
    return parts;
}
