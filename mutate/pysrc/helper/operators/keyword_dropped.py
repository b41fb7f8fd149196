"""A call is made without one of its keyword arguments."""
import ast

NODES = (ast.Call,)


def at(site):
    for keyword in site.node.keywords:
        if keyword.arg is None:
            continue
        start, end = site.outer(keyword.value)
        equals = site.source.before(start)
        start = site.source.before(equals[0])[0]
        site.propose(start, end, "%s of %s is dropped" % (site.shown(site.text.src[start:end]), site.brief(site.node.func)),
                     site.drop(start, end))
