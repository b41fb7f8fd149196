"""Repairs without behaviour: what restored text needs is put back beside head.

An import of base, or a function, class or immutable constant of base's module
level that head no longer has. Attributes and mutable values never: what fills
them would be missing.
"""
import ast

from added import Added
from syntax import SCOPES, first_line, last_name


def repair(world, state, f):
    """The Added that settles the finding, or None."""
    if f.kind not in ("undefined", "import"):
        return None
    base = world.bases.get(f.file)
    head = world.heads.get(f.file)
    if base is None or not base.parses or not head.parses or head.absent:
        return None
    if any(world.units[u].path == f.file and world.units[u].op != "splice" for u in state.units):
        return None
    if defined_at_top(state.text(f.file), f.name):
        return None
    node = declaration(base.tree.body, f.name) or imported(head.tree.body, f.name)
    if node is None:
        return None
    if isinstance(node, (ast.Import, ast.ImportFrom)):
        at, text, says = import_place(head), import_text(node, f.name), "import of %s" % f.name
    else:
        lines = base.lines[first_line(node) - 1:node.end_lineno]
        at, text, says = place(base, head, node), b"\n".join(l.rstrip(b"\r") for l in lines), "%s of base" % title(node)
    end = head.end_of_line()
    text = text.replace(b"\n", end) + end
    if at and head.src[at - 1:at] not in (b"\n", b""):
        text = end + text
    at = outside(world, state, f.file, at)
    return Added(f.file, at, at, text, says + " in " + f.file)


def title(node):
    if isinstance(node, ast.ClassDef):
        return "class " + node.name
    if isinstance(node, SCOPES):
        return "def " + node.name
    return node.targets[0].id if isinstance(node, ast.Assign) else node.target.id


def defined_at_top(text, name):
    return not text.parses or declaration([s for c in text.chunks for s in c.tree.body], name) is not None


def declaration(body, name):
    """The one module-level statement that binds the name and may be copied."""
    found = []
    for n in body:
        if isinstance(n, SCOPES) and n.name == name:
            found.append(n)
        elif isinstance(n, (ast.Import, ast.ImportFrom)) and any((a.asname or a.name).split(".")[0] == name for a in n.names):
            found.append(n)
        elif isinstance(n, (ast.Assign, ast.AnnAssign)):
            targets = n.targets if isinstance(n, ast.Assign) else [n.target]
            if any(isinstance(t, ast.Name) and t.id == name for t in targets):
                if len(targets) > 1 or n.value is None or not constant(n.value):
                    return None
                found.append(n)
    return found[0] if len(found) == 1 else None


def imported(body, name):
    """Head's own import of a name, which an un-done import may take too far."""
    node = declaration(body, name)
    return node if isinstance(node, (ast.Import, ast.ImportFrom)) else None


def constant(node):
    """A value that nobody can change and that is the same whenever computed."""
    if isinstance(node, ast.Constant):
        return True
    if isinstance(node, ast.Tuple):
        return all(constant(e) for e in node.elts)
    if isinstance(node, ast.UnaryOp):
        return constant(node.operand)
    if isinstance(node, ast.BinOp):
        return constant(node.left) and constant(node.right)
    if isinstance(node, ast.Attribute):
        return isinstance(node.value, ast.Name) and node.attr.isupper()
    if isinstance(node, ast.Call) and not node.keywords and isinstance(node.func, ast.Attribute):
        return isinstance(node.func.value, ast.Name) and (node.func.value.id, node.func.attr) == ("re", "compile") \
            and all(constant(a) for a in node.args)
    if isinstance(node, ast.Call) and last_name(node) in ("TypeVar", "NewType", "ParamSpec"):
        return True
    if isinstance(node, ast.Call) and not node.keywords and isinstance(node.func, ast.Name) and node.func.id == "frozenset":
        return all(constant(a) or isinstance(a, (ast.List, ast.Set)) and all(map(constant, a.elts)) for a in node.args)
    return False


def import_text(node, name):
    kept = [a for a in node.names if (a.asname or a.name).split(".")[0] == name]
    alias = ", ".join(a.name + (" as " + a.asname if a.asname else "") for a in kept)
    if isinstance(node, ast.Import):
        return ("import " + alias).encode()
    return ("from %s%s import %s" % ("." * node.level, node.module or "", alias)).encode()


def import_place(head):
    """Behind the last import of the first run of imports, else behind the
    docstring and __future__."""
    last = None
    for n in head.tree.body:
        if isinstance(n, (ast.Import, ast.ImportFrom)):
            last = n
        elif last is not None:
            break
    if last is None and head.tree.body and isinstance(head.tree.body[0], ast.Expr):
        last = head.tree.body[0]
    return head.line_start(last.end_lineno + 1) if last is not None else head.line_start(1)


def place(base, head, node):
    """In front of the first declaration that followed it at base and is still
    there; else at the end."""
    later = base.tree.body[base.tree.body.index(node) + 1:]
    names = {n.name: n for n in head.tree.body if isinstance(n, SCOPES)}
    for n in later:
        if isinstance(n, SCOPES) and n.name in names:
            return head.line_start(first_line(names[n.name]))
    return len(head.src)


def outside(world, state, path, at):
    """The place itself, or the start of the un-doing it would fall into."""
    for u in state.units:
        unit = world.units[u]
        if unit.path == path and unit.start < at < unit.end:
            return unit.start
    return at
