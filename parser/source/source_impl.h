/* parser/source/source_impl.h - the inside of a source, shared only by the files parser/source*.c.
 *
 * A tt_raw holds the bytes as stored, at any offset: a file (pread) or a pipe (its input is retained). A tt_source
 * combines raw bytes, one kind (tt_source_ops) that turns them into text, and marks from which decoding can resume.
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

/* Length of text between two marks. A read decodes at most this much: about 15 ms with ISA-L, 100 ms with zlib. */
#define TT_MARK_EVERY ((uint64_t)32 << 20)

typedef struct tt_pipe tt_pipe;
struct tt_archive;

typedef struct tt_damage { /* why a text ends early or may be wrong */
    char text[160];        /* "" = no damage */
    int64_t at;            /* offset in the text */
    bool lost;
} tt_damage;

typedef struct tt_raw {
    int fd; /* -1 while a file is closed between two reads of its text */
    bool owns_fd;
    uint64_t base; /* offset in the file where the input begins: standard input may have been read before */
    tt_pipe *pipe; /* NULL for a regular file */
    /* Source whose text contains the bytes: one that this source owns, or the source of an archive, which has many
     * members; NULL = none */
    tt_source *inner;
    struct tt_archive *archive; /* holds a reference */
    bool entered;               /* the archive's file is open for this source */
    tt_damage damage;           /* with archive: why its text ends within the member */
    uint64_t limit;             /* with inner or archive: number of bytes; UINT64_MAX = up to their own end */
    bool has_crc;               /* with inner or archive: the CRC-32 of the unpacked bytes is known */
    uint32_t crc;
    const _Atomic bool *stop;
    /* identity of a regular file */
    uint64_t dev, ino, size;
    struct timespec mtime;
    _Atomic uint64_t done; /* end of the furthest read since the last rewind; sum of the reads by threads */
} tt_raw;

/* Read up to cap bytes at offset `at`; 0 = end, -1 = failed (errno; ECANCELED if *stop was set). In a pipe `at` is at
 * most the number of bytes read so far. */
int64_t tt_raw_read(tt_raw *r, uint64_t at, void *out, size_t cap);

/* Retained input of a pipe. pack: compress the retained blocks (for text; may be set until 1 MiB was read). */
tt_pipe *tt_pipe_new(void);
void tt_pipe_pack(tt_pipe *p);
int64_t tt_pipe_read(tt_pipe *p, int fd, const _Atomic bool *stop, uint64_t at, void *out, size_t cap);
void tt_pipe_end(tt_pipe *p); /* from now on read retained input only */
void tt_pipe_free(tt_pipe *p);

/* A buffer of raw bytes for decoders that ask for input piece by piece. Some bytes before `pos` stay readable, because
 * an inflater that read ahead returns bytes at the end of a gzip member. */
#define TT_FEED_BEHIND 32
#define TT_FEED_SIZE (256 * 1024)
typedef struct tt_feed {
    tt_raw *raw;
    unsigned char *buf;
    size_t pos, end;
    uint64_t at; /* offset of buf[end] in the raw bytes */
} tt_feed;
void tt_feed_init(tt_feed *f, tt_raw *raw);
void tt_feed_seek(tt_feed *f, uint64_t at);
/* Read more bytes after the remaining ones. Returns the number of new bytes, 0 = end, -1 = failed. */
int64_t tt_feed_more(tt_feed *f);
/* Between two members or frames: skip zero bytes (padding of tapes and block devices) and look for one that starts
 * with magic. 1 = found (not consumed), 0 = end of the input, 2 = other data follows, -1 = failed. */
int tt_feed_next(tt_feed *f, const unsigned char *magic, size_t n);
static inline uint64_t tt_feed_place(const tt_feed *f) { return f->at - (f->end - f->pos); }
void tt_feed_free(tt_feed *f);

/* One kind of source. Its decoder stands at offset s->at + *got of the text; a new decoder stands at the start. */
typedef struct tt_source_ops {
    const char *name;
    bool direct; /* the text is the raw bytes, so any offset can be read without a mark */
    void *(*create)(tt_raw *raw);
    /* Decode at most cap > 0 bytes; fewer are allowed, none = end. Returns 0, or -1 = the raw bytes cannot be read
     * (errno). */
    int (*read)(tt_source *s, void *decoder, char *out, size_t cap, size_t *got);
    void *(*mark)(const void *decoder);               /* copy the state; NULL = decoding cannot resume here */
    void (*restore)(void *decoder, const void *mark); /* mark NULL = the start */
    void (*mark_free)(void *mark);
    void (*destroy)(void *decoder);
} tt_source_ops;
extern const tt_source_ops tt_source_plain, tt_source_gzip, tt_source_deflate; /* deflate: bare, as in zip */
#if TT_USE_ZSTD
extern const tt_source_ops tt_source_zstd;
#endif

typedef struct tt_source_mark {
    uint64_t at; /* offset in the text */
    void *state;
} tt_source_mark;

struct tt_source {
    char *path;
    const tt_source_ops *ops;
    tt_raw raw;
    void *decoder;                /* NULL until it is needed */
    uint64_t at;                  /* offset of the decoder in the text */
    TT_VEC(tt_source_mark) marks; /* in ascending order */
    tt_damage damage;
    int failed; /* errno of the last failed read, 0 = none */
};

/* Note why the text from `at` on is missing or may be wrong; the first note stays. */
void tt_source_note(tt_source *s, uint64_t at, bool lost, const char *fmt, ...) __attribute__((format(printf, 4, 5)));
/* Decode from s->at on and set marks; fills out unless the text ends. Returns 0, or -1 with errno. */
int tt_source_decode(tt_source *s, char *out, size_t cap, size_t *got);

/* Open a file and recognise its compression, but do not refuse its content: it may be an archive. */
tt_status tt_source_open_raw(const char *path, tt_source **out, tt_err *err);
void tt_source_drop_decoder(tt_source *s); /* drops the decoder of this source only; it decodes again when needed */
/* The innermost source, which has the file or belongs to an archive. */
tt_source *tt_source_bottom(tt_source *s);

/* The two blocks of 1 MiB of a source's text decoded last. Zero it first. */
typedef struct tt_recent_block {
    uint64_t at;
    size_t n;
    char *text; /* NULL = unused */
} tt_recent_block;
typedef struct tt_recent {
    tt_recent_block block[2]; /* block[0] was decoded later than block[1] */
} tt_recent;
/* Read up to cap bytes of the text at offset `at` from these blocks; decode another block if they lack it. Fewer bytes
 * are allowed, 0 = end, -1 with errno. */
int64_t tt_recent_read(tt_recent *r, tt_source *s, uint64_t at, char *out, size_t cap);
void tt_recent_free(tt_recent *r);

/* The kind of source that begins with these bytes. */
const tt_source_ops *tt_sniff_kind(const char *head, size_t n);
/* TT_OK, or why the input is no trace and what to do. where: " (inside the gzip data)" with packed set, " (inside the
 * archive)", or "". */
tt_status tt_sniff_refuse(const char *path, const char *where, bool packed, const char *head, size_t n, tt_err *err);

#endif
