/* tui/app/prompt/history.c - texts typed after / and : in earlier sessions. The file is replaced as a whole, so that
 * two sessions that end at once leave a complete file; lines that another session added meanwhile are kept. */
#include <stdio.h>
#include <string.h>

#include "tui/app/prompt/prompt.h"
#include "tui/app/prompt/settings.h"
#include "tui/files/state_file.h"

static const struct {
    char sign;
    tt_prompt_kind kind;
} kinds[] = {{'/', TT_PROMPT_FIND}, {':', TT_PROMPT_COMMAND}};
enum { N_KINDS = sizeof kinds / sizeof *kinds };

/* Oldest first, so that the newest is remembered last. */
static void read_into(tt_prompt *p)
{
    char line[TT_PROMPT_CAP + 2];
    FILE *f = tt_state_read("history");
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
    tt_prompt both = {0};
    tt_state_file out;
    read_into(&both);
    for (int k = 0; k < N_KINDS; k++) {
        for (int i = TT_PROMPT_HISTORY - 1; i >= 0; i--) {
            const char *line = p->history[kinds[k].kind].line[i];
            if (line) tt_prompt_remember(&both, kinds[k].kind, line);
        }
    }
    bool good = tt_state_begin(&out, "history");
    for (int k = 0; good && k < N_KINDS; k++) {
        for (int i = TT_PROMPT_HISTORY - 1; i >= 0; i--) {
            const char *line = both.history[kinds[k].kind].line[i];
            if (line) fprintf(out.f, "%c%s\n", kinds[k].sign, line);
        }
    }
    if (good) tt_state_end(&out);
    tt_prompt_free(&both);
}
