"""A context is not entered; what is bound is the manager itself. The line
stays one line, so that nothing below it moves."""
import ast

NODES = (ast.With, ast.AsyncWith)


def at(site):
    n = site.node
    parts = []
    for item in n.items:
        start, end = site.outer(item.context_expr)
        said = site.text.src[start:end]
        if item.optional_vars is None:
            parts.append(said)
        elif isinstance(item.optional_vars, ast.Name):
            parts.append(site.encode(item.optional_vars.id + " := ") + said)
        else:
            return
    start, colon = site.start(n), site.source.before(site.start(n.body[0]))
    site.propose(start, colon[1], "%s is not entered" % ", ".join(site.brief(i.context_expr) for i in n.items),
                 (start, colon[0], b"if [" + b", ".join(parts) + b"]"))
