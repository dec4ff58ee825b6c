/* tui/app/app_compare.h - what the open run is compared with: another run that is read beside it, or a part of its own.
 *
 * The open run is the new side. The base is the application's, and lives until no job and no screen can know it: one
 * that is replaced is put aside, the screens are told (tt_screen_ops.scope), and it is freed when the worker rests. */
#ifndef TT_TUI_APP_APP_COMPARE_H
#define TT_TUI_APP_APP_COMPARE_H

#include "model/base/mem.h"
#include "parser/load.h"
#include "tui/app/explore.h"
#include "tui/screen/host.h"

typedef struct tt_app tt_app;

enum { TT_SOURCE_CAP = 512 };

typedef TT_VEC(char *) tt_paths;                                      /* what a run is made of; owned */
void tt_paths_set(tt_paths *l, const char *const *paths, uint32_t n); /* copied */

typedef struct tt_base_run {
    tt_load_options options; /* how it is read; notify as the loop says, which polls then */
    tt_load *load;           /* the run being read; NULL = none */
    tt_progress progress;
    char next[TT_SOURCE_CAP];       /* what is being read, as the person named it */
    char source[TT_SOURCE_CAP];     /* the run that the comparison is with */
    tt_paths next_inputs, inputs;   /* of both */
    bool partial;                   /* of it only what was read until it was stopped is there: it was the open one */
    bool from_options;              /* the command line named it: without it there is nothing to show */
    bool fixed_steps, fixed_range;  /* options said which of the base: they do not follow the scope */
    TT_VEC(tt_session *) put_aside; /* no longer compared with; owned */
    uint64_t serial;                /* of the last one */
    bool swap_after;                /* the run being read takes the place of the open one, which is the base then, */
    char then[TT_SOURCE_CAP];       /* or gives way to this one; "" = it does not */
    bool want_swap;                 /* as soon as no job runs */
} tt_base_run;

void tt_app_base_begin(tt_app *a, const tt_explore_options *o); /* takes over what the command line says */
/* Read another run and compare with it when it is there; the one of before stays until then. Without a terminal it is
 * there on return. False: it cannot be read, *err says why. */
bool tt_app_base_open(tt_app *a, const char *const *paths, uint32_t n, tt_err *err);
/* When the loader has called: takes the run that is there. False: the one that the command line named cannot be read,
 * *err says why. */
bool tt_app_base_poll(tt_app *a, tt_err *err);
/* When jobs may have ended: frees what was put aside, swaps what is to be swapped. */
void tt_app_base_settle(tt_app *a);
/* The session took the place of `old`, which is freed next: before screens are renewed. */
void tt_app_base_moved(tt_app *a, const tt_session *old, int64_t shift);
/* The scope was another one: the same part of the base. */
void tt_app_base_follow(tt_app *a, const tt_scope *before);
void tt_app_base_stop(tt_app *a); /* what is being read is not wanted any more */
void tt_app_base_free(tt_app *a);
/* A word of `:diff` that says how to compare, as in skip=1; false: it is none, or no such value. */
bool tt_app_compare_word(tt_comparison *c, const char *word);
bool tt_app_compare_key(const char *word); /* it begins as one of them, with whatever value */

#endif
