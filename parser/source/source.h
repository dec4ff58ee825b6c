/* parser/source/source.h - a stream of decompressed text from any input.
 *
 * The compression is recognised by content, never by name: plain, gzip (any number of members), zstd. The input is a
 * file, a FIFO or standard input. One thread at a time reads a source from front to back (tt_source_read);
 * tt_source_rewind() starts again. Afterwards tt_source_text() turns it into a reader of arbitrary offsets, which
 * shows the arguments of events: plain files are read with pread; for gzip states of the inflater are kept every 32
 * MiB of text, so a read inflates at most 32 MiB; zstd begins at the start of a frame, else at the beginning; the
 * input of a pipe is kept in memory, compressed as it came or, if plain, compressed by the source. Files are not
 * mapped, because cutting a mapped file while it is read would kill the program. */
#ifndef TT_PARSER_SOURCE_SOURCE_H
#define TT_PARSER_SOURCE_SOURCE_H

#include "model/trace/trace.h"

typedef struct tt_source tt_source;
struct tt_archive;

/* The error that nothing is found at the path, for this errno, with advice if the path is a URL. */
tt_status tt_source_absent(const char *path, int why, tt_err *err);

/* Open path ("-" = standard input; ARCHIVE/NAME = a file in a zip or tar archive, archive.h). The message names the
 * path and what to do if the path is missing, forbidden, a directory, empty, a Git LFS pointer (with the true size),
 * or of a kind that is not read. */
tt_status tt_source_open(const char *path, tt_source **out, tt_err *err);
/* As tt_source_open(), but give up with TT_ERR_CANCELLED soon after another thread sets *stop, in every call that may
 * wait for a pipe: opening and reading. stop may be NULL and must outlive the source. */
tt_status tt_source_open_stop(const char *path, const _Atomic bool *stop, tt_source **out, tt_err *err);
/* Open a file of an open archive by its name in the archive (archive.h). */
tt_status tt_source_open_member(struct tt_archive *a, const char *name, tt_source **out, tt_err *err);
/* Read up to cap bytes of text into out and set *got; 0 = end. Damaged or truncated compression ends the text early:
 * the status stays TT_OK, and tt_source_damage() tells. TT_ERR_INPUT only if read(2) fails. */
tt_status tt_source_read(tt_source *s, char *out, size_t cap, size_t *got, tt_err *err);
tt_status tt_source_rewind(tt_source *s, tt_err *err);
/* Whether the text is stored uncompressed in a file, so that any offset can be read at once; then *size is its length.
 * */
bool tt_source_random(const tt_source *s, uint64_t *size);
/* Whether threads may read the text at the same time, each at its own offset: true for uncompressed files outside of
 * archives. */
bool tt_source_shared(const tt_source *s, uint64_t *size);
/* Read such a source at offset `at`, as tt_source_read() but with a single call of read; fewer bytes than cap are no
 * error. Any thread. */
tt_status tt_source_read_shared(tt_source *s, uint64_t at, char *out, size_t cap, size_t *got, tt_err *err);
/* Read up to cap bytes of the text at offset `at`, going back or decoding forward to it. Returns the number of bytes,
 * -1 with errno. */
int64_t tt_source_read_at(tt_source *s, uint64_t at, char *out, size_t cap);
/* Go to the greatest offset <= at from which decoding can resume, unless decoding on from where it is is nearer; of a
 * tt_source_random() source, to the offset itself. */
void tt_source_seek(tt_source *s, uint64_t at);
/* Bytes of the input consumed so far, and in all (0 = unknown). Any thread. */
void tt_source_position(const tt_source *s, uint64_t *done, uint64_t *total);
/* Why the text ended early, NULL = it did not; *offset = offset in the text where the damage begins. */
const char *tt_source_damage(const tt_source *s, int64_t *offset);
/* If damaged: false = no text is missing or wrong (other data follows the compressed data). */
bool tt_source_damage_lost(const tt_source *s);
/* Whether the file's size or modification time differs from that at its opening. Not after tt_source_text(). */
bool tt_source_changed(const tt_source *s);
/* A text reader that takes over the source (do not close s afterwards). Never NULL. It holds no file open between two
 * reads; read() returns -1 if the file is gone, was replaced, or has another size or modification time. */
tt_text_source *tt_source_text(tt_source *s);
void tt_source_close(tt_source *s);

#endif
