#!/usr/bin/env python3
"""The library that recorded programs load runs where they run, in containers of old systems too: the versions of glibc's
functions that it asks for, read from its ELF tables here, are 2.17 or older, it needs no other library, and it offers
no more than its interface."""
import os
import struct
import sys

MOST = (2, 17)
NEEDS = {"libc.so.6", "libm.so.6", "libpthread.so.0", "libdl.so.2", "ld-linux-x86-64.so.2", "ld-linux-aarch64.so.1"}
OFFERS = ("tracetty_", "InitializeInjection")
lib = os.path.join(os.environ.get("B", "build"), "libtracetty_capture.so")
data = open(lib, "rb").read()


def say(good, what, why=""):
    print("ok " + what if good else "FAIL %s: %s" % (what, why))


def text(table, at):
    return data[table + at : data.index(0, table + at)].decode()


def sections():
    """name -> (type, offset, size, entry size, offset of the strings it names)"""
    at, = struct.unpack_from("<Q", data, 0x28)
    size, n, names = struct.unpack_from("<HHH", data, 0x3A)
    raw = [struct.unpack_from("<IIQQQQIIQQ", data, at + i * size) for i in range(n)]
    return {text(raw[names][4], s[0]): (s[1], s[4], s[5], s[9], raw[s[6]][4] if s[6] < n else 0) for s in raw}


assert data[:6] == b"\x7fELF\x02\x01", "a 64-bit little-endian ELF file"
parts = sections()


def needed():
    _, at, size, _, strings = parts[".dynamic"]
    for i in range(at, at + size, 16):
        tag, value = struct.unpack_from("<QQ", data, i)
        if tag == 1:
            yield text(strings, value)


def versions():
    """index -> (library, version) of .gnu.version_r"""
    _, at, _, _, strings = parts[".gnu.version_r"]
    found = {}
    while True:
        _, n, file, aux, following = struct.unpack_from("<HHIII", data, at)
        one = at + aux
        for _ in range(n):
            _, _, other, name, step = struct.unpack_from("<IHHII", data, one)
            found[other & 0x7FFF] = (text(strings, file), text(strings, name))
            one += step
        if not following:
            return found
        at += following


def symbols():
    """(name, defined here, index of the version)"""
    _, at, size, each, strings = parts[".dynsym"]
    for i in range(1, size // each):
        name, _, _, section = struct.unpack_from("<IBBH", data, at + i * each)
        version, = struct.unpack_from("<H", data, parts[".gnu.version"][1] + 2 * i)
        yield text(strings, name), section != 0, version & 0x7FFF


if any("san.so" in n for n in needed()):
    print("skip the library's symbols: a sanitizer needs more")
    sys.exit(0)
asked = versions()
late = []
for name, here, version in symbols():
    if here or version not in asked:
        continue
    of = asked[version][1]
    number = tuple(int(x) for x in of.removeprefix("GLIBC_").split(".")) if of.startswith("GLIBC_2") else (99,)
    if number > MOST:
        late.append("%s@%s" % (name, of))
used = sorted({v for _, v in asked.values()})
say(len(used) > 1, "versions are read", used)
say(not late, "nothing of glibc newer than 2.17 is needed", ", ".join(late))
more = sorted(set(needed()) - NEEDS)
say(not more, "no other library is needed", ", ".join(more))
# on glibc before 2.34 these two define what the versions promise
missing = sorted({"libpthread.so.0", "libdl.so.2"} - set(needed()))
say(not missing, "threads and loading come from where old systems have them", ", ".join(missing))
public = [n for n, here, _ in symbols() if here]
stray = [n for n in public if not n.startswith(OFFERS)]
say(public and not stray, "it offers its interface alone", ", ".join(stray) or "nothing")
