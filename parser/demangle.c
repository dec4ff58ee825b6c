/* Demangling by the C++ library that is linked anyway. See demangle.h.
 *
 * A mangled name refers back to its own parts, so a hostile one of 300 bytes can stand for gigabytes, and __cxa_demangle() knows no
 * limit. How often parts can be unfolded is bounded by counting the references; beyond a small bound (names of CUTLASS come there,
 * and are harmless) the work is done by a child process with limits.                                                       */
#include "parser/demangle.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

extern char *__cxa_demangle(const char *mangled, char *buffer, size_t *length, int *status);

enum { RAW_MOST = 16 << 10, TEXT_MOST = 64 << 10, PARTS = 1024, SURE_BITS = 12, DATA_MORE = 256 << 20 };

static unsigned bits(size_t n)
{
    unsigned b = 0;
    while (n >> b) b++;
    return b;
}

/* The text is at most 2^this times as long as the name. References within identifiers count too: too many is safe. */
static unsigned growth(const char *raw, size_t n)
{
    uint16_t times[2][PARTS] = {{0}};
    unsigned sum = 0;
    for (const char *p = raw; p < raw + n; p++) {
        if (p[0] == 'D' && p[1] == 'p') sum += bits(n);
        if (p[0] == 's' && p[1] == 'p') sum += bits(n);
        if (*p != 'S' && *p != 'T') continue;
        size_t index = 0;
        const char *q = p + 1;
        for (; (*q >= '0' && *q <= '9') || (*q >= 'A' && *q <= 'Z'); q++) {
            index = index * 36 + (size_t)(*q <= '9' ? *q - '0' : *q - 'A' + 10) + 1;
            if (index > PARTS) index = PARTS;
        }
        if (*q == '_') times[*p == 'T'][index % PARTS]++;
    }
    for (size_t i = 0; i < 2 * PARTS; i++) {
        if (times[i / PARTS][i % PARTS] > 1) sum += bits(times[i / PARTS][i % PARTS] - 1u);
    }
    return sum;
}

static void limit(int what, rlim_t most)
{
    struct rlimit l;
    if (getrlimit(what, &l) != 0) return;
    if (l.rlim_max != RLIM_INFINITY && l.rlim_max < most) most = l.rlim_max;
    l.rlim_cur = most;
    setrlimit(what, &l);
}

/* The child: its memory is that of the parent and a little more, and it has a second. */
static void child(const char *raw, int out)
{
    unsigned long pages[6] = {0};
    FILE *f = fopen("/proc/self/statm", "re");
    if (f &&
        fscanf(f, "%lu %lu %lu %lu %lu %lu", &pages[0], &pages[1], &pages[2], &pages[3], &pages[4], &pages[5]) == 6)
        limit(RLIMIT_DATA, (rlim_t)pages[5] * (rlim_t)sysconf(_SC_PAGESIZE) + DATA_MORE);
    limit(RLIMIT_CPU, 1);
    limit(RLIMIT_CORE, 0);
    int status;
    char *text = __cxa_demangle(raw, NULL, NULL, &status);
    size_t n = text ? strlen(text) : 0;
    if (!n || n > TEXT_MOST) _exit(1);
    while (n) {
        ssize_t k = write(out, text, n);
        if (k <= 0) _exit(1);
        text += k;
        n -= (size_t)k;
    }
    _exit(0);
}

static char *in_child(const char *raw)
{
    int ends[2], status = 1;
    if (pipe2(ends, O_CLOEXEC) != 0) return NULL;
    pid_t p = fork();
    if (!p) {
        close(ends[0]);
        child(raw, ends[1]);
    }
    close(ends[1]);
    char *text = p > 0 ? malloc(TEXT_MOST + 1) : NULL;
    size_t n = 0;
    ssize_t k = 1;
    while (text && n < TEXT_MOST && ((k = read(ends[0], text + n, TEXT_MOST - n)) > 0 || (k < 0 && errno == EINTR)))
        n += k > 0 ? (size_t)k : 0;
    close(ends[0]);
    while (p > 0 && waitpid(p, &status, 0) < 0 && errno == EINTR) {}
    bool good = p > 0 && WIFEXITED(status) && !WEXITSTATUS(status) && text && n;
    if (good) {
        text[n] = 0;
        return text;
    }
    free(text);
    return NULL;
}

char *tt_demangle(const char *raw, unsigned *tries)
{
    size_t n = strlen(raw);
    int status;
    if (strncmp(raw, "_Z", 2) != 0 || n > RAW_MOST) return NULL;
    if (growth(raw, n) > SURE_BITS) {
        char *found = *tries ? in_child(raw) : NULL;
        *tries -= *tries && !found;
        return found;
    }
    char *text = __cxa_demangle(raw, NULL, NULL, &status);
    if (text && strlen(text) <= TEXT_MOST) return text;
    free(text);
    return NULL;
}
