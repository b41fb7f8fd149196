"""A handler catches every exception."""
import ast

from syntax import last_name

NODES = (ast.ExceptHandler,)


def at(site):
    caught = site.node.type
    if caught is not None and last_name(caught) not in ("Exception", "BaseException"):
        site.instead(caught, "Exception", "except %s catches every Exception" % site.brief(caught))
