/* parser/input/walk.h - the only way into folders: the names in a folder, its files and folders, and a walk through
 * the whole tree below a named folder.
 *
 * All lists are sorted by name. Names that begin with '.', devices, pipes and sockets are passed over and never
 * opened. A walk visits the named folder, then the folders below it level by level, and last the folders that links
 * lead to. It enters each folder once (by device and inode), so loops of links end. It follows links only to targets
 * below the named folder; the named folder may itself be a link. One exception: if the named folder has no folder and
 * no wanted file of its own, it is a collection of links, and its links to files are followed anywhere. */
#ifndef TT_PARSER_INPUT_WALK_H
#define TT_PARSER_INPUT_WALK_H

#include <stdbool.h>
#include <stdint.h>

#include "model/base/mem.h"

/* ---- one folder */

typedef TT_VEC(char *) tt_walk_names;

/* Append every name in the folder except "." and "..", sorted; "" = the current folder. False, with errno = the folder
 * cannot be read to its end. */
bool tt_walk_read(const char *folder, tt_walk_names *out);
void tt_walk_names_free(tt_walk_names *l);

typedef struct tt_walk_entry {
    char *name;
    char *alias; /* link: name of its target, if that lies in the same folder; else NULL */
    bool folder; /* false = a regular file */
    bool link;   /* a link; size, time and inode are those of its target */
    bool away;   /* link: its target lies outside of the folder that holds the link */
    bool skip;   /* set by the caller on a folder that the walk must not enter */
    uint64_t bytes, dev, ino;
    int64_t changed; /* time of the last change, s since 1970 */
} tt_walk_entry;
typedef TT_VEC(tt_walk_entry) tt_walk_entries;

typedef struct tt_walk tt_walk;

/* Append the files and folders in the folder. With a walk, links out of its named folder are left out and counted.
 * Without one (NULL) every link is followed: for a folder from which a user chooses names. False as for
 * tt_walk_read(). */
bool tt_walk_list(tt_walk *w, const char *folder, tt_walk_entries *out);
void tt_walk_entries_free(tt_walk_entries *l);

/* ---- the whole tree below a folder */

typedef struct tt_walk_limits {
    uint32_t depth;   /* levels below the named folder; 0 = only the folder */
    uint32_t entries; /* names looked at */
    uint32_t folders;
    int64_t ms;
} tt_walk_limits;
extern const tt_walk_limits tt_walk_whole; /* for a command that takes every trace: only bounds the memory */

typedef struct tt_walk_folder {
    const char *path;  /* path that opens the folder; "" = the current one */
    const char *below; /* its place below the named folder; "" = that folder */
    tt_walk_entries entries;
} tt_walk_folder;

typedef struct tt_walk_left { /* entries that a walk passed over */
    uint32_t closed;          /* folders that cannot be read */
    uint32_t too_long;        /* paths longer than the system takes */
    uint32_t out;             /* links out of the named folder */
    const char *stopped;      /* the limit that ended the walk, as "after many files"; NULL = none */
} tt_walk_left;

/* Begin a walk at root; "" or "." = the current folder. wants(name): whether the caller opens files with this name, so
 * that the walk must report a link out with it; links to folders are always reported. stop: ends the walk soon after
 * it is set; may be NULL. */
tt_walk *tt_walk_begin(const char *root, bool (*wants)(const char *name), const tt_walk_limits *limits,
                       const _Atomic bool *stop);
/* Go to the next folder, which belongs to the walk and lasts until the next call. False = the walk has ended. */
bool tt_walk_next(tt_walk *w, tt_walk_folder **out);
/* Whether a limit or *stop ended the walk. */
bool tt_walk_ended(tt_walk *w);
/* errno of opening the named folder; 0 = it can be read. */
int tt_walk_error(const tt_walk *w);
tt_walk_left tt_walk_over(const tt_walk *w);
/* Call say(arg, line) for each kind of entry passed over: what, why, and how to read it anyway. */
void tt_walk_tell(const tt_walk *w, void (*say)(void *arg, const char *line), void *arg);
void tt_walk_end(tt_walk *w);

#endif
