#!/usr/bin/env python3
"""columns.py: screens and outputs name columns of tables by enumerators (columns.h beside the maker of a table), never
by text.

Prints what is wrong: an enumerator whose descriptor has another key, an enumerator without a descriptor or with
several, and a look-up by text in their folders. tui/table also looks up keys that a person wrote (settings,
the commands of columns and conditions): there no key may be a literal."""
import pathlib
import re

FOLDERS = ['screens', 'screen', 'charts', 'timeline', 'app', 'pair', 'flame', 'output', 'table']
BY_TEXT = re.compile(r'\btt_table_(known_column|column|cell_of)\(')
LITERAL = re.compile(r'\btt_table_(known_column|column|cell_of)\([^;]*"')


def enumerators():
    return {name: path for path in pathlib.Path('model/tables').rglob('columns.h')
            for name in re.findall(r'^\s+(TT_[A-Z0-9_]+),?$', path.read_text(), re.M)}


def described():
    """(enumerator, key) of every designated column descriptor."""
    for path in pathlib.Path('model/tables').rglob('*.c'):
        text = path.read_text()
        macros = dict(re.findall(r'#define (\w+_COLUMN)\b[\s\\]*COL\w*\(\s*"(\w+)"', text))
        for name, what, key in re.findall(r'\[(TT_[A-Z0-9_]+)\] =\s*(\{\.key = |COL\w*\(\s*|\w+_COLUMN)(?:"(\w+)")?', text):
            yield name, key or macros.get(what, '')


def main():
    known, seen = enumerators(), {}
    for name, key in described():
        if name not in known:
            continue
        seen[name] = seen.get(name, 0) + 1
        if not name.endswith('_' + re.sub('_ns$', '', key).upper()):
            print(f'{known[name]}: {name} is not named after its key "{key}"')
    for name, path in known.items():
        if seen.get(name, 0) != 1:
            print(f'{path}: {name} describes {seen.get(name, 0)} columns')
    for folder in FOLDERS:
        for path in sorted(pathlib.Path('tui', folder).rglob('*.[ch]')):
            for number, line in enumerate(path.read_text().split('\n'), 1):
                if (LITERAL if folder == 'table' else BY_TEXT).search(line):
                    print(f'{path}:{number}: {line.strip()}')


main()
