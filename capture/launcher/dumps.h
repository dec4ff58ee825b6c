/* capture/launcher/dumps.h - what the processes of a recording did at triggers, from its control file. */
#ifndef TT_CAPTURE_LAUNCHER_DUMPS_H
#define TT_CAPTURE_LAUNCHER_DUMPS_H

#include "capture/shared/control_file.h"

typedef struct tt_dumps { /* zero-initialise; free with tt_dumps_free() */
    tt_control_dump *at;  /* in the order of the file; texts are terminated */
    uint32_t n, cap;
    uint32_t waiting; /* processes that record, and have not followed the order asked for */
} tt_dumps;

/* Read all dumps of the recording; `order`: number of an order to dump, 0: none. False: the file is lost; what was read
 * before stays. */
bool tt_dumps_read(const tt_control *c, uint32_t order, tt_dumps *out);
void tt_dumps_free(tt_dumps *d);
/* One line for people: where the dump lies, or why there is none. dir: the recording's folder. */
void tt_dump_line(const tt_control_dump *d, const char *dir, char *out, size_t cap);

#endif
