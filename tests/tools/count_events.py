#!/usr/bin/env python3
"""Counts the events of a Chrome trace independently of tracetty: objects with a string "ph"; prints one number for
each file.

It accepts everything that the format does: gzip, array or object form, an array that was never closed or ends in a
comma, control characters in strings, invalid UTF-8."""
import gzip
import json
import sys


def text_of(path):
    data = open(path, "rb").read()
    if data[:2] == b"\x1f\x8b":
        data = gzip.decompress(data)
    return data.decode("utf-8", "replace").lstrip("\ufeff")


def events_of(text):
    decoder = json.JSONDecoder(strict=False)
    try:
        doc = decoder.decode(text)
        return doc if isinstance(doc, list) else doc.get("traceEvents") or []
    except ValueError:
        pass
    # element by element, up to the first that is no JSON
    at = text.find("[", max(text.find('"traceEvents"'), 0)) + 1
    out = []
    while True:
        while at < len(text) and text[at] in " \t\r\n,":
            at += 1
        try:
            value, at = decoder.raw_decode(text, at)
        except ValueError:
            return out
        out.append(value)


def count(path):
    return sum(1 for e in events_of(text_of(path)) if isinstance(e, dict) and isinstance(e.get("ph"), str))


if __name__ == "__main__":
    for name in sys.argv[1:]:
        print(count(name), name)
