/* parser/rocm/names.c - spellings common to ROCm's databases. See names.h. */
#include "parser/rocm/names.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "model/text/demangle.h"

const tt_db_launch tt_rocm_no_launch = {{TT_UNKNOWN, TT_UNKNOWN, TT_UNKNOWN},
                                        {TT_UNKNOWN, TT_UNKNOWN, TT_UNKNOWN},
                                        TT_UNKNOWN,
                                        TT_UNKNOWN};

void tt_rocm_blocks(tt_db_launch *l)
{
    for (int i = 0; i < 3; i++) {
        if (l->grid[i] > 0 && l->block[i] > 0) l->grid[i] = (l->grid[i] - 1) / l->block[i] + 1;
    }
}

const char *tt_rocm_copy_name(const char *kind)
{
    static const struct {
        const char *rpd, *rocpd, *name;
    } copies[] = {{"CopyHostToDevice", "MEMORY_COPY_HOST_TO_DEVICE", "Memcpy HtoD (Host -> Device)"},
                  {"CopyDeviceToHost", "MEMORY_COPY_DEVICE_TO_HOST", "Memcpy DtoH (Device -> Host)"},
                  {"CopyDeviceToDevice", "MEMORY_COPY_DEVICE_TO_DEVICE", "Memcpy DtoD (Device -> Device)"},
                  {"CopyHostToHost", "MEMORY_COPY_HOST_TO_HOST", "Memcpy HtoH (Host -> Host)"}};
    for (size_t i = 0; i < sizeof copies / sizeof *copies; i++) {
        if (!strcmp(kind, copies[i].rpd) || !strcmp(kind, copies[i].rocpd)) return copies[i].name;
    }
    return NULL;
}

bool tt_rocm_is_call(const char *name)
{
    static const char *const calls[] = {"hip", "hsa_", "cuda", "rccl"};
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        if (!strncmp(name, calls[i], strlen(calls[i]))) return true;
    }
    return false;
}

const char *tt_rocm_symbol(const char *name, size_t *len)
{
    *len = tt_kernel_name_length(name, *len);
    return name;
}

void tt_rocm_thread(int64_t pid, int64_t tid, const char *process, const char *thread, tt_db_track_text *out)
{
    snprintf(out->pid, sizeof out->pid, "%" PRId64, pid);
    snprintf(out->tid, sizeof out->tid, "%" PRId64, tid);
    snprintf(out->process, sizeof out->process, "%.150s", process);
    snprintf(out->labels, sizeof out->labels, "CPU");
    snprintf(out->thread, sizeof out->thread, "thread %" PRId64 "%s%.60s%s", tid, *thread ? " (" : "", thread,
             *thread ? ")" : "");
    out->sort = pid;
}

void tt_rocm_stream(int64_t device, int64_t id, const char *what, bool counters, tt_db_track_text *out)
{
    enum { GPU_SORT = 5000000 }; /* sorts GPUs behind host processes, as in Kineto's traces */
    if (counters) {              /* counters number devices in another way than work does */
        snprintf(out->pid, sizeof out->pid, "GPU %" PRId64, device);
        snprintf(out->tid, sizeof out->tid, "?");
        snprintf(out->process, sizeof out->process, "monitor");
        out->sort = 2 * GPU_SORT + device;
        return;
    }
    snprintf(out->pid, sizeof out->pid, "%" PRId64, device);
    snprintf(out->tid, sizeof out->tid, "%" PRId64, id);
    snprintf(out->process, sizeof out->process, "GPU %" PRId64, device);
    snprintf(out->labels, sizeof out->labels, "GPU %" PRId64, device);
    snprintf(out->thread, sizeof out->thread, "%s %" PRId64, what, id);
    out->sort = GPU_SORT + device;
}
