/* tui/files/yank.c - writes the copied text to a file in a folder that only its owner can enter. */
#include "tui/files/yank.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tui/files/outfile.h"
#include "tui/files/state_file.h"

/* The folder is ours, is no link, and nobody else can write into it. */
static bool is_ours(const char *folder)
{
    struct stat st;
    return !lstat(folder, &st) && S_ISDIR(st.st_mode) && st.st_uid == geteuid() && !(st.st_mode & 022);
}

static bool folder_of(char *out, size_t cap)
{
    const char *runtime = tt_absolute_folder("XDG_RUNTIME_DIR"), *tmp = tt_absolute_folder("TMPDIR");
    if (runtime && (size_t)snprintf(out, cap, "%s", runtime) < cap && is_ours(out)) return true;
    if ((size_t)snprintf(out, cap, "%s/tracetty-%u", tmp ? tmp : "/tmp", (unsigned)geteuid()) >= cap) return false;
    return (!mkdir(out, 0700) || errno == EEXIST) && is_ours(out);
}

bool tt_yank_write(const char *text, char *path, size_t cap)
{
    char folder[400];
    struct stat st;
    snprintf(path, cap, "no folder for it");
    bool good = folder_of(folder, sizeof folder);
    if (*folder) snprintf(path, cap, "%s", folder);
    if (!good) return false;
    snprintf(path, cap, "%s/tracetty-yank", folder);
    if (!lstat(path, &st) && (!S_ISREG(st.st_mode) || st.st_uid != geteuid())) return false;
    tt_outfile *o = tt_outfile_open(path, TT_OUTFILE_PRIVATE | TT_OUTFILE_REGULAR, NULL, NULL);
    if (!o) return false;
    tt_outfile_write(o, text, strlen(text));
    return tt_outfile_close(o, true, NULL) == TT_OK;
}
