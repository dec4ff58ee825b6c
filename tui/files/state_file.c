/* tui/files/state_file.c - files in which the explorer keeps its state. A file is replaced as a whole, so that two
 * sessions that end at once leave a complete one; only its owner may read it. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tui/files/state_file.h"

enum { SMALL_MOST = 4 << 20 };

const char *tt_absolute_folder(const char *variable)
{
    const char *path = getenv(variable);
    return path && *path == '/' ? path : NULL;
}

bool tt_base_path(char *out, size_t cap, const char *variable, const char *below_home, const char *name)
{
    const char *base = tt_absolute_folder(variable), *home = base ? NULL : tt_absolute_folder("HOME");
    if (!base && !home) return false;
    return (size_t)snprintf(out, cap, "%s%s/tracetty/%s", base ? base : home, base ? "" : below_home, name) < cap;
}

bool tt_state_path(char *out, size_t cap, const char *name, bool make)
{
    if (!tt_base_path(out, cap, "XDG_STATE_HOME", "/.local/state", name)) return false;
    for (char *p = out + 1; make && (p = strchr(p, '/')); p++) {
        *p = 0;
        mkdir(out, 0700); /* if this fails and the folder is missing, fopen() reports it */
        *p = '/';
    }
    return true;
}

FILE *tt_small_open(const char *path)
{
    struct stat st;
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC), error = EINVAL;
    if (fd < 0) return NULL;
    if (!fstat(fd, &st) && S_ISREG(st.st_mode)) {
        error = EFBIG;
        FILE *f = st.st_size <= SMALL_MOST ? fdopen(fd, "r") : NULL;
        if (f) return f;
    }
    close(fd);
    errno = error;
    return NULL;
}

FILE *tt_state_read(const char *name)
{
    char path[1024];
    return tt_state_path(path, sizeof path, name, false) ? tt_small_open(path) : NULL;
}

bool tt_state_begin(tt_state_file *s, const char *name)
{
    char path[1024];
    s->out = tt_state_path(path, sizeof path, name, true)
                 ? tt_outfile_open(path, TT_OUTFILE_PRIVATE | TT_OUTFILE_REGULAR, NULL, NULL)
                 : NULL;
    s->f = s->out ? tt_outfile_stream(s->out) : NULL;
    return s->f != NULL;
}

bool tt_state_end(tt_state_file *s) { return tt_outfile_close(s->out, true, NULL) == TT_OK; }
