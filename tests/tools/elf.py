"""Reads from an ELF file (64 bits, little endian) which libraries and symbols it needs, to test programs for systems
other than this one."""
import struct


class Elf:
    """needed: sonames; interpreter: path or None; paths: RPATH and RUNPATH; symbols: [(name, defined here, version or None)];
    asked: {(library, version)}"""

    def __init__(self, path):
        self.data = open(path, "rb").read()
        assert self.data[:6] == b"\x7fELF\x02\x01", path + " is no 64-bit little-endian ELF file"
        self.machine, = struct.unpack_from("<H", self.data, 0x12)
        self.parts = self._sections()
        self.interpreter = None
        if ".interp" in self.parts:
            _, at, size, _, _ = self.parts[".interp"]
            self.interpreter = self.data[at : at + size].rstrip(b"\0").decode()
        self.needed = list(self._dynamic(1))
        self.paths = list(self._dynamic(15)) + list(self._dynamic(29))
        self._versions = self._asked()
        self.asked = set(self._versions.values())
        self.symbols = list(self._symbols())

    def later_than(self, most):
        """["name@GLIBC_2.34", ...]: symbols newer than this glibc, or of other libraries' versions."""
        late = []
        for name, here, version in self.symbols:
            if here or version is None:
                continue
            number = tuple(int(x) for x in version[6:].split(".")) if version.startswith("GLIBC_2") else (99,)
            if number > most:
                late.append("%s@%s" % (name, version))
        return late

    def _text(self, table, at):
        return self.data[table + at : self.data.index(0, table + at)].decode()

    def _sections(self):
        """name -> (type, offset, size, entry size, offset of its string table)"""
        at, = struct.unpack_from("<Q", self.data, 0x28)
        size, n, names = struct.unpack_from("<HHH", self.data, 0x3A)
        raw = [struct.unpack_from("<IIQQQQIIQQ", self.data, at + i * size) for i in range(n)]
        return {self._text(raw[names][4], s[0]): (s[1], s[4], s[5], s[9], raw[s[6]][4] if s[6] < n else 0) for s in raw}

    def _dynamic(self, wanted):
        _, at, size, _, strings = self.parts[".dynamic"]
        for i in range(at, at + size, 16):
            tag, value = struct.unpack_from("<QQ", self.data, i)
            if tag == 0:
                return
            if tag == wanted:
                yield self._text(strings, value)

    def _asked(self):
        """index -> (library, version) of .gnu.version_r"""
        found = {}
        if ".gnu.version_r" not in self.parts:
            return found
        _, at, _, _, strings = self.parts[".gnu.version_r"]
        while True:
            _, n, file, aux, following = struct.unpack_from("<HHIII", self.data, at)
            one = at + aux
            for _ in range(n):
                _, _, other, name, step = struct.unpack_from("<IHHII", self.data, one)
                found[other & 0x7FFF] = (self._text(strings, file), self._text(strings, name))
                one += step
            if not following:
                return found
            at += following

    def _symbols(self):
        _, at, size, each, strings = self.parts[".dynsym"]
        for i in range(1, size // each):
            name, info, _, section = struct.unpack_from("<IBBH", self.data, at + i * each)
            if not info >> 4:  # a local symbol, such as a section's
                continue
            version, = struct.unpack_from("<H", self.data, self.parts[".gnu.version"][1] + 2 * i)
            yield self._text(strings, name), section != 0, self._versions.get(version & 0x7FFF, (None, None))[1]


def is_glibc(soname):
    """Whether glibc has this library."""
    return soname.startswith("ld-linux") or soname in ("libc.so.6", "libm.so.6", "libpthread.so.0", "libdl.so.2", "librt.so.1")
