"""What a try does in the end is not done."""
import ast

NODES = tuple(filter(None, (ast.Try, getattr(ast, "TryStar", None))))


def at(site):
    if site.node.finalbody:
        site.emptied("finally", site.node.finalbody)
