/* parser/source/source_gzip.c - gzip: any number of members, inflated straight into the caller's buffer.
 *
 * ISA-L inflates 2 to 3 times as fast as zlib with the same results; the build chooses one. Sizes in the trailer are
 * checked but never used (they are modulo 2^32). A mark is a copy of the inflater's state and the offset in the raw
 * bytes; every step sets the pointers into buffers anew, so the copied state is complete. */
#include "parser/source/source_impl.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

/* Result of one step of an inflater. */
typedef enum outcome { GOING_ON, MEMBER_END, BAD_DATA, BAD_SUM } outcome;

#if TT_USE_ISAL
#include <isa-l/igzip_lib.h>

#define UNSURE 64

typedef struct inflater {
    struct inflate_state state;
    /* Header of the member. Without it isal_inflate() forgets the header's flags if the input ends inside the header,
     * and takes the file name for compressed data. */
    struct isal_gzip_header header;
    bool in_header;
} inflater;

static void inflater_open(inflater *z)
{
    isal_inflate_init(&z->state);
    z->in_header = false;
}
static void inflater_begin(inflater *z, bool bare)
{
    isal_inflate_reset(&z->state);
    isal_gzip_header_init(&z->header);
    z->state.crc_flag = bare ? ISAL_DEFLATE : ISAL_GZIP;
    z->in_header = !bare;
}
static void inflater_copy(inflater *to, const inflater *from) { memcpy(to, from, sizeof *to); }
static void inflater_close(inflater *z) { (void)z; }

/* Inflate from in to out, and set *in_n and *out_n to the bytes left. At the end of a member the inflater returns
 * bytes that it read ahead, so *in_n may grow by up to 8. */
static outcome inflater_step(inflater *z, unsigned char *in, size_t *in_n, char *out, size_t *out_n)
{
    struct inflate_state *state = &z->state;
    size_t room = *out_n;
    int st = ISAL_DECOMP_OK;

    state->next_in = in;
    state->avail_in = (uint32_t)*in_n;
    state->next_out = (uint8_t *)out;
    state->avail_out = (uint32_t)*out_n;
    if (z->in_header) {
        st = isal_read_gzip_header(state, &z->header);
        z->in_header = st == ISAL_END_INPUT;
    }
    if (st == ISAL_DECOMP_OK) st = isal_inflate(state);
    *in_n = state->avail_in;
    *out_n = state->avail_out;
    if (st == ISAL_INCORRECT_CHECKSUM) return BAD_SUM;
    if (st < 0) { /* it writes ahead in words, so the last bytes before the damage may be wrong */
        size_t made = room - *out_n;
        *out_n += made < UNSURE ? made : UNSURE;
        return BAD_DATA;
    }
    return !z->in_header && state->block_state == ISAL_BLOCK_FINISH ? MEMBER_END : GOING_ON;
}
#else
typedef z_stream inflater;

static void inflater_open(inflater *z)
{
    memset(z, 0, sizeof *z);
    if (inflateInit2(z, 15 + 16) != Z_OK) tt_mem_fail();
}
static void inflater_begin(inflater *z, bool bare)
{
    if (inflateReset2(z, bare ? -15 : 15 + 16) != Z_OK) tt_mem_fail();
}
static void inflater_copy(inflater *to, const inflater *from)
{
    inflateEnd(to);
    if (inflateCopy(to, (inflater *)from) != Z_OK) tt_mem_fail();
}
static void inflater_close(inflater *z) { inflateEnd(z); }

static outcome inflater_step(inflater *z, unsigned char *in, size_t *in_n, char *out, size_t *out_n)
{
    int st;

    z->next_in = in;
    z->avail_in = (uInt)*in_n;
    z->next_out = (Bytef *)out;
    z->avail_out = (uInt)*out_n;
    st = inflate(z, Z_NO_FLUSH);
    *in_n = z->avail_in;
    *out_n = z->avail_out;
    if (st == Z_STREAM_END) return MEMBER_END;
    if (st == Z_OK || st == Z_BUF_ERROR) return GOING_ON;
    if (z->msg && (strcmp(z->msg, "incorrect data check") == 0 || strcmp(z->msg, "incorrect length check") == 0)) {
        return BAD_SUM;
    }
    return BAD_DATA;
}
#endif

typedef enum phase { BETWEEN, INSIDE, ENDED } phase;

typedef struct gzip_mark {
    inflater z;
    phase phase;
    uint64_t raw_at;
    uint64_t member_at; /* offset in the text where the member began */
    uLong crc;          /* bare deflate: checksum of the text so far */
} gzip_mark;

typedef struct gzip {
    bool bare; /* deflate without header and trailer: a single member, begun at once */
    tt_feed in;
    gzip_mark now; /* except raw_at, which is kept in `in` */
} gzip;

static void *gzip_create(tt_raw *raw)
{
    gzip *g = tt_calloc(1, sizeof *g);

    tt_feed_init(&g->in, raw);
    inflater_open(&g->now.z);
    return g;
}

static void bare_begin(gzip *g)
{
    inflater_begin(&g->now.z, true);
    g->now.phase = INSIDE;
    g->now.crc = crc32(0, NULL, 0);
}

static void *deflate_create(tt_raw *raw)
{
    gzip *g = gzip_create(raw);

    g->bare = true;
    bare_begin(g);
    return g;
}

static void gzip_destroy(void *decoder)
{
    gzip *g = decoder;

    inflater_close(&g->now.z);
    tt_feed_free(&g->in);
    free(g);
}

static void *gzip_mark_make(const void *decoder)
{
    const gzip *g = decoder;
    gzip_mark *m = tt_calloc(1, sizeof *m);

    inflater_open(&m->z);
    inflater_copy(&m->z, &g->now.z);
    m->phase = g->now.phase;
    m->member_at = g->now.member_at;
    m->crc = g->now.crc;
    m->raw_at = tt_feed_place(&g->in);
    return m;
}

static void gzip_mark_free(void *mark)
{
    gzip_mark *m = mark;

    inflater_close(&m->z);
    free(m);
}

static void gzip_restore(void *decoder, const void *mark)
{
    const gzip_mark *m = mark;
    gzip *g = decoder;

    if (m) inflater_copy(&g->now.z, &m->z);
    g->now.phase = m ? m->phase : BETWEEN;
    g->now.member_at = m ? m->member_at : 0;
    g->now.crc = m ? m->crc : 0;
    if (!m && g->bare) bare_begin(g);
    tt_feed_seek(&g->in, m ? m->raw_at : 0);
}

/* Go to the next member; 0 = there is none, -1 = failed. */
static int next_member(tt_source *s, gzip *g, uint64_t text_at)
{
    static const unsigned char magic[2] = {0x1F, 0x8B};
    int found = tt_feed_next(&g->in, magic, sizeof magic);

    if (found < 0) return -1;
    if (found == 2) {
        tt_source_note(s, text_at, false,
                       "something that is no gzip follows the gzip data at byte %llu of the file; ignored",
                       (unsigned long long)tt_feed_place(&g->in));
    }
    g->now.phase = found == 1 ? INSIDE : ENDED;
    g->now.member_at = text_at;
    if (found == 1) inflater_begin(&g->now.z, false);
    return 0;
}

static void note_outcome(tt_source *s, const gzip *g, outcome o, uint64_t text_at)
{
    unsigned long long offset = (unsigned long long)tt_feed_place(&g->in);

    if (o == BAD_SUM) {
        tt_source_note(s, g->now.member_at, true,
                       "the %s checksum before byte %llu of the file is wrong: some of the text is not what was "
                       "written",
                       s->ops->name, offset);
    } else if (o == BAD_DATA) {
        tt_source_note(s, text_at, true, "the %s data is damaged before byte %llu of the file", s->ops->name, offset);
    } else {
        tt_source_note(s, text_at, true, "the %s data is cut off at byte %llu of the file", s->ops->name, offset);
    }
}

static int gzip_read(tt_source *s, void *decoder, char *out, size_t cap, size_t *got)
{
    gzip *g = decoder;

    while (*got < cap && g->now.phase != ENDED) {
        size_t in_n, out_n = cap - *got;
        int64_t more = 1;
        outcome o;

        if (g->now.phase == BETWEEN) {
            if (next_member(s, g, s->at + *got) < 0) return -1;
            continue;
        }
        if (g->in.pos == g->in.end && (more = tt_feed_more(&g->in)) < 0) return -1;
        in_n = g->in.end - g->in.pos;
        o = inflater_step(&g->now.z, g->in.buf + g->in.pos, &in_n, out + *got, &out_n);
        g->in.pos = g->in.end - in_n;
        if (o == GOING_ON && more == 0 && out_n == cap - *got) {
            note_outcome(s, g, GOING_ON, s->at + *got);
            g->now.phase = ENDED;
        }
        if (g->bare) g->now.crc = crc32(g->now.crc, (const Bytef *)out + *got, (uInt)(cap - out_n - *got));
        *got = cap - out_n;
        if (o == GOING_ON) continue;
        if (g->bare && o == MEMBER_END && s->raw.has_crc && g->now.crc != s->raw.crc) o = BAD_SUM;
        if (o != MEMBER_END) note_outcome(s, g, o, s->at + *got);
        g->now.phase = o == MEMBER_END && !g->bare ? BETWEEN : ENDED;
    }
    return 0;
}

const tt_source_ops tt_source_gzip = {
    .name = "gzip",
    .create = gzip_create,
    .read = gzip_read,
    .mark = gzip_mark_make,
    .restore = gzip_restore,
    .mark_free = gzip_mark_free,
    .destroy = gzip_destroy,
};

const tt_source_ops tt_source_deflate = {
    .name = "zip",
    .create = deflate_create,
    .read = gzip_read,
    .mark = gzip_mark_make,
    .restore = gzip_restore,
    .mark_free = gzip_mark_free,
    .destroy = gzip_destroy,
};
