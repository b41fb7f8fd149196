"""Equal and the same are confused. Of None, True, False and other constants
both say the same, or the compiler warns."""
import ast

from operators import conditionals_negation

NODES = (ast.Compare,)


def at(site):
    n = site.node
    if not any(isinstance(side, ast.Constant) for side in [n.left] + n.comparators):
        conditionals_negation.exchange(site, {"is": "==", "is not": "!=", "==": "is", "!=": "is not"})
