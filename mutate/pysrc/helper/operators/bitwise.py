"""The operators on bits and sets change places."""
import ast

NODES = (ast.BinOp,)
OTHER = {ast.BitAnd: ("&", "|"), ast.BitOr: ("|", "&"), ast.BitXor: ("^", "&"), ast.LShift: ("<<", ">>"), ast.RShift: (">>", "<<")}


def at(site):
    n = site.node
    if type(n.op) in OTHER:
        site.swap(n, site.end(n.left), site.start(n.right), *OTHER[type(n.op)])
