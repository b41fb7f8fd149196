"""A loop is left before its body is run."""
import ast

from sites import is_constant

NODES = (ast.For, ast.While)


def at(site):
    n = site.node
    if isinstance(n, ast.For):
        site.instead(n.iter, "()", "for %s in %s runs nothing" % (site.brief(n.target), site.brief(n.iter)))
    elif not is_constant(n.test, True) and not (isinstance(n.test, ast.Constant) and n.test.value == 1):
        site.instead(n.test, "False", "while %s runs nothing" % site.brief(n.test))
