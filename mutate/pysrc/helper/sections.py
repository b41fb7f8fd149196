"""The declarations of a file as runs of lines, for cutting hunks."""
import ast

from syntax import FUNCTIONS, first_line, is_docstring


def sections(text):
    body = [(s, at - c.base) for c, at in text.places for s in c.tree.body] if text.parses and not text.odd else []
    if not body:
        return []
    return cut(body, "", 1, len(text.src.splitlines()) if text.src.endswith(b"\n") else len(text.lines))


def cut(body, owner, first, last):
    """Sections that tile the lines [first, last] around the statements, each
    of which comes with how far its lines are off."""
    out = []
    for stmt, off in body:
        key, name = label(stmt, owner)
        parts, start, end = [], first_line(stmt) + off, stmt.end_lineno + off
        if isinstance(stmt, ast.ClassDef) and first_line(stmt.body[0]) > stmt.lineno:
            inner = [(s, off) for s in stmt.body]
            parts = cut(inner, owner + stmt.name + ".", first_line(stmt.body[0]) + off, end)
        s = {"key": key, "name": name, "first": first, "last": end, "parts": parts}
        if out and start <= out[-1]["last"]:
            out[-1].update(key="", name=out[-1]["name"] + ", " + name, last=end, parts=[])
        elif out and key == "imports" and out[-1]["key"] == key:
            out[-1]["last"] = end
        else:
            out.append(s)
        first = end + 1
    out[-1]["last"] = max(out[-1]["last"], last)
    keys = [s["key"] for s in out]
    for s in out:
        if keys.count(s["key"]) > 1:
            s["key"] = ""
    return out


def label(stmt, owner):
    """The key of a statement within its suite, and its name for people."""
    if isinstance(stmt, FUNCTIONS):
        return "def " + stmt.name, "def " + owner + stmt.name
    if isinstance(stmt, ast.ClassDef):
        return "class " + stmt.name, "class " + owner + stmt.name
    if isinstance(stmt, (ast.Import, ast.ImportFrom)):
        return "imports", "imports"
    if is_docstring(stmt):
        return "docstring", "docstring"
    targets = getattr(stmt, "targets", None) or [getattr(stmt, "target", None)]
    if isinstance(stmt, (ast.Assign, ast.AnnAssign)) and all(isinstance(t, ast.Name) for t in targets):
        name = ", ".join(t.id for t in targets)
        return name, owner + name
    return "", type(stmt).__name__.lower()
