/* model/tables/analysis/graphs/graph_words.c - see graph_words.h. */
#include "model/tables/analysis/graphs/graph_words.h"

#include <string.h>

void tt_graph_words_init(tt_graph_words *w)
{
    static const char *const kinds[] = {"\1copy", "\1set", "\1kernel"};
    tt_strings_init(w);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) (void)tt_strings_put(w, kinds[i], strlen(kinds[i]));
}

static bool has(const char *name, const char *word) { return strstr(name, word) != NULL; }

/* The kind of work or of a call by its name; TT_WORD_UNNAMED for a kernel. */
static uint32_t kind_of(const char *name)
{
    if (has(name, "Memcpy") || has(name, "CopyBuffer") || has(name, "copyBuffer")) return TT_WORD_COPY;
    return has(name, "Memset") || has(name, "FillBuffer") || has(name, "fillBuffer") ? TT_WORD_SET : TT_WORD_UNNAMED;
}

uint32_t tt_graph_word_put(tt_graph_words *w, const tt_trace *s, const tt_captured_call *c)
{
    uint32_t kind = kind_of(tt_row_name(s, c->row));
    if (kind == TT_WORD_UNNAMED && c->kernel) kind = kind_of(tt_str(&s->strings, c->kernel));
    if (kind != TT_WORD_UNNAMED || !c->kernel) return kind;
    return tt_strings_put(w, tt_str(&s->strings, c->kernel), s->strings.len.at[c->kernel]);
}

uint32_t tt_graph_word_find(const tt_graph_words *w, const tt_trace *s, tt_sid name, tt_kind kind)
{
    if (kind == TT_KIND_MEMCPY) return TT_WORD_COPY;
    if (kind == TT_KIND_MEMSET) return TT_WORD_SET;
    uint32_t word = kind_of(tt_str(&s->strings, name));
    if (word != TT_WORD_UNNAMED) return word;
    word = tt_strings_find(w, tt_str(&s->strings, name), s->strings.len.at[name]);
    return word == UINT32_MAX ? TT_WORD_OF_REPLAY | name : word;
}
