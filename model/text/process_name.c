/* model/text/process_name.c - see process_name.h. */
#include "model/text/process_name.h"

#include <string.h>
#include <strings.h>

static const struct {
    const char *word, *fact;
} layout[] = {
    [TT_LAYOUT_TENSOR] = {"tp", "tp_rank"},    [TT_LAYOUT_DATA] = {"dp", "dp_rank"},
    [TT_LAYOUT_PIPELINE] = {"pp", "pp_rank"},  [TT_LAYOUT_EXPERT] = {"ep", "ep_rank"},
    [TT_LAYOUT_CONTEXT] = {"dcp", "dcp_rank"},
};

static const char *const stages[] = {"EXTEND", "DECODE"};

enum { DIGITS_MOST = 9 };

/* Read digits at *p; -1 = there are none, or too many. */
static int64_t number(const char **p)
{
    int64_t v = 0;
    int n = 0;
    for (; **p >= '0' && **p <= '9' && n <= DIGITS_MOST; ++*p, n++) v = v * 10 + (**p - '0');
    return n && n <= DIGITS_MOST ? v : -1;
}

/* Read "WORD SEPARATOR NUMBER" at *p, in this case of letters. */
static bool place(const char **p, const char *separator, bool capitals, tt_process_name *out)
{
    for (int k = 0; k < TT_LAYOUT_COUNT_; k++) {
        size_t n = strlen(layout[k].word), m = strlen(separator);
        const char *at = *p + n;
        if (strncasecmp(*p, layout[k].word, n) != 0 || (**p < 'a') != capitals) continue;
        if (strncmp(at, separator, m) != 0) continue;
        at += m;
        int64_t v = number(&at);
        if (v < 0 || out->rank[k] >= 0) continue;
        out->rank[k] = v;
        *p = at;
        return true;
    }
    return false;
}

static void clear(tt_process_name *out)
{
    *out = (tt_process_name){0};
    for (int k = 0; k < TT_LAYOUT_COUNT_; k++) out->rank[k] = -1;
}

/* "dp0_pp0_tp1_rank1" up to the first dot. */
static bool read_lower(const char *file, tt_process_name *out)
{
    const char *p = file;
    clear(out);
    while (place(&p, "", false, out)) {
        if (*p++ != '_') return false;
        if (strncmp(p, "rank", 4) != 0) continue;
        p += 4;
        out->worker_n = number(&p) >= 0 && *p == '.' ? (size_t)(p - file) : 0;
        return out->worker_n && out->rank[TT_LAYOUT_TENSOR] >= 0;
    }
    return false;
}

/* "TP-1-DP-0-DECODE" from `from` up to the first dot. */
static bool read_upper(const char *file, const char *from, tt_process_name *out)
{
    const char *p = from;
    clear(out);
    if (strncmp(p, "TP-", 3) != 0 || !place(&p, "-", true, out)) return false;
    for (const char *next = p + 1; *p == '-' && place(&next, "-", true, out); next = p + 1) p = next;
    out->worker = (size_t)(from - file);
    out->worker_n = (size_t)(p - from);
    out->profile_n = from > file ? out->worker - 1 : 0;
    for (size_t i = 0; i < sizeof stages / sizeof *stages && *p == '-'; i++) {
        size_t n = strlen(stages[i]);
        if (strncmp(p + 1, stages[i], n) != 0 || p[1 + n] != '.') continue;
        out->stage = (size_t)(p + 1 - file);
        out->stage_n = n;
        p += 1 + n;
    }
    return *p == '.' && (out->stage_n || strspn(file, "0123456789.") == out->profile_n);
}

bool tt_process_name_read(const char *file, tt_process_name *out)
{
    if (read_lower(file, out)) return true;
    for (const char *p = file; (p = strstr(p, "TP-")) != NULL; p++)
        if ((p == file || p[-1] == '-') && read_upper(file, p, out)) return true;
    return false;
}

const char *tt_layout_fact(tt_layout p) { return layout[p].fact; }

bool tt_process_front_end(const char *worker) { return strstr(worker, "async_llm") != NULL; }
