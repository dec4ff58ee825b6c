/* parser/input/input.h - what a reader is given: a file, a member of an archive, or a folder whose files have roles.
 *
 * A part is one file of the input. The only part of an input that is a file has the role TT_INPUT_FILE; the parts of
 * a folder have the roles that the format's line in parser/formats.c names ("trace", "kernel_details"), and several
 * files may have the same one. Parts of a folder in a zip or tar archive are no different. Parts are opened when
 * they are asked for, so a missing one costs nothing. One thread at a time uses an input, but for
 * tt_input_position(). */
#ifndef TT_PARSER_INPUT_INPUT_H
#define TT_PARSER_INPUT_INPUT_H

#include "parser/source/source.h"

#define TT_INPUT_FILE ""
/* A compressed part is unpacked into memory for tt_input_read_at() up to this many bytes. */
#define TT_INPUT_UNPACK_MOST ((uint64_t)512 << 20)

typedef struct tt_input tt_input;
struct tt_archive;

/* An input without parts; path: as it is shown. stop: as for tt_source_open_stop(). Freed with tt_input_free(). */
tt_input *tt_input_new(const char *path, const _Atomic bool *stop);
/* Add a part, in the order in which the format wants them: the file at path, or the member of the archive, of which
 * the input keeps a reference; archive NULL: a file. Texts are copied. */
void tt_input_add(tt_input *in, const char *role, const char *path, struct tt_archive *archive, const char *member);
void tt_input_free(tt_input *in); /* closes what is open; NULL is fine */

uint32_t tt_input_parts(const tt_input *in);
const char *tt_input_part_role(const tt_input *in, uint32_t part);
const char *tt_input_part_path(const tt_input *in, uint32_t part);
const char *tt_input_part_name(const tt_input *in, uint32_t part); /* last component of the path */
/* What an error of opening or reading the part says, without the path in front of it. */
const char *tt_input_reason(const tt_input *in, uint32_t part, const tt_err *err);
/* The first part from `from` on that has this role, tt_input_parts() when there is none. */
uint32_t tt_input_find(const tt_input *in, const char *role, uint32_t from);
bool tt_input_has(const tt_input *in, const char *role);

/* The text of the first part with this role, from its beginning. The input owns the source: opening a part again
 * gives the same source, rewound, so also standard input can be looked at before it is read. TT_ERR_INPUT when there
 * is no such part or it cannot be read. */
tt_status tt_input_open(tt_input *in, const char *role, tt_source **out, tt_err *err);
tt_status tt_input_open_part(tt_input *in, uint32_t part, tt_source **out, tt_err *err);
/* The source as the text of a trace, which owns it from now on (tt_source_text()). */
tt_text_source *tt_input_text(tt_input *in, tt_source *source);

/* Up to cap bytes of the part's text from `at` on, in any order; *got < cap only at its end. A file, and a member
 * that is stored as it is, are read where they lie; others are unpacked into memory at the first call. TT_ERR_INPUT
 * when that is more than TT_INPUT_UNPACK_MOST: the message says to unpack it. */
tt_status tt_input_read_at(tt_input *in, uint32_t part, uint64_t at, void *out, size_t cap, size_t *got, tt_err *err);
tt_status tt_input_size(tt_input *in, uint32_t part, uint64_t *size, tt_err *err); /* of the text; as above */

/* Bytes as stored that were read of all parts so far, and in all of those that were opened (0 = not known). Any
 * thread. */
void tt_input_position(tt_input *in, uint64_t *done, uint64_t *total);

/* A part is read by other means than its source: this many bytes of it are done. Any thread; for
 * tt_input_position(). */
void tt_input_told(tt_input *in, uint64_t bytes);

#endif
