/* model/tables/analysis/device/wait_cause.c - names of causes, and which calls block. */
#include "model/tables/analysis/device/wait_cause.h"

#include <string.h>

const char *const tt_wait_name[TT_WAIT_COUNT_] = {"input",   "sync",   "runtime", "operator",
                                                  "between", "launch", "queue",   "unknown"};
const char *const tt_wait_text[TT_WAIT_COUNT_] = {"input",  "sync",   "runtime calls", "operators", "between operators",
                                                  "launch", "queued", "unknown"};
const char *const tt_wait_help[TT_WAIT_COUNT_] = {
    "the CPU waits for the next batch (DataLoader)",
    "the CPU waits for the device (synchronize, blocking copy), then launches",
    "the CPU is inside another runtime or driver call, a launch among them",
    "the CPU is inside an operator that has not launched yet",
    "the CPU is between operators: Python, or code that records nothing",
    "the launch returned at most 100 us ago: it is on its way to the device",
    "the work is launched and waits: for another stream, or for what this file does not show",
    "the file does not say: the launch of the next work, or work before it, is not there",
};

tt_wait_cause tt_wait_named(const char *name)
{
    int w = 0;
    while (w < TT_WAIT_UNKNOWN && strcmp(tt_wait_name[w], name) != 0) w++;
    return (tt_wait_cause)w;
}

/* Families of calls that wait for the device: names that begin with `prefix` and do not contain `without`. */
static const struct {
    const char *prefix, *without;
} blocking[] = {
    {"cudaDeviceSynchronize", NULL}, {"cudaStreamSynchronize", NULL}, {"cudaEventSynchronize", NULL},
    {"cudaMemcpy", "Async"},         {"cudaMemset", "Async"},         {"cuCtxSynchronize", NULL},
    {"cuStreamSynchronize", NULL},   {"cuEventSynchronize", NULL},    {"hipDeviceSynchronize", NULL},
    {"hipStreamSynchronize", NULL},  {"hipEventSynchronize", NULL},   {"hipMemcpy", "Async"},
    {"hipMemset", "Async"},          {"aclrtSynchronize", NULL}, /* CANN: Device, Stream, Event */
    {"aclrtMemcpy", "Async"},        {"aclrtMemset", "Async"},
};

/* Name of a call without the level that CANN's profilers put before it: "AscendCL@aclrtMemcpy". */
static const char *without_level(const char *name)
{
    const char *at = strchr(name, '@');
    return at ? at + 1 : name;
}

bool tt_call_blocks(const char *name)
{
    name = without_level(name);
    for (size_t i = 0; i < sizeof blocking / sizeof *blocking; i++) {
        if (strncmp(name, blocking[i].prefix, strlen(blocking[i].prefix)) != 0) continue;
        return !blocking[i].without || !strstr(name, blocking[i].without);
    }
    return false;
}

bool tt_call_copies(const char *name) { return strstr(name, "Memcpy") || strstr(name, "Memset"); }

tt_wait_cause tt_wait_cause_of(const tt_trace *s, const tt_name_classes *names, tt_row r)
{
    tt_kind k = tt_row_kind(s, r);
    if (k == TT_KIND_DATALOADER) return TT_WAIT_INPUT;
    if (tt_kind_is_launch(k)) return tt_call_blocks(tt_row_name(s, r)) ? TT_WAIT_SYNC : TT_WAIT_RUNTIME;
    if (k == TT_KIND_COMMUNICATION) return TT_WAIT_OPERATOR;
    if (k != TT_KIND_CPU_OP && k != TT_KIND_ANNOTATION && k != TT_KIND_OP_INNER && k != TT_KIND_PYTHON_OP)
        return TT_WAIT_COUNT_;
    if (tt_name_class(names, s, r) & TT_NAME_DATALOADER) return TT_WAIT_INPUT;
    return k == TT_KIND_ANNOTATION ? TT_WAIT_COUNT_ : TT_WAIT_OPERATOR;
}

/* Whether the cause of slices of this kind depends on their names. */
static bool is_by_name(tt_kind k)
{
    return tt_kind_is_launch(k) || k == TT_KIND_CPU_OP || k == TT_KIND_ANNOTATION || k == TT_KIND_OP_INNER ||
           k == TT_KIND_PYTHON_OP;
}

tt_wait_cause tt_wait_cause_memo(tt_wait_memo *m, const tt_trace *s, const tt_name_classes *names, tt_row r)
{
    uint8_t *of_cat = &m->of_cat[s->cat[r]];
    if (*of_cat > 1) return (tt_wait_cause)(*of_cat - 2);
    if (!*of_cat) {
        *of_cat = is_by_name(tt_row_kind(s, r)) ? 1 : (uint8_t)(tt_wait_cause_of(s, names, r) + 2);
        return tt_wait_cause_of(s, names, r);
    }
    size_t place = ((s->name[r] * 2654435761u >> 16) ^ s->cat[r]) % (sizeof m->at / sizeof *m->at);
    if (!m->at[place].cause || m->at[place].name != s->name[r] || m->at[place].cat != s->cat[r]) {
        m->at[place].name = s->name[r];
        m->at[place].cat = s->cat[r];
        m->at[place].cause = (uint8_t)(tt_wait_cause_of(s, names, r) + 1);
    }
    return (tt_wait_cause)(m->at[place].cause - 1);
}
