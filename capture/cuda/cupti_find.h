/* capture/cuda/cupti_find.h - searches and loads libcupti. Used by the library and by `tracetty doctor`. */
#ifndef TT_CAPTURE_CUDA_CUPTI_FIND_H
#define TT_CAPTURE_CUDA_CUPTI_FIND_H

#include <stdbool.h>

#include "capture/cuda/cupti_calls.h"

/* Load libcupti: `given` when it is not empty, else TRACETTY_CUPTI, else the copy that this process has loaded, else
 * the major version of the loaded runtime, else of the driver and those before it down to 11 (an older CUPTI works on a
 * newer driver), each in the usual places. Returns the handle, its origin in place; or NULL. */
void *tt_cupti_load(const char *given, char *place, size_t cap);
/* Look up the functions; false with the name of a required one that is missing. */
bool tt_cupti_functions(void *lib, cu_functions *f, const char **missing);
/* Subscribe; returns CUPTI's code. From CU_VERSION_SCOPED on by the older function: the newer one belongs to the
 * activities of a subscriber, and the two kinds exclude each other. On CU_ERROR_BUSY holder gets the other
 * subscriber's name, "" = unknown. */
int tt_cupti_subscribe(const cu_functions *f, void **subscriber, void *callback, char holder[CU_HOLDER]);

#endif
