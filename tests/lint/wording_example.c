/* tests/lint/wording_example.c - "no text" for tests/cli/wording.py to read. */
#include "nothing.h"
static const char *const x[] = {"joined "
                                "text", // "comment"
                                "other"};
