/* tui/commands/cmd_check.c - `tracetty check`: every kind of problem with its count, offset, an example and its
 * meaning; then whether the recording can be believed, which changes no exit status: the file is as it was written. */
#include <inttypes.h>
#include <string.h>

#include "model/tables/overview/trust.h"
#include "model/text/text_safety.h"
#include "tui/args/open_session.h"

static const char *level_name(tt_problem_level l)
{
    return l == TT_LEVEL_NOTE ? "note" : l == TT_LEVEL_REPAIR ? "repaired" : "lost";
}

static void put_problem(int kind, const tt_problem *p)
{
    char example[sizeof p->example * 8];
    printf("  %s (%s): %s\n", tt_problem_key[kind], level_name(tt_problem_level_of[kind]), tt_problem_meaning[kind]);
    printf("      count    %" PRIu64 "\n", p->count);
    if (p->offset >= 0) printf("      first at byte %" PRId64 "\n", p->offset);
    if (!p->example[0]) return;
    tt_sanitize_term(example, sizeof example, p->example, strlen(p->example));
    printf("      example  %s\n", example);
}

static void put_store(const tt_trace *s)
{
    char path[4096];
    bool any = false;
    tt_sanitize_term(path, sizeof path, s->path, strlen(s->path));
    for (int k = 0; k < TT_PROBLEM_COUNT_; k++) {
        const tt_problem *p = &s->problems.of[k];
        if (!p->count) continue;
        if (!any) printf("%s:\n", path);
        any = true;
        put_problem(k, p);
    }
    if (!any) printf("%s: no problems in %" PRIu64 " events\n", path, s->n_events);
}

static void put_safe(const char *before, const char *text)
{
    char safe[1024];
    tt_sanitize_term(safe, sizeof safe, text, strlen(text));
    printf("%s%s\n", before, safe);
}

/* Each doubt with its numbers, the worst first. */
static void put_trust(const tt_session *s)
{
    tt_trust t = tt_trust_make(s, &tt_scope_all);
    for (size_t i = 0; i < t.checks.n && t.checks.at[i].verdict != TT_TRUST_OK; i++) {
        put_safe("trust: ! ", t.checks.at[i].brief);
        put_safe("      evidence ", t.checks.at[i].evidence);
    }
    if (t.checks.n && !t.doubts) puts("trust: OK");
    tt_trust_free(&t);
}

int tt_cmd_check(const tt_cli *cli)
{
    tt_session *s;
    tt_err err;
    if (tt_open_session(cli, false, &s, &err) != TT_OK) return tt_report(&err);
    bool matter = false;
    for (uint32_t i = 0; i < s->n_traces; i++) {
        put_store(s->traces[i]);
        matter = matter || tt_problems_matter(&s->traces[i]->problems);
    }
    put_trust(s);
    tt_session_free(s);
    int status = tt_finish_output();
    return status ? status : matter;
}
