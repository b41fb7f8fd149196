"""True and False change places."""
import ast

from sites import is_constant

NODES = (ast.Constant,)


def at(site):
    if is_constant(site.node, True, False):
        site.instead(site.node, str(not site.node.value))
