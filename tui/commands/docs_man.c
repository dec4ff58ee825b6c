/* tui/commands/docs_man.c - the manual page as troff, generated from the same lists as the help.
 * `tracetty help --man > assets/tracetty.1` */
#include <string.h>

#include "model/base/buf.h"
#include "parser/formats/formats.h"
#include "tui/app/prompt/command_line.h"
#include "tui/app/prompt/settings.h"
#include "tui/commands/docs.h"
#include "tui/screen/actions.h"

/* Print a line of text for troff: backslashes and hyphens are escaped, and no line starts a request. */
static void print_escaped(FILE *f, const char *s)
{
    if (*s == '.' || *s == '\'') fputs("\\&", f);
    for (; *s; s++) {
        if (*s == '\\') {
            fputs("\\e", f);
        } else if (*s == '-') {
            fputs("\\-", f);
        } else {
            fputc(*s, f);
        }
    }
}

static void put_item(FILE *f, const char *bold, const char *italic, const char *text)
{
    fputs(".TP\n\\fB", f);
    print_escaped(f, bold);
    fputs("\\fR", f);
    if (italic && *italic) {
        /* "[=VALUE]" follows the name without a blank */
        fputs(italic[0] == '[' && italic[1] == '=' ? "\\fI" : " \\fI", f);
        print_escaped(f, italic);
        fputs("\\fR", f);
    }
    fputc('\n', f);
    print_escaped(f, text);
    fputc('\n', f);
}

static void put_option(FILE *f, const tt_option_info *o)
{
    char name[64], text[1024];
    tt_buf b = tt_buf_of(text);
    snprintf(name, sizeof name, "--%s", o->name);
    tt_buf_add(&b, "%s%s", o->help, o->choices ? " [" : "");
    for (const char *p = o->choices; p && *p; p++) tt_buf_add(&b, "%s%.*s", *p == '|' ? ", " : "", *p != '|', p);
    tt_buf_add(&b, "%s", o->choices ? "]" : "");
    put_item(f, name, o->arg, text);
}

static void put_keys(FILE *f)
{
    for (int ctx = 0; ctx < TT_CTX_COUNT_; ctx++) {
        fputs(".SS ", f);
        print_escaped(f, tt_context_title((tt_context)ctx));
        fputc('\n', f);
        for (int i = 0; i < TT_ACT_COUNT_ - 1; i++) {
            const tt_action_info *a = &tt_actions[i];
            if (a->context == (tt_context)ctx && *a->keys) put_item(f, a->keys, NULL, a->help);
        }
    }
}

static void put_explorer_commands(FILE *f)
{
    fputs(".SH COMMAND LINE OF THE EXPLORER\n"
          "After a colon; Tab completes, the arrows recall earlier lines. The name of any action of KEYS works too.\n",
          f);
    for (const tt_line_command *c = tt_line_commands; c->name; c++)
        if (!c->setting) put_item(f, c->name, c->args, c->help);
    fputs(".SH SETTINGS\nChanged with \\fB:set\\fR \\fIname\\fR=\\fIvalue\\fR or \\fB:\\fIname value\\fR, or by lines "
          "\\fIname\\fR = "
          "\\fIvalue\\fR of the settings file; the first value is the default. Printed screens ignore the settings "
          "file.\n",
          f);
    for (const tt_setting *s = tt_settings; s->name; s++) put_item(f, s->name, s->values, s->help);
}

static void put_pairs(FILE *f, const char *title, const tt_docs_pair *p)
{
    fprintf(f, ".SH %s\n", title);
    for (; p->key; p++) put_item(f, p->key, NULL, p->text);
}

/* Print every status once, with its commands where few have it. */
static void put_statuses(FILE *f)
{
    enum { FEW = 4 };
    const char *before = "";
    fputs(".SH EXIT STATUS\n", f);
    for (const tt_docs_status *s = tt_docs_statuses; s->status; s++) {
        char names[200];
        tt_buf list = tt_buf_of(names);
        int n = 0;
        for (int i = 0; i < TT_CMD_COUNT_; i++) {
            if (!tt_commands[i].shown || !(s->commands >> i & 1)) continue;
            tt_buf_list(&list, ", ", "%s", tt_commands[i].name);
            n++;
        }
        if (n <= FEW || strcmp(before, s->status) != 0) put_item(f, s->status, n <= FEW ? names : NULL, s->text);
        before = s->status;
    }
}

static void put_formats(FILE *f)
{
    fputs(".SH FORMATS\nThe content decides the format, plain or compressed with gzip or zstd; also in .zip and .tar. "
          "In a folder, traces are found by these names:\n",
          f);
    for (unsigned i = 0; i < tt_n_formats; i++) put_item(f, tt_formats[i].info.title, NULL, tt_formats[i].looked_for);
}

static void put_examples(FILE *f)
{
    fputs(".SH EXAMPLES\n", f);
    for (const tt_docs_pair *e = tt_docs_examples; e->key; e++) put_item(f, e->key, NULL, e->text);
}

void tt_docs_man(FILE *f)
{
    fprintf(f, ".\\\" Written by 'tracetty help --man'.\n.TH TRACETTY 1 \"\" \"tracetty %s\" \"User Commands\"\n",
            TT_VERSION);
    fputs(".SH NAME\ntracetty \\- explore deep\\-learning profiler traces in a terminal\n.SH SYNOPSIS\n", f);
    for (int i = 0; i < TT_CMD_COUNT_; i++) {
        if (!tt_commands[i].shown) continue;
        fputs(i ? ".br\n" : "", f);
        fprintf(f, ".B %s\n", tt_docs_command_word((tt_command)i));
        if (*tt_commands[i].args) print_escaped(f, tt_commands[i].args), fputc('\n', f);
    }
    fputs(
        ".SH DESCRIPTION\n"
        "Shows where the time of a training or inference step went, why the device was idle, and which operators and "
        "kernels to look at.\n"
        "A PATH is a file, a directory, which is searched for runs, or \\- for standard input. Several paths are "
        "workers of one run.\n"
        "A directory is searched with all its subdirectories, except hidden ones. Links are followed if their target "
        "is "
        "below the directory. Other links are named on standard error; to open their targets, give the links as PATH.\n"
        ".SH COMMANDS\n",
        f);
    for (int i = 0; i < TT_CMD_COUNT_; i++) {
        if (tt_commands[i].shown)
            put_item(f, tt_docs_command_word((tt_command)i), tt_commands[i].args, tt_commands[i].help);
    }
    put_examples(f);
    for (int i = 0; i < TT_CMD_COUNT_; i++) {
        if (!tt_commands[i].shown) continue;
        fprintf(f, ".SH OPTIONS OF %s\n", tt_docs_command_word((tt_command)i));
        for (int k = 0; k < TT_OPT_COUNT_; k++) {
            if (tt_option_infos[k].commands >> i & 1) put_option(f, &tt_option_infos[k]);
        }
    }
    put_statuses(f);
    put_formats(f);
    fputs(".SH KEYS\n", f);
    put_keys(f);
    put_explorer_commands(f);
    fputs(".SH WORDS\n", f);
    for (const tt_glossary_word *w = tt_glossary; w->word; w++) put_item(f, w->word, NULL, w->meaning);
    put_pairs(f, "RUNS OF A FOLDER", tt_docs_runs);
    put_pairs(f, "WHAT AN EXPORT HOLDS", tt_docs_exports);
    put_pairs(f, "WHAT AN ANONYMOUS EXPORT KEEPS", tt_docs_kept);
    put_pairs(f, "SAMPLES OF tracetty demo", tt_docs_samples);
    put_pairs(f, "ENVIRONMENT", tt_docs_environment);
    put_pairs(f, "FILES", tt_docs_files);
}
