"""Names that would certainly be undefined when the code that uses them runs.

The compiler itself resolves scopes: what it loads as a global that neither the
module nor the builtins define is undefined. This covers comprehensions, class
bodies, global and nonlocal without rules of our own.
"""
import ast
import builtins
import dis
import re

from merge import firsts, merged, union
from syntax import FUNCTIONS, SCOPES, last_name, nodes, type_checking
from text import compiled

IMPLICIT = set(dir(builtins)) | {
    "__file__", "__name__", "__doc__", "__path__", "__spec__", "__loader__", "__package__", "__builtins__",
    "__annotations__", "__dict__", "__cached__", "__module__", "__qualname__", "__class__", "__firstlineno__",
    "__static_attributes__", "__conditional_annotations__", "__debug__"}

# A module that writes its own namespace may define anything, but hardly what
# the text itself defined before.
DYNAMIC = re.compile(rb"\bglobals\(\)|\bexec\(|\bvars\(\)|\bsys\.modules\[__name__\]|\bbuiltins\b|__builtins__")


def newly_undefined(without, head):
    """(name, line) of the names that are undefined only in `without`, in order
    of lines."""
    a, b = without.kept(undefined), head.kept(undefined)
    if a is None or b is None:
        return
    dynamic = DYNAMIC.search(without.src) or DYNAMIC.search(head.src)
    stored = head.of_tree(stored_names)
    for name, line in sorted(a.items(), key=lambda x: x[1]):
        if name not in b and (not dynamic or name in stored):
            yield name, line


class RunTime(ast.NodeTransformer):
    """Leaves only what runs: no TYPE_CHECKING blocks, no postponed annotations."""

    def __init__(self, postponed):
        self.postponed = postponed

    def visit_If(self, node):
        self.generic_visit(node)
        if type_checking(node):
            return node.orelse or ast.copy_location(ast.Pass(), node)
        return node

    def visit_arg(self, node):
        if self.postponed:
            node.annotation = None
        return node

    def visit_FunctionDef(self, node):
        if self.postponed:
            node.returns = None
        return self.generic_visit(node)

    visit_AsyncFunctionDef = visit_FunctionDef

    def visit_AnnAssign(self, node):
        self.generic_visit(node)
        if self.postponed:
            node.annotation = ast.copy_location(ast.Constant(value=None, kind=None), node)
        return node


@merged(union)
def stored_names(tree):
    return {n.name if isinstance(n, SCOPES) else n.id for n in nodes(tree)
            if isinstance(n, SCOPES) or isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Load)}


def undefined(text):
    """{name: line} of global loads that nothing defines; None when unknowable."""
    told = text.of_tree(imported_specially)
    if "*" in told:
        return None
    look = globals_postponed if "annotations" in told else globals_at_once
    found = [(c.kept(look), at - c.base) for c, at in text.places]
    defined = IMPLICIT.union(*(d for (d, _, _), _ in found))
    guarded = set().union(*(g for (_, _, g), _ in found))
    wanted = firsts([(w, shift) for (_, w, _), shift in found])
    return {n: line for n, line in wanted.items() if n not in defined and n not in guarded}


@merged(union)
def imported_specially(tree):
    """What the file imports from __future__, and "*"."""
    return {a.name for n in nodes(tree) if isinstance(n, ast.ImportFrom) for a in n.names
            if a.name == "*" or n.module == "__future__"}


def globals_at_once(chunk):
    return global_names(chunk, False)


def globals_postponed(chunk):
    return global_names(chunk, True)


def global_names(chunk, postponed):
    """(names the module gets here, {name loaded as a global: line}, those of
    them that a handler of NameError minds)."""
    tree, code = chunk.tree, None
    if postponed or b"TYPE_CHECKING" in chunk.src:
        tree = ast.increment_lineno(ast.parse(chunk.src), chunk.base - 1)
        tree = ast.fix_missing_locations(RunTime(postponed).visit(tree))
        code = compile(tree, "undone", "exec", dont_inherit=True)
    defined, wanted = set(), {}
    walk(code or chunk.kept(compiled), True, defined, wanted)
    soft = guarded_lines(tree, {"NameError", "Exception", "BaseException"})
    return defined, {n: min(at) for n, at in wanted.items()}, {n for n, at in wanted.items() if at & soft}


def walk(code, module, defined, wanted):
    if code.co_name == "__annotate__":  # evaluated by nobody unless asked
        return
    local = set()
    line = code.co_firstlineno
    loaded = {}
    for i in dis.get_instructions(code):
        start = getattr(i, "line_number", None)
        if start is None and not isinstance(i.starts_line, bool):
            start = i.starts_line
        line = start or line
        if i.opname in ("STORE_GLOBAL", "STORE_NAME"):
            (defined if module or i.opname == "STORE_GLOBAL" else local).add(i.argval)
        elif i.opname in ("LOAD_NAME", "LOAD_GLOBAL", "LOAD_FROM_DICT_OR_GLOBALS"):
            loaded.setdefault(i.argval, set()).add(line)
    for name, at in loaded.items():
        if name not in local:
            wanted.setdefault(name, set()).update(at)
    for const in code.co_consts:
        if hasattr(const, "co_code"):
            walk(const, False, defined, wanted)


def guarded_lines(tree, catching):
    """Lines inside a try whose handlers catch one of the exceptions."""
    lines = set()
    for node in nodes(tree):
        if isinstance(node, ast.Try) and any(catches(h, catching) for h in node.handlers):
            lines.update(range(node.body[0].lineno, node.body[-1].end_lineno + 1))
    return lines


def catches(handler, names):
    if handler.type is None:
        return True
    types = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    return any(last_name(t) in names for t in types)


@merged(firsts)
def unbound(tree):
    """{(function, name): line} of locals that are only ever updated in place."""
    found = {}
    for fn in nodes(tree):
        if not isinstance(fn, FUNCTIONS):
            continue
        bound, updated = set(), {}
        local_bindings(fn, bound, updated)
        for name, line in updated.items():
            if name not in bound:
                found[fn.name, name] = line
    return found


def local_bindings(fn, bound, updated):
    a = fn.args
    for arg in getattr(a, "posonlyargs", []) + a.args + a.kwonlyargs + [a.vararg, a.kwarg]:
        if arg is not None:
            bound.add(arg.arg)
    todo = list(fn.body)
    while todo:
        node = todo.pop()
        if isinstance(node, FUNCTIONS + (ast.ClassDef,)):
            bound.add(node.name)
            continue
        if isinstance(node, ast.Lambda):
            continue
        if isinstance(node, (ast.Global, ast.Nonlocal)):
            bound.update(node.names)
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            bound.update((n.asname or n.name).split(".")[0] for n in node.names)
        elif isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
            updated.setdefault(node.target.id, node.lineno)
            todo.append(node.value)
            continue
        elif isinstance(node, ast.ExceptHandler) and node.name:
            bound.add(node.name)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            bound.add(node.id)
        elif hasattr(node, "rest") or type(node).__name__ in ("MatchAs", "MatchStar"):
            bound.update(n for n in (getattr(node, "name", None), getattr(node, "rest", None)) if n)
        todo.extend(ast.iter_child_nodes(node))
