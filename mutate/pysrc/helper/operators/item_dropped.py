"""A list, set or dict has one item less."""
import ast

NODES = (ast.List, ast.Set, ast.Dict)


def at(site):
    n = site.node
    if isinstance(n, ast.Dict):
        spans = [pair(site, k, v) for k, v in zip(n.keys, n.values)]
    elif isinstance(n, ast.List) and not isinstance(n.ctx, ast.Load) or isinstance(n, ast.Set) and len(n.elts) < 2:
        return
    else:
        spans = [site.outer(e) for e in n.elts]
    for start, end in spans:
        site.propose(start, end, "%s is dropped from %s" % (site.shown(site.text.src[start:end]), site.brief(n)), site.drop(start, end))


def pair(site, key, value):
    start, end = site.outer(value)
    if key is None:
        return site.source.before(start)[0], end
    return site.outer(key)[0], end
