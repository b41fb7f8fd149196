"""What is awaited is not."""
import ast

NODES = (ast.Await,)


def at(site):
    n = site.node
    start = site.start(n)
    site.propose(start, site.end(n), "%s is not awaited" % site.brief(n.value), (start, site.source.behind(start + 1)[0], ""))
