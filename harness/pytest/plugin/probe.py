"""Puts a probe before each statement of a source text.

The text on disk, line numbers, docstrings and __future__ imports stay as they
are; the probe is one call of a builtin, so no name of the module changes.
"""
import ast

NAME = "__assay_hit__"


class Probes:
    """The probes of one file: where each statement and each function body lies."""

    def __init__(self, base):
        self.base = base
        self.points = []  # [first, last line, 1 for a def or class] of what probe base+i stands before
        self.functions = []  # [last line of the header, last line of the body]

    def code(self, data, path, optimize):
        tree = compile(data, path, "exec", ast.PyCF_ONLY_AST, dont_inherit=True)
        tree.body = self._block(tree.body, documented=True)
        return compile(tree, path, "exec", dont_inherit=True, optimize=optimize)

    def _block(self, body, documented=False):
        out = []
        for i, statement in enumerate(body):
            first = i == 0 and documented and _is_text(statement)
            if not first and not _is_future(statement):
                out.append(self._probe(statement))
            self._inside(statement)
            out.append(statement)
        return out

    def _inside(self, node):
        function = isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
        if function:
            self.functions.append([_header(node), node.end_lineno])
        documented = function or isinstance(node, ast.ClassDef)
        for field in ("body", "orelse", "finalbody"):
            block = getattr(node, field, None)
            if isinstance(block, list) and block:
                setattr(node, field, self._block(block, documented and field == "body"))
        if function and len(node.body) == 1 and _is_text(node.body[0]):
            node.body.append(self._probe(node.body[0]))
        for inner in list(getattr(node, "handlers", ())) + list(getattr(node, "cases", ())):
            inner.body = self._block(inner.body)

    def _probe(self, statement):
        first = min([statement.lineno] + [d.lineno for d in getattr(statement, "decorator_list", ())])
        declares = isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef))
        last = _header(statement) if declares else statement.end_lineno
        self.points.append([first, last, int(declares)])
        number = ast.Constant(value=self.base + len(self.points) - 1, kind=None)
        call = ast.Call(func=ast.Name(id=NAME, ctx=ast.Load()), args=[number], keywords=[])
        return ast.fix_missing_locations(ast.copy_location(ast.Expr(value=call), statement))


def _is_text(node):
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def _is_future(node):
    return isinstance(node, ast.ImportFrom) and node.module == "__future__" and not node.level


def _header(node):
    """The last line that certainly belongs to the header of a function or class."""
    last = node.lineno
    parts = node.bases + node.keywords if isinstance(node, ast.ClassDef) else [node.args, node.returns]
    for part in parts:
        for inner in ast.walk(part) if part is not None else ():
            last = max(last, getattr(inner, "end_lineno", None) or 0)
    return min(last, max(node.body[0].lineno - 1, node.lineno))
