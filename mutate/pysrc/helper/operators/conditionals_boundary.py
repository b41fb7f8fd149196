"""A comparison counts its border in, or no longer does."""
import ast

from operators import conditionals_negation

NODES = (ast.Compare,)


def at(site):
    conditionals_negation.exchange(site, {"<": "<=", "<=": "<", ">": ">=", ">=": ">"})
