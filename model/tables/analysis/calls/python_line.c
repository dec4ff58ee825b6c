/* model/tables/analysis/calls/python_line.c - see python_line.h. */
#include "model/tables/analysis/calls/python_line.h"
#include "model/base/buf.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/mem.h"
#include "model/tables/analysis/calls/call_tree.h"
#include "model/text/frame_name.h"
#include "model/trace/call_stack.h"

/* Prefixes of packages. Profilers cut paths below sys.path, so packages begin with their name, and Python's own
 * modules have no folder. */
static const char *const packages[] = {"torch/", "torch_npu/", "torchvision/", "paddle/", "mindspore/",
                                       "numpy/", "<",          "?\?"};
static const char *const inside[] = {"site-packages/", "dist-packages/", "/lib/python",
                                     "/torch/",        "/paddle/",       "/mindspore/"};
static const char *const modules[] = {
    "_weakrefset.py", "abc.py",           "asyncio/",  "codecs.py",    "collections/",  "concurrent/", "contextlib.py",
    "copy.py",        "dataclasses.py",   "enum.py",   "functools.py", "importlib/",    "inspect.py",  "json/",
    "logging/",       "multiprocessing/", "os.py",     "pickle.py",    "queue.py",      "random.py",   "re.py",
    "runpy.py",       "selectors.py",     "shutil.py", "socket.py",    "subprocess.py", "tempfile.py", "threading.py",
    "traceback.py",   "types.py",         "typing.py", "warnings.py",  "weakref.py"};

static bool begins_with_one(const char *s, const char *const *one, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (strncmp(s, one[i], strlen(one[i])) == 0) return true;
    }
    return false;
}

bool tt_python_is_user(const char *frame)
{
    char path[512]; /* path of the file, with '/' for the separators of Windows */
    size_t file, n = 0;
    long line;
    if (!tt_frame_place(frame, &file, &line) || tt_frame_is_wrapper(frame)) return false;
    for (; n < file && n + 1 < sizeof path; n++) path[n] = (char)(frame[n] == '\\' ? '/' : frame[n]);
    path[n] = 0;
    if (begins_with_one(path, packages, sizeof packages / sizeof *packages)) return false;
    if (begins_with_one(path, modules, sizeof modules / sizeof *modules)) return false;
    for (size_t i = 0; i < sizeof inside / sizeof *inside; i++) {
        if (strstr(path, inside[i])) return false;
    }
    return true;
}

bool tt_python_line_of_stack(const char *stack, char *out, size_t cap)
{
    while (*stack) {
        char frame[512];
        size_t n = strcspn(stack, ";");
        snprintf(frame, sizeof frame, "%.*s", (int)(n < sizeof frame ? n : sizeof frame - 1), stack);
        if (tt_python_is_user(frame)) {
            snprintf(out, cap, "%s", frame);
            return true;
        }
        stack += n;
        stack += strspn(stack, "; ");
    }
    return false;
}

static bool is_user_row(const tt_trace *s, tt_row r)
{
    return tt_kind_is_python(tt_row_kind(s, r)) && tt_python_is_user(tt_row_name(s, r));
}

static bool has_line(const tt_trace *s, tt_row r)
{
    char line[512];
    tt_sid stack = tt_row_kind(s, r) == TT_KIND_CPU_OP ? tt_call_stack_recorded(s, r) : 0;
    return stack && tt_python_line_of_stack(tt_str(&s->strings, stack), line, sizeof line);
}

/* The row at or above r that has an answer; TT_NONE. Rows that the memo knows are not looked at again. */
static tt_row climb(const tt_trace *s, tt_row r, bool (*tells)(const tt_trace *, tt_row), tt_row **memo)
{
    tt_row *known = memo ? *memo : NULL, at = r, found = TT_NONE;
    if (memo && !known) known = *memo = tt_calloc(s->n + (size_t)1, sizeof *known);
    for (; at != TT_NONE; at = s->parent[at]) {
        if (known && known[at]) {
            found = known[at] == 1 ? TT_NONE : known[at] - 2;
            break;
        }
        if (tells(s, at)) {
            found = at;
            break;
        }
    }
    for (; known && r != TT_NONE && !known[r]; r = s->parent[r]) {
        known[r] = found == TT_NONE ? 1 : found + 2;
        if (r == at) break;
    }
    return found;
}

static tt_row slice_at(const tt_trace *s, tt_line_memo *memo, uint32_t track, int64_t t, uint32_t kinds)
{
    if (track >= s->n_tracks) return TT_NONE;
    if (memo && !memo->last_frame) memo->last_frame = tt_last_frames(s);
    return tt_track_slice_at_with(s, track, t, kinds, memo ? memo->last_frame : NULL);
}

static tt_row python_row(const tt_trace *s, uint32_t track, int64_t t, tt_line_memo *memo)
{
    tt_row r = slice_at(s, memo, track, t, TT_PYTHON_FRAMES);
    return r == TT_NONE ? TT_NONE : climb(s, r, is_user_row, memo ? &memo->python : NULL);
}

void tt_line_memo_free(tt_line_memo *m)
{
    free(m->python);
    free(m->op);
    free(m->last_frame);
    *m = (tt_line_memo){0};
}

bool tt_python_line_on_with(const tt_trace *s, tt_line_memo *memo, uint32_t track, int64_t t, char *out, size_t cap)
{
    *out = '\0';
    tt_row r = python_row(s, track, t, memo);
    if (r != TT_NONE) {
        snprintf(out, cap, "%s", tt_row_name(s, r));
        return true;
    }
    r = tt_track_slice_at(s, track, t, 1u << TT_KIND_CPU_OP);
    if (r != TT_NONE) r = climb(s, r, has_line, memo ? &memo->op : NULL);
    return r != TT_NONE && tt_python_line_of_stack(tt_str(&s->strings, tt_call_stack_recorded(s, r)), out, cap);
}

bool tt_python_line_on(const tt_trace *s, uint32_t track, int64_t t, char *out, size_t cap)
{
    return tt_python_line_on_with(s, NULL, track, t, out, cap);
}

bool tt_python_line_with(const tt_trace *s, tt_line_memo *memo, uint32_t track, int64_t t, char *out, size_t cap)
{
    if (track < s->n_tracks && tt_python_line_on_with(s, memo, track, t, out, cap)) return true;
    return tt_python_line_of_step(s, memo, track, t, out, cap);
}

bool tt_python_line_of_step(const tt_trace *s, tt_line_memo *memo, uint32_t track, int64_t t, char *out, size_t cap)
{
    *out = '\0';
    uint32_t step = tt_step_at(s, t);
    tt_row row = step == TT_NONE ? TT_NONE : s->steps[step].row;
    uint32_t other = row == TT_NONE ? TT_NONE : tt_row_track(s, row);
    return other != TT_NONE && other != track && tt_python_line_on_with(s, memo, other, t, out, cap);
}

bool tt_python_line_at(const tt_trace *s, uint32_t track, int64_t t, char *out, size_t cap)
{
    return tt_python_line_with(s, NULL, track, t, out, cap);
}

bool tt_python_line_of_slice(const tt_trace *s, tt_row r, char *out, size_t cap)
{
    const tt_activity *dev = tt_row_dev(s, r);
    if (dev) r = dev->launch;
    *out = '\0';
    return r != TT_NONE && tt_python_line_at(s, tt_row_track(s, r), s->start[r], out, cap);
}

bool tt_module_path_at(const tt_trace *s, tt_line_memo *memo, uint32_t track, int64_t t, char *out, size_t cap)
{
    enum { MOST = 16 };
    tt_row up[MOST];
    int n = 0;
    tt_buf line = tt_buf_on(out, cap);
    tt_row r = slice_at(s, memo, track, t, TT_TREE_MODULES);
    for (; r != TT_NONE && n < MOST; r = tt_row_ancestor(s, r, TT_TREE_MODULES)) up[n++] = r;
    for (int i = n; i-- > 0;) {
        char one[128];
        tt_module_class(one, sizeof one, tt_row_name(s, up[i]));
        tt_buf_list(&line, " > ", "%s", one);
    }
    return n > 0;
}
