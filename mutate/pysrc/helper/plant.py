"""Where a unit is reached, and the positive control planted there."""
import ast

from syntax import FUNCTIONS, first_line, is_docstring, suites

FAILURE = b'raise BaseException("assay: planted failure")'


def place(text, first, count, indent):
    """{"edits": [[offset, text]], "body": [line, count], "import_time": bool}.

    first and count are the unit's lines at head as git counts them; indent is
    that of the first line of code on the base side, or None.
    """
    planter = text.kept(Planter)
    last = first + count - 1 if count else first
    touched = text.code_lines(first, last) if count else []
    spots, body, import_time = planter.lines(touched) if touched else planter.gap(last, indent)
    edits = [planter.edit(s) for s in spots]
    if not edits or not compiles(text, edits):
        edits = []
    return {"edits": edits, "body": body, "import_time": import_time}


def compiles(text, edits):
    src, at = b"", 0
    for off, new in sorted(edits):
        src += text.src[at:off] + new
        at = off
    return text.variant(src + text.src[at:]).parses


class Planter:
    def __init__(self, text):
        self.text = text
        self.parents = {}
        self.suite_of = {}
        self.stmts = []
        self.index(text.tree)
        future = [n for n in text.tree.body if isinstance(n, ast.ImportFrom) and n.module == "__future__"]
        self.earliest = future[-1].end_lineno if future else 0

    def index(self, node, owner=None):
        for suite in ([node.body] if isinstance(node, ast.Module) else suites(node)):
            for stmt in suite:
                self.stmts.append(stmt)
                self.parents[stmt] = owner
                self.suite_of[stmt] = suite
                self.index(stmt, stmt)

    def innermost(self, line):
        best = None
        for s in self.stmts:
            if first_line(s) <= line <= s.end_lineno and (best is None or self.depth(s) > self.depth(best)):
                best = s
        return best

    def at(self, statement):
        """The node of the whole tree for one that same.differing found."""
        return next(s for s in self.stmts if type(s) is type(statement.node) and first_line(s) == statement.at
                    and s.col_offset == statement.node.col_offset)

    def depth(self, s):
        n = 0
        while s is not None:
            s, n = self.parents[s], n + 1
        return n

    def is_elif(self, s):
        """An elif is an if that stands alone in the orelse of another and does not say "if"."""
        parent = self.parents[s]
        if not isinstance(s, ast.If) or not isinstance(parent, ast.If) or s not in parent.orelse:
            return False
        off = self.text.offset(s.lineno, s.col_offset)
        return self.text.src[off:off + 4] == b"elif"

    def in_function(self, s):
        while s is not None:
            if isinstance(self.parents[s], FUNCTIONS):
                return True
            s = self.parents[s]
        return False

    def lines(self, touched):
        """For a unit with code of its own: the start of every function whose
        header it touches, and the first touched statement of every other suite."""
        telling = [n for n in touched if not is_docstring(self.innermost(n))] or touched
        spots, body_end, import_time = [], touched[-1], False
        entered, suites_used = [], []
        for line in telling:
            s = self.innermost(line)
            if s is None or self.inside(s, entered):
                continue
            if isinstance(s, FUNCTIONS):
                entered.append(s)
                body_end = max(body_end, s.end_lineno)
                import_time = import_time or line < s.lineno  # a decorator
                spots.append(self.start_of(s))
                continue
            if isinstance(s, ast.ClassDef) and self.has_methods(s, touched):
                continue  # reached through its methods
            s = self.branch(s, line, touched)
            while self.is_elif(s):
                s = self.parents[s]
            import_time = import_time or not self.in_function(s)
            if not any(u is self.suite_of[s] for u in suites_used):
                suites_used.append(self.suite_of[s])
                spots.append(("before", s))
        return spots, [touched[0], body_end - touched[0] + 1], import_time

    def inside(self, s, functions):
        while s is not None:
            if s in functions:
                return True
            s = self.parents[s]
        return False

    def has_methods(self, cls, touched):
        """Whether the unit is a whole class, from its header on, with methods."""
        methods = any(isinstance(m, FUNCTIONS) and m.lineno in touched for m in cls.body)
        return methods and first_line(cls) in touched

    def branch(self, s, line, touched):
        """For the bare header of an else or finally: the first statement of its
        suite, if the unit has it; else the whole statement."""
        if not self.text.lines[line - 1].lstrip().startswith((b"else", b"finally")):
            return s
        below = [x[0] for x in suites(s) if x[0].lineno > line]
        if below:
            start = min(below, key=lambda x: x.lineno)
            if start.lineno in touched and not self.is_elif(start):
                return start
        return s

    def start_of(self, fn):
        """The start of a function's body, behind its docstring."""
        if is_docstring(fn.body[0]):
            if len(fn.body) == 1:
                return ("after", fn.body[0])
            return ("before", fn.body[1])
        return ("before", fn.body[0])

    def gap(self, after, indent):
        """For a unit without code at head, which stands behind line `after`."""
        inside = None
        for s in self.stmts:  # a simple statement around the gap
            if first_line(s) <= after < s.end_lineno and not suites(s):
                inside = s
        if inside is not None:
            return self.spot("before", inside)
        following = [s for s in self.stmts if first_line(s) > after]
        nxt = min(following, key=lambda s: (first_line(s), s.col_offset, self.depth(s)), default=None)
        header = self.innermost(after)
        if header is not None and isinstance(header, FUNCTIONS) and header.body and after < first_line(header.body[0]) and indent is not None and nxt is header.body[0]:
            return self.spot(*self.start_of(header))
        if nxt is not None and (indent is None or len(self.text.indent(first_line(nxt))) >= len(indent)):
            while self.is_elif(nxt):
                nxt = self.parents[nxt]
            return self.spot("before", nxt)
        ended = [s for s in self.stmts if s.end_lineno <= after and self.text.indent(first_line(s)) == indent]
        if ended:
            prev = max(ended, key=lambda s: s.end_lineno)
            leaves = isinstance(prev, (ast.Return, ast.Raise, ast.Continue, ast.Break))
            return self.spot("before" if leaves else "after", prev)
        return self.spot("before", nxt) if nxt is not None else ([], [after, 0], True)

    def spot(self, kind, s):
        return [(kind, s)], [first_line(s), s.end_lineno - first_line(s) + 1], not self.in_function(s)

    def edit(self, spot, what=FAILURE):
        """[offset, text] of one statement, by default a failure."""
        kind, s = spot
        text = self.text
        if kind == "before" and first_line(s) <= self.earliest and self.parents[s] is None:
            return [text.line_start(self.earliest + 1), what + text.end_of_line()]
        at = text.offset(s.lineno, s.col_offset)
        alone = text.src[text.line_start(s.lineno):at].strip(b" \t\f\xef\xbb\xbf") == b""
        if kind == "after":
            if not alone:
                end = text.offset(s.end_lineno, s.end_col_offset)
                return [end, b"; " + what]
            end = text.line_start(s.end_lineno + 1)
            lead = b"" if end == 0 or text.src[end - 1:end] == b"\n" else text.end_of_line()
            return [end, lead + text.indent(s.lineno) + what + text.end_of_line()]
        if not alone:
            return [at, what + b"; "]
        line = first_line(s)
        return [text.line_start(line) + (3 if line == 1 and text.src.startswith(b"\xef\xbb\xbf") else 0),
                text.indent(line) + what + text.end_of_line()]
