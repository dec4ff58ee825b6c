/* tests/bench/growth.c - loads traces, computes every table of them, grouped by every key, and draws every screen: what
 * tests/cli/growth.py counts the instructions of.
 *
 * Each trace is the work of a process of its own, forked from one that has done it all once: a counting tool then
 * has translated the code already. Prints "PID PATH" for each. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "model/tables/table.h"
#include "parser/load.h"
#include "tui/app/app_impl.h"

/* Every tab; then the flame view of everything, of an operator, of its calls and of what leads to them; then the
 * timeline. */
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

int main(int argc, char **argv)
{
    if (argc < 2 || work(argv[1])) return 1;
    for (int i = 1; i < argc; i++) {
        int status = 0;
        pid_t pid = fork();
        if (!pid) _exit(work(argv[i]));
        printf("%ld %s\n", (long)pid, argv[i]);
        fflush(stdout);
        if (pid < 0 || waitpid(pid, &status, 0) != pid || status) {
            fprintf(stderr, "%s: ended with %d\n", argv[i], status);
            return 1;
        }
    }
    return 0;
}
