/* capture/launcher/doctor.h - checks which features a recording can use on this machine. Used by `tracetty doctor`. */
#ifndef TT_CAPTURE_LAUNCHER_DOCTOR_H
#define TT_CAPTURE_LAUNCHER_DOCTOR_H

#include <stdbool.h>
#include <stddef.h>

typedef struct tt_finding {
    bool good;
    char what[32];   /* part of the machine, as "CUDA driver" */
    char found[600]; /* path and version, or the missing part */
    char lost[2000]; /* feature that a recording lacks without it, and the remedy; "" = none */
} tt_finding;

/* Run the checks; write at most cap findings, return their number. Loads libraries into this process. */
size_t tt_doctor(tt_finding *out, size_t cap);

#endif
