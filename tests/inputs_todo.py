"""Inputs of the corpus that a test cannot judge yet (tests/inputs.todo): a failure on such an input is skipped, and a
line of that file without a failure is a failure."""
import fnmatch
import os

LIST = os.path.join(os.path.dirname(os.path.abspath(__file__)), "inputs.todo")


class Todo:
    def __init__(self, test, corpus):
        """The lines of one test; none without a corpus."""
        self.corpus = os.path.abspath(corpus) if corpus else None
        self.lines, self.met, self.failing = [], set(), set()
        with open(LIST) as f:
            for line in f:
                words = line.split(None, 2)
                if corpus and not line.startswith("#") and len(words) == 3 and words[0] == test:
                    self.lines.append((words[1], words[2].strip()))

    def word(self, path, ok):
        """The word for a result on an input: "ok", "FAIL", or "skip" when the input is listed and fails."""
        found = False
        for line in self.lines:
            if fnmatch.fnmatch(os.path.relpath(os.path.abspath(path), self.corpus), line[0]):
                found = True
                self.met.add(line)
                if not ok:
                    self.failing.add(line)
        return "ok" if ok else "skip" if found else "FAIL"

    def over(self):
        """Lines that are out of date: their inputs were tested and nothing failed."""
        return ["FAIL nothing under \"%s\" fails any more: take it off tests/inputs.todo" % glob
                for glob, why in sorted(self.met - self.failing)]
