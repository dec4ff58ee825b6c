/* tui/record/record_ops.c - --ops: a sitecustomize.py, which Python imports before the script. It turns PyTorch's
 * operators into NVTX ranges once torch is imported, or with a PyTorch without CUDA into ranges of the recorder. See
 * record.h. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "tui/files/outfile.h"
#include "tui/record/record.h"

/* %s: True or False, whether to record shapes. Entering emit_nvtx would synchronise with the GPU and so initialise
 * CUDA before the program chooses a device or forks. No work runs yet, so synchronising is skipped. */
static const char shim[] =
    "\"\"\"PyTorch's operators as NVTX ranges; written by 'tracetty record --ops'.\"\"\"\n"
    "import importlib.machinery\n"
    "import importlib.util\n"
    "import os\n"
    "import sys\n"
    "\n"
    "_mode = None\n"
    "\n"
    "\n"
    "def _without_cuda():\n"
    "    \"\"\"A PyTorch without CUDA makes no NVTX ranges: call the recorder around each operator.\"\"\"\n"
    "    import ctypes\n"
    "    from torch.utils._python_dispatch import TorchDispatchMode\n"
    "    recorder = ctypes.PyDLL(os.environ['TRACETTY_CAPTURE_LIB'])\n"
    "    push, pop = recorder.tracetty_range_push_cat, recorder.tracetty_range_pop\n"
    "    push.argtypes = (ctypes.c_char_p, ctypes.c_char_p)\n"
    "    names = {}\n"
    "\n"
    "    class Operators(TorchDispatchMode):\n"
    "        def __torch_dispatch__(self, func, types, args=(), kwargs=None):\n"
    "            name = names.get(func)\n"
    "            if name is None:\n"
    "                name = names[func] = func._schema.name.encode()\n"
    "            push(name, b'cpu_op')\n"
    "            try:\n"
    "                return func(*args, **(kwargs or {}))\n"
    "            finally:\n"
    "                pop()\n"
    "\n"
    "    mode = Operators()\n"
    "    mode.__enter__()\n"
    "    return mode\n"
    "\n"
    "\n"
    "def _begin():\n"
    "    global _mode\n"
    "    try:\n"
    "        import torch\n"
    "        wait = torch.cuda.synchronize\n"
    "        torch.cuda.synchronize = lambda *_: None\n"
    "        try:\n"
    "            torch.autograd.profiler.emit_nvtx(record_shapes=%s).__enter__()\n"
    "        finally:\n"
    "            torch.cuda.synchronize = wait\n"
    "    except Exception as error:\n"
    "        try:\n"
    "            _mode = _without_cuda()\n"
    "            return\n"
    "        except Exception:\n"
    "            pass\n"
    "        print('tracetty: --ops: the operators of this PyTorch cannot be recorded: %%s' %% error, "
    "file=sys.stderr)\n"
    "\n"
    "\n"
    "class _Torch:\n"
    "    \"\"\"Finds torch as it is found without us, and begins when it has been imported.\"\"\"\n"
    "\n"
    "    def find_spec(self, name, path=None, target=None):\n"
    "        if name != 'torch':\n"
    "            return None\n"
    "        sys.meta_path.remove(self)\n"
    "        spec = importlib.util.find_spec(name)\n"
    "        if spec is not None and spec.loader is not None:\n"
    "            run = spec.loader.exec_module\n"
    "            spec.loader.exec_module = lambda module: (run(module), _begin())\n"
    "        return spec\n"
    "\n"
    "\n"
    "def _chain():\n"
    "    \"\"\"The sitecustomize that is hidden by this one.\"\"\"\n"
    "    here = os.path.dirname(os.path.abspath(__file__))\n"
    "    path = [p for p in sys.path if os.path.abspath(p or '.') != here]\n"
    "    spec = importlib.machinery.PathFinder.find_spec('sitecustomize', path)\n"
    "    if spec is not None and spec.loader is not None:\n"
    "        module = importlib.util.module_from_spec(spec)\n"
    "        sys.modules['sitecustomize'] = module\n"
    "        spec.loader.exec_module(module)\n"
    "\n"
    "\n"
    "sys.meta_path.insert(0, _Torch())\n"
    "_chain()\n";

bool tt_record_write_shim(const char *dir, bool shapes, char *folder, size_t folder_cap, char *why, size_t cap)
{
    char path[700];
    if ((size_t)snprintf(folder, folder_cap, "%s/shim", dir) >= folder_cap) {
        snprintf(why, cap, "%s: the path is too long", dir);
        return false;
    }
    snprintf(path, sizeof path, "%s/sitecustomize.py", folder);
    tt_err err;
    if (mkdir(folder, 0777) && errno != EEXIST) {
        snprintf(why, cap, "%s: cannot be made: %s", folder, strerror(errno));
        return false;
    }
    tt_outfile *o = tt_outfile_open(path, 0, NULL, &err);
    if (o) fprintf(tt_outfile_stream(o), shim, shapes ? "True" : "False");
    bool good = o && tt_outfile_close(o, true, &err) == TT_OK;
    if (!good) snprintf(why, cap, "%s", err.message);
    return good;
}
