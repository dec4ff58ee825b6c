/* tui/record/record_pytorch.c - which PyTorch a process has loaded. See record.h. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tui/record/record.h"

/* Path of the loaded library whose file name begins with libtorch_cpu; false: none, or Kineto is a library of its
 * own. */
static bool torch_path(pid_t pid, char *out, size_t cap)
{
    char maps[64], *line = NULL;
    size_t room = 0;
    bool found = false, apart = false;
    snprintf(maps, sizeof maps, "/proc/%d/maps", (int)pid);
    FILE *f = fopen(maps, "re");
    while (f && getline(&line, &room, f) > 0) {
        char *path = strchr(line, '/');
        const char *base = path ? strrchr(path, '/') + 1 : "";
        apart |= !strncmp(base, "libkineto", 9);
        if (found || strncmp(base, "libtorch_cpu", 12) != 0) continue;
        path[strcspn(path, "\n")] = 0;
        found = (size_t)snprintf(out, cap, "/proc/%d/root%s", (int)pid, path) < cap; /* as the process sees it */
    }
    if (f) fclose(f);
    free(line);
    return found && !apart;
}

/* The file holds the word, which is shorter than 64 bytes. */
static bool holds(int fd, const char *word)
{
    enum { PIECE = 1 << 20, OVERLAP = 64 };
    char *piece = malloc(PIECE);
    size_t kept = 0;
    bool found = false;
    for (ssize_t n; piece && !found && (n = read(fd, piece + kept, PIECE - kept)) > 0;) {
        size_t all = kept + (size_t)n;
        found = memmem(piece, all, word, strlen(word)) != NULL;
        kept = all < OVERLAP ? all : OVERLAP;
        memmove(piece, piece + all - kept, kept);
    }
    free(piece);
    return found;
}

tt_pytorch tt_record_pytorch(pid_t pid)
{
    char path[4200];
    if (!torch_path(pid, path, sizeof path)) return TT_PYTORCH_NOT_SEEN;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return TT_PYTORCH_NOT_SEEN;
    /* Kineto is part of the library, and reads this variable */
    bool with = holds(fd, "KINETO_USE_DAEMON");
    close(fd);
    return with ? TT_PYTORCH_KINETO : TT_PYTORCH_BARE;
}
