"""A call whose result nobody uses is not made."""
import ast

NODES = (ast.Expr,)


def at(site):
    value = site.node.value
    if isinstance(value, ast.Await):
        value = value.value
    if isinstance(value, ast.Call):
        site.removed(site.node)
