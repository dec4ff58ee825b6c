/* parser/formats.c - see formats.h. */
#include "parser/formats.h"
#include "parser/formats/formats.h"

#include <string.h>
#include <sys/stat.h>

#include "parser/input/ring_paths.h"
#include "parser/source/archive.h"

#define HEAD ((size_t)64 << 10)

/* Read the beginning of the text into head, then rewind the source. */
static tt_status peek(tt_source *source, char *head, size_t *len, tt_err *err)
{
    *len = 0;
    for (size_t got = 1; got && *len < HEAD; *len += got) {
        tt_status st = tt_source_read(source, head + *len, HEAD - *len, &got, err);
        if (st == TT_ERR_CANCELLED && *len + got) break; /* keep the bytes read so far */
        TT_TRY(st);
    }
    return tt_source_rewind(source, err);
}

static tt_status read_trace(tt_input *in, const tt_format *format, const tt_reader_names *names, unsigned threads,
                            tt_reader_progress *progress, const tt_reader_hooks *hooks, tt_trace **out, tt_err *err)
{
    tt_reader_names with = *names;
    if (!format) {
        char head[HEAD];
        size_t len;
        tt_source *source;
        TT_TRY(tt_input_open_part(in, 0, &source, err));
        TT_TRY(peek(source, head, &len, err));
        format = tt_format_recognise(head, len);
    }
    with.format = &format->info;
    with.dialect = tt_format_dialect;
    return format->read(in, &with, threads, progress, hooks, out, err);
}

/* The reading was cancelled. The text ended where the reader stopped, not where the file ends, so neither the reader's
 * error nor its problems about an end or missing parts are about the file. */
static tt_status cancelled(const char *path, tt_trace **out, tt_err *err)
{
    static const tt_problem_kind of_the_end[] = {
        TT_PROBLEM_MALFORMED_EVENT, TT_PROBLEM_TRUNCATED,       TT_PROBLEM_UNCLOSED_LIST,
        TT_PROBLEM_BAD_COMPRESSION, TT_PROBLEM_BAD_ROW,         TT_PROBLEM_BAD_TABLE,
        TT_PROBLEM_MISSING_FILE,    TT_PROBLEM_UNMATCHED_BEGIN, TT_PROBLEM_UNLINKED_DEVICE_WORK,
        TT_PROBLEM_UNCLEAN_END,     TT_PROBLEM_SUMMARY_DAMAGED, TT_PROBLEM_NO_TIMESTAMP};
    tt_trace *t = *out;
    if (t && (t->n_events || t->n_imported)) {
        for (size_t i = 0; i < sizeof of_the_end / sizeof *of_the_end; i++)
            t->problems.of[of_the_end[i]] = (tt_problem){.offset = -1};
        return TT_OK;
    }
    tt_trace_free(t);
    *out = NULL;
    return tt_fail(err, TT_ERR_CANCELLED, -1, "%s: reading was cancelled before an event was read", path);
}

tt_status tt_read_trace(tt_input *in, const tt_format *format, const tt_reader_names *names, unsigned threads,
                        tt_reader_progress *progress, const tt_reader_hooks *hooks, tt_trace **out, tt_err *err)
{
    *out = NULL;
    tt_status st = read_trace(in, format, names, threads, progress, hooks, out, err);
    if (st == TT_ERR_INPUT) tt_discover_say_beside(names->path, err);
    return atomic_load(&progress->cancel) ? cancelled(names->path, out, err) : st;
}

/* Add the segments that a ring has now: it may have gone on since it was found. False: none are there. */
static bool add_segments(tt_input *in, const char *path)
{
    tt_walk_names now = {0};
    tt_ring_paths(path, &now);
    bool any = now.n > 0;
    for (size_t i = 0; i < now.n; i++) tt_input_add(in, TT_INPUT_FILE, now.at[i], NULL, NULL);
    tt_walk_names_free(&now);
    return any;
}

tt_input *tt_found_input(const tt_found_list *list, const tt_found *f, const _Atomic bool *stop)
{
    tt_input *in = tt_input_new(f->path, stop);
    struct tt_archive *archive = f->archive ? list->archives.at[f->archive - 1].archive : NULL;
    if (f->ring && !archive && add_segments(in, f->path)) return in;
    if (!f->parts.n) tt_input_add(in, TT_INPUT_FILE, f->path, archive, f->member);
    for (size_t i = 0; i < f->parts.n; i++)
        tt_input_add(in, f->parts.at[i].role, f->parts.at[i].path, archive, f->parts.at[i].member);
    return in;
}

/* The format of the file at path, whose first bytes go to head; NULL = the file cannot be read. */
static const tt_format *look(const char *path, char *head, size_t *len)
{
    tt_source *source;
    tt_err err;
    if (tt_source_open(path, &source, &err) != TT_OK) return NULL;
    const tt_format *f = peek(source, head, len, &err) == TT_OK ? tt_format_recognise(head, *len) : NULL;
    tt_source_close(source);
    return f;
}

bool tt_format_span(const char *path, char *out, size_t cap)
{
    char head[HEAD];
    size_t len;
    const tt_format *f = look(path, head, &len);
    return f && f->span && f->span(head, len, out, cap);
}

static bool may_bring(const tt_found *f)
{
    char head[HEAD];
    size_t len;
    struct stat st;
    if (f->format) return f->format->brings_tables;
    if (!f->archive && (stat(f->path, &st) != 0 || !S_ISREG(st.st_mode))) return true;
    const tt_format *format = look(f->path, head, &len);
    return format && format->brings_tables;
}

bool tt_formats_bring_tables(const char *const *paths, uint32_t n)
{
    bool any = false;
    tt_err err;
    for (unsigned i = 0; i < tt_n_formats; i++) any = any || tt_formats[i].brings_tables;
    tt_found_list found = {0};
    if (!any || tt_discover(paths, n, &found, &err) != TT_OK) return false;
    any = false;
    for (size_t i = 0; i < found.n && !any; i++) any = may_bring(&found.at[i]);
    tt_found_free(&found);
    return any;
}
