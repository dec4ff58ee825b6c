/* parser/recording/segments.c - see segments.h. */
#include "parser/recording/segments.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "parser/chrome/parts_text.h"

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

static tt_status open_one(tt_segments *s, uint32_t i, tt_err *err)
{
    tt_segment *one = &s->at[i];
    one->limit = UINT64_MAX;
    tt_status st = tt_input_open_part(s->in, i, &one->source, err);
    if (st == TT_OK && s->n > 1 && !tt_source_random(one->source, &one->limit)) one->limit = UINT64_MAX;
    if (st == TT_OK) return st;
    one->source = NULL;
    one->limit = 0;
    /* deleted meanwhile, or made a moment ago: the ring goes on, or the process was killed just then */
    struct stat file;
    bool there = !stat(tt_input_part_path(s->in, i), &file), none = there ? !file.st_size : errno == ENOENT;
    if (s->n == 1 || !none) return st;
    s->begun |= there && i + 1 == s->n;
    return TT_OK;
}

tt_status tt_segments_open(tt_segments *s, tt_input *in, tt_err *err)
{
    bool any = false;
    *s = (tt_segments){.in = in, .n = tt_input_parts(in)};
    s->at = tt_calloc(s->n, sizeof *s->at);
    allow_files(s->n);
    tt_err first = {.offset = -1};
    for (uint32_t i = s->n; i-- > 0;) {
        TT_TRY(open_one(s, i, err));
        any |= s->at[i].source != NULL;
        if (!s->at[i].source && first.code == TT_OK) first = *err;
    }
    if (!any) {
        *err = first;
        return TT_ERR_INPUT;
    }
    s->left = s->at[0].limit;
    return TT_OK;
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
        if (s->at[i].source) tt_read_note_at(s->at[i].source, s->at[i].base, problems);
    }
}

tt_text_source *tt_segments_text(tt_segments *s)
{
    tt_parts_text *all = tt_parts_text_new();
    for (uint32_t i = 0; i < s->n; i++) {
        if (s->at[i].source && (i < s->next || (i == s->next && s->done > s->at[i].base)))
            tt_parts_text_add(all, s->at[i].base, tt_input_text(s->in, s->at[i].source));
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
