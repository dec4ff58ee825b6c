// Fuzz target: load any bytes as a trace file through discovery, archives, decompression and readers, then compute
// every table and read the arguments of some events. It must neither crash, leak, hang nor read out of bounds.
#include "tests/fuzz/common.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    use_session(load_bytes(data, size, 1 + size % 2));
    return 0;
}
