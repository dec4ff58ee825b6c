#!/usr/bin/env bash
# Recording through PyTorch's own profiler: the daemon's side of the protocol against a client double, and every way it
# can fail.
. "$(dirname "$0")/_lib.sh"
client="python3 tests/doubles/kineto.py"
export KINETO_IPC_SOCKET_DIR=$tmp/s # keep away from this machine's real daemon
export TMPDIR=$tmp/t KINETO_ONDEMAND_TRACE_DIR=$tmp/t
mkdir "$KINETO_IPC_SOCKET_DIR" "$TMPDIR"
pids=()
trap 'kill "${pids[@]}" 2>/dev/null; rm -rf "$tmp"' EXIT

started() { grep -qs kineto.py "/proc/$pid/cmdline" || ! kill -0 "$pid" 2>/dev/null; }
# start MODE [SECONDS]: starts a client, $pid
start() {
    $client "$@" >"$tmp/config" 2>"$tmp/client.err" &
    pid=$!
    pids+=($pid)
    until_ started # wait until its environment can be read
}
attach() { record --attach "$pid" "$@"; }
traces() { find "$dir" -name '*.pt.trace.json' 2>/dev/null | wc -l; }
export KINETO_USE_DAEMON=1
# ---- successful recordings
start once 20; attach --duration 40ms
same "attach" "$status $(traces)" "0 1"
has "the request: a file" "$tmp/config" '^ACTIVITIES_LOG_FILE=/.*/t/tracetty-kineto-[^/]*/trace.json$'
has "... a duration" "$tmp/config" '^ACTIVITIES_DURATION_MSECS=40$'
has "... shapes" "$tmp/config" '^PROFILE_REPORT_INPUT_SHAPES=true$'
has "... no stacks" "$tmp/config" '^PROFILE_WITH_STACK=false$'
same "... no kinds of its own" "$(grep -c ACTIVITY_TYPES "$tmp/config")" 0
same "the trace is read" "$(cell operators calls aten::mm)" 5
has "how it ended" "$tmp/err" '^tracetty: 1 trace, 0.0 MB'
same "nothing is left beside it" "$(ls "$TMPDIR")" ""
start once 20; attach --steps 10-13 --memory --trace +stack,+modules,-runtime
for line in PROFILE_START_ITERATION=10 ACTIVITIES_WARMUP_ITERATIONS=1 ACTIVITIES_ITERATIONS=3 PROFILE_PROFILE_MEMORY=true PROFILE_WITH_STACK=true \
    PROFILE_WITH_MODULES=true ACTIVITY_TYPES=cpu_op,user_annotation,gpu_user_annotation,kernel,gpu_memcpy,gpu_memset,cuda_sync,overhead; do
    has "the request: ${line%%=*}" "$tmp/config" "^$line\$"
done
start old 20; attach --duration 40ms; same "a trace that is written in place" "$status $(cell operators calls aten::mm)" "0 5"
start noise 20; attach --duration 40ms; same "after a lot of rubbish" "$status $(traces)" "0 1"
start child 20; attach --duration 40ms; same "a process whose child is the one" "$status $(traces)" "0 1"
KINETO_ONDEMAND_TRACE_DIR=$tmp/s start once 20; attach --duration 40ms
has "a folder of its own for traces" "$tmp/config" "^ACTIVITIES_LOG_FILE=$tmp/s/"
same "... and the trace from there" "$status $(traces)" "0 1"
start silent 20; target_pid=$pid
KINETO_CLAIM=$target_pid $client once 3 >"$tmp/liar" 2>/dev/null & pids+=($!)
pid=$target_pid attach --linger 2
same "a process that claims to be another one: gets nothing" "$status $(cat "$tmp/liar")" "125 "
unset KINETO_IPC_SOCKET_DIR
start once 20; attach --duration 40ms
if grep -q 'is taken' "$tmp/err"; then echo "skip the abstract socket: another daemon has it"
else same "the abstract socket" "$status $(traces)" "0 1"; fi
if [ "$(id -u)" = 0 ] && ! grep -q 'is taken' "$tmp/err"; then
    # thousands of requests by another user, before and during the one that counts
    start silent 20; target_pid=$pid
    KINETO_CLAIM=$target_pid $client flood 4 >"$tmp/flood" 2>&1 & flood=$!
    pid=$target_pid attach --linger 3
    same "a flood of another user that claims to be the process: nothing is given" "$status $(grep -c 'of user 65534' "$tmp/err")" "125 0"
    wait $flood
    $client flood 6 >"$tmp/flood" 2>&1 & flood=$!
    (sleep 2; KINETO_USE_DAEMON=1 exec $client once 20) >"$tmp/config" 2>"$tmp/client.err" & pid=$!; pids+=($pid)
    attach --duration 40ms --linger 20
    same "a flood of another user keeps nobody waiting" "$status $(traces)" "0 1"
    wait $flood; sent=$(cat "$tmp/flood")
    [ "${sent:-0}" -ge 1000 ] && echo "ok ... $sent datagrams" || echo "FAIL ... a flood of '$sent' datagrams"
else echo "skip a flood of another user: needs root, and the abstract socket"; fi
export KINETO_IPC_SOCKET_DIR=$tmp/s

# ---- failures: each gives a reason and a remedy
gone() { # WHAT PATTERN: the attempt failed with it and left no files
    same "$1: status" "$status" 125
    has "$1: said" "$tmp/err" "$2"
    same "$1: nothing left" "$([ -e "$dir" ] && echo "$dir")$(ls "$TMPDIR")" ""
}
pid=2147483646; attach; gone "no such process" "no process 2147483646; 'pgrep -a python'"
start silent 20; attach --linger 300ms; gone "a process without PyTorch that does not ask" "did not take the request within .*--linger waits longer"
unset KINETO_USE_DAEMON
start once 20; attach --linger 300ms; gone "not started for it" "(without KINETO_USE_DAEMON=1|loaded no PyTorch)"
export KINETO_USE_DAEMON=1
cp "$B/tests/doubles/libcudart-fake.so" "$tmp/libtorch_cpu.so"
KINETO_LIBRARY=$tmp/libtorch_cpu.so start silent 20; attach --linger 1; gone "a PyTorch without Kineto" "built without Kineto.* --ops"
mkdir "$tmp/with" && cp "$tmp/libtorch_cpu.so" "$tmp/with" && printf KINETO_USE_DAEMON >>"$tmp/with/libtorch_cpu.so"
KINETO_LIBRARY=$tmp/with/libtorch_cpu.so start silent 20; attach --linger 1; gone "... with it" "did not take the request within"
start busy 20; attach --linger 4; gone "a profiler at work" "at work already"
start ask 1; attach --linger 20 --delay 60; gone "a process that ends first" "ended before its PyTorch asked for work"
start die; attach; gone "a process that ends with the request" "ended before its trace was written"
start nofile 20; attach --linger 4 --duration 10ms; same "no trace: status" $status 125
has "no trace: said" "$tmp/err" 'wrote no trace in time; if it still does: /.*/trace_[0-9]+.json.*--linger waits longer'
rm -rf "$TMPDIR"/*
start link 20; attach --linger 4 --duration 10ms; same "a link is no trace" "$status $(traces)" "125 0"
rm -rf "$TMPDIR"/*
python3 - "$KINETO_IPC_SOCKET_DIR/dynolog" <<'PY' & pids+=($!)
import signal, socket, sys
s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM); s.bind(sys.argv[1]); signal.pause()
PY
holder=$!
until_ test -S "$KINETO_IPC_SOCKET_DIR/dynolog"
start once 20; attach; gone "another daemon" "is taken: a dynolog daemon"
kill $holder; wait $holder 2>/dev/null
start once 20; attach --duration 40ms; same "its socket file when it is gone" "$status $(traces)" "0 1"
if [ "$(id -u)" = 0 ] && su nobody -s /bin/sh -c "test -x '$BIN' -a -w /tmp" 2>/dev/null; then
    start once 20
    su nobody -s /bin/sh -c "'$BIN' record --attach $pid" >"$tmp/out" 2>"$tmp/err"; same "another user's process: status" $? 125
    has "... said" "$tmp/err" 'belongs to user root \(0\), not to you: run tracetty as that user or as root'
else
    echo "skip another user's process: needs root, a user nobody, and a program that nobody may run"
fi
"$BIN" record --attach x 2>"$tmp/err"; same "no number" $? 2
"$BIN" record --attach 1 true 2>"$tmp/err"; same "a number and a command" $? 2
"$BIN" record --attach 1 --ops 2>"$tmp/err"; same "--ops with Kineto" $? 2
has "... said" "$tmp/err" "--ops does not go with --attach"
for o in live summarize; do
    "$BIN" record --via kineto --$o true 2>"$tmp/err"; same "--$o with Kineto" $? 2
    has "... said" "$tmp/err" "--$o does not go with --via kineto"
done
"$BIN" record --trace +stack true 2>"$tmp/err"; same "stacks without Kineto" $? 2
has "... said" "$tmp/err" 'add --via kineto'

# ---- a command
record --via kineto --duration 40ms -- $client once; same "--via kineto" "$status $(cell operators calls aten::mm)" "0 5"
same "... with one file" "$(find "$dir" -type f | wc -l)" 1
record --via kineto --steps 3-5 -- sh -c "$client once & $client once; wait"; same "two processes" "$status $(traces)" "0 2"
record --via kineto -- $client die; same "the status is the command's" "$status" 3
has "... and what was lost is said" "$tmp/err" 'ended before its trace was written'
KINETO_LIBRARY=$tmp/libtorch_cpu.so record --via kineto -- $client silent 1; has "a command with a PyTorch without Kineto" "$tmp/err" "built without Kineto.* --ops"
record --via kineto -- true; has "a command without PyTorch" "$tmp/err" 'ended before its PyTorch asked'
record --via kineto --delay 60 -- $client ask 0.5; same "--delay: nothing is asked for yet" "$(grep -c ACTIVITIES "$tmp/out")" 0
record --via kineto --dry-run -- true; has "--dry-run" "$tmp/out" '^KINETO_USE_DAEMON=1'
same "no sockets or folders are left" "$(ls "$TMPDIR")" ""
exit 0
