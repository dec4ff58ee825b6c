/* tui/args/fail_on.c - parsing conditions. They are read before anything is loaded: a typing error should not cost a
 * minute. */
#include "tui/args/fail_on.h"

#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A copy of the text without blanks at its ends. */
static char *trimmed(tt_arena *a, const char *s, size_t n)
{
    while (n && isspace((unsigned char)*s)) s++, n--;
    while (n && isspace((unsigned char)s[n - 1])) n--;
    return tt_arena_printf(a, "%.*s", (int)n, s);
}

static bool parse_limit(const char *s, tt_condition *c)
{
    const char *stop;
    char *end;
    uint64_t size;
    if (!isdigit((unsigned char)*s) && *s != '.') return false; /* strtod() would accept signs, "inf" and "nan" */
    if (c->about == TT_CONDITION_FINDINGS) {
        c->limit_type = TT_T_COUNT;
        return tt_parse_count(s, &c->limit);
    }
    c->pct = strtod(s, &end);
    c->percent = end != s && !strcmp(end, "%");
    if (c->percent) return isfinite(c->pct);
    bool unit = isalpha((unsigned char)s[strlen(s) - 1]) != 0;
    c->limit_type = TT_T_DURATION;
    if (unit && tt_parse_time(s, &stop, 1, &c->limit) && !*stop) return true;
    c->limit_type = TT_T_BYTES;
    if (!unit || !tt_parse_size(s, &size)) return false;
    c->limit = (int64_t)size;
    return true;
}

/* The file in the working folder that is standard output and has the name of a limit; "" = none. */
static void find_redirected(char *out, size_t cap)
{
    static const char path[] = "/proc/self/fd/1";
    char to[PATH_MAX], here[PATH_MAX];
    struct stat st;
    tt_condition limit = {.about = TT_CONDITION_METRIC}, count = {.about = TT_CONDITION_FINDINGS};
    ssize_t n = readlink(path, to, sizeof to - 1);
    to[n > 0 ? n : 0] = '\0';
    char *slash = strrchr(to, '/');
    *out = '\0';
    if (!slash || fstat(STDOUT_FILENO, &st) || !S_ISREG(st.st_mode) || !getcwd(here, sizeof here)) return;
    *slash = '\0';
    const char *name = slash + 1;
    if (strcmp(to, here) != 0 || !*name || (!parse_limit(name, &limit) && !parse_limit(name, &count))) return;
    snprintf(out, cap, "%s", name);
}

/* Fail for a condition without '>', which the shell takes away if the condition is not quoted. */
static tt_status fail_unquoted(const char *text, tt_err *err)
{
    char file[NAME_MAX + 1];
    find_redirected(file, sizeof file);
    if (!*file)
        return tt_fail(err, TT_ERR_USAGE, -1,
                       "--fail-on: '%s' has no limit; the condition needs quotes, as in --fail-on 'step>5%%'", text);
    return tt_fail(
        err, TT_ERR_USAGE, -1,
        "--fail-on: '%s' has no limit: the shell took '>%s' and writes the output to a file '%s' here; remove "
        "the file and quote the condition: --fail-on '%s>%s'",
        text, file, file, text, file);
}

tt_status tt_fail_on_parse(const char *text, tt_arena *arena, tt_condition *out, tt_err *err)
{
    static const struct {
        const char *prefix;
        tt_condition_about about;
    } kinds[] = {{"kernel:", TT_CONDITION_KERNEL}, {"operator:", TT_CONDITION_OPERATOR}};
    const char *over = strrchr(text, '>'); /* the last '>': names of kernels contain '>', limits do not */
    *out = (tt_condition){.text = text};
    if (!over) return fail_unquoted(text, err);
    char *name = trimmed(arena, text, (size_t)(over - text)), *limit = trimmed(arena, over + 1, strlen(over + 1));
    out->about = !strcmp(name, "findings") ? TT_CONDITION_FINDINGS : TT_CONDITION_METRIC;
    if (out->about == TT_CONDITION_METRIC) out->name = name;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        size_t n = strlen(kinds[i].prefix);
        if (strncmp(name, kinds[i].prefix, n) != 0) continue;
        out->about = kinds[i].about;
        out->name = trimmed(arena, name + n, strlen(name + n));
    }
    if (out->name && !*out->name)
        return tt_fail(err, TT_ERR_USAGE, -1, "--fail-on: '%s' names no %s before '>'", text,
                       out->about == TT_CONDITION_METRIC ? "metric" : "text");
    if (*limit && parse_limit(limit, out)) return TT_OK;
    return tt_fail(err, TT_ERR_USAGE, -1, "--fail-on: '%s' is no limit (in '%s'): %s", limit, text,
                   out->about == TT_CONDITION_FINDINGS ? "a number of findings, as in 'findings>0'"
                                                       : "5%, 2ms or 100MiB");
}
