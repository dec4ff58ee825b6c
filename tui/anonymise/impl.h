/* tui/anonymise/impl.h - shared by this folder: an event, and the rules for its texts.
 *
 * Each rule returns a text that may be shown: the text itself if a list has it (names.h), else a word with a hash, or
 * the known parts of the text with such words between them. */
#ifndef TT_TUI_ANONYMISE_IMPL_H
#define TT_TUI_ANONYMISE_IMPL_H

#include "model/base/mem.h"
#include "tui/anonymise/anonymise.h"
#include "tui/anonymise/names.h"

typedef struct tt_hidden_event {
    tt_arena arena; /* holds the texts that the rules make */
    const tt_anonymiser *how;
    tt_names keys; /* the list of keys that stay */
    const char *name, *cat, *ph;
    tt_event_facts facts;
} tt_hidden_event;

typedef const char *tt_hide_rule(tt_hidden_event *e, const char *text);

/* ---- words.c: hashes, numbers, words ---- */

/* "word_0123456789" */
const char *tt_hide_bytes(tt_hidden_event *e, const char *word, const char *text, size_t n);
const char *tt_hide(tt_hidden_event *e, const char *word, const char *text);
/* A hash with the words "backward" and "forward" if the text has them: tables know the passes of a model by them. */
const char *tt_hide_name(tt_hidden_event *e, const char *word, const char *text);
bool tt_starts(const char *text, const char *with);
bool tt_kept(tt_names list, const char *text);
bool tt_kept_numbered(tt_names list, const char *text);
/* The text is numbers with blanks, commas and brackets between them. Addresses, versions of four parts, dates and UUIDs
 * are no numbers. */
bool tt_is_numbers(const char *text);
/* The text holds an IP or hardware address or a UUID: four or more groups of hexadecimal digits with one ".", ":" or
 * "-" between two, or groups with "::" that are no part of a word. */
bool tt_has_address(const char *text);
/* All words of the text are in the list, its numbers are short, and it has no address. */
bool tt_words_kept(tt_names list, const char *text);
/* Each word of the text that is not in the list becomes a hash. */
const char *tt_hide_words(tt_hidden_event *e, tt_names list, const char *text);
/* Split the text at each `between`, and apply the rule to each part. */
const char *tt_hide_parts(tt_hidden_event *e, const char *text, char between, tt_hide_rule *rule);
/* Length of the identifier or number that begins at p; 0: neither does. */
size_t tt_word_length(const char *p);

/* ---- library.c ---- */

/* Hide the name of device work, or of a library call that launches it, identifier by identifier. Words of a hidden
 * identifier that tell the class of a kernel stay behind its hash. */
tt_hide_rule tt_hide_library_name;
/* The name is written by inductor: "triton_poi_fused_add_mul_0", a known beginning, then parts of operators' names. */
bool tt_is_inductor_name(const char *text, size_t n);

/* ---- code.c ---- */

tt_hide_rule tt_hide_frame;       /* "path(line): function" */
tt_hide_rule tt_hide_module;      /* "Linear_3": the class with a number */
tt_hide_rule tt_hide_python_name; /* a frame, or "nn.Module: " and a module */

/* ---- ranges.c ---- */

tt_hide_rule tt_hide_operator;
tt_hide_rule tt_hide_range;
tt_hide_rule tt_hide_paddle_name; /* "conv2d_grad infer_meta[3.1 us]" */

#endif
