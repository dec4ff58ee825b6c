/* parser/discover/copies.c - see copies.h. */
#include "parser/discover/copies.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "parser/discover/file_name.h"
#include "parser/discover/names.h"
#include "parser/input/format.h"

/* The non-empty file with this name, compressed or not; NULL = none. */
static tt_copies_file *file_called(tt_copies_file *files, size_t n, const char *text)
{
    for (size_t i = 0; i < n; i++) {
        tt_copies_file *f = &files[i];
        size_t len = tt_discover_uncompressed(f->text);
        if (len == strlen(text) && !strncmp(f->text, text, len) && !f->empty) return f;
    }
    return NULL;
}

static void tell_instead(tt_found_list *out, const char *path, const char *copy, const tt_format *format)
{
    tt_found_warn(out, "%s: is empty; %s beside it is opened instead: %s", path, copy, format->copy_lacks);
}

void tt_copies_settle(tt_found_list *out, const char *path, tt_copies_file *files, size_t n)
{
    const tt_format *of = NULL;
    size_t hidden = 0;

    for (size_t i = 0; i < n; i++) {
        char *text = NULL;
        const tt_format *format = tt_names_copied(files[i].text, &text);
        tt_copies_file *copy = format ? file_called(files, n, text) : NULL;

        free(text);
        if (!copy) continue;
        if (files[i].empty) {
            char *full = tt_names_join(path, files[i].text);

            tell_instead(out, full, copy->text, format);
            free(full);
            copy->kind = files[i].kind;
            files[i].kind = TT_NAMES_NONE;
        } else {
            of = format;
            hidden++;
            copy->kind = TT_NAMES_NONE;
        }
    }
    if (hidden)
        tt_found_warn(out, "%s: %zu *%s[.gz] beside %s not opened: the same run again; %s", path, hidden, of->copied_as,
                      hidden > 1 ? "their originals are" : "its original is", of->copy_lacks);
}

char *tt_copies_of(tt_found_list *out, const char *path)
{
    static const char *const packed[] = {"", ".gz", ".zst"};
    char *copy = NULL, *found = NULL;
    const tt_format *format = tt_names_copied(path, &copy);

    for (size_t i = 0; format && !found && i < sizeof packed / sizeof *packed; i++) {
        struct stat st;

        if (asprintf(&found, "%s%s", copy, packed[i]) < 0) tt_mem_fail();
        if (stat(found, &st) == 0 && S_ISREG(st.st_mode) && st.st_size) break;
        free(found);
        found = NULL;
    }
    if (found) tell_instead(out, path, tt_names_base(found), format);
    free(copy);
    return found;
}
