// Fuzz target: bytes as Paddle's protobuf dump. Input without a leading version gets one, so that every input is
// recognised as a dump.
#include "parser/paddle_pb/reader.h"
#include "tests/fuzz/common.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char version[] = "\x0a\x05"
                                  "1.0.2";
    if (tt_paddle_pb_sniff((const char *)data, size)) {
        use_session(load_bytes(data, size, 1));
        return 0;
    }
    char *whole = tt_malloc(size + sizeof version);
    memcpy(whole, version, sizeof version - 1);
    memcpy(whole + sizeof version - 1, data, size);
    use_session(load_bytes(whole, size + sizeof version - 1, 1));
    free(whole);
    return 0;
}
