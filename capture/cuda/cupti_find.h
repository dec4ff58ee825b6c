/* capture/cuda/cupti_find.h - looking for libcupti. Used by the library and by `tracetty doctor`. */
#ifndef TT_CAPTURE_CUDA_CUPTI_FIND_H
#define TT_CAPTURE_CUDA_CUPTI_FIND_H

#include <stdbool.h>

#include "capture/cuda/cupti_calls.h"

/* Load libcupti: `given` when it is not empty, else TRACETTY_CUPTI, else the one that this process has loaded, else
 * that of the major version of the loaded runtime, else of the driver's and those before it down to 11 (an older CUPTI
 * works on a newer driver), each in the usual places. NULL, or the handle with where it came from in place. */
void *tt_cupti_load(const char *given, char *place, size_t cap);
/* Fill in the functions; false with the name of a required one that is missing. */
bool tt_cupti_functions(void *lib, cu_functions *f, const char **missing);
/* CUPTI's code. When that is CU_ERROR_BUSY, the name of the other subscriber goes to holder, "" = this library does
 * not say. */
int tt_cupti_subscribe(const cu_functions *f, void **subscriber, void *callback, char holder[CU_HOLDER]);

#endif
