"""A case of a match never holds."""
import ast

NODES = (ast.Match,) if hasattr(ast, "Match") else ()


def at(site):
    if len(site.node.cases) < 2:
        return
    for case in site.node.cases:
        start, end = site.start(case.pattern), site.end(case.pattern)
        said = "case %s never holds" % site.brief(case.pattern)
        if case.guard is None:
            end = site.outer(case.pattern)[1]
            site.propose(start, end, said, (end, end, " if False"))
        else:
            site.propose(start, end, said, (site.start(case.guard), site.end(case.guard), "False"))
