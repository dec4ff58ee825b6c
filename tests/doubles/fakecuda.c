/* The few functions of libcuda and libcudart that the recorder calls when these libraries are loaded. The Makefile
 * builds this file once under each name. Like CUDA, it refuses devices until somebody has asked for their number. */
#include <stdlib.h>

#define EXPORT __attribute__((visibility("default")))

enum { VERSION = 12040, DRIVER = 13000, DEVICES = 2, SHARED_OPTIN = 97, BYTES = 232448 };
static int asked[DEVICES];

/* The libcupti of the tests stores a function here; each call of the driver invokes it with the driver's cbid. */
EXPORT void (*fake_cuda_called)(unsigned cbid);
enum { CALL_VERSION = 2 };

EXPORT int cuDriverGetVersion(int *version);
EXPORT int cuDeviceGet(int *device, int number);
EXPORT int cuDeviceGetAttribute(int *value, int attribute, int device);
EXPORT int cudaRuntimeGetVersion(int *version);

int cuDriverGetVersion(int *version)
{
    const char *other = getenv("FAKE_DRIVER"); /* 12040 for CUDA 12.4 */
    *version = other ? (int)strtol(other, NULL, 10) : DRIVER;
    if (fake_cuda_called) fake_cuda_called(CALL_VERSION);
    return 0;
}

int cuDeviceGet(int *device, int number)
{
    if (number < 0 || number >= DEVICES) return 101; /* CUDA_ERROR_INVALID_DEVICE */
    asked[number] = 1;
    *device = number + 40; /* a handle differs from the device's number */
    return 0;
}

int cuDeviceGetAttribute(int *value, int attribute, int device)
{
    if (device < 40 || device >= 40 + DEVICES || !asked[device - 40]) return 101;
    if (attribute != SHARED_OPTIN) return 1;
    *value = BYTES;
    return 0;
}

int cudaRuntimeGetVersion(int *version)
{
    *version = VERSION;
    return 0;
}
