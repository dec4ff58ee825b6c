// Fuzz target: send keys, mouse events, pasted text and changes of size to an explorer without a terminal that shows a
// fixed trace.
#include "tests/fuzz/screen.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    drive(load_sample(), data, size);
    return 0;
}
