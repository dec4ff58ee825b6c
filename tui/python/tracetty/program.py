"""The program that does the work: where it is, how it is asked, what its exit status means."""
import os
import shutil
import subprocess
import sysconfig
import tempfile
import threading
import warnings
import weakref
from typing import IO, List, Sequence, Tuple


class Error(Exception):
    """What the program said; `status` is the exit status it had, or would have had."""

    def __init__(self, message: str, status: int = 3) -> None:
        super().__init__(message)
        self.status = status


class UsageError(Error, ValueError):
    """Status 2: there is no such table, column, option, or no such query."""


class InputError(Error):
    """Status 3: the input is missing, unreadable or no trace."""


class LimitError(Error):
    """Status 4: a limit was exceeded; the message names it."""


_ERRORS = {2: UsageError, 3: InputError, 4: LimitError}


def failure(status: int, said: str) -> Error:
    """The exception for an exit status and what stood on stderr."""
    if status < 0:
        said = (said + "\n" if said else "") + "tracetty was ended by signal %d" % -status
    return _ERRORS.get(status, Error)(said or "tracetty ended with status %d" % status, status)


def find_program() -> str:
    """The program: TRACETTY_BIN, else the one that was installed with this package, else that of the PATH."""
    chosen = os.environ.get("TRACETTY_BIN")
    if chosen:
        return chosen
    here = os.path.dirname(os.path.abspath(__file__))
    # pip --target; lib/tracetty of `make install`; environments, --user and --prefix: lib/pythonX.Y/site-packages; last
    # python/ of the portable archive
    folders = [os.path.join(here, up) for up in ("../bin", "../../../bin", "../../../../bin", "../..")]
    folders.append(sysconfig.get_path("scripts"))
    for folder in folders:
        path = os.path.normpath(os.path.join(folder, "tracetty"))
        if os.path.isfile(path) and os.access(path, os.X_OK):
            return path
    found = shutil.which("tracetty")
    if found is None:
        raise Error("the program 'tracetty' is neither installed beside this package nor on the PATH: set TRACETTY_BIN "
                    "to it, or install the wheel again")
    return found


def _start(arguments: Sequence[str], **options: object) -> "subprocess.Popen[bytes]":
    program = find_program()
    try:
        return subprocess.Popen([program] + list(arguments), **options)  # type: ignore[call-overload,no-any-return]
    except OSError as why:
        raise Error("%s cannot be started: %s" % (program, why.strerror)) from why


def _heard(stderr: IO[bytes], since: int) -> Tuple[str, int]:
    """What was written there since then, without the program's name; warnings become Python's. And where it ends."""
    end = os.fstat(stderr.fileno()).st_size
    text = os.pread(stderr.fileno(), end - since, since).decode("utf-8", "replace")
    said: List[str] = []
    for line in text.splitlines():
        line = line[len("tracetty: "):] if line.startswith("tracetty: ") else line
        if line.startswith("warning: "):
            warnings.warn(line[len("warning: "):], RuntimeWarning, stacklevel=8)  # where load() was called
        else:
            said.append(line)
    return "\n".join(said), end


def run_once(arguments: Sequence[str], good: Sequence[int] = (0,)) -> bytes:
    """A command from start to end: what it printed. Raises Error where its status is none of the good ones."""
    with tempfile.TemporaryFile() as errors:
        child = _start(arguments, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=errors)
        try:
            out = child.communicate()[0]
        finally:
            if child.poll() is None:
                child.kill()
                child.wait()
        said = _heard(errors, 0)[0]
        if child.returncode not in good or not out:
            raise failure(child.returncode, said)
        return out


def _end(child: "subprocess.Popen[bytes]", errors: IO[bytes], owner: int) -> None:
    if os.getpid() == owner:  # else a fork of the process whose child it is
        child.kill()
        child.wait()
    for file in (child.stdin, child.stdout, errors):
        if file is not None:
            try:
                file.close()
            except OSError:
                pass  # what the child did not read any more


class Answers:
    """A running `tracetty answer`: the trace is loaded once, then asked. One thread at a time is served."""

    def __init__(self, arguments: Sequence[str]) -> None:
        self._errors = tempfile.TemporaryFile()
        self._heard = 0
        self._lock = threading.Lock()
        self.owner = os.getpid()
        # a group of its own: Ctrl-C is for Python, which ends it
        self._child = _start(["answer"] + list(arguments), stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                             stderr=self._errors, start_new_session=True)
        self.close = weakref.finalize(self, _end, self._child, self._errors, self.owner)
        self.greeting = self._read()

    @property
    def alive(self) -> bool:
        return self.close.alive and self.owner == os.getpid()

    def ask(self, *words: str) -> bytes:
        """The document that answers a request. Raises Error; after any other exception the program has been ended."""
        if any("\0" in word or not word for word in words):
            raise UsageError("an empty text, or one with a NUL, cannot be asked for", 2)
        request = b"".join(os.fsencode(word) + b"\0" for word in words) + b"\0"
        with self._lock:
            assert self._child.stdin is not None
            try:
                self._child.stdin.write(request)
                self._child.stdin.flush()
            except BrokenPipeError:
                pass  # it has ended: the answer says why
            except BaseException:
                self.close()
                raise
            return self._read()

    def _read(self) -> bytes:
        assert self._child.stdout is not None
        parts: List[bytes] = []
        try:
            while not parts or not parts[-1].endswith(b"\0"):
                part = os.read(self._child.stdout.fileno(), 1 << 20)
                if not part:
                    raise failure(self._child.wait(), self._listen())
                parts.append(part)
        except BaseException:
            self.close()
            raise
        status_line, _, document = b"".join(parts)[:-1].partition(b"\n")
        said = self._listen()
        if status_line != b"0":
            raise failure(int(status_line), said)
        return document

    def _listen(self) -> str:
        said, self._heard = _heard(self._errors, self._heard)
        return said
