/* parser/source/source_sniff.c - tells from the first bytes of an input how it is compressed, or why it is no trace.
 *
 * One table holds signatures of compression, archives and damaged copies; refusals.c has the formats that are
 * recognised but not read. Every refusal says what to do, if possible with a command that can be pasted. */
#include "parser/source/source_impl.h"

#include "model/base/run/program.h"
#include "parser/source/refusals.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct signature {
    size_t at, n;
    const char *bytes;
    const char *what;   /* completes "is %s" */
    const char *remedy; /* %s = the path, quoted for a shell */
} signature;

#define NO_COMPRESSION_TWICE "decompress it once and open the result"
#define BROKEN_TRANSFER                                                                                                \
    "its bytes were replaced when it was copied as text and cannot be recovered; copy it again in binary mode"

static const signature refused[] = {
    {0, 4, "PK\3\4", "a zip archive", "unpack it (unzip %s) and open the trace in it"},
    {0, 4, "PK\5\6", "an empty zip archive", "record or copy the trace again"},
    {257, 5, "ustar", "a tar archive", "unpack it (tar -xf %s) and open the directory"},
    {0, 3, "BZh", "bzip2 data", "decompress it first: bunzip2 -k %s"},
    {0, 6,
     "\xFD"
     "7zXZ\0",
     "xz data", "decompress it first: unxz -k %s"},
    {0, 6, "7z\xBC\xAF\x27\x1C", "a 7z archive", "unpack it (7z x %s) and open the trace in it"},
    {0, 4, "\x04\x22\x4D\x18", "lz4 data", "decompress it first: unlz4 -k %s"},
    {0, 4, "\x1F\xEF\xBF\xBD", "gzip data damaged by a text conversion", BROKEN_TRANSFER},
    {0, 4, "\x28\xEF\xBF\xBD", "zstd data damaged by a text conversion", BROKEN_TRANSFER},
    {0, 4, "\xFF\xFE\0\0", "UTF-32 text", "convert it first: iconv -f UTF-32 -t UTF-8 %s > trace.json"},
    {0, 4, "\0\0\xFE\xFF", "UTF-32 text", "convert it first: iconv -f UTF-32 -t UTF-8 %s > trace.json"},
    {0, 2, "{\0", "UTF-16 text", "convert it first: iconv -f UTF-16LE -t UTF-8 %s > trace.json"},
    {0, 2, "[\0", "UTF-16 text", "convert it first: iconv -f UTF-16LE -t UTF-8 %s > trace.json"},
    {0, 2, "\0{", "UTF-16 text", "convert it first: iconv -f UTF-16BE -t UTF-8 %s > trace.json"},
    {0, 2, "\0[", "UTF-16 text", "convert it first: iconv -f UTF-16BE -t UTF-8 %s > trace.json"},
    {0, 2, "\xFF\xFE", "UTF-16 text", "convert it first: iconv -f UTF-16 -t UTF-8 %s > trace.json"},
    {0, 2, "\xFE\xFF", "UTF-16 text", "convert it first: iconv -f UTF-16 -t UTF-8 %s > trace.json"},
};

/* Compression inside compressed data, which is one level too many. */
static const signature twice[] = {
    {0, 2, "\x1F\x8B", "gzip data again", NO_COMPRESSION_TWICE},
    {0, 4, "\x28\xB5\x2F\xFD", "zstd data again", NO_COMPRESSION_TWICE},
};

static const char lfs_line[] = "version https://git-lfs.github.com/spec/v1\n";

static bool has(const char *head, size_t n, size_t at, const char *bytes, size_t len)
{
    return n >= at + len && memcmp(head + at, bytes, len) == 0;
}

/* "./" before a name that programs would not take for a file: an option, a command of an editor, a host for tar. */
static const char *folder_before(const char *path)
{
    bool special = *path == '-' || *path == '+' || path[strcspn(path, ":/")] == ':';
    return special ? "./" : "";
}

/* Quote the path as one word of a shell command. */
static const char *quote(const char *path, char *out, size_t cap)
{
    const char *before = folder_before(path);
    bool plain = !path[strspn(path, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-+=:@%,")];
    size_t n = (size_t)snprintf(out, cap, "%s%s%s", plain ? "" : "'", before, plain ? path : "");

    if (plain) return *before ? out : path;
    for (; *path && n + 6 < cap; path++) {
        if (*path == '\'') {
            memcpy(out + n, "'\\'", 3);
            n += 3;
        }
        out[n++] = *path;
    }
    out[n++] = '\'';
    out[n] = '\0';
    return out;
}

/* Length of the path without whichever of these endings it has (separated by "|"), 0 = none. */
static size_t without_ending(const char *path, const char *endings)
{
    size_t n = strlen(path);

    for (const char *p = endings; p && *p; p += strspn(p, "|")) {
        size_t m = strcspn(p, "|");

        if (n > m && memcmp(path + n - m, p, m) == 0) return n - m;
        p += m;
    }
    return 0;
}

/* Whether the file has such a name and is no text; an exported JSON may keep the name. */
static bool is_named(const tt_refusal *r, const char *path, const char *head, size_t n)
{
    size_t blank = 0;

    if (!without_ending(path, r->endings)) return false;
    while (blank < n && strchr(" \t\r\n", head[blank]) && head[blank]) blank++;
    return blank < n && head[blank] != '{' && head[blank] != '[' && !has(head, n, 0, "\x1F\x8B", 2);
}

/* Whether the text is a JSON object that holds the refused format's text. */
static bool says(const tt_refusal *r, const char *head, size_t n)
{
    size_t blank = 0;

    while (blank < n && strchr(" \t\r\n", head[blank]) && head[blank]) blank++;
    return r->holds && blank < n && head[blank] == '{' && memmem(head, n, r->holds, strlen(r->holds)) != NULL;
}

/* Refuse a recognised format, with advice. */
static tt_status refuse_format(const tt_refusal *r, const char *path, const char *where, bool packed, tt_err *err)
{
    char word[700], base[700], other[700], text[1600];
    size_t n = without_ending(path, r->endings), at = 0;
    const char *remedy = *where && !packed ? "unpack the archive, and what is in it" : r->remedy;

    if (!n) n = strlen(path);
    snprintf(base, sizeof base, "%.*s%s", n < 500 ? (int)n : 500, path, r->output_ending ? r->output_ending : "");
    for (const char *p = remedy; *p && at < sizeof text - 1; p++) {
        const char *put = p[0] != '%'   ? NULL
                          : p[1] == 's' ? quote(path, word, sizeof word)
                                        : quote(base, other, sizeof other);

        at += (size_t)snprintf(text + at, sizeof text - at, "%.*s", put ? (int)strlen(put) : 1, put ? put : p);
        if (put) p++;
    }
    if (!r->tool || (*where && !packed))
        return tt_fail(err, TT_ERR_INPUT, -1, "%s: is %s%s; %.*s", path, r->what, where, (int)(sizeof text - 1), text);
    bool found = tt_program_find(r->tool, other, sizeof other);
    return tt_fail(err, TT_ERR_INPUT, -1,
                   found ? "%s: is %s%s; %.*s (%s is on the PATH: %s does that)"
                         : "%s: is %s%s; %.*s (%s is not on the PATH here)%.0s",
                   path, r->what, where, (int)(sizeof text - 1), text, r->tool, r->option);
}

static tt_status refuse_lfs(const char *path, const char *word, const char *head, size_t n, tt_err *err)
{
    const char *size = memmem(head, n, "\nsize ", 6);
    char digits[24] = "";
    double bytes;

    if (size) {
        size_t left = n - (size_t)(size + 6 - head), k = 0;

        for (size += 6; k < left && k + 1 < sizeof digits && size[k] >= '0' && size[k] <= '9'; k++) digits[k] = size[k];
        digits[k] = '\0';
    }
    bytes = strtod(digits, NULL);
    return tt_fail(
        err, TT_ERR_INPUT, -1,
        "%s: is a Git LFS pointer, not the trace itself (%s bytes, %.1f MB); fetch it: git lfs pull --include %s", path,
        digits[0] ? digits : "unknown", bytes / 1e6, word);
}

/* Whether one byte in a hundred or more is a U+FFFD, made of bytes that were no text: such a file cannot be read. */
static bool was_converted(const char *head, size_t n)
{
    size_t found = 0, blank = 0;

    while (blank < n && strchr(" \t\r\n\xEF\xBB", head[blank]) && head[blank]) blank++;
    if (blank < n && (head[blank] == '{' || head[blank] == '[')) return false;
    for (const char *p = head; (p = memmem(p, n - (size_t)(p - head), "\xEF\xBF\xBD", 3)) != NULL; p += 3) found++;
    return found > 3 && found * 100 > n;
}

const tt_source_ops *tt_sniff_kind(const char *head, size_t n)
{
    if (has(head, n, 0, "\x1F\x8B", 2)) return &tt_source_gzip;
#if TT_USE_ZSTD
    if (n >= 4 && memcmp(head + 1, "\xB5\x2F\xFD", 3) == 0 && head[0] == 0x28) return &tt_source_zstd;
#endif
    return &tt_source_plain;
}

tt_status tt_sniff_refuse(const char *path, const char *where, bool packed, const char *head, size_t n, tt_err *err)
{
    char quoted[700], remedy[900];
    const char *word = quote(path, quoted, sizeof quoted);
    const signature *found = NULL;

    if (n == 0) {
        return tt_fail(err, TT_ERR_INPUT, -1,
                       "%s: is empty (0 bytes)%s; the profiler was stopped before it wrote, or the disk was full", path,
                       where);
    }
    if (has(head, n, 0, lfs_line, sizeof lfs_line - 1)) return refuse_lfs(path, word, head, n, err);
    for (unsigned i = 0; i < tt_n_refusals; i++) {
        const tt_refusal *r = &tt_refusals[i];
        if ((r->n && has(head, n, 0, r->bytes, r->n)) || says(r, head, n) || is_named(r, path, head, n))
            return refuse_format(r, path, where, packed, err);
    }
    for (size_t i = 0; i < sizeof refused / sizeof refused[0] && !found; i++) {
        if (has(head, n, refused[i].at, refused[i].bytes, refused[i].n)) found = &refused[i];
    }
    for (size_t i = 0; packed && i < sizeof twice / sizeof twice[0] && !found; i++) {
        if (has(head, n, twice[i].at, twice[i].bytes, twice[i].n)) found = &twice[i];
    }
#if !TT_USE_ZSTD
    static const signature zstd = {0, 4, "\x28\xB5\x2F\xFD", "zstd data, and this tracetty was built without zstd",
                                   "decompress it first: unzstd -k %s"};
    if (!found && has(head, n, 0, zstd.bytes, zstd.n)) found = &zstd;
#endif
    static const signature converted = {0, 0, "", "binary data damaged by a text conversion", BROKEN_TRANSFER};
    if (was_converted(head, n) && !(found && found->remedy == converted.remedy)) found = &converted;
    if (!found) return TT_OK;
    const char *what_to_do = *where && !packed ? "unpack the archive, and what is in it" : found->remedy;
    const char *offset = strstr(what_to_do, "%s");
    snprintf(remedy, sizeof remedy, "%.*s%s%s", offset ? (int)(offset - what_to_do) : (int)strlen(what_to_do),
             what_to_do, offset ? word : "", offset ? offset + 2 : "");
    return tt_fail(err, TT_ERR_INPUT, -1, "%s: is %s%s; %s", path, found->what, where, remedy);
}
