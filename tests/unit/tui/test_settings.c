/* test_settings.c - the settings file, `:set`, keyboard layouts, completion, and the history kept between sessions. */
#include "tests/unit/check.h"
#include "tests/unit/tempdir.h"
#include "tui/app/app_api.h"
#include "tui/app/prompt/prompt.h"
#include "tui/app/prompt/settings.h"

#include <stdlib.h>
#include <sys/stat.h>

static void write_file(const char *dir, const char *name, const char *text)
{
    char path[600];
    snprintf(path, sizeof path, "%s/tracetty", dir);
    mkdir(path, 0700);
    snprintf(path, sizeof path, "%s/tracetty/%s", dir, name);
    FILE *f = fopen(path, "w");
    CHECK(f && fputs(text, f) >= 0 && fclose(f) == 0);
}

static void test_file(const char *dir)
{
    char text[400];
    tt_app *a = tt_app_new(false);
    setenv("XDG_CONFIG_HOME", dir, 1);
    tt_settings_load(a); /* no settings file */
    CHECK_STR(a->status, "");
    write_file(dir, "config",
               "# how I like it\n\n theme = colour-blind # a comment\nlayout=azerty\nunit us\nmouse=off\n");
    tt_settings_load(a);
    CHECK_STR(a->status, "");
    CHECK_STR(tt_theme_name(a->display.theme), "colour-blind");
    CHECK_INT(a->display.layout, TT_LAYOUT_AZERTY);
    CHECK_INT(a->host.unit, 2);
    CHECK(a->display.no_mouse);
    tt_settings_text(a, text, sizeof text);
    CHECK(strstr(text, "theme=colour-blind  layout=azerty  unit=us"));
    write_file(dir, "config", "theme = light\nlayuot = dvorak\n");
    tt_settings_load(a);
    CHECK(strstr(a->status, "line 2") && strstr(a->status, "layuot"));
    CHECK_STR(tt_theme_name(a->display.theme), "light");
    write_file(dir, "config", "theme = pink\n");
    tt_settings_load(a);
    CHECK(strstr(a->status, "line 1") && strstr(a->status, "dark|light"));
    char path[600];
    snprintf(path, sizeof path, "%s/tracetty/config", dir); /* no file whose reading waits or never ends */
    CHECK(!unlink(path) && !mkfifo(path, 0600));
    tt_settings_load(a);
    CHECK(strstr(a->status, "no regular file"));
    CHECK(!unlink(path) && !symlink("/dev/zero", path));
    a->status[0] = 0;
    tt_settings_load(a);
    CHECK(strstr(a->status, "no regular file"));
    CHECK(!unlink(path));
    tt_app_free(a);
}

static void test_keyboards(void)
{
    for (int layout = 0; layout < 3; layout++) {
        for (tt_key k = ' '; k < 127; k++) {
            CHECK_INT(tt_layout_key(layout, TT_CTX_TIMELINE, tt_layout_key(layout, TT_CTX_TIMELINE, k)), k);
            CHECK_INT(tt_layout_key(layout, TT_CTX_TABLE, k), k);
        }
    }
    CHECK_INT(tt_layout_key(TT_LAYOUT_AZERTY, TT_CTX_TIMELINE, 'z'), 'w');
    CHECK_INT(tt_layout_key(TT_LAYOUT_AZERTY, TT_CTX_PLOT, 'q'), 'a');
    CHECK_INT(tt_layout_key(TT_LAYOUT_AZERTY, TT_CTX_TIMELINE, 'd'), 'd');
    CHECK_INT(tt_layout_key(TT_LAYOUT_DVORAK, TT_CTX_TIMELINE, ','), 'w');
    CHECK_INT(tt_layout_key(TT_LAYOUT_DVORAK, TT_CTX_TIMELINE, 'o'), 's');
    CHECK_INT(tt_layout_key(TT_LAYOUT_DVORAK, TT_CTX_TIMELINE, 'e'), 'd');
}

static void test_history(const char *dir)
{
    tt_prompt p = {0}, q = {0};
    setenv("XDG_STATE_HOME", dir, 1);
    tt_history_load(&p); /* no history file */
    CHECK(!p.history[TT_PROMPT_FIND].line[0]);
    tt_prompt_remember(&p, TT_PROMPT_FIND, "flash");
    tt_prompt_remember(&p, TT_PROMPT_FIND, "gemm");
    tt_prompt_remember(&p, TT_PROMPT_FIND, "flash"); /* a repeated entry moves to the front */
    tt_prompt_remember(&p, TT_PROMPT_COMMAND, "sort calls");
    tt_prompt_remember(&p, TT_PROMPT_FILTER, "not kept");
    tt_history_save(&p);
    tt_history_load(&q);
    CHECK_STR(q.history[TT_PROMPT_FIND].line[0], "flash");
    CHECK_STR(q.history[TT_PROMPT_FIND].line[1], "gemm");
    CHECK(!q.history[TT_PROMPT_FIND].line[2]);
    CHECK_STR(q.history[TT_PROMPT_COMMAND].line[0], "sort calls");
    CHECK(!q.history[TT_PROMPT_FILTER].line[0]);
    tt_prompt_remember(&q, TT_PROMPT_FIND, "another session's");
    tt_history_save(&q);
    tt_prompt_remember(&p, TT_PROMPT_FIND, "ours");
    tt_history_save(&p); /* saving keeps the entries that the other session has added */
    tt_prompt_free(&q);
    q = (tt_prompt){0};
    tt_history_load(&q);
    CHECK_STR(q.history[TT_PROMPT_FIND].line[0], "ours");
    bool kept = false;
    for (int i = 0; i < TT_PROMPT_HISTORY; i++) {
        kept = kept || (q.history[TT_PROMPT_FIND].line[i] && strstr(q.history[TT_PROMPT_FIND].line[i], "another"));
    }
    CHECK(kept);
    for (int i = 0; i < 200; i++) { /* the history has a bounded length */
        char line[20];
        snprintf(line, sizeof line, "find %d", i);
        tt_prompt_remember(&p, TT_PROMPT_FIND, line);
    }
    CHECK_STR(p.history[TT_PROMPT_FIND].line[TT_PROMPT_HISTORY - 1], "find 168");
    write_file(dir, "history", "/good\n/b\033[31mad\n:\nnoise\n/last without an end");
    tt_prompt_free(&q);
    q = (tt_prompt){0};
    tt_history_load(&q);
    CHECK_STR(q.history[TT_PROMPT_FIND].line[0], "good");
    CHECK(!q.history[TT_PROMPT_FIND].line[1] && !q.history[TT_PROMPT_COMMAND].line[0]);
    tt_prompt_free(&p);
    tt_prompt_free(&q);
}

static void type(tt_app *a, const char *keys) { CHECK(tt_app_keys(a, keys, NULL)); }

static void test_completion(void)
{
    tt_app *a = tt_app_new(false);
    type(a, ": \"the\" Tab");
    CHECK_STR(a->prompt.text, "theme ");
    type(a, "\"li\" Tab");
    CHECK_STR(a->prompt.text, "theme light");
    type(a, "Enter : \"layout az\" Tab Enter");     /* every setting has a command */
    CHECK_INT(a->display.layout, TT_LAYOUT_QWERTY); /* without a trace the command changes nothing */
    type(a, ": \"set lay\" Tab \"dv\" Tab");
    CHECK_STR(a->prompt.text, "set layout=dvorak");
    CHECK(strstr(a->candidates, "set NAME=VALUE"));
    type(a, "^U \"table op_t\" Tab");
    CHECK_STR(a->prompt.text, "table op_types");
    type(a, "^U \"st\" Tab");
    CHECK(strstr(a->candidates, "steps") && strstr(a->candidates, "stack-depth"));
    tt_app_free(a);
}

int main(void)
{
    temp_begin();
    const char *dir = temp_dir_;
    test_file(dir);
    test_keyboards();
    test_history(dir);
    test_completion();
    temp_end();
    return check_done();
}
