#!/usr/bin/env python3
"""README and the documents for users: every command in them runs as written, and prints what they show.

A block "```console" has lines "$ COMMAND", each followed by its output, in which a line "..." stands for any lines. A
block "```sh" has commands alone. A comment "# status N" behind a command names an exit status other than 0. A comment
<!-- not run: REASON --> before a block says why it is not run; REASONS has the reasons that count. The commands of a
document run one after the other in a folder with the runs that documents speak of (DIR, BASE, NEW, ...), on a PATH
with tracetty, Python and the usual tools, and without a compiler. README has to stay short.

  documents.py                      with $BIN
  documents.py --update             writes what the commands print into the documents
  documents.py --root ROOT NAME=VALUE...    inside ROOT as user 1000, with PATH and other variables (assets/packaging/roots)
"""
import glob
import gzip
import os
import re
import shutil
import subprocess
import sys
import tempfile

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
DOCUMENTS = ["README.md"] + ["assets/doc/%s.md" % n for n in (
    "guide", "idle", "serving", "hang", "compare", "ranks", "recording", "formats", "performance", "cli", "sql", "python")]
REASONS = ("needs a GPU", "needs Slurm or MPI", "installs the program", "builds the program", "a workflow of GitHub")
LANGUAGES = {"console", "sh", "sql", "yaml", "c", "text", "", "python"}
TOOLS = ("xargs find sh bash env cat cp ln ls mv rm mkdir head tail sort uniq wc cut tr tee grep sed awk printf true false seq "
         "sleep tar gzip gunzip zcat python3 dirname basename mktemp uname").split()
README_BYTES = 10000


def report(what, ok, why=""):
    print(("ok " if ok else "FAIL ") + what + ("" if ok else ": " + str(why)[:600]), flush=True)


# ---- reading documents

class Command:
    """A command with the line of its document, the status and the output that the document promises."""

    def __init__(self, text, line, shows):
        self.text, self.line, self.shows, self.output = text, line, shows, []
        told = re.search(r"#.*\bstatus (\d+)(?:; (\d+))?", text)
        self.statuses = {int(n) for n in told.groups() if n} if told else {0}


def blocks(text):
    """Each fenced block: language, number of its first line, its lines, why it is not run (None = it runs)."""
    lines, i = text.split("\n"), 0
    while i < len(lines):
        fence = re.match(r"```(\w*)", lines[i])
        if not fence:
            i += 1
            continue
        before = next((l for l in reversed(lines[:i]) if l.strip()), "")
        why = re.match(r"<!-- not run: (.*) -->", before)
        end = next(j for j in range(i + 1, len(lines)) if lines[j] == "```")
        yield fence.group(1), i + 2, lines[i + 1:end], why and why.group(1)
        i = end + 1


def commands(language, first, lines):
    """Commands of a block; a line that ends in a backslash, or opens a here-document, goes on."""
    found, inside = [], None
    for number, line in enumerate(lines, first):
        if inside:
            found[-1].text += "\n" + (line[2:] if language == "console" and line.startswith("> ") else line)
            ends = inside == "\\" and not line.endswith("\\") or line == inside
            inside = None if ends else inside
            continue
        if language == "console" and not line.startswith("$ "):
            found[-1].output.append(line)
            continue
        text = line[2:] if language == "console" else line
        if not text.strip() or text.lstrip().startswith("#"):
            continue
        found.append(Command(text, number, language == "console"))
        here = re.search(r"<<-?'?(\w+)'?", text)
        inside = here.group(1) if here else "\\" if text.endswith("\\") else None
    return found


def equal(want, got):
    """Whether the lines printed are those promised; "..." stands for any number of lines."""
    pattern = "".join("(?:.*\n)*?" if l.strip() == "..." else re.escape(l.rstrip()) + " *\n" for l in want)
    return re.fullmatch(pattern, "".join(l + "\n" for l in got)) is not None


# ---- where commands run

def furnish(folder, samples):
    """Put the runs that documents speak of into the folder."""
    def copy(name, to):
        if os.path.exists(os.path.join(samples, name)):
            shutil.copytree(os.path.join(samples, name), os.path.join(folder, to))
    copy("sample_gpu", "DIR")
    copy("sample_gpu_before", "BASE")
    copy("sample_gpu", "NEW")
    copy("sample_serving", "SERVE")
    copy("sample_hang", "HANG")
    first = sorted(glob.glob(samples + "/sample_gpu/*.json.gz"))[0]
    shutil.copy(first, folder + "/trace.json.gz")
    with gzip.open(first) as f:
        text = f.read()
    with open(folder + "/trace.json", "wb") as f:
        f.write(text)
    with open(folder + "/damaged.json", "wb") as f:
        f.write(text[:len(text) * 2 // 3])


class Here:
    """This machine, with a PATH of the program and the usual tools."""

    def __init__(self, tmp):
        self.home = tmp
        os.mkdir(tmp + "/bin")
        shutil.copy(os.path.realpath(os.environ["BIN"]), tmp + "/bin/tracetty")
        library = os.path.join(os.environ.get("B", TOP + "/build"), "libtracetty_capture.so")
        if os.path.exists(library):
            shutil.copy(library, tmp + "/bin/")
        os.symlink(TOP + "/assets", tmp + "/bin/assets")
        for tool in TOOLS:
            if shutil.which(tool):
                os.symlink(os.path.realpath(sys.executable) if tool == "python3" else shutil.which(tool), tmp + "/bin/" + tool)
        self.samples = TOP + "/assets"
        os.makedirs(tmp + "/python/tracetty")
        for f in glob.glob(TOP + "/tui/python/tracetty/*.py"):
            shutil.copy(f, tmp + "/python/tracetty/")
        shutil.copy(TOP + "/capture/tracetty.py", tmp + "/python/tracetty/annotations.py")

    def has(self, tool):
        return os.path.exists(self.home + "/bin/" + tool)

    def run(self, folder, text):
        env = dict(PATH=self.home + "/bin", HOME=self.home, TERM="xterm-256color", LANG="C.UTF-8", TZ="UTC", PYTHONPATH=self.home + "/python",
                   PYTHONDONTWRITEBYTECODE="1")
        return subprocess.run([self.home + "/bin/bash", "-c", text], cwd=folder, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, check=False)


class Inside:
    """A minimal system below ROOT, whose user 1000 has these variables."""

    def __init__(self, root, variables):
        self.root, self.home, self.samples = root, root + "/home/user", TOP + "/assets"
        self.variables = ["HOME=/home/user", "TERM=xterm-256color", "LANG=C.UTF-8", "TZ=UTC", *variables]
        self.path = next(v[5:] for v in variables if v.startswith("PATH=")).split(":")

    def has(self, tool):
        return any(os.path.exists(self.root + p + "/" + tool) for p in self.path)

    def run(self, folder, text):
        subprocess.run(["chown", "-R", "1000:1000", folder], check=True)
        return subprocess.run(["chroot", "--userspec=1000:1000", self.root, "env", "-i", "-C", folder[len(self.root):], *self.variables, "bash", "-c", text],
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)


def run_document(name, place, update):
    """Run the commands of a document, in order; with `update`, write their output into it."""
    path = os.path.join(TOP, name)
    with open(path, encoding="utf-8") as f:
        text = f.read()
    folder = tempfile.mkdtemp(dir=place.home)
    furnish(folder, place.samples)
    wrong, ran, lines = [], 0, text.split("\n")
    changes = []
    for language, first, body, why in blocks(text):
        if language not in LANGUAGES:
            wrong.append("line %d: a block of %r" % (first - 1, language))
        if why:
            if why not in REASONS:
                wrong.append("line %d: no reason not to run: %s" % (first, why))
            print("skip %s:%d: %s" % (name, first, why))
            continue
        if language not in ("console", "sh"):
            continue
        for c in commands(language, first, body):
            if "python3" in c.text and not place.has("python3"):
                print("skip %s:%d: no python3 here, and what follows in the block" % (name, c.line))
                break
            done = place.run(folder, c.text)
            ran += 1
            said = (done.stdout if done.returncode in c.statuses else done.stdout + done.stderr).decode("utf-8", "replace")
            got = [l.rstrip() for l in said.split("\n")]
            while got and not got[-1]:
                got.pop()
            if done.returncode not in c.statuses:
                wrong.append("line %d: %s: status %d: %s" % (c.line, c.text[:80], done.returncode, " / ".join(got[-3:])))
            elif c.shows and not equal(c.output, got):
                if update:
                    changes.append((c.line + c.text.count("\n"), len(c.output), got))
                else:
                    at = next((i for i, l in enumerate(got) if i >= len(c.output) or c.output[i].rstrip() != l), len(got))
                    wrong.append("line %d: %s: prints %r in line %d" % (c.line, c.text[:60], got[at:at + 1], at + 1))
    for after, n, got in reversed(changes):
        lines[after:after + n] = got
    if changes:
        with open(path, "w", encoding="utf-8") as f:
            f.write("\n".join(lines))
    shutil.rmtree(folder)
    report("%s: its %d commands" % (name, ran), not wrong, "; ".join(wrong))
    return ran


def main():
    # check that the check can fail
    assert equal(["a", "...", "c"], ["a", "b", "b", "c"]) and not equal(["a", "c"], ["a", "b", "c"]) and not equal(["a"], [])
    if sys.argv[1:2] == ["--root"]:
        place = Inside(os.path.realpath(sys.argv[2]), sys.argv[3:])
        report("no compiler on the PATH", not any(place.has(t) for t in ("gcc", "cc", "g++", "make")))
        total = sum(run_document(name, place, False) for name in DOCUMENTS)
        report("the documents have commands", total > 30, total)
        return
    with open(os.environ["BIN"], "rb") as program:
        code = program.read()
    if code[:4] != b"\x7fELF" or b"__asan_init" in code or b"__tsan_init" in code:
        print("skip the documents: not the program itself, or one with a sanitizer")
        return
    with tempfile.TemporaryDirectory() as tmp:
        place = Here(os.path.realpath(tmp))
        report("no compiler on the PATH", not any(place.has(t) for t in ("gcc", "cc", "g++", "make")))
        total = sum(run_document(name, place, "--update" in sys.argv) for name in DOCUMENTS)
    report("the documents have commands", total > 30, total)
    size = os.path.getsize(TOP + "/README.md")
    report("README has at most %d bytes" % README_BYTES, size <= README_BYTES, size)


main()
