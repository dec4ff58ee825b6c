/* tui/anonymise/anonymise.h - events of a trace without what tells whose they are.
 *
 * Kept: numbers, and texts that a list has exactly (lists.def, names.h). Everything else that is text (names of user
 * code, files, folders, hosts, processes, threads, modules, extensions, arguments, keys) becomes a word with a hash
 * under a key (key.h), the same for the same text in every file: tables stay the same but for names. Who has not the
 * key cannot try out what a hash stands for. Names of kernels, ranges and frames are taken apart: their parts stay or
 * become hashes one by one. */
#ifndef TT_TUI_ANONYMISE_ANONYMISE_H
#define TT_TUI_ANONYMISE_ANONYMISE_H

#include <stdbool.h>

#include "model/base/mem.h"
#include "tui/anonymise/key.h"

typedef struct tt_anonymiser {
    tt_hash_key key;
    bool no_shapes; /* lists of dimensions, strides and values of inputs are emptied */
} tt_anonymiser;

typedef struct tt_event_facts { /* what the loaded trace says of the event; zeroed: nothing */
    bool of_library;            /* its name is that of device work, or of a call of the library that launches it */
    bool is_operator;           /* of a framework or of an extension */
} tt_event_facts;

/* An event's JSON object, or a list of anything, appended to out. Any thread. O(length). */
void tt_anonymise_event(const tt_anonymiser *how, const char *p, size_t n, tt_event_facts facts, tt_text *out);
/* The value of a member of the file beside the events. */
void tt_anonymise_member(const tt_anonymiser *how, const char *key, const char *p, size_t n, tt_text *out);
/* A key beside or in the events: kept unless it looks like a path or an address. Within `room`, else the key itself. */
const char *tt_anonymise_key(const tt_anonymiser *how, const char *key, char *room, size_t cap);
/* A text alone, in the place of the worker, span or folder of a file: "worker_0123456789". */
void tt_anonymise_word(const tt_anonymiser *how, const char *word, const char *text, char *out, size_t cap);

#endif
