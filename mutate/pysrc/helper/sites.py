"""One node of a file as an operator sees it, and the tokens around it.

Positions of expressions leave out the parentheses around them, and operators
have no positions at all; both are found among the tokens.
"""
import ast
import bisect
import io
import tokenize

from syntax import FUNCTIONS

QUIET = (tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENCODING, tokenize.ENDMARKER)
LONGEST = 40  # characters of source that a description shows
SCOPES = FUNCTIONS + (ast.ClassDef,)


class Source:
    """The tokens of a Text, by byte offset."""

    def __init__(self, text):
        self.text = text
        self.encoding = "utf-8" if text.encoding == "utf-8-sig" else text.encoding
        self.starts, self.ends, self.words = [], [], []
        for t in tokenize.tokenize(io.BytesIO(text.src).readline):
            if t.type not in QUIET:
                self.starts.append(self.place(t.start))
                self.ends.append(self.place(t.end))
                self.words.append(t.string)

    def place(self, position):
        """The byte offset of a position of the tokenize module, which counts characters."""
        line, col = position
        raw = self.text.lines[line - 1] if line <= len(self.text.lines) else b""
        mark = 3 if line == 1 and raw.startswith(b"\xef\xbb\xbf") else 0
        before = raw[mark:].decode(self.encoding)[:col]
        return self.text.line_start(line) + mark + len(before.encode(self.encoding))

    def after(self, offset):
        """The number of the first token that starts at or behind an offset."""
        return bisect.bisect_left(self.starts, offset)

    def find(self, word, first, last):
        """(start, end) of the first token that reads word within the bytes, or None."""
        for i in range(self.after(first), self.after(last)):
            if self.words[i] == word:
                return self.starts[i], self.ends[i]
        return None

    def before(self, offset):
        """(start, end, word) of the token that ends last at or before an offset."""
        i = bisect.bisect_right(self.ends, offset) - 1
        return self.starts[i], self.ends[i], self.words[i]

    def behind(self, offset):
        """(start, end, word) of the first token at or behind an offset."""
        i = min(self.after(offset), len(self.starts) - 1)
        return self.starts[i], self.ends[i], self.words[i]


class Site:
    """A node with those around it. Operators call propose and the like; what
    they propose goes to found as (start, end, description, splices)."""

    def __init__(self, source):
        self.source, self.text = source, source.text
        self.stack, self.found = [], []

    @property
    def node(self):
        return self.stack[-1]

    def above(self, n):
        """The n-th node around this one; None beyond the module."""
        return self.stack[-1 - n] if n < len(self.stack) else None

    def around(self):
        """The nodes from this one outwards, each with the one inside it."""
        inner = None
        for node in reversed(self.stack):
            yield node, inner
            inner = node

    def within(self, test):
        """Whether the node or one around it, up to the innermost function, has a property."""
        for node, inner in self.around():
            if test(node, inner):
                return True
            if isinstance(node, FUNCTIONS + (ast.Lambda,)):
                return False
        return False

    def function(self):
        """The innermost function around the node that is not its own, or None."""
        for node in reversed(self.stack[:-1]):
            if isinstance(node, FUNCTIONS + (ast.Lambda,)):
                return node
        return None

    def declared(self):
        """The outermost function around the node, named as sections are, or ""."""
        names = []
        for node in self.stack:
            if isinstance(node, SCOPES):
                names.append(node.name)
            if isinstance(node, FUNCTIONS):
                return "def " + ".".join(names)
        return ""

    def start(self, node):
        """Where a node begins, its decorators included."""
        decorators = getattr(node, "decorator_list", None)
        if decorators:
            return self.source.before(self.outer(decorators[0])[0])[0]
        return self.text.offset(node.lineno, node.col_offset)

    def end(self, node):
        return self.text.offset(node.end_lineno, node.end_col_offset)

    def outer(self, node):
        """(start, end) of an expression with the parentheses around it, those
        of a call not."""
        start, end = self.text.offset(node.lineno, node.col_offset), self.end(node)
        while True:
            first, behind = self.source.before(start), self.source.behind(end)
            if first[2] != "(" or behind[2] != ")" or first[1] > start or self.calls(first[0]):
                return start, end
            start, end = first[0], behind[1]

    def calls(self, opening):
        """Whether the parenthesis at an offset is that of a call or a definition."""
        before = self.source.before(opening)
        return before[1] <= opening and (before[2] in (")", "]", "}") or before[2][-1:] in "\"'" or is_name(before[2]))

    def bytes(self, node):
        return self.text.src[self.start(node):self.end(node)]

    def brief(self, node):
        """The source of a node on one line, cut when it is long."""
        return self.shown(self.bytes(node))

    def shown(self, raw):
        said = " ".join(raw.decode(self.source.encoding, "replace").split())
        return said if len(said) <= LONGEST else said[:LONGEST - 1] + "\u2026"

    def propose(self, start, end, description, *splices):
        """A mutant about the bytes [start, end). A splice is (start, end, text)."""
        self.found.append((start, end, description, [(a, b, self.encode(t)) for a, b, t in splices]))

    def encode(self, text):
        return text if isinstance(text, bytes) else text.encode(self.source.encoding)

    def instead(self, node, text, description=None):
        """A mutant with another text in the place of a node."""
        start, end = self.start(node), self.end(node)
        shown = text if isinstance(text, str) else self.shown(text)
        self.propose(start, end, description or self.brief(node) + " becomes " + shown, (start, end, text))

    def swap(self, about, first, last, old, new):
        """A mutant with another operator; old is its words, found within the bytes."""
        words, at = old.split(), first
        places = []
        for word in words:
            found = self.source.find(word, at, last)
            if found is None:
                return
            places.append(found)
            at = found[1]
        start, end = self.start(about), self.end(about)
        self.propose(start, end, "%s: %s becomes %s" % (self.brief(about), old, new), (places[0][0], places[-1][1], new))

    def removed(self, stmt):
        """A mutant without a statement."""
        self.instead(stmt, "pass", self.brief(stmt) + " is removed")

    def suite(self, body):
        """(start, end) of the statements of a suite."""
        return self.start(body[0]), self.end(body[-1])

    def emptied(self, what, body):
        """A mutant whose suite does nothing."""
        if not all(does_nothing(s) for s in body):
            start, end = self.suite(body)
            self.propose(start, end, what + " is emptied", (start, end, "pass"))

    def drop(self, start, end):
        """The splice that takes an item out of a list, with the comma that divides it from the rest."""
        behind = self.source.behind(end)
        if behind[2] == ",":
            following = self.source.behind(behind[1])
            return start, following[0] if self.same_line(behind[1], following[0]) else behind[1], ""
        before = self.source.before(start)
        return (before[0], end, "") if before[2] == "," else (start, end, "")

    def same_line(self, start, end):
        return b"\n" not in self.text.src[start:end]


def is_name(word):
    """Whether what follows a word in parentheses is its arguments."""
    return word.isidentifier() and word not in KEYWORDS


# What may stand before a parenthesis that only groups.
KEYWORDS = frozenset(
    "and as assert async await case del elif else except finally for from if import in is lambda match not or raise return "
    "while with yield".split())


def does_nothing(stmt):
    """Whether a statement is pass, an ellipsis or a docstring."""
    return isinstance(stmt, ast.Pass) or isinstance(stmt, ast.Expr) and isinstance(stmt.value, ast.Constant)


def is_constant(node, *values):
    """Whether a node is one of the constants None, True, False and Ellipsis."""
    return isinstance(node, ast.Constant) and any(node.value is v for v in values)


def is_texty(node):
    """Whether an expression can be seen to be a text or a list, for which
    arithmetic has no meaning."""
    if isinstance(node, ast.BinOp):
        return is_texty(node.left) or is_texty(node.right)
    return isinstance(node, (ast.JoinedStr, ast.List, ast.Tuple, ast.ListComp, ast.Dict)) or (
        isinstance(node, ast.Constant) and isinstance(node.value, (str, bytes)))


def negated(test):
    """Whether a condition says nothing that another operator would turn round."""
    return isinstance(test, (ast.Name, ast.Call, ast.Attribute, ast.Subscript, ast.NamedExpr, ast.Await))
