// Fuzz target: bytes as a folder of files, for readers of several files. A byte 1 begins a file; its name ends with the
// line; all bytes up to the next byte 1 are its content. The target packs the folder as a tar archive in memory:
// the usual code then finds names, parts and their numbers.
#include "tests/fuzz/common.h"

enum { BLOCK = 512, FILES_MOST = 40 };

static size_t padded(size_t n) { return (n + BLOCK - 1) / BLOCK * BLOCK; }

/* Add a file to the archive; its name is cut to the length that a header holds. */
static void put_file(tt_text *tar, const char *name, size_t name_n, const char *text, size_t n)
{
    char head[BLOCK] = {0};
    static const char zeros[BLOCK] = {0};
    unsigned sum = 0;
    if (name_n > 99) name_n = 99;
    memcpy(head, name, name_n);
    memcpy(head + 100, "0000644", 8);
    snprintf(head + 124, 12, "%011zo", n);
    memcpy(head + 257, "ustar\00000", 8);
    head[156] = '0';
    memset(head + 148, ' ', 8);
    for (int i = 0; i < BLOCK; i++) sum += (unsigned char)head[i];
    snprintf(head + 148, 8, "%06o", sum);
    tt_text_put(tar, head, BLOCK);
    tt_text_put(tar, text, n);
    tt_text_put(tar, zeros, padded(n) - n);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *p = (const char *)data, *e = p + size;
    tt_text tar = {0};
    for (int files = 0; p < e && files < FILES_MOST; files++) {
        const char *name = *p == 1 ? p + 1 : p, *line = memchr(name, '\n', (size_t)(e - name));
        if (!line) break;
        const char *text = line + 1, *next = memchr(text, 1, (size_t)(e - text));
        if (!next) next = e;
        put_file(&tar, name, (size_t)(line - name), text, (size_t)(next - text));
        p = next;
    }
    char end[2 * BLOCK] = {0};
    tt_text_put(&tar, end, sizeof end);
    use_session(load_bytes(tar.at, tar.n, 1));
    tt_vec_free(&tar);
    return 0;
}
