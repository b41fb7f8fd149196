"""A branch does nothing: of an if, a case, a handler, or the else of a loop or try."""
import ast

NODES = tuple(filter(None, (ast.If, ast.For, ast.AsyncFor, ast.While, ast.Try, getattr(ast, "TryStar", None), ast.ExceptHandler,
                            getattr(ast, "match_case", None))))


def at(site):
    n = site.node
    said = name(site, n)
    if isinstance(n, (ast.If, ast.ExceptHandler)) or type(n).__name__ == "match_case":
        site.emptied("the body of " + said, n.body)
    orelse = getattr(n, "orelse", [])
    if orelse and not is_elif(site, n):
        site.emptied("the else of " + said, orelse)


def name(site, n):
    if isinstance(n, ast.ExceptHandler):
        return "except" + (" " + site.brief(n.type) if n.type else "")
    if type(n).__name__ == "match_case":
        return "case " + site.brief(n.pattern)
    if isinstance(n, (ast.If, ast.While)):
        return ("if " if isinstance(n, ast.If) else "while ") + site.brief(n.test)
    return "for " + site.brief(n.target) if hasattr(n, "target") else "try"


def is_elif(site, n):
    return isinstance(n, ast.If) and isinstance(n.orelse[0], ast.If) and site.bytes(n.orelse[0]).startswith(b"elif")
