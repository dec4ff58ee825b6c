/* capture/cuda/cuda_info.h - versions and limits, from the CUDA libraries that this process has loaded. Private to the
 * library.
 *
 * Loads and initialises nothing. Inside cuInit() only tt_cuda_driver_version() may be called. */
#ifndef TT_CAPTURE_CUDA_CUDA_INFO_H
#define TT_CAPTURE_CUDA_CUDA_INFO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Path of the first loaded library whose file name begins with `begins`; false: none. */
bool tt_loaded_library(const char *begins, char *path, size_t cap);
/* Versions, such as 12040 for CUDA 12.4; 0: unknown. The driver's version is the newest CUDA that it serves. The
 * runtime's version is known only if it is a shared library. */
int tt_cuda_driver_version(void);
int tt_cuda_runtime_version(void);
/* Maximum shared memory per block of this device, bytes; 0: unknown. */
uint32_t tt_cuda_shared_optin(uint32_t device);

#endif
