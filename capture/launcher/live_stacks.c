/* capture/launcher/live_stacks.c - call stacks of a running process as text. See live_stacks.h. */
#include "capture/launcher/live_stacks.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "capture/shared/sysfile.h"
#include "capture/stacks/stacks.h"

typedef struct writing {
    FILE *out;
    uint32_t pid;
} writing;

/* Name of a thread in brackets, "" when it is gone. */
static void name_of(uint32_t pid, uint32_t tid, char *out, size_t cap)
{
    char path[64], text[32];
    snprintf(path, sizeof path, "/proc/%u/task/%u/comm", pid, tid);
    *out = 0;
    if (!tt_sysfile_read(path, text, sizeof text)) return;
    text[strcspn(text, "\n")] = 0;
    for (char *c = text; *c; c++) {
        if ((unsigned char)*c < ' ' || (unsigned char)*c >= 0x7F) *c = '?';
    }
    snprintf(out, cap, " (%s)", text);
}

static void put(void *arg, const tt_live_stack *s)
{
    const writing *w = arg;
    char name[40];
    name_of(w->pid, s->tid, name, sizeof name);
    fprintf(w->out, "  thread %u%s\n", s->tid, name);
    for (const char *p = s->text, *end = s->text + s->len; p < end;) {
        const char *line = memchr(p, '\n', (size_t)(end - p));
        int n = (int)((line ? line : end) - p);
        fprintf(w->out, "    %.*s\n", n, p);
        p += n + 1;
    }
}

/* C frames of every thread. */
static void put_native(tt_live_stacks *s, writing *w)
{
    char path[40];
    snprintf(path, sizeof path, "/proc/%u/task", w->pid);
    DIR *d = opendir(path);
    for (struct dirent *e; d && (e = readdir(d)) != NULL;) {
        uint32_t tid = (uint32_t)strtoul(e->d_name, NULL, 10);
        if (tid) tt_live_stacks_native(s, w->pid, tid, put, w);
    }
    if (d) closedir(d);
}

bool tt_live_stacks_write(uint32_t pid, FILE *out, char *why, size_t cap)
{
    writing w = {out, pid};
    char name[40];
    tt_live_stacks *s = calloc(1, sizeof *s);
    if (!s) {
        snprintf(why, cap, "Python stacks of process %u: not read: no memory", pid);
        return false;
    }
    name_of(pid, pid, name, sizeof name);
    fprintf(out, "process %u%s\n", pid, name);
    tt_live_result r = tt_live_stacks_python(s, pid, put, &w, why, cap);
    if (r == TT_LIVE_NONE) fprintf(out, "  no Python\n");
    if (r == TT_LIVE_UNKNOWN) fprintf(out, "  %s\n", why);
    if (r == TT_LIVE_NONE || r == TT_LIVE_UNKNOWN) put_native(s, &w);
    free(s);
    return r != TT_LIVE_REFUSED;
}
