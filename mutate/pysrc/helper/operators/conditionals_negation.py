"""A comparison, or a condition that is none, becomes its opposite."""
import ast

from sites import negated

NODES = (ast.Compare, ast.If, ast.While, ast.IfExp)
OPPOSITE = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">", "is": "is not", "is not": "is"}
WORDS = {ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.GtE: ">=", ast.Gt: ">", ast.LtE: "<=", ast.Is: "is", ast.IsNot: "is not",
         ast.In: "in", ast.NotIn: "not in"}


def at(site):
    n = site.node
    if isinstance(n, ast.Compare):
        exchange(site, OPPOSITE)
    elif negated(n.test):
        start, end = site.start(n.test), site.end(n.test)
        said = site.brief(n.test)
        site.propose(start, end, "%s becomes not %s" % (said, said), (start, start, "not ("), (end, end, ")"))


def exchange(site, others):
    """A mutant for each operator of the comparison that has another one."""
    n, left = site.node, site.node.left
    for op, right in zip(n.ops, n.comparators):
        word = WORDS[type(op)]
        if word in others:
            site.swap(n, site.end(left), site.start(right), word, others[word])
        left = right
