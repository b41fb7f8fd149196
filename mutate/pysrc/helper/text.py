"""One version of a Python file: its bytes, tree, tokens and offsets.

Positions of the ast module are lines from 1 and UTF-8 byte columns; edits are
byte offsets into the file as it is, whatever its encoding and line ends.
"""
import ast
import io
import re
import tokenize
import warnings

warnings.simplefilter("ignore")

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
SCOPES = FUNCTIONS + (ast.ClassDef,)


class Text:
    """error is None, or says in words why the text is not Python. absent is
    set on the empty text that stands for a file that is not there."""

    absent = False

    def __init__(self, src):
        self.src = src
        self.tree = None
        self.error, self.error_line = None, 1
        # A lone carriage return ends a line for Python but not for git.
        self.odd = re.search(rb"\r(?!\n)", src) is not None
        self.lines = src.split(b"\n")
        self.starts = [0]
        for line in self.lines:
            self.starts.append(self.starts[-1] + len(line) + 1)
        try:
            self.encoding = tokenize.detect_encoding(io.BytesIO(src).readline)[0]
            self.tree = ast.parse(src)
            compile(src, "head", "exec", dont_inherit=True)
        except SyntaxError as e:
            self.tree = None
            self.error = "line %s: %s" % (e.lineno or 1, e.msg)
            self.error_line = e.lineno or 1
        except (ValueError, RecursionError, MemoryError) as e:
            self.tree = None
            self.error = str(e) or type(e).__name__
        self._tokens = None
        self._kept = {}

    def kept(self, function):
        """function(self), computed once: head is asked about for every unit."""
        if function not in self._kept:
            self._kept[function] = function(self)
        return self._kept[function]

    def of_tree(self, function):
        """function(self.tree), computed once."""
        if function not in self._kept:
            self._kept[function] = function(self.tree)
        return self._kept[function]

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
        if self._tokens is None:
            self._tokens = []
            try:
                for t in tokenize.tokenize(io.BytesIO(self.src).readline):
                    self._tokens.append(t)
            except (tokenize.TokenError, SyntaxError, ValueError):
                pass
        return self._tokens

    def comments(self):
        """(line, text without the mark) of every comment."""
        return [(t.start[0], t.string[1:]) for t in self.tokens() if t.type == tokenize.COMMENT]

    def code_lines(self, first, last):
        """The lines of [first, last] that hold a token of code."""
        blank = (tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT,
                 tokenize.ENDMARKER, tokenize.ENCODING)
        found = set()
        for t in self.tokens():
            if t.type not in blank:
                found.update(range(max(first, t.start[0]), min(last, t.end[0]) + 1))
        return sorted(found)


def nodes(tree):
    """Every node of a tree, walked once; only for trees that stay as they are."""
    if not hasattr(tree, "assay_nodes"):
        tree.assay_nodes = list(ast.walk(tree))
    return tree.assay_nodes


def absent():
    """The text of a file that is not there."""
    text = Text(b"")
    text.absent = True
    return text


def first_line(node):
    """The first line of a statement, its decorators included."""
    return min([node.lineno] + [d.lineno for d in getattr(node, "decorator_list", [])])


def suites(node):
    """The statement lists directly inside a node."""
    out = []
    for field in ("body", "orelse", "finalbody"):
        value = getattr(node, field, None)
        if isinstance(value, list) and value and isinstance(value[0], ast.stmt):
            out.append(value)
    for field in ("handlers", "cases"):
        for part in getattr(node, field, None) or []:
            out.append(part.body)
    return out


def is_docstring(stmt):
    value = getattr(stmt, "value", None) if isinstance(stmt, ast.Expr) else None
    return isinstance(value, ast.Constant) and isinstance(value.value, str)


def last_name(node):
    """The last part of a dotted name, or of what is called: "c" for a.b.c(1)."""
    if isinstance(node, ast.Call):
        node = node.func
    if isinstance(node, ast.Subscript):
        return last_name(node.value)
    if isinstance(node, ast.Attribute):
        return node.attr
    return getattr(node, "id", "")


def type_checking(node):
    return isinstance(node, ast.If) and last_name(node.test) == "TYPE_CHECKING"
