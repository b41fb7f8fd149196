"""One version of a Python file: its bytes, tree, tokens and offsets.

Positions of the ast module are lines from 1 and UTF-8 byte columns; edits are
byte offsets into the file as it is, whatever its encoding and line ends.
"""
import ast
import functools
import io
import itertools
import re
import tokenize
import warnings

import chunks

warnings.simplefilter("ignore")


class Text:
    """error is None, or says in words why the text is not Python. absent is
    set on the empty text that stands for a file that is not there. like is a
    text that has most of it: what they share is not read again."""

    absent = False

    def __init__(self, src, like=None):
        self.src = src
        self.error, self.error_line = None, 1
        # A lone carriage return ends a line for Python but not for git.
        self.odd = b"\r" in src and re.search(rb"\r(?!\n)", src) is not None
        self.encoding, self.chunks = "utf-8", []
        self.known = like.known if like is not None else {}  # {text: Chunk} of all texts like this
        self._tree, self._kept, self._variants = None, {}, {}
        try:
            self.read(like)
        except SyntaxError as e:
            self.error = "line %s: %s" % (e.lineno or 1, e.msg)
            self.error_line = e.lineno or 1
        except (ValueError, RecursionError, MemoryError) as e:
            self.error = str(e) or type(e).__name__

    def read(self, like):
        self.encoding = tokenize.detect_encoding(io.BytesIO(self.src).readline)[0]
        plain = self.encoding == "utf-8" and not self.odd
        if plain and like is not None and like.parses and like.chunks:
            found = chunks.patched(self.src, like.chunks, self.known)
            if found is not None and all(c.kept(compiles) for c in found):
                self.chunks = found
                return
        self._tree = ast.parse(self.src)
        if plain:
            self.chunks = chunks.cut(self.src, self._tree, self.known)
        else:
            self.chunks = [chunks.Chunk(self.src, self._tree, 1)]
        if b"__future__" in self.src or not all(c.kept(compiles) for c in self.chunks):
            compile(self.src, "head", "exec", dont_inherit=True)

    @property
    def parses(self):
        return self.error is None

    @property
    def tree(self):
        """The whole tree, read when first asked for; None when it does not parse."""
        if self._tree is None and self.parses:
            self._tree = ast.parse(self.src)
        return self._tree if self.parses else None

    @functools.cached_property
    def lines(self):
        return self.src.split(b"\n")

    @functools.cached_property
    def starts(self):
        """The byte offset of each line."""
        return list(itertools.accumulate((len(line) + 1 for line in self.lines), initial=0))

    @functools.cached_property
    def places(self):
        """[(chunk, its first line)] in order."""
        out, at = [], 1
        for c in self.chunks:
            out.append((c, at))
            at += c.lines
        return out

    def between(self, first, last):
        """The (chunk, first line) that have a line of [first, last]."""
        return [(c, at) for c, at in self.places if at <= last and at + c.lines > first]

    def variant(self, src):
        """The text src, which has most of this one; the same src is read once."""
        if src == self.src:
            return self
        if src not in self._variants:
            self._variants[src] = Text(src, self)
        return self._variants[src]

    def kept(self, function):
        """function(self), computed once: head is asked about for every unit."""
        if function not in self._kept:
            self._kept[function] = function(self)
        return self._kept[function]

    def of_tree(self, function):
        """function(self.tree), computed once; from what is known of its
        statements where the function can be merged."""
        if function not in self._kept:
            merge = getattr(function, "merge", None)
            self._kept[function] = merge(self.each(function)) if merge and self.parses else function(self.tree)
        return self._kept[function]

    def each(self, function):
        """[(function(tree), how far its lines are from those here)] of the statements."""
        return [(c.of_tree(function), at - c.base) for c, at in self.places]

    def kept_as(self, key, compute):
        """compute(), once for this key."""
        if key not in self._kept:
            self._kept[key] = compute()
        return self._kept[key]

    def offset(self, line, col):
        """The byte offset of a position of the ast module."""
        raw = self.lines[line - 1]
        if line == 1 and raw.startswith(b"\xef\xbb\xbf"):
            return 3 + col
        if self.encoding not in ("utf-8", "utf-8-sig"):
            text = raw.decode(self.encoding)
            col = len(text.encode("utf-8")[:col].decode("utf-8", "ignore").encode(self.encoding))
        return self.starts[line - 1] + col

    def line_start(self, line):
        """The byte offset at which a line starts; the end of the file beyond it."""
        if line - 1 < len(self.lines):
            return self.starts[line - 1]
        return len(self.src)

    def end_of_line(self):
        return b"\r\n" if b"\r\n" in self.src else b"\n"

    def indent(self, line):
        """The white space that starts a line."""
        return re.match(rb"[ \t\f]*", self.lines[line - 1]).group()

    def tokens(self):
        """All tokens; those up to the first error when the text is broken."""
        return self.kept(tokens)

    def comments(self):
        """(line, text without the mark) of every comment."""
        if not self.parses:
            return [(t.start[0], t.string[1:]) for t in self.tokens() if t.type == tokenize.COMMENT]
        found = [(c.kept(commented), at - 1) for c, at in self.places]
        return [(line + shift, said) for told, shift in found for line, said in told]

    def code_lines(self, first, last):
        """The lines of [first, last] that hold a token of code."""
        if not self.parses:
            return sorted(n for n in coded(self) if first <= n <= last)
        found = {line + at - 1 for c, at in self.between(first, last) for line in c.kept(coded)}
        return sorted(n for n in found if first <= n <= last)


BLANK = (tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER,
         tokenize.ENCODING)


def tokens(text):
    """The tokens of a text or a chunk, lines from its own first one."""
    found = []
    try:
        for t in tokenize.tokenize(io.BytesIO(text.src).readline):
            found.append(t)
    except (tokenize.TokenError, SyntaxError, ValueError):
        pass
    return found


def coded(text):
    """The lines with code, counted from its own first one."""
    return {n for t in tokens(text) if t.type not in BLANK for n in range(t.start[0], t.end[0] + 1)}


def commented(chunk):
    if b"#" not in chunk.src:
        return []
    return [(t.start[0], t.string[1:]) for t in chunk.kept(tokens) if t.type == tokenize.COMMENT]


def compiles(chunk):
    """Whether the compiler takes it: trees can be wrong where the grammar is right."""
    try:
        return chunk.kept(compiled) is not None
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False


def compiled(chunk):
    return compile(chunk.tree, "head", "exec", dont_inherit=True)


def absent():
    """The text of a file that is not there."""
    text = Text(b"")
    text.absent = True
    return text
