#!/usr/bin/env bash
# Whatever happens to a recording and its folder, the recorded program's files stay byte-equal, and so does its exit
# status.
. "$(dirname "$0")/_lib.sh"
careful=$B/tests/doubles/careful
mine=$tmp/mine
# ready: new files for the program; said STATUS-OF-RECORD: checks its status and its output
ready() { rm -rf "$mine" && mkdir -p "$mine"; }
unhurt() { same "$1" "$2 $(tail -n 1 "$tmp/out")" "7 mine"; }
recording() { [ -n "$(find "$dir" -name '*.ttspool' -size +4k 2>/dev/null)" ] || ! kill -0 "$pid" 2>/dev/null; }

# ---- descriptors closed by the program and reused for its files; with our own table, and in the program's
for shared in "" 1; do
    export CAREFUL_SHARED=$shared
    [ -n "$shared" ] || unset CAREFUL_SHARED
    where=${shared:+in the table of the program}
    where=${where:-in a table of their own}
    ready; record "$careful" daemon "$mine"; unhurt "a daemon, descriptors $where" "$status"
    has "... the recording ended by a limit, and says so" "$tmp/err" 'recording stopped, its file cannot be written: File too large'
    ready; few=$(ulimit -Sn); ulimit -Sn 1000; record "$careful" daemon "$mine"; unhurt "... with few descriptors" "$status"; ulimit -Sn "$few"
    ready; record "$careful" limited "$mine"; unhurt "a limit of the size of files, descriptors $where" "$status"
    ready; record "$careful" tight "$mine"; unhurt "... for less than the first bytes" "$status"
    ready; record "$careful" late "$mine"; unhurt "... set after the recording began" "$status"
    has "... said by the recorder" "$tmp/err" 'recording stopped, its file cannot be written: File too large'
    "$BIN" check "$dir" >"$tmp/check"
    has "... and in the recording" "$tmp/check" 'recorder_drops'
    same "... which is not taken for a killed process" "$(grep -c 'process was killed' "$tmp/check")" 0
    ready; record --cpu-util 1000 "$careful" lowest "$mine" 1.5; unhurt "the lowest free number is the program's, descriptors $where" "$status"
    ready; record "$careful" work "$mine" 0.3; unhurt "nothing done, descriptors $where" "$status"
    same "... and nothing lost" "$("$BIN" check "$dir" | grep -c 'no problems')" 1
done
unset CAREFUL_SHARED

# ---- the folder, during recording: each file, then ctl again
foreign() { for f in "$1"/*; do printf 'of somebody else: %s\n' "${f##*/}" >"$tmp/foreign" && mv "$tmp/foreign" "$f"; done; }
attack() { # NAME: changes the files of $dir in that way
    case $1 in
    truncated) for f in "$dir"/* "$dir"/.[a-z]*; do [ -f "$f" ] && truncate -s 0 "$f"; done ;;
    "made longer") for f in "$dir"/*; do truncate -s +1M "$f"; done ;;
    "filled with rubbish") for f in "$dir"/*; do head -c 8000 /dev/urandom | dd of="$f" conv=notrunc status=none; done ;;
    removed) find "$dir" -type f -delete ;;
    replaced) foreign "$dir" ;;
    "replaced by links") for f in "$dir"/*; do ln -sf "$mine/mine0.dat" "$f"; done ;;
    "replaced by pipes") for f in "$dir"/*; do rm "$f" && mkfifo "$f"; done ;;
    "made read-only") chmod 444 "$dir"/* && chmod 555 "$dir" ;;
    "given to another user") chown -R 65534:65534 "$dir" && chmod 700 "$dir" ;;
    "gone with their folder") rm -rf "$dir" ;;
    "moved with their folder") mv "$dir" "$dir.moved" ;;
    esac
}
for shared in "" 1; do
    for what in truncated "made longer" "filled with rubbish" removed replaced "replaced by links" "replaced by pipes" "made read-only" \
        "given to another user" "gone with their folder" "moved with their folder"; do
        if [ "$what" = "given to another user" ] && [ "$(id -u)" != 0 ]; then echo "skip files $what: needs root"; continue; fi
        ready
        n=$((n + 1)) dir=$tmp/rec$n
        CAREFUL_SHARED=$shared
        if [ -n "$shared" ]; then export CAREFUL_SHARED; else unset CAREFUL_SHARED; fi
        "$BIN" record -o "$dir" --at-end summary "$careful" work "$mine" 30 >"$tmp/out.all" 2>"$tmp/err" &
        pid=$!
        until_ recording || echo "FAIL files $what: nothing was recorded"
        attack "$what"
        [ "$what" = replaced ] && sum=$(cat "$dir"/ctl "$dir"/*.ttspool | cksum)
        for k in status start stop step flush; do
            "$BIN" ctl "$dir" $k >/dev/null 2>&1 || [ $? = 3 ] || echo "FAIL ctl $k of files $what: status $?"
        done
        touch "$mine/stop"
        wait $pid && status=$? || status=$?
        grep -m 1 . "$tmp/out.all" >"$tmp/out"
        unhurt "files $what${shared:+, descriptors in the table of the program}" "$status"
        [ "$what" = replaced ] && same "... and the new files are as they were" "$(cat "$dir"/ctl "$dir"/*.ttspool | cksum)" "$sum"
        case $what in
        truncated) has "... said" "$tmp/err" 'ctl was cut|control file was cut' ;;
        removed | replaced | "gone with their folder") has "... said" "$tmp/err" 'recording stopped, its file was removed or replaced' ;;
        esac
        chmod -R u+rwX "$dir" 2>/dev/null
    done
done
unset CAREFUL_SHARED

# ---- one file is hit: the other one reports it
for f in ctl spool; do
    ready
    n=$((n + 1)) dir=$tmp/rec$n
    "$BIN" record -o "$dir" --at-end nothing "$careful" work "$mine" 30 >"$tmp/out" 2>"$tmp/err" &
    pid=$!
    until_ recording
    if [ $f = ctl ]; then truncate -s 0 "$dir/ctl"; else truncate -s 0 "$dir"/*.ttspool; fi
    works=$(pgrep -P $pid -f "^$careful work") before=$(wakes "$works")
    until_ woken "$works" $((before + 40)) # the program goes on with its work
    touch "$mine/stop"; wait $pid && status=$? || status=$?
    unhurt "$f alone truncated" "$status"
    if [ $f = ctl ]; then same "... the recording is whole" "$("$BIN" check "$dir" 2>&1 | grep -c 'no problems')" 1
    else has "... said" "$tmp/err" 'recording stopped, its file was cut by another program'; fi
done

# ---- disks
small() { # SIZE COMMAND...: in a namespace with a disk of SIZE at $tmp/disk
    local size=$1
    shift
    export tmp mine BIN careful
    unshare -m bash -c "mount -t tmpfs -o size=$size tracetty-test '$tmp/disk' || exit 99; $*"
}
mkdir -p "$tmp/disk"
if unshare -m mount -t tmpfs -o size=64k tracetty-test "$tmp/disk" 2>/dev/null; then
    # shellcheck disable=SC2016 # the inner shell's
    {
        small 64k 'dd if=/dev/zero of="$tmp/disk/full" bs=4k >/dev/null 2>&1; "$BIN" record -o "$tmp/disk/rec" --at-end nothing "$careful" work "$mine" 0.2; echo "status $?"; ls "$tmp/disk"' >"$tmp/out" 2>"$tmp/err"
        same "a full disk: nothing begins" "$(grep status "$tmp/out")" "status 125"
        has "... the place and the reason are said" "$tmp/err" 'disk/rec.*No space left on device'
        same "... and nothing is left" "$(grep -c '^rec$' "$tmp/out")" 0
        small 24k 'mkdir "$tmp/disk/rec" && dd if=/dev/zero of="$tmp/disk/full" bs=4k >/dev/null 2>&1; "$BIN" record -o "$tmp/disk/rec" --at-end nothing "$careful" work "$mine" 0.2; echo "status $?"; ls "$tmp/disk/rec"' >"$tmp/out" 2>"$tmp/err"
        has "a full disk, the folder was there: said" "$tmp/err" 'rec/ctl: cannot be written: No space left on device'
        same "... no torn file is left" "$(tail -n 1 "$tmp/out")" "status 125"
        for size in 12k 16k 20k 32k 64k; do
            ready
            small $size '"$BIN" record -o "$tmp/disk/rec" --at-end nothing "$careful" work "$mine" 0.3; echo "status $?" >"$tmp/status"' >"$tmp/out" 2>"$tmp/err"
            unhurt "a disk of $size that fills up" "$(cut -d' ' -f2 "$tmp/status")"
            has "... said" "$tmp/err" 'No space left on device'
        done
        ready
        small 8M '"$BIN" record -o "$tmp/disk/rec" --at-end nothing "$careful" work "$mine" 30 & until [ -s "$(ls "$tmp"/disk/rec/*.ttspool 2>/dev/null)" ]; do sleep 0.05; done; dd if=/dev/zero of="$tmp/disk/full" bs=4k >/dev/null 2>&1; touch "$mine/stop"; wait $!; echo "status $?" >"$tmp/status"' >"$tmp/out" 2>"$tmp/err"
        unhurt "a disk that another program fills" "$(cut -d' ' -f2 "$tmp/status")"
        has "... said" "$tmp/err" 'recording stopped, its file cannot be written: No space left on device'
    }
else
    echo "skip full disks: a small disk cannot be mounted here"
fi
(ulimit -f 1; exec "$BIN" record -o "$tmp/limited" --at-end nothing true) 2>"$tmp/err"
same "a limit of 1 KiB a file: nothing begins" $? 125
has "... said" "$tmp/err" 'limited/ctl: cannot be written: File too large'

# ---- calls from signal handlers that interrupted malloc() or the recorder
ready; record "$careful" handlers "$mine" 3; unhurt "calls from signal handlers" "$status"
kept=$(cell user_ranges calls 'in a handler')
[ "${kept:-0}" -gt 10 ] && echo "ok ... $kept are recorded" || echo "FAIL ... calls from handlers: '$kept' are recorded"
"$BIN" check "$dir" >"$tmp/check"
has "... those that interrupted the recorder are counted" "$tmp/check" 'recorder_drops'
exit 0
