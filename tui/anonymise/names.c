/* tui/anonymise/names.c - see names.h. */
#include "tui/anonymise/names.h"

#include <stdlib.h>
#include <string.h>

#define LIST(name, ...) static const char *const list_##name[] = {__VA_ARGS__};
#include "tui/anonymise/name_words.def"
#include "tui/anonymise/words.def"
#undef LIST

static const char *const list_ATEN[] = {
#include "tui/anonymise/aten.def"
};
static const char *const list_OPERATORS[] = {
#include "tui/anonymise/operators.def"
};
static const char *const list_NODES[] = {
#include "tui/anonymise/nodes.def"
};
static const char *const list_CALLS[] = {
#include "tui/anonymise/calls.def"
};
static const char *const list_KERNELS[] = {
#include "tui/anonymise/kernels.def"
};
static const char *const list_TORCH_FILES[] = {
#include "tui/anonymise/torch_files.def"
};
static const char *const list_TORCH_FUNCTIONS[] = {
#include "tui/anonymise/torch_functions.def"
};
static const char *const list_PYTHON_FILES[] = {
#include "tui/anonymise/python_files.def"
};
static const char *const list_PYTHON_FUNCTIONS[] = {
#include "tui/anonymise/python_functions.def"
};

static const struct {
    const char *const *at;
    size_t n;
} lists[TT_NAMES_COUNT_] = {
#define LIST(name, word, about) [TT_NAMES_##name] = {list_##name, sizeof list_##name / sizeof *list_##name},
#include "tui/anonymise/lists.def"
#undef LIST
};

enum { NUMBERED_MOST = 256, DIGITS_MOST = 20 };

bool tt_names_have(tt_names list, const char *text, size_t n)
{
    size_t from = 0, to = lists[list].n;
    while (from < to) {
        size_t at = from + (to - from) / 2;
        const char *name = lists[list].at[at];
        int order = strncmp(text, name, n);
        if (!order && !name[n]) return true;
        if (order > 0)
            from = at + 1;
        else /* the text is a beginning of the name, or stands before it */
            to = at;
    }
    return false;
}

bool tt_names_have_numbered(tt_names list, const char *text, size_t n)
{
    static const char digits[] = "0123456789";
    char shape[NUMBERED_MOST];
    size_t out = 0;
    for (size_t i = 0; i < n; out++) {
        if (out == sizeof shape) return false;
        size_t run = strspn(text + i, digits);
        if (run > n - i) run = n - i;
        if (run > DIGITS_MOST) return false;
        shape[out] = run ? '#' : text[i];
        i += run ? run : 1;
    }
    return tt_names_have(list, shape, out);
}

const char *const *tt_names_all(tt_names list, size_t *n)
{
    *n = lists[list].n;
    return lists[list].at;
}
