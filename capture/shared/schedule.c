/* capture/shared/schedule.c - state of a step in a schedule, and the parser of its spellings. See schedule.h. */
#include "capture/shared/schedule.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

tt_schedule_state tt_schedule_at(const tt_schedule *s, int64_t step)
{
    int64_t cycle = s->closed + s->ready + s->record;
    if (!s->record) return TT_STEP_RECORD;
    if (step < s->skip_first || tt_schedule_over(s, step)) return TT_STEP_CLOSED;
    int64_t m = (step - s->skip_first + (s->skip_first_wait ? s->closed : 0)) % cycle;
    if (m < s->closed) return TT_STEP_CLOSED;
    if (m < s->closed + s->ready) return TT_STEP_READY;
    return m == cycle - 1 ? TT_STEP_RECORD_LAST : TT_STEP_RECORD;
}

bool tt_schedule_over(const tt_schedule *s, int64_t step)
{
    int64_t cycle = s->closed + s->ready + s->record;
    if (!s->record || !s->repeat || step < s->skip_first) return false;
    return (step - s->skip_first + (s->skip_first_wait ? s->closed : 0)) / cycle >= s->repeat;
}

static bool number(const char *p, const char **end, int64_t *out)
{
    char *e;
    errno = 0;
    if (*p < '0' || *p > '9') return false;
    *out = strtoll(p, &e, 10);
    *end = e;
    return !errno && *out < INT64_C(1000000000000);
}

/* "20-30" and "(20, 30)" */
static bool parse_range(const char *p, tt_schedule *out)
{
    int64_t a, b;
    bool open = *p == '(' || *p == '[';
    if (!number(p + open, &p, &a)) return false;
    if (*p != (open ? ',' : '-')) return false;
    p += 1 + strspn(p + 1, " ");
    if (!number(p, &p, &b) || b <= a) return false;
    if (open && *p != ')' && *p != ']') return false;
    if (p[open]) return false;
    *out = (tt_schedule){.closed = a ? a - 1 : 0, .ready = a > 0, .record = b - a, .repeat = 1};
    return true;
}

bool tt_schedule_parse(const char *text, tt_schedule *out, char *why, size_t cap)
{
    *out = (tt_schedule){0};
    const struct {
        const char *word;
        int64_t *to;
    } words[] = {{"skip_first", &out->skip_first}, {"skip_first_wait", &out->skip_first_wait},
                 {"wait", &out->closed},           {"closed", &out->closed},
                 {"warmup", &out->ready},          {"ready", &out->ready},
                 {"active", &out->record},         {"record", &out->record},
                 {"repeat", &out->repeat}};
    if (parse_range(text, out)) return true;
    *out = (tt_schedule){0};
    for (const char *p = text; *p;) {
        size_t n = strcspn(p, "="), i = 0, all = sizeof words / sizeof *words;
        while (i < all && (strlen(words[i].word) != n || strncmp(words[i].word, p, n) != 0)) i++;
        if (i == all || !p[n] || !number(p + n + 1, &p, words[i].to) || (*p && *p != ',') || (*p == ',' && !p[1])) {
            snprintf(why, cap,
                     "'%s' is no schedule: A-B for the steps from A up to but not including B, or "
                     "skip_first=N,wait=N,warmup=N,active=N,repeat=N",
                     text);
            return false;
        }
        p += *p == ',';
    }
    if (out->record < 1) {
        snprintf(why, cap, "'%s' records nothing: active (or record) must be at least 1", text);
        return false;
    }
    return true;
}
