// Fuzz target: bytes as a memory snapshot. Input without a leading protocol gets one, so that every input is recognised
// as a pickle. Then all tables of memory are computed.
#include "parser/snapshot/reader.h"
#include "tests/fuzz/common.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char protocol[] = "\x80\x04";
    if (tt_snapshot_sniff((const char *)data, size)) {
        use_session(load_bytes(data, size, 1));
        return 0;
    }
    char *whole = tt_malloc(size + sizeof protocol);
    memcpy(whole, protocol, sizeof protocol - 1);
    memcpy(whole + sizeof protocol - 1, data, size);
    use_session(load_bytes(whole, size + sizeof protocol - 1, 1));
    free(whole);
    return 0;
}
