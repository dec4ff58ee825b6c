/* tui/record/record_facts.c - writes record.json: command, machine and environment of a recording. See record.h. */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "parser/json/write.h"
#include "tui/files/outfile.h"
#include "tui/record/record.h"

/* The variable tells how a program uses GPUs. Others are not recorded, because an environment holds secrets. */
static bool is_told(const char *variable)
{
    static const char *const heads[] = {"CUDA_", "NCCL_", "PYTORCH_", "TORCH_", "OMP_", "MKL_"};
    static const char *const names[] = {
        "RANK=",         "LOCAL_RANK=",           "WORLD_SIZE=",           "LOCAL_WORLD_SIZE=",
        "SLURM_JOB_ID=", "SLURM_PROCID=",         "SLURM_NTASKS=",         "SLURM_NODEID=",
        "MASTER_PORT=",  "OMPI_COMM_WORLD_RANK=", "OMPI_COMM_WORLD_SIZE=", "CONDA_DEFAULT_ENV="};
    static const char *const secrets[] = {"TOKEN", "KEY", "SECRET", "PASS"};
    const char *end = strchr(variable, '=');
    bool told = false;
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++) told |= !strncmp(variable, heads[i], strlen(heads[i]));
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) told |= !strncmp(variable, names[i], strlen(names[i]));
    for (size_t i = 0; told && end && i < sizeof secrets / sizeof *secrets; i++) {
        if (memmem(variable, (size_t)(end - variable), secrets[i], strlen(secrets[i]))) told = false;
    }
    return told && end;
}

static void put_options(tt_json *j, const tt_cli *cli)
{
    tt_json_key(j, "options");
    tt_json_open(j, '{', true);
    for (int k = 0; k < TT_OPT_COUNT_; k++) {
        if (!cli->value[k]) continue;
        tt_json_key(j, tt_option_infos[k].name);
        if (tt_option_infos[k].arg) tt_json_text(j, cli->value[k]);
        if (!tt_option_infos[k].arg) tt_json_bool(j, true);
    }
    tt_json_close(j, '}');
}

static void put_environment(tt_json *j)
{
    tt_json_key(j, "environment");
    tt_json_open(j, '{', false);
    for (char **v = environ; v && *v; v++) {
        char name[128];
        size_t n = strcspn(*v, "=");
        if (!is_told(*v) || n >= sizeof name) continue;
        snprintf(name, sizeof name, "%.*s", (int)n, *v);
        tt_json_key_text(j, name, *v + n + 1);
    }
    tt_json_close(j, '}');
}

/* Like sigabbrev_np(), which the C libraries of older systems lack. */
static const char *signal_name(int sig)
{
    static const char *const names[32] = {
#define NAME(s) [SIG##s] = #s
        NAME(HUP),  NAME(INT),  NAME(QUIT), NAME(ILL),  NAME(TRAP),   NAME(ABRT),  NAME(BUS),  NAME(FPE),
        NAME(KILL), NAME(USR1), NAME(SEGV), NAME(USR2), NAME(PIPE),   NAME(ALRM),  NAME(TERM), NAME(STKFLT),
        NAME(CHLD), NAME(CONT), NAME(STOP), NAME(TSTP), NAME(TTIN),   NAME(TTOU),  NAME(URG),  NAME(XCPU),
        NAME(XFSZ), NAME(PROF), NAME(IO),   NAME(PWR),  NAME(VTALRM), NAME(WINCH), NAME(SYS)
#undef NAME
    };
    return sig > 0 && sig < 32 ? names[sig] : NULL;
}

int tt_record_signal(const char *text)
{
    int64_t n;
    if (tt_parse_count(text, &n)) return n > 0 && n < 65 ? (int)n : 0;
    if (!strncmp(text, "SIG", 3)) text += 3;
    for (int sig = 1; sig < 32; sig++) {
        const char *name = signal_name(sig);
        if (name && !strcmp(name, text)) return sig;
    }
    return 0;
}

void tt_record_facts(const tt_cli *cli, const tt_launch *l)
{
    char path[700], text[512];
    struct utsname u = {0};
    time_t now = time(NULL);
    struct tm tm;
    snprintf(path, sizeof path, l->rank < 0 ? "%s/record.json" : "%s/record-rank%ld.json", l->dir, l->rank);
    tt_outfile *o = tt_outfile_open(path, 0, NULL, NULL);
    if (!o) return; /* a recording needs no record.json; if the folder cannot be written, other messages say so */
    tt_json j;
    tt_json_init(&j, tt_outfile_stream(o));
    tt_json_open(&j, '{', false);
    tt_json_key_text(&j, "recorder", "tracetty " TT_VERSION);
    gmtime_r(&now, &tm);
    strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &tm);
    tt_json_key_text(&j, "started", text);
    tt_json_key(&j, "command");
    tt_json_open(&j, '[', true);
    for (uint32_t i = 0; i < cli->n_args; i++) tt_json_text(&j, cli->args[i]);
    tt_json_close(&j, ']');
    tt_json_key_text(&j, "directory", getcwd(text, sizeof text));
    uname(&u);
    tt_json_key_text(&j, "host", u.nodename);
    snprintf(text, sizeof text, "%s %s %s", u.sysname, u.release, u.machine);
    tt_json_key_text(&j, "system", text);
    tt_json_key_int(&j, "processors", sysconf(_SC_NPROCESSORS_ONLN));
    put_options(&j, cli);
    put_environment(&j);
    tt_json_close(&j, '}');
    tt_outfile_close(o, true, NULL);
}
