#!/usr/bin/env bash
# tracetty doctor lists present and missing parts, with the doubles and without them.
. "$(dirname "$0")/_lib.sh"
TRACETTY_CUPTI=$B/tests/doubles/libfakecupti.so "$BIN" doctor >"$tmp/out" 2>"$tmp/err"
same "status" "$?" 0
has "the recorder" "$tmp/out" '^ok +recorder +.*libtracetty_capture.so, can be loaded here'
has "a libcupti that works" "$tmp/out" '^ok +CUPTI +version 130001'
has "what it can record besides" "$tmp/out" '^ok +CUPTI extras +--memory, --trace \+graph, \+um, \+env, \+latency, \+event'
has "whose stacks can be read" "$tmp/out" '^ok +stacks +Python 3.11 to 3.13: a program can read its own; tracetty those of other processes: (all|those|none)'
sanitized || LD_PRELOAD=$B/tests/doubles/librefuse.so REFUSE=readv "$BIN" doctor >"$tmp/out" 2>"$tmp/err"
sanitized || has "stacks cannot be read" "$tmp/out" '^missing +stacks +not allowed here'
echo "version 13" >"$tmp/script"
FAKE_CUPTI=$tmp/script TRACETTY_CUPTI=$B/tests/doubles/libfakecupti-11.so "$BIN" doctor >"$tmp/out"
has "what is wrong with it" "$tmp/out" '^ok +CUPTI faults +[1-9][0-9]* known of version 13$'
has "... when it is met" "$tmp/out" '--trace \+latency: may hang: repaired in 13.4 Update 1'
same "... and no more" "$(grep -c '12.4 Update 1' "$tmp/out")" 0
has "... to the last" "$tmp/out" 'recordings of hours: needs more and more processor time: repaired in 13.4 Update 1$'
# doctor VERSION: what it says of that CUPTI, in $tmp/outVERSION
faults() { echo "version $1" >"$tmp/script"; FAKE_CUPTI=$tmp/script TRACETTY_CUPTI=$B/tests/doubles/libfakecupti.so "$BIN" doctor >"$tmp/out$1"; }
# met FAULT FIRST LAST OUTSIDE...: the versions from FIRST to LAST have it, those OUTSIDE have not
met() {
    local what=$1 got='' v
    for v in "${@:2}"; do got+="$v$(grep -Eq "$what" "$tmp/out$v" && echo +) "; done
    shift
    same "fault: $what" "$got" "$1+ $2+ $(printf '%s ' "${@:3}")"
}
for version in 13 17 18 20 21 22 23 24 25 26 28 130000 130099 130100 130200 130201 130300 130400 130401; do faults $version; done
met 'no kernels, or crash with CUDA graphs, from 12.4 Update 1 to 12.5 ' 22 23 21 24
met 'wrong times of kernels and copies: repaired in 11.7' 13 17 18
met 'threads: makes them wait for each other' 21 24 20 26
met 'graph: may crash: repaired in 12.5 Update 1' 17 23 13 24
met 'conditional nodes of CUDA graphs: leaves out' 21 25 20 26
met 'kernels without times' 24 130099 23 130100
met 'cooperative kernels under MPS: may hang' 13 28 130000
met 'confidential computing: is not supported' 13 20 21
met 'becomes slower with each call' 130200 130201 130100 130300
has "a version that is repaired" "$tmp/out130401" '^ok +CUPTI faults +0 known of version 130401$'
has "what an old one cannot" "$tmp/out" 'not with this libcupti: --memory \(CUDA 11.2\), .*device times of events \(12.8\)'
# ---- MPS, confidential computing
has "no MPS" "$tmp/out24" '^ok +MPS +not in use'
mkdir "$tmp/mps" && mkfifo "$tmp/mps/control"
export CUDA_MPS_PIPE_DIRECTORY=$tmp/mps
faults 24; faults 130401
has "MPS, with a CUPTI that hangs under it" "$tmp/out24" "^missing +MPS +in use: its pipe is $tmp/mps/control$"
has "... what to do" "$tmp/out24" 'cooperative kernels may hang .* CUPTI 13.0 or later, and driver 580'
has "MPS, with one that does not" "$tmp/out130401" '^ok +MPS +in use'
unset CUDA_MPS_PIPE_DIRECTORY
nvml() { FAKE_CONFIDENTIAL=$1 LD_LIBRARY_PATH=$B/tests/doubles/nvml faults "$2"; }
nvml "0 0" 130401; has "no confidential computing" "$tmp/out130401" '^ok +confidential +confidential computing is off$'
nvml "1 0" 130401; has "confidential computing" "$tmp/out130401" '^missing +confidential +confidential computing is on$'
has "... what is lost, and what to do" "$tmp/out130401" 'no GPU activity: CUPTI does not work in this mode.*devtools'
nvml "1 1" 130401; has "... in its mode for tools" "$tmp/out130401" '^ok +confidential +.*is on, in the mode for developer tools$'
nvml "1 1" 18; has "... with a CUPTI that is too old" "$tmp/out18" '^missing +confidential'
FAKE_NVML_FAIL=SystemGetConfComputeState nvml "1 0" 130401
has "... that NVML does not tell" "$tmp/out130401" '^ok +confidential +.*not known: NVML does not tell$'

TRACETTY_CUPTI=/no/such.so "$BIN" doctor >"$tmp/out" 2>"$tmp/err"
has "no libcupti" "$tmp/out" '^missing +CUPTI'
has "... and what to do" "$tmp/out" 'nvidia-cuda-cupti'
echo "fail Subscribe 39" >"$tmp/script"
FAKE_CUPTI=$tmp/script TRACETTY_CUPTI=$B/tests/doubles/libfakecupti.so "$BIN" doctor >"$tmp/out" 2>"$tmp/err"
has "another profiler" "$tmp/out" 'another profiler holds CUPTI'
echo "holder Triton" >"$tmp/script"
FAKE_CUPTI=$tmp/script TRACETTY_CUPTI=$B/tests/doubles/libfakecupti.so "$BIN" doctor >"$tmp/out" 2>"$tmp/err"
has "... by its name" "$tmp/out" 'another profiler holds CUPTI: Triton'
TRACETTY_CAPTURE_LIB=/no/such.so "$BIN" doctor >"$tmp/out" 2>"$tmp/err"
has "no recorder" "$tmp/out" '^missing +recorder'
# a library that exists but is not the recorder; a library that this system cannot load
echo 'int nothing_of_ours(void) { return 0; }' >"$tmp/none.c"
echo 'int nowhere(void); int tracetty_version(void) { return nowhere(); }' >"$tmp/needs.c"
${CC:-cc} -shared -fPIC -o "$tmp/none.so" "$tmp/none.c" && ${CC:-cc} -shared -fPIC -o "$tmp/needs.so" "$tmp/needs.c"
TRACETTY_CAPTURE_LIB=$tmp/none.so "$BIN" doctor >"$tmp/out" 2>"$tmp/err"
has "something else in the recorder's place" "$tmp/out" '^missing +recorder .*it has no InitializeInjection, so'
TRACETTY_CAPTURE_LIB=$tmp/needs.so "$BIN" doctor >"$tmp/out" 2>"$tmp/err"
has "a recorder that cannot be loaded" "$tmp/out" '^missing +recorder .*cannot be loaded here: .*nowhere'
TRACETTY_CAPTURE_LIB=$tmp/needs.so record true
same "... is not given to a command" "$status" 125
has "... and it is said why" "$tmp/err" 'cannot be loaded here: .*nowhere'
CUDA_INJECTION64_PATH=/tool.so "$BIN" doctor >"$tmp/out" 2>"$tmp/err"
has "a tool in the environment" "$tmp/out" '^missing +other profilers +CUDA_INJECTION64_PATH=/tool.so'
"$BIN" doctor >"$tmp/out"
case $(uname -m) in
x86_64 | aarch64) level='^ok' ;;
*) level='' ;;
esac
has "which simdjson reads JSON" "$tmp/out" "$level +JSON reader +simdjson [0-9.]+, implementation [a-z0-9]+\$"
SIMDJSON_FORCE_IMPLEMENTATION=none-such "$BIN" doctor >"$tmp/out"
has "no vector code" "$tmp/out" '^missing +JSON reader +simdjson [0-9.]+, implementation none$'
has "... and what it costs" "$tmp/out" 'slow scalar indexer is used.*unset SIMDJSON_FORCE_IMPLEMENTATION'
TERM=dumb "$BIN" doctor >"$tmp/out" 2>"$tmp/err"
has "no terminal" "$tmp/out" '^missing +terminal'
python3 - <<'PY' &
import signal, socket
s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
try: s.bind("\0dynolog\0")
except OSError: pass
signal.pause()
PY
holder=$!
sees_it() { "$BIN" doctor >"$tmp/out" 2>"$tmp/err"; grep -q '^missing *kineto' "$tmp/out"; }
until_ sees_it
has "a daemon that answers Kineto" "$tmp/out" '^missing +kineto +.*@dynolog is taken'
kill $holder
