"""The whole change un-done under head's tests.

A test that certainly cannot work without the change says nothing about it, and
one such import would keep the other tests of its file from running. So what
cannot work is taken out and named: the imported name, and the top-level test
or class, or the test of a class, that needs it. Lines keep their numbers.
"""
import ast

from added import Added
from syntax import FUNCTIONS, SCOPES, first_line, last_name

MOST = 400  # things taken out of the tests of one change


def whole(world, units):
    """(state, names of what was taken out)."""
    cut = Cut(world)
    while True:
        state = world.state(units, cut.added())
        found = first_of_tests(world, state)
        if found is None or len(cut.names) >= MOST or not cut.remove(state, found):
            return state, cut.names


def first_of_tests(world, state):
    """The first Finding in a file that is not un-done; how base's own code
    stands is base's affair."""
    for path in state.touched:
        if not state.text(path).parses:
            return None
    for f in state.all():
        if f.path not in {world.units[u].path for u in state.units}:
            return f
    return None


class Cut:
    """What was taken out, file by file, as lines of head."""

    def __init__(self, world):
        self.world, self.names = world, []
        self.gone = {}      # path: statements of head
        self.imports = {}   # path: {import statement: names taken out}

    def added(self):
        out = []
        for path in sorted(set(self.gone) | set(self.imports)):
            head = self.world.head(path)
            dropped = self.gone.get(path, [])
            inner = {n for d in dropped for n in ast.walk(d)}
            outer = [d for d in dropped if not any(d is not e and d in ast.walk(e) for e in dropped)]
            out += [blank(path, head, d, suite_left(head.tree, d, dropped)) for d in outer]
            for node, names in self.imports.get(path, {}).items():
                if node not in inner:
                    out.append(shorter(path, head, node, names))
        return out

    def remove(self, state, found):
        """Takes out what the finding is about; False when there is nothing to."""
        path = found.path
        head = self.world.head(path)
        _, line = state.locate(path, found.line)
        if not head.parses or line is None:
            return False
        node = innermost(head.tree, line)
        if node is None:
            return False
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            return self.unimport(path, node, found)
        if node in self.gone.get(path, []):
            return False
        self.drop(path, node)
        return True

    def unimport(self, path, node, found):
        taken = self.imports.setdefault(path, {}).setdefault(node, set())
        names = {a.name for a in node.names if a.name == found.name}
        if isinstance(node, ast.Import) or not names or names <= taken:
            names = {a.name for a in node.names}
        if names <= taken:
            return False
        taken |= names
        self.names += ["%s: import of %s" % (path, n) for n in sorted(names - {""})]
        return True

    def drop(self, path, node):
        self.gone.setdefault(path, []).append(node)
        name = getattr(node, "name", None) or "line %d" % node.lineno
        owner = class_around(self.world.head(path).tree, node)
        self.names.append("%s::%s" % (path, owner + "::" + name if owner else name))
        if isinstance(node, FUNCTIONS) and any(last_name(d) == "fixture" for d in node.decorator_list):
            for fn in functions(self.world.head(path).tree):
                if fn not in self.gone[path] and any(a.arg == node.name for a in fn.args.args):
                    self.drop(path, fn)


def functions(tree):
    for n in tree.body:
        for m in n.body if isinstance(n, ast.ClassDef) else [n]:
            if isinstance(m, FUNCTIONS):
                yield m


def class_around(tree, node):
    return next((n.name for n in tree.body if isinstance(n, ast.ClassDef) and node in n.body), "")


def innermost(tree, line):
    """The import on the line if it is not inside a function; else the
    top-level statement, or the function of a top-level class."""
    for n in tree.body:
        if not first_line(n) <= line <= n.end_lineno:
            continue
        if isinstance(n, ast.ClassDef):
            for m in n.body:
                if isinstance(m, FUNCTIONS) and first_line(m) <= line <= m.end_lineno:
                    return m
        if not isinstance(n, SCOPES):
            for m in ast.walk(n):
                if isinstance(m, (ast.Import, ast.ImportFrom)) and m.lineno <= line <= m.end_lineno:
                    return m
        return n
    return None


def suite_left(tree, node, dropped):
    """Whether the suite of a node still has a statement of its own."""
    for owner in ast.walk(tree):
        for field in ("body", "orelse", "finalbody"):
            suite = getattr(owner, field, None)
            if isinstance(suite, list) and node in suite:
                left = [n for n in suite if n not in dropped]
                return bool(left) or isinstance(owner, ast.Module) or suite[0] is not node
    return True


def blank(path, head, node, left):
    """The lines of a statement emptied; one `pass` where a suite would be empty."""
    start, end = head.line_start(first_line(node)), head.line_start(node.end_lineno + 1)
    first = b"" if left else head.indent(first_line(node)) + b"pass"
    lines = head.src[start:end].count(b"\n")
    return Added(path, start, end, first + head.end_of_line() * lines, "without %s" % getattr(node, "name", "a statement"))


def shorter(path, head, node, names):
    start, end = head.offset(node.lineno, node.col_offset), head.offset(node.end_lineno, node.end_col_offset)
    kept = [a for a in node.names if a.name not in names]
    text = b"pass"
    if kept:
        alias = ", ".join(a.name + (" as " + a.asname if a.asname else "") for a in kept)
        text = ("from %s%s import %s" % ("." * node.level, node.module or "", alias)).encode() \
            if isinstance(node, ast.ImportFrom) else ("import " + alias).encode()
    more = head.end_of_line() * head.src[start:end].count(b"\n")
    return Added(path, start, end, text + more, "import without " + ", ".join(sorted(names)))
