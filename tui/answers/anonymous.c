/* tui/answers/anonymous.c - writes one file for each trace, named by its anonymised worker and span. */
#include "tui/answers/anonymous.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tui/files/outfile.h"
#include "tui/output/export/export_trace.h"

static tt_status make_folder(tt_anonymous *a, tt_err *err)
{
    const char *tmp = getenv("TMPDIR"); /* NOLINT(concurrency-mt-unsafe): nobody sets it */
    if (!tmp || *tmp != '/' || strlen(tmp) > 200) tmp = "/tmp";
    tt_parts_begin();
    a->under = open(tmp, O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (a->under >= 0 && !tt_part_folder(&a->part, a->under)) {
        snprintf(a->folder, sizeof a->folder, "%s/%s", tmp, a->part.name);
        return TT_OK;
    }
    int why = errno;
    return tt_fail(err, TT_ERR_INPUT, -1,
                   "%s: a folder for the anonymous trace cannot be made: %s; set TMPDIR to another one", tmp,
                   strerror(why));
}

/* Name the file of a worker; characters that could lead to another folder are replaced. */
static void make_name(const tt_anonymiser *how, const tt_session *s, uint32_t trace, char *out, size_t cap)
{
    const tt_trace *t = s->traces[trace];
    char worker[200], span[200];
    tt_anonymise_word(how, "worker", t->worker, worker, sizeof worker);
    tt_anonymise_word(how, "span", t->span, span, sizeof span);
    for (char *p = worker; *p; p++)
        if (*p == '/' || *p == '.') *p = '_';
    bool number = *span && !span[strspn(span, "0123456789")];
    if (s->n_spans > 1 && number)
        snprintf(out, cap, "%s.%s.pt.trace.json", worker, span);
    else if (s->n_spans > 1)
        snprintf(out, cap, "%s.%u.pt.trace.json", worker, trace);
    else
        snprintf(out, cap, "%s.pt.trace.json", worker);
}

static tt_status write_trace(const tt_session *s, const tt_scope *scope, uint32_t trace, const tt_anonymiser *how,
                             const char *path, tt_err *err)
{
    tt_exported done;
    tt_outfile *o = tt_outfile_open(path, TT_OUTFILE_JSON | TT_OUTFILE_PRIVATE, NULL, err);
    if (!o) return err->code;
    tt_status st = tt_export_trace(s, scope, trace, how, tt_outfile_write, o, &done, err);
    tt_status end = tt_outfile_close(o, st == TT_OK, err);
    return end != TT_OK ? end : st;
}

static tt_status write_all(const tt_session *s, const tt_scope *scope, const tt_anonymiser *how, tt_anonymous *a,
                           tt_err *err)
{
    char name[480], path[760];
    for (uint32_t i = 0; i < s->n_traces; i++) {
        if (!tt_scope_has_trace(s, scope, i)) continue;
        make_name(how, s, i, name, sizeof name);
        snprintf(path, sizeof path, "%s/%s", a->folder, name);
        for (uint32_t k = 2; !access(path, F_OK); k++) snprintf(path, sizeof path, "%s/%u_%s", a->folder, k, name);
        *tt_vec_push(&a->files) = tt_strdup(path);
        TT_TRY(write_trace(s, scope, i, how, path, err));
    }
    return TT_OK;
}

/* Cut the folder off a path: it may name the user. */
static void cut_folder(char *path)
{
    const char *slash = strrchr(path, '/');
    if (slash) memmove(path, slash + 1, strlen(slash));
}

static void forget_folder(tt_session *s)
{
    cut_folder(s->path);
    for (uint32_t i = 0; i < s->n_traces; i++) cut_folder(s->traces[i]->path);
}

tt_status tt_anonymous_make(const tt_cli *cli, const tt_session *s, const tt_scope *scope, unsigned what,
                            tt_anonymous *out, tt_err *err)
{
    tt_anonymiser how = {tt_hash_key_own(), what & TT_EXPORT_HIDE_SHAPES};
    tt_cli as = *cli;
    tt_load_options load;
    *out = (tt_anonymous){.part.slot = -1, .under = -1};
    TT_TRY(make_folder(out, err));
    TT_TRY(write_all(s, scope, &how, out, err));
    /* these choices were made by the first load */
    as.value[TT_OPT_RUN] = as.value[TT_OPT_WORKER] = as.value[TT_OPT_SPAN] = NULL;
    as.value[TT_OPT_NSYS_EXPORT] = NULL;
    TT_TRY(tt_open_options(&as, &load, err));
    tt_open_spec spec = {.paths = (const char *const *)out->files.at,
                         .n_paths = (uint32_t)out->files.n,
                         .load = &load,
                         .worker_option = "worker",
                         .span_option = "span"};
    TT_TRY(tt_open(&spec, &out->session, err));
    forget_folder(out->session);
    return TT_OK;
}

void tt_anonymous_free(tt_anonymous *a)
{
    tt_session_free(a->session);
    tt_part_folder_remove(&a->part);
    if (a->under >= 0) close(a->under);
    for (size_t i = 0; i < a->files.n; i++) free(a->files.at[i]);
    tt_vec_free(&a->files);
}
