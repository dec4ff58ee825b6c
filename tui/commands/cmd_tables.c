/* tui/commands/cmd_tables.c - `tracetty tables`: the catalogue, from the descriptions the tables are computed with. */
#include <string.h>

#include "tui/args/cli.h"
#include "tui/output/writers.h"

static void put_column(const tt_table_desc *d, const tt_column *c)
{
    const char *unit = tt_type_unit(c->type);
    printf("    %-28s %-8s %-6s %s", c->key, tt_type_name(c->type), unit, c->help ? c->help : "");
    const char *sep = " (only grouped by ";
    for (int g = 0; c->in_groups && d->groups && d->groups[g]; g++) {
        if (!(c->in_groups >> g & 1)) continue;
        printf("%s%s", sep, d->groups[g]);
        sep = ", ";
    }
    puts(c->in_groups ? ")" : "");
}

static void put_table(const tt_table_desc *d)
{
    printf("%s: %s\n  %s\n", d->id, d->title, d->meaning);
    for (int g = 0; d->groups && d->groups[g]; g++) printf("%s%s", g ? ", " : "  group by: ", d->groups[g]);
    if (d->groups && d->groups[0]) putchar('\n');
    if (d->default_sort) printf("  sorted by: %s %s\n", d->default_sort, d->default_desc ? "desc" : "asc");
    if (d->flags & TT_TABLE_THREADS) puts("  --thread-sep: one section per thread");
    puts("  columns:");
    for (uint32_t c = 0; c < d->n_cols; c++)
        if (!d->cols[c].place) put_column(d, &d->cols[c]);
}

int tt_cmd_tables(const tt_cli *cli)
{
    if (cli->n_args) {
        tt_err e;
        tt_fail(&e, TT_ERR_USAGE, -1, "'tracetty tables' takes no argument: '%s'", cli->args[0]);
        return tt_report(&e);
    }
    for (uint32_t i = 0; i < tt_n_tables; i++) {
        if (i) putchar('\n');
        put_table(tt_tables[i]);
    }
    return tt_finish_output();
}
