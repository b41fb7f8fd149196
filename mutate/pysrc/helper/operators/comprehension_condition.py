"""A comprehension takes everything."""
import ast

NODES = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


def at(site):
    for generator in site.node.generators:
        for condition in generator.ifs:
            site.instead(condition, "True", "if %s always holds" % site.brief(condition))
