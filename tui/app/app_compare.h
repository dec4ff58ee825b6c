/* tui/app/app_compare.h - what the open run is compared with: another run that is read beside it, or a part of its
 * own. The open run is the new side. The application owns the base until no job and no screen can know it: a base
 * that is replaced is put aside, the screens are told (tt_screen_ops.scope), and it is freed when the worker rests. */
#ifndef TT_TUI_APP_APP_COMPARE_H
#define TT_TUI_APP_APP_COMPARE_H

#include "model/base/mem.h"
#include "parser/load.h"
#include "tui/app/explore.h"
#include "tui/screen/host.h"

typedef struct tt_app tt_app;

enum { TT_SOURCE_CAP = 512 };

typedef TT_VEC(char *) tt_paths;                                      /* paths that make up a run; owned */
void tt_paths_set(tt_paths *l, const char *const *paths, uint32_t n); /* Replace the paths by copies of these. */

typedef struct tt_base_run {
    tt_load_options options; /* how the other run is read; its notify wakes the loop, which polls then */
    tt_load *load;           /* loads the other run; NULL = nothing is being read */
    tt_progress progress;
    char next[TT_SOURCE_CAP];     /* run being read, as the person named it */
    char source[TT_SOURCE_CAP];   /* run that the open run is compared with */
    tt_paths next_inputs, inputs; /* paths of the run being read, and of the run compared with */
    bool partial;      /* the base was the open run, and its reading was stopped: the rest of it is missing */
    bool from_options; /* the command line named the other run: without it there is nothing to show */
    bool fixed_steps, fixed_range;  /* options chose the steps or the range of the base: they do not follow the scope */
    TT_VEC(tt_session *) put_aside; /* bases that nothing compares with any more; owned */
    uint64_t serial;                /* serial of the newest comparison */
    bool swap_after;                /* the run being read becomes the open one, and the open one its base, */
    char then[TT_SOURCE_CAP];       /* or else gives way to this run; "" = does not */
    bool want_swap;                 /* swap the sides as soon as no job runs */
} tt_base_run;

void tt_app_base_begin(tt_app *a, const tt_explore_options *o); /* Take over what the command line says. */
/* Read another run and compare with it when it is read; the base before it stays until then. Without a terminal the
 * run is read on return. False: the run cannot be read, *err says why. */
bool tt_app_base_open(tt_app *a, const char *const *paths, uint32_t n, tt_err *err);
/* The loader has called: take the run that is read. False: the run that the command line named cannot be read, *err
 * says why. */
bool tt_app_base_poll(tt_app *a, tt_err *err);
/* Jobs may have ended: free the bases put aside, swap the sides that wait for it. */
void tt_app_base_settle(tt_app *a);
/* The session took the place of `old`, which is freed next. Call before screens are renewed. */
void tt_app_base_moved(tt_app *a, const tt_session *old, int64_t shift);
/* The scope was `before`: choose the same part of the base. */
void tt_app_base_follow(tt_app *a, const tt_scope *before);
void tt_app_base_stop(tt_app *a); /* Stop reading: the other run is not wanted any more. */
void tt_app_base_free(tt_app *a);
/* Take a word of `:diff` that says how to compare, such as skip=1; false: another word, or no such value. */
bool tt_app_compare_word(tt_comparison *c, const char *word);
bool tt_app_compare_key(const char *word); /* Whether the word begins as such a word does, with whatever value. */

#endif
