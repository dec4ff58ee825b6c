#!/usr/bin/env bash
# Call stacks of threads: of every Python from 3.11 on that this machine has, against the truth from the program itself.
. "$(dirname "$0")/_lib.sh"
export PYTHONPATH=$PWD/capture
if sanitized; then
    echo "skip stacks of Python: a sanitizer must be the first library of a program, and Python was built without"
    exit 0
fi

# ---- the versions of Python: "3.12 /path/python3", one of each place
pythons() {
    local p
    for p in python3 /usr/bin/python3.[0-9]{,[0-9]} /usr/local/bin/python3.[0-9]{,[0-9]} "${PYENV_ROOT:-$HOME/.pyenv}"/versions/*/bin/python3; do
        "$p" -c 'import os, sys; print("%d.%d" % sys.version_info[:2], os.path.realpath(sys.executable))' 2>/dev/null
    done | sort -u
}
pythons >"$tmp/pythons"
of_version() { sed -n "s/^$1 //p" "$tmp/pythons" | head -1; }

# ---- a recorded program that stands still: begin PYTHON PROGRAM [ARGUMENT...] until its file $tmp/ready is there; end
begin() {
    n=$((n + 1)) dir=$tmp/rec$n
    rm -f "$tmp/ready" "$tmp/hold"
    mkfifo "$tmp/hold"
    "$BIN" record -o "$dir" --at-end nothing -- "$@" <"$tmp/hold" >"$tmp/out" 2>"$tmp/err" &
    recorder=$!
    exec 9>"$tmp/hold"
    until_ test -e "$tmp/ready" || echo "FAIL $*: not ready: $(tail -3 "$tmp/err")"
    until_ attached "$dir" || echo "FAIL $*: not attached"
}
end() {
    exec 9>&-
    wait "$recorder"
}
pid_of() { sed -n 's/^process \([0-9]*\).*/\1/p' "$1" | head -1; }
stacks() { "$BIN" ctl "$dir" stacks >"$tmp/got" 2>"$tmp/err"; }

reader=$PWD/$B/tests/doubles/libstackreader.so
case $B in /*) reader=$B/tests/doubles/libstackreader.so ;; esac
while read -r version python; do
    case $version in 2.* | 3.[0-9] | 3.10) continue ;; esac
    what="Python $version"
    case $version in 3.11 | 3.12 | 3.13) ;; *)
        echo 'import sys, tracetty; tracetty.mark("x"); open(sys.argv[1], "w").close(); sys.stdin.read()' >"$tmp/plain.py"
        begin "$python" "$tmp/plain.py" "$tmp/ready"
        stacks
        same "$what is said" "$(sed -n 2p "$tmp/got")" "  Python $version: stacks are not read"
        end
        continue ;;
    esac
    include=$("$python" -c 'import sysconfig; print(sysconfig.get_path("include"))')
    if [ -e "$include/internal/pycore_frame.h" ]; then
        libs=$("$python" -c 'import sysconfig as s; v = s.get_config_var; print("-L" + v("LIBDIR"), "-Wl,-rpath," + v("LIBDIR"), "-lpython" + v("LDVERSION"))')
        # shellcheck disable=SC2086
        if ! ${CC:-gcc} -std=gnu11 -w -I. -I"$include" -D_GNU_SOURCE -o "$tmp/layout" tests/capture/stacks_layout.c capture/stacks/python_layout.c $libs \
            2>"$tmp/err"; then
            echo "skip $what: the headers: a program with them cannot be built: $(head -1 "$tmp/err")"
        else
            same "$what: the offsets are those of its headers" "$("$tmp/layout" 2>&1)" ""
        fi
    else
        echo "skip $what: the headers: not installed"
    fi
    begin "$python" tests/capture/stacks_program.py "$tmp/ready"
    stacks
    python3 tests/capture/stacks_check.py "$what: a running process" "$tmp/ready" "$tmp/got"
    pid=$(pid_of "$tmp/got")
    kill -STOP "$pid"
    stacks
    python3 tests/capture/stacks_check.py "$what: a stopped process" "$tmp/ready" "$tmp/got"
    kill -CONT "$pid"
    end
    rm -f "$tmp/ready"
    "$python" tests/capture/stacks_program.py "$tmp/ready" "$reader" "$tmp/got" </dev/null & pid=$!
    wait $pid
    python3 tests/capture/stacks_check.py "$what: a process that reads itself" "$tmp/ready" "$tmp/got" $pid
    "$python" tests/capture/stacks_churn.py "$reader" "$tmp/got" 2000 >"$tmp/churn" 2>&1
    same "$what: threads that run on ($(head -1 "$tmp/churn"))" "$(tail -1 "$tmp/churn")" "every frame is one of the program"
done <"$tmp/pythons"
for version in 3.11 3.12 3.13; do
    [ "$(of_version $version)" ] || echo "skip Python $version: not on this machine"
done

# ---- what is not read is said
echo 'import sys, tracetty; tracetty.mark("x"); open(sys.argv[1], "w").close(); sys.stdin.read()' >"$tmp/plain.py"
if [ "$(of_version 3.10)" ]; then
    begin "$(of_version 3.10)" "$tmp/plain.py" "$tmp/ready"
    stacks
    same "Python 3.10 is said" "$(sed -n 2p "$tmp/got")" "  Python 3.10: stacks are not read"
    end
else
    echo "skip Python 3.10: not on this machine"
fi
begin python3 "$tmp/plain.py" "$tmp/ready"
stacks
pid=$(pid_of "$tmp/got")
LD_PRELOAD=$B/tests/doubles/librefuse.so REFUSE=readv "$BIN" ctl "$dir" stacks >"$tmp/got" 2>"$tmp/err" || status=$?
same "a filter of system calls is said" "$status $(cat "$tmp/err")" \
    "3 tracetty: Python stacks of process $pid: not read: Operation not permitted (process_vm_readv is forbidden here, as by seccomp of a container)"
for scope in "1, and this is not its parent" "3: no process may"; do
    echo "${scope%%[,:]*}" >"$tmp/scope"
    LD_PRELOAD=$B/tests/doubles/librefuse.so REFUSE=others REFUSE_SCOPE=$tmp/scope "$BIN" ctl "$dir" stacks >"$tmp/got" 2>"$tmp/err"
    same "ptrace_scope ${scope%%[,:]*} is said" "$(cat "$tmp/err")" \
        "tracetty: Python stacks of process $pid: not read: Operation not permitted (ptrace_scope is $scope)"
done
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null && chmod 755 "$tmp" &&
    setpriv --reuid=65534 --clear-groups "$BIN" --version >/dev/null 2>&1; then
    setpriv --reuid=65534 --clear-groups "$BIN" ctl "$dir" stacks >"$tmp/got" 2>"$tmp/err"
    has "another user is said" "$tmp/err" "^tracetty: Python stacks of process $pid: not read: [A-Z][a-z ]* \(it belongs to another user\)$"
else
    echo "skip another user: needs root, setpriv, and a program that all may run"
fi
end
stacks || status=$?
same "an ended recording" "$status $(cat "$tmp/err")" "3 tracetty: $dir: no process of this recording runs on this machine"
n=$((n + 1)) dir=$tmp/rec$n
"$BIN" record -o "$dir" --at-end nothing "$target" ticks 1000000 >"$tmp/out" 2>&1 &
recorder=$!
until_ attached "$dir" && stacks
same "a program without Python" "$(sed 's/[0-9]\{1,\}/N/; 2q' "$tmp/got")" "process N (target)
  no Python"
[ "$(uname -m)" != x86_64 ] || has "... has C frames" "$tmp/got" "^    libc[.-].*\+0x[0-9a-f]+$"
kill "$(pid_of "$tmp/got")"
wait $recorder || : # ended by the signal
