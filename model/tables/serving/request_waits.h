/* model/tables/serving/request_waits.h - where engines of LLM serving wait for requests. */
#ifndef TT_MODEL_TABLES_SERVING_REQUEST_WAITS_H
#define TT_MODEL_TABLES_SERVING_REQUEST_WAITS_H

#include <stdbool.h>

/* Whether a Python frame ("queue.py(171): get") or a range has the name of code in which an engine waits for
 * requests. Other code may wait, too. */
bool tt_waits_for_requests(const char *name);

#endif
