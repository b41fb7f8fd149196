"""What a function returns, yields, or a lambda is worth becomes None. False is
left alone: most callers cannot tell it from None."""
import ast

from sites import is_constant

NODES = (ast.Return, ast.Yield, ast.Lambda)


def at(site):
    n = site.node
    value = n.body if isinstance(n, ast.Lambda) else n.value
    if value is None or is_constant(value, None, False):
        return
    what = {ast.Return: "return", ast.Yield: "yield", ast.Lambda: "lambda:"}[type(n)]
    site.instead(value, "None", "%s %s becomes %s None" % (what, site.brief(value), what))
