#!/usr/bin/env bash
# What `tracetty record` adds to the command: files for other tools, PyTorch's operators, the status line, Ctrl-C.
. "$(dirname "$0")/_lib.sh"
files() { (cd "$dir" && ls | grep -E 'spool|json' | grep -v '^record.json' | sed 's/^.*\.\(ttspool\|pt\.trace.*\)$/\1/' | tr '\n' ' '); }

# ---- files
record "$target" basic; same "the files of a recording" "$(files)" "index.json pt.trace.json.gz ttspool "
gz=$(ls "$dir"/*.pt.trace.json.gz)
same "the spool is what is opened" "$("$BIN" summary --format json --table run "$dir" 2>/dev/null | python3 -c 'import json,sys; s=json.load(sys.stdin)["source"]; print(len(s["workers"]), s["slices"])')" "1 11"
for t in user_ranges; do same "the same table from the JSON: $t" "$(table $t "$gz")" "$(table $t)"; done
record --format spool "$target" basic; same "--format spool" "$(files)" "index.json ttspool "
record --format json "$target" basic; same "--format json" "$(files)" "index.json pt.trace.json "
same "... which holds the recording" "$(cell user_ranges calls inner)" 10
record --format json,json.gz,spool "$target" basic; same "--format json,json.gz,spool" "$(files)" "index.json pt.trace.json pt.trace.json.gz ttspool "
"$BIN" record --format xml true 2>"$tmp/err"; same "--format xml" $? 2
has "... said" "$tmp/err" "'xml' is none of spool, json, json.gz"
"$BIN" summary --format json --table run "$dir" >/dev/null 2>&1; same "--format of summary is another one" $? 0
cat >"$tmp/ranks.sh" <<'SH'
for r in 0 1 2; do RANK=$r WORLD_SIZE=3 "$1" steps 3 & done
wait
SH
record bash "$tmp/ranks.sh" "$target"
same "index.json" "$(python3 -c 'import json,sys; print([(f["rank"], f["spool"].split(".")[-1], f["json.gz"].split(".")[-2]) for f in json.load(open(sys.argv[1]))["files"]])' "$dir/index.json")" \
    "[(0, 'ttspool', 'json'), (1, 'ttspool', 'json'), (2, 'ttspool', 'json')]"
if command -v strace >/dev/null && [ "$(nproc)" -gt 1 ]; then
    strace -f -qq -e trace=rename,renameat,renameat2 -o "$tmp/strace" "$BIN" record -o "$tmp/several" --quiet bash "$tmp/ranks.sh" "$target" >/dev/null 2>&1
    writers=$(grep 'pt.trace.json.gz"' "$tmp/strace" | cut -d' ' -f 1 | sort -u | wc -l)
    [ "$writers" -gt 1 ] && echo "ok several files are written at once" || echo "FAIL $writers writer of $(grep -c . "$tmp/strace") files"
    same "... all of them" "$(ls "$tmp/several" | grep -c 'gz$') $(grep -c '"json.gz"' "$tmp/several/index.json")" "3 3"
else echo "skip several files are written at once: no strace, or one processor"; fi
record --quiet "$target" basic; same "--quiet" "$(cat "$tmp/err" "$tmp/out")" ""
"$BIN" record -o "$tmp/dry" --dry-run true >"$tmp/out"; same "--dry-run makes nothing" "$([ -e "$tmp/dry" ] && echo there)" ""
if command -v strace >/dev/null; then
    strace -f -qq -e trace=fdatasync -o "$tmp/strace" "$BIN" record --fsync -o "$tmp/sync" --quiet "$target" basic >/dev/null 2>&1
    has "--fsync" "$tmp/strace" 'fdatasync'
fi
record --fsync "$target" basic; same "--fsync loses nothing" "$status $(cell user_ranges calls inner)" "0 10"

has "help: what the status is" <("$BIN" help record) '^  125 +recording impossible'
same "... of other commands" "$("$BIN" help summary | grep -c '125')" 0
# ---- a directory that explains itself
(cd "$tmp" && CUDA_VISIBLE_DEVICES=0,1 NCCL_SECRET_TOKEN=no FOREIGN=no "$BIN" record -f -o "$tmp/facts" --format spool --quiet --delay 0.01 "$target" basic x 'y "z"')
same "record.json" "$(python3 -c 'import json,sys; d=json.load(open(sys.argv[1])); e=d["environment"]
print(d["command"][1:], d["directory"] == sys.argv[2], d["options"]["delay"], d["options"]["quiet"], e["CUDA_VISIBLE_DEVICES"], "NCCL_SECRET_TOKEN" in e, "FOREIGN" in e, d["processors"] > 0)' "$tmp/facts/record.json" "$tmp")" \
    "['basic', 'x', 'y \"z\"'] True 0.01 True 0,1 False False True"

# ---- one recorder for each rank, one directory
mkdir "$tmp/shared"
for r in 0 1 2; do RANK=$r WORLD_SIZE=3 "$BIN" record -o "$tmp/shared" "$target" ticks 40 >"$tmp/out$r" 2>"$tmp/err$r" & done
wait
dir=$tmp/shared
same "one recorder a rank: files" "$(ls "$dir" | sed 's/.*\(rank[0-9]\)\..*\(ttspool\|gz\)$/\1 \2/' | tr '\n' ' ')" \
    "ctl-rank0 ctl-rank1 ctl-rank2 index.json record-rank0.json record-rank1.json record-rank2.json rank0 gz rank0 ttspool rank1 gz rank1 ttspool rank2 gz rank2 ttspool "
same "... all of them are listed" "$(grep -c '"json.gz"' "$dir/index.json")" 3
listed=''
for round in 1 2 3 4 5; do # the last rank to end has seen the files of the others
    mkdir "$tmp/shared$round"
    for r in 0 1 2 3 4 5; do RANK=$r WORLD_SIZE=6 "$BIN" record -o "$tmp/shared$round" "$target" ticks 40 >/dev/null 2>&1 & done
    wait
    listed+="$(grep -c '"json.gz"' "$tmp/shared$round/index.json") "
done
same "... also when they end together" "$listed" "6 6 6 6 6 "
has "... one of them shows it" "$tmp/out0" 'workers +[1-3]'
same "... the others do not" "$(cat "$tmp/out1" "$tmp/out2")" ""
"$BIN" ctl "$dir" status >"$tmp/status"; same "... ctl reaches all" "$(grep -c '1 attached, 1 ended' "$tmp/status")" 3
RANK=1 WORLD_SIZE=3 "$BIN" record -o "$dir" true 2>"$tmp/err"; same "... a rank comes once" $? 125
SLURM_PROCID=5 record -o "$tmp/%r" --format spool "$target" basic; same "%r in a name" "$(ls "$tmp/5" | grep -c ttspool)" 1

# ---- an end after a time
record --duration 200ms --kill TERM "$target" ticks 3000; same "--kill" "$status" 143
[ "$(table user_ranges | wc -l)" -gt 3 ] && echo "ok ... after the recording" || echo "FAIL ... nothing was recorded"
"$BIN" record --kill TERM true 2>"$tmp/err"; same "--kill without a time" $? 2
"$BIN" record --duration 1 --kill NONE true 2>"$tmp/err"; same "--kill with no signal" $? 2

# ---- CUPTI left to the program
printf '%s\n' "version 130001" "launch 10" flush >"$tmp/script"
export FAKE_CUPTI=$tmp/script TRACETTY_CUPTI=$B/tests/doubles/libfakecupti.so
record "$target" cuda-script; same "with CUPTI" "$(cell runtime_api calls cudaLaunchKernel)" 10
record --yield-cupti "$target" cuda-script
same "--yield-cupti" "$status $(cell runtime_api calls cudaLaunchKernel) $(cell operators calls aten::mm)" "0  1"
has "... which is kept" <(table run) '^gpu,CUPTI is left to the program'
unset FAKE_CUPTI TRACETTY_CUPTI

# ---- operators: a torch double with just the functions that are called
mkdir -p "$tmp/py/torch/autograd"
cat >"$tmp/py/torch/__init__.py" <<'PY'
class cuda:
    @staticmethod
    def synchronize(*_): raise RuntimeError("no GPU is there to wait for")
from torch import autograd
PY
echo "from torch.autograd import profiler" >"$tmp/py/torch/autograd/__init__.py"
cat >"$tmp/py/torch/autograd/profiler.py" <<'PY'
import torch
class emit_nvtx:
    def __init__(self, enabled=True, record_shapes=False): self.shapes = record_shapes
    def __enter__(self):
        torch.cuda.synchronize()
        print("operators on, shapes", self.shapes)
PY
echo 'print("the sitecustomize of the user")' >"$tmp/py/sitecustomize.py"
ops() { PYTHONPATH=$tmp/py record "$@" python3 -c 'import sys; print("script"); import torch; print("synchronize" in dir(torch.cuda), sys.argv)' a b; }
ops --ops; same "--ops" "$(cat "$tmp/out")" "the sitecustomize of the user
script
operators on, shapes False
True ['-c', 'a', 'b']"
ops --ops=shapes; has "--ops=shapes" "$tmp/out" 'operators on, shapes True'
ops; same "without --ops" "$(grep -c operators "$tmp/out")" 0
"$BIN" record --ops=all true 2>"$tmp/err"; same "--ops=all" $? 2
sed -i 's/def __enter__.*/def __enter__(self): raise RuntimeError("compiled without CUDA")/; /torch.cuda.sync/d; /print/d' "$tmp/py/torch/autograd/profiler.py"
ops --ops; same "a PyTorch that cannot do it: the script goes on" "$status $(tail -n 1 "$tmp/out" | cut -c 1-4)" "0 True"
has "... and it is said" "$tmp/err" 'operators of this PyTorch cannot be recorded: compiled without CUDA'
# a PyTorch without CUDA: its operators pass through a mode of the dispatcher
mkdir "$tmp/py/torch/utils"
touch "$tmp/py/torch/utils/__init__.py"
cat >"$tmp/py/torch/utils/_python_dispatch.py" <<'PY'
class TorchDispatchMode:
    active = None
    def __enter__(self): TorchDispatchMode.active = self
PY
cat >"$tmp/operators.py" <<'PY'
import torch
from torch.utils._python_dispatch import TorchDispatchMode
class Schema: name = "aten::mm"
class Operator:
    _schema = Schema()
    def __call__(self, a, b, out=0): return a * b + out
mm = Operator()
print(sum(TorchDispatchMode.active.__torch_dispatch__(mm, (), (k, 2), {"out": 1}) for k in range(3)))
PY
if ! sanitized; then
    PYTHONPATH=$tmp/py record --ops python3 "$tmp/operators.py"
    same "a PyTorch without CUDA: its operators" "$status $(tail -n 1 "$tmp/out") $(cell operators calls aten::mm)" "0 9 3"
fi

# ---- status line and Ctrl-C, through a terminal
python3 tests/capture/terminal.py "$BIN" "$target" "$tmp"
exit 0
