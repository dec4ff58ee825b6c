/* capture/stacks/native.c - C frames of a thread that waits in the kernel. See stacks.h.
 *
 * /proc/PID/task/TID/syscall has its stack pointer and instruction, and nobody is disturbed by reading it. From there
 * on callers are found by the unwind information of the ELF files. Frames that have bp as their base need its value,
 * which is known only after a function that saved it. Where it is not, the stack is searched for the return address of
 * a call of this function, else for the next pair of a saved bp and a return address, which is said. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "capture/format/spool.h"
#include "capture/shared/sysfile.h"
#include "capture/stacks/images.h"
#include "capture/stacks/peek.h"
#include "capture/stacks/stacks.h"
#include "capture/stacks/unwind.h"

enum { NAME_MOST = 200, SEARCH_MOST = 4096 };

/* ---- the state of the thread ---- */

typedef struct place { /* where a thread is */
    uint64_t at, sp, bp;
    bool has_bp;
} place;

/* NULL, or why the registers are not known. */
static const char *read_place(uint32_t pid, uint32_t tid, place *out)
{
    char path[64], text[256];
    snprintf(path, sizeof path, "/proc/%u/task/%u/syscall", pid, tid);
    errno = 0;
    if (!tt_sysfile_read(path, text, sizeof text)) {
        return errno == ENOENT ? "(the thread has ended, or the kernel does not tell where it waits)\n"
                               : "(its place cannot be read)\n";
    }
    if (!strncmp(text, "running", 7)) return "(it runs: its C frames cannot be read without disturbing it)\n";
    text[strcspn(text, "\n")] = 0;
    const char *last = strrchr(text, ' '), *before = last;
    while (before && before > text && before[-1] != ' ') before--;
    if (!before || before == text) return "(its place cannot be read)\n";
    *out = (place){.sp = strtoull(before, NULL, 16), .at = strtoull(last + 1, NULL, 16)};
    return NULL;
}

/* ---- memory ---- */

typedef struct walk {
    tt_live_stacks *s;
    uint32_t pid;
    place now;
    uint64_t base, top;   /* the part of the stack that was copied */
    uint64_t image;       /* start of the file that the last mapping at offset 0 belongs to */
    char path[NAME_MOST]; /* its path */
    bool searched, ended;
} walk;

static bool on_map(void *arg, const tt_map *m)
{
    walk *w = arg;
    if (w->now.sp >= m->start && w->now.sp < m->end) w->top = m->end;
    bool file = *m->path == '/' || !strcmp(m->path, "[vdso]");
    if (file && !m->offset) {
        w->image = m->start;
        snprintf(w->path, sizeof w->path, "%s", m->path);
    }
    if (!m->executable || w->s->n_code == TT_LIVE_CODE) return true;
    tt_live_code *c = &w->s->code[w->s->n_code++];
    const char *slash = strrchr(m->path, '/');
    bool same = file && !strncmp(m->path, w->path, sizeof w->path - 1);
    *c = (tt_live_code){.start = m->start, .end = m->end, .image = same ? w->image : 0};
    snprintf(c->name, sizeof c->name, "%s", slash ? slash + 1 : m->path);
    for (char *p = c->name; *p; p++) {
        if ((unsigned char)*p < ' ' || (unsigned char)*p >= 0x7F) *p = '?';
    }
    return true;
}

static const tt_live_code *code_at(const tt_live_stacks *s, uint64_t at)
{
    for (uint32_t i = 0; i < s->n_code; i++) {
        if (at >= s->code[i].start && at < s->code[i].end) return &s->code[i];
    }
    return NULL;
}

static bool on_stack(const walk *w, uint64_t at, uint64_t *out)
{
    if (at % 8 || at < w->base || at > w->top - 8) return false;
    memcpy(out, w->s->stack + (at - w->base), 8);
    return true;
}

/* ---- callers ---- */

/* The address follows a call instruction. */
static bool follows_call(const walk *w, uint64_t at)
{
    unsigned char b[8];
    if (!code_at(w->s, at) || !tt_peek(w->pid, at - sizeof b, b, sizeof b)) return false;
    if (b[3] == 0xE8) return true; /* call to an address */
    /* FF /2, call through a register or memory: 2 to 7 bytes */
    for (int n = 2; n <= 7; n++) {
        if (b[8 - n] == 0xFF && (b[9 - n] >> 3 & 7) == 2) return true;
    }
    return false;
}

/* The function that a stub of the linker (.plt) at an address jumps to; 0: it is no stub. */
static uint64_t behind_stub(const walk *w, uint64_t at)
{
    static const unsigned char landing[] = {0xF3, 0x0F, 0x1E, 0xFA}; /* endbr64 */
    unsigned char b[16];
    int32_t offset;
    uint64_t to;
    size_t n = 0;
    if (!tt_peek(w->pid, at, b, sizeof b)) return 0;
    if (!memcmp(b, landing, sizeof landing)) n = sizeof landing;
    n += b[n] == 0xF2;                              /* bnd */
    if (b[n] != 0xFF || b[n + 1] != 0x25) return 0; /* jmp *offset(%rip) */
    memcpy(&offset, b + n + 2, 4);
    return tt_peek_u64(w->pid, at + n + 6 + (uint64_t)(int64_t)offset, &to) ? to : 0;
}

/* The address follows a call of this function. */
static bool follows_call_of(const walk *w, uint64_t at, uint64_t function)
{
    unsigned char b[5];
    int32_t offset;
    if (!function || !code_at(w->s, at) || !tt_peek(w->pid, at - sizeof b, b, sizeof b) || b[0] != 0xE8) return false;
    memcpy(&offset, b + 1, 4);
    uint64_t to = at + (uint64_t)(int64_t)offset;
    return to == function || behind_stub(w, to) == function;
}

/* Search for bp from the stack pointer on, where the function has saved the caller's bp below its return address: that
 * of a call of this function, else, of any call, where the saved value leads on along the stack. */
static bool search_bp(walk *w, uint64_t function)
{
    for (int any = 0; any < 2; any++) {
        uint64_t bp, back;
        for (uint64_t at = w->now.sp; at < w->now.sp + SEARCH_MOST; at += 8) {
            if (!on_stack(w, at, &bp) || !on_stack(w, at + 8, &back)) break;
            bool leads_on = any && bp > at && bp < w->top && bp % 8 == 0 && follows_call(w, back);
            if (!leads_on && (any || !follows_call_of(w, back, function))) continue;
            w->now.bp = at;
            w->now.has_bp = true;
            w->searched |= any;
            return true;
        }
    }
    return false;
}

/* Go to the caller; false: it cannot be found, or there is none. `inside`: the instruction that counts. */
static bool step(walk *w, uint64_t inside)
{
    tt_unwind_rule r;
    tt_image image;
    uint64_t back;
    const tt_live_code *c = code_at(w->s, inside);
    bool have = c && c->image && tt_image_open(&image, w->pid, c->image) && image.unwind &&
                tt_unwind_rule_at(w->pid, image.unwind, inside, &r);
    w->ended = have && r.outermost;
    if (w->ended) return false;
    /* code without unwind information: a frame pointer is all that can help */
    if (!have) r = (tt_unwind_rule){TT_REGISTER_BP, 16, true, -16, -8, false, 0};
    if (r.cfa_register == TT_REGISTER_BP && !w->now.has_bp && !search_bp(w, r.function)) return false;
    uint64_t cfa = (r.cfa_register == TT_REGISTER_BP ? w->now.bp : w->now.sp) + (uint64_t)r.cfa_offset;
    if (cfa <= w->now.sp || !on_stack(w, cfa + (uint64_t)r.return_offset, &back)) return false;
    if (r.saves_bp && !on_stack(w, cfa + (uint64_t)r.bp_offset, &w->now.bp)) return false;
    w->now.has_bp |= r.saves_bp;
    w->now.sp = cfa;
    w->now.at = back;
    w->ended = !back;
    return back && code_at(w->s, back);
}

/* ---- text ---- */

static void say(tt_live_stacks *s, const char *text)
{
    size_t n = strlen(text);
    if (s->n + n > sizeof s->text) return;
    memcpy(s->text + s->n, text, n);
    s->n += n;
}

static void clean(char *text)
{
    for (; *text; text++) {
        if ((unsigned char)*text < ' ' || (unsigned char)*text >= 0x7F) *text = '?';
    }
}

/* Names of the frames: the symbols of each file are read once. */
static void put_frames(walk *w)
{
    tt_live_stacks *s = w->s;
    tt_place places[TT_LIVE_NATIVE] = {{0}}, some[TT_LIVE_NATIVE];
    for (uint32_t i = 0; i < s->n_frames; i++) {
        tt_image image;
        const tt_live_code *c = code_at(s, s->frames_at[i] - (i > 0));
        if (places[i].at || !c || !c->image || !tt_image_open(&image, w->pid, c->image)) continue;
        uint32_t n = 0, of[TT_LIVE_NATIVE];
        for (uint32_t k = i; k < s->n_frames; k++) {
            const tt_live_code *d = code_at(s, s->frames_at[k] - (k > 0));
            if (!d || d->image != c->image) continue;
            some[n] = (tt_place){.at = s->frames_at[k] - (k > 0)};
            of[n++] = k;
        }
        tt_image_find(&image, some, n);
        for (uint32_t k = 0; k < n; k++) places[of[k]] = some[k];
    }
    for (uint32_t i = 0; i < s->n_frames; i++) {
        char name[NAME_MOST] = "", line[NAME_MOST + 100];
        tt_image image;
        uint64_t at = s->frames_at[i];
        const tt_live_code *c = code_at(s, at - (i > 0));
        bool named = places[i].begin && c && c->image && tt_image_open(&image, w->pid, c->image);
        if (named) tt_image_name(&image, &places[i], name, sizeof name);
        clean(name);
        uint64_t from = *name ? places[i].begin : c ? c->image ? c->image : c->start : 0;
        snprintf(line, sizeof line, "%s: %s+0x%llx\n", c && *c->name ? c->name : "?", name,
                 (unsigned long long)(at - from));
        say(s, line);
    }
}

static void follow(walk *w)
{
    tt_live_stacks *s = w->s;
    bool more = true;
    for (s->n_frames = 0; more && s->n_frames < TT_LIVE_NATIVE;) {
        s->frames_at[s->n_frames++] = w->now.at;
        /* a return address may lie behind its function: the call is before it */
        more = step(w, w->now.at - (s->n_frames > 1));
    }
    put_frames(w);
    if (more) say(s, "(more frames)\n");
    if (!more && !w->ended) say(s, "(no further: the caller cannot be found)\n");
    if (w->searched) say(s, "(some callers were found by searching the stack)\n");
}

/* ---- entry point ---- */

static const char *read_native(walk *w, uint32_t tid)
{
    place after;
    const char *why = read_place(w->pid, tid, &w->now);
    if (why) return why;
    const place before = w->now;
    w->s->n_code = 0;
    if (tt_maps_each(w->pid, on_map, w) || !w->top) return "(its stack cannot be read)\n";
    w->base = w->now.sp;
    if (w->top - w->base > sizeof w->s->stack) w->top = w->base + sizeof w->s->stack;
    if (!tt_peek(w->pid, w->base, w->s->stack, w->top - w->base)) return "(its stack cannot be read)\n";
    if (read_place(w->pid, tid, &after) || after.sp != before.sp || after.at != before.at)
        return "(it ran while it was read)\n";
    follow(w);
    return NULL;
}

void tt_live_stacks_native(tt_live_stacks *s, uint32_t pid, uint32_t tid, tt_live_stack_put *put, void *arg)
{
    enum { TRIES = 4 };
    const char *why = "";
    s->n = 0;
#ifdef __x86_64__
    for (int i = 0; i < TRIES && why; i++) {
        walk w = {.s = s, .pid = pid};
        why = read_native(&w, tid);
    }
#else
    why = "(C frames are read on x86-64 only)\n";
    (void)read_native;
#endif
    if (why) say(s, why);
    tt_live_stack out = {.tid = tid, .kind = TT_SPOOL_STACK_NATIVE, .text = s->text, .len = s->n};
    put(arg, &out);
}
