/* parser/recording/segments.c - see segments.h. */
#include "parser/recording/segments.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "parser/chrome/parts_text.h"
#include "parser/input/ring_paths.h"

/* The segments of many ranks stay open for the texts of their events: more files than programs may have open by
 * default, though the system allows it. */
static void allow_files(uint32_t more)
{
    enum { MANY = 16, MOST = 65536 };
    struct rlimit r;
    if (more < MANY || getrlimit(RLIMIT_NOFILE, &r) || r.rlim_cur >= MOST || r.rlim_cur == r.rlim_max) return;
    r.rlim_cur = r.rlim_max < MOST ? r.rlim_max : MOST;
    setrlimit(RLIMIT_NOFILE, &r);
}

static tt_status open_one(tt_segments *s, uint32_t i, bool *gone, tt_err *err)
{
    tt_segment *one = &s->at[i];
    const char *path = tt_input_part_path(s->in, s->first + i);
    one->limit = UINT64_MAX;
    tt_status st = tt_input_open_part(s->in, s->first + i, &one->source, err);
    if (st == TT_OK && s->n > 1 && !tt_source_random(one->source, &one->limit)) one->limit = UINT64_MAX;
    *gone = false;
    if (st == TT_OK) return st;
    one->source = NULL;
    one->limit = 0;
    /* deleted meanwhile, or made a moment ago: the ring goes on, or the process was killed just then */
    struct stat file;
    bool there = !stat(path, &file), empty = there && !file.st_size && s->n > 1;
    *gone = !there && errno == ENOENT;
    s->begun |= empty && i + 1 == s->n;
    return *gone || empty ? TT_OK : st;
}

/* Open the parts from s->first on, and of several only those with the last `newest` bytes. *gone: all were deleted. */
static tt_status open_parts(tt_segments *s, uint64_t newest, bool *gone, tt_err *err)
{
    uint64_t bytes = 0;
    s->n = tt_input_parts(s->in) - s->first;
    s->at = tt_realloc(s->at, s->n, sizeof *s->at);
    memset(s->at, 0, s->n * sizeof *s->at);
    allow_files(s->n);
    *gone = true;
    for (uint32_t i = s->n; i-- > 0 && bytes < newest;) {
        bool one_gone;
        TT_TRY(open_one(s, i, &one_gone, err));
        *gone &= one_gone;
        if (s->at[i].limit != UINT64_MAX) bytes += s->at[i].limit;
    }
    s->left = s->n ? s->at[0].limit : 0;
    return TT_OK;
}

tt_status tt_segments_open(tt_segments *s, tt_input *in, const char *path, uint64_t newest, tt_err *err)
{
    enum { TRIES = 20 };
    bool gone;
    *s = (tt_segments){.in = in};
    TT_TRY(open_parts(s, newest, &gone, err));
    for (int i = 0; gone && i < TRIES; i++) {
        tt_walk_names now = {0};
        tt_ring_paths(path, &now);
        s->first = tt_input_parts(in);
        for (size_t k = 0; k < now.n; k++) tt_input_add(in, TT_INPUT_FILE, now.at[k], NULL, NULL);
        tt_walk_names_free(&now); /* none: all names that were read are gone again */
        if (s->first < tt_input_parts(in)) TT_TRY(open_parts(s, newest, &gone, err));
    }
    return gone ? TT_ERR_INPUT : TT_OK;
}

/* Index of the first file that was not deleted; s->n: none. */
static uint32_t first_file(const tt_segments *s)
{
    uint32_t i = 0;
    while (i < s->n && !s->at[i].source) i++;
    return i;
}

const char *tt_segments_first(const tt_segments *s, uint64_t *size, uint64_t *behind)
{
    uint32_t first = first_file(s);
    *behind = 0;
    if (first == s->n || !tt_source_random(s->at[first].source, size)) return NULL;
    for (uint32_t i = first + 1; i < s->n; i++)
        if (s->at[i].limit != UINT64_MAX) *behind += s->at[i].limit;
    return tt_input_part_path(s->in, s->first + first);
}

void tt_segments_skip(tt_segments *s, uint64_t offset)
{
    s->next = first_file(s);
    s->done = offset;
    s->left = s->at[s->next].limit;
    if (s->left != UINT64_MAX) s->left -= offset < s->left ? offset : s->left;
    tt_source_seek(s->at[s->next].source, offset);
}

tt_status tt_segments_read(tt_segments *s, char *out, size_t cap, size_t *got, tt_err *err)
{
    *got = 0;
    while (*got < cap && s->next < s->n) {
        tt_source *source = s->at[s->next].source;
        size_t want = cap - *got < s->left ? cap - *got : (size_t)s->left, k = 0;
        tt_status st = source && want ? tt_source_read(source, out + *got, want, &k, err) : TT_OK;
        *got += k;
        s->done += k;
        s->left -= k;
        if (st != TT_OK) return st;
        if (k) continue;
        if (++s->next == s->n) break;
        s->at[s->next].base = s->done;
        s->left = s->at[s->next].limit;
    }
    return TT_OK;
}

void tt_segments_note(const tt_segments *s, tt_problems *problems)
{
    for (uint32_t i = 0; i < s->n; i++) {
        bool grows = i + 1 == s->n && s->at[i].limit != UINT64_MAX; /* and is read up to where it was */
        if (s->at[i].source && !grows) tt_read_note_at(s->at[i].source, s->at[i].base, problems);
    }
}

tt_text_source *tt_segments_text(tt_segments *s)
{
    tt_parts_text *all = tt_parts_text_new();
    for (uint32_t i = 0; i < s->n; i++) {
        const tt_segment *x = &s->at[i];
        bool was_read = i < s->next || (i == s->next && s->done > x->base);
        if (x->source && was_read) tt_parts_text_add(all, x->base, tt_input_text(s->in, x->source));
    }
    tt_text_source *text = tt_parts_text_take(all);
    tt_parts_text_free(all);
    return text;
}

void tt_segments_free(tt_segments *s)
{
    free(s->at);
    s->at = NULL;
}
