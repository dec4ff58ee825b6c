/* model/summary/tts.h - the summary file (.tts): what is known of many recordings without their events.
 *
 * A file is a set of sources, one a recording (a rank, a span), each with blocks that nobody changes any more: its
 * facts, steps and collectives ("calls"), and the rows of its tables ("table KEY"). Nothing is added up in the file: a
 * sum could not forget a recording that comes twice. A merge is the union of the sets, so it is associative,
 * commutative and idempotent by construction, whatever overlaps; sums, clocks and stragglers are computed from the
 * sources when the file is opened.
 *
 * Canonical: the same set of sources is the same bytes.
 *   header     48 bytes: magic, version, number of sources, length of the directory (plain, packed) and of the body,
 *              CRC of the packed directory, CRC of the header up to here; little endian
 *   directory  packed: for each source, in order, the length of its entry and the entry
 *   body       the blocks of the sources, in order, each packed by itself
 * An entry says where its blocks are in the part of the body that is its source's own, so it is copied as it stands.
 * Integers are varints, signed ones zigzag. The numbers of tables with a fraction are stored as the 64 bits that they
 * are; no merge computes with them. Packing is zlib's: its bytes are those of the machine's zlib, its contents are the
 * same everywhere, and identity never looks at packed bytes.
 *
 * Identity is by content: rank, part of its file, start, end, bytes of text, events, and two CRCs, of the first 64 KiB
 * of the text (unpacked: a .gz is its contents) and of the block "calls", which has the time of every step and
 * collective. (The last 64 KiB of a packed text are not at hand without unpacking all of it again.) Of two sources
 * of one identity the one stays whose path is the smaller text, then whose entry is.
 *
 * A reader of another version refuses: the file says what to do. Columns of tables are known by key, so a table may
 * win or lose some without a new version. */
#ifndef TT_MODEL_SUMMARY_TTS_H
#define TT_MODEL_SUMMARY_TTS_H

#include "model/summary/wire.h"
#include "model/trace/trace.h"

enum { TT_TTS_VERSION = 1, TT_TTS_HEADER = 48 };
#define TT_TTS_CALLS "calls"

typedef struct tt_tts_block {
    const char *id;
    uint64_t at, stored,
        raw;      /* at: offset in the source's part of the body; stored: packed bytes; raw: unpacked bytes */
    uint32_t crc; /* CRC of the packed bytes */
} tt_tts_block;

typedef struct tt_tts_source {
    /* identity */
    int64_t rank;       /* -1 = not known */
    uint64_t part;      /* index among several recordings of one file */
    int64_t start, end; /* start on its clock, and length of the recording from there, ns */
    uint64_t bytes, events;
    uint32_t head_crc, calls_crc;
    /* facts known without reading its blocks */
    int64_t world; /* number of ranks of the run; -1 */
    uint64_t slices;
    const char *path;                                 /* absolute path of the recording */
    const char *worker, *span, *host, *device, *tool; /* "" = unknown */
    tt_tts_block *blocks;
    uint32_t n_blocks;
    /* location */
    uint64_t body;     /* start of its part of the body in the file */
    uint64_t stored;   /* length of that part, bytes */
    const char *entry; /* entry in the directory */
    size_t entry_n;
    /* file of the source; NULL: the source was made in this process and has its part of the body in memory */
    struct tt_tts *file;
    const char *made;
} tt_tts_source;

typedef struct tt_tts {     /* summary file with a parsed directory */
    tt_text_source *text;   /* owned */
    char *path;             /* path as given, for messages */
    tt_tts_source *sources; /* sources in file order */
    uint32_t n_sources;
    uint64_t end; /* required size of the file, bytes */
    tt_arena arena;
    _Atomic uint32_t more_refs;
} tt_tts;

bool tt_tts_sniff(const char *head, size_t len);
/* Read the directory. The text is taken over, even on error. TT_ERR_INPUT: no summary, another version, or damaged;
 * the message begins with the path. */
tt_status tt_tts_open(tt_text_source *text, const char *path, tt_tts **out, tt_err *err);
tt_tts *tt_tts_ref(tt_tts *f);
void tt_tts_free(tt_tts *f); /* release a reference; NULL is allowed */

/* Find a block of a source, NULL without it; read its bytes, TT_ERR_INPUT when they are damaged or gone. Any thread. */
const tt_tts_block *tt_tts_block_find(const tt_tts_source *s, const char *id);
tt_status tt_tts_block_read(const tt_tts_source *s, const tt_tts_block *b, tt_text *out, tt_err *err);
/* Check every packed byte of a source, and pass it on (write can be NULL). */
typedef bool tt_tts_write(void *arg, const char *p, size_t n);
tt_status tt_tts_source_copy(const tt_tts_source *s, tt_tts_write *write, void *arg, tt_err *err);

/* Order of sources in a file, by identity; below 0 = a first. */
int tt_tts_identity_order(const tt_tts_source *a, const tt_tts_source *b);
/* Choice between two sources of one identity; below 0 = a stays. */
int tt_tts_choice_order(const tt_tts_source *a, const tt_tts_source *b);

/* ---- writing ---- */

/* Write the header and directory of a file with these sources, in this order. */
void tt_tts_head(const tt_tts_source *const *sources, uint32_t n, tt_text *out);

/* Source under construction: blocks are added, then the entry is closed. Zero-initialised is empty. */
typedef struct tt_tts_making {
    tt_tts_source s;
    TT_VEC(tt_tts_block) blocks;
    tt_text body, entry;
    tt_arena arena;
} tt_tts_making;
void tt_tts_add_block(tt_tts_making *m, const char *id, const tt_text *bytes);
/* Make the entry, once the members of m->s are set. */
void tt_tts_close_entry(tt_tts_making *m);
void tt_tts_making_free(tt_tts_making *m);

/* Add to the problems what the file has of `what` and could not be taken from it; *why: the error of reading it, which
 * tells bytes that the system could not read from damaged ones. */
void tt_tts_report_damage(tt_problems *p, const char *what, const tt_err *why);

#endif
