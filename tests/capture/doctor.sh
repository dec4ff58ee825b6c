#!/usr/bin/env bash
# tracetty doctor lists present and missing parts, with the doubles and without them.
. "$(dirname "$0")/_lib.sh"
TRACETTY_CUPTI=$B/tests/doubles/libfakecupti.so "$BIN" doctor >"$tmp/out" 2>"$tmp/err"
same "status" "$?" 0
has "the recorder" "$tmp/out" '^ok +recorder +.*libtracetty_capture.so, can be loaded here'
has "a libcupti that works" "$tmp/out" '^ok +CUPTI +version 130001'
has "what it can record besides" "$tmp/out" '^ok +CUPTI extras +--memory, --trace \+graph, \+um, \+env, \+latency, \+event'
echo "version 13" >"$tmp/script"
FAKE_CUPTI=$tmp/script TRACETTY_CUPTI=$B/tests/doubles/libfakecupti-11.so "$BIN" doctor >"$tmp/out"
has "what is wrong with it" "$tmp/out" '^ok +CUPTI faults +[1-9] known of version 13$'
has "... when it is met" "$tmp/out" '--trace \+latency: may hang: repaired in 13.4 Update 1'
same "... and no more" "$(grep -c '12.4 Update 1' "$tmp/out")" 0
for version in 22 130401; do
    echo "version $version" >"$tmp/script"
    FAKE_CUPTI=$tmp/script TRACETTY_CUPTI=$B/tests/doubles/libfakecupti.so "$BIN" doctor >"$tmp/out$version"
done
has "a version with one of its own" "$tmp/out22" 'may give no kernels.*12.5'
has "one that is repaired" "$tmp/out130401" '^ok +CUPTI faults +0 known of version 130401$'
has "what an old one cannot" "$tmp/out" 'not with this libcupti: --memory \(CUDA 11.2\), .*device times of events \(12.8\)'
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
