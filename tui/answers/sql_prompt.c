/* tui/answers/sql_prompt.c - the prompt of `tracetty sql`: a line editor with history and completion if libedit is
 * found at run time, else plain lines. Ctrl-C ends the running query. */
#include <dlfcn.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "model/tables/registry/registry.h"
#include "tui/answers/sql_answers.h"
#include "tui/files/state_file.h"

static const char history_file[] = "sql_history";
enum { HISTORY_MOST = 200, LINE_MOST = 4096 };

/* The functions of libedit, which readline has, too. */
typedef char *generator(const char *text, int state);
typedef struct editor {
    void *lib; /* NULL: plain lines */
    char *(*readline)(const char *prompt);
    int (*add_history)(const char *line);
    char **(*completion_matches)(const char *text, generator *next);
    char **(**attempted)(const char *text, int from, int to);
    const char **breaks;
} editor;

typedef struct words { /* words that Tab completes */
    TT_VEC(char *) at;
    size_t next;
    const editor *editor;
} words;

static words offered;            /* global: libedit's callbacks have no argument to carry it */
static _Atomic bool interrupted; /* set by the handler of SIGINT */

static void on_interrupt(int sig)
{
    (void)sig;
    atomic_store(&interrupted, true);
}

/* ---- completion ---- */

static char *next_word(const char *text, int state)
{
    size_t n = strlen(text);
    if (!state) offered.next = 0;
    while (offered.next < offered.at.n) {
        const char *word = offered.at.at[offered.next++];
        if (!strncasecmp(word, text, n)) return strdup(word); /* libedit frees it */
    }
    return NULL;
}

static char **complete(const char *text, int from, int to)
{
    (void)from;
    (void)to;
    return offered.editor->completion_matches(text, next_word);
}

static void offer(const char *word)
{
    for (size_t i = 0; i < offered.at.n; i++) {
        if (!strcmp(offered.at.at[i], word)) return;
    }
    *tt_vec_push(&offered.at) = tt_strdup(word);
}

static void offer_column(const tt_table *t, const char *key)
{
    int col = t ? tt_table_column(t, key) : -1;
    for (uint32_t r = 0; col >= 0 && r < t->n_rows; r++) offer(tt_table_cell(t, r, (uint32_t)col).s);
}

static void offer_words(tt_sql_answers *a)
{
    static const char *const sql[] = {"SELECT", "FROM",     "WHERE",          "GROUP BY", "ORDER BY",
                                      "LIMIT",  "JOIN",     "WITH RECURSIVE", "count(*)", "sum(",
                                      "arg(",   "overlap(", "covered(",       "median(",  "percentile("};
    tt_table *t = tt_sql_tables(a->sql), *columns = NULL;
    for (size_t i = 0; i < sizeof sql / sizeof *sql; i++) offer(sql[i]);
    for (const tt_sql_command *c = tt_sql_commands; c->name; c++) offer(c->name);
    offer_column(t, "name");
    if (tt_sql_schema(a->sql, "", &columns, NULL) == TT_OK) offer_column(columns, "column");
    tt_table_list all = tt_session_tables(a->print.session);
    for (uint32_t i = 0; i < all.n; i++) {
        for (uint32_t c = 0; c < all.at[i]->n_cols; c++) offer(all.at[i]->cols[c].key);
    }
    tt_table_free(t);
    tt_table_free(columns);
}

/* ---- the editor ---- */

static bool find_symbols(editor *e)
{
    const struct {
        const char *name;
        void *to;
    } symbols[] = {{"readline", &e->readline},
                   {"add_history", &e->add_history},
                   {"rl_completion_matches", &e->completion_matches},
                   {"rl_attempted_completion_function", &e->attempted},
                   {"rl_completer_word_break_characters", &e->breaks}};
    for (size_t i = 0; i < sizeof symbols / sizeof *symbols; i++) {
        void *at = dlsym(e->lib, symbols[i].name);
        if (!at) return false;
        memcpy(symbols[i].to, &at, sizeof at); /* ISO C has no cast from a data pointer to a function pointer */
    }
    return true;
}

static void open_editor(editor *e, tt_sql_answers *a)
{
    static const char *const names[] = {"libedit.so.2", "libedit.so.0", "libedit.so"};
    char line[LINE_MOST];
    for (size_t i = 0; i < sizeof names / sizeof *names && !e->lib; i++)
        e->lib = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
    if (!e->lib) return;
    if (!find_symbols(e)) {
        dlclose(e->lib);
        e->lib = NULL;
        return;
    }
    offered.editor = e;
    offer_words(a);
    *e->attempted = complete;
    *e->breaks = " \t\n\"'`=<>(),;";
    FILE *f = tt_state_read(history_file);
    while (f && fgets(line, sizeof line, f)) {
        line[strcspn(line, "\n")] = '\0';
        if (*line) e->add_history(line);
    }
    if (f) fclose(f);
}

/* Save the newest lines: lines of earlier sessions and lines typed now. */
static void keep_history(char *const *typed, size_t n)
{
    char line[LINE_MOST];
    TT_VEC(char *) all = {0};
    tt_state_file out;
    FILE *f = n ? tt_state_read(history_file) : NULL;
    while (f && fgets(line, sizeof line, f)) {
        line[strcspn(line, "\n")] = '\0';
        *tt_vec_push(&all) = tt_strdup(line);
    }
    if (f) fclose(f);
    for (size_t i = 0; i < n; i++) *tt_vec_push(&all) = tt_strdup(typed[i]);
    if (n && tt_state_begin(&out, history_file)) {
        for (size_t i = all.n > HISTORY_MOST ? all.n - HISTORY_MOST : 0; i < all.n; i++)
            fprintf(out.f, "%s\n", all.at[i]);
        tt_state_end(&out);
    }
    for (size_t i = 0; i < all.n; i++) free(all.at[i]);
    tt_vec_free(&all);
}

/* Read a line without its line end. Caller frees; NULL at the end of input. */
static char *read_line(const editor *e, const char *prompt)
{
    char line[LINE_MOST];
    if (e->lib) return e->readline(prompt);
    fputs(prompt, stdout);
    fflush(stdout);
    if (!fgets(line, sizeof line, stdin)) return NULL;
    line[strcspn(line, "\n")] = '\0';
    return tt_strdup(line);
}

/* ---- */

static void answer(tt_sql_answers *a, const char *text)
{
    tt_err err;
    tt_status st = tt_sql_answer(a, text, &err);
    tt_sql_answers_write(a);
    fflush(stdout);
    if (st != TT_OK) tt_report(&err);
}

static void converse(tt_sql_answers *a, const editor *e)
{
    tt_text text = {0};
    TT_VEC(char *) typed = {0};
    while (!a->quit) {
        char *line = read_line(e, text.n ? "...> " : "sql> ");
        if (!line && atomic_exchange(&interrupted, false)) { /* Ctrl-C while typing: start with an empty line */
            text.n = 0;
            putchar('\n');
            continue;
        }
        if (!line) break;
        if (e->lib && *line) e->add_history(line);
        if (*line && strlen(line) < LINE_MOST - 2) *tt_vec_push(&typed) = tt_strdup(line);
        tt_text_put(&text, line, strlen(line));
        tt_text_put(&text, "\n", 1);
        free(line);
        const char *begin = text.at + strspn(text.at, " \t\n");
        if (*begin && *begin != '.' && !tt_sql_complete(begin)) continue;
        atomic_store(&interrupted, false);
        answer(a, begin);
        text.n = 0;
    }
    keep_history(typed.at, typed.n);
    for (size_t i = 0; i < typed.n; i++) free(typed.at[i]);
    tt_vec_free(&typed);
    tt_vec_free(&text);
}

tt_status tt_sql_prompt(tt_sql_answers *a, tt_err *err)
{
    editor e = {0};
    struct sigaction stop = {.sa_handler = on_interrupt, .sa_flags = SA_RESTART}, before;
    a->limits.stop = &interrupted;
    tt_sql_close(a->sql);
    a->sql = NULL;
    TT_TRY(tt_sql_open(a->print.session, &a->limits, &a->sql, err));
    sigaction(SIGINT, &stop, &before);
    open_editor(&e, a);
    tt_note("SQL over %u %s: .tables, .schema TABLE, .help; Ctrl-D quits", a->print.session->n_traces,
            a->print.session->n_traces == 1 ? "trace" : "traces");
    converse(a, &e);
    sigaction(SIGINT, &before, NULL);
    for (size_t i = 0; i < offered.at.n; i++) free(offered.at.at[i]);
    tt_vec_free(&offered.at);
    return TT_OK;
}
