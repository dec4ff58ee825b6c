/* capture/shared/cpu_limit.c - the smallest of affinity and the quotas of a control group and its ancestors. A
 * container sees all processors of its machine in /proc/stat, but may use few. See cpu_limit.h. */
#include "capture/shared/cpu_limit.h"

#include <math.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "capture/shared/sysfile.h"

static double by_affinity(void)
{
    enum { MOST = 8192 };
    cpu_set_t *set = CPU_ALLOC(MOST);
    size_t size = CPU_ALLOC_SIZE(MOST);
    double n = set && !sched_getaffinity(0, size, set) ? CPU_COUNT_S(size, set) : INFINITY;
    if (set) CPU_FREE(set);
    return n;
}

/* Quota of cgroup version 2: "200000 100000", or "max 100000". */
static double quota2(const char *dir)
{
    char path[1024], text[64];
    double quota, period;
    snprintf(path, sizeof path, "%s/cpu.max", dir);
    bool have = tt_sysfile_read(path, text, sizeof text) && sscanf(text, "%lf %lf", &quota, &period) == 2;
    return have && quota > 0 && period > 0 ? quota / period : INFINITY;
}

/* Quota of cgroup version 1; -1 = no limit. */
static double quota1(const char *dir)
{
    char path[1024], text[64];
    snprintf(path, sizeof path, "%s/cpu.cfs_quota_us", dir);
    double quota = tt_sysfile_read(path, text, sizeof text) ? strtod(text, NULL) : 0;
    snprintf(path, sizeof path, "%s/cpu.cfs_period_us", dir);
    double period = tt_sysfile_read(path, text, sizeof text) ? strtod(text, NULL) : 0;
    return quota > 0 && period > 0 ? quota / period : INFINITY;
}

/* The smallest quota of the group and its ancestors up to `base`. In a container the group's path may not exist: then
 * use base. */
static double smallest(const char *base, const char *group, double (*quota)(const char *dir))
{
    char dir[900];
    double least = INFINITY;
    size_t n = strlen(base);
    snprintf(dir, sizeof dir, "%s%s", base, group);
    for (;;) {
        least = fmin(least, quota(dir));
        char *slash = strrchr(dir, '/');
        if (!slash || (size_t)(slash - dir) < n) return least;
        *slash = 0;
    }
}

double tt_processors_allowed(const char *root)
{
    char text[4096], path[600], base[600];
    double least = by_affinity();
    snprintf(path, sizeof path, "%s/proc/self/cgroup", root);
    if (!tt_sysfile_read(path, text, sizeof text)) return least;
    char *rest = NULL;
    for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
        char *names = strchr(line, ':'), *group = names ? strchr(names + 1, ':') : NULL;
        if (!group) continue;
        *group++ = 0;
        names++;
        if (!*names) { /* version 2 line, "0::/user.slice" */
            snprintf(base, sizeof base, "%s/sys/fs/cgroup", root);
            least = fmin(least, smallest(base, group, quota2));
        } else if (snprintf(path, sizeof path, ",%.*s,", (int)(group - 1 - names), names) > 0 &&
                   strstr(path, ",cpu,")) {
            snprintf(base, sizeof base, "%s/sys/fs/cgroup/cpu", root);
            least = fmin(least, smallest(base, group, quota1));
        }
    }
    return least;
}
