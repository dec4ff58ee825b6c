/* tui/commands/docs_completions.c - completion scripts for bash, zsh and fish.
 *
 * Ids, columns and choices are written into the scripts, so that pressing Tab starts no program.
 * `tracetty help --completions bash > assets/completions/tracetty.bash` */
#include <string.h>

#include "capture/shared/control_file.h"
#include "model/tables/registry/registry.h"
#include "tui/app/screen_list.h"
#include "tui/commands/docs.h"

/* ---- words ---- */

static void put_tables(FILE *f)
{
    for (uint32_t i = 0; i < tt_n_tables; i++) fprintf(f, "%s%s", i ? " " : "", tt_tables[i]->id);
}

static void put_groups(FILE *f)
{
    const char *seen[64];
    uint32_t n = 0;
    for (uint32_t i = 0; i < tt_n_tables; i++) {
        for (int g = 0; tt_tables[i]->groups && tt_tables[i]->groups[g]; g++) {
            const char *key = tt_tables[i]->groups[g];
            bool known = false;
            for (uint32_t k = 0; k < n; k++) known = known || !strcmp(seen[k], key);
            if (known || n == 64) continue;
            fprintf(f, "%s%s", n ? " " : "", key);
            seen[n++] = key;
        }
    }
}

static void put_screens(FILE *f)
{
    for (int i = 0; tt_screen_name(i); i++) fprintf(f, "%s%s", i ? " " : "", tt_screen_name(i));
}

static void put_kinds(FILE *f)
{
    const char *space = "";
#define X(id, word) fprintf(f, "%s%s", space, word), space = " ";
    TT_TRACES(X)
#undef X
}

/* Print words that stand between bars. */
static void put_bars(FILE *f, const char *s)
{
    for (; *s; s++) fputc(*s == '|' ? ' ' : *s, f);
}

static void put_columns(FILE *f, const tt_table_desc *d)
{
    const char *space = "";
    for (uint32_t c = 0; c < d->n_cols; c++) {
        if (d->cols[c].place) continue;
        fprintf(f, "%s%s", space, d->cols[c].key);
        space = " ";
    }
}

static bool has_name(int command) { return tt_commands[command].shown && *tt_commands[command].name; }

static void put_commands(FILE *f, const char *between)
{
    const char *before = "";
    for (int i = 0; i < TT_CMD_COUNT_; i++) {
        if (!has_name(i)) continue;
        fprintf(f, "%s%s", before, tt_commands[i].name);
        before = between;
    }
}

static void put_samples(FILE *f)
{
    for (const tt_docs_pair *s = tt_docs_samples; s->key; s++)
        fprintf(f, "%s%s", s == tt_docs_samples ? "" : " ", s->key);
}

/* The words of `ctl DIR WORD|WORD`. */
static void put_orders(FILE *f) { put_bars(f, strchr(tt_commands[TT_CMD_CTL].args, ' ') + 1); }

/* Print the words that an option's value may have, if they are known. */
static void put_values(FILE *f, int option)
{
    switch (option) {
    case TT_OPT_TABLE: fputs("all ", f), put_tables(f); break;
    case TT_OPT_GROUP_BY: put_groups(f); break;
    case TT_OPT_SCREEN: put_screens(f); break;
    case TT_OPT_TRACE: put_kinds(f); break;
    case TT_OPT_RECORD_FORMAT: fputs("spool json json.gz", f); break;
    default: put_bars(f, tt_option_infos[option].choices);
    }
}

/* The value is a list with commas. */
static bool is_list(int o) { return o == TT_OPT_TABLE || o == TT_OPT_TRACE || o == TT_OPT_RECORD_FORMAT; }

static bool has_values(int o)
{
    return is_list(o) || o == TT_OPT_GROUP_BY || o == TT_OPT_SCREEN || tt_option_infos[o].choices;
}

/* Another option has the same name, in other commands. */
static bool is_shared(int option)
{
    int n = 0;
    for (int k = 0; k < TT_OPT_COUNT_; k++) n += !strcmp(tt_option_infos[k].name, tt_option_infos[option].name);
    return n > 1;
}

/* Print text for inside '...' of any shell; brackets would end a description in zsh. */
static void put_quoted(FILE *f, const char *s)
{
    for (; *s; s++) {
        if (*s == '\'') {
            fputs("'\\''", f);
        } else {
            fputc(*s == '[' || *s == ']' ? ' ' : *s, f);
        }
    }
}

/* ---- bash ---- */

/* The columns of the first table of --table, for bash and zsh: its arguments are the words of the command line. */
static void put_columns_function(FILE *f)
{
    fputs("_tracetty_columns() {\n"
          "    local line=\" $* \" table=\n"
          "    case $line in\n"
          "        *' --table = '*) table=${line#* --table = } ;;\n"
          "        *' --table '*) table=${line#* --table } ;;\n"
          "        *' --table='*) table=${line#* --table=} ;;\n"
          "    esac\n"
          "    case ${table%%[ ,]*} in\n",
          f);
    for (uint32_t i = 0; i < tt_n_tables; i++) {
        fprintf(f, "        %s) echo '", tt_tables[i]->id);
        put_columns(f, tt_tables[i]);
        fputs("' ;;\n", f);
    }
    fputs("    esac\n}\n", f);
}

static void put_bash_values(FILE *f)
{
    for (int k = 0; k < TT_OPT_COUNT_; k++) {
        const tt_option_info *o = &tt_option_infos[k];
        const char *bar = "        ";
        if (!has_values(k)) continue;
        if (!is_shared(k)) fprintf(f, "        *' --%s'", o->name);
        for (int i = 0; i < TT_CMD_COUNT_ && is_shared(k); i++) {
            if (!tt_commands[i].shown || !(o->commands >> i & 1)) continue;
            fprintf(f, "%s'%s --%s'", bar, tt_commands[i].name, o->name);
            bar = "|";
        }
        fprintf(f, ") %s '", is_list(k) ? "_tracetty_list" : "_tracetty_words");
        put_values(f, k);
        fputs("'; return ;;\n", f);
    }
    fputs("        *' --sort') _tracetty_words \"$(_tracetty_columns \"${COMP_WORDS[@]}\")\"; return ;;\n", f);
}

static void put_bash(FILE *f)
{
    fputs("# bash completion of tracetty; written by 'tracetty help --completions bash'\n"
          "_tracetty_words() { COMPREPLY=($(compgen -W \"$1\" -- \"$cur\")); }\n"
          "_tracetty_list() { # the word behind the last comma, without a sign\n"
          "    local last=${cur##*,}\n"
          "    [[ $last == [+-]* ]] && last=${last:1}\n"
          "    COMPREPLY=($(compgen -P \"${cur%\"$last\"}\" -W \"$1\" -- \"$last\"))\n}\n",
          f);
    put_columns_function(f);
    fputs("_tracetty() {\n"
          "    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} cmd= n=0 w\n"
          "    COMPREPLY=()\n"
          "    [[ $cur == = ]] && cur=\n"
          "    [[ $prev == = ]] && prev=${COMP_WORDS[COMP_CWORD-2]}\n"
          "    for w in \"${COMP_WORDS[@]:1:COMP_CWORD-1}\"; do\n"
          "        [[ -n $cmd && $w != -* ]] && ((++n))\n"
          "        [[ -z $cmd ]] && case $w in\n            ",
          f);
    put_commands(f, "|");
    fputs(") cmd=$w ;;\n        esac\n    done\n    case \"$cmd $prev\" in\n", f);
    put_bash_values(f);
    fputs("    esac\n    if [[ $cur == -* ]]; then\n        case $cmd in\n", f);
    for (int i = 0; i < TT_CMD_COUNT_; i++) {
        if (!tt_commands[i].shown) continue;
        fprintf(f, "            '%s') w='", tt_commands[i].name);
        const char *space = "";
        for (int k = 0; k < TT_OPT_COUNT_; k++) {
            if (!(tt_option_infos[k].commands >> i & 1)) continue;
            fprintf(f, "%s--%s", space, tt_option_infos[k].name);
            space = " ";
        }
        fputs("' ;;\n", f);
    }
    fputs("        esac\n        _tracetty_words \"$w\"\n        return\n    fi\n    case $cmd in\n        demo) "
          "_tracetty_words '",
          f);
    put_samples(f);
    fputs("' ;;\n        tables) _tracetty_list '", f);
    put_tables(f);
    fputs("' ;;\n        help) _tracetty_words 'explore ", f);
    put_commands(f, " ");
    fputs("' ;;\n        ctl) if ((n)); then _tracetty_words '", f);
    put_orders(f);
    fputs("'; else COMPREPLY=($(compgen -d -- \"$cur\")); fi ;;\n        doctor) ;;\n        '') _tracetty_words '", f);
    put_commands(f, " ");
    fputs("'; COMPREPLY+=($(compgen -f -- \"$cur\")) ;;\n"
          "        *) COMPREPLY=($(compgen -f -- \"$cur\")) ;;\n"
          "    esac\n}\n"
          "complete -o filenames -F _tracetty tracetty\n",
          f);
}

/* ---- zsh ---- */

static void put_zsh_option(FILE *f, int k)
{
    const tt_option_info *o = &tt_option_infos[k];
    fprintf(f, "        '--%s%s[", o->name, !o->arg ? "" : *o->arg == '[' ? "=-" : "=");
    put_quoted(f, o->help);
    fputs(!o->arg ? "]" : *o->arg == '[' ? "]::value:" : "]:value:", f);
    if (k == TT_OPT_SORT) fputs("{compadd -- $(_tracetty_columns $words)}", f);
    if (has_values(k))
        fputs(is_list(k) ? "_values -s , value " : "(", f), put_values(f, k), fputs(is_list(k) ? "" : ")", f);
    if (k == TT_OPT_OUTPUT || k == TT_OPT_CUPTI) fputs("_files", f);
    fputs("'\n", f);
}

/* Print what the words of a command that are no options are; the first of them is the command. */
static void put_zsh_words(FILE *f, int command)
{
    switch (command) {
    case TT_CMD_DEMO: fputs("        '2:sample:(", f), put_samples(f), fputs(")'\n", f); break;
    case TT_CMD_TABLES: fputs("        '*:table:_values -s , table ", f), put_tables(f), fputs("'\n", f); break;
    case TT_CMD_HELP: fputs("        '2:command:(explore ", f), put_commands(f, " "), fputs(")'\n", f); break;
    case TT_CMD_CTL: fputs("        '2:folder:_files -/' '3:order:(", f), put_orders(f), fputs(")'\n", f); break;
    case TT_CMD_DOCTOR: break;
    default: fputs("        '*:path:_files'\n", f);
    }
}

static void put_zsh(FILE *f)
{
    fputs("#compdef tracetty\n# zsh completion of tracetty; written by 'tracetty help --completions zsh'\n", f);
    put_columns_function(f);
    fputs("local cmd=${words[2]}\nlocal -a commands options\ncommands=(\n", f);
    for (int i = 0; i < TT_CMD_COUNT_; i++) {
        if (!has_name(i)) continue;
        fprintf(f, "    '%s:", tt_commands[i].name);
        put_quoted(f, tt_commands[i].help);
        fputs("'\n", f);
    }
    fputs(")\ncase $cmd in\n", f);
    for (int pass = 0; pass < 2; pass++) { /* the command without a name comes last, as the default case */
        for (int i = 0; i < TT_CMD_COUNT_; i++) {
            if (!tt_commands[i].shown || has_name(i) == pass) continue;
            fprintf(f, "    %s) options=(\n", pass ? "*" : tt_commands[i].name);
            for (int k = 0; k < TT_OPT_COUNT_; k++)
                if (tt_option_infos[k].commands >> i & 1) put_zsh_option(f, k);
            put_zsh_words(f, i);
            fputs("    ) ;;\n", f);
        }
    }
    fputs("esac\n(( CURRENT == 2 )) && _describe command commands\n_arguments $options\n", f);
}

/* ---- fish ---- */

static void put_fish_functions(FILE *f)
{
    fputs("function __tracetty_list # the words of a list, behind what is typed of it\n"
          "    set -l typed (commandline -ct | string replace -r '^--[a-z-]+=' '' | string replace -r '[^,+-]*$' '')\n"
          "    printf \"$typed%s\\n\" $argv\nend\n"
          "function __tracetty_columns # of the first table of --table\n"
          "    set -l table (string match -r -- '--table[= ]([a-z_]+)' (string join -- ' ' (commandline -opc)))\n"
          "    switch \"$table[2]\"\n",
          f);
    for (uint32_t i = 0; i < tt_n_tables; i++) {
        fprintf(f, "        case %s\n            printf '%%s\\n' ", tt_tables[i]->id);
        put_columns(f, tt_tables[i]);
        fputc('\n', f);
    }
    fputs("    end\nend\n", f);
}

static void put_fish_option(FILE *f, int command, int k)
{
    const tt_option_info *o = &tt_option_infos[k];
    const char *name = tt_commands[command].name;
    fprintf(f, "complete -c tracetty -n %s%s%s -l %s",
            *name ? "'__fish_seen_subcommand_from " : "__fish_use_subcommand", name, *name ? "'" : "", o->name);
    if (o->arg && *o->arg != '[') fputs(" -r", f);
    if (k == TT_OPT_SORT) fputs(" -f -a '(__tracetty_columns)'", f);
    if (has_values(k)) {
        fputs(is_list(k) ? " -f -a '(__tracetty_list " : " -f -a '", f);
        put_values(f, k);
        fputs(is_list(k) ? ")'" : "'", f);
    }
    fputs(" -d '", f);
    put_quoted(f, o->help);
    fputs("'\n", f);
}

static void put_fish_words(FILE *f)
{
    static const char of[] = "complete -c tracetty -f -n '__fish_seen_subcommand_from %s%s' -a '";
    for (const tt_docs_pair *s = tt_docs_samples; s->key; s++) {
        fprintf(f, of, "demo", "");
        fprintf(f, "%s' -d '", s->key), put_quoted(f, s->text), fputs("'\n", f);
    }
    fprintf(f, of, "tables", "");
    fputs("(__tracetty_list ", f), put_tables(f), fputs(")'\n", f);
    fprintf(f, of, "help", "");
    fputs("explore ", f), put_commands(f, " "), fputs("'\n", f);
    fprintf(f, of, "ctl", "; and test (count (commandline -opc)) -eq 2");
    fputs("(__fish_complete_directories)'\n", f);
    fprintf(f, of, "ctl", "; and test (count (commandline -opc)) -gt 2");
    put_orders(f), fputs("'\n", f);
    fputs("complete -c tracetty -f -n '__fish_seen_subcommand_from doctor'\n", f);
}

static void put_fish(FILE *f)
{
    fputs("# fish completion of tracetty; written by 'tracetty help --completions fish'\n", f);
    put_fish_functions(f);
    for (int i = 0; i < TT_CMD_COUNT_; i++) {
        if (!has_name(i)) continue;
        fprintf(f, "complete -c tracetty -n __fish_use_subcommand -a %s -d '", tt_commands[i].name);
        put_quoted(f, tt_commands[i].help);
        fputs("'\n", f);
    }
    put_fish_words(f);
    for (int i = 0; i < TT_CMD_COUNT_; i++) {
        for (int k = 0; k < TT_OPT_COUNT_; k++)
            if (tt_commands[i].shown && tt_option_infos[k].commands >> i & 1) put_fish_option(f, i, k);
    }
}

void tt_docs_completions(FILE *f, const char *shell)
{
    if (*shell == 'b') {
        put_bash(f);
    } else if (*shell == 'z') {
        put_zsh(f);
    } else {
        put_fish(f);
    }
}
