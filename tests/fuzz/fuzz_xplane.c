// Fuzz target: bytes as an XSpace of XLA. Input that names no plane becomes the fields of a plane, so that every input
// is recognised as an XSpace.
#include "parser/xplane/reader.h"
#include "tests/fuzz/common.h"

static size_t put_varint(char *out, uint64_t v)
{
    size_t n = 0;
    for (; v > 127; v >>= 7) out[n++] = (char)((v & 127) | 128);
    out[n++] = (char)v;
    return n;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const names[] = {"\x12\x0d/device:GPU:0", "\x12\x0d/device:TPU:1", "\x12\x09/host:CPU"};
    if (tt_xplane_sniff((const char *)data, size)) {
        use_session(load_bytes(data, size, 2));
        return 0;
    }
    const char *name = names[size ? data[0] % 3 : 0];
    size_t len = strlen(name), n = 0;
    char *whole = tt_malloc(size + len + 16);
    whole[n++] = 0x0A;
    n += put_varint(whole + n, size + len);
    memcpy(whole + n, name, len);
    memcpy(whole + n + len, data, size);
    use_session(load_bytes(whole, n + len + size, 1));
    free(whole);
    return 0;
}
