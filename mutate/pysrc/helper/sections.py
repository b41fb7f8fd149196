"""The declarations of a file as runs of lines, for cutting hunks."""
import ast

from text import FUNCTIONS, first_line, is_docstring


def sections(text):
    if text.tree is None or text.odd or not text.tree.body:
        return []
    return cut(text.tree.body, "", 1, len(text.src.splitlines()) if text.src.endswith(b"\n") else len(text.lines))


def cut(body, owner, first, last):
    """Sections that tile the lines [first, last] around the statements."""
    out = []
    for stmt in body:
        key, name = label(stmt, owner)
        parts = []
        if isinstance(stmt, ast.ClassDef) and first_line(stmt.body[0]) > stmt.lineno:
            parts = cut(stmt.body, owner + stmt.name + ".", first_line(stmt.body[0]), stmt.end_lineno)
        s = {"key": key, "name": name, "first": first, "last": stmt.end_lineno, "parts": parts}
        if out and first_line(stmt) <= out[-1]["last"]:
            out[-1].update(key="", name=out[-1]["name"] + ", " + name, last=stmt.end_lineno, parts=[])
        elif out and key == "imports" and out[-1]["key"] == key:
            out[-1]["last"] = stmt.end_lineno
        else:
            out.append(s)
        first = stmt.end_lineno + 1
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
