/* tests/bench/growth.c - loads traces, computes every table, grouped by every key, and draws every screen; or, with
 * --commands, runs every export, every SQL table and the commands that read whole traces. tests/cli/growth.py counts
 * the instructions.
 *
 * Each trace is handled by a process of its own, forked from one that has done all work once: a counting tool has then
 * translated the code already. Prints "PID PATH" for each. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "model/tables/registry/registry.h"
#include "model/tables/table.h"
#include "parser/load.h"
#include "tui/app/app_api.h"
#include "tui/args/cli.h"

/* Every tab; then the flame view of all slices, of an operator, of its calls and of its callers; then the timeline. */
static const char keys[] = "2 3 4 5 6 7 8 9 : \"tab problems\" Enter 2 b b b G I o o b b x p q 2 Enter s q 4 l l Enter "
                           "w w J K } ] [ f * * o o z C g b m End m i";

static void all_tables(tt_session *s)
{
    for (uint32_t i = 0; i < tt_n_tables; i++) {
        tt_options o = {0};
        do {
            tt_table_free(tt_table_compute(s, tt_tables[i], &tt_scope_all, &o));
            o.group++;
        } while (tt_tables[i]->groups && tt_tables[i]->groups[o.group]);
    }
}

static void all_screens(tt_session *s)
{
    tt_app *a = tt_app_new(false);
    const tt_explore_options o = {.unicode = "always"};
    tt_canvas c = {0};
    if (!tt_app_begin(a, &o)) exit(1);
    tt_canvas_resize(&c, 35, 120);
    tt_app_set_session(a, s);
    tt_app_draw(a, &c);
    if (!tt_app_keys(a, keys, &c)) exit(1);
    tt_canvas_free(&c);
    tt_app_free(a);
}

static int work(const char *path)
{
    const tt_load_options o = {.threads = 1};
    tt_err err = {0};
    tt_session *s = tt_load_finish(tt_load_start(&path, 1, &o), NULL, &err);
    if (!s) {
        fprintf(stderr, "%s: %s\n", path, err.message);
        return 1;
    }
    all_tables(s);
    all_screens(s);
    return 0;
}

#define X(id, name, args, function, loads, help) int function(const tt_cli *cli);
#include "tui/args/commands.def"
#undef X

enum { WORDS_MOST = 10 };

typedef struct command {
    int (*run)(const tt_cli *);
    const char *words[WORDS_MOST]; /* words; IN: the trace, OUT: a file beside it */
} command;

static const command commands[] = {
#ifdef TT_HAVE_SQLITE
    {tt_cmd_export, {"export", "--args", "IN", "-o", "OUT.sqlite"}},
    {tt_cmd_sql, {"sql", "IN", "--format=json", "-e", "SELECT * FROM slices ORDER BY self, start"}},
    {tt_cmd_sql, {"sql", "IN", "-e", "SELECT count(*) FROM slices a JOIN slices b ON b.id = a.parent"}},
    {tt_cmd_sql, {"sql", "IN", "-e", "SELECT count(*) FROM slices a JOIN slices b ON b.id IN (a.launch, a.operator)"}},
#endif
    {tt_cmd_export, {"export", "IN", "-o", "OUT.json"}},
    {tt_cmd_export, {"export", "IN", "--range", "0-1s", "-o", "OUT.json"}},
    {tt_cmd_export, {"export", "IN", "--merge", "-o", "OUT.json"}},
    {tt_cmd_export, {"export", "IN", "--anonymise", "-o", "OUT.json"}},
    {tt_cmd_export, {"export", "IN", "--stacks", "time", "-o", "OUT.folded"}},
    {tt_cmd_repair, {"repair", "IN", "-o", "OUT.json"}},
    {tt_cmd_summarize, {"summarize", "IN", "-o", "OUT.tts"}},
    {tt_cmd_check, {"check", "IN"}},
    {tt_cmd_diff, {"diff", "--table=all", "--format=json", "IN", "IN"}},
    {tt_cmd_summary, {"summary", "--table=all", "--format=markdown", "IN"}},
};

static void run_command(const command *c, const char *path)
{
    tt_arena a = {0};
    char *argv[WORDS_MOST + 2], threads[] = "--threads=1", program[] = "tracetty";
    int n = 0;
    tt_cli cli;
    tt_err err = {0};
    argv[n++] = program;
    for (int i = 0; i < WORDS_MOST && c->words[i]; i++) {
        const char *w = c->words[i];
        if (!strcmp(w, "IN"))
            w = path;
        else if (!strncmp(w, "OUT.", 4))
            w = tt_arena_printf(&a, "%s.out.%s", path, w + 4);
        argv[n++] = tt_arena_strndup(&a, w, strlen(w));
        if (i == 0 && c->run != tt_cmd_repair) argv[n++] = threads;
    }
    if (tt_cli_parse(n, argv, &cli, &err) != TT_OK) {
        fprintf(stderr, "%s: %s\n", argv[1], err.message);
        exit(1);
    }
    c->run(&cli); /* a failure to write is reported, and counts as no work */
    tt_cli_free(&cli);
    tt_arena_free(&a);
}

static int run_commands(const char *path)
{
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) run_command(&commands[i], path);
    return 0;
}

int main(int argc, char **argv)
{
    bool all = argc > 1 && !strcmp(argv[1], "--commands");
    int (*run)(const char *) = all ? run_commands : work;
    int first = all ? 2 : 1, to = dup(STDOUT_FILENO), nothing = open("/dev/null", O_WRONLY | O_CLOEXEC);
    FILE *out = to < 0 ? NULL : fdopen(to, "w");
    if (argc <= first || !out || nothing < 0 || dup2(nothing, STDOUT_FILENO) < 0) return 1;
    if (all && dup2(nothing, STDERR_FILENO) < 0) return 1;
    if (run(argv[first])) return 1;
    for (int i = first; i < argc; i++) {
        int status = 0;
        fflush(NULL);
        pid_t pid = fork();
        if (!pid) _exit(run(argv[i]));
        if (pid < 0 || waitpid(pid, &status, 0) != pid || status) {
            fprintf(stderr, "%s: ended with %d\n", argv[i], status);
            return 1;
        }
        fprintf(out, "%ld %s\n", (long)pid, argv[i]); /* the process has written its count by now */
        fflush(out);
    }
    return 0;
}
