/* parser/source/archive_zip.c - the members of a zip archive: from the directory at its end or, if a cut file lacks
 * it, from the headers before the members. */
#include "parser/source/archive_impl.h"

#include <stdlib.h>
#include <string.h>

#define END_SIZE 22u
#define ENTRY_SIZE 46u
#define LOCAL_SIZE 30u
#define COMMENT_MOST 65535u

static bool is_local(const char *head, size_t n) { return n >= 4 && memcmp(head, "PK\3\4", 4) == 0; }

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

/* Read sizes and offsets of more than 32 bits from a field of the extra data, where only the needed ones stand, in
 * this order. */
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

/* Offset of the data of the member whose local header is at `at`; 0 = there is no such header. */
static uint64_t data_place(tt_source *s, uint64_t at)
{
    char h[LOCAL_SIZE];

    if (!read_whole(s, at, h, sizeof h) || !is_local(h, sizeof h)) return 0;
    return at + LOCAL_SIZE + get(h + 26, 2) + get(h + 28, 2);
}

/* Whether sources can read the method: stored, deflate, zstd. */
static bool is_read(unsigned method) { return method == 0 || method == 8 || (method == 93 && TT_USE_ZSTD); }

typedef struct directory {
    uint64_t at, entries; /* entries: writers do not always count beyond 65535 */
    uint64_t shift;       /* bytes before the archive that its offsets do not count: a program that unpacks it */
} directory;

/* Add the member of one directory entry. Returns the offset after the entry, 0 = it is no entry. *on becomes false if
 * no more members are accepted. */
static uint64_t take_entry(tt_source *s, const directory *d, uint64_t at, tt_members *out, bool *on)
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
    tt_member m = {.name = tt_strndup(tail, n_name),
                   .offset = at,
                   .left_out = TT_MEMBER_TAKEN,
                   .size = size,
                   .method = (unsigned)get(h + 10, 2),
                   .has_crc = true,
                   .crc = (uint32_t)get(h + 16, 4)};
    free(tail);
    if (folder) {
        free(m.name);
        return at + ENTRY_SIZE + n_name + n_extra + n_comment;
    }
    m.at = data_place(s, local + d->shift);
    if (!is_read(m.method)) m.left_out = TT_PROBLEM_MEMBER_PACKED;
    if (special) m.left_out = TT_PROBLEM_MEMBER_LINK;
    if (encrypted) m.left_out = TT_PROBLEM_MEMBER_ENCRYPTED;
    if (m.at && m.size <= s->raw.size) {
        *on = tt_members_add(out, &m);
    } else {
        tt_members_cut(out, at, "no file where the directory has %.60s", m.name);
        free(m.name);
    }
    return at + ENTRY_SIZE + n_name + n_extra + n_comment;
}

/* Fill in the directory from the end record at tail + i, which lies at offset `at`; false = there is none. */
static bool take_end(tt_source *s, const char *tail, size_t i, uint64_t at, directory *d)
{
    char end64[56], first[4];
    uint64_t size = get(tail + i + 12, 4), end = at;

    d->at = get(tail + i + 16, 4);
    d->entries = get(tail + i + 10, 2);
    if (i >= 20 && memcmp(tail + i - 20, "PK\6\7", 4) == 0) {
        uint64_t told = get(tail + i - 12, 8), near = at - 20 - sizeof end64;

        end = read_whole(s, told, end64, sizeof end64) && memcmp(end64, "PK\6\6", 4) == 0 ? told : near;
        if (!read_whole(s, end, end64, sizeof end64) || memcmp(end64, "PK\6\6", 4) != 0) return false;
        d->entries = get(end64 + 32, 8);
        size = get(end64 + 40, 8);
        d->at = get(end64 + 48, 8);
    }
    if (d->at > s->raw.size || size > end || end - size > s->raw.size) return false;
    /* if offsets count from the beginning of the file the directory ends at its end record; else the gap is the shift
     */
    d->shift = end - size > d->at ? end - size - d->at : 0;
    if (d->shift && read_whole(s, d->at, first, 4) && memcmp(first, "PK\1\2", 4) == 0) d->shift = 0;
    d->at += d->shift;
    return d->entries == 0 || (read_whole(s, d->at, first, 4) && memcmp(first, "PK\1\2", 4) == 0);
}

/* Find the directory; false = there is none. */
static bool find_directory(tt_source *s, directory *d)
{
    uint64_t size = s->raw.size, from = size > COMMENT_MOST + END_SIZE ? size - COMMENT_MOST - END_SIZE : 0;
    size_t n = (size_t)(size - from);
    char *tail = tt_malloc(n + 1);
    bool found = false;

    if (n < END_SIZE || !read_whole(s, from, tail, n)) n = END_SIZE - 1;
    for (size_t i = n - END_SIZE + 1; i-- > 0 && !found;) {
        if (memcmp(tail + i, "PK\5\6", 4) == 0) found = take_end(s, tail, i, from + i, d);
    }
    free(tail);
    return found;
}

/* An archive may follow a program that unpacks it, so its end is searched; text that begins like JSON is not searched.
 * */
bool tt_is_zip(tt_source *s, const char *head, size_t n)
{
    directory d;
    size_t blank = 0;

    if (is_local(head, n)) return true;
    while (blank < n && head[blank] && strchr(" \t\r\n", head[blank])) blank++;
    if (blank == n || head[blank] == '{' || head[blank] == '[') return false;
    return find_directory(s, &d) && d.entries;
}

/* Find members by the headers before them. If a writer did not know a size in advance the search ends there. */
static void walk_headers(tt_source *s, tt_members *out)
{
    char h[LOCAL_SIZE];
    bool on = true;

    for (uint64_t at = 0; on && read_whole(s, at, h, sizeof h) && is_local(h, sizeof h);) {
        size_t n_name = get(h + 26, 2), n_extra = get(h + 28, 2), flags = get(h + 6, 2);
        char *tail = tt_calloc(n_name + n_extra + 1, 1);
        uint64_t unpacked = get(h + 22, 4), size = get(h + 18, 4);
        uint64_t *const wide[] = {&unpacked, &size};

        if (!read_whole(s, at + LOCAL_SIZE, tail, n_name + n_extra)) {
            free(tail);
            return;
        }
        take_zip64(tail + n_name, n_extra, wide, 2);
        bool unknown = flags & 8, folder = n_name && tail[n_name - 1] == '/';
        tt_member m = {.name = tt_strndup(tail, n_name),
                       .offset = at,
                       .left_out = TT_MEMBER_TAKEN,
                       .at = at + LOCAL_SIZE + n_name + n_extra,
                       .size = unknown ? UINT64_MAX : size,
                       .method = (unsigned)get(h + 8, 2),
                       .has_crc = !unknown,
                       .crc = (uint32_t)get(h + 14, 4)};
        free(tail);
        at = m.at + size;
        if (!is_read(m.method)) m.left_out = TT_PROBLEM_MEMBER_PACKED;
        if (flags & 1) m.left_out = TT_PROBLEM_MEMBER_ENCRYPTED;
        if (folder) {
            free(m.name);
        } else {
            on = tt_members_add(out, &m);
        }
        if (size > (uint64_t)1 << 62 || (unknown && !folder)) return;
    }
}

void tt_zip_walk(tt_source *archive, tt_members *out)
{
    directory d;
    bool on = true;
    uint64_t n = 0;

    if (!find_directory(archive, &d)) {
        tt_members_cut(out, archive->raw.size, "the directory at the end of the zip archive is missing");
        walk_headers(archive, out);
        return;
    }
    for (uint64_t at = d.at; on && (at = take_entry(archive, &d, at, out, &on)) != 0;) n++;
    if (on && n < d.entries) {
        tt_members_cut(out, d.at, "the directory has %llu files, %llu of them can be read",
                       (unsigned long long)d.entries, (unsigned long long)n);
    }
}
