"""A number becomes the next one."""
import ast

NODES = (ast.Constant,)


def at(site):
    n = site.node
    if isinstance(n.value, bool) or not isinstance(n.value, (int, float, complex)):
        return
    literal = site.bytes(n).decode("ascii")
    new = str(n.value + 1) if literal.isdigit() else "(%s + 1)" % literal
    site.instead(n, new, "%s becomes %s" % (literal, new.strip("()")))
