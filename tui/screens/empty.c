/* tui/screens/empty.c - which screens have nothing to show. */
#include "tui/screens/empty.h"

#include <string.h>

#include "model/tables/analysis/names/name_class.h"

#define KIND(k) (1u << TT_KIND_##k)

/* The session has slices of one of these kinds, or tables that came with a trace, whose content is not in slices. */
static bool has(const tt_session *s, uint32_t kinds)
{
    for (uint32_t i = 0; i < s->n_traces; i++) {
        const tt_trace *t = s->traces[i];
        if (t->n_imported || t->summary) return true;
        for (uint32_t c = 0; c < t->n_cats; c++)
            if (kinds >> t->cats[c].kind & 1) return true;
    }
    return false;
}

bool tt_empty_kernels(const tt_session *s) { return !has(s, KIND(KERNEL)); }

bool tt_empty_api(const tt_session *s) { return !has(s, KIND(RUNTIME) | KIND(DRIVER) | KIND(MEMCPY) | KIND(MEMSET)); }

bool tt_empty_memory(const tt_session *s)
{
    for (uint32_t i = 0; i < s->n_traces; i++)
        if (s->traces[i]->n_memory || s->traces[i]->n_peaks) return false;
    return !has(s, 0);
}

/* Modules come from the trace, from operators, or from ranges of hooks. */
bool tt_empty_modules(const tt_session *s)
{
    if (has(s, KIND(MODULE))) return false;
    for (uint32_t i = 0; i < s->n_traces; i++) {
        const tt_trace *t = s->traces[i];
        for (uint32_t k = 0; k < t->n_op_args; k++)
            if (t->op_args[k].hierarchy) return false;
        for (uint32_t k = 0; k < t->strings.text.n; k++)
            if (!strncmp(tt_str(&t->strings, k), "nn.Module: ", 11)) return false;
    }
    return true;
}

bool tt_empty_distributed(const tt_session *s)
{
    if (s->n_traces > 1 || has(s, KIND(COLLECTIVE) | KIND(COMMUNICATION))) return false;
    for (uint32_t i = 0; i < s->n_traces; i++) {
        const tt_trace *t = s->traces[i];
        const tt_name_classes *names = tt_name_classes_get(s, i);
        if (t->n_colls > 1) return false;
        for (uint32_t k = 0; k < t->strings.text.n; k++)
            if (names->of[k] & (TT_NAME_COMM | TT_NAME_COMM_KERNEL)) return false;
    }
    return true;
}
