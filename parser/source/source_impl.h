/* parser/source/source_impl.h - the inside of a source, shared by the files parser/source*.c only.
 *
 *   tt_raw      the bytes as stored, at any offset: a file (pread) or a pipe (what was read is retained)
 *   tt_source   raw bytes + one kind (tt_source_ops) that turns them into text + marks from which decoding can resume
 * One thread at a time uses a source; the text reader (source_text.c) takes a lock. */
#ifndef TT_PARSER_SOURCE_SOURCE_IMPL_H
#define TT_PARSER_SOURCE_SOURCE_IMPL_H

#include "parser/source/source.h"

#include <stdatomic.h>
#include <time.h>

#if defined(TT_HAVE_ISAL) && TT_HAVE_ISAL
#define TT_USE_ISAL 1
#else
#define TT_USE_ISAL 0
#endif
#if defined(TT_HAVE_ZSTD) && TT_HAVE_ZSTD
#define TT_USE_ZSTD 1
#else
#define TT_USE_ZSTD 0
#endif

/* Text between two marks. A read costs at most this much decoding: about 15 ms with ISA-L, 100 ms with zlib. */
#define TT_MARK_EVERY ((uint64_t)32 << 20)

typedef struct tt_pipe tt_pipe;
struct tt_archive;

typedef struct tt_damage { /* why a text ends early, or may be wrong */
    char text[160];        /* "" = it does not */
    int64_t at;            /* in the text */
    bool lost;
} tt_damage;

typedef struct tt_raw {
    int fd; /* -1 while a file is closed between two reads of its text */
    bool owns_fd;
    uint64_t base; /* offset in the file where the input begins (standard input can be a file that was read before) */
    tt_pipe *pipe; /* NULL for a regular file */
    /* NULL, or the bytes are a part of the text of another source: one of its own, or that of an archive, which has
     * many */
    tt_source *inner;
    struct tt_archive *archive; /* a reference */
    bool entered;               /* the archive's file is open for us */
    tt_damage damage;           /* with archive: why its text ends inside of ours */
    uint64_t limit;             /* with one of them: how many bytes; UINT64_MAX = until it ends */
    bool has_crc;               /* likewise: the CRC-32 of what these bytes unpack to is known */
    uint32_t crc;
    const _Atomic bool *stop;
    /* identity of a regular file */
    uint64_t dev, ino, size;
    struct timespec mtime;
    _Atomic uint64_t
        done; /* since the last rewind: the end of the furthest read; of what threads read at once, the sum */
} tt_raw;

/* Up to cap bytes from the offset at; 0 = end, -1 = failed (errno; ECANCELED when *stop was set). For a pipe, at is
 * at most what was read so far. */
int64_t tt_raw_read(tt_raw *r, uint64_t at, void *out, size_t cap);

/* Retained input of a pipe. pack: compress what is kept (for text; may be set as long as less than 1 MiB was read). */
tt_pipe *tt_pipe_new(void);
void tt_pipe_pack(tt_pipe *p);
int64_t tt_pipe_read(tt_pipe *p, int fd, const _Atomic bool *stop, uint64_t at, void *out, size_t cap);
void tt_pipe_end(tt_pipe *p); /* from now on only what is retained */
void tt_pipe_free(tt_pipe *p);

/* Raw bytes in a buffer, for decoders that ask for input piece by piece. Some bytes before `pos` stay readable: an
 * inflater that read ahead gives bytes back at the end of a gzip member. */
#define TT_FEED_BEHIND 32
#define TT_FEED_SIZE (256 * 1024)
typedef struct tt_feed {
    tt_raw *raw;
    unsigned char *buf;
    size_t pos, end;
    uint64_t at; /* offset in the raw bytes of buf[end] */
} tt_feed;
void tt_feed_init(tt_feed *f, tt_raw *raw);
void tt_feed_seek(tt_feed *f, uint64_t at);
/* Read more behind what is left; the number of new bytes, 0 at the end, -1 on failure. */
int64_t tt_feed_more(tt_feed *f);
/* Between two members or frames: skip zero bytes (padding of tapes and block devices) and look for one that starts with
 * magic. 1 = found (not consumed), 0 = end of the input, 2 = something else follows, -1 = failed. */
int tt_feed_next(tt_feed *f, const unsigned char *magic, size_t n);
static inline uint64_t tt_feed_place(const tt_feed *f) { return f->at - (f->end - f->pos); }
void tt_feed_free(tt_feed *f);

/* One kind of source. The decoder stands at text position s->at + *got; a new one stands at the start. */
typedef struct tt_source_ops {
    const char *name;
    bool direct; /* the text is the raw bytes: any offset can be read without a mark */
    void *(*create)(tt_raw *raw);
    /* Decode at most cap > 0 bytes; fewer are fine, none = end. -1 = the raw bytes cannot be read (errno), else 0. */
    int (*read)(tt_source *s, void *decoder, char *out, size_t cap, size_t *got);
    void *(*mark)(const void *decoder);               /* a copy of the state, NULL where decoding cannot resume */
    void (*restore)(void *decoder, const void *mark); /* NULL = the start */
    void (*mark_free)(void *mark);
    void (*destroy)(void *decoder);
} tt_source_ops;
extern const tt_source_ops tt_source_plain, tt_source_gzip, tt_source_deflate; /* deflate: bare, as zip has it */
#if TT_USE_ZSTD
extern const tt_source_ops tt_source_zstd;
#endif

typedef struct tt_source_mark {
    uint64_t at; /* in the text */
    void *state;
} tt_source_mark;

struct tt_source {
    char *path;
    const tt_source_ops *ops;
    tt_raw raw;
    void *decoder;                /* NULL until it is needed */
    uint64_t at;                  /* offset of the decoder in the text */
    TT_VEC(tt_source_mark) marks; /* ascending */
    tt_damage damage;
    int failed; /* errno of the last read that failed, 0 = none did */
};

/* Note why the text ends early or may be wrong from `at` on; the first note stays. */
void tt_source_note(tt_source *s, uint64_t at, bool lost, const char *fmt, ...) __attribute__((format(printf, 4, 5)));
/* Decode on from s->at, setting marks; fills out unless the text ends. 0, or -1 with errno. */
int tt_source_decode(tt_source *s, char *out, size_t cap, size_t *got);
/* Go to the greatest offset <= at from which decoding can go on, unless going on from s->at is nearer. */
void tt_source_seek(tt_source *s, uint64_t at);

/* A file opened with its compression recognised, but not refused for what is in it: perhaps an archive. */
tt_status tt_source_open_raw(const char *path, tt_source **out, tt_err *err);
void tt_source_drop_decoder(tt_source *s); /* this source's own; what it decoded is decoded again when it is needed */
/* The innermost source, which has the file, or an archive that has it. */
tt_source *tt_source_bottom(tt_source *s);

/* The two blocks of 1 MiB of a source's text that were decoded last. Zeroed at first. */
typedef struct tt_recent_block {
    uint64_t at;
    size_t n;
    char *text; /* NULL = never used */
} tt_recent_block;
typedef struct tt_recent {
    tt_recent_block block[2]; /* [0] is the later decoded one */
} tt_recent;
/* Up to cap bytes of the text from `at` on, out of these blocks, decoding another one where they do not have it.
 * Fewer are fine, 0 = end, -1 with errno. */
int64_t tt_recent_read(tt_recent *r, tt_source *s, uint64_t at, char *out, size_t cap);
void tt_recent_free(tt_recent *r);

/* What the first bytes say. */
const tt_source_ops *tt_sniff_kind(const char *head, size_t n);
/* TT_OK, or why this is no trace and what to do. where: " (inside the gzip data)", which is packed, " (inside the
 * archive)", "". */
tt_status tt_sniff_refuse(const char *path, const char *where, bool packed, const char *head, size_t n, tt_err *err);

#endif
