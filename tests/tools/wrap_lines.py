#!/usr/bin/env python3
"""Wraps lines of comments, and entries of .def files, that are longer than 120 columns: wrap_lines.py FILE...

It wraps comments on lines of their own; clang-format wraps code, and comments behind code. Paragraphs are filled
again from the first line that is too long; lists ("- ...", "  word   meaning") keep their shape, and a line that ends
a sentence early stays."""
import re
import sys
import textwrap

WIDTH = 120


def hanging(text):
    """(columns before the text of an item, whether it begins one)"""
    m = re.match(r"(\s+|)(- |\d\. |[^\s].{0,30}? {2,}(?=\S))?", text)
    lead, item = m.group(1), m.group(2) or ""
    return len(lead) + len(item), bool(item) or len(lead) > 0


def blocks(lines):
    """Paragraphs and items as lists of lines; an empty line is a block of its own."""
    out = []
    for i, line in enumerate(lines):
        before = lines[i - 1] if i else ""
        indent, item = hanging(line)
        first_word = line.split(" ", 1)[0] if line.strip() else ""
        ends = before.rstrip().endswith((".", ":", ";")) and len(before) + 4 + len(first_word) <= WIDTH - 2
        goes_on = out and before.strip() and line.strip() and not ends
        if goes_on and item:  # the second line of an item is indented as far as its text
            goes_on = not re.match(r"\s*(- |\d\. )", line) and len(line) - len(line.lstrip()) == hanging(out[-1][0])[0] > 0
        elif goes_on:
            goes_on = hanging(out[-1][0])[0] == 0
        if goes_on:
            out[-1].append(line)
        else:
            out.append([line])
    return out


def wrap(indent, body):
    """The lines of a block comment whose text is body, long lines wrapped."""
    lines = [re.sub(r"^\s*\* ?", "", x) if n else x for n, x in enumerate(body.split("\n"))]
    lines = [x.rstrip() for x in lines]
    room = WIDTH - len(indent) - 3
    filled = []
    made = blocks(lines)
    for n, block in enumerate(made):
        most = room - (3 if n == len(made) - 1 else 0)
        if max(len(x) for x in block) <= most:
            filled += block
            continue
        hang = " " * hanging(block[0])[0]
        start = next(i for i, x in enumerate(block) if len(x) > most)
        text = " ".join(x.strip() for x in block[start:])
        lead = block[0][: len(block[0]) - len(block[0].lstrip())] if start == 0 else hang
        filled += block[:start] + textwrap.wrap(text, most, initial_indent=lead, subsequent_indent=hang,
                                                break_long_words=False, break_on_hyphens=False)
    return ["%s%s%s" % (indent, "/* " if i == 0 else " * " if x else " *", x) for i, x in enumerate(filled)]


def entry(line):
    """An entry X(...) of a .def file on several lines: broken between its arguments, and strings at blanks."""
    m = re.match(r"(\w+\()(.*\).*)$", line)
    parts = re.findall(r'"(?:[^"\\]|\\.)*"[^,"]*(?:, )?|[^,"]+(?:, )?', m.group(2))
    indent = " " * len(m.group(1))
    lines = [m.group(1)]
    for part in parts:
        words = [part]
        if len(indent) + len(part) > WIDTH and part.startswith('"'):
            words = re.findall(r"\S+ ?", part)
        for i, word in enumerate(words):
            open_string = 0 < i < len(words)
            more = len(lines[-1]) + (len(word) + 1 if i + 1 < len(words) else len(word.rstrip()))
            if more > WIDTH or (i == 0 and len(words) > 1 and lines[-1].strip()):
                if open_string:
                    lines[-1] += '"'
                lines[-1] = lines[-1].rstrip(" ") if not open_string else lines[-1]
                lines.append(indent + ('"' if open_string else ""))
            lines[-1] += word
    return "\n".join(x.rstrip() for x in lines)


def main(path):
    text = open(path, encoding="utf-8").read()

    def block(m):
        if all(len(x) <= WIDTH for x in m.group(0).split("\n")):
            return m.group(0)
        lines = wrap(m.group(1), m.group(2).strip())
        return "\n".join(lines) + " */"

    def slashes(m):
        lines = [re.sub(r"^\s*// ?", "", x) for x in m.group(0).rstrip("\n").split("\n")]
        if all(len(m.group(1)) + 3 + len(x) <= WIDTH for x in lines):
            return m.group(0)
        made = wrap(m.group(1), "\n * ".join(lines))
        return "\n".join(re.sub(r"^(\s*?)(/\*| \*)", r"\1//", x) for x in made) + "\n"

    new = re.sub(r"^([ \t]*)/\*(?!\*)((?:(?!\*/).)*)\*/(?=[ \t]*$)", block, text, flags=re.S | re.M)
    new = re.sub(r"(?:^([ \t]*)//[^\n]*\n)(?:^[ \t]*//[^\n]*\n)*", slashes, new, flags=re.M)
    if path.endswith(".def"):
        new = re.sub(r"^\w+\([^\n]{%d,}\)$" % (WIDTH - 10), lambda m: entry(m.group(0)) if len(m.group(0)) > WIDTH else m.group(0),
                     new, flags=re.M)
    if new != text:
        open(path, "w", encoding="utf-8").write(new)


for name in sys.argv[1:]:
    main(name)
