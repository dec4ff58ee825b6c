#!/usr/bin/env python3
"""Names functions, types, macros and files that a document or a comment mentions and that do not exist.

Documents: texts between backquotes in assets/doc/*.md and README.md. Comments: those of the C files. A name is
tt_..., TT_..., or a path below one of the top folders; NAME and ID in capitals, #, * and ... stand for a name of the
reader's choice."""
import os
import re
import subprocess

os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
TOPS = ("model", "parser", "capture", "tui", "tests", "assets")
TOKEN = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|\w+|.', re.S)
NAME = re.compile(r"(?<![\w./-])(tt_[a-z0-9_]+|TT_[A-Z0-9_]+)(?![\w*#/.-]|\.\.\.)")
PATH = re.compile(r"(?<![\w./$-])((?:%s)/[\w./-]*\w)(?![\w*#/{]|\.\w)" % "|".join(TOPS))
PLACEHOLDER = re.compile(r"NAME|ID\b|FOLDER|CASE|X$")

files = subprocess.run(["git", "ls-files"], stdout=subprocess.PIPE, check=True, universal_newlines=True).stdout.split("\n")
folders = {os.path.dirname(f) for f in files}
folders |= {f[:i] for f in folders for i, c in enumerate(f) if c == "/"}
known, comments = set(), []
for path in files:
    if not re.search(r"\.(c|h|cpp|def)$", path) or not os.path.exists(path):
        continue
    text = open(path, encoding="utf-8").read()
    for m in TOKEN.finditer(text):
        token = m.group(0)
        if token.startswith(("//", "/*")):
            comments.append((path, text.count("\n", 0, m.start()) + 1, token))
        elif token[0] == '"':
            known.update(re.findall(r"\w+", token)) # names of symbols that are looked up at run time
        else:
            known.add(token)
            if path.endswith(".def") or "##" in text:
                known.add("TT_" + token)


def look(path, line, text):
    for m in NAME.finditer(text):
        name = m.group(1)
        if name in known or name.endswith("_") or PLACEHOLDER.search(name):
            continue
        print("%s:%d: there is no %s" % (path, line, name))
    for m in PATH.finditer(text):
        name = m.group(1)
        if name in folders or os.path.exists(name) or PLACEHOLDER.search(name) or os.path.exists(name + ".c") or name.startswith("tests/golden/"):
            continue
        print("%s:%d: there is no file %s" % (path, line, name))


for path, line, text in comments:
    look(path, line, text)
for path in files:
    if path.endswith(".md") and (path == "README.md" or path.startswith("assets/doc/")):
        for number, line in enumerate(open(path, encoding="utf-8"), 1):
            look(path, number, " ".join(re.findall(r"`([^`]+)`", line)))
