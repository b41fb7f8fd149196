"""Names that would certainly be undefined when the code that uses them runs.

What the compiler loads as a global (globalnames.py) that neither the module nor
the builtins define is undefined.
"""
import ast
import builtins
import re

import globalnames
from merge import firsts, merged, union
from syntax import FUNCTIONS, SCOPES, nodes

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


@merged(union)
def stored_names(tree):
    return {n.name if isinstance(n, SCOPES) else n.id for n in nodes(tree)
            if isinstance(n, SCOPES) or isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Load)}


def undefined(text):
    """{name: line} of global loads that nothing defines; None when unknowable."""
    told = text.of_tree(imported_specially)
    if "*" in told:
        return None
    look = globalnames.postponed if "annotations" in told else globalnames.at_once
    found = [(c.kept(look), at - c.base) for c, at in text.places]
    defined = IMPLICIT.union(*(g.defined for g, _ in found))
    loads = [(g.loads(), shift) for g, shift in found if not g.mentioned <= defined]
    guarded = set().union(*(soft for (_, soft), _ in loads))
    wanted = firsts([(w, shift) for (w, _), shift in loads])
    return {n: line for n, line in wanted.items() if n not in defined and n not in guarded}


@merged(union)
def imported_specially(tree):
    """What the file imports from __future__, and "*"."""
    return {a.name for n in nodes(tree) if isinstance(n, ast.ImportFrom) for a in n.names
            if a.name == "*" or n.module == "__future__"}


@merged(firsts)
def unbound(tree):
    """{(function, name): line} of locals that are only ever updated in place."""
    found = {}
    if not any(isinstance(n, ast.AugAssign) for n in nodes(tree)):
        return found
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
