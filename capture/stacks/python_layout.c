/* capture/stacks/python_layout.c - offsets in CPython's structures. See python_layout.h. */
#include "capture/stacks/python_layout.h"

#include <stdio.h>
#include <string.h>

#include "capture/stacks/peek.h"

/* 64-bit processes only; tests/capture/stacks_layout.c compares both with the headers */
static const tt_python_layout python_3_11 = {
    .runtime_interpreters = 40,
    .interpreter_next = 0,
    .interpreter_threads = 16,
    .thread_next = 8,
    .thread_interpreter = 16,
    .thread_native_id = 160,
    .thread_frame = 56,
    .cframe_frame = 8,
    .frame_code = 32,
    .frame_previous = 48,
    .frame_instruction = 56,
    .frame_owner = 69,
    .code_first_line = 72,
    .code_filename = 112,
    .code_qualname = 128,
    .code_linetable = 136,
    .code_instructions = 184,
    .object_type = 8,
    .bytes_size = 16,
    .bytes_data = 32,
    .text_length = 16,
    .text_state = 32,
    .text_ascii = 48,
    .text_wide = 72,
    .has_cframe = true,
};
static const tt_python_layout python_3_12 = {
    .runtime_interpreters = 40,
    .interpreter_next = 0,
    .interpreter_threads = 72,
    .thread_next = 8,
    .thread_interpreter = 16,
    .thread_native_id = 144,
    .thread_frame = 56,
    .cframe_frame = 0,
    .frame_code = 0,
    .frame_previous = 8,
    .frame_instruction = 56,
    .frame_owner = 70,
    .code_first_line = 68,
    .code_filename = 112,
    .code_qualname = 128,
    .code_linetable = 136,
    .code_instructions = 192,
    .object_type = 8,
    .bytes_size = 16,
    .bytes_data = 32,
    .text_length = 16,
    .text_state = 32,
    .text_ascii = 40,
    .text_wide = 56,
    .has_cframe = true,
};

/* _Py_DebugOffsets of 3.13; every member is a uint64_t. */
typedef struct debug_offsets {
    char cookie[8];
    uint64_t version, free_threaded;
    struct {
        uint64_t size, finalizing, interpreters_head;
    } runtime;
    struct {
        uint64_t size, id, next, threads_head, gc, imports_modules, sysdict, builtins, ceval_gil, gil, gil_enabled,
            gil_locked, gil_holder;
    } interpreter;
    struct {
        uint64_t size, prev, next, interp, current_frame, thread_id, native_thread_id, datastack_chunk, status;
    } thread;
    struct {
        uint64_t size, previous, executable, instr_ptr, localsplus, owner;
    } frame;
    struct {
        uint64_t size, filename, name, qualname, linetable, firstlineno, argcount, localsplusnames, localspluskinds,
            co_code_adaptive;
    } code;
    struct {
        uint64_t size, ob_type;
    } object;
    struct {
        uint64_t size, tp_name, tp_repr, tp_flags;
    } type;
    struct {
        uint64_t size, ob_item, ob_size;
    } tuple, list;
    struct {
        uint64_t size, ma_keys, ma_values;
    } dict;
    struct {
        uint64_t size, ob_fval;
    } real;
    struct {
        uint64_t size, lv_tag, ob_digit;
    } integer;
    struct {
        uint64_t size, ob_size, ob_sval;
    } bytes;
    struct {
        uint64_t size, state, length, asciiobject_size;
    } text;
} debug_offsets;

/* Copy an offset; false when its field of n bytes does not lie within its structure of a size that can be. */
static bool take(uint32_t *out, uint64_t offset, size_t n, uint64_t size, uint64_t most)
{
    if (size > most || offset > size || size - offset < n) return false;
    *out = (uint32_t)offset;
    return true;
}

static bool from_debug_offsets(const debug_offsets *d, tt_python_layout *out)
{
    enum { POINTER = 8, SIZE = 8, ID = 8, STATE = 4, LINE = 4, BYTE = 1, OBJECT_MOST = 256 };
    const uint64_t big = (uint64_t)64 << 20, frame = TT_PYTHON_FRAME_BYTES, code = TT_PYTHON_CODE_BYTES;
    bool good = take(&out->runtime_interpreters, d->runtime.interpreters_head, POINTER, d->runtime.size, big) &&
                take(&out->interpreter_next, d->interpreter.next, POINTER, d->interpreter.size, big) &&
                take(&out->interpreter_threads, d->interpreter.threads_head, POINTER, d->interpreter.size, big) &&
                take(&out->thread_next, d->thread.next, POINTER, d->thread.size, big) &&
                take(&out->thread_interpreter, d->thread.interp, POINTER, d->thread.size, big) &&
                take(&out->thread_native_id, d->thread.native_thread_id, ID, d->thread.size, big) &&
                take(&out->thread_frame, d->thread.current_frame, POINTER, d->thread.size, big) &&
                take(&out->frame_code, d->frame.executable, POINTER, d->frame.size, frame) &&
                take(&out->frame_previous, d->frame.previous, POINTER, d->frame.size, frame) &&
                take(&out->frame_instruction, d->frame.instr_ptr, POINTER, d->frame.size, frame) &&
                take(&out->frame_owner, d->frame.owner, BYTE, d->frame.size, frame) &&
                take(&out->code_first_line, d->code.firstlineno, LINE, d->code.size, code) &&
                take(&out->code_filename, d->code.filename, POINTER, d->code.size, code) &&
                take(&out->code_qualname, d->code.qualname, POINTER, d->code.size, code) &&
                take(&out->code_linetable, d->code.linetable, POINTER, d->code.size, code) &&
                take(&out->code_instructions, d->code.co_code_adaptive, 0, d->code.size, code) &&
                take(&out->object_type, d->object.ob_type, POINTER, d->object.size, OBJECT_MOST) &&
                take(&out->bytes_size, d->bytes.ob_size, SIZE, d->bytes.size, OBJECT_MOST) &&
                take(&out->bytes_data, d->bytes.ob_sval, 0, d->bytes.size, OBJECT_MOST) &&
                take(&out->text_length, d->text.length, SIZE, d->text.asciiobject_size, OBJECT_MOST) &&
                take(&out->text_state, d->text.state, STATE, d->text.asciiobject_size, OBJECT_MOST);
    out->text_ascii = (uint32_t)d->text.asciiobject_size;
    out->text_wide = out->text_ascii + 16; /* PyCompactUnicodeObject adds utf8_length and utf8 */
    return good;
}

bool tt_python_layout_of(uint32_t pid, uint64_t runtime, uint32_t version, tt_python_layout *out, char *why, size_t cap)
{
    debug_offsets d;
    uint32_t minor = version >> 16;
    *out = (tt_python_layout){0};
    if (minor == 0x030b) *out = python_3_11;
    if (minor == 0x030c) *out = python_3_12;
    if (out->has_cframe) return true;
    if (minor != 0x030d) {
        snprintf(why, cap, "Python %u.%u: stacks are not read", version >> 24, version >> 16 & 255);
        return false;
    }
    bool good = tt_peek(pid, runtime, &d, sizeof d) && !memcmp(d.cookie, "xdebugpy", 8) && d.version == version &&
                from_debug_offsets(&d, out);
    if (!good) snprintf(why, cap, "Python 3.13: stacks are not read: its debug offsets are not as expected");
    return good;
}
