/* parser/source/source.h - a stream of decompressed text, whatever it comes from.
 *
 * Recognised by content, never by name: plain, gzip (any number of members), zstd. From a file, a FIFO or standard
 * input. A source is read once from front to back by one thread at a time (tt_source_read); tt_source_rewind() starts
 * it again. Afterwards tt_source_text() turns it into a reader of arbitrary offsets, used to show the arguments of
 * events:
 *   plain file   pread
 *   gzip         inflater states kept every 32 MiB of output, so a read costs at most 32 MiB of inflating
 *   zstd         frame starts, else from the beginning
 *   pipe         what was read is kept in memory, compressed as it came (plain text: compressed by us)
 * No mmap: a file that is cut off while it is read must not kill the program. */
#ifndef TT_PARSER_SOURCE_SOURCE_H
#define TT_PARSER_SOURCE_SOURCE_H

#include "model/trace/trace.h"

typedef struct tt_source tt_source;
struct tt_archive;

/* That nothing can be found at the path, for this errno, and what to do where it is a URL. */
tt_status tt_source_absent(const char *path, int why, tt_err *err);

/* Open path ("-" = standard input; ARCHIVE/NAME = a file in a zip or tar archive, archive.h). The message names the
 * path and what to do: missing, no permission, a directory, empty, a Git LFS pointer (with the true size),
 * zip/tar/bz2/xz/pickle/SQLite/nsys-rep by name, else fine. */
tt_status tt_source_open(const char *path, tt_source **out, tt_err *err);
/* The same, and give up with TT_ERR_CANCELLED soon after another thread set *stop, in every call that may wait for a
 * pipe: opening it, reading it. stop may be NULL and must outlive the source. */
tt_status tt_source_open_stop(const char *path, const _Atomic bool *stop, tt_source **out, tt_err *err);
/* A file of an archive that is open, by its name in it (archive.h). */
tt_status tt_source_open_member(struct tt_archive *a, const char *name, tt_source **out, tt_err *err);
/* Up to cap bytes of text into out; 0 = end. Damaged or truncated compression ends the text early: the status stays
 * TT_OK and tt_source_damage() tells. TT_ERR_INPUT only for a failing read(2). Sets *got. */
tt_status tt_source_read(tt_source *s, char *out, size_t cap, size_t *got, tt_err *err);
tt_status tt_source_rewind(tt_source *s, tt_err *err);
/* Whether the text lies in a file as it is, where any of its bytes can be read at once; then *size is its length. */
bool tt_source_random(const tt_source *s, uint64_t *size);
/* Whether threads may read the text at once, each where it wants: a file as it is, and no member of an archive. */
bool tt_source_shared(const tt_source *s, uint64_t *size);
/* tt_source_read() of such a source from `at` on, and once only: fewer bytes are fine. Any thread. */
tt_status tt_source_read_shared(tt_source *s, uint64_t at, char *out, size_t cap, size_t *got, tt_err *err);
/* Up to cap bytes of the text from `at` on, going back or decoding forward to there. The number of bytes, -1 with
 * errno. */
int64_t tt_source_read_at(tt_source *s, uint64_t at, char *out, size_t cap);
/* Bytes of the input consumed so far / in all (0 = unknown). Any thread. */
void tt_source_position(const tt_source *s, uint64_t *done, uint64_t *total);
/* Why the text ended early, NULL when it did not; *offset = offset in the text where the damage begins. */
const char *tt_source_damage(const tt_source *s, int64_t *offset);
/* With damage: false when no text can be missing or wrong (only something else follows the compressed data). */
bool tt_source_damage_lost(const tt_source *s);
/* True when the file's size or modification time differs from when it was opened. Not after tt_source_text(). */
bool tt_source_changed(const tt_source *s);
/* Text reader over this source (takes it over: do not close s afterwards). Never NULL. Holds no file open between two
 * reads; read() gives -1 when the file is gone, was replaced or has another size or modification time. */
tt_text_source *tt_source_text(tt_source *s);
void tt_source_close(tt_source *s);

#endif
