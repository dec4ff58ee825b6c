/* parser/input/walk.h - the one way into folders: the names in a folder, its files and folders, and a walk through all
 * that lies below a folder that was named.
 *
 * Everything comes sorted by name. Names that begin with '.' are passed over, devices, pipes and sockets too: none of
 * them is ever opened. A walk visits the named folder, then the folders below it level by level, and last the folders
 * that links lead to. It enters a folder once (device and inode), so loops of links end. It follows a link only to
 * what lies below the named folder; the named folder may itself be a link. One exception: a named folder without any
 * folder or wanted file of its own is a collection of links, and its links to files are followed wherever they lead. */
#ifndef TT_PARSER_INPUT_WALK_H
#define TT_PARSER_INPUT_WALK_H

#include <stdbool.h>
#include <stdint.h>

#include "model/base/mem.h"

/* ---- one folder */

typedef TT_VEC(char *) tt_walk_names;

/* Append every name in the folder but "." and "..", sorted; "" = the current folder. False, with errno: the folder
 * cannot be read to its end. */
bool tt_walk_read(const char *folder, tt_walk_names *out);
void tt_walk_names_free(tt_walk_names *l);

typedef struct tt_walk_entry {
    char *name;
    char *alias; /* link: the name in the same folder of the file or folder it leads to; else NULL */
    bool folder; /* else a regular file */
    bool link;   /* a link to a folder or a file, whose size, time and inode these are */
    bool away;   /* link: it leads out of the folder that holds it */
    bool skip;   /* the caller sets it on a folder that the walk must not enter */
    uint64_t bytes, dev, ino;
    int64_t changed; /* s since 1970 */
} tt_walk_entry;
typedef TT_VEC(tt_walk_entry) tt_walk_entries;

typedef struct tt_walk tt_walk;

/* Append the files and folders in the folder. With a walk, links out of its named folder are left out and counted.
 * Without one (NULL) every link is followed: for a folder whose names a person chooses from. False as tt_walk_read().
 */
bool tt_walk_list(tt_walk *w, const char *folder, tt_walk_entries *out);
void tt_walk_entries_free(tt_walk_entries *l);

/* ---- all below a folder */

typedef struct tt_walk_limits {
    uint32_t depth;   /* folders below the named one; 0 = that one alone */
    uint32_t entries; /* names that are looked at */
    uint32_t folders;
    int64_t ms;
} tt_walk_limits;
extern const tt_walk_limits tt_walk_whole; /* for a command that takes everything: bounds the memory only */

typedef struct tt_walk_folder {
    const char *path;  /* opens it; "" = the current folder */
    const char *below; /* its place below the named folder; "" = that one */
    tt_walk_entries entries;
} tt_walk_folder;

typedef struct tt_walk_left { /* what a walk passed over */
    uint32_t closed;          /* folders that cannot be read */
    uint32_t too_long;        /* paths longer than the system takes */
    uint32_t out;             /* links that lead out of the named folder */
    const char *stopped;      /* the limit that ended it: "after many files"; NULL = none */
} tt_walk_left;

/* root: "" or "." = the current folder. wants(name): whether the caller opens files of this name, so that a link out
 * that has it must be said; folders always are. stop: ends the walk soon after it is set; may be NULL. */
tt_walk *tt_walk_begin(const char *root, bool (*wants)(const char *name), const tt_walk_limits *limits,
                       const _Atomic bool *stop);
/* The next folder; it belongs to the walk and lasts until the next call. False at the end. */
bool tt_walk_next(tt_walk *w, tt_walk_folder **out);
/* Whether a limit or *stop ended the walk. */
bool tt_walk_ended(tt_walk *w);
/* errno of the named folder when it cannot be read; 0. */
int tt_walk_error(const tt_walk *w);
tt_walk_left tt_walk_over(const tt_walk *w);
/* Calls say(arg, line) for everything that was passed over: what, why, and what to do. */
void tt_walk_tell(const tt_walk *w, void (*say)(void *arg, const char *line), void *arg);
void tt_walk_end(tt_walk *w);

#endif
