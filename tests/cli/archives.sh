#!/usr/bin/env bash
# Traces in zip and tar archives: tables and events equal those of the files; one file by its path; archives in a
# folder.
set -u
cd "$(dirname "$0")/../.." || exit 1
tmp=$(mktemp -d) && trap 'rm -rf "$tmp"' EXIT
ok() { echo "ok $1"; }
fail() { echo "FAIL $1: $2"; }
same() { if cmp -s "$2" "$3"; then ok "$1"; else fail "$1" "$(diff "$2" "$3" 2>&1 | head -5)"; fi; }
python3 - "$tmp" assets/sample_gpu <<'PY'
import os, sys, tarfile, zipfile
to, source = sys.argv[1:]
names = sorted(n for n in os.listdir(source) if n.endswith(".json.gz"))
with zipfile.ZipFile(to + "/run.zip", "w", zipfile.ZIP_DEFLATED) as z, tarfile.open(to + "/run.tar.gz", "w:gz") as t:
    for n in names:
        z.write(os.path.join(source, n), "job/" + n)
        t.add(os.path.join(source, n), "job/" + n)
with zipfile.ZipFile(to + "/plain.zip", "w", zipfile.ZIP_DEFLATED) as z:
    import gzip
    z.writestr("job/" + names[0][:-3], gzip.open(os.path.join(source, names[0])).read())
print(names[0], file=open(to + "/first", "w"))
PY
first=$(cat "$tmp/first")
tables=(steps operators kernels comm_ops memory_events)
for t in "${tables[@]}"; do
    "$BIN" summary --format csv --table "$t" assets/sample_gpu >"$tmp/want" 2>&1
    for a in run.zip run.tar.gz; do
        "$BIN" summary --format csv --table "$t" "$tmp/$a" >"$tmp/got" 2>&1
        same "$t of $a" "$tmp/want" "$tmp/got"
    done
done
"$BIN" export --steps 3-4 -o "$tmp/want.json" "assets/sample_gpu/$first" || fail export "of the file"
for path in "run.zip/job/$first" "run.tar.gz/job/$first" "plain.zip/job/${first%.gz}" plain.zip; do # reads events again, here and there
    "$BIN" export --steps 3-4 -o "$tmp/got.json" "$tmp/$path" || fail export "of $path"
    same "export of $path" "$tmp/want.json" "$tmp/got.json"
done
mkdir "$tmp/only" "$tmp/both" && cp "$tmp/run.zip" "$tmp/only" && cp "$tmp/run.zip" "assets/sample_gpu/$first" "$tmp/both"
workers() { "$BIN" summary --format json --table run "$1" | python3 -c 'import json, sys; print(len(json.load(sys.stdin)["source"]["workers"]))'; }
[ "$(workers "$tmp/only")" = 2 ] && ok "a folder with an archive" || fail "a folder with an archive" "$(workers "$tmp/only") workers"
[ "$(workers "$tmp/both")" = 1 ] && ok "files hide the archive beside them" || fail "files beside an archive" "$(workers "$tmp/both") workers"
"$BIN" check "$tmp/run.zip/job/none.json" 2>"$tmp/err" && fail "a name that is not there" "status 0" || grep -q "not in the archive" "$tmp/err" && ok "a name that is not there"
"$BIN" check "$tmp/first/x" 2>"$tmp/err"
[ $? = 3 ] && ok "below a file that is no archive" || fail "below a file" "$(cat "$tmp/err")"
rm "$tmp/only/run.zip" && "$BIN" summary - <"$tmp/run.zip" >/dev/null 2>"$tmp/err"
[ $? = 3 ] && grep -q unzip "$tmp/err" && ok "an archive from a pipe is refused" || fail "an archive on standard input" "$(cat "$tmp/err")"

# ---- odd, damaged or hostile archives: their content is read or reported
python3 - "$tmp" <<'PY'
import gzip, io, os, sys, tarfile, warnings, zipfile
to = sys.argv[1] + "/"
warnings.simplefilter("ignore")
def trace(name): return b'{"traceEvents":[{"ph":"X","cat":"cpu_op","name":"%s","pid":1,"tid":1,"ts":1,"dur":5}]}' % name.encode()
def info(name, size=0, **more):
    i = tarfile.TarInfo(name)
    i.size = size
    for k, v in more.items(): setattr(i, k, v)
    return i
def put(t, name, data, **more): t.addfile(info(name, len(data), **more), io.BytesIO(data))
def write(name, data): open(to + name, "wb").write(data)
def tar(name, names, mode="w", **more):
    with tarfile.open(to + name, mode, **more) as t:
        for n in names: put(t, n + ".pt.trace.json", trace(n))
    return open(to + name, "rb").read()
four = tar("four.tar", ["w0", "w1", "w2", "w3"])
third = four.index(b"w2.pt")
write("cut_header.tar", four[:third + 200])
write("cut_member.tar", four[:third + 512 + 60])
write("cut_between.tar", four[:third])
write("lost_header.tar", four[:third] + b"?" * 512 + four[third + 512:])
write("two.tar", tar("one.tar", ["u0"]) + four)
packed = gzip.compress(four + os.urandom(4000), mtime=0)
write("cut.tar.gz", packed[:len(packed) - 100])
write("sum.tar.gz", gzip.compress(four)[:-8] + b"\0" * 8)
tar("twice.tar", ["x", "x"])
with tarfile.open(to + "twice.tar", "w") as t:
    put(t, "x.pt.trace.json", trace("first"))
    put(t, "x.pt.trace.json", trace("second"))
with tarfile.open(to + "hostile.tar", "w") as t:
    put(t, "../up.pt.trace.json", trace("up"))
    put(t, "ok.pt.trace.json", trace("ok"))
    t.addfile(info("link.pt.trace.json", type=tarfile.SYMTYPE, linkname="/etc/passwd"))
def v7(name, data):  # no magic number, no name of the owner
    h = bytearray(512)
    for at, text in ((0, name), (100, b"0000644\0"), (108, b"0000000\0"), (116, b"0000000\0"), (124, b"%011o\0" % len(data)), (136, b"00000000000\0"), (148, b" " * 8)):
        h[at:at + len(text)] = text
    h[148:156] = b"%06o\0 " % sum(h)
    return bytes(h) + data + b"\0" * (-len(data) % 512)
write("old.tar", v7(b"w0.pt.trace.json", trace("w0")) + v7(b"w1.pt.trace.json", trace("w1")) + b"\0" * 1024)
def sparse(name, headers, data, shown):
    with tarfile.open(to + name, "w", format=tarfile.PAX_FORMAT) as t:
        put(t, shown, data, pax_headers=headers)
        put(t, "after.pt.trace.json", trace("after"))
body = trace("sparse")
size = str(len(body))
one_piece = ("2\n0\n%s\n%s\n0\n" % (size, size)).encode()
version1 = {"GNU.sparse.major": "1", "GNU.sparse.minor": "0", "GNU.sparse.name": "s.pt.trace.json", "GNU.sparse.realsize": size}
sparse("sparse1.tar", version1, one_piece + b"\0" * (512 - len(one_piece)) + body, "GNUSparseFile.0/s.pt.trace.json")
sparse("sparse01.tar", {"GNU.sparse.name": "s.pt.trace.json", "GNU.sparse.size": size, "GNU.sparse.numblocks": "1", "GNU.sparse.map": "0," + size}, body,
       "GNUSparseFile.0/s.pt.trace.json")
holes = b"2\n0\n10\n4096\n10\n"
sparse("holes.tar", dict(version1, **{"GNU.sparse.realsize": "4106"}), holes + b"\0" * (512 - len(holes)) + b"[" * 20, "GNUSparseFile.0/s.pt.trace.json")
def zipped(name, members, how=zipfile.ZIP_DEFLATED):
    with zipfile.ZipFile(to + name, "w", how) as z:
        for n, data in members: z.writestr(n, data)
    return open(to + name, "rb").read()
pair = zipped("pair.zip", [("a/w0.pt.trace.json", trace("w0")), ("a/w1.pt.trace.json", trace("w1"))])
write("self.bin", b"#!/bin/sh\nexit 0\n" * 500 + pair)
write("headless.zip", pair[:-60])
secret = bytearray(pair)
secret[pair.index(b"PK\1\2") + 8] |= 1
write("secret.zip", secret)
lost = bytearray(pair)
lost[0:4] = b"????"
write("lost.zip", lost)
zipped("twice.zip", [("x.pt.trace.json", trace("first")), ("x.pt.trace.json", trace("second"))])
with zipfile.ZipFile(to + "method.zip", "w") as z:
    z.writestr("w0.pt.trace.json", trace("w0"), zipfile.ZIP_BZIP2)
    z.writestr("w1.pt.trace.json", trace("w1"), zipfile.ZIP_STORED)
zipped("bzip2.zip", [("w0.pt.trace.json", trace("w0"))], zipfile.ZIP_BZIP2)
zipped("long.zip", [("/".join(["d" * 200] * 30) + "/w0.pt.trace.json", trace("far"))])
PY
names() { "$BIN" summary --format csv --table operators "$1" 2>/dev/null | awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "name") c = i; next } { print $c }' | sort -u | tr '\n' ' '; }
# holds WHAT ARCHIVE STATUS NAMES [KIND]: check the exit status, the operators, and a problem (with a warning if it loses data)
holds() {
    local what=$1 a=$tmp/$2 status=$3 want=$4 kind=${5:-} got
    "$BIN" check "$a" >"$tmp/out" 2>"$tmp/err"
    status=$(($? - status)) got=$(names "$a")
    if [ $status != 0 ]; then fail "$what" "another status of check; $(head -3 "$tmp/out" "$tmp/err")"
    elif [ "$got" != "$want" ]; then fail "$what" "operators: '$got', wanted '$want'"
    elif [ -n "$kind" ] && ! grep -q "^  $kind (" "$tmp/out"; then fail "$what" "check does not tell $kind: $(cat "$tmp/out")"
    elif grep -q "^  $kind (lost)" "$tmp/out" && ! grep -q "$2: " "$tmp/err"; then fail "$what" "no warning"
    else ok "$what"; fi
}
holds "tar, whole" four.tar 0 "w0 w1 w2 w3 "
holds "tar cut inside a header" cut_header.tar 1 "w0 w1 " archive_cut
holds "tar cut inside a file" cut_member.tar 1 "w0 w1 " archive_cut
holds "tar cut between two files" cut_between.tar 1 "w0 w1 " archive_cut
holds "tar with a header that is none" lost_header.tar 1 "w0 w1 w3 " archive_cut
grep -q "first at byte 2048" "$tmp/out" && ok "... with its place" || fail "place of the damage" "$(cat "$tmp/out")"
holds "one tar behind another" two.tar 0 "u0 w0 w1 w2 w3 "
holds "tar.gz cut off" cut.tar.gz 1 "w0 w1 w2 w3 " bad_compression
holds "tar.gz with a wrong checksum" sum.tar.gz 1 "w0 w1 w2 w3 " bad_compression
"$BIN" check "$tmp/sum.tar.gz/w0.pt.trace.json" >"$tmp/out" 2>&1
[ $? = 1 ] && grep -q "checksum" "$tmp/out" && ok "... also of one file" || fail "checksum of an archive, one file" "$(cat "$tmp/out")"
holds "the last of one name, tar" twice.tar 0 "second " member_replaced
holds "the last of one name, zip" twice.zip 0 "second " member_replaced
holds "unsafe names" hostile.tar 1 "ok " member_unsafe
holds "links" hostile.tar 1 "ok " member_link
holds "V7 tar" old.tar 0 "w0 w1 "
holds "sparse without holes, pax 1.0" sparse1.tar 0 "after sparse "
holds "sparse without holes, pax 0.1" sparse01.tar 0 "after sparse "
holds "sparse with holes" holes.tar 1 "after " member_packed
holds "zip behind a program" self.bin 0 "w0 w1 "
holds "zip without its directory" headless.zip 1 "w0 w1 " archive_cut
holds "zip with an encrypted file" secret.zip 1 "w1 " member_encrypted
holds "zip with a method that is not read" method.zip 1 "w1 " member_packed
holds "zip with a lost header" lost.zip 1 "w1 " archive_cut
holds "a path that is longer than the system takes" long.zip 0 "far "
holds "a zip of bzip2 only" bzip2.zip 3 ""
grep -q "packed in a way that is not read" "$tmp/err" && ok "... with the reason" || fail "a zip of bzip2 only" "$(cat "$tmp/err")"
"$BIN" check "$tmp/method.zip/w0.pt.trace.json" 2>"$tmp/err"
[ $? = 3 ] && grep -q "method 12 of zip" "$tmp/err" && ok "... and by its name" || fail "a file by its name" "$(cat "$tmp/err")"

# ---- folders deeper than a path can be long
python3 - "$tmp/deep" <<'PY'
import os, sys
os.mkdir(sys.argv[1])
os.chdir(sys.argv[1])
open("a.pt.trace.json", "w").write('{"traceEvents":[{"ph":"X","name":"a","pid":1,"tid":1,"ts":1,"dur":5}]}')
for i in range(25):
    os.mkdir("d" * 200)
    os.chdir("d" * 200)
open("b.pt.trace.json", "w").write("[]")
PY
"$BIN" check "$tmp/deep" >"$tmp/out" 2>"$tmp/err"
[ $? = 0 ] && grep -q "longer than the system takes" "$tmp/err" && ok "a folder beyond the longest path is told" || fail "a folder beyond the longest path" "$(cut -c1-300 "$tmp/err")"
