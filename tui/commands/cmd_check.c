/* tui/commands/cmd_check.c - `tracetty check`: every kind of problem with its count, offset, an example and its
 * meaning. */
#include <inttypes.h>
#include <string.h>

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
    tt_session_free(s);
    int status = tt_finish_output();
    return status ? status : matter;
}
