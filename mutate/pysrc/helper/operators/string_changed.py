"""A string becomes empty, an empty one does not stay so."""
import ast

from sites import does_nothing

NODES = (ast.Constant, ast.JoinedStr)


def at(site):
    n = site.node
    if isinstance(n, ast.JoinedStr):
        site.instead(n, '""')
    elif isinstance(n.value, (str, bytes)) and (not does_nothing(site.above(1)) or is_docstring(site)):
        new = '""' if n.value else '"assay"'
        site.instead(n, ("b" if isinstance(n.value, bytes) else "") + new)


def is_docstring(site):
    body = getattr(site.above(2), "body", None)
    return isinstance(body, list) and body[0] is site.above(1) and isinstance(site.node.value, str)
