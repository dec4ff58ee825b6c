/* parser/source/source_zstd.c - zstd: any number of frames. A mark is the start of a frame, so a file of one frame (as
 * the zstd command writes) is decoded from the start for each earlier offset. */
#include "parser/source/source_impl.h"

#if TT_USE_ZSTD
#include <stdlib.h>
#include <zstd.h>
#include <zstd_errors.h>

/* Length of the shortest header of a frame. A failing call returns none of the text it decoded. So each call gets only
 * the input that zstd asked for, which is one block: damage costs that block alone. */
#define HEADER_BYTES 5

typedef enum phase { BETWEEN, INSIDE, ENDED } phase;

typedef struct zstd {
    tt_feed in;
    ZSTD_DCtx *z;
    size_t wants; /* input that the next call wants */
    phase phase;
} zstd;

static void *zstd_create(tt_raw *raw)
{
    zstd *d = tt_calloc(1, sizeof *d);

    tt_feed_init(&d->in, raw);
    d->z = ZSTD_createDCtx();
    if (!d->z) tt_mem_fail();
    return d;
}

static void zstd_destroy(void *decoder)
{
    zstd *d = decoder;

    ZSTD_freeDCtx(d->z);
    tt_feed_free(&d->in);
    free(d);
}

static void *zstd_mark(const void *decoder)
{
    const zstd *d = decoder;
    uint64_t *at;

    if (d->phase != BETWEEN) return NULL;
    at = tt_malloc(sizeof *at);
    *at = tt_feed_place(&d->in);
    return at;
}

static void zstd_restore(void *decoder, const void *mark)
{
    zstd *d = decoder;

    ZSTD_DCtx_reset(d->z, ZSTD_reset_session_only);
    d->phase = BETWEEN;
    tt_feed_seek(&d->in, mark ? *(const uint64_t *)mark : 0);
}

/* Go to the next frame: it starts with the magic of data or with one of the 16 magics of skippable frames. */
static int next_frame(tt_source *s, zstd *d)
{
    static const unsigned char data[4] = {0x28, 0xB5, 0x2F, 0xFD}, skip[3] = {0x2A, 0x4D, 0x18};
    int found = tt_feed_next(&d->in, data, sizeof data);

    if (found < 0) return -1;
    if (found == 2 && d->in.end - d->in.pos >= 4 && d->in.buf[d->in.pos] >> 4 == 5 &&
        d->in.buf[d->in.pos + 1] == skip[0] && d->in.buf[d->in.pos + 2] == skip[1] &&
        d->in.buf[d->in.pos + 3] == skip[2]) {
        found = 1;
    }
    if (found == 2) {
        tt_source_note(s, s->at, false,
                       "something that is no zstd follows the zstd data at byte %llu of the file; ignored",
                       (unsigned long long)tt_feed_place(&d->in));
    }
    d->phase = found == 1 ? INSIDE : ENDED;
    d->wants = HEADER_BYTES;
    return 0;
}

static void note_error(tt_source *s, const zstd *d, size_t code, uint64_t text_at)
{
    unsigned long long offset = (unsigned long long)tt_feed_place(&d->in);

    if (ZSTD_getErrorCode(code) == ZSTD_error_frameParameter_windowTooLarge) {
        tt_source_note(s, text_at, true,
                       "the zstd data needs a window above 128 MB; decompress it with zstd -d --long=31");
    } else if (ZSTD_getErrorCode(code) == ZSTD_error_checksum_wrong) {
        tt_source_note(s, text_at, true,
                       "the zstd checksum at byte %llu of the file is wrong: some of the text is not what "
                       "was written",
                       offset);
    } else {
        tt_source_note(s, text_at, true, "the zstd data is damaged before byte %llu of the file", offset);
    }
}

/* Decode up to the end of a frame at most, where a mark can be set. */
static int zstd_read(tt_source *s, void *decoder, char *out, size_t cap, size_t *got)
{
    zstd *d = decoder;

    while (*got < cap && d->phase != ENDED) {
        ZSTD_outBuffer to = {out, cap, *got};
        ZSTD_inBuffer from;
        int64_t more = 1;
        size_t st;

        if (d->phase == BETWEEN) {
            if (*got) break;
            if (next_frame(s, d) < 0) return -1;
            continue;
        }
        if (d->in.pos == d->in.end && (more = tt_feed_more(&d->in)) < 0) return -1;
        from.src = d->in.buf;
        from.size = d->in.end;
        from.pos = d->in.pos;
        if (from.size - from.pos > d->wants) from.size = from.pos + d->wants;
        st = ZSTD_decompressStream(d->z, &to, &from);
        d->in.pos = from.pos;
        d->wants = st;
        if (ZSTD_isError(st)) {
            note_error(s, d, st, s->at + to.pos);
            d->phase = ENDED;
        } else if (st == 0) {
            d->phase = BETWEEN;
        } else if (more == 0 && to.pos == *got) {
            tt_source_note(s, s->at + to.pos, true, "the zstd data is cut off at byte %llu of the file",
                           (unsigned long long)tt_feed_place(&d->in));
            d->phase = ENDED;
        }
        *got = to.pos;
    }
    return 0;
}

const tt_source_ops tt_source_zstd = {
    .name = "zstd",
    .create = zstd_create,
    .read = zstd_read,
    .mark = zstd_mark,
    .restore = zstd_restore,
    .mark_free = free,
    .destroy = zstd_destroy,
};
#else
/* ISO C requires a declaration in every translation unit. */
typedef int tt_source_zstd_left_out;
#endif
