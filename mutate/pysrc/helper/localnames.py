"""Functions in which only locals or parameters got other names.

The two versions are walked side by side: they must agree in everything but
names, which must go one to one and be the function's own on both sides. A
parameter can be given by its name, so that no call may do so anywhere.
"""
import ast

import same
import scopes
from merge import merged, union
from syntax import FUNCTIONS, first_line, last_name, nodes

READERS = {"locals", "vars", "eval", "exec", "dir", "globals", "signature", "getfullargspec", "_getframe", "currentframe"}
FIELDS = ("id", "arg", "name", "rest")


class Renamed:
    """A function of path by its lines at base and at head; names is {old: new}."""

    def __init__(self, path, old, new, names):
        self.path, self.names = path, names
        self.old, self.new = (first_line(old), old.end_lineno), (first_line(new), new.end_lineno)

    def holds(self, world, unit):
        """Whether all code of the unit lies in the function, on both sides."""
        if unit.path != self.path:
            return False
        for text, span, lines in ((world.bases[self.path], unit.old_span, self.old), (world.heads[self.path], unit.new_span, self.new)):
            code = text.code_lines(span[0], span[0] + span[1] - 1) if span[1] else []
            if any(not lines[0] <= n <= lines[1] for n in code):
                return False
        return True


def renamed(world, path):
    """The functions of a changed file of which this is true."""
    old, new = (functions(t.tree) for t in (world.bases[path], world.heads[path]))
    out = []
    for name in old.keys() & new.keys():
        if same.written(world.bases[path], old[name]) == same.written(world.heads[path], new[name]):
            continue
        names = mapping(old[name], new[name])
        if names and allowed(world, old[name], new[name], names):
            out.append(Renamed(path, old[name], new[name], names))
    return out


def functions(tree):
    """{qualified name: node} of the functions of module and class level that
    have a name of their own."""
    out, twice = {}, set()
    for owner, body in [("", tree.body)] + [(c.name + ".", c.body) for c in tree.body if isinstance(c, ast.ClassDef)]:
        for n in body:
            if isinstance(n, FUNCTIONS):
                if owner + n.name in out:
                    twice.add(owner + n.name)
                out[owner + n.name] = n
    return {k: n for k, n in out.items() if k not in twice}


def mapping(old, new):
    """{old name: new name} when nothing else differs, else {}."""
    a, b = list(ast.walk(old)), list(ast.walk(new))
    there, back = {}, {}
    if len(a) != len(b):
        return {}
    for x, y in zip(a, b):
        if type(x) is not type(y):
            return {}
        names = [f for f in FIELDS if f in x._fields and isinstance(getattr(x, f), str) and not isinstance(x, (ast.keyword, ast.alias))]
        names = [f for f in names if x is not old]
        for f in names:
            p, q = getattr(x, f), getattr(y, f)
            if there.setdefault(p, q) != q or back.setdefault(q, p) != p:
                return {}
        if plain(x, names) != plain(y, names):
            return {}
    return {p: q for p, q in there.items() if p != q}


def plain(node, names):
    """What a node says by itself, its names left out."""
    out = []
    for field, value in ast.iter_fields(node):
        if isinstance(value, list):
            out.append((field, [i if not isinstance(i, ast.AST) else type(i) for i in value]))
        elif not isinstance(value, ast.AST) and field not in names and field not in ("kind", "type_comment"):
            out.append((field, type(value), value))
        elif isinstance(value, ast.AST):
            out.append((field, type(value)))
    return out


def allowed(world, old, new, names):
    before, after = own(old), own(new)
    if any(p not in before or q not in after or p.startswith("__") or q.startswith("__") for p, q in names.items()):
        return False
    if any(isinstance(n, (ast.Global, ast.Nonlocal, ast.ClassDef)) for f in (old, new) for n in ast.walk(f)):
        return False
    if any(last_name(n) in READERS for f in (old, new) for n in ast.walk(f) if isinstance(n, ast.Call)):
        return False
    params = {a.arg for f in (old, new) for a in ast.walk(f.args) if isinstance(a, ast.arg)}
    given = {n for p, q in names.items() for n in (p, q) if n in params}
    if not given:
        return True
    if any(last_name(d) not in same.PLAIN_DECORATORS for d in new.decorator_list):
        return False  # a fixture or a route is called by its parameters' names
    return not any(given & keywords_of(t) for t in everything(world, given))


def own(fn):
    """Names of the function itself, those of functions inside it included."""
    bound, rest = set(), {}
    for n in ast.walk(fn):
        if isinstance(n, FUNCTIONS):
            scopes.local_bindings(n, bound, rest)
        elif isinstance(n, ast.arg):
            bound.add(n.arg)
        elif isinstance(n, ast.comprehension):
            bound |= {t.id for t in ast.walk(n.target) if isinstance(t, ast.Name)}
    return bound


def everything(world, names):
    return [world.head(p) for p in world.mentioning(names) | set(world.changed())] + list(world.bases.values())


def keywords_of(text):
    return text.of_tree(keywords) if text.parses else set()


@merged(union)
def keywords(tree):
    """Names that may be given to a call: its keywords, and strings, which a
    dictionary of arguments has."""
    return {n.arg for n in nodes(tree) if isinstance(n, ast.keyword) and n.arg} | \
        {n.value for n in nodes(tree) if isinstance(n, ast.Constant) and isinstance(n.value, str)}


def only(world, unit):
    """The Renamed that is all the unit does, or None."""
    if world.is_test(unit.path) or unit.path not in world.local_renames:
        return None
    return next((r for r in world.local_renames[unit.path] if r.holds(world, unit)), None)
