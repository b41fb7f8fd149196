"""Declarations that were moved or renamed and are otherwise the same.

A rename is proved by a declaration that is gone, one that is new in the same
scope, and equal bodies once every proved rename is applied. Where Python could
look the name up as text (getattr, a decorator that registers it, a base class
with hooks) nothing is proved.
"""
import ast
import copy
import re

import project
import same
import scopes
from glue import constant
from syntax import FUNCTIONS, SCOPES, first_line, last_name

PREFIX = re.compile(r"[^\W\d]\w*")


class Rename:
    """In path, old of scope ("" or a class) is new at head."""

    def __init__(self, path, scope, old, new):
        self.path, self.scope, self.old, self.new = path, scope, old, new


def declarations(tree):
    """{(scope, name): node} of module and class level, those declared once."""
    out, twice = {}, set()
    todo = [("", tree)]
    for scope, owner in todo:
        for n in owner.body:
            name = n.name if isinstance(n, SCOPES) else target(n)
            if name is None:
                continue
            (twice.add if (scope, name) in out else lambda k: None)((scope, name))
            out[scope, name] = n
            if isinstance(n, ast.ClassDef) and not scope:
                todo.append((name, n))
    return {k: n for k, n in out.items() if k not in twice}


def target(n):
    if isinstance(n, ast.Assign) and len(n.targets) == 1 and isinstance(n.targets[0], ast.Name) and constant(n.value):
        return n.targets[0].id
    return None


def movable(n):
    """Whether the place of a declaration in its scope means nothing."""
    if isinstance(n, FUNCTIONS):
        values = n.args.defaults + [d for d in n.args.kw_defaults if d is not None]
        return all(last_name(d) in same.PLAIN_DECORATORS for d in n.decorator_list) and all(map(simple, values))
    if isinstance(n, ast.ClassDef):
        return not n.decorator_list and not n.keywords
    return True


def simple(value):
    return constant(value) or isinstance(value, ast.Name)


def text_of(node):
    return ast.dump(node)


def alike(a, x, b, y):
    """Whether two declarations say the same; most of them are written the same."""
    return same.written(a, x) == same.written(b, y) or text_of(x) == text_of(y)


def moves(world):
    """{path: {"old": nodes, "new": nodes}} of declarations that only moved."""
    out, gone, new = {}, {}, {}
    for path in production(world):
        old, neu = tables(world, path)
        for key in old.keys() & neu.keys():
            if movable(neu[key]) and alike(world.bases[path], old[key], world.heads[path], neu[key]):
                keep(out, path, "old", old[key])
                keep(out, path, "new", neu[key])
        for key in old.keys() - neu.keys():
            if not key[0]:
                gone.setdefault((key[1], text_of(old[key])), []).append((path, old[key]))
        for key in neu.keys() - old.keys():
            if not key[0]:
                new.setdefault((key[1], text_of(neu[key])), []).append((path, neu[key]))
    for key in gone.keys() & new.keys():
        if len(gone[key]) == len(new[key]) == 1 and movable(gone[key][0][1]) and same_world(world, gone[key][0], new[key][0]):
            keep(out, gone[key][0][0], "old", gone[key][0][1])
            keep(out, new[key][0][0], "new", new[key][0][1])
    return out


def keep(out, path, side, node):
    out.setdefault(path, {"old": [], "new": []})[side].append(node)


def production(world):
    return [p for p in world.changed() if not world.is_test(p) and world.bases[p].parses
            and world.heads[p].parses]


def tables(world, path):
    return world.bases[path].of_tree(declarations), world.heads[path].of_tree(declarations)


def same_world(world, gone, new):
    """Whether the globals a moved declaration uses mean the same in both files."""
    names = {n.id for n in ast.walk(gone[1]) if isinstance(n, ast.Name)} - scopes.IMPLICIT
    before = meanings(world, gone[0], world.bases[gone[0]])
    after = meanings(world, new[0], world.heads[new[0]])
    inner = {n.id for n in ast.walk(gone[1]) if isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Load)}
    inner |= {n.arg for n in ast.walk(gone[1]) if isinstance(n, ast.arg)} | {getattr(gone[1], "name", "")}
    return all(n in before and before[n] == after.get(n) for n in names - inner)


def meanings(world, path, text):
    out = {}
    for file, dotted, name, local, _ in world.project.imports_of(path, text):
        if local:
            out[local] = (dotted, name)
    dotted = min(world.project.names(path), key=len)
    for n in text.tree.body:
        name = n.name if isinstance(n, SCOPES) else target(n)
        if name:
            out[name] = (dotted, name)
    return out


def only_moved(world, unit):
    """Whether all code of both sides of the unit belongs to moved declarations."""
    kept = world.moves.get(unit.path)
    if kept is None:
        return False
    sides = ((world.bases[unit.path], unit.old_span, kept["old"]), (world.heads[unit.path], unit.new_span, kept["new"]))
    found = False
    for text, span, nodes in sides:
        lines = text.code_lines(span[0], span[0] + span[1] - 1) if span[1] else []
        inside = [n for n in nodes if span[0] <= first_line(n) and n.end_lineno < span[0] + span[1]]
        if any(not any(first_line(n) <= line <= n.end_lineno for n in inside) for line in lines):
            return False
        found = found or bool(lines)
    return found


def renames(world):
    """The proved Renames of the change."""
    found = []
    for path in production(world):
        old, neu = tables(world, path)
        gone = {k: n for k, n in old.items() if k not in neu}
        new = {k: n for k, n in neu.items() if k not in old}
        names = {k[1] for k in gone} | {k[1] for k in new}
        shapes = {}
        for side, table in enumerate((gone, new)):
            for (scope, name), n in table.items():
                shapes.setdefault((scope, Blank(names).dump(n)), ([], []))[side].append(name)
        for (scope, _), (a, b) in shapes.items():
            if len(a) == len(b) == 1 and provable(world, path, scope, gone[scope, a[0]], a[0], b[0]):
                found.append(Rename(path, scope, a[0], b[0]))
    while True:
        kept = [r for r in found if proved(world, r, found)]
        if len(kept) == len(found):
            return kept
        found = kept


def proved(world, r, all_of):
    old, neu = tables(world, r.path)
    return text_of(Apply(world, all_of, r.path, []).visit(copy.deepcopy(old[r.scope, r.old]))) == text_of(neu[r.scope, r.new])


class Blank(ast.NodeTransformer):
    """A declaration with every renamed name left open."""

    def __init__(self, names):
        self.names = names

    def dump(self, node):
        return ast.dump(self.visit(copy.deepcopy(node)))

    def generic_visit(self, node):
        super().generic_visit(node)
        for field in ("name", "id", "attr"):
            if getattr(node, field, None) in self.names:
                setattr(node, field, "_")
        return node


def provable(world, path, scope, node, old, new):
    if any(n.startswith("__") and n.endswith("__") for n in (old, new)):
        return False
    if isinstance(node, FUNCTIONS) and any(last_name(d) not in same.PLAIN_DECORATORS for d in node.decorator_list):
        return False
    if isinstance(node, ast.ClassDef) and (node.decorator_list or node.keywords or not plain_bases(node)):
        return False
    if scope:
        owner = world.bases[path].of_tree(declarations)[("", scope)]
        if owner.decorator_list or owner.keywords or not plain_bases(owner) or not isinstance(node, FUNCTIONS):
            return False
        if any(project.Foreign.has(n) for n in (old, new)) or elsewhere(world, path, old, new):
            return False
    return not any(looked_up(world, n) for n in (old, new))


def plain_bases(cls):
    return all(last_name(b) in ("object", "Exception") for b in cls.bases)


def elsewhere(world, path, old, new):
    """Whether anything at head still has the old attribute, or had the new one
    at base: `.old` could then be that."""
    for p in world.mentioning([old]):
        if world.head(p).parses and old in world.head(p).of_tree(project.defined_attributes):
            return True
    return any(new in t.of_tree(project.defined_attributes) for t in world.bases.values() if t.parses)


def looked_up(world, name):
    """Whether some code could look the name up as text."""
    for p in world.mentioning(["getattr", "globals", "attrgetter", "methodcaller", "import_module"]):
        text = world.head(p)
        if not text.parses or world.is_test(p):
            continue
        for n in text.of_tree(strings):
            if n == name or len(n) >= 3 and n.endswith("_") and name.startswith(n):
                return True
    return False


def strings(tree):
    found = [n.value for n in ast.walk(tree) if isinstance(n, ast.Constant) and isinstance(n.value, str)]
    return {m.group() for m in map(PREFIX.match, found) if m}


class Apply(ast.NodeTransformer):
    """Old text of a path with every proved rename applied."""

    def __init__(self, world, renames, path, owners):
        self.globals, self.attributes, self.members = {}, {}, {}
        local = set()
        for fn in owners:
            local |= bound(fn) if isinstance(fn, FUNCTIONS) else set()
        brings = {(f, n) for t in (world.base(path), world.head(path)) if t.parses
                  for f, _, n, _, _ in world.project.imports_of(path, t)}
        for r in renames:
            if r.scope:
                self.attributes[r.old] = r.new
                if r.path == path:
                    self.members[r.scope, r.old] = r.new
            elif r.path == path and r.old not in local:
                self.globals[r.old] = r.new
            elif (r.path, r.old) in brings and r.old not in local:
                self.globals[r.old] = r.new
                self.attributes.setdefault(r.old, r.new)
            elif any(f == r.path for f, _ in brings):
                self.attributes.setdefault(r.old, r.new)
        self.shadow = [set()]

    def visit_FunctionDef(self, node):
        node.name = self.globals.get(node.name, self.attributes.get(node.name, node.name))
        self.shadow.append(self.shadow[-1] | bound(node))
        self.generic_visit(node)
        self.shadow.pop()
        return node

    visit_AsyncFunctionDef = visit_FunctionDef

    def visit_ClassDef(self, node):
        node.name = self.globals.get(node.name, node.name)
        return self.generic_visit(node)

    def visit_Name(self, node):
        if node.id not in self.shadow[-1]:
            node.id = self.globals.get(node.id, node.id)
        return node

    def visit_Attribute(self, node):
        node.attr = self.attributes.get(node.attr, node.attr)
        return self.generic_visit(node)

    def visit_ImportFrom(self, node):
        for a in node.names:
            a.name = self.globals.get(a.name, a.name)
        return node

    def visit_Assign(self, node):
        if any(isinstance(t, ast.Name) and t.id == "__all__" for t in node.targets):
            for n in ast.walk(node.value):
                if isinstance(n, ast.Constant):
                    n.value = self.globals.get(n.value, n.value)
        return self.generic_visit(node)


def bound(fn):
    """Parameters and locals of a function, those of nested ones included."""
    names, rest = set(), {}
    for n in ast.walk(fn):
        if isinstance(n, FUNCTIONS):
            scopes.local_bindings(n, names, rest)
        elif isinstance(n, ast.arg):
            names.add(n.arg)
    return names - {n for g in ast.walk(fn) if isinstance(g, ast.Global) for n in g.names}


def only_renamed(world, unit, without):
    """The Renames that are all the unit does, or []."""
    head = world.head(unit.path)
    if not world.renames or not without.parses or not head.parses or without.absent:
        return []
    x, y, owners = same.differing(without, head)
    apply = Apply(world, world.renames, unit.path, owners)
    x, y = [s.node for s in x], [s.node for s in y]
    mapped = [apply.visit(n) for n in copy.deepcopy(x)]
    if same.dump(mapped, owners, ()) != same.dump(y, owners, ()):
        return []
    words = {w for n in x for w in names_in(n)}
    return [r for r in world.renames if r.old in words]


def names_in(node):
    for n in ast.walk(node):
        for field in ("id", "attr", "name"):
            value = getattr(n, field, None)
            if isinstance(value, str):
                yield value
        if isinstance(n, ast.Constant) and isinstance(n.value, str):
            yield n.value
