/* model/tables/devices/unfinished.h - table unfinished: device work that was launched and had not ended when the
 * recording did. It has no times, so no other table counts it. */
#ifndef TT_MODEL_TABLES_DEVICES_UNFINISHED_H
#define TT_MODEL_TABLES_DEVICES_UNFINISHED_H

#include "model/tables/table.h"

enum {
    TT_UNFINISHED_ORDER,
    TT_UNFINISHED_DEVICE,
    TT_UNFINISHED_STREAM,
    TT_UNFINISHED_NAME,
    TT_UNFINISHED_LAUNCHED_AT,
    TT_UNFINISHED_RUNNING,
    TT_UNFINISHED_CALL,
    TT_UNFINISHED_CORRELATION,
    TT_UNFINISHED_THREAD,
    TT_UNFINISHED_OPERATOR,
    TT_UNFINISHED_RANGE
};

extern const tt_table_desc tt_table_unfinished;

#endif
