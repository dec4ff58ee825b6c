#!/usr/bin/env python3
"""Names mutable variables at file scope (and static ones inside functions) that tests/lint/globals.allow does not list.

A declaration counts when it starts in column 0 (or is `static` in a function), is no type, prototype, macro or extern,
and has no const before its first `=`, `[` or `;` (for pointers: after the last `*`).
"""
import os
import re
import sys

ALLOW = {line.split("#")[0].strip() for line in open(os.path.join(os.path.dirname(__file__), "globals.allow"))} - {""}
SKIP = re.compile(r"^((typedef|union|enum|extern|return|case|default|goto|_Static_assert|static_assert|using|namespace|template)\b|struct \w+( \{|;))")
DECL = re.compile(r"^(?P<lead>\s*)(?P<decl>(static |_Thread_local |volatile |_Atomic )*[A-Za-z_][\w \*]*?[ \*](?P<name>\w+)\s*(\[[^\]]*\]\s*)*)(=|;)")

for path in sys.argv[1:]:
    if path.startswith("tests/"):
        continue
    text = open(path, encoding="utf-8").read()
    text = re.sub(r"/\*.*?\*/", lambda m: "\n" * m.group(0).count("\n"), text, flags=re.S)
    depth = 0
    continued = False
    for number, line in enumerate(text.split("\n"), 1):
        code = re.sub(r'"(\\.|[^"\\])*"|//.*', '""', line)
        if line.startswith("#") or continued:
            continued = line.endswith("\\")
            continue
        m = DECL.match(code)
        if m and not SKIP.match(code.strip()) and "(" not in m.group("decl"):
            decl = m.group("decl")
            in_header = path.endswith(".h") and not decl.startswith("static ")  # a function declared by its type
            at_file_scope = depth == 0 and m.group("lead") == "" and not in_header
            static_inside = depth > 0 and decl.startswith("static ")
            tail = decl.rsplit("*", 1)[-1] if "*" in decl else decl
            if (at_file_scope or static_inside) and not re.search(r"\b(const|constexpr)\b", tail) and len(decl.split()) > 1:
                if "%s:%s" % (path, m.group("name")) not in ALLOW:
                    print("%s:%d: mutable %s" % (path, number, m.group("name")))
        depth += code.count("{") - code.count("}")
