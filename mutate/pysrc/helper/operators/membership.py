"""in and not in change places."""
import ast

from operators import conditionals_negation

NODES = (ast.Compare,)


def at(site):
    conditionals_negation.exchange(site, {"in": "not in", "not in": "in"})
