"""A text as the run of its top-level statements, so that what is known of a
statement is known in every text that has it.

A chunk is one such statement with the blank lines and comments in front of it.
A text that differs from another in a few places is read by parsing only what
lies between the statements both have.
"""
import ast
import re

from syntax import first_line

# Text that goes on with the statement before, or that only a whole file judges.
GOES_ON = re.compile(rb"[ \t\f]|(else|elif|except|finally)\b")


class Chunk:
    """Lines of its nodes count from those of the text it was first read in;
    base is its first one there."""

    def __init__(self, src, tree, base):
        self.src, self.tree, self.base = src, tree, base
        self.lines = src.count(b"\n") + (not src.endswith(b"\n"))
        self._kept = {}

    def kept(self, function):
        """function(self), computed once for all texts that have the chunk."""
        if function not in self._kept:
            self._kept[function] = function(self)
        return self._kept[function]

    def kept_as(self, key, compute):
        """compute(), once for this key."""
        if key not in self._kept:
            self._kept[key] = compute()
        return self._kept[key]

    def of_tree(self, function):
        """function(self.tree), computed once."""
        if function not in self._kept:
            self._kept[function] = function(self.tree)
        return self._kept[function]


def cut(src, tree, known):
    """The chunks of a text and its tree; those in known are taken from there."""
    lines = src.splitlines(True)
    groups, ends = [], []
    for stmt in tree.body:
        if ends and first_line(stmt) <= ends[-1]:
            groups[-1].append(stmt)
            ends[-1] = max(ends[-1], stmt.end_lineno)
        else:
            groups.append([stmt])
            ends.append(stmt.end_lineno)
    out, at = [], 0
    for group, end in zip(groups + [[]], ends + [len(lines)]):
        part = b"".join(lines[at:end])
        if part:
            if part not in known:
                known[part] = Chunk(part, ast.Module(body=group, type_ignores=[]), at + 1)
            out.append(known[part])
        at = end
    return out


def patched(src, like, known):
    """The chunks of src given those of a text like it; None when only reading
    all of it can tell."""
    front, start = 0, 0
    while front < len(like) and src.startswith(like[front].src, start):
        start += len(like[front].src)
        front += 1
    back, end = len(like), len(src)
    while back > front and end - len(like[back - 1].src) >= start and src.endswith(like[back - 1].src, start, end):
        back -= 1
        end -= len(like[back].src)
    if front > 0 and continues(src[start:end]):
        front -= 1
        start -= len(like[front].src)
    part = src[start:end]
    clean = part.endswith(b"\n") or not part
    first = part and b"__future__" in src[end:]  # nothing may stand before it
    if first or b"__future__" in part or part.rstrip(b"\r\n").endswith(b"\\") or end < len(src) and not clean:
        return None
    if start and not src[:start].endswith(b"\n"):
        return None
    if part in known:
        return like[:front] + [known[part]] + like[back:]
    try:
        tree = ast.parse(part)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    return like[:front] + cut(part, tree, known) + like[back:]


def continues(part):
    """Whether the first code of a part belongs to the statement before it."""
    for line in part.split(b"\n"):
        said = line.strip()
        if said and not said.startswith(b"#"):
            return GOES_ON.match(line) is not None
    return False
