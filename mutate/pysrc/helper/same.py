"""Whether two versions of a file mean the same, and why.

Each rule takes something away from both trees; when they are then equal, what
was taken away is the only difference. A rule that is not sure takes nothing.
"""
import ast
import copy
import os
import re
import sys
import tokenize

from merge import lists, merged, union
from syntax import FUNCTIONS, SCOPES, first_line, is_docstring, last_name, nodes, type_checking

# Decorators that read neither annotations nor docstrings.
PLAIN_DECORATORS = {"staticmethod", "classmethod", "property", "abstractmethod", "overload", "wraps", "contextmanager",
                    "asynccontextmanager", "setter", "getter", "deleter", "cached_property", "lru_cache", "cache",
                    "override", "final", "abstractproperty", "abstractclassmethod"}
PLAIN_CLASS_DECORATORS = {"dataclass", "final", "total_ordering", "unique", "attrs", "define", "frozen", "s"}

# Libraries that read annotations or docstrings of functions and classes they
# are handed in any way.
READERS = {"fastapi", "typer", "pydantic", "strawberry", "graphene", "injector", "cattrs", "cattr", "beartype",
           "typeguard", "hug", "litestar", "starlite", "msgspec", "sqlmodel", "ninja", "punq", "lagom",
           "dependency_injector", "discord", "plum", "multipledispatch", "marshmallow_dataclass", "desert",
           "dacite", "apischema", "mashumaro", "fire", "docopt", "ply", "sly", "click", "cyclopts", "tap", "clize"}

# Words that show that a file reads docstrings or annotations itself.
DOC_READERS = re.compile(rb"\bgetdoc\b|\byacc\b|\bdocopt\b|(?<!\.)__doc__")
MEMBER_DOC_READERS = re.compile(rb"\.__doc__\b(?!\s*=[^=])")
ANNOTATION_READERS = re.compile(rb"__annotations__|get_type_hints|\bsignature\b|getfullargspec|singledispatch|"
                                rb"get_annotations|get_overloads")


def inertness(without, head):
    """Why the two texts mean the same ("comment", ...), or ""."""
    try:
        return compare(without, head)
    except RecursionError:  # too deep to compare: not settled
        return ""


def compare(a, b):
    mine, other, owners = differing(a, b)
    mine, other = [s.node for s in mine], [s.node for s in other]
    if dump(mine, owners, ()) == dump(other, owners, ()):
        if shebang(a) != shebang(b):
            return ""
        texts = [[c.strip() for _, c in t.comments()] for t in (a, b)]
        return "formatting" if texts[0] == texts[1] else "comment"
    allowed = []
    if not reads(a, DOC_READERS) and not reads(b, DOC_READERS):
        members = not MEMBER_DOC_READERS.search(a.src) and not MEMBER_DOC_READERS.search(b.src)
        allowed.append("docstring" if members else "module docstring")
    if not reads(a, ANNOTATION_READERS) and not reads(b, ANNOTATION_READERS):
        allowed.append("annotation")
    for rules in combinations(allowed + ["imports"]):
        if dump(mine, owners, rules) != dump(other, owners, rules):
            continue
        if "imports" in rules and not same_bindings(a, b, "annotation" in rules):
            continue
        return next((r for r in ("annotation", "imports") if r in rules), "docstring")
    return ""


def combinations(rules):
    """All non-empty subsets, small ones first."""
    out = [[]]
    for r in rules:
        out += [s + [r] for s in out]
    return sorted(out[1:], key=len)


def shebang(text):
    first = text.src.split(b"\n", 1)[0]
    return first if first.startswith(b"#!") else b""


def reads(text, words):
    if any(c.kept_as(words, lambda: words.search(c.src)) for c in text.chunks):
        return True
    return any(origin.split(".")[0] in READERS for _, _, origin, _ in text.of_tree(bindings))


class Statement:
    """A statement and the lines it stands in; at is its first line in its text."""

    def __init__(self, node, lines, base, at):
        self.node, self.base, self.lines, self.at = node, base, lines, at + first_line(node) - base

    def written(self):
        return self.lines[first_line(self.node) - self.base:self.node.end_lineno - self.base + 1]

    def header(self):
        """The lines before the body; none when the body is on the same line."""
        return self.lines[first_line(self.node) - self.base:first_line(self.node.body[0]) - self.base]

    def body(self):
        at = self.at - first_line(self.node) + self.base
        return [Statement(s, self.lines, self.base, at) for s in self.node.body]


def differing(a, b):
    """(Statements of a, Statements of b, scopes around them): the smallest run
    of statements of one scope that holds all difference."""
    x, y = a.places, b.places
    x, y = apart(x, y, lambda place: place[0].src)
    x, y, owners = statements(x), statements(y), [ast.Module(body=[], type_ignores=[])]
    while True:
        x, y = apart(x, y, Statement.written)
        if len(x) != 1 or len(y) != 1 or type(x[0].node) is not type(y[0].node) or not isinstance(x[0].node, SCOPES):
            return x, y, owners
        if not x[0].header() or x[0].header() != y[0].header():
            return x, y, owners
        owners = owners + [x[0].node]
        x, y = x[0].body(), y[0].body()


def written(text, node):
    return text.lines[first_line(node) - 1:node.end_lineno]


def apart(x, y, key):
    """Two lists without what they have in common at the start and at the end."""
    n, end = 0, 0
    while end < min(len(x), len(y)) and key(x[-1 - end]) == key(y[-1 - end]):
        end += 1
    while n < min(len(x), len(y)) - end and key(x[n]) == key(y[n]):
        n += 1
    return x[n:len(x) - end], y[n:len(y) - end]


def statements(places):
    out = []
    for chunk, at in places:
        lines = chunk.src.split(b"\n")
        out += [Statement(s, lines, chunk.base, at) for s in chunk.tree.body]
    return out


def dump(body, owners, rules):
    strip = Strip(rules, owners)
    out = []
    for stmt in copy.deepcopy(body):
        kept = strip.visit(stmt)
        for s in kept if isinstance(kept, list) else [kept]:
            if s is not None and not (rules and isinstance(s, ast.Pass)):
                out.append(ast.dump(s, annotate_fields=False))
    return out


class Strip(ast.NodeTransformer):
    """Takes away what the rules allow."""

    def __init__(self, rules, owners=()):
        self.docs = "docstring" in rules or "module docstring" in rules
        self.member_docs = "docstring" in rules
        self.annotations = "annotation" in rules
        self.imports = "imports" in rules
        self.owners = list(owners)

    def visit(self, node):
        if isinstance(node, SCOPES + (ast.Module,)):
            self.owners.append(node)
            node = super().visit(node)
            self.owners.pop()
        else:
            node = super().visit(node)
        return node

    def generic_visit(self, node):
        super().generic_visit(node)
        for field in ("body", "orelse", "finalbody"):
            value = getattr(node, field, None)
            if isinstance(value, list) and (value or field == "body") and not isinstance(node, ast.Module):
                kept = [s for s in value if not isinstance(s, ast.Pass)] if self.docs or self.annotations or self.imports else value
                setattr(node, field, kept or ([ast.Pass()] if field == "body" or value else []))
        return node

    def visit_Constant(self, node):
        node.kind = None  # u"" is ""
        return node

    def visit_Expr(self, node):
        if self.docs and isinstance(node.value, ast.Constant) and (node.value.value is ... or self.free_docstring(node)):
            return None
        return self.generic_visit(node)

    def free_docstring(self, node):
        """A string statement that nothing can read as a docstring of interest."""
        if not is_docstring(node):
            return False
        owner = self.owners[-1]
        if isinstance(owner, ast.Module):
            return True
        if not self.member_docs:
            return False
        if isinstance(owner, FUNCTIONS):
            plain = PLAIN_DECORATORS
        else:
            plain = PLAIN_CLASS_DECORATORS
        if any(last_name(d) not in plain for d in getattr(owner, "decorator_list", [])):
            return False
        return not getattr(owner, "keywords", [])  # a metaclass may read it

    def visit_FunctionDef(self, node):
        if self.annotations:
            if any(last_name(d) == "overload" for d in node.decorator_list):
                return None
            if all(last_name(d) in PLAIN_DECORATORS for d in node.decorator_list):
                self.bare(node)
        return self.generic_visit(node)

    visit_AsyncFunctionDef = visit_FunctionDef

    def bare(self, node):
        a = node.args
        for arg in getattr(a, "posonlyargs", []) + a.args + a.kwonlyargs + [a.vararg, a.kwarg]:
            if arg is not None and inert(arg.annotation):
                arg.annotation = None
        if inert(node.returns):
            node.returns = None

    def visit_AnnAssign(self, node):
        owner = self.owners[-1]
        if self.annotations and inert(node.annotation) and isinstance(node.target, ast.Name) and plain_class(owner):
            if node.value is None or last_name(node.annotation) == "TypeAlias":
                return None
            return self.visit(ast.Assign(targets=[node.target], value=node.value, type_comment=None))
        return self.generic_visit(node)

    def visit_TypeAlias(self, node):
        return None if self.annotations else self.generic_visit(node)

    def visit_If(self, node):
        if self.annotations and type_checking(node):
            kept = []
            for stmt in node.orelse:
                stmt = self.visit(stmt)
                kept += stmt if isinstance(stmt, list) else [stmt] if stmt is not None else []
            return kept
        return self.generic_visit(node)

    def visit_Import(self, node):
        return None if self.imports else node

    visit_ImportFrom = visit_Import


def inert(annotation):
    """An annotation whose evaluation does nothing else."""
    active = (ast.Call, ast.NamedExpr, ast.Await, ast.Yield, ast.YieldFrom)
    return annotation is not None and not any(isinstance(n, active) for n in ast.walk(annotation))


def plain_class(owner):
    """A scope in which an annotated assignment is only that."""
    if not isinstance(owner, ast.ClassDef):
        return True
    return not owner.decorator_list and not owner.keywords and all(last_name(b) == "object" for b in owner.bases)


@merged(lists)
def bindings(tree):
    """(scope, name, origin, inside a try) of every import, in order."""
    if not any(isinstance(n, (ast.Import, ast.ImportFrom)) for n in nodes(tree)):
        return []
    return bound(tree, "", False)


def bound(tree, scope, guarded):
    out = []
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.Import):
            for a in node.names:
                name = a.asname or a.name.split(".")[0]
                out.append((scope, name, a.name if a.asname else name, guarded))
        elif isinstance(node, ast.ImportFrom):
            module = "." * node.level + (node.module or "")
            for a in node.names:
                out.append((scope, a.asname or a.name, module + "." + a.name, guarded))
        else:
            inner = scope + "/" + node.name if isinstance(node, SCOPES) else scope
            out += bound(node, inner, guarded or isinstance(node, ast.Try))
    return out


def same_bindings(a, b, lenient):
    """Whether the imports that differ only bind names that need no proof."""
    used = [t.of_tree(loads) for t in (a, b)]
    if lenient:
        sides = [bindings(Strip(["annotation"]).visit(ast.parse(t.src))) for t in (a, b)]
    else:
        sides = [t.of_tree(bindings) for t in (a, b)]
    everything = sides[0] + sides[1]
    for mine, other, names in ((sides[0], sides[1], used[0]), (sides[1], sides[0], used[1])):
        for entry in mine:
            if entry in other:
                continue
            if not harmless(entry, everything, names):
                return False
    return True


def harmless(entry, everything, used):
    scope, name, origin, guarded = entry
    if guarded or name == "*" or origin == "__future__.annotations":
        return False
    if origin.startswith("__future__."):
        return True
    for other_scope, other_name, other_origin, _ in everything:
        if other_name == name and (other_origin != origin or other_scope != scope):
            return False  # bound to something else, or imported at another time
    return name in used or origin.split(".")[0] in STDLIB


@merged(union)
def loads(tree):
    return {n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)}


def stdlib():
    """Modules whose import has no effect that a project relies on."""
    known = getattr(sys, "stdlib_module_names", None)
    if known is None:  # Python 3.8 and 3.9
        known = {n.split(".")[0] for n in os.listdir(os.path.dirname(os.__file__))} | set(sys.builtin_module_names)
    return frozenset(known) - {"readline", "antigravity", "this"}


STDLIB = stdlib()
