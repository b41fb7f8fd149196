"""A statement with an effect does nothing: an assignment to an attribute, an
item, or a name that has a value already, a del, a yield."""
import ast

from syntax import FUNCTIONS

NODES = (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Delete, ast.Expr)


def at(site):
    n = site.node
    if isinstance(n, ast.Assign):
        gone = all(may_stay(site, t) for t in n.targets)
    elif isinstance(n, ast.AnnAssign):
        gone = n.value is not None and may_stay(site, n.target)
    elif isinstance(n, ast.Expr):
        gone = isinstance(n.value, (ast.Yield, ast.YieldFrom))
    else:
        gone = True
    if gone:
        site.removed(n)


def may_stay(site, target):
    """Whether there is something the target can go on being."""
    if isinstance(target, ast.Name):
        function = site.function()
        return isinstance(function, FUNCTIONS) and target.id in bound_before(function, target)
    if isinstance(target, (ast.Tuple, ast.List)):
        return all(may_stay(site, t) for t in target.elts)
    return isinstance(target, (ast.Attribute, ast.Subscript))


def bound_before(function, target):
    """The parameters, and the names that the function binds further up."""
    a = function.args
    names = {p.arg for p in getattr(a, "posonlyargs", []) + a.args + a.kwonlyargs + [a.vararg, a.kwarg] if p is not None}
    here = target.lineno, target.col_offset
    for n in ast.walk(function):
        if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store) and (n.lineno, n.col_offset) < here:
            names.add(n.id)
    return names
