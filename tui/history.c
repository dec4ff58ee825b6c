/* tui/history.c - what was typed after / and : in earlier sessions. The file is replaced as a whole, so that two sessions that end at
 * once leave a whole file; lines that another session added meanwhile are kept. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tui/settings.h"

static const struct {
    char sign;
    tt_prompt_kind kind;
} kinds[] = {{'/', TT_PROMPT_FIND}, {':', TT_PROMPT_COMMAND}};
enum { N_KINDS = sizeof kinds / sizeof *kinds };

static bool path_of(char *out, size_t cap, const char *name, bool make)
{
    const char *base = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
    if (!(base && *base) && !(home && *home)) return false;
    bool own = !(base && *base);
    if ((size_t)snprintf(out, cap, "%s%s/tracetty%s", own ? home : base, own ? "/.local/state" : "", name) >= cap)
        return false;
    for (char *p = out + 1; make && (p = strchr(p, '/')); p++) {
        *p = 0;
        mkdir(out, 0700); /* is there already, or fopen() will say so */
        *p = '/';
    }
    return true;
}

/* Oldest first, so that the newest is remembered last. */
static void read_into(tt_prompt *p)
{
    char path[1024], line[TT_PROMPT_CAP + 2];
    FILE *f = path_of(path, sizeof path, "/history", false) ? fopen(path, "r") : NULL;
    while (f && fgets(line, sizeof line, f)) {
        size_t n = strcspn(line, "\n");
        bool clean = line[n] == '\n' && n > 1;
        for (size_t i = 0; i < n; i++) clean = clean && (unsigned char)line[i] >= ' ' && line[i] != 127;
        line[n] = 0;
        for (int k = 0; clean && k < N_KINDS; k++) {
            if (kinds[k].sign == line[0]) tt_prompt_remember(p, kinds[k].kind, line + 1);
        }
    }
    if (f) fclose(f);
}

void tt_history_load(tt_prompt *p) { read_into(p); }

void tt_history_save(tt_prompt *p)
{
    char path[1024], temporary[1024];
    tt_prompt both = {0};
    char name[40];
    snprintf(name, sizeof name, "/history.%ld", (long)getpid());
    if (!path_of(path, sizeof path, "/history", true) || !path_of(temporary, sizeof temporary, name, false)) return;
    read_into(&both);
    for (int k = 0; k < N_KINDS; k++) {
        for (int i = TT_PROMPT_HISTORY - 1; i >= 0; i--) {
            const char *line = p->history[kinds[k].kind].line[i];
            if (line) tt_prompt_remember(&both, kinds[k].kind, line);
        }
    }
    FILE *f = fopen(temporary, "wxe");
    bool good = f && fchmod(fileno(f), 0600) == 0;
    for (int k = 0; good && k < N_KINDS; k++) {
        for (int i = TT_PROMPT_HISTORY - 1; i >= 0; i--) {
            const char *line = both.history[kinds[k].kind].line[i];
            if (line) fprintf(f, "%c%s\n", kinds[k].sign, line);
        }
    }
    if (f && fclose(f) != 0) good = false;
    if (f && (!good || rename(temporary, path) != 0)) unlink(temporary);
    tt_prompt_free(&both);
}
