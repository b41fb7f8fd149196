"""A sign, a ~ or a not is left out."""
import ast

NODES = (ast.UnaryOp,)
WORDS = {ast.USub: "-", ast.Invert: "~", ast.Not: "not"}


def at(site):
    n = site.node
    if type(n.op) not in WORDS:
        return
    start = site.start(n)
    operand = site.source.behind(start + 1)[0]
    site.propose(start, site.end(n), "%s loses its %s" % (site.brief(n), WORDS[type(n.op)]), (start, operand, ""))
