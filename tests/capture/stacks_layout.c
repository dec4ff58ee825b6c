/* Compares the offsets that the recorder knows of a version of Python with those of its headers: prints each field that
 * differs. */
#define Py_BUILD_CORE 1
#include <Python.h>
#include <internal/pycore_frame.h>
#include <internal/pycore_interp.h>
#include <internal/pycore_runtime.h>
#include <stddef.h>

#include "capture/stacks/python_layout.h"

static int different;

static void compare(const char *field, size_t known, size_t real)
{
    if (known != real) printf("%s: %zu, in the headers %zu\n", field, known, real);
    different += known != real;
}

int main(void)
{
    char why[200];
    tt_python_layout l;
    /* 3.13 describes itself, which the runtime of this program does, too */
    if (!tt_python_layout_of((unsigned)getpid(), (uintptr_t)&_PyRuntime, PY_VERSION_HEX, &l, why, sizeof why)) {
        puts(why);
        return 1;
    }
    compare("runtime_interpreters", l.runtime_interpreters, offsetof(_PyRuntimeState, interpreters.head));
    compare("interpreter_next", l.interpreter_next, offsetof(PyInterpreterState, next));
    compare("interpreter_threads", l.interpreter_threads, offsetof(PyInterpreterState, threads.head));
    compare("thread_next", l.thread_next, offsetof(PyThreadState, next));
    compare("thread_interpreter", l.thread_interpreter, offsetof(PyThreadState, interp));
    compare("thread_native_id", l.thread_native_id, offsetof(PyThreadState, native_thread_id));
#if PY_VERSION_HEX < 0x030D0000
    compare("thread_frame", l.thread_frame, offsetof(PyThreadState, cframe));
    compare("cframe_frame", l.cframe_frame, offsetof(_PyCFrame, current_frame));
    compare("frame_code", l.frame_code, offsetof(_PyInterpreterFrame, f_code));
    compare("frame_instruction", l.frame_instruction, offsetof(_PyInterpreterFrame, prev_instr));
#else
    compare("thread_frame", l.thread_frame, offsetof(PyThreadState, current_frame));
    compare("frame_code", l.frame_code, offsetof(_PyInterpreterFrame, f_executable));
    compare("frame_instruction", l.frame_instruction, offsetof(_PyInterpreterFrame, instr_ptr));
#endif
    compare("frame_previous", l.frame_previous, offsetof(_PyInterpreterFrame, previous));
    compare("frame_owner", l.frame_owner, offsetof(_PyInterpreterFrame, owner));
    compare("code_first_line", l.code_first_line, offsetof(PyCodeObject, co_firstlineno));
    compare("code_filename", l.code_filename, offsetof(PyCodeObject, co_filename));
    compare("code_qualname", l.code_qualname, offsetof(PyCodeObject, co_qualname));
    compare("code_linetable", l.code_linetable, offsetof(PyCodeObject, co_linetable));
    compare("code_instructions", l.code_instructions, offsetof(PyCodeObject, co_code_adaptive));
    compare("object_type", l.object_type, offsetof(PyObject, ob_type));
    compare("bytes_size", l.bytes_size, offsetof(PyBytesObject, ob_base.ob_size));
    compare("bytes_data", l.bytes_data, offsetof(PyBytesObject, ob_sval));
    compare("text_length", l.text_length, offsetof(PyASCIIObject, length));
    compare("text_state", l.text_state, offsetof(PyASCIIObject, state));
    compare("text_ascii", l.text_ascii, sizeof(PyASCIIObject));
    compare("text_wide", l.text_wide, sizeof(PyCompactUnicodeObject));
    return different != 0;
}
