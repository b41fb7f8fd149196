"""Additions that only declare: what uses them carries what they do."""
import ast
import tokenize

from syntax import is_docstring, last_name
from text import tokens


def users(world, unit):
    """IDs of the units that use what the unit declares; none when the unit does
    anything else, or nobody uses it."""
    head = world.head(unit.path)
    if unit.text.strip() or unit.op != "splice" or not head.parses:
        return []
    first, last = unit.new_span[0], unit.new_span[0] + unit.new_span[1] - 1
    names = {declared(chunk.tree.body, line - at + chunk.base) for line in head.code_lines(first, last)
             for chunk, at in head.between(line, line)}
    if None in names:
        return []
    return sorted({u.id for p in world.changed() if not world.is_test(p) for u in world.of(p)
                   if u.id != unit.id and names & words(world, u)})


def declared(body, line):
    """The name that the statement on a line declares, or None."""
    for n in body:
        if not n.lineno <= line <= n.end_lineno:
            continue
        if isinstance(n, ast.ClassDef) and empty(n):
            return n.name
        if isinstance(n, ast.Assign) and len(n.targets) == 1 and isinstance(n.targets[0], ast.Name):
            kind = isinstance(n.value, ast.Call) and last_name(n.value) in ("TypeVar", "NewType", "ParamSpec", "TypeVarTuple")
            return n.targets[0].id if kind else None
    return None


def empty(cls):
    """A class that is only a name: an exception to tell apart, or a marker."""
    bases = all(isinstance(b, (ast.Name, ast.Attribute)) for b in cls.bases)
    body = all(isinstance(n, ast.Pass) or is_docstring(n) for n in cls.body)
    return bases and body and not cls.decorator_list and not cls.keywords


def words(world, unit):
    """The names in the new text of a unit."""
    found = set()
    text = world.head(unit.path)
    if not text.parses:
        return found
    first, last = unit.new_span[0], unit.new_span[0] + unit.new_span[1] - 1
    for chunk, at in text.between(first, last) if unit.new_span[1] else []:
        found |= {w for w, lines in chunk.kept(mentioned).items() if any(first <= n + at - 1 <= last for n in lines)}
    return found


def mentioned(chunk):
    """{name: lines}, attributes as well, from the chunk's first line."""
    found = {}
    for t in chunk.kept(tokens):
        if t.type == tokenize.NAME:
            found.setdefault(t.string, []).append(t.start[0])
    return found
