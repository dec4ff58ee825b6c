/* tui/commands/docs_completions.c - completion scripts for bash, zsh and fish.
 *
 * Table ids and choices are written into the scripts, so that pressing Tab starts no program.
 * `tracetty help --completions bash > assets/completions/tracetty.bash` */
#include <string.h>

#include "model/tables/registry/registry.h"
#include "tui/commands/docs.h"

/* Print the words that an option's value may have, if they are known. */
static void put_values(FILE *f, int option)
{
    const tt_option_info *o = &tt_option_infos[option];
    if (option == TT_OPT_TABLE) {
        fputs("all", f);
        for (uint32_t i = 0; i < tt_n_tables; i++) fprintf(f, " %s", tt_tables[i]->id);
        return;
    }
    if (option == TT_OPT_GROUP_BY) {
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
        return;
    }
    for (const char *p = o->choices; p && *p; p++) fputc(*p == '|' ? ' ' : *p, f);
}

static bool has_values(int option)
{
    return option == TT_OPT_TABLE || option == TT_OPT_GROUP_BY || tt_option_infos[option].choices;
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

static void put_bash(FILE *f)
{
    fputs("# bash completion of tracetty; written by 'tracetty help --completions bash'\n_tracetty() {\n"
          "    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} cmd= w\n"
          "    COMPREPLY=()\n"
          "    for w in \"${COMP_WORDS[@]:1:COMP_CWORD-1}\"; do\n        case $w in\n",
          f);
    const char *bar = "            ";
    for (int i = 0; i < TT_CMD_COUNT_; i++) {
        if (!tt_commands[i].shown || !*tt_commands[i].name) continue;
        fprintf(f, "%s%s", bar, tt_commands[i].name);
        bar = "|";
    }
    fputs(") cmd=$w; break ;;\n        esac\n    done\n    case $prev in\n", f);
    for (int k = 0; k < TT_OPT_COUNT_; k++) {
        if (!has_values(k)) continue;
        fprintf(f, "        --%s) COMPREPLY=($(compgen -W \"", tt_option_infos[k].name);
        put_values(f, k);
        fputs("\" -- \"$cur\")); return ;;\n", f);
    }
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
    fputs("        esac\n        COMPREPLY=($(compgen -W \"$w\" -- \"$cur\"))\n        return\n    fi\n"
          "    [[ $cmd == tables ]] && return\n    w=\n    [[ -z $cmd || $cmd == help ]] && w='",
          f);
    for (int i = 0; i < TT_CMD_COUNT_; i++) {
        if (tt_commands[i].shown && *tt_commands[i].name) fprintf(f, "%s ", tt_commands[i].name);
    }
    fputs("'\n    COMPREPLY=($(compgen -W \"$w\" -- \"$cur\"))\n"
          "    [[ $cmd == help ]] || COMPREPLY+=($(compgen -f -- \"$cur\"))\n}\n"
          "complete -o filenames -F _tracetty tracetty\n",
          f);
}

static void put_zsh(FILE *f)
{
    fputs("#compdef tracetty\n# zsh completion of tracetty; written by 'tracetty help --completions zsh'\n"
          "local cmd=${words[2]}\nlocal -a commands options\ncommands=(\n",
          f);
    for (int i = 0; i < TT_CMD_COUNT_; i++) {
        if (!tt_commands[i].shown || !*tt_commands[i].name) continue;
        fprintf(f, "    '%s:", tt_commands[i].name);
        put_quoted(f, tt_commands[i].help);
        fputs("'\n", f);
    }
    fputs(")\ncase $cmd in\n", f);
    for (int pass = 0; pass < 2; pass++) { /* the command without a name comes last, as the default case */
        for (int i = 0; i < TT_CMD_COUNT_; i++) {
            bool wordless = !*tt_commands[i].name;
            if (!tt_commands[i].shown || wordless != pass) continue;
            fprintf(f, "    %s) options=(\n", pass ? "*" : tt_commands[i].name);
            for (int k = 0; k < TT_OPT_COUNT_; k++) {
                const tt_option_info *o = &tt_option_infos[k];
                if (!(o->commands >> i & 1)) continue;
                fprintf(f, "        '--%s%s[", o->name, !o->arg ? "" : *o->arg == '[' ? "=-" : "=");
                put_quoted(f, o->help);
                fputc(']', f);
                if (o->arg) {
                    fputs(*o->arg == '[' ? "::value:" : ":value:", f);
                    if (has_values(k)) fputc('(', f), put_values(f, k), fputc(')', f);
                }
                fputs("'\n", f);
            }
            fputs("    ) ;;\n", f);
        }
    }
    fputs(
        "esac\nif (( CURRENT == 2 )); then\n    _describe command commands\nfi\n"
        "case $cmd in\n    help) _describe command commands ;;\n    *) _arguments $options '*:path:_files' ;;\nesac\n",
        f);
}

static void put_fish(FILE *f)
{
    fputs("# fish completion of tracetty; written by 'tracetty help --completions fish'\n", f);
    for (int i = 0; i < TT_CMD_COUNT_; i++) {
        if (!tt_commands[i].shown || !*tt_commands[i].name) continue;
        fprintf(f, "complete -c tracetty -n __fish_use_subcommand -a %s -d '", tt_commands[i].name);
        put_quoted(f, tt_commands[i].help);
        fputs("'\n", f);
    }
    for (int i = 0; i < TT_CMD_COUNT_; i++) {
        if (!tt_commands[i].shown) continue;
        for (int k = 0; k < TT_OPT_COUNT_; k++) {
            const tt_option_info *o = &tt_option_infos[k];
            if (!(o->commands >> i & 1)) continue;
            const char *name = tt_commands[i].name;
            fprintf(f, "complete -c tracetty -n %s%s%s -l %s",
                    *name ? "'__fish_seen_subcommand_from " : "__fish_use_subcommand", name, *name ? "'" : "", o->name);
            if (o->arg && *o->arg != '[') fputs(" -r", f);
            if (has_values(k)) fputs(" -f -a '", f), put_values(f, k), fputc('\'', f);
            fputs(" -d '", f);
            put_quoted(f, o->help);
            fputs("'\n", f);
        }
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
