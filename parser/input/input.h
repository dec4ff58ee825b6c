/* parser/input/input.h - the input of a reader: a file, a file of an archive, or a folder whose files have roles.
 *
 * A part is one file of the input. An input that is a file has one part with the role TT_INPUT_FILE. The parts of a
 * folder have the roles that the format's line in parser/formats.c names ("trace", "kernel_details"); several files
 * may have one role. Folders in a zip or tar archive work alike. A part is opened when it is asked for, so a missing
 * part costs nothing. One thread at a time uses an input, except for tt_input_position(). */
#ifndef TT_PARSER_INPUT_INPUT_H
#define TT_PARSER_INPUT_INPUT_H

#include "parser/source/source.h"

#define TT_INPUT_FILE ""
/* A compressed part of up to this many bytes is unpacked into memory for tt_input_read_at(). */
#define TT_INPUT_UNPACK_MOST ((uint64_t)512 << 20)

typedef struct tt_input tt_input;
struct tt_archive;

/* Make an input without parts; path: as shown to the user. stop: as for tt_source_open_stop(). Free it with
 * tt_input_free(). */
tt_input *tt_input_new(const char *path, const _Atomic bool *stop);
/* Add a part, in the order that the format wants: the file at path, or the member of the archive; archive NULL = a
 * file. The input keeps a reference to the archive. Texts are copied. */
void tt_input_add(tt_input *in, const char *role, const char *path, struct tt_archive *archive, const char *member);
void tt_input_free(tt_input *in); /* Close the open parts and free the input; NULL is allowed. */

uint32_t tt_input_parts(const tt_input *in);
const char *tt_input_part_role(const tt_input *in, uint32_t part);
const char *tt_input_part_path(const tt_input *in, uint32_t part);
const char *tt_input_part_name(const tt_input *in, uint32_t part); /* last component of the path */
/* The reason in an error of opening or reading the part, without the leading path. */
const char *tt_input_reason(const tt_input *in, uint32_t part, const tt_err *err);
/* The first part from `from` on with this role, tt_input_parts() = none. */
uint32_t tt_input_find(const tt_input *in, const char *role, uint32_t from);
bool tt_input_has(const tt_input *in, const char *role);

/* Open the first part with this role and return its text from the beginning. The input owns the source: opening a part
 * again rewinds and returns the same source, so standard input can be looked at before it is read. TT_ERR_INPUT =
 * there is no such part, or it cannot be read. */
tt_status tt_input_open(tt_input *in, const char *role, tt_source **out, tt_err *err);
tt_status tt_input_open_part(tt_input *in, uint32_t part, tt_source **out, tt_err *err);
/* Turn the source into the text of a trace, which owns it from now on (tt_source_text()). */
tt_text_source *tt_input_text(tt_input *in, tt_source *source);

/* Read up to cap bytes of the part's text at offset `at`, in any order; *got < cap only at its end. Files and
 * uncompressed files of archives are read in place; others are unpacked into memory at the first call. TT_ERR_INPUT =
 * the text is longer than TT_INPUT_UNPACK_MOST: the message tells the user to unpack it. */
tt_status tt_input_read_at(tt_input *in, uint32_t part, uint64_t at, void *out, size_t cap, size_t *got, tt_err *err);
tt_status tt_input_size(tt_input *in, uint32_t part, uint64_t *size, tt_err *err); /* size of the text */

/* Stored bytes read so far from all parts, and stored bytes of all parts opened (0 = unknown). Any thread. */
void tt_input_position(tt_input *in, uint64_t *done, uint64_t *total);

/* A part is read by other means than its source: report the bytes read, for tt_input_position(). Any thread. */
void tt_input_told(tt_input *in, uint64_t bytes);

#endif
