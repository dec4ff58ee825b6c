/* tui/app/question.c - see question.h. */
#include "tui/app/question.h"

#include <string.h>

#include "tui/app/app_api.h"
#include "tui/files/outfile.h"

/* longest part of a name that a question shows, from the end of the name */
enum { NAME_SHOWN = 200 };

static const char *shown(const char *path)
{
    size_t n = strlen(path);
    return n > NAME_SHOWN ? path + n - NAME_SHOWN : path;
}

bool tt_app_may_write(tt_app *a, const char *verb, const char *path, unsigned *how)
{
    *how = TT_OUTFILE_HASTY | (a->question.agreed ? 0 : TT_OUTFILE_FRESH);
    if (a->question.agreed || !a->host.session) return true;
    const char *name = shown(path);
    tt_output there = tt_outfile_look(path, &a->host.session->inputs);
    if (a->base && tt_outfile_look(path, &a->base->inputs) == TT_OUTPUT_INPUT) there = TT_OUTPUT_INPUT;
    switch (there) {
    case TT_OUTPUT_NEW: return true;
    case TT_OUTPUT_INPUT:
        tt_app_set_status(a, "%s is an input and is not overwritten: choose another name", name);
        return false;
    case TT_OUTPUT_FILE: snprintf(a->question.text, sizeof a->question.text, "replace %s? ", name); break;
    case TT_OUTPUT_THROUGH:
        snprintf(a->question.text, sizeof a->question.text, "%s is no regular file: write to it? ", name);
        break;
    }
    snprintf(a->question.command, sizeof a->question.command, "%s %s", verb, path);
    a->question.open = true;
    a->dirty = true;
    return false;
}

bool tt_app_question_key(tt_app *a, tt_key k)
{
    tt_action act = tt_action_of(TT_CTX_GLOBAL, k);
    if (act == TT_ACT_REDRAW || act == TT_ACT_SUSPEND) return false;
    a->question.open = false;
    if (k == 'y' || k == 'Y') {
        a->question.agreed = true;
        tt_app_command(a, a->question.command);
        a->question.agreed = false;
    } else {
        tt_app_set_status(a, "cancelled");
    }
    return true;
}

void tt_app_question_draw(const tt_app *a, tt_canvas *c, int y)
{
    static const char keys[] = "y n";
    int room = c->w - (int)sizeof keys - 2;
    int x = 1 + tt_put_cut(c, y, 1, TT_ROLE_WARN, a->question.text, room, TT_CUT_START);
    tt_put(c, y, x, TT_ROLE_KEY, keys, -1);
}
