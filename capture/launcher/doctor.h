/* capture/launcher/doctor.h - what a recording would find on this machine. Used by `tracetty doctor`.                              */
#ifndef TT_CAPTURE_LAUNCHER_DOCTOR_H
#define TT_CAPTURE_LAUNCHER_DOCTOR_H

#include <stdbool.h>
#include <stddef.h>

typedef struct tt_finding {
    bool good;
    char what[32];   /* "CUDA driver" */
    char found[600]; /* where and which version, or what is missing */
    char lost[300];  /* what a recording does not have without it, and what to do; "" = nothing */
} tt_finding;

/* Look; at most cap findings are written, the number is returned. Loads libraries into this process. */
size_t tt_doctor(tt_finding *out, size_t cap);

#endif
