"""A loop is left where it would have gone on, and the other way."""
import ast

NODES = (ast.Break, ast.Continue)


def at(site):
    old, new = ("break", "continue") if isinstance(site.node, ast.Break) else ("continue", "break")
    site.instead(site.node, new, "%s becomes %s" % (old, new))
