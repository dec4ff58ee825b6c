/* tui/commands/cmd_demo.c - `tracetty demo`: opens a sample of samples.def, which any installation has beside the
 * program. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "capture/launcher/launch.h"
#include "model/base/buf.h"
#include "tui/commands/commands.h"

enum { MOST_PATHS = 2 };

typedef struct sample {
    const char *name, *shows, *paths[MOST_PATHS];
} sample;

static const sample samples[] = {
#define X(name, shows, path, new_path) {name, shows, {path, new_path}},
#include "tui/commands/samples.def"
#undef X
};
enum { N_SAMPLES = sizeof samples / sizeof *samples };

/* Where samples are: beside the program in the sources and the portable archive; beside its folder, bin, when it is
 * installed. */
static const struct {
    bool above;
    const char *folder;
} places[] = {{false, "assets"}, {true, "share/tracetty"}};
enum { N_PLACES = sizeof places / sizeof *places };

static tt_status find_sample(const tt_cli *cli, const sample **out, tt_err *err)
{
    const char *name = cli->n_args ? cli->args[0] : samples[0].name, *names[N_SAMPLES];
    char text[1000];
    tt_buf list = tt_buf_of(text);
    if (cli->n_args > 1)
        return tt_fail(err, TT_ERR_USAGE, -1, "demo takes the name of one sample, not also '%s'", cli->args[1]);
    for (int i = 0; i < N_SAMPLES; i++) {
        *out = &samples[i];
        names[i] = samples[i].name;
        if (!strcmp(name, names[i])) return TT_OK;
        tt_buf_add(&list, "\n  %-9s  %s", names[i], samples[i].shows);
    }
    const char *close = tt_closest(name, names, N_SAMPLES);
    return tt_fail(err, TT_ERR_USAGE, -1, "there is no sample '%.100s'%s%s%s\nsamples:%s", name,
                   close ? "; did you mean '" : "", close ? close : "", close ? "'?" : "", text);
}

/* Find all files of the sample in one folder. Owned by the caller, also after an error. */
static tt_status find_files(const sample *s, char *paths[MOST_PATHS], tt_err *err)
{
    char program[PATH_MAX], folder[PATH_MAX + 32], path[PATH_MAX + 128], text[600];
    tt_buf looked = tt_buf_of(text);
    const char *lacks = s->paths[0];
    if (!tt_program_folder(program, sizeof program))
        return tt_fail(err, TT_ERR_INPUT, -1, "/proc/self/exe cannot be read: the program's own path is not known");
    for (int p = 0; p < N_PLACES; p++) {
        int n = 0;
        char *last = places[p].above ? strrchr(program, '/') : NULL;
        snprintf(folder, sizeof folder, "%.*s/%s", (int)(last ? last - program : (ptrdiff_t)strlen(program)), program,
                 places[p].folder);
        for (; n < MOST_PATHS && s->paths[n]; n++) {
            snprintf(path, sizeof path, "%s/%s", folder, s->paths[n]);
            free(paths[n]);
            paths[n] = realpath(path, NULL);
            if (!paths[n]) break;
        }
        if (n == MOST_PATHS || !s->paths[n]) return TT_OK;
        if (n) lacks = s->paths[n];
        tt_buf_add(&looked, "%s%.250s", p ? " or " : "", folder);
    }
    return tt_fail(err, TT_ERR_INPUT, -1,
                   "sample '%s': there is no %s in %s\n"
                   "install tracetty with its samples, or keep the folder 'assets' of its archive beside the "
                   "program; tracetty PATH opens a trace of your own",
                   s->name, lacks, text);
}

/* Open the paths as `tracetty PATH` does, or as `tracetty diff BASE NEW`. */
static int open_paths(const tt_cli *cli, const char **paths)
{
    tt_cli as = *cli;
    as.args = paths;
    as.n_args = paths[1] ? 2 : 1;
    as.command = paths[1] ? TT_CMD_DIFF : TT_CMD_EXPLORE;
    if (!paths[1]) return tt_cmd_explore(&as);
    if (cli->value[TT_OPT_DUMP]) {
        as.value[TT_OPT_SIZE] = cli->value[TT_OPT_DUMP];
        if (!cli->value[TT_OPT_SCREEN]) as.value[TT_OPT_SCREEN] = "compare";
    }
    return tt_cmd_diff(&as);
}

int tt_cmd_demo(const tt_cli *cli)
{
    const sample *s = samples;
    char *paths[MOST_PATHS] = {NULL};
    tt_err err;
    int status = find_sample(cli, &s, &err) == TT_OK && find_files(s, paths, &err) == TT_OK
                     ? open_paths(cli, (const char *[MOST_PATHS]){paths[0], paths[1]})
                     : tt_report(&err);
    for (int i = 0; i < MOST_PATHS; i++) free(paths[i]);
    return status;
}
