/* parser/archive_zip.c - the members of a zip archive, by its directory at the end, or, when that is missing because the file was cut
 * off, by the headers in front of the members.                                                                          */
#include "parser/archive_impl.h"

#include <stdlib.h>
#include <string.h>

#define END_SIZE 22u
#define ENTRY_SIZE 46u
#define LOCAL_SIZE 30u
#define COMMENT_MOST 65535u

bool tt_is_zip(const char *head, size_t n) { return n >= 4 && memcmp(head, "PK\3\4", 4) == 0; }

static uint64_t get(const char *p, size_t n)
{
    uint64_t v = 0;
    while (n--) v = v << 8 | (unsigned char)p[n];
    return v;
}

static bool read_whole(tt_source *s, uint64_t at, char *out, size_t n)
{
    return tt_source_read_at(s, at, out, n) == (int64_t)n;
}

/* Sizes and places that do not fit 32 bits stand in a field of the extra data, in this order, if they are needed. */
static void take_zip64(const char *extra, size_t n, uint64_t *const want[], size_t n_want)
{
    while (n >= 4) {
        size_t len = get(extra + 2, 2);
        const char *p = extra + 4;

        if (len > n - 4) return;
        if (get(extra, 2) == 1) {
            for (size_t i = 0, at = 0; i < n_want && at + 8 <= len; i++) {
                if (*want[i] != UINT32_MAX) continue;
                *want[i] = get(p + at, 8);
                at += 8;
            }
            return;
        }
        extra += 4 + len;
        n -= 4 + len;
    }
}

/* Where the data of the member whose local header is at `at` begins; 0 when there is no such header. */
static uint64_t data_place(tt_source *s, uint64_t at)
{
    char h[LOCAL_SIZE];

    if (!read_whole(s, at, h, sizeof h) || !tt_is_zip(h, sizeof h)) return 0;
    return at + LOCAL_SIZE + get(h + 26, 2) + get(h + 28, 2);
}

/* One entry of the directory; the place behind it, 0 when it is none. */
static uint64_t take_entry(tt_source *s, uint64_t at, tt_member_fn *member, void *arg, bool *on)
{
    char h[ENTRY_SIZE], *tail;
    size_t n_name, n_extra, n_comment;

    if (!read_whole(s, at, h, sizeof h) || memcmp(h, "PK\1\2", 4) != 0) return 0;
    n_name = get(h + 28, 2);
    n_extra = get(h + 30, 2);
    n_comment = get(h + 32, 2);
    tail = tt_calloc(n_name + n_extra + 1, 1);
    if (!read_whole(s, at + ENTRY_SIZE, tail, n_name + n_extra)) {
        free(tail);
        return 0;
    }
    uint64_t unpacked = get(h + 24, 4), size = get(h + 20, 4), local = get(h + 42, 4);
    uint64_t *const wide[] = {&unpacked, &size, &local};
    take_zip64(tail + n_name, n_extra, wide, 3);
    unsigned made_on = (unsigned)get(h + 5, 1), unix_mode = (unsigned)get(h + 40, 2);
    bool encrypted = get(h + 8, 2) & 1,
         special = made_on == 3 && (unix_mode & 0170000) && (unix_mode & 0170000) != 0100000;
    bool folder = n_name && tail[n_name - 1] == '/';
    tt_member m = {.name = tt_strndup(tail, n_name), .size = size, .method = (unsigned)get(h + 10, 2)};
    m.crc = (uint32_t)get(h + 16, 4);
    m.has_crc = true;
    m.at = folder ? 0 : data_place(s, local);
    if (encrypted || special || !m.at) m.name[0] = '\0';
    if (!folder) *on = member(arg, &m);
    free(m.name);
    free(tail);
    return at + ENTRY_SIZE + n_name + n_extra + n_comment;
}

/* The place of the directory; false when there is none. */
static bool find_directory(tt_source *s, uint64_t *at)
{
    uint64_t size = s->raw.size, from = size > COMMENT_MOST + END_SIZE ? size - COMMENT_MOST - END_SIZE : 0;
    size_t n = (size_t)(size - from);
    char *tail = tt_malloc(n + 1);
    bool found = false;

    if (n < END_SIZE || !read_whole(s, from, tail, n)) n = END_SIZE - 1;
    for (size_t i = n - END_SIZE + 1; i-- > 0 && !found;) {
        if (memcmp(tail + i, "PK\5\6", 4) != 0) continue;
        *at = get(tail + i + 16, 4);
        found = true;
        if (*at == UINT32_MAX && i >= 20 && memcmp(tail + i - 20, "PK\6\7", 4) == 0) {
            char end64[56];
            found = read_whole(s, get(tail + i - 12, 8), end64, sizeof end64) && memcmp(end64, "PK\6\6", 4) == 0;
            if (found) *at = get(end64 + 48, 8);
        }
    }
    free(tail);
    return found;
}

/* Members by the headers in front of them. Where a writer did not know the size in advance, nothing behind can be found. */
static void walk_headers(tt_source *s, tt_member_fn *member, void *arg)
{
    char h[LOCAL_SIZE];
    bool on = true;

    for (uint64_t at = 0; on && read_whole(s, at, h, sizeof h) && tt_is_zip(h, sizeof h);) {
        size_t n_name = get(h + 26, 2), n_extra = get(h + 28, 2), flags = get(h + 6, 2);
        char *tail = tt_calloc(n_name + n_extra + 1, 1);
        uint64_t unpacked = get(h + 22, 4), size = get(h + 18, 4);
        uint64_t *const wide[] = {&unpacked, &size};
        tt_member m = {.at = at + LOCAL_SIZE + n_name + n_extra, .method = (unsigned)get(h + 8, 2)};

        if (!read_whole(s, at + LOCAL_SIZE, tail, n_name + n_extra)) {
            free(tail);
            return;
        }
        take_zip64(tail + n_name, n_extra, wide, 2);
        bool unknown = flags & 8, folder = n_name && tail[n_name - 1] == '/';
        m.size = unknown ? UINT64_MAX : size;
        m.has_crc = !unknown;
        m.crc = (uint32_t)get(h + 14, 4);
        m.name = tt_strndup(tail, n_name);
        if (flags & 1) m.name[0] = '\0';
        if (!folder) on = member(arg, &m) && !unknown;
        free(m.name);
        free(tail);
        if (size > (uint64_t)1 << 62) return;
        at = m.at + size;
    }
}

void tt_zip_walk(tt_source *archive, tt_member_fn *member, void *arg)
{
    uint64_t at;
    bool on = true, any = false;

    if (find_directory(archive, &at)) {
        while (on && (at = take_entry(archive, at, member, arg, &on)) != 0) any = true;
    }
    if (on && !any) walk_headers(archive, member, arg);
}
