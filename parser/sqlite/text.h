/* parser/sqlite/text.h - the text of a trace that was read from a database: JSON made from the row of the event.
 * Private to parser/sqlite. */
#ifndef TT_PARSER_SQLITE_TEXT_H
#define TT_PARSER_SQLITE_TEXT_H

#include "parser/sqlite/load.h"

typedef struct tt_db_place_of { /* rows with the ids first .. first + span - 1 have the offsets from `at` on */
    tt_db_source source;
    int64_t first;
    uint64_t span, at;
} tt_db_place_of;

typedef struct tt_db_places {
    TT_VEC(tt_db_place_of) at; /* ascending */
    int64_t end;               /* of the trace: of ranges that were never closed */
} tt_db_places;

/* Takes over the image, the places, and the plan's own. A connection is opened when an event is first asked for, and
 * kept; a file that was changed since is not read. */
tt_text_source *tt_db_text_new(tt_db_image *image, tt_db_places *places, tt_db_plan *plan);

#endif
