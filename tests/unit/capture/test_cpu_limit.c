/* Number of processors that a process may use: quotas of its control group (both versions) and of the groups above. */
#include <math.h>
#include <sched.h>
#include <stdbool.h>

#include "capture/shared/cpu_limit.h"
#include "tests/unit/check.h"
#include "tests/unit/tempdir.h"

static void put(const char *path, const char *text) { temp_file(path, text, strlen(text)); }

static bool near(double a, double b) { return fabs(a - b) < 1e-9; }

int main(void)
{
    temp_begin();
    const char *root = temp_dir_;
    double all = tt_processors_allowed("/no/such/place");
    cpu_set_t set;
    CHECK(!sched_getaffinity(0, sizeof set, &set) && near(all, CPU_COUNT(&set)));
    put("proc/self/cgroup", "0::/a/b\n");
    put("sys/fs/cgroup/cpu.max", "max 100000\n");
    CHECK(near(tt_processors_allowed(root), all));
    put("sys/fs/cgroup/a/cpu.max", "25000 100000\n");
    put("sys/fs/cgroup/a/b/cpu.max", "50000 100000\n");
    CHECK(near(tt_processors_allowed(root), 0.25)); /* the group above allows less */
    put("sys/fs/cgroup/a/b/cpu.max", "10000 100000\n");
    CHECK(near(tt_processors_allowed(root), 0.1));
    put("proc/self/cgroup", "0::/another/container's\n"); /* a group that is not visible from here */
    CHECK(near(tt_processors_allowed(root), all));
    put("sys/fs/cgroup/cpu.max", "75000 100000");
    CHECK(near(tt_processors_allowed(root), 0.75));
    put("proc/self/cgroup", "5:memory:/m\n4:cpu,cpuacct:/old\n1:name=systemd:/\n");
    put("sys/fs/cgroup/cpu/old/cpu.cfs_quota_us", "-1\n");
    put("sys/fs/cgroup/cpu/old/cpu.cfs_period_us", "100000\n");
    CHECK(near(tt_processors_allowed(root), all));
    put("sys/fs/cgroup/cpu/old/cpu.cfs_quota_us", "60000\n");
    CHECK(near(tt_processors_allowed(root), 0.6));
    put("proc/self/cgroup", "rubbish\n:\n::\n");
    CHECK(near(tt_processors_allowed(root), 0.75) || near(tt_processors_allowed(root), all));
    temp_end();
    return check_done();
}
