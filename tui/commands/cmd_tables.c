/* tui/commands/cmd_tables.c - `tracetty tables`: tables with their columns, from the descriptors that also compute
 * them; as text or JSON. */
#include <stdlib.h>
#include <string.h>

#include "model/base/buf.h"
#include "model/tables/registry/registry.h"
#include "parser/json/write.h"
#include "tui/answers/print_tables.h"
#include "tui/commands/commands.h"
#include "tui/commands/docs.h"

typedef TT_VEC(const tt_table_desc *) chosen;

static void put_column(const tt_table_desc *d, const tt_column *c)
{
    char head[64], text[512];
    tt_buf b = tt_buf_of(text);
    snprintf(head, sizeof head, "    %-28s %-8s %-6s", c->key, tt_type_name(c->type), tt_type_unit(c->type));
    tt_buf_add(&b, "%s", c->help ? c->help : "");
    const char *sep = " (only grouped by ";
    for (int g = 0; c->in_groups && d->groups && d->groups[g]; g++) {
        if (!(c->in_groups >> g & 1)) continue;
        tt_buf_add(&b, "%s%s", sep, d->groups[g]);
        sep = ", ";
    }
    tt_buf_add(&b, "%s", c->in_groups ? ")" : "");
    tt_docs_item(stdout, head, (int)strlen(head) + 1, text);
}

static void put_table(const tt_table_desc *d)
{
    printf("%s: %s\n", d->id, d->title);
    tt_docs_item(stdout, "", 2, d->meaning);
    for (int g = 0; d->groups && d->groups[g]; g++) printf("%s%s", g ? ", " : "  group by: ", d->groups[g]);
    if (d->groups && d->groups[0]) putchar('\n');
    if (d->default_sort) printf("  sorted by: %s %s\n", d->default_sort, d->default_desc ? "desc" : "asc");
    if (d->flags & TT_TABLE_THREADS) puts("  --thread-sep: one section per thread");
    puts("  columns:");
    for (uint32_t c = 0; c < d->n_cols; c++)
        if (!d->cols[c].place) put_column(d, &d->cols[c]);
}

static void put_tables(const chosen *list)
{
    for (size_t i = 0; i < list->n; i++) {
        if (i) putchar('\n');
        put_table(list->at[i]);
    }
}

/* Write the keys of a table's groupings; `of` has a bit for each grouping to list. */
static void put_groups(tt_json *j, const char *key, const tt_table_desc *d, uint32_t of)
{
    tt_json_key(j, key);
    tt_json_open(j, '[', true);
    for (int g = 0; d->groups && d->groups[g]; g++)
        if (of >> g & 1) tt_json_text(j, d->groups[g]);
    tt_json_close(j, ']');
}

static void put_json_column(tt_json *j, const tt_table_desc *d, const tt_column *c)
{
    const char *unit = tt_type_unit(c->type);
    tt_json_open(j, '{', true);
    tt_json_key_text(j, "key", c->key);
    tt_json_key_text(j, "title", c->title);
    tt_json_key_text(j, "type", tt_type_name(c->type));
    tt_json_key_text(j, "unit", *unit ? unit : NULL);
    tt_json_key_text(j, "meaning", c->help);
    if (c->in_groups) put_groups(j, "grouped_by", d, c->in_groups);
    tt_json_close(j, '}');
}

static void put_json_table(tt_json *j, const tt_table_desc *d)
{
    tt_json_open(j, '{', false);
    tt_json_key_text(j, "id", d->id);
    tt_json_key_text(j, "title", d->title);
    tt_json_key_text(j, "meaning", d->meaning);
    put_groups(j, "group_by", d, UINT32_MAX);
    tt_json_key(j, "compares_two_runs");
    tt_json_bool(j, (d->flags & TT_TABLE_COMPARE) != 0);
    tt_json_key(j, "columns");
    tt_json_open(j, '[', false);
    for (uint32_t c = 0; c < d->n_cols; c++)
        if (!d->cols[c].place) put_json_column(j, d, &d->cols[c]);
    tt_json_close(j, ']');
    tt_json_close(j, '}');
}

static void put_json(const tt_table_desc *const *tables, size_t n)
{
    tt_json j;
    tt_json_init(&j, stdout);
    tt_json_open(&j, '{', false);
    tt_json_key_text(&j, "tool", "tracetty");
    tt_json_key_text(&j, "version", TT_VERSION);
    tt_json_key(&j, "tables");
    tt_json_open(&j, '[', false);
    for (size_t i = 0; i < n; i++) put_json_table(&j, tables[i]);
    tt_json_close(&j, ']');
    tt_json_close(&j, '}');
}

void tt_print_catalogue(const tt_session *s)
{
    tt_table_list all = tt_session_tables(s);
    put_json(all.at, all.n);
}

static tt_status unknown(const char *id, tt_err *err)
{
    const char **ids = tt_calloc(tt_n_tables, sizeof *ids);
    for (uint32_t i = 0; i < tt_n_tables; i++) ids[i] = tt_tables[i]->id;
    const char *close = tt_closest(id, ids, tt_n_tables);
    free(ids);
    if (close) return tt_fail(err, TT_ERR_USAGE, -1, "there is no table '%s'; did you mean '%s'?", id, close);
    return tt_fail(err, TT_ERR_USAGE, -1, "there is no table '%s'; 'tracetty help tables' lists them", id);
}

/* Add the tables of "ID,ID". */
static tt_status choose(const char *ids, chosen *list, tt_err *err)
{
    for (const char *p = ids;; p++) {
        char id[64];
        size_t n = strcspn(p, ",");
        snprintf(id, sizeof id, "%.*s", (int)(n < sizeof id ? n : sizeof id - 1), p);
        const tt_table_desc *d = tt_table_find(id);
        if (!d) return unknown(id, err);
        *tt_vec_push(list) = d;
        p += n;
        if (!*p) return TT_OK;
    }
}

static tt_status run(const tt_cli *cli, chosen *list, tt_err *err)
{
    tt_select s;
    for (uint32_t i = 0; i < cli->n_args; i++) TT_TRY(choose(cli->args[i], list, err));
    for (uint32_t i = 0; !cli->n_args && i < tt_n_tables; i++) *tt_vec_push(list) = tt_tables[i];
    TT_TRY(tt_select_output(cli, &s, err));
    if (s.format == TT_OUT_CSV || s.format == TT_OUT_MARKDOWN)
        return tt_fail(err, TT_ERR_USAGE, -1, "--format: the list of tables is text or json");
    if (s.format != TT_OUT_JSON)
        put_tables(list);
    else if (cli->n_args)
        put_json(list->at, list->n);
    else
        tt_print_catalogue(NULL);
    return TT_OK;
}

int tt_cmd_tables(const tt_cli *cli)
{
    tt_err e;
    chosen list = {0};
    int status = run(cli, &list, &e) == TT_OK ? tt_finish_output() : tt_report(&e);
    tt_vec_free(&list);
    return status;
}
