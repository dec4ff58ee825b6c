/* tui/app/prompt/completion.c - completion by Tab in the command line: commands, actions, and their values. */
#include <stdio.h>
#include <string.h>

#include "model/base/buf.h"
#include "model/base/mem.h"
#include "model/tables/registry/registry.h"
#include "tui/app/app_api.h"
#include "tui/app/prompt/command_line.h"
#include "tui/app/prompt/completion.h"
#include "tui/app/prompt/prompt.h"
#include "tui/app/prompt/settings.h"
#include "tui/app/runs/run_page.h"
#include "tui/app/runs/runs.h"
#include "tui/app/session/app_compare.h"

typedef struct word_list {
    const char *word[256];
    int n;
    const char *begin; /* prefix of the candidates */
    size_t len;
} word_list;

static void offer(word_list *l, const char *word)
{
    bool room = l->n < (int)(sizeof l->word / sizeof *l->word);
    if (room && word && strncmp(word, l->begin, l->len) == 0) l->word[l->n++] = word;
}

/* Words between bars, each behind the prefix. */
static void offer_bars(word_list *l, tt_arena *keep, const char *prefix, const char *bars)
{
    while (bars && *bars) {
        size_t n = strcspn(bars, "|");
        offer(l, tt_arena_printf(keep, "%s%.*s", prefix, (int)n, bars));
        bars += n + (bars[n] == '|');
    }
}

static const tt_table *shown_table(const tt_app *a)
{
    return tt_focus_table(tt_screen_focus(&a->tabs.screens[a->tabs.at]));
}

/* What lies in the folder that is being typed. */
static void offer_paths(word_list *l, tt_arena *keep)
{
    char folder[TT_SOURCE_CAP], typed[TT_SOURCE_CAP];
    size_t n = 0;
    snprintf(typed, sizeof typed, "%.*s", (int)l->len, l->begin);
    for (size_t i = 0; typed[i]; i++)
        if (typed[i] == '/') n = i + 1;
    snprintf(folder, sizeof folder, "%.*s", (int)n, typed);
    tt_run_list runs = tt_runs_in(folder, false);
    for (size_t i = 0; i < runs.n; i++) offer(l, tt_arena_printf(keep, "%s%s", folder, runs.at[i].name));
    tt_runs_free(&runs);
}

/* The runs of the folder by the names that `:run` takes: those that are found before the next key. */
static void offer_names(const tt_app *a, word_list *l, tt_arena *keep)
{
    static const tt_search_limits at_once = {.depth = 4, .entries = 2000, .folders = 200, .ms = 8};
    char root[TT_RUN_PATH_CAP];
    tt_run_page_root(a, root, sizeof root);
    tt_search s = tt_search_runs(*root ? root : ".", &at_once, NULL);
    for (size_t i = 0; i < s.runs.n; i++) offer(l, tt_arena_printf(keep, "%s", s.runs.at[i].name));
    tt_search_free(&s);
}

/* Words of `:diff` besides. */
static void offer_runs(word_list *l, tt_arena *keep)
{
    offer_paths(l, keep);
    offer_bars(l, keep, "", "off|swap|per=step|per=run|match=exact|match=short|skip=|confidence=|min-effect=");
}

static void offer_values(const tt_app *a, word_list *l, tt_arena *keep, const char *values)
{
    const tt_table *t = shown_table(a);
    if (strcmp(values, "<tab>") == 0) {
        for (int i = 0; i < a->tabs.n; i++)
            if (!a->tabs.screens[i].hidden) offer(l, a->tabs.screens[i].ops->tab.name);
    } else if (strcmp(values, "<table>") == 0) {
        tt_table_list tables = tt_session_tables(a->host.session);
        for (uint32_t i = 0; i < tables.n; i++) offer(l, tables.at[i]->id);
    } else if (strcmp(values, "<worker>") == 0 && a->host.session) {
        for (uint32_t i = 0; i < a->host.session->n_workers; i++) offer(l, a->host.session->workers[i]);
        offer(l, "all");
    } else if (strcmp(values, "<span>") == 0 && a->host.session) {
        for (uint32_t i = 0; i < a->host.session->n_spans; i++) offer(l, a->host.session->spans[i]);
        offer(l, "all");
    } else if (strcmp(values, "<column>") == 0 && t) {
        for (uint32_t i = 0; i < t->n_cols; i++) offer(l, t->cols[i]->key);
    } else if (strcmp(values, "<group>") == 0 && t) {
        for (int i = 0; t->desc->groups && t->desc->groups[i]; i++) offer(l, t->desc->groups[i]);
    } else if (strcmp(values, "<setting>") == 0) {
        for (const tt_setting *s = tt_settings; s->name; s++) {
            char prefix[40];
            snprintf(prefix, sizeof prefix, "%s=", s->name);
            if (strncmp(l->begin, prefix, strlen(prefix)) == 0) {
                offer_bars(l, keep, prefix, s->values);
            } else {
                offer(l, tt_arena_printf(keep, "%s", prefix));
            }
        }
    } else if (strcmp(values, "<run>") == 0) {
        offer_runs(l, keep);
    } else if (strcmp(values, "<path>") == 0) {
        offer_names(a, l, keep);
        if (!l->n) offer_paths(l, keep);
    } else if (values[0] != '<') {
        offer_bars(l, keep, "", values);
    }
}

static const tt_line_command *command_of(const char *typed)
{
    size_t n = strcspn(typed, " ");
    return typed[n] ? tt_line_command_find(typed, n) : NULL;
}

/* Where the word that is being typed begins: behind the command and, in lists, behind the last comma. */
static size_t word_start(const char *typed, const tt_line_command *cmd)
{
    size_t n = strcspn(typed, " ");
    while (typed[n] == ' ') n++;
    const char *comma = strrchr(typed + n, ',');
    if (comma && cmd && strcmp(cmd->name, "columns") == 0) return (size_t)(comma + 1 - typed);
    if (cmd && strcmp(cmd->name, "diff") == 0 && tt_app_compare_key(typed + n)) { /* one of several words */
        const char *blank = strrchr(typed + n, ' ');
        return blank ? (size_t)(blank + 1 - typed) : n;
    }
    return n;
}

/* Every word that may stand where the person types. */
static void words(const tt_app *a, const char *typed, word_list *l, tt_arena *keep)
{
    const tt_line_command *cmd = command_of(typed);
    l->n = 0;
    l->begin = strchr(typed, ' ') ? typed + word_start(typed, cmd) : typed;
    l->len = strlen(l->begin);
    if (strchr(typed, ' ')) {
        if (cmd && cmd->values) offer_values(a, l, keep, cmd->values);
        return;
    }
    for (const tt_line_command *c = tt_line_commands; c->name; c++) offer(l, c->name);
    tt_context own = tt_app_context(a);
    for (int i = 0; i < TT_ACT_COUNT_ - 1; i++) {
        const tt_action_info *info = &tt_actions[i];
        bool known = tt_line_command_find(info->name, strlen(info->name)) != NULL;
        if (!known && tt_action_level(info, own) >= 0) offer(l, info->name);
    }
}

void tt_app_candidates(tt_app *a)
{
    word_list l;
    tt_arena keep = {0};
    words(a, a->prompt.text, &l, &keep);
    tt_buf line = tt_buf_of(a->candidates);
    const tt_line_command *cmd = command_of(a->prompt.text);
    for (int i = 0; i < l.n && line.n < line.cap - 1; i++) {
        tt_action act = cmd ? TT_ACT_NONE : tt_action_find(l.word[i]);
        char name[32] = "";
        if (act != TT_ACT_NONE) tt_app_key_of(a, &tt_actions[act - 1], name, sizeof name);
        tt_buf_list(&line, "  ", *name ? "%s(%s)" : "%s%s", l.word[i], name);
    }
    if (cmd) tt_buf_list(&line, "     ", "%s %s: %s", cmd->name, cmd->args, cmd->help);
    tt_arena_free(&keep);
}

void tt_app_complete(tt_app *a)
{
    word_list l;
    tt_arena keep = {0};
    char line[TT_PROMPT_CAP];
    const char *typed = a->prompt.text;
    words(a, typed, &l, &keep);
    if (l.n > 0) {
        size_t common = strlen(l.word[0]);
        for (int i = 1; i < l.n; i++) {
            size_t same = 0;
            while (same < common && l.word[i][same] == l.word[0][same]) same++;
            common = same;
        }
        int head = (int)(l.begin - typed);
        snprintf(line, sizeof line, "%.*s%.*s%s", head, typed, (int)common, l.word[0], l.n == 1 && !head ? " " : "");
        tt_prompt_set(&a->prompt, line);
        tt_app_candidates(a);
    }
    tt_arena_free(&keep);
}
