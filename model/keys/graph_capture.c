/* model/keys/graph_capture.c - see graph_capture.h. */
#include "model/keys/graph_capture.h"

#include <stdlib.h>
#include <string.h>

#include "model/text/call_name.h"
#include "model/text/engine_step.h"

enum { NO_NAME, BEGINS, ENDS, LAUNCHES };

static bool names_capture(const char *name)
{
    tt_engine_step_name e;
    return tt_engine_step_read(name, strlen(name), &e) && e.phase == TT_PHASE_CAPTURE;
}

static uint8_t class_of(const char *name)
{
    if (tt_call_begins_capture(name)) return BEGINS;
    if (tt_call_ends_capture(name)) return ENDS;
    return tt_call_launches_kernel(name) ? LAUNCHES : NO_NAME;
}

static void count(const tt_trace *s, const uint8_t *classes, uint64_t *launches, uint64_t *captured)
{
    for (uint32_t t = 0; t < s->n_tracks; t++) {
        int64_t since = INT64_MAX; /* end of the call that began the capture; INT64_MAX = no capture is open */
        for (tt_row r = s->tracks[t].first; r < s->tracks[t].first + s->tracks[t].n; r++) {
            tt_kind k = tt_row_kind(s, r);
            if (k != TT_KIND_RUNTIME && k != TT_KIND_DRIVER) continue;
            uint8_t c = classes[s->name[r]];
            if (c == BEGINS && since == INT64_MAX) since = tt_row_end(s, r);
            if (c == ENDS) since = INT64_MAX;
            if (c != LAUNCHES) continue;
            ++*launches;
            *captured += s->start[r] >= since;
        }
    }
}

bool tt_captures_all(const tt_trace *s)
{
    uint64_t launches = 0, captured = 0;
    bool begins = false, named = s->path && strstr(s->path, "capture_traces/");
    for (tt_sid i = 1; i < s->strings.text.n && !begins; i++) begins = class_of(tt_str(&s->strings, i)) == BEGINS;
    if (!begins) return false;
    uint8_t *classes = tt_calloc(s->strings.text.n + (size_t)1, 1);
    for (tt_sid i = 1; i < s->strings.text.n; i++) classes[i] = class_of(tt_str(&s->strings, i));
    for (tt_row r = 0; r < s->n && !named; r++)
        named = tt_row_kind(s, r) == TT_KIND_ENGINE_STEP && names_capture(tt_row_name(s, r));
    count(s, classes, &launches, &captured);
    free(classes);
    return captured && (named || captured * 2 >= launches);
}

/* The folder of this name on the path, with the slash before it; NULL = none. */
static const char *find_folder(const char *path, const char *name)
{
    size_t n = strlen(name);
    for (const char *p = strstr(path, name); p; p = strstr(p + 1, name))
        if (p[n] == '/' && (p == path || p[-1] == '/')) return p > path ? p - 1 : p;
    return NULL;
}

bool tt_key_path(const char *path, size_t *home)
{
    const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
    const char *folder = find_folder(path, "capture_traces");
    if (!folder) folder = find_folder(path, "no-cuda-graph");
    if (!folder && !strstr(base, "NoGraph")) return false;
    if (home) *home = (size_t)((folder ? folder : slash ? slash : path) - path);
    return true;
}

bool tt_trace_is_key(const tt_trace *s)
{
    bool eager = tt_key_path(s->path, NULL) && !find_folder(s->path, "capture_traces");
    if (tt_steps_of_engine(s) && !eager) return false;
    return eager || tt_captures_all(s);
}
