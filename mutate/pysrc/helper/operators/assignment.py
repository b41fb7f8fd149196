"""The operator of an assignment is another one; += of a text or list becomes =."""
import ast

from operators import arithmetic, bitwise
from sites import is_texty

NODES = (ast.AugAssign,)
OTHER = {**arithmetic.OTHER, **bitwise.OTHER}


def at(site):
    n = site.node
    if type(n.op) not in OTHER:
        return
    old, new = OTHER[type(n.op)]
    if is_texty(n.value):
        new = ""
    site.swap(n, site.end(n.target), site.start(n.value), old + "=", new + "=")
