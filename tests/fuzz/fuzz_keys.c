// Fuzz target: keys, mouse events, pasted text and changes of size, on the explorer without a terminal, over a fixed
// trace.
#include "tests/fuzz/screen.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    drive(load_sample(), data, size);
    return 0;
}
