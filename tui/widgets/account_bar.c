/* tui/widgets/account_bar.c - see account_bar.h. */
#include "tui/widgets/account_bar.h"

#include "tui/widgets/cause_style.h"

unsigned tt_account_category(tt_account_part p)
{
    static const unsigned of[TT_ACCOUNT_PARTS] = {
        [TT_ACCOUNT_COMPUTE] = TT_WAIT_COUNT_ + TT_WORK_COMPUTATION,
        [TT_ACCOUNT_COMMUNICATION] = TT_WAIT_COUNT_ + TT_WORK_COMMUNICATION,
        [TT_ACCOUNT_COPY] = TT_WAIT_COUNT_ + TT_WORK_COPY,
        [TT_ACCOUNT_IDLE_INPUT] = TT_WAIT_INPUT,
        [TT_ACCOUNT_IDLE_CPU] = TT_WAIT_OPERATOR,
        [TT_ACCOUNT_IDLE_LAUNCH] = TT_WAIT_LAUNCH,
        [TT_ACCOUNT_IDLE_QUEUE] = TT_WAIT_QUEUE,
        [TT_ACCOUNT_IDLE_SYNC] = TT_WAIT_SYNC,
        [TT_ACCOUNT_IDLE_UNKNOWN] = TT_WAIT_UNKNOWN,
        [TT_ACCOUNT_HOST_RUNTIME] = TT_WAIT_RUNTIME,
        [TT_ACCOUNT_HOST_INPUT] = TT_WAIT_INPUT,
        [TT_ACCOUNT_HOST_COMMUNICATION] = TT_WAIT_COUNT_ + TT_WORK_COMMUNICATION,
        [TT_ACCOUNT_HOST_CPU] = TT_WAIT_OPERATOR,
        [TT_ACCOUNT_HOST_OTHER] = TT_WAIT_UNKNOWN,
    };
    return of[p];
}

void tt_account_bar(tt_canvas *c, int y, int x, int w, const int64_t ns[TT_ACCOUNT_PARTS], int64_t whole)
{
    double scale = whole > 0 ? (double)w / (double)whole : 0, at = 0;
    for (int p = 0; p < TT_ACCOUNT_PARTS; p++) {
        int from = (int)(at * scale + 0.5), to = (int)((at + (double)ns[p]) * scale + 0.5);
        at += (double)ns[p];
        for (int i = from; i < to && i < w; i++) tt_cause_put(c, y, x + i, tt_account_category((tt_account_part)p));
    }
}

void tt_account_busy(tt_canvas *c, int y, int x, tt_account_part p, int eighths)
{
    tt_put_char(c, y, x, tt_cause_style(tt_account_category(p)), tt_height(c, eighths));
}

void tt_account_idle(tt_canvas *c, int y, int x, tt_account_part p)
{
    unsigned category = tt_account_category(p);
    if (tt_cause_needs_letter(c))
        tt_put_char(c, y, x, tt_cause_style(category), (uint32_t)tt_cause_letter(category));
    else
        tt_cause_put(c, y, x, category);
}
