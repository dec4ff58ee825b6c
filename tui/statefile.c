/* tui/statefile.c - files in which the explorer remembers something for the next time. A file is replaced as a whole, so that two
 * sessions that end at once leave a whole one; only its owner may read it. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tui/settings.h"

bool tt_state_path(char *out, size_t cap, const char *name, bool make)
{
    const char *base = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
    if (!(base && *base) && !(home && *home)) return false;
    bool own = !(base && *base);
    if ((size_t)snprintf(out, cap, "%s%s/tracetty/%s", own ? home : base, own ? "/.local/state" : "", name) >= cap)
        return false;
    for (char *p = out + 1; make && (p = strchr(p, '/')); p++) {
        *p = 0;
        mkdir(out, 0700); /* is there already, or fopen() will say so */
        *p = '/';
    }
    return true;
}

bool tt_state_begin(tt_state_file *s, const char *name)
{
    if (!tt_state_path(s->path, sizeof s->path, name, true)) return false;
    snprintf(s->temporary, sizeof s->temporary, "%s.%ld", s->path, (long)getpid());
    s->f = fopen(s->temporary, "wxe");
    return s->f != NULL;
}

bool tt_state_end(tt_state_file *s)
{
    bool good = fchmod(fileno(s->f), 0600) == 0 && !ferror(s->f);
    if (fclose(s->f) != 0) good = false;
    good = good && rename(s->temporary, s->path) == 0;
    if (!good) unlink(s->temporary);
    return good;
}
