"""The operators on numbers change places."""
import ast

from sites import is_texty

NODES = (ast.BinOp,)
OTHER = {ast.Add: ("+", "-"), ast.Sub: ("-", "+"), ast.Mult: ("*", "/"), ast.Div: ("/", "*"), ast.FloorDiv: ("//", "/"),
         ast.Mod: ("%", "*"), ast.Pow: ("**", "*")}


def at(site):
    n = site.node
    if type(n.op) in OTHER and not is_texty(n):
        site.swap(n, site.end(n.left), site.start(n.right), *OTHER[type(n.op)])
