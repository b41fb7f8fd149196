"""and and or change places."""
import ast

NODES = (ast.BoolOp,)


def at(site):
    n = site.node
    old, new = ("and", "or") if isinstance(n.op, ast.And) else ("or", "and")
    for left, right in zip(n.values, n.values[1:]):
        site.swap(n, site.end(left), site.start(right), old, new)
