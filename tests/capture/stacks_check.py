"""stacks_check.py WHAT TRUTH GOT [PID]: compares stacks with the truth of stacks_program.py. GOT: lines "thread N" with the frames
behind, as `tracetty ctl DIR stacks` and libstackreader.so give them. Of thread PID only the outermost frame is compared."""
import json
import re
import sys

FRAMES, LONGEST = 128, 400
what, truth_path, got_path = sys.argv[1:4]


def shown(text):
    """As the recorder writes a text: the end of a long one, without characters that are no text."""
    text = "..." + text[-LONGEST:] if len(text) > LONGEST else text
    return re.sub("[\x00-\x1f\x7f-\x9f\ud800-\udfff\u200e\u200f\u2028-\u202e\u2066-\u2069]", "\ufffd", text)


def frame(line):
    file, number, name = re.fullmatch(r"(.*)\((\d+)\): (.*)", line, re.S).groups()
    return "%s(%s): %s" % (shown(file), number, shown(name))


with open(truth_path) as f:
    want = {int(tid): [frame(line) for line in lines] for tid, lines in json.load(f).items()}
got, lines = {}, None
with open(got_path, encoding="utf-8") as f:  # fails when it is no UTF-8
    for line in f.read().split("\n"):
        thread = re.match(r" *thread (\d+)", line)
        if thread:
            lines = got[int(thread.group(1))] = []
        elif lines is not None and line:
            lines.append(line[4:] if line.startswith("    ") else line)
wrong = []
for tid, frames in want.items():
    if len(frames) > FRAMES:
        frames = frames[:FRAMES] + ["(more frames)"]
    have = got.get(tid, ["no such thread"])
    if sys.argv[4:] == [str(tid)]:
        frames, have = frames[-1:], have[-1:]
        frames = [re.sub(r"\(\d+\)", "", x) for x in frames]
        have = [re.sub(r"\(\d+\)", "", x) for x in have]
    if have != frames:
        at = next((i for i, (a, b) in enumerate(zip(have + [""], frames + [""])) if a != b), 0)
        wrong.append("thread %d: %d frames of %d; frame %d is %r, not %r" % (tid, len(have), len(frames), at, (have + [""])[at], (frames + [""])[at]))
wrong += ["thread %d is none of the program" % tid for tid in set(got) - set(want)]
print("FAIL %s: %s" % (what, "; ".join(wrong[:3])) if wrong else "ok %s: %d threads" % (what, len(want)))
