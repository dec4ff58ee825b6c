/* parser/workers.c - reads the list of workers that a merge writes at its top level, and splits what it names. */
#include "parser/workers.h"

#include <stdlib.h>
#include <string.h>

#include "model/split.h"
#include "parser/jsonstr.h"

typedef struct names {
    TT_VEC(const char *) at;
    tt_arena arena;
} names;

/* "["r0", "r1"]"; what is no text ends the list. */
static void read_names(const char *p, names *out)
{
    if (!p || *p != '[') return;
    for (p++; *p;) {
        p += strspn(p, ", \t\r\n");
        if (*p != '"') return;
        const char *end = ++p;
        while (*end && *end != '"') end += *end == '\\' && end[1] ? 2 : 1;
        if (!*end) return;
        char *text = tt_malloc((size_t)(end - p) + 1);
        size_t n = tt_json_unescape(p, (size_t)(end - p), text, NULL);
        *tt_vec_push(&out->at) = tt_arena_strndup(&out->arena, text, n);
        free(text);
        p = end + 1;
    }
}

tt_store **tt_workers_of(tt_store *s, uint32_t *n)
{
    names list = {0};
    read_names(tt_store_meta(s, "workers"), &list);
    tt_store **parts = tt_store_split(s, list.at.at, (uint32_t)list.at.n, n);
    tt_vec_free(&list.at);
    tt_arena_free(&list.arena);
    return parts;
}
