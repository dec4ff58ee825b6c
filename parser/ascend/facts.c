/* parser/ascend/facts.c - profiler_info_N.json and profiler_metadata.json: the rank, settings of the recording, the
 * groups of ranks. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "parser/ascend/folder.h"

enum { DEEPEST = 8, KEY_MOST = 160, RANKS_TEXT = 400 };

typedef struct place { /* place of a value: the keys above it */
    char key[DEEPEST][KEY_MOST];
    unsigned depth; /* number of known keys; deeper values are skipped */
} place;

/* Key above the value, counted from the innermost; "" = the value lies in a list or too deep. */
static const char *key_above(const place *p, unsigned level)
{
    return p->depth > level && p->depth - 1 - level < DEEPEST ? p->key[p->depth - 1 - level] : "";
}

typedef void value_fn(tt_ascend *a, const place *p, const tt_json_stream *s, tt_json_token token);

/* Call fn for every number, string and word below the top level; items of a list have the key of the list. */
static void each_value(tt_ascend *a, const char *role, value_fn *fn)
{
    tt_ascend_json j;
    if (!tt_ascend_json_open(a, role, &j)) return;
    place p = {.depth = 0};
    unsigned below[TT_JSON_LEVELS] = {0}; /* number of keys above each open container */
    for (tt_json_token t; (t = tt_json_stream_next(&j.s)) > TT_JSON_BROKEN;) {
        switch (t) {
        case TT_JSON_OBJECT:
        case TT_JSON_LIST:
            if (j.s.depth < TT_JSON_LEVELS) below[j.s.depth] = p.depth;
            break;
        case TT_JSON_OBJECT_END:
        case TT_JSON_LIST_END: p.depth = below[j.s.depth]; break;
        case TT_JSON_KEY:
            p.depth = below[j.s.depth - 1] + 1;
            if (p.depth <= DEEPEST) tt_ascend_json_text(&j.s, p.key[p.depth - 1], KEY_MOST);
            break;
        default: fn(a, &p, &j.s, t);
        }
    }
    tt_ascend_json_close(&j);
}

/* Facts with the same name wherever a version of the profilers writes them. */
static const char *const kept[] = {"context_mode", "parallel_mode",     "stage_num",    "rank_size",
                                   "ms_version",   "torch_npu_version", "cann_version", NULL};

static void on_info(tt_ascend *a, const place *p, const tt_json_stream *s, tt_json_token token)
{
    const char *key = key_above(p, 0);
    char text[256];
    int64_t v;
    if (!strcmp(key, "rank_id") && p->depth == 1 && tt_ascend_json_number(s, token, 1, &v) && v >= 0 && v < INT32_MAX)
        a->rank = v;
    if (!strcmp(key, "profile_memory")) a->memory_profiled |= tt_json_stream_is(s, "true");
    if (tt_json_stream_is(s, "null")) return;
    tt_ascend_json_text(s, text, sizeof text);
    if (!strcmp(key, "_profiler_level") || !strcmp(key, "profiler_level"))
        tt_ascend_fact_put(a, "profiler_level", text, strlen(text));
    if (!strcmp(key_above(p, 1), "schedule")) {
        char name[KEY_MOST + 16];
        snprintf(name, sizeof name, "schedule_%s", key);
        tt_ascend_fact_put(a, name, text, strlen(text));
    }
    for (unsigned i = 0; kept[i] && *text; i++) {
        if (!strcmp(key, kept[i])) tt_ascend_fact_put(a, key, text, strlen(text));
    }
}

/* Add a value of a group of ranks to the group's fact: its name, then its ranks one by one. */
static void on_metadata(tt_ascend *a, const place *p, const tt_json_stream *s, tt_json_token token)
{
    const char *key = key_above(p, 0);
    bool name = !strcmp(key, "group_name"), rank = !strcmp(key, "global_ranks");
    if (strcmp(key_above(p, 2), "parallel_group_info") != 0 || !(name || rank)) return;
    char fact[KEY_MOST + 16], text[256];
    snprintf(fact, sizeof fact, "group_%s", key_above(p, 1));
    tt_ascend_json_text(s, text, sizeof text);
    if (token == TT_JSON_WORD || !*text) return;
    tt_ascend_fact *last = a->facts.n ? &a->facts.at[a->facts.n - 1] : NULL;
    if (name || !last || strcmp(last->key, fact) != 0) {
        tt_ascend_fact_put(a, fact, text, name ? strlen(text) : 0);
        if (name) return;
        last = &a->facts.at[a->facts.n - 1];
    }
    if (strlen(last->value) > RANKS_TEXT) return; /* a group of thousands of ranks is cut */
    const char *between = strstr(last->value, "ranks ") ? "," : *last->value ? ", ranks " : "ranks ";
    last->value = tt_arena_printf(&a->arena, "%s%s%s", last->value, between, text);
}

void tt_ascend_facts(tt_ascend *a)
{
    tt_ascend_fact_put(a, "device_type", "ascend", 6);
    each_value(a, ROLE_INFO, on_info);
    each_value(a, ROLE_METADATA, on_metadata);
}
