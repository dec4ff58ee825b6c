/* parser/recording/segments.h - the files of a spool as one text: one file, or the segments of a ring one after another
 * (capture/format/spool_name.h). Private to parser/recording.
 *
 * The ring may go on while it is read: its oldest segments are deleted, ids of their names are used again, new segments
 * come. All files are opened first, the newest before the others, and each is read only as far as it was written then:
 * so nothing is read that was written after a segment before it was deleted, and an id of a name has one meaning. */
#ifndef TT_PARSER_RECORDING_SEGMENTS_H
#define TT_PARSER_RECORDING_SEGMENTS_H

#include "parser/input/reader.h"

typedef struct tt_segment {
    tt_source *source; /* the input's; NULL: the file was deleted meanwhile */
    uint64_t base;     /* offset of its first byte in the whole text */
    uint64_t limit;    /* bytes to read; UINT64_MAX: to its end */
} tt_segment;

typedef struct tt_segments {
    tt_input *in;
    uint32_t first; /* index of the first part */
    tt_segment *at;
    uint32_t n, next;    /* next: index of the segment that is read next, or being read */
    uint64_t done, left; /* bytes read of all, and left of the segment that is read */
    bool begun;          /* the newest file is empty: a segment was about to begin */
} tt_segments;

/* Open the files of the input. Deleted ones are left out; when all were, those that the recording at path has now are
 * its parts. Segments before the last `newest` bytes are treated as deleted. TT_ERR_INPUT: one cannot be read, or there
 * is none. Free it in any case. */
tt_status tt_segments_open(tt_segments *s, tt_input *in, const char *path, uint64_t newest, tt_err *err);
/* The path of the first file if any part of it can be read, else NULL; *size: its bytes, *behind: bytes of the
 * others. */
const char *tt_segments_first(const tt_segments *s, uint64_t *size, uint64_t *behind);
/* Before the first reading: begin at the offset in that file. */
void tt_segments_skip(tt_segments *s, uint64_t offset);
/* Read on; *got < cap only at the end. */
tt_status tt_segments_read(tt_segments *s, char *out, size_t cap, size_t *got, tt_err *err);
/* Add problems of the files after reading: see tt_read_note_at(). */
void tt_segments_note(const tt_segments *s, tt_problems *problems);
/* Turn them into the text of a trace, which owns it. */
tt_text_source *tt_segments_text(tt_segments *s);
void tt_segments_free(tt_segments *s);

#endif
