/* parser/discover/file_name.h - facts in the name of one file, whatever its format. */
#ifndef TT_PARSER_DISCOVER_FILE_NAME_H
#define TT_PARSER_DISCOVER_FILE_NAME_H

#include <stddef.h>
#include <stdint.h>

/* Length of the name without the ending of a compression. */
size_t tt_discover_uncompressed(const char *name);
/* The number after "rank", "worker" or "TP-": "rank0", "rank_3", "worker3_step_12", "171-TP-0-DP-0". The word must
 * not be the end of a longer word. -1 = none. */
int64_t tt_discover_rank(const char *name);

#endif
