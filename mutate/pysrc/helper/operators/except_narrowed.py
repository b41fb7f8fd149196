"""A handler catches one exception less, or none at all."""
import ast

NODES = (ast.ExceptHandler,)


def at(site):
    caught = site.node.type
    if isinstance(caught, ast.Tuple) and len(caught.elts) > 1:
        for one in caught.elts:
            site.propose(site.start(one), site.end(one), "except %s no longer catches %s" % (site.brief(caught), site.brief(one)),
                         site.drop(*site.outer(one)))
    elif caught is not None and type(site.above(1)).__name__ != "TryStar":
        site.instead(caught, "()", "except %s catches nothing" % site.brief(caught))
