#!/usr/bin/env bash
# Options of the command line: accepted ones, refused ones and their messages, and output into places that end early.
set -u
cd "$(dirname "$0")/../.." || exit 1
tmp=$(mktemp -d) && trap 'rm -rf "$tmp"' EXIT
trace=$tmp/t.json
python3 - "$trace" <<'PY'
import json, sys
events = [{"ph": "M", "name": "thread_name", "pid": 1, "tid": t, "args": {"name": n}} for t, n in ((1, "main"), (2, "loader"))]
for i in range(40):
    events.append({"ph": "X", "cat": "cpu_op", "name": "aten::op%d" % i, "pid": 1, "tid": 1 + i % 2, "ts": 100 * i, "dur": 50 + i})
json.dump({"schemaVersion": 1, "traceEvents": events}, open(sys.argv[1], "w"))
PY

ok() { echo "ok $1"; }
fail() { echo "FAIL $1: $2"; }
# refused WHAT PATTERN ARGS...: check for exit status 2, no output on stdout, and a matching message
refused() {
    local what=$1 pattern=$2 out status
    shift 2
    out=$("$BIN" "$@" 2>"$tmp/err") && status=0 || status=$?
    if [ $status = 2 ] && [ -z "$out" ] && grep -Eq -- "^tracetty: .*$pattern" "$tmp/err"; then ok "$what"
    else fail "$what" "status $status, stdout '${out:0:60}', stderr '$(head -c 300 "$tmp/err")'"; fi
}
# gives WHAT PATTERN ARGS...: check for exit status 0, matching output on stdout, and nothing on stderr
gives() {
    local what=$1 pattern=$2 status
    shift 2
    "$BIN" "$@" >"$tmp/out" 2>"$tmp/err" && status=0 || status=$?
    if [ $status = 0 ] && [ ! -s "$tmp/err" ] && grep -Eq -- "$pattern" "$tmp/out"; then ok "$what"
    else fail "$what" "status $status, stdout '$(head -c 200 "$tmp/out")', stderr '$(head -c 200 "$tmp/err")'"; fi
}

refused "unknown command" "did you mean 'summary'" sumary "$trace"
refused "unknown option" "did you mean '--format'" summary --fromat json "$trace"
refused "unknown table" "did you mean 'operators'" summary --table operator "$trace"
refused "unknown column" "did you mean 'calls'" summary --table operators --sort call "$trace"
refused "unknown direction" "asc, desc" summary --table operators --sort calls:down "$trace"
refused "unknown group" "name, shape, stack" summary --table operators --group-by size "$trace"
refused "unknown format" "text, csv, json" summary --format xml "$trace"
refused "no factor" "'aten::op1' is not NAME=FACTOR" summary --table what_if --what-if aten::op1 "$trace"
refused "a factor above 1" "a factor from 0 to 1" summary --table what_if --what-if aten::op1=1.5 "$trace"
# 40 operators of 50 to 89 us on two threads that wait for each other in turn: each saves its own duration
gives "what if one operator took no time" '^combination,aten::op39=0,89000,89000,89000,' \
    summary --format csv --table what_if --group-by operator --what-if aten::op39=0 "$trace"
gives "what if two did" '"aten::op39=0, aten::op38=0.5".*133000' \
    summary --format csv --table what_if --group-by operator --what-if aten::op39=0 --what-if aten::op38=0.5 "$trace"
gives "what if nothing has the name" 'there is no such name.*,0,0,0,' \
    summary --format csv --table what_if --what-if nobody=0 "$trace"
refused "bad limit" "'many'" summary --limit many "$trace"
refused "bad range" "12.5ms-80ms" summary --range 5ms "$trace"
refused "backward range" "T0 < T1" summary --range 9ms-1ms "$trace"
refused "bad steps" "'a-b'" summary --steps a-b "$trace"
refused "no steps" "no profiler steps" summary --steps 1-2 "$trace"
refused "no such screen" "'x' is none of overview, operators, .*problems" --dump 80x24 --screen x assets/sample_gpu
refused "doctor of something" "takes no argument: 'x'" doctor x
gives "no such step in the explorer" "no step in '9'; this trace has steps 2 to 7" --dump 80x24 --keys ': "steps 9" Enter' assets/sample_gpu
gives "a time outside of the trace in the explorer" "100 s to 200 s is outside of this trace: 0 to 194" \
    --dump 100x24 --keys ': "range 100s-200s" Enter' --screen kernels assets/sample_gpu
gives "which is not looked at" "^>nccl" --dump 80x24 --keys ': "range 100s-200s" Enter' --screen kernels assets/sample_gpu
gives "asked for at the start" "is outside of this trace: .*: scope cleared" --dump 100x24 --range 1s-2s assets/sample_gpu
gives "which is not looked at either" "^>nccl" --dump 80x24 --range 1s-2s --screen kernels assets/sample_gpu
gives "steps asked for at the start" "no step in '9-'; .*: scope cleared" --dump 100x24 --steps 9- assets/sample_gpu
gives "one step" 'limited to step 4' --dump 120x24 --screen steps --keys 'Enter' assets/sample_gpu
gives "and all again" 'scope cleared' --dump 120x24 --screen steps --keys 'Enter Enter' assets/sample_gpu
gives "a worker by its name" 'train_rank1 of 2 workers' --dump 120x24 --keys ': "worker train_rank1" Enter' assets/sample_gpu
gives "a part of it is none" 'usage: worker NAME' --dump 120x24 --keys ': "worker train" Enter' assets/sample_gpu
gives "an empty table names what is looked at" "0 to 10 .s only; :all for everything" --dump 200x60 --screen kernels --range 0-10us \
    assets/sample_gpu
gives "... nor a place to go back to" 'nothing to go back to' --dump 80x24 --keys ': "tab x" Enter u' assets/sample_gpu
gives "a file whose ending says nothing" 'must end in .txt, .csv, .json or .md, not .*k.xyz' --dump 100x24 --screen kernels \
    --keys ": \"export $tmp/k.xyz\" Enter" assets/sample_gpu
[ -e "$tmp/k.xyz" ] && fail "a file whose ending says nothing" "was written" || ok "... is not written"
gives "a trace whose name says nothing" 'must end in .json or .json.gz, not .*k.csv' --dump 100x24 --screen trace \
    --keys ": \"export $tmp/k.csv\" Enter" assets/sample_gpu
gives "stacks whose name says nothing" 'must end in .folded, .folded.gz or .txt, not .*k.csv' --dump 100x24 --screen flame \
    --keys ": \"export $tmp/k.csv\" Enter" assets/sample_gpu
gives "one row is one" '1 row written to' --dump 100x24 --screen kernels --keys "Space : \"export $tmp/k.csv\" Enter" assets/sample_gpu
gives "a setting by its name" 'time unit: us' --dump 80x24 --keys ': "unit us" Enter' assets/sample_gpu
gives "a setting with another value" 'theme is one of dark' --dump 80x24 --keys ': "theme pink" Enter' assets/sample_gpu
gives "an action with an argument" "'group' takes no argument" --dump 80x24 --keys '2 : "group shape" Enter' assets/sample_gpu
gives "a tab that there is not" 'usage: tab NAME .Tab lists what fits' --dump 80x24 --keys ': "tab x" Enter' assets/sample_gpu
refused "exported steps that are not there" "no step in '9-12'" export --steps 9-12 --merge -o "$tmp/x.json" assets/sample_gpu
refused "a time outside of the trace" "--range: 1 s to 2 s is outside of this trace: 0 to 195.031676 ms" \
    summary --table kernels --range 1s-2s assets/sample_gpu
refused "an exported time outside of the trace" "--range: 1 s to 2 s is outside" export --range 1s-2s -o "$tmp/x.json" assets/sample_gpu
refused "a time outside of one side" "--new-range: NEW .assets/sample_gpu.: 1 s to 2 s is outside" \
    diff --new-range 1s-2s assets/sample_gpu assets/sample_gpu
gives "a time that begins in the trace" "nccl" summary --table kernels --range 100ms-2s assets/sample_gpu
refused "steps and range" "exclude" summary --steps 1-2 --range 1-2 "$trace"
refused "two filters" "exclude" summary --filter a --filter-regex b "$trace"
refused "bad regex" "regular expression" summary --filter-regex '[' "$trace"
refused "option of another command" "tracetty summary" tables --limit 3
refused "missing value" "--limit N" summary "$trace" --limit
refused "value of a switch" "takes no value" summary --thread-sep=yes "$trace"
refused "single dash" "start with '--'" summary -x "$trace"
refused "several tables as csv" "one table" summary --format csv --table all "$trace"
refused "unit outside text" "--format text" summary --unit ms --format json "$trace"
refused "threads where none are" "operators" summary --table problems --thread-sep "$trace"
refused "no path" "PATH" summary
refused "worker that is not there" "'nobody'" summary --worker nobody "$trace"

refused "size without a screen" "needs --screen" summary --size 80x24 "$trace"
refused "screen that is not there" "'nowhere'" summary --screen nowhere "$trace"
refused "size that is none" "WIDTHxHEIGHT" summary --screen overview --size 80 "$trace"
refused "a picture is no table" "--limit" summary --screen overview --limit 3 "$trace"

gives "a screen as text" '2 Operators' summary --screen operators --size 120x24 "$trace"
gives "a screen in colour" $'\x1b\\[0;1;38;5;' summary --screen operators --size 80x24 --color 256 "$trace"
gives "a screen after keys" 'filter op17' summary --screen operators --keys 'F "op17" Enter' "$trace"
gives "value after =" '"options": .*"group_by": "shape"' summary --format=json --table=operators --group-by=shape "$trace"
gives "unit" '0\.050 ms' summary --unit ms --table operators --limit 0 "$trace"
gives "rows beyond the limit are counted" '10 more of 40' summary --table operators "$trace"
gives "thread sections" '^Operators, thread .*loader' summary --table operators --thread-sep "$trace"
gives "filter in any case" 'aten::op7 ' summary --table operators --filter OP7 "$trace"
gives "range in milliseconds" 'aten::op1 ' summary --table operators --range 0.05-0.25 "$trace"
gives "order by number" '^aten::op2 ' summary --table operators --sort name --limit 3 "$trace"
gives "a word after -- is a path" 'Operators' summary --table operators -- "$trace"
gives "help of an option" 'usage: tracetty summary' summary --help
gives "problems of a clean file" 'no problems in 42 events' check "$trace"

for table in operators kernels problems; do
    if "$BIN" summary --format json --table $table "$trace" 2>"$tmp/err" | python3 -m json.tool >"$tmp/out" && [ ! -s "$tmp/err" ]
    then ok "JSON of $table"; else fail "JSON of $table" "$(head -c 200 "$tmp/err")"; fi
done

# a reader may go away in two ways: the signal, or the error if the signal is ignored
"$BIN" summary --limit 0 --format json --table operators "$trace" 2>"$tmp/err" | head -n 1 >"$tmp/out"
[ -s "$tmp/out" ] && [ ! -s "$tmp/err" ] && ok "closed pipe" || fail "closed pipe" "$(cat "$tmp/err")"
(trap '' PIPE; "$BIN" tables 2>"$tmp/err"; echo $? >"$tmp/status") | true
[ ! -s "$tmp/err" ] && [ "$(cat "$tmp/status")" = 0 ] && ok "closed pipe without the signal" ||
    fail "closed pipe without the signal" "$(cat "$tmp/status" "$tmp/err")"
for command in "summary $trace" tables "check $trace" help --version; do
    # shellcheck disable=SC2086
    "$BIN" $command >/dev/full 2>"$tmp/err"; status=$?
    [ $status = 3 ] && grep -q 'tracetty: cannot write' "$tmp/err" && ok "full disk: ${command%% *}" ||
        fail "full disk: ${command%% *}" "status $status $(cat "$tmp/err")"
done
"$BIN" summary "$trace" >&- 2>"$tmp/err"; status=$?
[ $status != 0 ] && [ -s "$tmp/err" ] && ok "closed stdout" || fail "closed stdout" "status $status"
exit 0
