#!/usr/bin/env python3
"""Writes damaged traces of every kind into DIR/broken, and their expected results into DIR/broken.json.

An entry has file, class (the kind of damage), exit (of `summary`), min_x_events (events that must survive), events
(exact number, or null), kinds (problems that `check` must name), not_kinds (problems that it must not name), words
(of the message of a refusal), span_s (the longest possible axis, or null), forbidden_bytes (hex; must be in no
output)."""
import bz2
import gzip
import io
import json
import lzma
import os
import random
import struct
import sys
import tarfile
import zipfile
import zlib

OUT = []
ESC, BEL, C1 = "1b", "07", "9b"
TS0 = 1712195495519689.047  # microseconds


def slice_(i, cat="cpu_op", name=None, **more):
    e = {"ph": "X", "cat": cat, "name": name or "aten::op%d" % (i % 5), "pid": 100, "tid": 100, "ts": TS0 + 100 * i,
         "dur": 80.5, "args": {"External id": i + 1}}
    e.update(more)
    return e


def good(n=24):
    """Events as Kineto writes them: metadata, operators, launches, kernels."""
    events = [{"ph": "M", "name": "process_name", "pid": 100, "tid": 0, "ts": TS0, "args": {"name": "python"}},
              {"ph": "M", "name": "thread_name", "pid": 100, "tid": 100, "ts": TS0, "args": {"name": "thread 100"}}]
    i = 0
    while len(events) < n:
        events.append(slice_(i))
        if len(events) < n:
            events.append(slice_(i, "cuda_runtime", "cudaLaunchKernel", ts=TS0 + 100 * i + 10, dur=5,
                                 args={"correlation": i + 1, "External id": i + 1}))
        if len(events) < n:
            events.append(slice_(i, "kernel", "gemm_%d" % (i % 3), pid=0, tid=7, ts=TS0 + 100 * i + 40, dur=30,
                                 args={"correlation": i + 1, "device": 0, "stream": 7, "grid": [1, 1, 1]}))
        i += 1
    return events


def doc(events, head='{"schemaVersion": 1, "traceEvents": [\n', tail='\n], "traceName": "t.json"}'):
    """Events as text: dicts as JSON, strings as they are."""
    return head + ",\n".join(e if isinstance(e, str) else json.dumps(e) for e in events) + tail


def case(name, cls, data, exit=0, events=None, kinds=(), not_kinds=(), words=(), span_s=None, least=None,
         forbidden=(ESC, BEL, C1)):
    if isinstance(data, str):
        data = data.encode("utf-8", "surrogatepass")
    OUT.append((name, data, {"file": name, "class": cls, "exit": [exit], "min_x_events": events or least or 0,
                             "events": events, "kinds": list(kinds), "not_kinds": list(not_kinds), "words": list(words), "span_s": span_s,
                             "forbidden_bytes": list(forbidden)}))


def with_event(name, cls, text, kinds=(), events=25, **more):
    """A bad event in the middle of 24 good ones."""
    g = good()
    case(name, cls, doc(g[:12] + [text] + g[12:]), events=events, kinds=kinds, **more)


X = '"ph": "X", "cat": "cpu_op", "pid": 100, "tid": 100, "ts": %.3f, "dur": 12.5' % (TS0 + 1250)


def named(raw):
    """An event with this text between the quotes of its name."""
    return '{"name": "%s", %s, "args": {"External id": 7}}' % (raw, X)


def bytes_case(name, cls, raw, kinds, **more):
    g = good()
    a, b = doc(g[:12] + [named("@@")] + g[12:]).encode().split(b"@@")
    case(name, cls, a + raw + b, events=25, kinds=kinds, **more)


# ---- containers

def containers():
    plain = doc(good()).encode()
    z = gzip.compress(plain, mtime=0)
    case("empty.json", "1 empty", b"", exit=3, words=["empty"])
    case("blank.json", "1 empty", b" \n\t\r\n ", exit=3, words=["no trace"])
    case("nul.json", "1 empty", b"\0" * 4096, exit=3)
    case("empty.json.gz", "1 empty", gzip.compress(b"", mtime=0), exit=3, words=["empty"])
    case("lfs.json", "2 pointer", "version https://git-lfs.github.com/spec/v1\noid sha256:%s\nsize 1234567\n" % ("a" * 64),
         exit=3, words=["git lfs pull", "1234567"])
    case("lfs.json.gz", "2 pointer", gzip.compress(b"version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 7\n"), exit=3,
         words=["git lfs pull"])
    case("cut_in_header.json", "4 truncated", plain[:30], exit=3, words=["cut off", "first event"])
    case("cut_in_header.json.gz", "4 truncated", gzip.compress(plain[:24], mtime=0)[:-9], exit=3, words=["cut off", "gzip"])
    case("bracket.json", "3 only a bracket", "[", kinds=["unclosed_list"], events=0)
    case("bracket_newline.json", "3 only a bracket", "[\n", kinds=["unclosed_list"], events=0)
    case("object_open.json", "3 only a bracket", '{"schemaVersion": 1, "traceEvents": [', kinds=["unclosed_list"], events=0)
    case("no_events.json", "3 only a bracket", '{"schemaVersion": 1, "traceEvents": []}', events=0)
    case("empty_list.json", "3 only a bracket", "[]", events=0)
    case("gz_header_only.gz", "6 gzip", z[:10], exit=3, words=["copy or record"])
    case("gz_two_bytes.gz", "6 gzip", z[:2], exit=3)
    case("gz_crc.gz", "6 gzip", z[:-8] + b"\1\2\3\4" + z[-4:], events=24, kinds=["bad_compression"])
    case("gz_isize.gz", "6 gzip", z[:-4] + b"\xff\xff\xff\xff", events=24, kinds=["bad_compression"])
    case("gz_no_trailer.gz", "6 gzip", z[:-8], events=24, kinds=["bad_compression"])
    case("gz_garbage.gz", "6 gzip", z + b"garbage\n", events=24, kinds=["trailing_data"])
    case("gz_zeros.gz", "6 gzip", z + b"\0" * 512, events=24)
    case("gz_members.gz", "6 gzip", b"".join(gzip.compress(plain[i:i + 99], mtime=0) for i in range(0, len(plain), 99)), events=24)
    case("gz_empty_members.gz", "6 gzip", gzip.compress(b"") * 50 + z, events=24)
    case("gz_named.gz", "6 gzip", b"\x1f\x8b\x08\x08\0\0\0\0\0\3\x1b]52;c;aGk=\x07\0" + z[10:], events=24)
    case("gz_reserved_flags.gz", "6 gzip", b"\x1f\x8b\x08\xe0" + z[4:], events=24)
    long_doc = doc(good(600)).encode()
    lz = gzip.compress(long_doc, mtime=0)
    for part in (1, 2, 3):
        case("gz_cut_%d.gz" % part, "6 gzip", lz[:len(lz) * part // 4], least=1, kinds=["bad_compression", "truncated"])
    flipped = bytearray(lz)
    flipped[len(lz) // 2] ^= 0x55
    case("gz_flipped.gz", "6 gzip", bytes(flipped), least=1, kinds=["bad_compression"])
    case("gz_crc_flipped_text.gz", "6 gzip", gzip.compress(plain.replace(b"gemm_1", b"gemm_9"), mtime=0)[:-8] + z[-8:], events=24,
         kinds=["bad_compression"])
    case("plain.gz", "7 other name", plain, events=24)
    case("gz.json", "7 other name", z, events=24)
    case("gz_in_gz.gz", "8 archives", gzip.compress(z), exit=3, words=["decompress"])
    archives(plain, z)
    case("t.bz2", "8 archives", bz2.compress(plain), exit=3, words=["bunzip2"])
    case("t.xz", "8 archives", lzma.compress(plain), exit=3, words=["unxz"])
    case("t.lz4", "8 archives", b"\x04\x22\x4D\x18" + b"\0" * 50, exit=3, words=["lz4"])
    case("t.7z", "8 archives", b"7z\xBC\xAF\x27\x1C" + b"\0" * 50, exit=3, words=["7z"])
    case("t.sqlite", "8 archives", b"SQLite format 3\0" + b"\0" * 100, exit=3, words=["SQLite"])
    case("t.pickle", "8 archives", b"\x80\4cos\nsystem\n(S'true'\ntR.", exit=3, words=["pickle"])
    case("t.qdrep", "8 archives", b"NVIDIA Tegra Profiler Report 1" + b"\0" * 60, exit=3, words=["nsys export"])
    case("t.nsys-rep", "8 archives", b"\x8d\x01\0\0rubbish" * 20, exit=3, words=["nsys export"])
    case("elf.json", "8 archives", b"\x7fELF\2\1\1" + bytes(range(256)) * 4, exit=3)
    case("png.json", "8 archives", b"\x89PNG\r\n\x1a\n" + bytes(range(256)), exit=3)
    case("page.json", "8 archives", "<!DOCTYPE html><html><body>404: not found</body></html>", exit=3)
    case("text.json", "8 archives", "the job was killed\n" * 20, exit=3)
    case("array_of_numbers.json", "8 archives", "[1, 2, 3]", exit=3)
    case("config.json", "8 archives", '{"model": {"layers": 3}, "lr": 0.1}', exit=3)
    case("csv.json", "8 archives", "name,ts\na,1\n", exit=3)
    case("bomb.gz", "9 bomb", gzip.compress(b"[" + b" " * (200 << 20), compresslevel=9, mtime=0), kinds=["unclosed_list"], events=0)
    case("bomb_zeros.gz", "9 bomb", gzip.compress(b"\0" * (50 << 20), mtime=0), exit=3)
    case("bomb_comma.gz", "9 bomb", gzip.compress(b"[" + b"," * (50 << 20), mtime=0), events=0)
    case("bomb_deep.gz", "9 bomb", gzip.compress(b"[" * (50 << 20), mtime=0), events=0, kinds=["truncated"])
    case("bomb_string.gz", "9 bomb", gzip.compress(b'[{"ph":"X","name":"' + b"a" * (50 << 20), mtime=0), events=0,
         kinds=["truncated"])
    text = plain.decode()
    case("text_mode.gz", "10 text conversion", z.decode("utf-8", "replace").encode(), exit=3, words=["text", "binary mode"])
    case("text_mode_zstd.json", "10 text conversion", b"\x28\xEF\xBF\xBD\x2F\xEF\xBF\xBD" * 40, exit=3, words=["binary mode"])
    case("text_mode.paddle_trace.pb", "10 text conversion", b"\x0a\xef\xbf\xbd\x12\x08" * 500, exit=3, words=["text conversion", "binary mode"])
    case("text_mode.zip", "10 text conversion", (b"PK\3\4" + z * 3).decode("utf-8", "replace").encode(), exit=3, words=["binary mode"])
    case("bom.json", "11 encodings", b"\xef\xbb\xbf" + plain, events=24)
    case("bom_gz.json.gz", "11 encodings", gzip.compress(b"\xef\xbb\xbf" + plain), events=24)
    case("crlf.json", "11 encodings", text.replace("\n", "\r\n"), events=24)
    for enc in ("utf-16", "utf-16-le", "utf-16-be", "utf-32"):
        case(enc + ".json", "11 encodings", text.encode(enc), exit=3, words=["UTF-16" if "16" in enc else "UTF-32", "iconv"])
    case("utf-16.json.gz", "11 encodings", gzip.compress(text.encode("utf-16")), exit=3, words=["UTF-16"])
    case("latin1.json", "11 encodings", doc(good() + [slice_(30, name="caf\u00e9")]).encode().replace(b"\\u00e9", b"\xe9"), events=25,
         kinds=["invalid_utf8"])
    case("two_documents.json", "11 documents", text + "\n" + doc(good(12)), events=36, kinds=["several_documents"])
    case("two_documents_marked.json", "11 documents", b"\xef\xbb\xbf" * 2 + plain + b"\n\xef\xbb\xbf" + plain, events=48, kinds=["several_documents"])
    case("two_documents_comma.json", "11 documents", text + ",\n" + text, events=48, kinds=["several_documents"])
    case("two_documents_tight.json", "11 documents", text + doc(good(12)), events=36, kinds=["several_documents"])
    case("two_lists.json", "11 documents", doc(good(), "[", "]") + "\n" + doc(good(12), "[", "]"), events=36, kinds=["several_documents"])
    case("same_document_twice.json", "11 documents", text + text, events=48, kinds=["several_documents"])
    lines = "\n".join(json.dumps(e) for e in good())
    case("lines.json", "11 documents", lines, events=24, kinds=["event_lines"])
    case("lines_newline.json", "11 documents", lines + "\n", events=24, kinds=["event_lines"])
    case("lines.json.gz", "11 documents", gzip.compress(lines.encode()), events=24, kinds=["event_lines"])
    case("lines_cut.json", "11 documents", lines[:-20], events=23, kinds=["event_lines", "truncated"])
    case("lines_bad_byte.json", "11 documents", lines.encode().replace(b"gemm_1", b"gemm_\x9f", 1), events=24,
         kinds=["event_lines", "invalid_utf8"])
    case("lines_comma.json", "11 documents", ",\n".join(json.dumps(e) for e in good()), events=24, kinds=["event_lines"])
    case("trailing_nul.json", "12 file", plain + b"\0" * 4096, events=24, kinds=["trailing_data"])
    case("trailing_text.json", "12 file", plain + b"\nKilled\n", events=24, kinds=["trailing_data"])
    case("hole.json", "12 file", plain[:700] + b"\0" * 300 + plain[1000:], least=18, kinds=["malformed_event"])
    case("leading_log.json", "12 file", b"INFO: profiling done\n" + plain, exit=3)
    z2 = zlib.compress(plain)
    case("zlib.json", "6 gzip", z2, exit=3)


def tar_of(files, mode="w", fmt=tarfile.GNU_FORMAT):
    b = io.BytesIO()
    with tarfile.open(fileobj=b, mode=mode, format=fmt) as t:
        for name, data in files:
            info = tarfile.TarInfo(name)
            if data is None:
                info.type, info.linkname = tarfile.SYMTYPE, "/etc/passwd"
            else:
                info.size = len(data)
            t.addfile(info, io.BytesIO(data or b""))
    return b.getvalue()


class Pipe(io.BytesIO):
    """Output for a zip writer that cannot seek, so that sizes stand behind the members."""
    def seekable(self):
        return False

    def seek(self, *args):
        raise io.UnsupportedOperation

    def tell(self):
        raise io.UnsupportedOperation


def zip_of(files, method=zipfile.ZIP_DEFLATED, to=io.BytesIO, wide=False):
    b = to()
    with zipfile.ZipFile(b, "w", method) as a:
        for name, data in files:
            with a.open(name, "w", force_zip64=wide) as f:
                f.write(data)
    return b.getvalue()


def archives(plain, z):
    trace, cls = "run/a.pt.trace.json", "8 archives"
    long_doc, long_name = doc(good(600)).encode(), "d" * 90 + "/" + "n" * 180 + ".pt.trace.json"
    for fmt, mode in (("t.tar", "w"), ("t.tar.gz", "w:gz")):
        case(fmt, cls, tar_of([(trace, plain)], mode), events=24)
        case("two." + fmt, cls, tar_of([("run/rank0.1.pt.trace.json", plain), ("run/rank1.2.pt.trace.json.gz", z)], mode), events=48)
    for fmt in (tarfile.USTAR_FORMAT, tarfile.GNU_FORMAT, tarfile.PAX_FORMAT):
        name = long_name if fmt != tarfile.USTAR_FORMAT else "e" * 60 + "/" + "f" * 60 + ".pt.trace.json"
        case("long_name_%d.tar" % fmt, cls, tar_of([(name, plain)], fmt=fmt), events=24)
    case("links.tar", cls, tar_of([("link.pt.trace.json", None), (trace, plain)]), events=24)
    case("only_links.tar", cls, tar_of([("link.pt.trace.json", None)]), exit=3, words=["without a trace", "left out"])
    case("unsafe.tar", cls, tar_of([("../../x.pt.trace.json", plain), ("/x.pt.trace.json", plain)]), exit=3, words=["left out"])
    case("named_like_json.json", cls, tar_of([(trace, plain)]), events=24)
    whole = tar_of([(trace, long_doc)])
    case("cut.tar", cls, whole[:len(whole) // 2], least=200, kinds=["bad_compression", "truncated"])
    case("cut_header.tar", cls, whole[:400], exit=3)
    case("cut_early.tar", cls, whole[:700], events=1, kinds=["bad_compression", "truncated"])
    case("size_absurd.tar", cls, whole[:124] + b"\xff" * 12 + whole[136:], exit=3)
    case("sum_wrong.tar", cls, b"x" + whole[1:], exit=3)
    case("cut.tar.gz", cls, gzip.compress(whole, mtime=0)[:2500], least=100, kinds=["bad_compression", "truncated"])
    case("t.zip", cls, zip_of([(trace, plain)]), events=24)
    case("stored.zip", cls, zip_of([(trace, plain)], zipfile.ZIP_STORED), events=24)
    case("zip.json", cls, zip_of([(trace, plain)]), events=24)
    case("gz.zip", cls, zip_of([("a.pt.trace.json.gz", z)]), events=24)
    case("two.zip", cls, zip_of([("rank0.1.pt.trace.json", plain), ("rank1.2.pt.trace.json", long_doc), ("notes.txt", b"x")]), events=624)
    case("any_name.zip", cls, zip_of([("readme.txt", b"x"), ("x/profile.json", plain)]), events=24)
    case("streamed.zip", cls, zip_of([(trace, plain)], to=Pipe), events=24)
    case("wide.zip", cls, zip_of([(trace, plain)], wide=True), events=24)
    narrow = zip_of([(trace, plain)])
    n, size, at = struct.unpack("<HII", narrow[-12:-2])
    end64 = b"PK\6\6" + struct.pack("<QHHIIQQQQ", 44, 45, 45, 0, 0, n, n, size, at) + b"PK\6\7" + struct.pack("<IQI", 0, len(narrow) - 22, 1)
    case("wide_end.zip", cls, narrow[:-22] + end64 + narrow[-22:-6] + b"\xff" * 4 + b"\0\0", events=24)
    case("wide_end_nowhere.zip", cls, narrow[:-22] + end64[:64] + b"\xff" * 8 + end64[72:] + narrow[-22:-6] + b"\xff" * 4 + b"\0\0", events=24)
    case("comment.zip", cls, zip_of([(trace, plain)])[:-2] + b"\x05\0PK\5\6x", events=24)
    case("climbs.zip", cls, zip_of([("../../etc/x.pt.trace.json", plain)]), exit=3, words=["left out"])
    case("absolute.zip", cls, zip_of([("/etc/x.pt.trace.json", plain)]), exit=3, words=["left out"])
    case("drive.zip", cls, zip_of([("c:\\x.pt.trace.json", plain), ("a\\..\\x.pt.trace.json", plain)]), exit=3, words=["left out"])
    case("hostile.zip", cls, zip_of([("\x1b]52;c;aGk=\x07.pt.trace.json", plain), ("\x1b[2J.txt", b"")]), events=24)
    case("no_trace.zip", cls, zip_of([("a.txt", b"x"), ("b.txt", b"y")]), exit=3, words=["without a trace"])
    case("in_zip.zip", cls, zip_of([("in.zip", zip_of([(trace, plain)]))]), exit=3, words=["inside the archive"])
    case("tar_in.zip", cls, zip_of([("in.tar", tar_of([(trace, plain)]))]), exit=3, words=["inside the archive"])
    case("bomb.zip", "9 bomb", zip_of([(trace, b"[" + b" " * (50 << 20))]), events=0, kinds=["unclosed_list"])
    long_zip = zip_of([(trace, long_doc)])
    case("cut.zip", cls, long_zip[:len(long_zip) // 2], least=100, kinds=["bad_compression", "truncated"])
    case("no_directory.zip", cls, long_zip[:-60], events=600)
    case("streamed_cut.zip", cls, zip_of([(trace, long_doc)], to=Pipe)[:3000], least=100, kinds=["bad_compression"])
    case("cut_early.zip", cls, long_zip[:25], exit=3)
    case("empty.zip", cls, b"PK\5\6" + b"\0" * 18, exit=3, words=["zip"])
    flags = bytearray(long_zip)
    flags[long_zip.index(b"PK\1\2") + 8] |= 1
    case("encrypted.zip", cls, bytes(flags), exit=3, words=["encrypted"])
    wrong = bytearray(long_zip)
    wrong[long_zip.index(b"PK\1\2") + 16] ^= 1
    case("sum_wrong.zip", cls, bytes(wrong), events=600, kinds=["bad_compression"])
    lzma_zip = zip_of([(trace, plain)], zipfile.ZIP_LZMA)
    case("lzma.zip", cls, lzma_zip, exit=3, words=["unpack"])
    far = bytearray(long_zip)
    far[-6:-2] = b"\xf0\xff\xff\xff"
    case("directory_nowhere.zip", cls, bytes(far), events=600)


# ---- text of JSON

def truncated():
    text = doc(good())
    starts = [i for i in range(len(text)) if text.startswith('{"ph"', i)]
    rng = random.Random(4)
    # cut inside: a key, a string, a number, between events, in the tail
    for k, at in enumerate([starts[5] + 3, starts[9] + 30, starts[12] - 1, starts[14] - 2, starts[20] + 60, starts[22] + 1,
                            len(text) - 1, len(text) - 3, len(text) - 12, len(text) - 24] + sorted(rng.sample(range(60, len(text)), 10))):
        cut, whole = text[:at], 0
        for s in starts:
            try:
                json.JSONDecoder().raw_decode(cut, s)
                whole += 1
            except ValueError:
                break
        inside = whole < len(starts) and cut.rstrip(", \n") != cut[:starts[whole]].rstrip(", \n")
        kinds = [] if at > len(text) - 25 else ["truncated"] if inside else ["unclosed_list"]
        case("cut_%02d.json" % k, "4 truncated", cut, events=whole, kinds=kinds)
    big = doc(good(20000)).encode()
    for k, at in enumerate((1 << 18, (1 << 18) + 1, (1 << 19) - 1, 1000003, len(big) - 40)):
        n = sum(1 for line in big[:at].split(b"\n") if line.startswith(b'{"ph"') and line.rstrip(b",").endswith(b"}}"))
        case("cut_big_%d.json" % k, "4 truncated", big[:at], events=n)
    whole = ["truncated", "unclosed_list", "trailing_data"]  # the problem does not occur, whichever thread reads the end
    case("list_big.json", "5 brackets", doc(good(20000), "[\n", "\n]\n"), events=20000, not_kinds=whole)
    case("lines_big.json", "11 documents", "\n".join(json.dumps(e) for e in good(20000)), events=20000, kinds=["event_lines"], not_kinds=whole)
    case("object_big.json", "5 brackets", doc(good(20000), tail="\n]}"), events=20000, not_kinds=whole)
    case("cut_utf8.json", "4 truncated", doc(good() + [slice_(30, name="caf\u00e9")], tail="").encode().replace(b"\\u00e9", b"\xc3\xa9")[:-80],
         least=24, kinds=["truncated"])
    esc = doc(good() + [slice_(30, name="x\u00e9")], tail="")
    case("cut_escape.json", "4 truncated", esc[:esc.index("\\u00e9") + 4], events=24, kinds=["truncated"])
    case("cut_backslash.json", "4 truncated", esc[:esc.index("\\u00e9") + 1], events=24, kinds=["truncated"])
    case("no_end.json", "5 brackets", doc(good(), tail=""), events=24, kinds=["unclosed_list"])
    case("no_brace.json", "5 brackets", doc(good(), tail="]"), events=24)
    case("comma_end.json", "5 brackets", doc(good(), tail=",]}"), events=24)
    case("comma_open.json", "5 brackets", doc(good(), "[", ","), events=24, kinds=["unclosed_list"])
    case("list_open.json", "5 brackets", doc(good(), "[", ""), events=24, kinds=["unclosed_list"])
    case("empty_object_end.json", "5 brackets", doc(good(), tail=", {}]}"), events=24)
    case("double_commas.json", "5 brackets", doc(good()).replace(",\n", ",,\n"), events=24)
    case("no_commas.json", "5 brackets", doc(good()).replace("}},\n", "}}\n"), events=24)
    case("one_comma_missing.json", "5 brackets", doc(good()).replace("}},\n", "}}\n", 1), events=24)
    case("extra_brackets.json", "5 brackets", doc(good()) + "]}]}", events=24, kinds=["trailing_data"])
    case("wrong_bracket.json", "5 brackets", doc(good(), tail='}}'), least=24)
    g = good()
    case("brace_missing.json", "5 brackets", doc(g[:10] + [json.dumps(g[10])[:-1]] + g[11:]), events=24)
    case("args_brace_extra.json", "5 brackets", doc(g[:10] + [json.dumps(g[10]) + "}"] + g[11:]), events=24)
    case("events_last.json", "5 brackets", doc(good(), '{"args": {"ph": "X", "name": "x"}, "traceEvents": ['), events=24)
    case("two_lists_inside.json", "5 brackets", doc(good(), tail='], "traceEvents": [' + json.dumps(slice_(40)) + "]}"), events=25)


def strings():
    controls = {"newline": "\n", "tab": "\t", "return": "\r", "nul": "\0", "escape": "\x1b[2J", "bell": "\x07", "backspace": "\x08\x08",
                "delete": "\x7f"}
    for k, c in controls.items():
        with_event("control_%s.json" % k, "14 control", named("a" + c + "b"), kinds=[] if k == "delete" else ["control_in_string"])
    with_event("control_in_args.json", "14 control", '{"name": "a", %s, "args": {"Call stack": "f\n g\x1b[31m"}}' % X, kinds=["control_in_string"])
    with_event("control_in_key.json", "14 control", '{"name": "a", %s, "args": {"x\ny": 1}}' % X, kinds=["control_in_string"])
    quotes = {"pair": 'say "hi" now', "odd": 'a 5" disk', "end": 'a "b"', "begin": '"a" b', "dict": "f({\"a\": 1, \"b\": 2})",
              "dict_comma": 'f({"a": "x", "b": "y"})', "call": 'custom_call_target="tpu", x', "list": 'f(["a","b"])',
              "dict_end": '{"a": "b"}', "only": '"', "two": '""', "generic": '<module>(torch, {"key": {"deep": ["x", "y"]}, "z": "w"})',
              "colon": 'x": y', "triple": '"""doc"""', "comma": 'a","b', "brace": 'a"}', "bracket": 'a"]',
              "hlo": 'fusion.1 = f32[2]{0} custom-call(), custom_call_target="a", metadata={op_name="jit(f)" source="x.py"}'}
    for k, q in quotes.items():
        with_event("quote_%s.json" % k, "15 quotes", named(q), kinds=["unescaped_quote"])
    g = good()
    case("quote_every.json", "15 quotes", doc(json.dumps(e).replace("aten::op1", 'a "q", "r": 5" x') for e in g), events=24,
         kinds=["unescaped_quote"])
    case("quote_odd_every.json", "15 quotes", doc(json.dumps(e).replace("aten::op", 'a 5" ') for e in g), events=24,
         kinds=["unescaped_quote"])
    many = good(6000)
    case("quote_odd_many.json", "15 quotes", doc(json.dumps(e).replace("aten::op1", 'say "x, {y') for e in many), events=6000,
         kinds=["unescaped_quote"])
    with_event("quote_in_args.json", "15 quotes", '{"name": "a", %s, "args": {"Call stack": "f("x", "y")", "n": 1}}' % X,
               kinds=["unescaped_quote"])
    with_event("quote_in_args_dict.json", "15 quotes", '{"name": "a", %s, "args": {"k": "{"a": 1, "b": {"c": "d"}}", "n": 1}}' % X,
               kinds=["unescaped_quote"])
    with_event("quote_in_cat.json", "15 quotes", '{"name": "a", "ph": "X", "cat": "x"y", "pid": 1, "tid": 1, "ts": %f, "dur": 1}' % TS0,
               kinds=["unescaped_quote"])
    escapes = {"windows": "C:\\torch\\cuda\\x\\__init__.py", "x": "a\\x41", "u": "a\\u12", "uz": "\\uZZZZ", "single": "it\\'s",
               "octal": "\\033[31m", "surrogate": "\\ud800 x", "pair": "\\ud83d\\ude00", "low": "\\udc00", "nul": "a\\u0000b",
               "esc": "\\u001b[2Jx", "csi": "\\u009b31mx", "osc": "\\u001b]52;c;aGk=\\u0007"}
    bad = {"windows", "x", "u", "uz", "single", "octal"}
    for k, s in escapes.items():
        with_event("escape_%s.json" % k, "16 escapes", named(s), kinds=["bad_escape"] if k in bad else [])
    with_event("escape_quote_end_of_args.json", "16 escapes", '{"name": "a", %s, "args": {"file": "C:\\dir\\"}}' % X)
    with_event("escape_quote_end.json", "16 escapes", named("C:\\dir\\"), kinds=["bad_escape"])
    raw = {"lone": b"\xff", "cut": b"\xe2\x82", "overlong": b"\xc0\xaf", "surrogate": b"\xed\xa0\x80", "high": b"\xf5\x80\x80\x80",
           "c1": b"\x9b31m", "binary": bytes(range(128, 256)), "continuation": b"\x80\x80", "beyond": b"\xf4\x90\x80\x80"}
    for k, r in raw.items():
        bytes_case("bytes_%s.json" % k, "17 bytes", r, ["invalid_utf8"])
    with_event("key_quote_start.json", "18 keys", '{"ph": "X", "name": "a", "pid": 1, tid": 0, "ts": %f, "dur": 1}' % TS0, kinds=["missing_quote"])
    with_event("key_quote_end.json", "18 keys", '{"ph": "X", "name": "a", "pid": 1, "tid: 0, "ts": %f, "dur": 1}' % TS0, kinds=["missing_quote"])
    with_event("key_bare.json", "18 keys", '{ph: "X", name: "a", pid: 1, tid: 0, ts: %f, dur: 1}' % TS0, kinds=["missing_quote"])
    with_event("key_single.json", "18 keys", "{'ph': 'X', 'name': 'a', 'pid': 1, 'tid': 0, 'ts': %f, 'dur': 1}" % TS0, kinds=["missing_quote"])
    case("key_every.json", "18 keys", doc(json.dumps(e).replace('"tid"', 'tid"') for e in good()), events=24, kinds=["missing_quote"])
    with_event("key_in_args.json", "18 keys", '{"ph": "X", "name": "a", "pid": 1, "tid": 0, "ts": %f, "dur": 1, "args": {bytes": 5, "x": 1}}' % TS0,
               kinds=["missing_quote"])


def numbers():
    for k, n in enumerate(("nan", "-nan", "NaN", "inf", "-inf", "Infinity", "1.#IND", "-nan(ind)")):
        with_event("nan_arg_%d.json" % k, "19 nan", '{"name": "k", "ph": "X", "cat": "kernel", "pid": 0, "tid": 7, "ts": %f, "dur": 3, '
                   '"args": {"est. achieved occupancy %%": %s, "blocks per SM": %s}}' % (TS0, n, n), kinds=["bad_number"])
        with_event("nan_dur_%d.json" % k, "19 nan", '{"name": "a", "ph": "X", "cat": "cpu_op", "pid": 1, "tid": 1, "ts": %f, "dur": %s}' % (TS0, n),
                   kinds=["bad_duration"])
    for c in (1, 9, 0x1f, 0x7f):
        with_event("control_value_%d.json" % c, "19 nan", '{"name": "a", "ph": "X", "pid": 1, "tid": 1, "ts": %f, "dur": %c}' % (TS0, c))
    with_event("nan_ts.json", "19 nan", '{"name": "a", "ph": "X", "pid": 1, "tid": 1, "ts": nan, "dur": 1}', events=24, kinds=["bad_time"])
    case("numbers_as_text.json", "20 text numbers", doc(dict(e, ts=str(e["ts"]), pid=str(e["pid"]), tid=str(e["tid"]), **(
        {"dur": str(e["dur"])} if "dur" in e else {})) for e in good()), events=24, span_s=1)
    with_event("text_ts_bad.json", "20 text numbers", '{"name": "a", "ph": "X", "pid": 1, "tid": 1, "ts": "soon", "dur": 1}', events=24,
               kinds=["bad_time"])
    with_event("ts_spaces.json", "20 text numbers", '{"name": "a", "ph": "X", "pid": 1, "tid": 1, "ts": " %.3f ", "dur": " 1 "}' % TS0)
    with_event("ts_many_digits.json", "21 precision", '{"name": "a", "ph": "X", "pid": 1, "tid": 1, "ts": %s, "dur": 0.%s1}' % (
        "1712195495519689." + "047" * 50, "0" * 300), span_s=1)
    with_event("ts_exponent.json", "21 precision", '{"name": "a", "ph": "X", "pid": 1, "tid": 1, "ts": 1.712195495519689e15, "dur": 1e2}', span_s=1)
    with_event("dup_key.json", "22 duplicate keys", '{"name": "a", "name": "b", %s, "dur": 5, "ts": 1, "ts": %f}' % (X, TS0), kinds=["duplicate_key"],
               span_s=1)
    case("dup_key_every.json", "22 duplicate keys", doc('{"ph": "X", "ts": 1, "name": "a", "pid": 1, "tid": 1, "dur": 1, "ts": %f}' % (TS0 + i)
                                                       for i in range(50)), events=50, kinds=["duplicate_key"], span_s=1)
    with_event("dup_args.json", "22 duplicate keys", '{"name": "a", %s, "args": {"x": 1}, "args": {"y": 2}}' % X, span_s=1)
    for k, d in enumerate(("1e19", "18446744073709551615", "18446744073709551.615", "1e400", "9" * 400, "9223372036854775807")):
        with_event("dur_huge_%d.json" % k, "23 overflow", '{"name": "a", "ph": "X", "pid": 1, "tid": 1, "ts": %f, "dur": %s}' % (TS0, d),
                   kinds=["bad_duration"], span_s=1)
        with_event("ts_huge_%d.json" % k, "23 overflow", '{"name": "a", "ph": "X", "pid": 1, "tid": 1, "ts": %s, "dur": 1}' % d,
                   kinds=["no_timestamp"], span_s=1)
    with_event("ts_minus.json", "23 overflow", '{"name": "a", "ph": "X", "pid": 1, "tid": 1, "ts": -9223372036854775808, "dur": 1}',
               kinds=["no_timestamp"], span_s=1)
    with_event("ts_below_zero.json", "23 overflow", '{"name": "a", "ph": "X", "pid": 1, "tid": 1, "ts": -1, "dur": 1}', kinds=["no_timestamp"], span_s=1)
    case("ts_below_zero_meant.json", "28 no time", doc(dict(e, ts=round(e["ts"] - TS0 - 900, 3)) for e in good()), events=24, span_s=1)
    with_event("bytes_negative.json", "23 overflow", '{"name": "Memcpy HtoD", "ph": "X", "cat": "gpu_memcpy", "pid": 0, "tid": 7, "ts": %f, "dur": 3, '
               '"args": {"bytes": -2147483648, "memory bandwidth (GB/s)": inf}}' % TS0, kinds=["bad_number"])
    with_event("ids_huge.json", "23 overflow", '{"name": "a", "ph": "X", "cat": "kernel", "pid": 99999999999999999999, "tid": -1, "ts": %f, '
               '"dur": 3, "args": {"correlation": 18446744073709551615, "stream": 1e30, "device": -7, "grid": [4294967296]}}' % TS0)
    with_event("empty_object.json", "24 no events", "{}", events=24)
    with_event("no_ph.json", "24 no events", '{"name": "a", "ts": 1}', events=24, kinds=["not_an_event"])
    with_event("null_ph.json", "24 no events", '{"ph": null, "name": "a", "ts": 1}', events=24, kinds=["not_an_event"])
    with_event("ph_number.json", "24 no events", '{"ph": 5, "name": "a", "ts": 1}', events=24, kinds=["not_an_event"])
    with_event("ph_empty.json", "24 no events", '{"ph": "", "name": "a", "ts": %f}' % TS0, kinds=["unknown_phase"])
    with_event("ph_unknown.json", "24 no events", '{"ph": "Q", "name": "a", "ts": %f}' % TS0, kinds=["unknown_phase"])
    with_event("ph_long.json", "24 no events", '{"ph": "XX", "name": "a", "ts": %f}' % TS0, kinds=["unknown_phase"])
    for k, v in enumerate(("null", "5", '"x"', "[1, 2]", "[[]]", "true", "-", "\\", "undefined", "'x'", "{]", "[}", ":", "{\"a\"}")):
        with_event("element_%02d.json" % k, "24 no events", v, events=24)
    with_event("values_nested.json", "24 no events", '{"name": {"a": 1}, "cat": [], "ph": "X", "pid": [], "tid": {}, "ts": %f, "dur": {}, "args": 5}' % TS0)
    with_event("args_null.json", "24 no events", '{"name": null, "cat": null, "ph": "X", "pid": null, "tid": null, "ts": %f, "dur": 1, "args": null}' % TS0)
    with_event("args_text.json", "24 no events", '{"name": "a", %s, "args": "text"}' % X)
    with_event("counter_bad.json", "19 nan", '{"name": "c", "ph": "C", "pid": 1, "ts": %f, "args": {"a": nan, "b": "x", "c": {}}}' % TS0,
               kinds=["bad_number"])
    for n in (50, 1000, 100000):
        with_event("deep_args_%d.json" % n, "25 deep", '{"name": "a", %s, "args": {"x": %s1%s}}' % (X, "[" * n, "]" * n))
    with_event("deep_open.json", "25 deep", '{"name": "a", %s, "args": {"x": %s' % (X, '{"a":[' * 5000), least=12, events=None)
    case("deep_top.json", "25 deep", '{"x": %s1%s, "traceEvents": [%s]}' % ("[" * 100000, "]" * 100000, json.dumps(slice_(1))), events=1)
    case("deep_list.json", "25 deep", "[" * 100000, events=0, kinds=["truncated"])
    with_event("name_long.json", "25 deep", named("n" * 300000))
    with_event("args_long.json", "25 deep", '{"name": "a", %s, "args": {"Call stack": "%s"}}' % (X, "frame;" * 50000))
    with_event("key_long.json", "25 deep", '{"%s": 1, "name": "a", %s}' % ("k" * 100000, X))
    with_event("many_args.json", "25 deep", '{"name": "a", %s, "args": {%s}}' % (X, ", ".join('"k%d": %d' % (i, i) for i in range(20000))))
    case("long_meta.json", "25 deep", doc(good(), '{"log": "%s", "traceEvents": [' % ("x" * 3000000)), events=24)


# ---- time and structure

def times():
    g = good()
    case("crossing.json", "26 crossing", doc(g + [slice_(50, dur=500), slice_(52, dur=900)]), events=26, kinds=["crossing_slices"], span_s=1)
    late = slice_(3, "kernel", "late", pid=0, tid=7, dur=1600000, args={"correlation": 900})
    case("overrun.json", "27 overrun", doc(g + [late]), events=25, kinds=["overrunning_duration"], span_s=0.1)
    stream = [slice_(i, "kernel", "k", pid=0, tid=7, dur=90, args={"correlation": i + 1}) for i in range(1000)]
    case("overrun_one.json", "27 overrun", doc(stream + [dict(late, ts=TS0 + 40095, dur=5)]), events=1001, not_kinds=["overrunning_duration"])
    case("overrun_many.json", "27 overrun", doc(stream[:500] + [dict(e, dur=1e6) for e in stream[500:505]] + stream[505:]), events=1000,
         kinds=["overrunning_duration"], span_s=0.2)
    case("overrun_two_streams.json", "27 overrun", doc(stream + [dict(e, ts=e["ts"] + 50) for e in stream] + [late]), events=2001,
         not_kinds=["overrunning_duration"], span_s=2)
    case("overrun_last.json", "27 overrun", doc(stream + [dict(late, ts=TS0 + 200000)]), events=1001, not_kinds=["overrunning_duration"])
    case("overrun_annotation.json", "27 overrun", doc(stream + [dict(late, cat="gpu_user_annotation")]), events=1001, span_s=2,
         not_kinds=["overrunning_duration"])
    zero = [slice_(i, "kernel", "k%d" % i, pid=0, tid=7, ts=0, dur=0, args={"correlation": 500 + i}) for i in range(20)]
    case("ts_zero.json", "28 no time", doc(g + zero), events=44, kinds=["no_timestamp"], span_s=1)
    case("ts_zero_first.json", "28 no time", doc(zero + g), events=44, kinds=["no_timestamp"], span_s=1)
    case("ts_zero_all_phases.json", "28 no time", doc(g + [{"ph": p, "name": "x", "pid": 1, "tid": 1, "ts": 0, "id": 1, "args": {"v": 1}} for p in "iBEsfCbe"]),
         events=32, kinds=["no_timestamp"], span_s=1)
    case("ts_zero_meant.json", "28 no time", doc(dict(e, ts=round(e["ts"] - TS0, 3)) for e in g), events=24, span_s=1)
    case("ts_epochs.json", "42 gap", doc(g + [slice_(0, ts=5.0)]), events=25)
    case("gap.json", "42 gap", doc(g + [slice_(0, ts=TS0 + 7200e6)]), events=25, span_s=7300)
    case("before_launch.json", "29 before launch", doc(g + [slice_(60, "cuda_runtime", "cudaLaunchKernel", args={"correlation": 777}),
         slice_(59, "kernel", "early", pid=0, tid=9, args={"correlation": 777, "device": 0, "stream": 9})]), events=26, kinds=["before_launch"])
    case("no_kernels.json", "30 no kernels", doc([e for e in g if e.get("cat") != "kernel"]), least=10)
    case("orphans.json", "31 orphans", doc([e for e in g if e.get("cat") != "cuda_runtime"]), least=10, kinds=["unlinked_device_work"])
    flows = [{"ph": "s", "id": 1, "pid": 100, "tid": 100, "ts": TS0, "cat": "ac2g", "name": "ac2g"},
             {"ph": "f", "id": 2, "pid": 0, "tid": 7, "ts": TS0 + 9, "cat": "ac2g", "name": "ac2g", "bp": "e"}, {"ph": "f", "ts": TS0}]
    case("flows.json", "32 flows", doc(g + flows), events=27)
    pair = {"pid": 1, "tid": 1, "cat": "c"}
    case("begin_only.json", "33 pairs", doc(g + [dict(pair, ph="B", name="b%d" % i, ts=TS0 + i) for i in range(10)]), events=34, kinds=["unmatched_begin"])
    case("end_only.json", "33 pairs", doc(g + [dict(pair, ph="E", ts=TS0 + i) for i in range(10)]), events=34, kinds=["unmatched_end"])
    case("pair_names.json", "33 pairs", doc(g + [dict(pair, ph="B", name="x", ts=TS0), dict(pair, ph="E", name="y", ts=TS0 + 5)]), events=26)
    case("pair_same_time.json", "34 order", doc(g + [dict(pair, ph="E", name="x", ts=TS0 + 5), dict(pair, ph="B", name="x", ts=TS0 + 5),
         dict(pair, ph="B", name="x", ts=TS0), dict(pair, ph="E", name="x", ts=TS0 + 6)]), events=28)
    case("async_names_many.json", "47 floods", doc(dict(pair, ph="b", name="n%d" % i, id=i, ts=TS0 + i) for i in range(60000)), events=60000,
         kinds=["unmatched_begin"])
    case("pair_names_many.json", "47 floods", doc([dict(pair, ph="B", name="b%d" % i, ts=TS0 + i) for i in range(60000)] +
         [dict(pair, ph="E", name="e%d" % i, ts=TS0 + 60000 + i) for i in range(60000)]), events=120000)
    case("pair_deep.json", "33 pairs", doc([dict(pair, ph="B", name="r", ts=i) for i in range(20000)]), events=20000, kinds=["unmatched_begin"])
    shuffled = list(g)
    random.Random(1).shuffle(shuffled)
    case("shuffled.json", "34 order", doc(shuffled), events=24, span_s=1)
    case("reversed.json", "34 order", doc(g[::-1]), events=24, span_s=1)
    with_event("dur_negative.json", "35 duration", '{"name": "a", "ph": "X", "pid": 1, "tid": 1, "ts": %f, "dur": -5}' % TS0, kinds=["bad_duration"], span_s=1)
    with_event("dur_missing.json", "35 duration", '{"name": "a", "ph": "X", "pid": 1, "tid": 1, "ts": %f}' % TS0, kinds=["bad_duration"])
    with_event("dur_null.json", "35 duration", '{"name": "a", "ph": "X", "pid": 1, "tid": 1, "ts": %f, "dur": null}' % TS0, kinds=["bad_duration"])
    with_event("ts_missing.json", "35 duration", '{"name": "a", "ph": "X", "pid": 1, "tid": 1, "dur": 5}', events=24, kinds=["bad_time"])
    case("whole_us.json", "36 resolution", doc(dict(e, ts=int(e["ts"]), **({"dur": int(e["dur"])} if "dur" in e else {})) for e in g), events=24)
    with_event("ids_text.json", "37 identities", '{"name": "a", "ph": "X", "pid": "Spans", "tid": "", "ts": %f, "dur": 1}' % TS0)
    with_event("ids_missing.json", "37 identities", '{"name": "a", "ph": "X", "ts": %f, "dur": 1}' % TS0)
    with_event("ids_long.json", "37 identities", '{"name": "a", "ph": "X", "pid": "%s", "tid": "%s", "ts": %f, "dur": 1}' % ("p" * 5000, "t" * 5000, TS0))
    same = [slice_(i, "kernel", "k", pid=0, tid=7, args={"correlation": 5, "device": 0, "stream": 7}) for i in range(2000)]
    case("correlation_same.json", "38 correlation", doc([slice_(0, "cuda_runtime", "cudaLaunchKernel", args={"correlation": 5})] * 2000 + same), events=4000)
    case("correlation_zero.json", "38 correlation", doc([slice_(i, "kernel", "k", pid=0, tid=7, args={"correlation": 0}) for i in range(20)]), events=20)
    case("all_same_time.json", "34 order", doc([slice_(0)] * 5000), events=5000)
    case("tracks_many.json", "41 tracks", doc(slice_(i, tid=i) for i in range(5000)), events=5000)
    case("processes_many.json", "41 tracks", doc(slice_(i, pid=i, tid="t%d" % i) for i in range(3000)), events=3000)
    case("names_many.json", "47 floods", doc(slice_(i, name="n%d" % i) for i in range(30000)), events=30000)
    case("categories_many.json", "47 floods", doc(slice_(i, "c%d" % i) for i in range(1000)), events=1000, kinds=["too_many_categories"])
    case("counters_many.json", "47 floods", doc({"ph": "C", "name": "c%d" % i, "pid": 1, "ts": TS0 + i, "args": {"a": i}} for i in range(3000)), events=3000)
    case("steps_odd.json", "47 floods", doc(g + [slice_(i, "user_annotation", "ProfilerStep#" + s) for i, s in enumerate(
        ("", "x", "-1", "99999999999999999999", "1", "1", "1e3"))]), events=31)


# ---- hostile

def hostile():
    evil = {"csi": "\x1b[2J\x1b[H", "osc52": "\x1b]52;c;aGk=\x07", "title": "\x1b]0;x\x07", "dcs": "\x1bP+q\x1b\\", "c1": "\x9b31m",
            "bidi": "abc\u202edcba\u202c", "isolate": "\u2066x\u2069", "marks": "\u200e\u200f\u061c", "bel": "\x07", "bs": "rm\x08\x08ok",
            "cr": "good\rbad", "tags": "\U000e0041\U000e0042", "nonchar": "\uffff\ufffe", "sep": "\u2028\u2029", "del": "\x7f",
            "zalgo": "a" + "\u0301" * 500, "zwj": "\U0001f468\u200d\U0001f469\u200d\U0001f467" * 40, "wide": "\u6f22" * 300,
            "formula": "=cmd|' /C calc'!A0", "plus": "+1+1", "at": "@SUM(A1)", "minus": "-2+3", "format": "%s%n%n%x", "path": "../../etc/passwd"}
    bidi = ["e280ae", "e281a6", "e280a8"]
    for k, s in evil.items():
        e = slice_(1, name=s, cat=s, pid=s, tid=s, args={"Call stack": s, s: s, "Input Dims": s, "device": s, "name": s})
        kernel = slice_(2, "kernel", s, pid=0, tid=7, args={"grid": s, "stream": s, "correlation": s})
        extra = [{"ph": "M", "name": "process_name", "pid": s, "tid": s, "args": {"name": s}}, {"ph": "M", "name": "thread_name", "pid": s, "tid": s, "args": {"name": s}},
                 {"ph": "i", "name": s, "pid": s, "tid": s, "ts": TS0, "s": s}, {"ph": "C", "name": s, "pid": s, "ts": TS0, "args": {s: 5}}, {"ph": s, "name": s, "ts": TS0}]
        head = '{"schemaVersion": 1, "deviceProperties": [{"id": 0, "name": %s}], %s: %s, "traceName": %s, "traceEvents": [' % ((json.dumps(s),) * 4)
        case("hostile_%s.json" % k, "43 hostile", doc(good() + [e, kernel] + extra, head), events=31, forbidden=[ESC, BEL, C1] + bidi)
    raw = doc(good() + [slice_(1, name="@@")]).encode().replace(b"@@", b"\x1b]52;c;aGk=\x07\x9b2J")
    case("hostile_raw.json", "43 hostile", raw, events=25, kinds=["control_in_string"])
    case("hostile_malformed.json", "43 hostile", doc(good() + ['{"ph": "X", : "\x1b[2J\x07", 1}']), events=24, kinds=["malformed_event"])
    case("hostile_\x1b[31m.json", "43 hostile", doc(good()), events=24)
    case("hostile_name\nline.json", "43 hostile", "no trace", exit=3)
    case("hostile_top.json", "43 hostile", '{"\x1b[2J": "\x1b]0;x\x07", "traceEvents": 5}', exit=3)
    case("hostile_ph.json", "43 hostile", doc(good() + [{"ph": "\x1b[2J", "name": "a", "ts": TS0}]), events=25, kinds=["unknown_phase"])


def main():
    folder = sys.argv[1]
    for family in (containers, truncated, strings, numbers, times, hostile):
        family()
    os.makedirs(os.path.join(folder, "broken"), exist_ok=True)
    names = set()
    for name, data, entry in OUT:
        assert name not in names, name
        names.add(name)
        with open(os.path.join(folder, "broken", name), "wb") as f:
            f.write(data)
    with open(os.path.join(folder, "broken.json"), "w", encoding="utf-8") as f:
        json.dump([entry for _, _, entry in OUT], f, indent=1)
    print("%d files" % len(OUT))


if __name__ == "__main__":
    main()
