/* tui/anonymise/anonymise.h - events of a trace without texts that identify a person, program or machine.
 *
 * Numbers stay, and texts that a list has exactly (lists.def, names.h). Every other text (names of user code, files,
 * folders, hosts, processes, threads, modules, extensions, arguments, keys) becomes a word with a hash under a key
 * (key.h). Equal texts have equal hashes in every file, so tables stay the same except for names. Without the key
 * nobody can test what a hash stands for. Names of kernels, ranges and frames are taken apart: each part stays or
 * becomes a hash. */
#ifndef TT_TUI_ANONYMISE_ANONYMISE_H
#define TT_TUI_ANONYMISE_ANONYMISE_H

#include <stdbool.h>

#include "model/base/mem.h"
#include "tui/anonymise/key.h"

typedef struct tt_anonymiser {
    tt_hash_key key;
    bool no_shapes; /* lists of dimensions, strides and values of inputs are emptied */
} tt_anonymiser;

typedef struct tt_event_facts { /* facts of the loaded trace about the event; zeroed: nothing is known */
    bool of_library;            /* the name is of device work, or of a library call that launches it */
    bool is_operator;           /* the event is an operator of a framework or an extension */
} tt_event_facts;

/* Append an event's JSON object, or a list, to out without identifying texts. Any thread. O(length). */
void tt_anonymise_event(const tt_anonymiser *how, const char *p, size_t n, tt_event_facts facts, tt_text *out);
/* The same for the value of a member of the file beside the events. */
void tt_anonymise_member(const tt_anonymiser *how, const char *key, const char *p, size_t n, tt_text *out);
/* A key of the file: kept unless it looks like a path or an address. Returns the key, or a text in `room`. */
const char *tt_anonymise_key(const tt_anonymiser *how, const char *key, char *room, size_t cap);
/* A name or description of a process group: a number stays, and what consists of words that frameworks use. */
void tt_anonymise_group(const tt_anonymiser *how, const char *text, char *out, size_t cap);
/* The file and function of a stack's frame. */
void tt_anonymise_frame(const tt_anonymiser *how, const char *file, const char *function, tt_text *file_out,
                        tt_text *function_out);
/* Replace a worker, span or folder: "worker_0123456789". */
void tt_anonymise_word(const tt_anonymiser *how, const char *word, const char *text, char *out, size_t cap);

#endif
