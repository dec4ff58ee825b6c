/* tui/app/dump/app_digest.c - `:markdown`: the run as a Markdown summary, to the clipboard or to a file. Computed by
 * the worker, since the tables that it is made of may not be there yet. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/mem.h"
#include "tui/app/app_api.h"
#include "tui/app/dump/app_digest.h"
#include "tui/app/dump/digest.h"
#include "tui/app/question.h"
#include "tui/files/outfile.h"

typedef struct digest_job {
    tt_session *session;
    tt_scope scope;
    char source[TT_SOURCE_CAP], path[TT_SOURCE_CAP]; /* path "": the clipboard */
    unsigned how;                                    /* how to open the file: flags of tui/files/outfile.h */
    char *text; /* the output, from open_memstream(); NULL = the part was not run */
    size_t n;
} digest_job;

static void run(void *arg)
{
    digest_job *j = arg;
    FILE *f = open_memstream(&j->text, &j->n);
    if (!f) return;
    tt_out_digest(f, j->session, &j->scope, j->source);
    fclose(f);
}

static void write_file(tt_app *a, const digest_job *j)
{
    tt_err err;
    tt_outfile *o = tt_outfile_open(j->path, j->how, &j->session->inputs, &err);
    if (o) tt_outfile_write(o, j->text, j->n);
    if (o && tt_outfile_close(o, true, &err) == TT_OK)
        tt_app_set_status(a, "Markdown summary written to %s", j->path);
    else
        tt_app_set_status(a, "%.400s", err.message);
}

static void done(void *arg, tt_host *h)
{
    tt_app *a = tt_app_of(h);
    digest_job *j = arg;
    if (j->text && *j->path) write_file(a, j);
    if (j->text && !*j->path) tt_app_copy(a, j->text);
    free(j->text);
    free(j);
}

bool tt_app_markdown(tt_app *a, const char *arg)
{
    unsigned how = 0;
    static const char *const endings[] = {".md", NULL};
    if (*arg && (tt_host_ending(&a->host, arg, endings) < 0 || !tt_app_may_write(a, "markdown", arg, &how)))
        return true;
    digest_job *j = tt_calloc(1, sizeof *j);
    *j = (digest_job){.session = a->host.session, .scope = a->host.scope, .how = how};
    snprintf(j->source, sizeof j->source, "%s", a->source);
    snprintf(j->path, sizeof j->path, "%s", arg);
    tt_app_set_status(a, "writing the Markdown summary ...");
    tt_app_job(a, run, done, j);
    return true;
}
