/* parser/sqlite/text.h - the text of a trace read from a database: JSON made from an event's row. Private to
 * parser/sqlite. */
#ifndef TT_PARSER_SQLITE_TEXT_H
#define TT_PARSER_SQLITE_TEXT_H

#include "parser/sqlite/load.h"

typedef struct tt_db_place_of { /* ids first .. first + span - 1 of a table, which have the offsets from `at` on */
    tt_db_source source;
    int64_t first;
    uint64_t span, at;
} tt_db_place_of;

typedef struct tt_db_places {
    TT_VEC(tt_db_place_of) at; /* ascending */
    int64_t end;               /* end of the trace, for ranges that were never closed */
} tt_db_places;

typedef struct tt_db_spellings { /* whole texts of names that carry arguments */
    tt_db_spelling *at;          /* ascending by offset */
    size_t n;
    tt_arena *texts;
    unsigned n_texts;
} tt_db_spellings;

/* Make the source; takes over the image, the places, the spellings, and the plan's data. A connection is opened at
 * the first request and kept; a file changed since is not read. */
tt_text_source *tt_db_text_new(tt_db_image *image, tt_db_places *places, tt_db_plan *plan,
                               const tt_db_spellings *spellings);

#endif
