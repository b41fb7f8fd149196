"""A pure addition whose name stays and whose behaviour goes.

Only what is added: text that replaces other text had a behaviour before, and
switching it off would take that away as well. A line that was only moved is
not an addition either.
"""
import ast
import io
import keyword
import re
import tokenize

import carried
import plant
import same
from added import Added
from syntax import FUNCTIONS, SCOPES, first_line, is_docstring, last_name, nodes

# Methods that Python itself calls and whose result it checks.
FREE_DUNDERS = {"__init__", "__call__", "__enter__", "__exit__", "__aenter__", "__aexit__", "__setattr__",
                "__setitem__", "__delitem__", "__post_init__", "__init_subclass__", "__set_name__"}
YIELDING = {"contextmanager", "asynccontextmanager", "fixture"}


def neutralise(world, unit, without):
    """([Added], "") or ([], why not)."""
    head = world.head(unit.path)
    if not head.parses or head.odd:
        return [], "the file does not parse"
    added = parameters(head, without, unit) if without.parses and not without.absent else []
    if added:
        return added, ""
    if code(unit.text) or unit.op == "create":
        return [], "it replaces text"
    if moved(world, unit):
        return [], "it holds lines that were only moved"
    return bodies(head, unit)


def entangled(world, unit, values=False):
    """Why switching an addition off may take old behaviour away as well, or "":
    text that replaces other text needs it, directly or through additions. With
    values it is the names that the unit gives values that are asked for."""
    seen = [unit]
    for u in seen:
        names = defined(world.head(u.path), u)
        if values and u is unit:
            names = given(world.head(u.path), u)
        for v in world.units.values():
            if v in seen or world.is_test(v.path) or not names & carried.words(world, v):
                continue
            if code(v.text):
                return "text that replaces other text uses it"
            seen.append(v)
    return ""


def defined(head, unit):
    """Names of the functions and classes that the unit adds, those of methods
    included."""
    first, last = unit.new_span[0], unit.new_span[0] + unit.new_span[1] - 1
    return {n.name for chunk, at in (head.between(first, last) if head.parses else [])
            for n in nodes(chunk.tree) if isinstance(n, SCOPES) and first <= n.lineno + at - chunk.base <= last}


def given(head, unit):
    """Names and attributes that the unit gives a value."""
    out = set()
    for s in head.kept(plant.Planter).stmts if head.parses else []:
        if unit.has_new(s.lineno) and unit.has_new(s.end_lineno):
            out |= {t.id if isinstance(t, ast.Name) else t.attr for t in targets(s) if isinstance(t, (ast.Name, ast.Attribute))}
    return out


def targets(s):
    return s.targets if isinstance(s, ast.Assign) else [s.target] if isinstance(s, ast.AnnAssign) else []


ZERO = "its value is zero: a red may be the old behaviour's"


def zero(world, unit):
    """Added constants and attributes keep their names and lose their values:
    ([Added], "") or ([], why not)."""
    head, out = world.head(unit.path), []
    if not head.parses or head.odd or code(unit.text) or unit.op != "splice" or moved(world, unit):
        return [], "it is no addition"
    for s in head.kept(plant.Planter).stmts:
        inside = unit.has_new(s.lineno) and unit.has_new(s.end_lineno)
        if not inside or is_docstring(s) or isinstance(s, ast.ClassDef) and plain(s):
            continue
        value = nothing(s)
        if value is None or written(head, s.value) == value:
            return [], "it is more than values"
        start, end = extent(head, s.value)
        name = written(head, targets(s)[0]).decode("utf-8", "replace")
        out.append(Added(unit.path, start, end, value, "%s is %s" % (name, value.decode())))
    return out, "" if out else "it gives no value"


def extent(text, node):
    return text.offset(node.lineno, node.col_offset), text.offset(node.end_lineno, node.end_col_offset)


def written(text, node):
    start, end = extent(text, node)
    return text.src[start:end]


def plain(cls):
    """A class of which the values mean nothing to whatever makes the class."""
    return not cls.bases and not cls.keywords and not cls.decorator_list


def nothing(s):
    """The zero of the value that a simple assignment gives, or None."""
    to = targets(s)
    if len(to) != 1 or not isinstance(to[0], (ast.Name, ast.Attribute)) or s.value is None:
        return None
    if not isinstance(s.value, ast.Constant):
        return {ast.List: b"[]", ast.Dict: b"{}", ast.Tuple: b"()", ast.Set: b"set()"}.get(type(s.value))
    zero = {bool: b"False", int: b"0", float: b"0.0", str: b'""', bytes: b'b""'}.get(type(s.value.value))
    return zero if s.value.value else None  # what is zero already stays


def bodies(head, unit):
    """Every added function returns at once."""
    functions, other = [], []
    sort(head.tree.body, unit, functions, other, False)
    if other or not functions:
        return [], "it is more than functions"
    planter, out = head.kept(plant.Planter), []
    for fn in functions:
        what = neutral(fn)
        if what is None:
            return [], "%s has no neutral result" % fn.name
        if idle(fn):
            continue
        at, text = planter.edit(planter.start_of(fn), what)
        out.append(Added(unit.path, at, at, text, "%s returns at once" % fn.name))
    return out, "" if out else "it does nothing"


def sort(body, unit, functions, other, inside):
    """Functions that lie wholly in the unit, and whatever else of it is code."""
    for n in body:
        first, last = first_line(n), n.end_lineno
        if last < unit.new_span[0] or first >= unit.new_span[0] + unit.new_span[1]:
            continue
        whole = unit.has_new(first) and unit.has_new(last)
        if isinstance(n, FUNCTIONS) and whole:
            if not inside or not n.name.startswith("__") or n.name in FREE_DUNDERS - {"__init__"}:
                functions.append(n)
        elif isinstance(n, ast.ClassDef):
            sort(n.body, unit, functions, other, whole)
        elif isinstance(n, (ast.Import, ast.ImportFrom)) or is_docstring(n):
            continue
        elif not (whole and inside):
            other.append(n)


def neutral(fn):
    """The statement that ends the function at once without a result."""
    if fn.name.startswith("__") and fn.name.endswith("__") and fn.name not in FREE_DUNDERS:
        return None
    if any(last_name(d) in YIELDING for d in fn.decorator_list) and any(isinstance(n, ast.Yield) for n in ast.walk(fn)):
        return b"yield None; return"
    return b"return"


def idle(fn):
    return all(isinstance(n, ast.Pass) or isinstance(n, ast.Expr) and isinstance(n.value, ast.Constant) for n in fn.body)


def parameters(head, without, unit):
    """Added parameters with a default get it again at entry."""
    x, y, owners = same.differing(without, head)
    if len(x) != 1 or len(y) != 1 or not isinstance(y[0].node, FUNCTIONS) or type(x[0].node) is not type(y[0].node):
        return []
    planter = head.kept(plant.Planter)
    fn, old = planter.at(y[0]), x[0].node
    before = {a.arg for a in arguments(old.args)}
    new = [(a.arg, d) for a, d in defaults(fn.args) if a.arg not in before]
    if not new or any(not fixed(d, fn) for _, d in new) or idle(fn):
        return []
    bare = ast.parse(ast.unparse(fn)) if hasattr(ast, "unparse") else None
    if bare is None:
        return []
    without_new(bare.body[0].args, {n for n, _ in new})
    rules = ("docstring", "annotation")
    if same.dump([bare.body[0]], owners, rules) != same.dump(ast.parse(ast.unparse(old)).body, owners, rules):
        return []
    line = "; ".join("%s = %s" % (n, ast.unparse(d)) for n, d in new)
    at, text = planter.edit(planter.start_of(fn), line.encode())
    return [Added(unit.path, at, at, text, "%s in %s" % (line, fn.name))]


def arguments(a):
    return getattr(a, "posonlyargs", []) + a.args + a.kwonlyargs + [x for x in (a.vararg, a.kwarg) if x is not None]


def defaults(a):
    both = getattr(a, "posonlyargs", []) + a.args
    out = list(zip(both[len(both) - len(a.defaults):], a.defaults))
    return out + [(x, d) for x, d in zip(a.kwonlyargs, a.kw_defaults) if d is not None]


def without_new(a, names):
    given = dict((x.arg, d) for x, d in defaults(a))
    for field in ("posonlyargs", "args"):
        setattr(a, field, [x for x in getattr(a, field) if x.arg not in names])
    both = a.posonlyargs + a.args
    a.defaults = [given[x.arg] for x in both if x.arg in given]
    a.kwonlyargs = [x for x in a.kwonlyargs if x.arg not in names]
    a.kw_defaults = [given.get(x.arg) for x in a.kwonlyargs]


def fixed(d, fn):
    """A default that means the same inside the function."""
    if isinstance(d, ast.UnaryOp):
        return fixed(d.operand, fn)
    if isinstance(d, ast.Tuple):
        return all(fixed(e, fn) for e in d.elts)
    if isinstance(d, ast.Attribute):
        return fixed(d.value, fn)
    bound = {n.id for n in ast.walk(fn) if isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Load)}
    bound |= {a.arg for a in arguments(fn.args)}
    return isinstance(d, ast.Constant) or isinstance(d, ast.Name) and d.id not in bound


def code(text):
    """Whether some bytes hold more than blank lines and comments."""
    return any(line.strip() and not line.strip().startswith(b"#") for line in text.split(b"\n"))


NAME = re.compile(r"[^\W\d]\w*\Z")


def tokens(line):
    try:
        found = [t.string for t in tokenize.generate_tokens(io.StringIO(line.strip()).readline)
                 if t.type not in (tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.ENDMARKER)]
    except (tokenize.TokenError, IndentationError, SyntaxError):
        found = line.split()
    return [t for t in found if t]


def shape(words):
    """The line with plain names left open; None for one that says too little."""
    out, said = [], 0
    for i, w in enumerate(words):
        plain = NAME.match(w) and not keyword.iskeyword(w) and (i == 0 or words[i - 1] != ".")
        said += bool(NAME.match(w)) and not plain and not keyword.iskeyword(w) or w[:1] in "\"'0123456789"
        out.append("_" if plain else w)
    return tuple(out) if len(words) >= 8 and said else None


def moved(world, unit):
    """Whether a line of the unit was taken away elsewhere in the change, word
    for word or with other names."""
    gone, shapes = world.removed()
    for line in new_lines(world, unit):
        words = tokens(line)
        if len(words) >= 4 and tuple(words) in gone:
            return True
        if shape(words) in shapes:
            return True
    return False


def new_lines(world, unit):
    lines = world.head(unit.path).lines[unit.new_span[0] - 1:unit.new_span[0] - 1 + unit.new_span[1]]
    return [l.decode("utf-8", "replace") for l in lines if code(l)]


def removed_lines(world):
    """(tokens, shapes) of every line that the change takes away from production."""
    gone, shapes = set(), set()
    for unit in world.units.values():
        if world.is_test(unit.path):
            continue
        for line in unit.text.decode("utf-8", "replace").split("\n") if unit.op != "remove" else []:
            words = tokens(line)
            if len(words) >= 4 and not line.strip().startswith(("import ", "from ", "#")):
                gone.add(tuple(words))
                if shape(words):
                    shapes.add(shape(words))
    return gone, shapes - {None}
