/* tui/args/cli.c - the parser of the command line, driven by commands.def and options.def; messages; closest
 * matches. */
#include "tui/args/cli.h"

#include <errno.h>
#include <langinfo.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "model/text/text_safety.h"
#include "tui/widgets/format_value.h"

const tt_command_info tt_commands[TT_CMD_COUNT_] = {
#define X(id, name, args, function, shown, help) {name, args, help, shown},
#include "tui/args/commands.def"
#undef X
};

#define C(id) (1u << TT_CMD_##id)
const tt_option_info tt_option_infos[TT_OPT_COUNT_] = {
#define X(id, name, arg, choices, commands, help) {name, arg, choices, help, commands},
#include "tui/args/options.def"
#undef X
};
#undef C

const char *const tt_out_format_names[] = {[TT_OUT_TEXT] = "text",
                                           [TT_OUT_CSV] = "csv",
                                           [TT_OUT_JSON] = "json",
                                           [TT_OUT_MARKDOWN] = "markdown",
                                           [TT_OUT_MARKDOWN + 1] = NULL};

/* ---- messages ---- */

static void print_message(const char *kind, const char *text)
{
    char line[4096];
    /* a message may have several lines; control characters in what it quotes are replaced */
    for (const char *p = text; *p;) {
        size_t n = strcspn(p, "\n");
        tt_sanitize_term(line, sizeof line, p, n);
        if (strcmp(nl_langinfo(CODESET), "UTF-8") != 0) tt_format_ascii(line);
        fprintf(stderr, "tracetty: %s%s\n", kind, line);
        p += n + (p[n] == '\n');
    }
}

int tt_report(const tt_err *e)
{
    print_message("", e->message);
    return (int)e->code;
}

void tt_warn(const char *fmt, ...)
{
    char text[2048];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    print_message("warning: ", text);
}

void tt_note(const char *fmt, ...)
{
    char text[2048];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    print_message("", text);
}

int tt_finish_output(void)
{
    errno = 0;
    if (!fflush(stdout) && !ferror(stdout)) return TT_OK;
    if (!errno && write(STDOUT_FILENO, "\n", 1) == 1)
        errno = EIO; /* an earlier write failed, and stdio has not kept its errno */
    if (errno == EPIPE) return TT_OK;
    tt_err e;
    tt_fail(&e, TT_ERR_INPUT, -1, "cannot write to standard output: %s", strerror(errno));
    return tt_report(&e);
}

/* ---- closest match ---- */

static uint32_t edit_distance(const char *a, const char *b)
{
    enum { MAX = 48 };
    uint32_t row[MAX + 1];
    size_t nb = strlen(b);
    if (nb > MAX || strlen(a) > MAX) return UINT32_MAX;
    for (uint32_t j = 0; j <= nb; j++) row[j] = j;
    for (size_t i = 0; a[i]; i++) {
        uint32_t diagonal = row[0];
        row[0] = (uint32_t)i + 1;
        for (size_t j = 0; j < nb; j++) {
            uint32_t best = diagonal + (a[i] != b[j]);
            diagonal = row[j + 1];
            if (row[j] + 1 < best) best = row[j] + 1;
            if (row[j + 1] + 1 < best) best = row[j + 1] + 1;
            row[j + 1] = best;
        }
    }
    return row[nb];
}

const char *tt_closest(const char *typed, const char *const *words, uint32_t n)
{
    const char *best = NULL;
    size_t len = strlen(typed);
    uint32_t limit = len < 4 ? 1 : len < 8 ? 2 : (uint32_t)len / 3;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t d = edit_distance(typed, words[i]);
        if (len >= 3 && !strncmp(typed, words[i], len)) d = 0; /* the typed text begins the word: a perfect match */
        if (d <= limit && *words[i]) {
            if (!d) return words[i];
            limit = d - 1;
            best = words[i];
        }
    }
    return best;
}

/* ---- parsing ---- */

static bool looks_like_path(const char *s)
{
    struct stat st;
    return !strcmp(s, "-") || strpbrk(s, "/.") || stat(s, &st) == 0;
}

static bool find_command(const char *word, tt_command *out)
{
    for (int i = 0; i < TT_CMD_COUNT_; i++) {
        if (*word && !strcmp(tt_commands[i].name, word)) {
            *out = (tt_command)i;
            return true;
        }
    }
    return false;
}

static tt_status unknown_option(const char *arg, size_t len, tt_err *err)
{
    const char *names[TT_OPT_COUNT_];
    char typed[64];
    for (int i = 0; i < TT_OPT_COUNT_; i++) names[i] = tt_option_infos[i].name;
    snprintf(typed, sizeof typed, "%.*s", (int)(len < sizeof typed ? len : sizeof typed - 1), arg);
    const char *close = tt_closest(typed, names, TT_OPT_COUNT_);
    if (close) return tt_fail(err, TT_ERR_USAGE, -1, "unknown option '--%s': did you mean '--%s'?", typed, close);
    return tt_fail(err, TT_ERR_USAGE, -1, "unknown option '--%s'; 'tracetty help' lists the options", typed);
}

static tt_status check_choice(const tt_option_info *o, const char *value, tt_err *err)
{
    const char *words[16];
    char copy[128];
    uint32_t n = 0;
    snprintf(copy, sizeof copy, "%s", o->choices);
    for (char *save = NULL, *w = strtok_r(copy, "|", &save); w && n < 16; w = strtok_r(NULL, "|", &save)) {
        if (!strcmp(w, value)) return TT_OK;
        words[n++] = w;
    }
    const char *close = tt_closest(value, words, n);
    char list[160];
    size_t at = 0;
    for (const char *p = o->choices; *p && at + 3 < sizeof list; p++) {
        if (*p == '|') list[at++] = ',';
        list[at++] = *p == '|' ? ' ' : *p;
    }
    list[at] = '\0';
    return tt_fail(err, TT_ERR_USAGE, -1, "--%s: '%s' is not one of %s%s%s%s", o->name, value, list,
                   close ? "; did you mean '" : "", close ? close : "", close ? "'?" : "");
}

/* The option with this name. Several commands may have options of one name: then the option of the command, if its
 * word came first. */
static int find_option(const tt_cli *c, const char *name, size_t len)
{
    int found = TT_OPT_COUNT_;
    tt_command command = TT_CMD_EXPLORE;
    if (c->n_args) find_command(c->args[0], &command);
    for (int k = TT_OPT_COUNT_; k-- > 0;) {
        const tt_option_info *o = &tt_option_infos[k];
        if (strlen(o->name) != len || strncmp(o->name, name, len) != 0) continue;
        if (found == TT_OPT_COUNT_ || !(tt_option_infos[found].commands >> command & 1)) found = k;
    }
    return found;
}

/* The British spelling of an option's name that was typed in the American one. */
static const char *usual_spelling(const char *name, size_t *len)
{
    static const char other[] = "anonymize", usual[] = "anonymise";
    if (*len != sizeof other - 1 || strncmp(name, other, *len) != 0) return name;
    return usual;
}

/* Parse one "--name", "--name=value" or "--name value"; *i moves past the words it takes. */
static tt_status parse_option(int argc, char *const *argv, int *i, tt_cli *out, tt_err *err)
{
    const char *name = argv[*i] + 2;
    size_t len = strcspn(name, "=");
    int k = find_option(out, usual_spelling(name, &len), len);
    if (k == TT_OPT_COUNT_) return unknown_option(name, len, err);
    const tt_option_info *o = &tt_option_infos[k];
    const char *value = "";
    if (!o->arg) {
        if (name[len]) return tt_fail(err, TT_ERR_USAGE, -1, "--%s takes no value", o->name);
    } else if (name[len]) {
        value = name + len + 1;
    } else if (*o->arg == '[') { /* the value may be left out */
        value = "";
    } else if (*i + 1 < argc) {
        value = argv[++*i];
    } else {
        return tt_fail(err, TT_ERR_USAGE, -1, "--%s needs a value: --%s %s", o->name, o->name, o->arg);
    }
    if (o->choices && (*value || *o->arg != '[')) TT_TRY(check_choice(o, value, err));
    out->value[k] = value;
    if (k == TT_OPT_WHAT_IF) out->what_ifs.at[out->what_ifs.n++] = value;
    if (k == TT_OPT_FAIL_ON) out->fail_ons.at[out->fail_ons.n++] = value;
    if (k == TT_OPT_PASS) out->passes.at[out->passes.n++] = value;
    if (k == TT_OPT_GRAPH_KEY) out->graph_keys.at[out->graph_keys.n++] = value;
    return TT_OK;
}

static tt_status decide_command(tt_cli *c, bool first_is_argument, tt_err *err)
{
    c->command = TT_CMD_EXPLORE;
    if (!c->n_args || first_is_argument) return TT_OK;
    if (find_command(c->args[0], &c->command)) {
        c->n_args--;
        memmove(c->args, c->args + 1, c->n_args * sizeof *c->args);
        return TT_OK;
    }
    if (looks_like_path(c->args[0])) return TT_OK;
    const char *names[TT_CMD_COUNT_];
    uint32_t n = 0;
    for (int i = 0; i < TT_CMD_COUNT_; i++) {
        if (tt_commands[i].shown) names[n++] = tt_commands[i].name;
    }
    const char *close = tt_closest(c->args[0], names, n);
    if (close)
        return tt_fail(err, TT_ERR_USAGE, -1, "'%s' is no command and no file: did you mean '%s'?", c->args[0], close);
    return tt_fail(err, TT_ERR_USAGE, -1, "'%s' is no command and no file; 'tracetty help' lists the commands",
                   c->args[0]);
}

/* Refuse an option that the command does not have; the message names a command that has it. */
static tt_status check_options(const tt_cli *c, tt_err *err)
{
    for (int k = 0; k < TT_OPT_COUNT_; k++) {
        const tt_option_info *o = &tt_option_infos[k];
        if (!c->value[k] || (o->commands >> c->command & 1)) continue;
        for (int i = 0; i < TT_CMD_COUNT_; i++) {
            if (!(o->commands >> i & 1)) continue;
            const char *word = tt_commands[i].name, *space = *word ? " " : "";
            return tt_fail(err, TT_ERR_USAGE, -1, "--%s does not belong to 'tracetty%s%s' but to 'tracetty%s%s'",
                           o->name, *tt_commands[c->command].name ? " " : "", tt_commands[c->command].name, space,
                           word);
        }
    }
    return TT_OK;
}

tt_status tt_cli_parse(int argc, char *const *argv, tt_cli *out, tt_err *err)
{
    size_t most = (size_t)argc + 1;
    *out = (tt_cli){.args = tt_calloc(most, sizeof *out->args)};
    out->what_ifs.at = tt_calloc(most, sizeof *out->what_ifs.at);
    out->fail_ons.at = tt_calloc(most, sizeof *out->fail_ons.at);
    out->graph_keys.at = tt_calloc(most, sizeof *out->graph_keys.at);
    out->passes.at = tt_calloc(most, sizeof *out->passes.at);
    bool only_args = false, first_is_argument = false;
    for (int i = 1; i < argc; i++) {
        const char *a = argv[i];
        if (only_args || a[0] != '-' || !a[1]) {
            if (!out->n_args) first_is_argument = only_args;
            out->args[out->n_args++] = a;
            /* all words after the command to record belong to that command */
            if (out->n_args == 2 && !first_is_argument && !strcmp(out->args[0], "record")) only_args = true;
        } else if (!strcmp(a, "--")) {
            only_args = true;
        } else if (!strcmp(a, "-h") || !strcmp(a, "-V")) {
            out->value[a[1] == 'h' ? TT_OPT_HELP : TT_OPT_VERSION] = "";
        } else if (!strcmp(a, "-o") && i + 1 < argc) {
            out->value[TT_OPT_OUTPUT] = argv[++i];
        } else if (!strcmp(a, "-e") && i + 1 < argc) {
            out->value[TT_OPT_QUERY] = argv[++i];
        } else if (!strcmp(a, "-f")) {
            out->value[TT_OPT_FORCE] = "";
        } else if (a[1] == '-') {
            TT_TRY(parse_option(argc, argv, &i, out, err));
        } else {
            return tt_fail(err, TT_ERR_USAGE, -1,
                           "unknown option '%s'; options start with '--', a file of that name is './%s'", a, a);
        }
    }
    TT_TRY(decide_command(out, first_is_argument, err));
    return check_options(out, err);
}

void tt_cli_free(tt_cli *c)
{
    free(c->args);
    free(c->what_ifs.at);
    free(c->fail_ons.at);
    free(c->passes.at);
    free(c->graph_keys.at);
    *c = (tt_cli){0};
}
