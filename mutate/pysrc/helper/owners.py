"""Which unit of the change settles a finding: by place, by definition, by use.

Kind and scope are minded: an attribute is defined by what assigns it or by a
member of a class, a local only by its own function, a global by its module.
"""
import ast
import tokenize

from merge import located, merged
from syntax import FUNCTIONS, SCOPES, first_line
from text import tokens


def owners(world, state, f):
    """Units not yet un-done that may settle the finding, best first."""
    found = list(RULES[f.kind](world, state, f))
    seen, out = set(state.units), []
    for u in found:
        if u.id not in seen and not world.is_test(u.path):
            seen.add(u.id)
            out.append(u)
    return out


def syntax(world, state, f):
    """Half a construct: the other half is the nearest unit of the file."""
    mine = [world.units[u] for u in state.units if world.units[u].path == f.path]
    lines = [u.new_span[0] for u in mine]
    return sorted(world.of(f.path), key=lambda u: min(u.distance(n) for n in lines or [1]))


def undefined(world, state, f):
    """A name: who uses it there, then who defined it there, in the same scope."""
    around = state.scope(f.path, f.line)
    inner = [u for u, scope in defining(world, f.path, f.name, ("local", "parameter")) if scope in around]
    outer = [u for u, _ in defining(world, f.path, f.name, ("global",))]
    return place(world, state, f) + inner + outer + using(world, f.path, f.name)


def unbound(world, state, f):
    return undefined(world, state, f)


def misfit(world, state, f):
    """A call and a definition that do not fit: whichever was left behind."""
    return place(world, state, f) + [u for u, _ in defining(world, f.path, f.name, ("global",))] + using(world, f.path, f.name)


def imported(world, state, f):
    """What restored text imports: the unit whose old side defines it."""
    if world.head(f.file).absent:
        return world.of(f.file)
    return [u for u, _ in defining(world, f.file, f.name, ("global",))]


def gone(world, state, f):
    """What another file needs: the use there, else an old definition here."""
    return place(world, state, f) + [u for u, _ in defining(world, f.file, f.name, ("global",))]


def attribute(world, state, f):
    """An attribute that nothing has any more: what reads it, else what had it."""
    anywhere = [u for p in world.changed() for u, _ in defining(world, p, f.name, ("attribute",))]
    return place(world, state, f) + anywhere


def wanted(world, state, f):
    """An attribute restored text reads: every old side that writes it."""
    own = [u for u, _ in defining(world, f.path, f.name, ("attribute",))]
    return own + [u for p in world.changed() if p != f.path for u, _ in defining(world, p, f.name, ("attribute",))]


RULES = {"syntax": syntax, "undefined": undefined, "unbound": unbound, "misfit": misfit, "import": imported,
         "gone": gone, "call": gone, "attribute": attribute, "wanted": wanted}


def place(world, state, f):
    """The unit whose head text has the line of the finding."""
    _, line = state.locate(f.path, f.line)
    if line is None:
        return []
    return [u for u in world.of(f.path) if u.id not in state.units and u.has_new(line)]


def defining(world, path, name, kinds):
    """[(unit, scope)] whose old side binds the name, each unit and scope once."""
    text = world.bases.get(path)
    if text is None or not text.parses:
        return []
    out = []
    for line, kind, _, scope in named(text, name):
        if kind in kinds:
            out += [(u, scope) for u in world.of(path) if u.has_old(line) and (u, scope) not in out]
    return out


def using(world, path, name):
    """Units whose new side mentions the name, not as an attribute."""
    text = world.heads.get(path)
    if text is None or not text.parses:
        return []
    word = name.encode()
    lines = [n + at - 1 for chunk, at in text.places if word in chunk.src for n in chunk.kept(mentions).get(name, ())]
    return [u for u in world.of(path) if any(u.has_new(n) for n in lines)]


def mentions(chunk):
    """{name: lines} of names that are not attributes, from the chunk's first line."""
    found, before = {}, ""
    for t in chunk.kept(tokens):
        if t.type == tokenize.NAME and before != ".":
            found.setdefault(t.string, []).append(t.start[0])
        before = t.string
    return found


def named(text, name):
    """Those of bound_names that have a name."""
    word = name.encode()
    return [(e[0] + at - c.base,) + e[1:] for c, at in text.places if word in c.src
            for e in c.of_tree(bound_names) if e[2] == name]


@merged(located)
def bound_names(tree):
    """[(line, kind, name, scope)] of everything the file binds."""
    out = []
    bind(tree, "", "global", out)
    return out


def bind(node, scope, kind, out):
    for n in ast.iter_child_nodes(node):
        if isinstance(n, SCOPES):
            out += [(line, kind, n.name, scope) for line in range(first_line(n), n.lineno + 1)]
            inner = scope + "." + n.name if scope else n.name
            if isinstance(n, FUNCTIONS):
                a = n.args
                for arg in getattr(a, "posonlyargs", []) + a.args + a.kwonlyargs + [a.vararg, a.kwarg]:
                    if arg is not None:
                        out.append((arg.lineno, "parameter", arg.arg, inner))
            bind(n, inner, "local" if isinstance(n, FUNCTIONS) else "attribute", out)
            continue
        if isinstance(n, (ast.Import, ast.ImportFrom)):
            out += [(line, kind, (a.asname or a.name).split(".")[0], scope)
                    for a in n.names for line in range(n.lineno, n.end_lineno + 1)]
        elif isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store):
            out.append((n.lineno, kind, n.id, scope))
        elif isinstance(n, ast.Attribute) and isinstance(n.ctx, ast.Store):
            out.append((n.lineno, "attribute", n.attr, scope))
        elif isinstance(n, ast.ExceptHandler) and n.name:
            out.append((n.lineno, kind, n.name, scope))
        elif isinstance(n, ast.Global):
            out += [(n.lineno, "global", name, "") for name in n.names]
        bind(n, scope, kind, out)
