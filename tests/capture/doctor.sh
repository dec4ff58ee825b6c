#!/usr/bin/env bash
# tracetty doctor names what is there and what is missing, by the doubles and without them.
. "$(dirname "$0")/_lib.sh"
TRACETTY_CUPTI=$B/tests/doubles/libfakecupti.so "$BIN" doctor >"$tmp/out" 2>"$tmp/err"
same "status" "$?" 0
has "the recorder" "$tmp/out" '^ok +recorder +.*libtracetty_capture'
has "a libcupti that works" "$tmp/out" '^ok +CUPTI +version 130001'
has "what it can record besides" "$tmp/out" '^ok +CUPTI extras +--memory, --trace \+graph, \+um, \+env, \+latency, \+event'
echo "version 13" >"$tmp/script"
FAKE_CUPTI=$tmp/script TRACETTY_CUPTI=$B/tests/doubles/libfakecupti-11.so "$BIN" doctor >"$tmp/out"
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
import socket, time
s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
try: s.bind("\0dynolog\0")
except OSError: pass
time.sleep(60)
PY
holder=$!
for _ in $(seq 100); do
    "$BIN" doctor >"$tmp/out" 2>"$tmp/err"
    grep -q '^missing *kineto' "$tmp/out" && break
    sleep 0.1
done
has "a daemon that answers Kineto" "$tmp/out" '^missing +kineto +.*@dynolog is taken'
kill $holder
