/* tui/timeline/model/filter.c - a filter turns the words of a person into a test for (kind, name) and builds an index
 * of the slices that pass.
 *
 * A name is tested once for each kind that it occurs with, however many slices have it. */
#include "tui/timeline/model/filter.h"

#include <stdlib.h>
#include <string.h>

#include "model/text/regex.h"
#include "tui/timeline/model/index.h"
#include "tui/widgets/theme.h"

enum { WORDS = 16 };

struct tt_timeline_filter {
    const tt_session *session;
    const tt_timeline *t; /* the timeline of the indices; NULL = no index yet */
    char *text;
    char *words; /* `text`, with a NUL behind each word */
    const char *name_words[WORDS];
    uint32_t n_name_words;
    uint32_t hues; /* a bit for each category that passes */
    bool is_regex;
    regex_t regex;
    uint64_t count;
    tt_lod_filter *filters; /* per trace */
    tt_timeline_index index[TT_VIEW_COUNT_];
};

/* Let categories pass whose name begins with the word: categories by colour, else those of the file. */
static bool pass_categories(tt_timeline_filter *f, const char *word)
{
    size_t n = strlen(word);
    bool found = false;
    for (tt_hue h = 0; h < TT_HUE_COUNT_; h++) {
        if (strncasecmp(tt_hue_name(h), word, n) == 0) {
            f->hues |= 1u << h;
            found = true;
        }
    }
    for (uint32_t i = 0; i < f->session->n_traces && !(found && f->hues); i++) {
        const tt_trace *s = f->session->traces[i];
        for (uint32_t c = 0; c < s->n_cats; c++) {
            if (strncasecmp(tt_str(&s->strings, s->cats[c].name), word, n) == 0) {
                f->filters[i].cats[c] = 1;
                found = true;
            }
        }
    }
    return found;
}

static void parse_words(tt_timeline_filter *f)
{
    for (char *p = f->words, *next; p; p = next) {
        next = strchr(p, ',');
        if (next) {
            *next++ = '\0';
        }
        p += strspn(p, " ");
        for (size_t n = strlen(p); n > 0 && p[n - 1] == ' '; n--) {
            p[n - 1] = '\0';
        }
        if (*p && !pass_categories(f, p) && f->n_name_words < WORDS) {
            f->name_words[f->n_name_words++] = p;
        }
    }
}

tt_timeline_filter *tt_timeline_filter_new(const tt_session *session, const char *text, const char **why)
{
    tt_timeline_filter *f = tt_calloc(1, sizeof *f);
    *why = NULL;
    f->session = session;
    f->text = tt_strdup(text);
    f->words = tt_strdup(text);
    f->filters = tt_calloc(session->n_traces + (size_t)1, sizeof *f->filters);
    if (text[0] != '~') {
        parse_words(f);
    } else if (tt_regex_compile(&f->regex, text + 1, NULL) == TT_OK) {
        f->is_regex = true;
    } else {
        *why = tt_regex_refused(text + 1);
        if (!*why) *why = "bad regular expression";
        tt_timeline_filter_free(f);
        return NULL;
    }
    return f;
}

static bool name_passes(const tt_timeline_filter *f, tt_kind kind, const char *name)
{
    if (f->is_regex) {
        return regexec(&f->regex, name, 0, NULL, 0) == 0;
    }
    bool pass = f->hues >> tt_hue_slice(kind, name) & 1;
    for (uint32_t i = 0; i < f->n_name_words && !pass; i++) {
        pass = strcasestr(name, f->name_words[i]) != NULL;
    }
    return pass;
}

/* Test the names of a trace and count the slices that pass. */
static void find_slices(tt_timeline_filter *f, const tt_trace *s, tt_lod_filter *out, const atomic_bool *stop)
{
    enum { STOP_EVERY = 1 << 16 };
    uint32_t *seen = tt_calloc(s->strings.text.n + (size_t)1, sizeof *seen);
    out->names = tt_calloc(s->strings.text.n + (size_t)1, sizeof *out->names);
    for (tt_row r = 0; r < s->n && (r % STOP_EVERY || !atomic_load(stop)); r++) {
        tt_kind kind = tt_row_kind(s, r);
        tt_sid name = s->name[r];
        if (!(seen[name] >> kind & 1)) {
            seen[name] |= 1u << kind;
            out->names[name] |= (uint32_t)name_passes(f, kind, tt_str(&s->strings, name)) << kind;
        }
        f->count += tt_lod_passes(out, s, r);
    }
    free(seen);
}

const tt_lod_filter *tt_timeline_filter_of(tt_timeline_filter *f, uint32_t trace, const atomic_bool *stop)
{
    tt_lod_filter *of = &f->filters[trace];
    if (!of->names) {
        find_slices(f, f->session->traces[trace], of, stop);
    }
    return of;
}

const tt_timeline_index *tt_timeline_filter_index(tt_timeline_filter *f, tt_timeline_view view)
{
    if (!f->index[view].lods) tt_timeline_index_open(f->t, view, f->filters, &f->index[view]);
    return &f->index[view];
}

void tt_timeline_filter_build(const tt_timeline *t, tt_timeline_view view, tt_timeline_filter *f,
                              const atomic_bool *stop)
{
    for (uint32_t i = 0; i < f->session->n_traces; i++) {
        tt_timeline_filter_of(f, i, stop);
    }
    f->t = t;
    tt_timeline_filter_index(f, view);
    tt_timeline_index_build(t, &f->index[view], stop);
}

void tt_timeline_filter_free(tt_timeline_filter *f)
{
    if (!f) {
        return;
    }
    for (int v = 0; v < TT_VIEW_COUNT_; v++) {
        if (f->index[v].lods) tt_timeline_index_close(f->t, &f->index[v]);
    }
    for (uint32_t i = 0; i < f->session->n_traces; i++) {
        free(f->filters[i].names);
    }
    if (f->is_regex) {
        regfree(&f->regex);
    }
    free(f->filters);
    free(f->words);
    free(f->text);
    free(f);
}

const char *tt_timeline_filter_text(const tt_timeline *t) { return t->filter ? t->filter->text : ""; }

uint64_t tt_timeline_filter_count(const tt_timeline *t) { return t->filter ? t->filter->count : 0; }

bool tt_timeline_passes(const tt_timeline *t, tt_slice_ref r)
{
    return !t->filter || tt_lod_passes(&t->filter->filters[r.trace], tt_timeline_trace(t, r), r.row);
}
