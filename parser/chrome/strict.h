/* parser/chrome/strict.h - makes valid JSON safe for readers that trust every number and the last of equal keys.
 *
 * TensorBoard's plugin, HTA and others compute with ts and dur of every event as they come: a text, null or a missing
 * dur ends them, a dur below 0 makes nonsense. Repeated keys are refused by some and read differently by others. Pure;
 * any thread. O(length), with repeated keys times the depth. */
#ifndef TT_PARSER_CHROME_STRICT_H
#define TT_PARSER_CHROME_STRICT_H

#include <stdint.h>

#include "model/base/mem.h"

typedef struct tt_strict { /* counts of changes; added to */
    uint64_t numbers;      /* times and durations that were texts or no numbers */
    uint64_t durations;    /* durations of slices that were missing, no number, or below 0; now 0 */
    uint64_t keys;         /* keys that came again in one object, whose last value stays */
} tt_strict;

/* Remove repeated keys at any level from the valid JSON value in *v. scratch: any text, its content is lost. */
void tt_strict_value(tt_text *v, tt_text *scratch, tt_strict *s);
/* Make an event strict: no repeated keys; ts and dur become numbers where texts spell them; a slice (X) gets a dur of
 * at least 0; a time that is no number is left out. */
void tt_strict_event(tt_text *v, tt_text *scratch, tt_strict *s);

#endif
