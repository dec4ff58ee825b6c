"""Writes an SQLite file that is byte-equal for every time and SQLite version."""
import os
import sqlite3
import struct

VERSION_AT = 96       # place in the file's header: version of the library that wrote it last
VERSION = 3040001
TYPES = {"t": "TEXT", "r": "REAL", "b": "BIGINT", "k": "INTEGER PRIMARY KEY"}


def columns(text):
    """Column names of a list like "start end name:t id:k", and their SQL declarations."""
    names, lines = [], []
    for word in text.split():
        name, _, kind = word.partition(":")
        names.append(name)
        lines.append('"%s" %s' % (name, TYPES.get(kind, "INTEGER")))
    return names, ", ".join(lines)


class File:
    """with File(path) as f: f.table("NAME", "id:k name:t", rows of dicts)"""
    def __init__(self, path, page_size=4096):
        self.path = path
        if os.path.exists(path):
            os.remove(path)
        self.db = sqlite3.connect(path, isolation_level=None)
        for pragma in "page_size=%d" % page_size, "journal_mode=OFF", "synchronous=OFF":
            self.db.execute("PRAGMA " + pragma)
        self.db.execute("BEGIN")

    def table(self, name, text, rows=()):
        """Adds a table. Members of a row without a column are dropped, because that version of the format does not
        write them."""
        names, sql = columns(text)
        self.db.execute('CREATE TABLE "%s" (%s)' % (name, sql))
        self.db.executemany('INSERT INTO "%s" VALUES (%s)' % (name, ",".join("?" * len(names))), [[r.get(n) for n in names] for r in rows])

    def view(self, name, of):
        self.db.execute('CREATE VIEW "%s" AS SELECT * FROM "%s"' % (name, of))

    def __enter__(self):
        return self

    def __exit__(self, kind, *_):
        if kind is None:
            self.db.execute("COMMIT")
        self.db.close()
        if kind is None:
            with open(self.path, "r+b") as f:
                f.seek(VERSION_AT)
                f.write(struct.pack(">I", VERSION))


class Strings:
    """Ids of texts in the order of first use, from FIRST on."""
    def __init__(self, first=0):
        self.first, self.ids = first, {}

    def __call__(self, text):
        return self.ids.setdefault(text, self.first + len(self.ids))

    def rows(self, column):
        return [{"id": i, column: text} for text, i in self.ids.items()]
