/* tui/app/prompt/editor.c - see editor.h. */
#include "tui/app/prompt/editor.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "model/text/frame_name.h"

/* ---- where the file is ---- */

bool tt_source_map(tt_source_maps *m, const char *text)
{
    const char *sign = strchr(text, '=');
    int at = 0;
    if (!sign || (size_t)(sign - text) >= sizeof m->old[0] || strlen(sign + 1) >= sizeof m->now[0]) return false;
    size_t n = (size_t)(sign - text);
    while (at < m->n && (strlen(m->old[at]) != n || strncmp(m->old[at], text, n) != 0)) at++;
    if (at == TT_EDIT_MAPS) return false;
    if (at == m->n) m->n++;
    snprintf(m->old[at], sizeof m->old[at], "%.*s", (int)n, text);
    snprintf(m->now[at], sizeof m->now[at], "%s", sign + 1);
    return true;
}

static bool has_controls(const char *path)
{
    for (const unsigned char *p = (const unsigned char *)path; *p; p++) {
        if (*p < 0x20 || *p == 0x7f || (p[0] == 0xc2 && p[1] >= 0x80 && p[1] < 0xa0)) return true;
    }
    return false;
}

static bool is_file(const char *path)
{
    struct stat st;
    return *path && stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

/* The path, when it fits and names a file. */
static bool take_file(char *out, size_t cap, const char *folder, const char *path)
{
    int n = snprintf(out, cap, "%s%s%s", folder, *folder ? "/" : "", path);
    return n > 0 && (size_t)n < cap && is_file(out);
}

static bool take_package(char *out, size_t cap, const char *path)
{
    const char *env = getenv("VIRTUAL_ENV");
    char pattern[TT_EDIT_PATH];
    glob_t found = {0};
    bool ok = false;
    if (!env || !*env || strlen(env) > TT_EDIT_PATH / 2 || strpbrk(env, "*?[\\")) return false;
    snprintf(pattern, sizeof pattern, "%s/lib/python3*/site-packages", env);
    if (glob(pattern, 0, NULL, &found) == 0)
        for (size_t i = 0; i < found.gl_pathc && !ok; i++) ok = take_file(out, cap, found.gl_pathv[i], path);
    globfree(&found);
    return ok;
}

bool tt_source_find(const tt_source_maps *m, const char *frame, const char *folder, char *out, size_t cap, long *line)
{
    char path[TT_EDIT_PATH], mapped[TT_EDIT_PATH];
    size_t n;
    *out = '\0';
    if (!tt_frame_place(frame, &n, line) || n >= sizeof path) return false;
    snprintf(path, sizeof path, "%.*s", (int)n, frame);
    if (has_controls(path)) return false;
    for (int i = m->n - 1; i >= 0; i--) {
        size_t len = strlen(m->old[i]);
        if (strncmp(path, m->old[i], len) != 0) continue;
        int size = snprintf(mapped, sizeof mapped, "%s%s", m->now[i], path + len);
        if (size > 0 && (size_t)size < sizeof mapped && take_file(out, cap, "", mapped)) return true;
    }
    if (take_file(out, cap, "", path)) return true;
    if (*path != '/' && (take_file(out, cap, folder, path) || take_package(out, cap, path))) return true;
    snprintf(out, cap, "%s", path);
    return false;
}

/* ---- what to run ---- */

const char *tt_editor(void)
{
    const char *visual = getenv("VISUAL"), *editor = getenv("EDITOR");
    return visual && *visual ? visual : editor && *editor ? editor : "vi";
}

typedef enum form { PLUS, COLON, GOTO } form; /* +LINE FILE; FILE:LINE; -g FILE:LINE */

static form argument_form(const char *program)
{
    static const char *const with_goto[] = {"code", "code-insiders", "codium", "vscodium", "cursor", "windsurf"};
    static const char *const with_colon[] = {"subl", "sublime_text", "zed", "hx", "helix", "mate"};
    const char *slash = strrchr(program, '/'), *name = slash ? slash + 1 : program;
    for (size_t i = 0; i < sizeof with_goto / sizeof *with_goto; i++)
        if (!strcmp(name, with_goto[i])) return GOTO;
    for (size_t i = 0; i < sizeof with_colon / sizeof *with_colon; i++)
        if (!strcmp(name, with_colon[i])) return COLON;
    return PLUS;
}

/* Split the editor's command line into the program and its arguments. False: no word, or too many. */
static bool split(tt_edit_command *c, const char *editor, size_t *used)
{
    size_t words = 0;
    char *at = c->text, *end = c->text + sizeof c->text - 1;
    while (*(editor += strspn(editor, " \t")) && at < end) {
        char quote = 0;
        if (words == TT_EDIT_ARGS - 2) return false;
        if (words++)
            c->arguments[c->n_arguments++].text = at;
        else
            c->program = at;
        for (; *editor && (quote || (*editor != ' ' && *editor != '\t')) && at < end; editor++) {
            if (quote ? *editor == quote : *editor == '"' || *editor == '\'') {
                quote = quote ? 0 : *editor;
            } else {
                *at++ = *editor;
            }
        }
        *at++ = '\0';
    }
    *used = (size_t)(at - c->text);
    return words > 0;
}

bool tt_edit_command_make(tt_edit_command *c, const char *editor, const char *path, long line)
{
    size_t used, n = strlen(path) + 1;
    *c = (tt_edit_command){.n_arguments = 0};
    if (!split(c, editor, &used) || used + n + 32 > sizeof c->text) return false;
    form f = argument_form(c->program);
    char *file = memcpy(c->text + used, path, n), *number = file + n;
    snprintf(number, sizeof c->text - used - n, f == PLUS ? "+%ld" : ":%ld", line);
    if (f != COLON) c->arguments[c->n_arguments++].text = f == PLUS ? number : "-g";
    c->arguments[c->n_arguments++] = (tt_argument){.path = file, .tail = f == PLUS ? NULL : number};
    return true;
}
