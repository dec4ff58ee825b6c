#!/usr/bin/env python3
"""A screen as a picture: text with SGR sequences on standard input (summary --screen --color 256, tmux capture-pane -e), SVG on standard output.

Blocks, shades and lines are drawn as shapes and text is stretched to its cells, so that the picture is the same with any font."""
import re
import sys
import unicodedata
from xml.sax.saxutils import escape

W, H, PAD = 8, 17, 8  # of a cell; around all
FG, BG = "#d0d0d0", "#15171c"
BASE = ("#000000 #cd3131 #0dbc79 #e5e510 #2472c8 #bc3fbc #11a8cd #e5e5e5 "
        "#666666 #f14c4c #23d18b #f5f543 #3b8eea #d670d6 #29b8db #ffffff").split()


def colour(n):
    if n < 16:
        return BASE[n]
    if n >= 232:
        return "#%02x%02x%02x" % ((8 + 10 * (n - 232),) * 3)
    n -= 16
    level = (0, 95, 135, 175, 215, 255)
    return "#%02x%02x%02x" % (level[n // 36], level[n // 6 % 6], level[n % 6])


class Pen:
    def __init__(self):
        self.reset()

    def reset(self):
        self.fg = self.bg = None
        self.bold = self.dim = self.under = self.reverse = False

    def sgr(self, codes):
        codes = [int(c or 0) for c in re.split("[;:]", codes)]
        while codes:
            c = codes.pop(0)
            if c == 0: self.reset()
            elif c == 1: self.bold = True
            elif c == 2: self.dim = True
            elif c == 4: self.under = True
            elif c == 7: self.reverse = True
            elif c == 22: self.bold = self.dim = False
            elif c == 24: self.under = False
            elif c == 27: self.reverse = False
            elif c in (38, 48):
                kind = codes.pop(0)
                value = colour(codes.pop(0)) if kind == 5 else "#%02x%02x%02x" % tuple(codes.pop(0) for _ in range(3))
                if c == 38: self.fg = value
                else: self.bg = value
            elif 30 <= c <= 37 or 90 <= c <= 97: self.fg = colour(c % 10 + 8 * (c >= 90))
            elif 40 <= c <= 47 or 100 <= c <= 107: self.bg = colour(c % 10 + 8 * (c >= 100))
            elif c == 39: self.fg = None
            elif c == 49: self.bg = None

    def style(self):
        fg, bg = self.fg or FG, self.bg
        if self.reverse: fg, bg = bg or BG, fg
        return fg, bg, self.bold, self.dim, self.under


def shape(ch):
    """Rectangles (x, y, width, height in parts of a cell, opacity) of a character that is drawn; None = it is text."""
    c = ord(ch)
    if 0x2581 <= c <= 0x2588: return [(0, 1 - (c - 0x2580) / 8, 1, (c - 0x2580) / 8, 1)]
    if 0x2589 <= c <= 0x258f: return [(0, 0, (0x2590 - c) / 8, 1, 1)]
    if 0x2591 <= c <= 0x2593: return [(0, 0, 1, 1, (c - 0x2590) / 4)]
    if 0x2800 <= c <= 0x28ff:
        return [(0.15 + 0.5 * (d in (3, 4, 5, 7)), (0.25 * (d % 3) if d < 6 else 0.75) + 0.06, 0.2, 0.12, 1) for d in range(8) if c >> d & 1]
    return {"\u2580": [(0, 0, 1, 0.5, 1)], "\u2500": [(0, 0.47, 1, 0.06, 1)], "\u2502": [(0.44, 0, 0.12, 1, 1)],
            "\u2575": [(0.44, 0, 0.12, 0.5, 1)], "\u254e": [(0.44, 0, 0.12, 0.4, 1), (0.44, 0.6, 0.12, 0.4, 1)]}.get(ch)


def cells(line, pen):
    out, at = [], 0
    for part in re.finditer(r"\x1b\[([0-9;:]*)m|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|([^\x1b])", line):
        if part.group(1) is not None: pen.sgr(part.group(1))
        elif part.group(2):
            if unicodedata.combining(part.group(2)): continue
            wide = unicodedata.east_asian_width(part.group(2)) in "WF"
            out.append((at, part.group(2), pen.style()))
            at += 1 + wide
    return out, at


def main():
    pen, shapes, texts, width = Pen(), {}, [], 0
    lines = sys.stdin.read().rstrip("\n").split("\n")
    number = lambda v: ("%.2f" % v).rstrip("0").rstrip(".")
    for row, line in enumerate(lines):
        drawn, used = cells(line, pen)
        width, y, run = max(width, used), PAD + row * H, None
        for at, ch, style in drawn + [(used, " ", None)]:
            x = PAD + at * W
            if style and style[1]: shapes.setdefault((0, style[1], 1), []).append("M%d %dh%dv%dh-%dz" % (x, y, W, H, W))
            rects = shape(ch) if style else None
            for rx, ry, rw, rh, opacity in rects or ():
                path = "M%s %sh%sv%sh-%sz" % tuple(map(number, (x + rx * W, y + ry * H, rw * W, rh * H, rw * W)))
                shapes.setdefault((1, style[0], opacity * (0.6 if style[3] else 1)), []).append(path)
            ink = style and (style[0],) + style[2:]
            if run and (rects or ink != run[2] or (ch == " " and run[1].endswith(" ")) or style is None):
                texts.append((run[0], y, run[1].rstrip(), run[2]))
                run = None
            if not rects and style and (run or ch != " "):
                run = run or [x, "", ink]
                run[1] += ch
    size = (width * W + 2 * PAD, len(lines) * H + 2 * PAD)
    print('<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" '
          'font-family="DejaVu Sans Mono,Menlo,Consolas,monospace" font-size="13">' % (size * 2))
    print('<rect width="100%%" height="100%%" rx="6" fill="%s"/>' % BG)
    for (_, fill, opacity), paths in sorted(shapes.items()):
        print('<path fill="%s"%s d="%s"/>' % (fill, ' opacity="%s"' % number(opacity) if opacity < 1 else "", "".join(paths)))
    for x, y, text, (fill, bold, dim, under) in texts:
        if text:
            print('<text x="%d" y="%d" textLength="%d" lengthAdjust="spacingAndGlyphs" fill="%s"%s%s%s xml:space="preserve">%s</text>' % (
                x, y + 13, len(text) * W, fill, ' font-weight="bold"' if bold else "", ' opacity=".6"' if dim else "",
                ' text-decoration="underline"' if under else "", escape(text)))
    print("</svg>")


if __name__ == "__main__":
    main()
