/* capture/launcher/doctor.c - one check per function: the library, libcupti, the driver, NVML, permissions, MPS,
 * confidential computing, other profilers, stacks. See doctor.h. */
#include "capture/launcher/doctor.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "capture/cuda/cupti_find.h"
#include "capture/launcher/dynolog.h"
#include "capture/launcher/launch.h"
#include "capture/stacks/stacks.h"

static tt_finding *say(tt_finding *f, bool good, const char *what, const char *lost)
{
    *f = (tt_finding){.good = good};
    snprintf(f->what, sizeof f->what, "%s", what);
    snprintf(f->lost, sizeof f->lost, "%s", lost);
    return f;
}

static void check_library(tt_finding *f)
{
    char path[512], why[600] = "libtracetty_capture.so was not found beside the program";
    bool good = tt_find_library(path, sizeof path) && tt_try_library(path, why, sizeof why);
    say(f, good, "recorder", good ? "" : "nothing can be recorded; build or install it, or set TRACETTY_CAPTURE_LIB");
    snprintf(f->found, sizeof f->found, good ? "%s, can be loaded here" : "%s", good ? path : why);
}

static void *symbol(void *lib, const char *name) { return lib ? dlsym(lib, name) : NULL; }

static void check_driver(tt_finding *f)
{
    void *lib = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL), *at = symbol(lib, "cuDriverGetVersion"),
         *at_init = symbol(lib, "cuInit");
    int (*version)(int *) = NULL, (*init)(unsigned) = NULL, v = 0, e = -1;
    memcpy(&version, &at, sizeof version);
    memcpy(&init, &at_init, sizeof init);
    if (version) version(&v);
    if (init) e = init(0);
    say(f, lib && !e, "CUDA driver",
        lib && !e ? "" : "no GPU activity; ranges, steps and processor use are recorded all the same");
    if (!lib) {
        snprintf(f->found, sizeof f->found, "libcuda.so.1 cannot be loaded: there is no NVIDIA driver here");
    } else {
        snprintf(f->found, sizeof f->found, "for CUDA %d.%d%s", v / 1000, v % 1000 / 10, e ? "" : ", works");
        if (e)
            snprintf(f->found, sizeof f->found, "for CUDA %d.%d, but cuInit fails: error %d", v / 1000, v % 1000 / 10,
                     e);
    }
}

typedef struct opened_cupti {
    void *lib; /* NULL: not found */
    char place[512];
    const char *missing; /* name of a required function that the library lacks */
    cu_functions cu;
    uint32_t version;
} opened_cupti;

/* Find libcupti and its functions; false when CUPTI cannot be used. */
static bool open_cupti(opened_cupti *c)
{
    *c = (opened_cupti){.missing = ""};
    c->lib = tt_cupti_load("", c->place, sizeof c->place);
    return c->lib && tt_cupti_functions(c->lib, &c->cu, &c->missing) && !c->cu.GetVersion(&c->version);
}

static void check_cupti(tt_finding *f)
{
    opened_cupti c;
    char holder[CU_HOLDER];
    const char *text = NULL;
    bool good = open_cupti(&c);
    say(f, good && c.version >= CU_VERSION_LEAST, "CUPTI",
        good ? ""
             : "no GPU activity; install the CUDA toolkit or the Python package nvidia-cuda-cupti, or give --cupti "
               "PATH");
    if (!c.lib) {
        snprintf(f->found, sizeof f->found,
                 "libcupti was found neither by TRACETTY_CUPTI nor in CUDA_HOME or /usr/local/cuda");
        return;
    }
    if (!good) {
        snprintf(f->found, sizeof f->found, "%s lacks %s", c.place, c.missing);
        return;
    }
    void *subscriber = NULL;
    int e = tt_cupti_subscribe(&c.cu, &subscriber, NULL, holder);
    if (!e && c.cu.Unsubscribe) c.cu.Unsubscribe(subscriber);
    if (e && c.cu.GetResultString) c.cu.GetResultString(e, &text);
    snprintf(f->found, sizeof f->found, "version %u in %s%s%s", c.version, c.place, e ? "; subscribing fails: " : "",
             e ? (text ? text : "?") : "");
    if (e) f->good = false;
    if (e == CU_ERROR_BUSY)
        snprintf(f->lost, sizeof f->lost, "another profiler holds CUPTI%s%s; one at a time", *holder ? ": " : "",
                 holder);
    if (e && e != CU_ERROR_BUSY) snprintf(f->lost, sizeof f->lost, "no GPU activity until the driver works");
}

/* Report the known faults of this version and when a recording meets them, as many as fit. */
static void check_faults(tt_finding *f)
{
    static const struct {
        uint32_t first, last;
        const char *when, *what;
    } faults[] = {
#define X(first, last, when, what) {first, last, when, what},
#include "capture/cuda/cupti_faults.def"
#undef X
    };
    opened_cupti c;
    bool there = open_cupti(&c);
    say(f, there, "CUPTI faults", "");
    size_t n = 0, known = 0;
    for (size_t i = 0; there && i < sizeof faults / sizeof *faults; i++) {
        if (c.version < faults[i].first || c.version > faults[i].last) continue;
        const char *when = faults[i].when;
        known++;
        if (n < sizeof f->lost)
            n += (size_t)snprintf(f->lost + n, sizeof f->lost - n, "%s%s%s%s", n ? "; " : "", when, *when ? ": " : "",
                                  faults[i].what);
    }
    if (there)
        snprintf(f->found, sizeof f->found, "%zu known of version %u", known, c.version);
    else
        snprintf(f->found, sizeof f->found, "none without libcupti");
}

/* Optional features, detected by a function of the library or by its version. */
static void check_extras(tt_finding *f)
{
    opened_cupti c;
    bool there = open_cupti(&c);
    say(f, there, "CUPTI extras", "");
    if (!there) {
        snprintf(f->found, sizeof f->found, "none without libcupti");
        return;
    }
    const struct {
        bool have;
        const char *what, *since;
    } extras[] = {
        {c.version >= CU_VERSION_MEMORY, "--memory", "CUDA 11.2"},
        {c.version >= CU_VERSION_GRAPH_TRACE, "--trace +graph", "11.7, and driver 515"},
        {c.cu.ActivityConfigureUnifiedMemoryCounter != NULL, "+um", "11.0"},
        {true, "+env", "11.0"},
        {c.cu.ActivityEnableLatencyTimestamps != NULL, "+latency", "11.0"},
        {true, "+event", "11.0"},
        {c.cu.ActivityEnableCudaEventDeviceTimestamps != NULL, "device times of events", "12.8"},
        {c.cu.ActivityEnableDriverApi != NULL, "launches of the driver without its other calls", "12.5"},
        {c.cu.ActivityRegisterTimestampCallback != NULL, "a clock that never steps", "11.6"},
    };
    size_t n = 0, m = 0;
    for (size_t i = 0; i < sizeof extras / sizeof *extras; i++) {
        char *out = extras[i].have ? f->found : f->lost;
        size_t *at = extras[i].have ? &n : &m, cap = extras[i].have ? sizeof f->found : sizeof f->lost;
        const char *sep = *at ? ", " : extras[i].have ? "" : "not with this libcupti: ";
        if (*at >= cap) continue;
        *at += (size_t)snprintf(out + *at, cap - *at, extras[i].have ? "%s%s" : "%s%s (%s)", sep, extras[i].what,
                                extras[i].since);
    }
}

static void check_nvml(tt_finding *f)
{
    void *lib = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
    say(f, lib != NULL, "NVML", lib ? "" : "no utilisation, memory, power and clock of GPUs; it comes with the driver");
    snprintf(f->found, sizeof f->found, "libnvidia-ml.so.1 %s", lib ? "can be loaded" : "cannot be loaded");
}

/* MPS: its control daemon leaves a pipe in the directory that programs find by the same variable. */
static void check_mps(tt_finding *f)
{
    const char *dir = getenv("CUDA_MPS_PIPE_DIRECTORY");
    char path[300];
    struct stat st;
    opened_cupti c;
    if (!dir || !*dir) dir = "/tmp/nvidia-mps";
    snprintf(path, sizeof path, "%s/control", dir);
    bool mps = !stat(path, &st) && (S_ISFIFO(st.st_mode) || S_ISSOCK(st.st_mode));
    bool old = mps && open_cupti(&c) && c.version < CU_VERSION_MPS;
    say(f, !old, "MPS",
        !mps ? ""
        : old
            ? "cooperative kernels may hang while they are recorded: take CUPTI 13.0 or later, and driver 580 or later"
            : "recording under MPS is not tested; cooperative kernels may hang with a driver before 580");
    snprintf(f->found, sizeof f->found, mps ? "in use: its pipe is %s" : "not in use: there is no pipe %s", path);
}

/* Confidential computing: nvmlConfComputeSystemState_t has three numbers. False: NVML does not tell. */
static bool confidential(bool *on, bool *for_tools)
{
    unsigned state[3] = {0}; /* environment; feature: 0 = off; mode for developer tools: 0 = off */
    int (*init)(void) = NULL, (*get)(unsigned *) = NULL;
    void *lib = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL), *at = symbol(lib, "nvmlInit_v2"),
         *at_get = symbol(lib, "nvmlSystemGetConfComputeState");
    memcpy(&init, &at, sizeof init);
    memcpy(&get, &at_get, sizeof get);
    if (!init || !get || init() || get(state)) return false;
    *on = state[1] != 0;
    *for_tools = state[2] != 0;
    return true;
}

static void check_confidential(tt_finding *f)
{
    bool on = false, tools = false, told = confidential(&on, &tools);
    opened_cupti c;
    bool old = on && tools && open_cupti(&c) && c.version < CU_VERSION_CONFIDENTIAL;
    say(f, !on || (tools && !old), "confidential",
        !on ? ""
        : !tools
            ? "no GPU activity: CUPTI does not work in this mode; ranges, steps and processor use are recorded all "
              "the same. Set the GPUs to the mode for developer tools (devtools)"
        : old ? "no GPU activity: take CUPTI 12.2 Update 1 or later"
              : "copies from pinned memory of the host are shown as copies between devices");
    snprintf(f->found, sizeof f->found, "confidential computing %s",
             !told   ? "is not known: NVML does not tell"
             : !on   ? "is off"
             : tools ? "is on, in the mode for developer tools"
                     : "is on");
}

static void check_permission(tt_finding *f)
{
    char line[128];
    bool admins_only = false;
    FILE *in = fopen("/proc/driver/nvidia/params", "re");
    while (in && fgets(line, sizeof line, in)) admins_only |= !strncmp(line, "RmProfilingAdminOnly: 1", 23);
    say(f, true, "permissions",
        admins_only ? "hardware counters are for administrators (NVreg_RestrictProfilingToAdminUsers=0 changes it)"
                    : "");
    snprintf(f->found, sizeof f->found, "tracing needs none%s",
             in ? "" : "; the driver's settings are not there to be read");
    if (in) fclose(in);
}

static void check_holder(tt_finding *f)
{
    const char *holder = tt_launch_holder();
    say(f, !holder, "other profilers", holder ? "'record' refuses to start; unset it, or add --force" : "");
    if (holder) {
        snprintf(f->found, sizeof f->found, "%s=%s", holder, getenv(holder));
    } else {
        snprintf(f->found, sizeof f->found, "none in the environment");
    }
}

static void check_kineto(tt_finding *f)
{
    tt_dynolog d;
    char why[300] = "";
    bool good = tt_dynolog_open(&d, NULL, false, why, sizeof why);
    tt_dynolog_close(&d);
    say(f, good, "kineto",
        good ? ""
             : "'record --attach' cannot answer here, and '--via kineto' only a PyTorch that knows "
               "KINETO_IPC_SOCKET_DIR");
    snprintf(f->found, sizeof f->found, "%s", good ? "PyTorch's profiler can be asked: nobody else answers it" : why);
}

static void check_stacks(tt_finding *f)
{
    char whose[100];
    bool good = tt_live_stacks_allowed(whose, sizeof whose);
    say(f, good, "stacks",
        good ? "not read: Python 3.10 and older, 3.14 and later; not tried: Python without its global lock"
             : "no stacks when a program hangs: let the container call process_vm_readv");
    snprintf(f->found, sizeof f->found, good ? "Python 3.11 to 3.13: %s" : "%s", whose);
}

/* Who names the profiler plugin of NCCL. */
static void check_nccl(tt_finding *f)
{
    char ours[512] = "";
    const char *v = getenv(TT_NCCL_ENV);
    bool set = v && *v, good = !set || (tt_find_library(ours, sizeof ours) && !strcmp(v, ours));
    say(f, good, "NCCL plugin",
        good ? "" : "communicators and collectives are not recorded: unset it, or choose between the two");
    snprintf(
        f->found, sizeof f->found,
        set ? (good ? TT_NCCL_ENV " is the recorder already" : TT_NCCL_ENV " is set to %.300s, which 'record' leaves")
            : "'record' sets " TT_NCCL_ENV ", which is free",
        v);
}

static void check_place(tt_finding *f)
{
    char cwd[512];
    bool good = getcwd(cwd, sizeof cwd) && access(cwd, W_OK | X_OK) == 0;
    say(f, good, "output", good ? "" : "give another place with --output");
    snprintf(f->found, sizeof f->found, "%s %s", good ? "can write in" : "cannot write in", cwd);
}

size_t tt_doctor(tt_finding *out, size_t cap)
{
    static void (*const checks[])(tt_finding *) = {
        check_library,      check_driver, check_cupti,      check_faults, check_extras, check_nvml,   check_mps,
        check_confidential, check_holder, check_permission, check_kineto, check_nccl,   check_stacks, check_place};
    size_t n = sizeof checks / sizeof *checks;
    for (size_t i = 0; i < n && i < cap; i++) checks[i](&out[i]);
    return n < cap ? n : cap;
}
