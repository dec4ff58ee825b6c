/* The little of libcuda and libcudart that the recorder asks where they are loaded. Built twice: under the name of
 * each. Like CUDA, it knows no device before its number was asked for. */
#include <stdlib.h>

#define EXPORT __attribute__((visibility("default")))

enum { VERSION = 12040, DRIVER = 13000, DEVICES = 2, SHARED_OPTIN = 97, BYTES = 232448 };
static int asked[DEVICES];

/* A libcupti that wants to know of calls puts a function here; its calls have the driver's numbers. */
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
    *device = number + 40; /* a handle is no number */
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
