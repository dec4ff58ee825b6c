/* parser/chrome/strict.h - valid JSON as readers want it that believe every number and the last of every key.
 *
 * TensorBoard's plugin, HTA and others compute with ts and dur of every event as they come: a text, null or a missing
 * dur ends them, a dur below 0 makes nonsense. Keys that come twice are refused by some and read differently by others.
 * Pure; any thread. O(length), with repeated keys times the depth. */
#ifndef TT_PARSER_CHROME_STRICT_H
#define TT_PARSER_CHROME_STRICT_H

#include <stdint.h>

#include "model/base/mem.h"

typedef struct tt_strict { /* counts of what was changed; added to */
    uint64_t numbers;      /* times and durations that were texts; times that were none */
    uint64_t durations;    /* of slices: missing, no number, or below 0; now 0 */
    uint64_t keys;         /* that came again in the same object, whose last value stays */
} tt_strict;

/* The valid JSON value in *v without repeated keys at any level. scratch: any, its content is lost. */
void tt_strict_value(tt_text *v, tt_text *scratch, tt_strict *s);
/* An event, likewise, with ts and dur that are numbers: a text becomes the number that it spells; a slice (X) has a
 * dur of at least 0; a time that says nothing is left out. */
void tt_strict_event(tt_text *v, tt_text *scratch, tt_strict *s);

#endif
