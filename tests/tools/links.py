#!/usr/bin/env python3
"""Links of the documents in a folder: links.py FOLDER prints those to files that are not below it, or to headings that
their document does not have, and fails if there are any.
Documents are README.md and assets/doc/*.md, as in the repository, the portable archive and share/doc/tracetty."""
import glob
import os
import re
import sys

LINK = re.compile(r"\]\(([^)\s]+)[^)]*\)|(?:src|href)=\"([^\"]+)\"")


def anchors(path):
    """Anchors of a document's headings, as GitHub makes them."""
    with open(path, encoding="utf-8") as f:
        return {re.sub(r"[^\w\- ]", "", h.lower()).replace(" ", "-") for h in re.findall(r"^#+ (.*)$", f.read(), re.M)}


def broken(folder):
    """(document, link) of every link to a missing file or heading; the second value counts the links that were
    followed."""
    top = os.path.realpath(folder)
    missing, followed = [], 0
    for path in [top + "/README.md"] + sorted(glob.glob(top + "/assets/doc/*.md")):
        with open(path, encoding="utf-8") as f:
            text = re.sub(r"^```.*?^```$|^    .*?$|`[^`\n]*`", "", f.read(), flags=re.M | re.S)
        for link in (a or b for a, b in LINK.findall(text)):
            if re.match(r"[a-z]+:", link):
                continue
            followed += 1
            name, _, anchor = link.partition("#")
            target = os.path.realpath(os.path.join(os.path.dirname(path), name)) if name else path
            if not target.startswith(top + "/") or not os.path.exists(target) or anchor and anchor not in anchors(target):
                missing.append((os.path.relpath(path, top), link))
    return missing, followed


def main():
    missing, followed = broken(sys.argv[1])
    for path, link in missing:
        print("%s: %s is not there" % (path, link))
    if not followed:
        print("no link was found")
    sys.exit(bool(missing) or not followed)


if __name__ == "__main__":
    main()
