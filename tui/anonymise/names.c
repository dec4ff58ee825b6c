/* tui/anonymise/names.c - see names.h. */
#include "tui/anonymise/names.h"

#include <stdlib.h>
#include <string.h>

/* Each list is one text: an array of pointers would be relocated at every start, and take four times the room. */
#define LIST(name, texts) static const char list_##name[] = texts;
#include "tui/anonymise/name_words.def"
#include "tui/anonymise/words.def"
#undef LIST

static const char list_ATEN[] =
#include "tui/anonymise/aten.def"
    ;
static const char list_OPERATORS[] =
#include "tui/anonymise/operators.def"
    ;
static const char list_NODES[] =
#include "tui/anonymise/nodes.def"
    ;
static const char list_CALLS[] =
#include "tui/anonymise/calls.def"
    ;
static const char list_KERNELS[] =
#include "tui/anonymise/kernels.def"
    ;
static const char list_TORCH_FILES[] =
#include "tui/anonymise/torch_files.def"
    ;
static const char list_TORCH_FUNCTIONS[] =
#include "tui/anonymise/torch_functions.def"
    ;
static const char list_PYTHON_FILES[] =
#include "tui/anonymise/python_files.def"
    ;
static const char list_PYTHON_FUNCTIONS[] =
#include "tui/anonymise/python_functions.def"
    ;

static const struct {
    const char *at;
    size_t bytes;
} lists[TT_NAMES_COUNT_] = {
#define LIST(name, word, about) [TT_NAMES_##name] = {list_##name, sizeof list_##name - 1},
#include "tui/anonymise/lists.def"
#undef LIST
};

enum { NUMBERED_MOST = 256, DIGITS_MOST = 20 };

bool tt_names_have(tt_names list, const char *text, size_t n)
{
    const char *all = lists[list].at;
    size_t from = 0, to = lists[list].bytes; /* where names begin */
    while (from < to) {
        size_t at = from + (to - from) / 2;
        while (at > from && all[at - 1] != '|') at--;
        size_t length = strcspn(all + at, "|"), shorter = n < length ? n : length;
        int order = memcmp(text, all + at, shorter);
        if (!order && n == length) return true;
        if (order > 0 || (!order && n > length))
            from = at + length + 1;
        else
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

const char *tt_names_next(tt_names list, const char *at, size_t *n)
{
    const char *next = at ? at + *n + 1 : lists[list].at;
    if (!*next) return NULL;
    *n = strcspn(next, "|");
    return next;
}
