/* capture/agent/nvtx.c - NVTX, by its own injection protocol: NVTX_INJECTION64_PATH names this library. At its first
 * call each copy of the NVTX headers in the process calls InitializeInjectionNvtx2() (NVTX 2:
 * InitializeInjectionNvtx()), and then our functions.
 *
 * The types of the protocol are declared here: building needs no NVIDIA headers, running no GPU. */
#include <string.h>
#include <wchar.h>

#include "capture/agent/attach.h"
#include "capture/agent/enter.h"
#include "capture/agent/events.h"

#define EXPORT __attribute__((visibility("default")))

typedef void (*function)(void);
typedef const void *(*get_export_table)(uint32_t id);
typedef struct callbacks_table {
    size_t size;
    int (*module_functions)(int module, function ***table, unsigned *n);
} callbacks_table;

typedef struct attributes { /* nvtxEventAttributes_t, versions 1 to 3 */
    uint16_t version, size;
    uint32_t category;
    int32_t color_type;
    uint32_t color;
    int32_t payload_type, reserved;
    union {
        uint64_t u64;
        double f64;
    } payload;
    int32_t message_type;
    union {
        const char *ascii;
        const wchar_t *wide;
        const void *registered;
    } message;
} attributes;
_Static_assert(sizeof(attributes) == 48 && offsetof(attributes, message) == 40, "NVTX's layout");

enum { MESSAGE_ASCII = 1, MESSAGE_WIDE = 2, MESSAGE_REGISTERED = 3 };
enum { TABLE_CALLBACKS = 1, MODULE_CORE = 1, MODULE_CORE2 = 5 };

int InitializeInjectionNvtx2(get_export_table get);
int InitializeInjectionNvtx(get_export_table get);

/* ---- names ---- */

enum { WIDE_MOST = 1024 };

/* Convert a wide string (4 bytes a character here) to UTF-8; the locale is the program's, so it is not used. */
static size_t narrow(const wchar_t *in, char *out, size_t cap)
{
    size_t n = 0;
    for (; in && *in && n + 4 < cap; in++) {
        uint32_t c = (uint32_t)*in;
        if (c < 0x80) {
            out[n++] = (char)c;
        } else if (c < 0x800) {
            out[n++] = (char)(0xC0 | c >> 6);
            out[n++] = (char)(0x80 | (c & 0x3F));
        } else if (c < 0x10000) {
            out[n++] = (char)(0xE0 | c >> 12);
            out[n++] = (char)(0x80 | (c >> 6 & 0x3F));
            out[n++] = (char)(0x80 | (c & 0x3F));
        } else {
            out[n++] = (char)(0xF0 | (c >> 18 & 7));
            out[n++] = (char)(0x80 | (c >> 12 & 0x3F));
            out[n++] = (char)(0x80 | (c >> 6 & 0x3F));
            out[n++] = (char)(0x80 | (c & 0x3F));
        }
    }
    out[n] = 0;
    return n;
}

typedef struct message {
    const char *text;
    size_t len;
    char wide[WIDE_MOST];
} message;

static uint32_t handle_id(const void *handle) { return (uint32_t)((uintptr_t)handle >> 4); }

static const void *handle_of(uint32_t id) { return (const void *)((uintptr_t)id << 4 | 8); } /* never NULL */

static void read_message(const attributes *a, message *m)
{
    m->text = "";
    m->len = 0;
    if (!a || a->size < sizeof *a) return;
    if (a->message_type == MESSAGE_ASCII && a->message.ascii) {
        m->text = a->message.ascii;
        m->len = strlen(m->text);
    } else if (a->message_type == MESSAGE_WIDE) {
        m->len = narrow(a->message.wide, m->wide, sizeof m->wide);
        m->text = m->wide;
    } else if (a->message_type == MESSAGE_REGISTERED && a->message.registered) {
        const tt_name *n = tt_intern_at(&tt_recorder_get()->names, handle_id(a->message.registered));
        m->text = n->text;
        m->len = n->len;
    }
}

/* ---- marks and ranges ---- */

static tt_event_label plain(const char *s)
{
    return (tt_event_label){.name = s ? s : "", .len = s ? strlen(s) : 0, .cat = -1};
}

static tt_event_label wide(const wchar_t *s, char out[WIDE_MOST])
{
    size_t n = narrow(s, out, WIDE_MOST);
    return (tt_event_label){.name = out, .len = n, .cat = -1};
}

/* The domain of a handle that handle_of() made; NULL = the default one. */
static const tt_name *domain_of(const void *d)
{
    return d ? tt_intern_at(&tt_recorder_get()->names, handle_id(d)) : NULL;
}

static tt_event_label full(const void *domain, const attributes *a, message *m)
{
    read_message(a, m);
    return (tt_event_label){.name = m->text, .len = m->len, .domain = domain_of(domain), .cat = -1};
}

/* NVTX calls do nothing in a signal handler that interrupted another call: tt_enter(). */

static void domain_mark_ex(const void *d, const attributes *a)
{
    message m;
    if (!tt_enter()) return;
    tt_event_label l = full(d, a, &m);
    tt_mark(&l);
    tt_exit();
}
static void mark(const tt_event_label *l)
{
    if (!tt_enter()) return;
    tt_mark(l);
    tt_exit();
}
static void mark_ex(const attributes *a) { domain_mark_ex(NULL, a); }
static void mark_a(const char *s)
{
    tt_event_label l = plain(s);
    mark(&l);
}
static void mark_w(const wchar_t *s)
{
    char t[WIDE_MOST];
    tt_event_label l = wide(s, t);
    mark(&l);
}
static uint64_t domain_start_ex(const void *d, const attributes *a)
{
    message m;
    if (!tt_enter()) return 0;
    tt_event_label l = full(d, a, &m);
    uint64_t id = tt_range_start(&l);
    tt_exit();
    return id;
}
static uint64_t start(const tt_event_label *l)
{
    if (!tt_enter()) return 0;
    uint64_t id = tt_range_start(l);
    tt_exit();
    return id;
}
static uint64_t start_ex(const attributes *a) { return domain_start_ex(NULL, a); }
static uint64_t start_a(const char *s)
{
    tt_event_label l = plain(s);
    return start(&l);
}
static uint64_t start_w(const wchar_t *s)
{
    char t[WIDE_MOST];
    tt_event_label l = wide(s, t);
    return start(&l);
}
static void end(uint64_t id)
{
    if (!tt_enter()) return;
    tt_range_end(id);
    tt_exit();
}
static int domain_push_ex(const void *d, const attributes *a)
{
    message m;
    if (!tt_enter()) return 0;
    tt_event_label l = full(d, a, &m);
    tt_range_push(&l);
    tt_exit();
    return 0;
}
static int push(const tt_event_label *l)
{
    if (!tt_enter()) return 0;
    tt_range_push(l);
    tt_exit();
    return 0;
}
static int push_ex(const attributes *a) { return domain_push_ex(NULL, a); }
static int push_a(const char *s)
{
    tt_event_label l = plain(s);
    return push(&l);
}
static int push_w(const wchar_t *s)
{
    char t[WIDE_MOST];
    tt_event_label l = wide(s, t);
    return push(&l);
}
static int domain_pop(const void *d)
{
    if (!tt_enter()) return -1;
    int depth = tt_range_pop(domain_of(d));
    tt_exit();
    return depth;
}
static int pop(void) { return domain_pop(NULL); }
static void name_thread(uint32_t tid, const char *s, size_t n)
{
    if (!tt_enter()) return;
    tt_name_thread(tid, s, n);
    tt_exit();
}
static void name_thread_a(uint32_t tid, const char *s) { name_thread(tid, s ? s : "", s ? strlen(s) : 0); }
static void name_thread_w(uint32_t tid, const wchar_t *s)
{
    char t[WIDE_MOST];
    name_thread(tid, t, narrow(s, t, sizeof t));
}

/* ---- domains: each has a stack of ranges of its own on each thread ---- */

static void domain_end(const void *d, uint64_t id)
{
    (void)d;
    end(id);
}
static const void *put_name(const char *s, size_t n)
{
    if (!tt_enter()) return handle_of(TT_NAME_NONE);
    uint32_t id = tt_intern_pin(&tt_recorder_get()->names, s, n);
    tt_exit();
    return handle_of(id);
}
static const void *register_a(const void *d, const char *s)
{
    (void)d;
    return put_name(s ? s : "", s ? strlen(s) : 0);
}
static const void *register_w(const void *d, const wchar_t *s)
{
    char t[WIDE_MOST];
    (void)d;
    return put_name(t, narrow(s, t, sizeof t));
}
static const void *create_a(const char *s) { return put_name(s ? s : "", s ? strlen(s) : 0); }
static const void *create_w(const wchar_t *s) { return register_w(NULL, s); }
static void destroy(const void *d) { (void)d; }

/* ---- attaching ---- */

typedef struct entry {
    unsigned id;
    function f;
} entry;

static void install(const callbacks_table *t, int module, const entry *entries, size_t n)
{
    function **table = NULL;
    unsigned size = 0;
    if (!t->module_functions(module, &table, &size) || !table) return;
    for (size_t i = 0; i < n; i++) {
        if (entries[i].id < size && table[entries[i].id]) *table[entries[i].id] = entries[i].f;
    }
}

/* Attach. Not while inside the recorder: then the recorder's own code called NVTX, and only lock-free work is
 * allowed. */
static bool attach(void)
{
    if (tt_inside) return atomic_load(&tt_recorder_get()->gate) & TT_GATE_ATTACHED;
    if (!tt_enter()) return false;
    bool attached = tt_recorder_attach(NULL);
    tt_exit();
    return attached;
}

EXPORT int InitializeInjectionNvtx2(get_export_table get)
{
    /* numbers of the protocol: NVTX_CBID_CORE_* and NVTX_CBID_CORE2_* */
    static const entry core[] = {{1, (function)mark_ex},       {2, (function)mark_a},  {3, (function)mark_w},
                                 {4, (function)start_ex},      {5, (function)start_a}, {6, (function)start_w},
                                 {7, (function)end},           {8, (function)push_ex}, {9, (function)push_a},
                                 {10, (function)push_w},       {11, (function)pop},    {14, (function)name_thread_a},
                                 {15, (function)name_thread_w}};
    static const entry core2[] = {{1, (function)domain_mark_ex}, {2, (function)domain_start_ex},
                                  {3, (function)domain_end},     {4, (function)domain_push_ex},
                                  {5, (function)domain_pop},     {10, (function)register_a},
                                  {11, (function)register_w},    {12, (function)create_a},
                                  {13, (function)create_w},      {14, (function)destroy}};
    const callbacks_table *t = get ? get(TABLE_CALLBACKS) : NULL;
    if (!t || t->size < sizeof *t || !attach()) return 0;
    if (!(tt_recorder_get()->set.traces >> TT_TRACE_NVTX & 1)) return 0;
    install(t, MODULE_CORE, core, sizeof core / sizeof *core);
    install(t, MODULE_CORE2, core2, sizeof core2 / sizeof *core2);
    return 1;
}

/* Entry that NVTX 2 looks for (libnvToolsExt.so.1, linked by PyTorch up to 2.4). Its tables are the same, but may be
 * shorter or lack the domains: install() fills the entries that exist. */
EXPORT int InitializeInjectionNvtx(get_export_table get) { return InitializeInjectionNvtx2(get); }
