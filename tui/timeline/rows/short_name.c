/* tui/timeline/rows/short_name.c - see short_name.h. */
#include "tui/timeline/rows/short_name.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/tables/analysis/names/short_name.h"
#include "model/text/demangle.h"

static const char *behind_last(const char *name, const char *mark)
{
    const char *p = NULL;
    for (const char *q = strstr(name, mark); q; q = strstr(q + 1, mark)) {
        p = q;
    }
    return p ? p + strlen(mark) : name;
}

/* The number in the name of a profiler step, "ProfilerStep#6"; NULL = the name is no step. */
static const char *step_number(const char *name)
{
    static const char *const steps[] = {"ProfilerStep#", "ProfileStep#"};
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        size_t n = strlen(steps[i]);
        if (strncmp(name, steps[i], n) == 0 && name[n]) return name + n;
    }
    return NULL;
}

/* The name of a kernel: its function, or for a generic kernel the functor: "elementwise_kernel<..,
 * direct_copy_kernel..>". */
static void kernel_name(char *out, size_t cap, const char *name)
{
    tt_arena arena = {0};
    char *full = tt_demangle_shown(name);
    if (full) name = full;
    const char *brief = tt_short_kernel_name(&arena, name), *inside = strchr(brief, '<');
    snprintf(out, cap, "%s", tt_kernel_function(&arena, name));
    if (inside && inside[1]) {
        snprintf(out, cap, "%.*s", (int)strcspn(inside + 1, ">"), inside + 1);
    } else if (strncmp(out, "Kernel", 6) == 0) {
        snprintf(out, cap, "%s", brief);
    }
    tt_arena_free(&arena);
    free(full);
}

int tt_timeline_short_name(char *out, size_t cap, tt_kind kind, const char *name, int w, bool ascii)
{
    tt_cut cut = TT_CUT_END;
    if (kind == TT_KIND_MODULE && strncmp(name, "nn.Module: ", 11) == 0) {
        name += 11;
    }
    char function[512];
    if (tt_text_width(name, strlen(name)) <= (size_t)w) {
        return tt_text_cut(out, cap, name, w, cut, ascii);
    }
    const char *step = step_number(name);
    if (step) { /* the number tells steps apart */
        bool room = strlen(step) + 5 <= (size_t)w;
        snprintf(function, sizeof function, "%s%s", room ? "step " : "", step);
        name = function;
    } else if (tt_kind_is_device(kind)) {
        kernel_name(function, sizeof function, name);
        name = *function ? function : name;
        cut = w < 12 ? TT_CUT_END : TT_CUT_MIDDLE;
    } else {
        if (tt_kind_is_python(kind)) { /* "torch/nn/modules/conv.py(456): forward": keep the function */
            name = behind_last(name, "): ");
        } else if (strncmp(name, "autograd::engine::evaluate_function: ", 37) == 0) {
            name += 37;
        } else if (strncmp(name, "aten::", 6) == 0) {
            name += 6;
        }
        bool numbered = kind == TT_KIND_MODULE && w >= 8; /* the number tells modules of a class apart */
        cut = numbered || (tt_kind_is_launch(kind) && w >= 12) ? TT_CUT_MIDDLE : TT_CUT_END;
    }
    return tt_text_cut(out, cap, name, w, cut, ascii);
}
