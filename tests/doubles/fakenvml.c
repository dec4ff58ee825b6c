/* A libnvidia-ml for tests with two GPUs, numbered in the reverse order of CUDA. FAKE_NVML_FAIL names a function that
 * fails; FAKE_CONFIDENTIAL is the state of confidential computing, "FEATURE TOOLS", each 0 or 1. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))

static const char *const uuids[2] = {"GPU-00000000-0000-0000-0000-000000000002", /* the first GPU is hidden from CUDA */
                                     "GPU-01020304-0506-0708-090a-0b0c0d0e0f10"};
static int numbers[2] = {0, 1};

static int fails(const char *name)
{
    const char *which = getenv("FAKE_NVML_FAIL");
    return which && !strcmp(which, name) ? 999 : 0;
}

static unsigned of(const void *device) { return (unsigned)*(const int *)device; }

#define FUNCTION(name, parameters)                                                                                     \
    EXPORT int nvml##name parameters;                                                                                  \
    int nvml##name parameters

FUNCTION(Init_v2, (void)) { return fails("Init_v2"); }
FUNCTION(Shutdown, (void)) { return 0; }
FUNCTION(DeviceGetCount_v2, (unsigned *n)) { return *n = 2, 0; }
FUNCTION(DeviceGetHandleByIndex_v2, (unsigned i, void **out)) { return *out = &numbers[i], 0; }
FUNCTION(DeviceGetHandleByUUID, (const char *uuid, void **out))
{
    for (int i = 0; i < 2; i++) {
        if (!strcmp(uuid, uuids[i])) return *out = &numbers[i], 0;
    }
    static int part = 5; /* handle of a MIG device, which NVML numbers like a GPU */
    if (!strcmp(uuid, "MIG-a0a1a2a3-a4a5-a6a7-a8a9-aaabacadaeaf")) return *out = &part, 0;
    return 6; /* NVML_ERROR_NOT_FOUND */
}
FUNCTION(DeviceGetUUID, (void *d, char *out, unsigned cap)) { return snprintf(out, cap, "%s", uuids[of(d)]), 0; }
FUNCTION(DeviceGetUtilizationRates, (void *d, unsigned *out))
{
    out[0] = 40 + of(d);
    out[1] = 20 + of(d);
    return fails("DeviceGetUtilizationRates");
}
FUNCTION(DeviceGetMemoryInfo, (void *d, unsigned long long *out)) { return out[2] = (1024ull + of(d)) << 20, 0; }
FUNCTION(DeviceGetPowerUsage, (void *d, unsigned *out)) { return *out = 300500 + of(d) * 1000, 0; }
FUNCTION(DeviceGetEnforcedPowerLimit, (void *d, unsigned *out)) { return *out = 700000 + of(d) * 1000, 0; }
FUNCTION(DeviceGetTemperature, (void *d, int sensor, unsigned *out)) { return *out = 60 + of(d), sensor; }
FUNCTION(DeviceGetClockInfo, (void *d, int type, unsigned *out)) { return *out = 1900 + of(d), type != 1; }
FUNCTION(DeviceGetPcieThroughput, (void *d, int way, unsigned *out))
{
    return *out = (way ? 5000 : 3000) + of(d) * 1000, 0;
}
FUNCTION(DeviceGetCurrentClocksThrottleReasons, (void *d, unsigned long long *out))
{
    return *out = of(d) ? 0x24 : 1, 0;
}
/* nvmlConfComputeSystemState_t: environment, feature, mode for developer tools */
FUNCTION(SystemGetConfComputeState, (unsigned *out))
{
    const char *state = getenv("FAKE_CONFIDENTIAL");
    out[0] = out[1] = out[2] = 0;
    if (state) sscanf(state, "%u %u", &out[1], &out[2]);
    return fails("SystemGetConfComputeState");
}
