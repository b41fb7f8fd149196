"""What some lines of a file define and mention, for coupling.

Locals and parameters carry their function ("Lexer.next/pos"), so that they
couple only inside it. Attributes and methods stand by their plain names.
"""
import ast
import keyword
import re
import tokenize

from syntax import FUNCTIONS, SCOPES, first_line
from text import tokens

IDENTIFIER = re.compile(r"[^\W\d]\w*")


def unit_names(old, new, old_span, new_span):
    """(defines, uses, declaration) of one unit."""
    a, b = Side(old, old_span), Side(new, new_span)
    defines = {n for n in set(a.defines) | set(b.defines) if a.defines.get(n) != b.defines.get(n)}
    decls = b.decls + [d for d in a.decls if d not in b.decls]
    uses = a.uses | b.uses | {"#" + d for d in decls}
    if len(decls) > 1:
        defines |= {"#" + d for d in decls}  # couples with what else changes inside one of them
    return sorted(defines), sorted(uses), decls[0] if decls else ""


class Side:
    def __init__(self, text, span):
        self.defines, self.uses, self.decls = {}, set(), []
        if text is None or not text.parses or not span[1]:
            return
        first, last = span[0], span[0] + span[1] - 1
        places = text.between(first, last)
        for chunk, at in places:
            self.first, self.last = first - at + chunk.base, last - at + chunk.base
            self.visit(chunk.tree, [], None)
        for chunk, at in places:
            self.first, self.last = first - at + 1, last - at + 1
            self.mentions(chunk)

    def touches(self, first, last):
        return first <= self.last and last >= self.first

    def define(self, name, how):
        self.defines[name] = self.defines.get(name, "") + how + ";"

    def visit(self, node, path, function):
        for child in ast.iter_child_nodes(node):
            if isinstance(child, SCOPES):
                if not self.touches(first_line(child), child.end_lineno):
                    continue
                inner = path + [child.name]
                before = len(self.decls)
                self.scope(child, ".".join(inner), function)
                self.visit(child, inner, ".".join(inner) if isinstance(child, FUNCTIONS) else function)
                if len(self.decls) == before:
                    self.decls.append(".".join(inner))
                continue
            self.binding(child, function)
            self.visit(child, path, function)

    def scope(self, node, full, function):
        header = max(node.lineno, node.body[0].lineno - 1)
        if not self.touches(first_line(node), header):
            return
        name = function + "/" + node.name if function else node.name
        if isinstance(node, ast.ClassDef):
            self.define(name, dumps(node.bases + node.keywords + node.decorator_list))
            return
        self.define(name, ast.dump(node.args) + dumps(node.decorator_list) + type(node).__name__)
        a = node.args
        for arg in getattr(a, "posonlyargs", []) + a.args + a.kwonlyargs + [a.vararg, a.kwarg]:
            if arg is not None and self.touches(arg.lineno, arg.end_lineno):
                self.define(full + "/" + arg.arg, "parameter")

    def binding(self, node, function):
        line = getattr(node, "lineno", None)
        if line is None or not self.touches(line, node.end_lineno):
            return
        local = (lambda n: function + "/" + n) if function else (lambda n: n)
        if isinstance(node, (ast.Assign, ast.AnnAssign, ast.AugAssign)):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            for t in targets:
                self.target(t, dumps([node]), local)
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            for a in node.names:
                self.define(local((a.asname or a.name).split(".")[0]),
                            "%s.%s" % (getattr(node, "module", ""), a.name))
        elif isinstance(node, (ast.For, ast.AsyncFor)):
            self.target(node.target, dumps([node.iter]), local)
        elif isinstance(node, ast.NamedExpr):
            self.target(node.target, dumps([node.value]), local)

    def target(self, t, how, local):
        for n in ast.walk(t):
            if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store):
                self.define(local(n.id), how)
            elif isinstance(n, ast.Attribute) and isinstance(n.ctx, ast.Store):
                self.define(n.attr, how)

    def mentions(self, chunk):
        functions = [d for d in self.decls]
        for t in chunk.kept(tokens):
            if not self.touches(t.start[0], t.end[0]):
                continue
            words = []
            if t.type == tokenize.NAME and not keyword.iskeyword(t.string):
                words = [t.string]
            elif t.type == tokenize.STRING and "f" in t.string[: t.string.find(t.string[-1])].lower():
                words = IDENTIFIER.findall(t.string)  # before 3.12 an f-string is one token
            for w in words:
                self.uses.add(w)
                self.uses.update(f + "/" + w for f in functions)


def dumps(nodes):
    return "|".join(ast.dump(n) for n in nodes)
