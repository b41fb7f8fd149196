"""A check for None or for emptiness never holds. Where it is the whole
condition of an if without else, branch-emptied does the same."""
import ast

from sites import is_constant

NODES = (ast.Compare,)


def at(site):
    n = site.node
    if len(n.ops) == 1 and is_check(n) and is_condition(site):
        site.instead(n, "False")


def is_check(n):
    sides = n.left, n.comparators[0]
    if any(is_constant(s, None) for s in sides):
        return True
    return isinstance(n.ops[0], (ast.Eq, ast.NotEq)) and any(map(is_len, sides)) and any(map(is_zero, sides))


def is_len(e):
    return isinstance(e, ast.Call) and isinstance(e.func, ast.Name) and e.func.id == "len"


def is_zero(e):
    return isinstance(e, ast.Constant) and type(e.value) is int and e.value == 0


def is_condition(site):
    """Whether the node is the condition of an if, or an operand of one."""
    for node, inner in site.around():
        if isinstance(node, ast.If):
            return node.test is inner and (inner is not site.node or bool(node.orelse))
        if node is not site.node and not isinstance(node, ast.BoolOp):
            return False
    return False
