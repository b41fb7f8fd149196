"""What every reader of a tree asks of its nodes."""
import ast

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
SCOPES = FUNCTIONS + (ast.ClassDef,)


def nodes(tree):
    """Every node of a tree, walked once; only for trees that stay as they are."""
    if not hasattr(tree, "assay_nodes"):
        tree.assay_nodes = list(ast.walk(tree))
    return tree.assay_nodes


def first_line(node):
    """The first line of a statement, its decorators included."""
    return min([node.lineno] + [d.lineno for d in getattr(node, "decorator_list", [])])


def suites(node):
    """The statement lists directly inside a node."""
    out = []
    for field in ("body", "orelse", "finalbody"):
        value = getattr(node, field, None)
        if isinstance(value, list) and value and isinstance(value[0], ast.stmt):
            out.append(value)
    for field in ("handlers", "cases"):
        for part in getattr(node, field, None) or []:
            out.append(part.body)
    return out


def is_docstring(stmt):
    value = getattr(stmt, "value", None) if isinstance(stmt, ast.Expr) else None
    return isinstance(value, ast.Constant) and isinstance(value.value, str)


def last_name(node):
    """The last part of a dotted name, or of what is called: "c" for a.b.c(1)."""
    if isinstance(node, ast.Call):
        node = node.func
    if isinstance(node, ast.Subscript):
        return last_name(node.value)
    if isinstance(node, ast.Attribute):
        return node.attr
    return getattr(node, "id", "")


def type_checking(node):
    return isinstance(node, ast.If) and last_name(node.test) == "TYPE_CHECKING"


def guarded_lines(tree, catching):
    """Lines inside a try whose handlers catch one of the exceptions."""
    lines = set()
    for node in nodes(tree):
        if isinstance(node, ast.Try) and any(catches(h, catching) for h in node.handlers):
            lines.update(range(node.body[0].lineno, node.body[-1].end_lineno + 1))
    return lines


def catches(handler, names):
    if handler.type is None:
        return True
    types = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    return any(last_name(t) in names for t in types)
