// Fuzz target: bytes as a compressed or plain file. The text must be the same in pieces of any size, after a rewind,
// and read again at any offset. In damaged data a back reference to before the beginning may decode to anything, so the
// target compares only text that a decoder can promise.
#include "parser/source/source.h"
#include "tests/fuzz/common.h"

enum { MOST = 1 << 20 };

static size_t read_all(tt_source *s, char *out, size_t piece)
{
    size_t n = 0, got = 1;
    while (got && n < MOST) {
        tt_err err;
        size_t want = MOST - n < piece ? MOST - n : piece;
        MUST(tt_source_read(s, out + n, want, &got, &err) == TT_OK && got <= want);
        n += got;
    }
    return n;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    memory_file f = file_of(data, size);
    tt_source *s;
    tt_err err = {.offset = -1};
    if (tt_source_open(f.path, &s, &err) == TT_OK) {
        char *a = tt_malloc(MOST), *b = tt_malloc(MOST);
        int64_t offset;
        size_t n = read_all(s, a, MOST);
        const char *damage = tt_source_damage(s, &offset);
        MUST(!damage || *damage);
        MUST(tt_source_rewind(s, &err) == TT_OK);
        size_t again = read_all(s, b, 1 + (size ? data[size / 2] : 0) * 7);
        MUST(damage || again == n); /* the length of the text before damage depends on the length asked for */
        if (again < n) n = again;
        MUST(damage || !memcmp(a, b, n));
        tt_text_source *t = tt_source_text(s);
        for (size_t i = 0; i < 8 && n; i++) {
            size_t at = (size_t)data[i * size / 8] * n / 256, want = n - at < 4096 ? n - at : 4096;
            int64_t got = t->read(t, at, b, want);
            MUST(got >= 0 && (size_t)got <= want && (damage || !memcmp(a + at, b, (size_t)got)));
        }
        t->close(t);
        free(a);
        free(b);
    } else {
        MUST(err.message[0]);
    }
    close(f.fd);
    return 0;
}
