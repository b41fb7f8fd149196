"""What may break although nothing says so for certain: attributes and methods.

An object's class is not known, so a call of a method that got another
signature, or an attribute that only the change has, is no certain breakage.
When the tests then miss it, the units that use it go along.
"""
import ast

import calls
import owners
import partners
import project
from merge import groups, located, merged, union
from syntax import FUNCTIONS, last_name, nodes


def wider(world, state):
    """The State around another that leaves nothing of this kind behind; None
    when that is the same, or when it does not stand."""
    units = set(state.units)
    while True:
        more = behind(world, state) - set(state.units)
        if not more:
            return state if set(state.units) != units else None
        state, found = partners.closure(world, set(state.units) | more)
        if found is not None:
            return None


def behind(world, state):
    """IDs of the units that use what a state takes away, or had what it wants."""
    out = set()
    for path in state.touched:
        text, head = state.text(path), world.head(path)
        if text.absent or head.absent or not text.parses or not head.parses:
            continue
        out |= {u.id for u in callers(world, path, text, head)}
        lost = head.of_tree(project.class_attributes) - text.of_tree(project.defined_attributes)
        lost |= {name for _, name in head.of_tree(project.owned_attributes) - text.of_tree(project.owned_attributes)}
        out |= {u.id for name in lost for u in readers(world, name)}
        wanted = text.of_tree(attributes) - head.of_tree(attributes)
        out |= {u.id for name in wanted for u in writers(world, name)}
    return out


def callers(world, path, text, head):
    """Units whose call the state's signature refuses: of a method, or of a class."""
    yield from refused(world, head.of_tree(methods), text.of_tree(methods), bound)
    yield from refused(world, head.of_tree(constructors), text.of_tree(constructors), lambda call: last_name(call.func))


def bound(call):
    return call.func.attr if isinstance(call.func, ast.Attribute) else None


def refused(world, before, after, called):
    """Units with a call that another signature refuses; called names what it calls."""
    for name, sigs in after.items():
        was = before.get(name)
        if was is None or len(sigs) != 1 or len(was) != 1 or vars(sigs[0][1]) == vars(was[0][1]):
            continue
        for p in production(world):
            for line, n in world.head(p).of_tree(named_calls):
                if called(n) == name and sigs[0][1].refuses(n):
                    yield from within(world, p, line, n)


def within(world, path, line, n):
    """Units with a line of an expression that begins on the given one."""
    return [u for u in world.of(path) if any(u.has_new(at) for at in range(line, line + n.end_lineno - n.lineno + 1))]


def readers(world, name):
    for p in production(world):
        for line, attr in world.head(p).of_tree(reads):
            if attr == name:
                yield from (u for u in world.of(p) if u.has_new(line))


def writers(world, name):
    """Units whose old side has an attribute that head has nowhere."""
    if any(name in world.head(p).of_tree(project.defined_attributes) for p in production(world)):
        return []
    return [u for p in production(world) for u, _ in owners.defining(world, p, name, ("attribute",))]


def production(world):
    return [p for p in world.changed() if not world.is_test(p) and world.head(p).parses and not world.head(p).absent]


@merged(groups)
def constructors(tree):
    """{class: [(line, Signature)]} of the classes with an __init__ of their own."""
    out = {}
    for c in nodes(tree):
        for n in c.body if isinstance(c, ast.ClassDef) else []:
            if isinstance(n, FUNCTIONS) and n.name == "__init__":
                out.setdefault(c.name, []).append((n.lineno, calls.Signature(n, 1)))
    return out


@merged(located)
def named_calls(tree):
    return [(n.lineno, n) for n in nodes(tree) if isinstance(n, ast.Call) and isinstance(n.func, (ast.Name, ast.Attribute))]


@merged(groups)
def methods(tree):
    """{name: [(line, Signature)]} of the functions in classes."""
    out = {}
    for c in nodes(tree):
        for n in c.body if isinstance(c, ast.ClassDef) else []:
            if isinstance(n, FUNCTIONS):
                bare = any(last_name(d) == "staticmethod" for d in n.decorator_list)
                out.setdefault(n.name, []).append((n.lineno, calls.Signature(n, 0 if bare else 1)))
    return out


@merged(located)
def reads(tree):
    """[(line, attribute)]."""
    return [(n.lineno, n.attr) for n in nodes(tree) if isinstance(n, ast.Attribute) and isinstance(n.ctx, ast.Load)]


@merged(union)
def attributes(tree):
    return {attr for _, attr in reads(tree)}
