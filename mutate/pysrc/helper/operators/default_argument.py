"""A parameter has another default."""
import ast

from sites import is_constant
from syntax import FUNCTIONS

NODES = FUNCTIONS + (ast.Lambda,)


def at(site):
    a = site.node.args
    positional = getattr(a, "posonlyargs", []) + a.args
    given = list(zip(positional[len(positional) - len(a.defaults):], a.defaults)) + list(zip(a.kwonlyargs, a.kw_defaults))
    for parameter, default in given:
        if default is not None:
            new = other(default)
            site.instead(default, new, "the default of %s, %s, becomes %s" % (parameter.arg, site.brief(default), new))


def other(default):
    if is_constant(default, True, False):
        return str(not default.value)
    return "0" if is_constant(default, None) else "None"
