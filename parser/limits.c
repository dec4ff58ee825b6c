/* Finds the limits (meminfo, control groups, rlimit) and estimates the memory that a load will need: see limits.h. */
#include "parser/limits.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#define EVENTS_MOST (UINT32_MAX - 16u) /* row numbers have 32 bits */
#define BARREN_SHARE 4                 /* 1/4 of the memory limit: text read without finding events before we give up */
#define TEXT_OF_EVENT ((uint64_t)1 << 20)
#define ELEMENT_SHARE                                                                                                  \
    64 /* 1/64 of the memory limit: each byte of an element takes up to 40 while it is read, indexed and mended */
#define ELEMENT_LEAST ((uint64_t)1 << 20)
#define ELEMENT_DEFAULT ((uint64_t)128 << 20)
#define ELEMENT_MOST ((uint64_t)1 << 30) /* offsets in a window have 32 bits */
#define LOOK_LEAST ((uint64_t)1 << 20)
#define LOOK_MOST ((uint64_t)16 << 20)

enum { NOT_REFUSED, REFUSED_EVENTS, REFUSED_MEMORY, REFUSED_ADDRESS, REFUSED_BARREN, REFUSED_ELEMENT, REFUSED_HEADER };

/* Read the beginning of a small system file as a string; false = the file cannot be read. */
static bool slurp(const char *path, char *out, size_t cap)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return false;
    ssize_t n = read(fd, out, cap - 1);
    close(fd);
    out[n > 0 ? n : 0] = 0;
    return n > 0;
}

static uint64_t number_in(const char *path)
{
    char text[64];
    if (!slurp(path, text, sizeof text) || text[0] < '0' || text[0] > '9') return UINT64_MAX; /* "max" = no limit */
    uint64_t v = strtoull(text, NULL, 10);
    return v ? v : UINT64_MAX;
}

static uint64_t available(void)
{
    char text[2048];
    const char *p = slurp("/proc/meminfo", text, sizeof text) ? strstr(text, "MemAvailable:") : NULL;
    if (p) return strtoull(p + strlen("MemAvailable:"), NULL, 10) * 1024;
    long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
    return pages > 0 && size > 0 ? (uint64_t)pages * (uint64_t)size : UINT64_MAX;
}

/* The lowest limit of this process's control group and the groups around it. */
static uint64_t group_limit(void)
{
    char text[4096], path[4600];
    uint64_t least = number_in("/sys/fs/cgroup/memory/memory.limit_in_bytes"); /* version 1 of control groups */
    char *p = slurp("/proc/self/cgroup", text, sizeof text) ? strstr(text, "0::/") : NULL;
    if (!p) return least;
    char *group = p + 3;
    group[strcspn(group, "\n")] = 0;
    for (;;) {
        snprintf(path, sizeof path, "/sys/fs/cgroup%s/memory.max", group);
        uint64_t v = number_in(path);
        if (v < least) least = v;
        char *slash = strrchr(group, '/');
        if (!slash || !*group) return least;
        *slash = 0;
    }
}

static void memory_now(uint64_t *address, uint64_t *resident)
{
    char text[128], *end;
    *address = *resident = 0;
    if (!slurp("/proc/self/statm", text, sizeof text)) return;
    uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
    *address = strtoull(text, &end, 10) * page;
    *resident = strtoull(end, NULL, 10) * page;
}

static uint64_t between(uint64_t least, uint64_t v, uint64_t most) { return v < least ? least : v > most ? most : v; }

void tt_limits_init(tt_limits *l, uint64_t memory, uint64_t events)
{
    struct rlimit as;
    *l = (tt_limits){.memory = memory, .address = UINT64_MAX, .events = events ? events : EVENTS_MOST};
    if (l->events > EVENTS_MOST) l->events = EVENTS_MOST;
    l->memory_of = "--max-memory";
    if (!memory) {
        uint64_t free_now = available(), group = group_limit();
        l->memory = (free_now < group ? free_now : group) / 10 * 9;
        l->memory_of = free_now < group ? "what this machine has free" : "what the control group allows";
    }
    l->element = between(ELEMENT_LEAST, l->memory / ELEMENT_SHARE, memory ? ELEMENT_MOST : ELEMENT_DEFAULT);
    if (getrlimit(RLIMIT_AS, &as) == 0 && as.rlim_cur != RLIM_INFINITY) l->address = as.rlim_cur;
}

void tt_watch_file(tt_watch *w)
{
    uint64_t address, resident;
    memory_now(&address, &resident);
    atomic_store(&w->resident_before, resident);
}

static int reason(const tt_watch *w, uint64_t events, uint64_t text)
{
    uint64_t address, resident;
    if (text > events * TEXT_OF_EVENT && text - events * TEXT_OF_EVENT > w->limits.memory / BARREN_SHARE)
        return REFUSED_BARREN;
    memory_now(&address, &resident);
    uint64_t before = atomic_load(&w->resident_before);
    uint64_t read = resident > before ? resident - before : 0, more = read / 8 * 5;
    if (resident + more > w->limits.memory) return REFUSED_MEMORY;
    if (address + more > w->limits.address / 20 * 19) return REFUSED_ADDRESS;
    return NOT_REFUSED;
}

static void refuse(tt_watch *w, int why)
{
    int none = NOT_REFUSED;
    (void)atomic_compare_exchange_strong(&w->refused, &none, why);
}

bool tt_watch_look(tt_watch *w, uint64_t events, uint64_t text_bytes)
{
    int why = events > w->limits.events ? REFUSED_EVENTS : NOT_REFUSED;
    uint64_t turn = text_bytes / between(LOOK_LEAST, w->limits.memory / ELEMENT_SHARE, LOOK_MOST);
    if (!why && atomic_exchange(&w->asked, turn) != turn) why = reason(w, events, text_bytes);
    if (why) refuse(w, why);
    return atomic_load(&w->refused) == NOT_REFUSED;
}

void tt_watch_too_long(tt_watch *w, uint64_t offset, bool header)
{
    atomic_store(&w->offset, offset);
    refuse(w, header ? REFUSED_HEADER : REFUSED_ELEMENT);
}

#define MEMORY_WORDS                                                                                                   \
    "%s: would take more than %llu MiB of memory (%s); --max-memory SIZE raises this limit, --worker or --span opens " \
    "a part of a run"

const char *tt_limits_words(const tt_limits *l, const char *path, tt_arena *a)
{
    char *words =
        tt_arena_printf(a, "tracetty: " MEMORY_WORDS "\n", path, (unsigned long long)l->memory >> 20, l->memory_of);
    for (char *p = words; p[0] && p[1]; p++) {
        if (*p < ' ' || *p > '~') *p = '?';
    }
    return words;
}

bool tt_watch_forgive(tt_watch *w)
{
    int why = atomic_load(&w->refused);
    if (why != REFUSED_MEMORY && why != REFUSED_ADDRESS) return false;
    atomic_store(&w->refused, NOT_REFUSED);
    return true;
}

tt_status tt_watch_status(const tt_watch *w, const char *path, tt_err *err)
{
    const tt_limits *l = &w->limits;
    unsigned long long mib = l->memory >> 20, offset = atomic_load(&w->offset), element = l->element >> 20;
    switch (atomic_load(&w->refused)) {
    case REFUSED_EVENTS:
        return tt_fail(err, TT_ERR_LIMIT, -1, "%s: more than %llu events; --max-events raises this limit (up to %u)",
                       path, (unsigned long long)l->events, EVENTS_MOST);
    case REFUSED_MEMORY: return tt_fail(err, TT_ERR_LIMIT, -1, MEMORY_WORDS, path, mib, l->memory_of);
    case REFUSED_ADDRESS:
        return tt_fail(
            err, TT_ERR_LIMIT, -1,
            "%s: would take more than the %llu MiB of address space that this shell allows; raise it: ulimit -v "
            "unlimited",
            path, (unsigned long long)(l->address >> 20));
    case REFUSED_BARREN:
        return tt_fail(
            err, TT_ERR_LIMIT, -1,
            "%s: more than %llu MiB of text with hardly an event in it: no trace, or made to fill the memory; "
            "--max-memory SIZE raises this limit (a quarter of it)",
            path, mib / BARREN_SHARE);
    case REFUSED_ELEMENT:
        return tt_fail(
            err, TT_ERR_LIMIT, (int64_t)offset,
            "%s: what begins at byte %llu of the text goes on for more than %llu MiB (an event, a string or a "
            "list that does not end): no trace, or made to fill the memory; --max-memory SIZE raises this "
            "limit (a 64th of it)",
            path, offset, element);
    case REFUSED_HEADER:
        return tt_fail(
            err, TT_ERR_LIMIT, (int64_t)offset,
            "%s: more than %llu MiB of header in front of byte %llu of the text (members beside the list of "
            "events): no trace, or made to fill the memory; --max-memory SIZE raises this limit (a 64th of it)",
            path, element, offset);
    default: return TT_OK;
    }
}
