#!/usr/bin/env python3
"""Names folders of more than 25 files, structs of more than 40 members, headers whose guard does not match their
path, and public functions that no other file uses: house.py BUILD-FOLDER. Exceptions, with reasons:
tests/lint/house.allow."""
import os
import re
import subprocess
import sys

os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
BUILD = sys.argv[1]
TOPS = ("model", "parser", "capture", "tui")
FOLDER, STRUCT = 25, 40
allow = {line.split("#")[0].strip() for line in open("tests/lint/house.allow")} - {""}
tracked = subprocess.run(["git", "ls-files"], stdout=subprocess.PIPE, check=True, universal_newlines=True).stdout.split("\n")
files = [f for f in tracked if f.split("/")[0] in TOPS and re.search(r"\.(c|h|cpp|def)$", f) and os.path.exists(f)]
seen = set()


def say(key, text):
    seen.add(key)
    if key not in allow:
        print(text)


folders = {}
for f in files:
    folders[os.path.dirname(f)] = folders.get(os.path.dirname(f), 0) + 1
for folder, n in sorted(folders.items()):
    if n > FOLDER:
        say(folder, "%s: %d files, at most %d" % (folder, n, FOLDER))


def members(body):
    """Members of a struct's body, without those of nested structs."""
    body = re.sub(r"/\*.*?\*/|//[^\n]*|^\s*#[^\n]*", "", body, flags=re.S | re.M)
    while re.search(r"\{[^{}]*\}", body):
        body = re.sub(r"\{[^{}]*\}", "", body)
    return sum(part.count(",") + 1 if "(" not in part else 1 for part in body.split(";") if part.strip())


for f in files:
    text = open(f, encoding="utf-8").read()
    for m in re.finditer(r"^(?:typedef )?struct (\w+) \{(.*?)^\}", text, re.S | re.M):
        n = members(m.group(2))
        if n > STRUCT:
            say("%s:%s" % (f, m.group(1)), "%s: struct %s has %d members, at most %d" % (f, m.group(1), n, STRUCT))
    guard = "TT_" + re.sub(r"[/.]", "_", f).upper()
    if f.endswith(".h") and not re.search(r"^#ifndef %s\n#define %s$" % (guard, guard), text, re.M):
        say(f, "%s: the guard must be %s" % (f, guard))

objects = {}
for top in TOPS + ("tests",):
    for d, _, fs in os.walk(os.path.join(BUILD, top)):
        for o in fs:
            source = os.path.relpath(os.path.join(d, o), BUILD)[:-2]
            if o.endswith(".o") and os.path.exists(source):
                objects[os.path.join(d, o)] = source
defined, users = {}, {}
out = subprocess.run(["nm", "-A", "-P", "-g"] + sorted(objects), stdout=subprocess.PIPE, check=True, universal_newlines=True).stdout
for line in out.splitlines():
    path, rest = line.split(": ", 1)
    symbol, kind = rest.split()[:2]
    if kind in "UwvWV":
        users.setdefault(symbol, set()).add(objects[path])
    if kind in "TDBRG" and objects[path].split("/")[0] in TOPS:
        defined[symbol] = objects[path]
# called from outside: the recorder's C interface, and functions that libraries look up by name
for symbol, source in sorted(defined.items(), key=lambda x: (x[1], x[0])):
    if source.startswith("capture/agent/") or symbol == "main" or users.get(symbol, set()) - {source}:
        continue
    say(symbol, "%s: %s is used nowhere else: make it static, or delete it" % (source, symbol))
for entry in sorted(allow - seen):
    print("house.allow: %s is no exception any more" % entry)
