"""A slice loses a bound or its step. A lower bound of 0 is none."""
import ast

NODES = (ast.Slice,)


def at(site):
    n = site.node
    for bound in (n.lower, n.upper, n.step):
        if bound is None or bound is n.lower and isinstance(bound, ast.Constant) and bound.value == 0:
            continue
        start, end = site.outer(bound)
        site.propose(start, end, "[%s] loses %s" % (said(site), site.brief(bound)), (start, end, ""))


def said(site):
    """The slice in words; it has no position of its own before Python 3.9."""
    n = site.node
    parts = [site.brief(p) if p is not None else "" for p in (n.lower, n.upper)]
    return ":".join(parts + ([site.brief(n.step)] if n.step is not None else []))
