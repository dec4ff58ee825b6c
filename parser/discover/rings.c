/* parser/discover/rings.c - see rings.h. */
#include "parser/discover/rings.h"

#include <stdlib.h>
#include <string.h>

#include "capture/format/spool_name.h"
#include "parser/discover/file_name.h"
#include "parser/discover/names.h"
#include "parser/input/input.h"

typedef struct segment {
    size_t at;    /* index in the list */
    size_t whole; /* length of the path before ".NNNNNN.ttspool" */
    uint64_t number;
    const char *path;
    size_t archive;
} segment;
typedef TT_VEC(segment) segments;

static bool parse(const char *path, segment *out)
{
    const char *base = tt_names_base(path);
    size_t stem;
    if (!tt_spool_is_segment(base, tt_discover_uncompressed(base), &stem, &out->number)) return false;
    out->path = path;
    out->whole = (size_t)(base - path) + stem;
    return true;
}

static int by_recording(const segment *a, const segment *b)
{
    size_t least = a->whole < b->whole ? a->whole : b->whole;
    int c = (a->archive > b->archive) - (a->archive < b->archive);
    if (!c) c = memcmp(a->path, b->path, least);
    return c ? c : (a->whole > b->whole) - (a->whole < b->whole);
}

static int in_order(const void *pa, const void *pb)
{
    const segment *a = pa, *b = pb;
    int c = by_recording(a, b);
    if (!c) c = (a->number > b->number) - (a->number < b->number);
    return c ? c : (a->at > b->at) - (a->at < b->at);
}

static void add_part(tt_found *to, tt_found *from)
{
    *tt_vec_push(&to->parts) = (tt_found_part){.role = TT_INPUT_FILE, .path = from->path, .member = from->member};
    from->path = NULL;
    from->member = NULL;
}

/* Make the input of the first segment that of the whole recording, and clear the inputs of the others. */
static void join(tt_found_list *l, const segment *s, size_t n)
{
    tt_found *whole = &l->at[s->at];
    char *path = tt_malloc(s->whole + sizeof TT_SPOOL_ENDING);
    memcpy(path, s->path, s->whole);
    memcpy(path + s->whole, TT_SPOOL_ENDING, sizeof TT_SPOOL_ENDING);
    for (size_t i = 0; i < n; i++) {
        add_part(whole, &l->at[s[i].at]);
        if (i) tt_found_clear(&l->at[s[i].at]);
        if (i) l->at[s[i].at] = (tt_found){0};
    }
    whole->path = path;
    whole->ring = true;
    whole->format = tt_names_format(tt_names_base(path));
}

void tt_rings_join(tt_found_list *l, size_t from, size_t least)
{
    segments all = {0};
    for (size_t i = from; i < l->n; i++) {
        segment s = {.at = i, .archive = l->at[i].archive};
        if (!l->at[i].parts.n && parse(l->at[i].path, &s)) *tt_vec_push(&all) = s;
    }
    if (all.n) qsort(all.at, all.n, sizeof *all.at, in_order);
    for (size_t i = 0, next; i < all.n; i = next) {
        for (next = i + 1; next < all.n && !by_recording(&all.at[i], &all.at[next]);) next++;
        if (next - i >= least) join(l, &all.at[i], next - i);
    }
    size_t kept = from;
    for (size_t i = from; i < l->n; i++) {
        if (l->at[i].path) l->at[kept++] = l->at[i];
    }
    l->n = kept;
    tt_vec_free(&all);
}
