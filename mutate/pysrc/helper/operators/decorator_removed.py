"""A function or class is not decorated."""
import ast

from syntax import SCOPES

NODES = SCOPES


def at(site):
    n = site.node
    for decorator in n.decorator_list:
        start, end = site.outer(decorator)
        start = site.source.before(start)[0]
        site.propose(start, end, "@%s of %s is removed" % (site.brief(decorator), n.name), (start, end, ""))
