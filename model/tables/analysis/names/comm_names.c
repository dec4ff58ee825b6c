/* model/tables/analysis/names/comm_names.c - names of communication, by library.
 *
 * Host ranges are recognised by the prefix that torch.distributed and its back ends write; kernels by a part of
 * their name in any case, since every library compiles its own kernels and puts its name into them (RCCL keeps
 * NCCL's names). Users of other libraries name them in the environment; the tables here come first. */
#include "model/tables/analysis/names/comm_names.h"

#include <ctype.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

typedef struct pattern {
    const char *text, *name;
    bool in_steps; /* tt_comm_step_kernel() counts such kernels */
} pattern;

static const pattern host_prefixes[] = {
    {.text = "nccl:", .name = "nccl"}, {.text = "gloo:", .name = "gloo"}, {.text = "rccl:", .name = "rccl"},
    {.text = "hccl:", .name = "hccl"}, {.text = "xccl:", .name = "xccl"}, {.text = "mpi:", .name = "mpi"},
    {.text = "ucc:", .name = "ucc"},   {.text = "ccl:", .name = "ccl"},   {.text = "bkcl:", .name = "bkcl"},
    {.text = "mccl:", .name = "mccl"},
};

/* Patterns of tt_pattern_fits(). A pattern with "::" is searched in the name without template arguments, before the
 * others are searched in the function's name. */
static const pattern kernel_parts[] = {
    {"nccl", "nccl", true},
    {"rccl", "rccl", true},
    {"hccl", "hccl", true},
    {"hcom_", "hccl", false},
    {"xccl", "xccl", true},
    {"bkcl", "bkcl", true},
    {"mccl", "mccl", true},
    {"msccl", "msccl", false},
    {"nvshmem", "nvshmem", true},
    {"deep_ep::", "deep_ep", false}, /* what experts receive and return */
    {"mori::moe::ep", "mori", false},
    {"cross_device_reduce", "custom", true}, /* all-reduce kernels of inference servers */
    {"one_shot_all_reduce", "custom", true},
    {"two_shot_all_reduce", "custom", true},
    {"oneshotallreduce", "custom", true},
    {"twoshotallreduce", "custom", true},
    {"multimem_all_reduce", "custom", true},
    {"multimem_all_gather", "custom", true},
    {"multimem_", "custom", false},
    {"allreduce_fusion_kernel", "custom", true},
    {"all-reduce", "xla", true}, /* operators of XLA on TPUs, and kernels of that name on GPUs */
    {"all-gather", "xla", true},
    {"reduce-scatter", "xla", true},
    {"all-to-all", "xla", true},
    {"collective-permute", "xla", true},
    {"collective-broadcast", "xla", true},
    {"=allreduce", "custom", false},
    {"=all_reduce", "custom", false},
    {"=allgather", "custom", false},
    {"=all_gather", "custom", false},
    {"=reducescatter", "custom", false},
    {"=reduce_scatter", "custom", false},
    {"=alltoall", "custom", false},
    {"=all_to_all", "custom", false},
};

/* a kernel of that library that only computes where the tokens of an expert will go */
static const char no_part[] = "deep_ep::layout::";

static bool holds(const char *name, const char *part, size_t n)
{
    for (; *name; name++)
        if (strncasecmp(name, part, n) == 0) return true;
    return false;
}

/* Whether a pattern of TT_COMM_VARIABLE fits: with a colon at its end the beginning of a host range, else a part of
 * a kernel's name. */
static bool fits_more(const char *name, bool host)
{
    const char *p = getenv(TT_COMM_VARIABLE);
    for (size_t n; p && *p; p += n) {
        p += strspn(p, ", ");
        n = strcspn(p, ",");
        size_t used = n;
        while (used && isspace((unsigned char)p[used - 1])) used--;
        if (!used || (p[used - 1] == ':') != host) continue;
        if (host ? strncmp(name, p, used) == 0 : holds(name, p, used)) return true;
    }
    return false;
}

static bool has_one_of(const char *name, const char *const *parts)
{
    for (; parts && *parts; parts++)
        if (strcasestr(name, *parts)) return true;
    return false;
}

bool tt_comm_operator(const tt_rules *rules, const char *name)
{
    return has_one_of(name, rules->comm_operators) && !has_one_of(name, rules->no_comm_operators);
}

const char *tt_comm_op_library(const char *name)
{
    for (size_t i = 0; i < sizeof host_prefixes / sizeof *host_prefixes; i++) {
        const pattern *p = &host_prefixes[i];
        if (name[0] == p->text[0] && strncmp(name, p->text, strlen(p->text)) == 0) return p->name;
    }
    return fits_more(name, true) ? "custom" : NULL;
}

const char *tt_comm_kernel_word(const char *name)
{
    tt_pattern_text text = tt_pattern_text_of(name);
    for (size_t i = 0; i < sizeof kernel_parts / sizeof *kernel_parts; i++)
        if (tt_pattern_fits(&text, kernel_parts[i].text)) return kernel_parts[i].text + (*kernel_parts[i].text == '=');
    return NULL;
}

const char *tt_comm_text_library(const tt_pattern_text *text, bool qualified)
{
    for (size_t i = 0; i < sizeof kernel_parts / sizeof *kernel_parts; i++) {
        const pattern *p = &kernel_parts[i];
        if ((strchr(p->text, ':') != NULL) != qualified || !tt_pattern_fits(text, p->text)) continue;
        return qualified && tt_pattern_fits(text, no_part) ? NULL : p->name;
    }
    return NULL;
}

bool tt_comm_named_by_user(const char *name) { return fits_more(name, false); }

bool tt_comm_step_kernel(const char *name)
{
    tt_pattern_text text = tt_pattern_text_of(name);
    for (size_t i = 0; i < sizeof kernel_parts / sizeof *kernel_parts; i++)
        if (kernel_parts[i].in_steps && tt_pattern_fits(&text, kernel_parts[i].text)) return true;
    return fits_more(name, false);
}

/* Position behind the ")" that matches the "(" at p; the end when there is none. */
static const char *after_parens(const char *p)
{
    int depth = 0;
    for (; *p; p++) {
        depth += (*p == '(') - (*p == ')');
        if (!depth) return p + 1;
    }
    return p;
}

static bool ends_in_operator(const char *name, const char *end)
{
    static const char word[] = "operator";
    return (size_t)(end - name) >= sizeof word - 1 && memcmp(end - (sizeof word - 1), word, sizeof word - 1) == 0;
}

const char *tt_comm_bare_name(const char *name, size_t *n)
{
    const char *from = name, *p = name;
    int depth = 0; /* nesting of template arguments and { } */
    while (*p) {
        if (*p == '(') {
            const char *behind = after_parens(p);
            bool part = depth > 0 || strncmp(behind, "::", 2) == 0 || ends_in_operator(name, p);
            if (!part && p > name) break;
            p = behind;
            continue;
        }
        if (*p == ' ' && !depth && p[1]) from = p + 1;
        /* the '>' belongs to "->" or "operator>" */
        bool sign = p > name && (p[-1] == '-' || ends_in_operator(name, p));
        if ((*p == '<' || *p == '{') && !sign) depth++;
        if ((*p == '>' || *p == '}') && !sign && depth) depth--;
        p++;
    }
    if (!*p) from = strncmp(name, "void ", 5) == 0 ? name + 5 : name;
    while (p > from && p[-1] == ' ') p--;
    *n = (size_t)(p - from);
    return from;
}
