"""Calls that certainly do not fit the definition they call."""
import ast

from merge import groups, merged
from syntax import FUNCTIONS, last_name, nodes


class Signature:
    """What a function accepts; skip is 1 for a method called on its object."""

    def __init__(self, node, skip=0):
        a = node.args
        both = getattr(a, "posonlyargs", []) + a.args
        self.positional = [x.arg for x in both][skip:]
        self.only_positional = {x.arg for x in getattr(a, "posonlyargs", [])}
        self.required = [x.arg for x in both[: len(both) - len(a.defaults)]][skip:]
        self.required += [x.arg for x, d in zip(a.kwonlyargs, a.kw_defaults) if d is None]
        self.keywords = (set(self.positional) - self.only_positional) | {x.arg for x in a.kwonlyargs}
        self.any_positional, self.any_keyword = a.vararg is not None, a.kwarg is not None

    def refuses(self, call):
        """Why the call cannot succeed, or ""."""
        if any(isinstance(x, ast.Starred) for x in call.args) or any(k.arg is None for k in call.keywords):
            return ""
        given = {k.arg for k in call.keywords}
        if len(call.args) > len(self.positional) and not self.any_positional:
            return "takes %d positional arguments" % len(self.positional)
        taken = set(self.positional[: len(call.args)])
        for name in sorted(given):
            if name not in self.keywords and not self.any_keyword:
                return "has no argument %s" % name
            if name in taken and name not in self.only_positional:
                return "would get argument %s twice" % name
        for name in self.required:
            if name not in taken and name not in given:
                return "needs the argument %s" % name
        return ""


def signatures(text):
    """{name: Signature} of what calling a name of the module surely runs."""
    times = {}
    for counts, _ in text.each(stored):
        for name, n in counts.items():
            times[name] = times.get(name, 0) + n
    return {name: sig for found, _ in text.each(definitions) for name, sig in found.items() if times[name] == 1}


def stored(tree):
    """{name: how often anything binds it}."""
    stored = {}
    for n in nodes(tree):
        names = []
        if isinstance(n, FUNCTIONS + (ast.ClassDef,)):
            names = [n.name]
        elif isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Load):
            names = [n.id]
        elif isinstance(n, ast.arg):
            names = [n.arg]
        elif isinstance(n, (ast.Import, ast.ImportFrom)):
            names = [(a.asname or a.name).split(".")[0] for a in n.names]
        elif isinstance(n, ast.ExceptHandler) and n.name:
            names = [n.name]
        for name in names:
            stored[name] = stored.get(name, 0) + 1
    return stored


def definitions(tree):
    """{name: Signature} of the functions and classes of the statements."""
    out = {}
    for n in tree.body:
        if not isinstance(n, FUNCTIONS + (ast.ClassDef,)) or n.decorator_list:
            continue
        sig = Signature(n) if isinstance(n, FUNCTIONS) else constructor(n)
        if sig is not None:
            out[n.name] = sig
    return out


def constructor(cls):
    """The signature of a class that is made in the ordinary way."""
    if cls.keywords or any(last_name(b) != "object" for b in cls.bases):
        return None
    found = None
    for n in cls.body:
        if isinstance(n, FUNCTIONS) and n.name == "__new__":
            return None
        if isinstance(n, FUNCTIONS) and n.name == "__init__":
            if found is not None or n.decorator_list:
                return None
            found = n
    return Signature(found, 1) if found is not None else None


def misfits(text):
    """{(callee, why): line} of calls of the file's own names that cannot succeed."""
    known = text.kept(signatures)
    out = {}
    for name, made in text.of_tree(plain_calls).items():
        for line, n in made if name in known else []:
            why = known[name].refuses(n)
            if why:
                out.setdefault((name, why), line)
    return out


@merged(groups)
def plain_calls(tree):
    """{name: [(line, call)]} of calls of a name that are not expected to fail."""
    mark_expected(tree)
    out = {}
    for n in nodes(tree):
        if isinstance(n, ast.Call) and isinstance(n.func, ast.Name) and not expected(n):
            out.setdefault(n.func.id, []).append((n.lineno, n))
    return out


def expected(call):
    """Calls inside `with pytest.raises(...)` are marked by mark_expected."""
    return getattr(call, "assay_expected", False)


def mark_expected(tree):
    """Marks every node below a `with ...raises(...)` or a try: it may fail on purpose."""
    for n in nodes(tree):
        meant = isinstance(n, ast.Try) or isinstance(n, (ast.With, ast.AsyncWith)) and any(
            last_name(i.context_expr) in ("raises", "assertRaises", "assertRaisesRegex", "suppress") for i in n.items)
        if meant:
            for inner in ast.walk(n):
                inner.assay_expected = True
    return tree
