#!/usr/bin/env bash
# E opens the Python line of the selection: right file and line, without a shell, and the screen is restored.
. "$(dirname "$0")/_lib.sh"
WORK=$(mktemp -d)
trap 'tt_cleanup; rm -rf "$WORK"' EXIT
mkdir -p "$WORK/src/pkg" "$WORK/bin"
printf 'x\n' >"$WORK/src/pkg/net.py"
printf 'x\n' >"$WORK/src/-evil.py"
printf 'x\n' >"$WORK/src/+!touch pwned"
printf 'x\n' >"$WORK/src/other.py"
event() { printf '{"ph":"X","cat":"%s","name":"%s","pid":1,"tid":%s,"ts":%d,"dur":%d,"args":{%s}},\n' "$@"; }
{
    printf '{"schemaVersion":1,"traceEvents":[\n'
    event user_annotation 'ProfilerStep#1' 1 0 1000 ''
    event python_function 'pkg/net.py(31): forward' 1 10 200 '"Python id":1'
    event python_function 'torch/nn/modules/linear.py(116): forward' 1 20 100 '"Python id":2,"Python parent id":1'
    event cpu_op 'aten::mm' 1 30 50 '"External id":1'
    event cuda_runtime cudaLaunchKernel 1 40 10 '"correlation":5,"External id":1'
    event kernel sgemm_long 7 60 500 '"correlation":5,"device":0,"stream":7'
    event python_function '-evil.py(3): $(touch pwned)' 1 300 100 '"Python id":3'
    event cpu_op 'aten::evil' 1 310 50 '"External id":2'
    event cuda_runtime cudaLaunchKernel 1 320 10 '"correlation":6,"External id":2'
    event kernel evil_kernel 7 600 100 '"correlation":6,"device":0,"stream":7'
    event python_function '/cluster/job/other.py(7): f' 1 500 100 '"Python id":4'
    event cpu_op 'aten::far' 1 510 50 '"External id":3'
    event cuda_runtime cudaLaunchKernel 1 520 10 '"correlation":7,"External id":3'
    event kernel far_kernel 7 800 50 '"correlation":7,"device":0,"stream":7'
    event python_function '+!touch pwned(4): g' 1 700 100 '"Python id":5'
    event cpu_op 'aten::plus' 1 710 50 '"External id":4'
    event cuda_runtime cudaLaunchKernel 1 720 10 '"correlation":8,"External id":4'
    event kernel plus_kernel 7 900 20 '"correlation":8,"device":0,"stream":7'
    printf '{}]}\n'
} >"$WORK/src/made.pt.trace.json"
cat >"$WORK/bin/my editor" <<GO
#!/bin/sh
printf '<%s>' "\$@" >"$WORK/args.new"
open=
for fd in /proc/\$\$/fd/*; do # 10: the shell reads this script from it; the folder was open while it was listed
    [ "\${fd##*/}" != 10 ] && [ -e "\$fd" ] && open="\$open \${fd##*/}"
done
echo "\$open" >"$WORK/descriptors"
printf 'the editor has the terminal\n'
mv "$WORK/args.new" "$WORK/args"
exit \${EDIT_STATUS:-0}
GO
chmod +x "$WORK/bin/my editor"
ln -s "my editor" "$WORK/bin/spy"
args_are() { [ "$(cat "$WORK/args" 2>/dev/null)" = "$1" ]; }
command_line() { tt_keys : && tt_type "$1" && tt_keys Enter; }

TT_ENV="env VISUAL= EDITOR=\"'$WORK/bin/my editor' --wait\"" tt_start 110 30 "$WORK/src/made.pt.trace.json" --screen kernels || exit 1
BEFORE=$(tt_screen | head -20)
tt_keys E
tt_check "the line that launches the kernel" tt_until args_are "<--wait><+31><$WORK/src/pkg/net.py>"
tt_check "the screen is whole again" [ "$(tt_screen | head -20)" = "$BEFORE" ]
tt_check "the terminal is ours again: a key works" tt_keys j
rm -f "$WORK/args"
tt_keys E
tt_check "a name like an option stays a file" tt_until args_are "<--wait><+3><$WORK/src/-evil.py>"
tt_check "nothing of a name was run" [ ! -e "$WORK/src/pwned" ] && [ ! -e pwned ]
rm -f "$WORK/args"
tt_keys j E
tt_expect "a file that is not here: the path" "no file /cluster/job/other.py here"
tt_expect "a file that is not here: what helps" ":set source=OLD=NEW"
command_line "set source=/cluster/job=$WORK/src"
tt_keys E
tt_check "a prefix that is mapped" tt_until args_are "<--wait><+7><$WORK/src/other.py>"
rm -f "$WORK/args"
tt_keys g Enter
tt_keys E
tt_check "on the kernel card" tt_until args_are "<--wait><+31><$WORK/src/pkg/net.py>"
rm -f "$WORK/args"
tt_keys 2
command_line edit
tt_check ":edit on an operator" tt_until args_are "<--wait><+31><$WORK/src/pkg/net.py>"
tt_quit Q

TT_ENV="env VISUAL=/no/such/editor" tt_start 110 30 "$WORK/src/made.pt.trace.json" --screen kernels || exit 1
tt_keys E
tt_expect "an editor that is not there" "cannot run /no/such/editor"
tt_quit Q

# names in the current folder: an editor takes "+..." for a command, and "-..." for an option
cd "$WORK/src" || exit 1
TT_ENV="env VISUAL= EDITOR='$WORK/bin/spy --wait'" tt_start 110 30 made.pt.trace.json --screen kernels || exit 1
rm -f "$WORK/args"
tt_keys j E
tt_check "a name like an option in the current folder" tt_until args_are "<--wait><+3><$WORK/src/-evil.py>"
rm -f "$WORK/args"
tt_keys j j E
tt_check "a name like a command in the current folder" tt_until args_are "<--wait><+4><$WORK/src/+!touch pwned>"
tt_check "the editor gets no descriptor but 0 to 2" [ "$(cat "$WORK/descriptors")" = " 0 1 2" ]
mv "$WORK/src/+!touch pwned" "$WORK/src/gone"
tt_keys E
tt_expect "a file that has gone" "no file +!touch pwned here"
tt_quit Q
