// Fuzz target: from the bytes of a trace to the screen. The first byte is the number of keys that follow, the rest is a
// trace; every frame is drawn and printed.
#include "tests/fuzz/screen.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (!size || size - 1 < data[0] % 32u) return 0;
    size_t keys = data[0] % 32u;
    tt_session *s = load_bytes(data + 1 + keys, size - 1 - keys, 1);
    if (s) drive(s, data + 1, keys);
    return 0;
}
