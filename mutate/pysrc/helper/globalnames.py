"""The global names that a chunk defines and those that it loads.

The compiler itself resolves scopes: this covers comprehensions, class bodies,
global and nonlocal without rules of our own. Its code is only looked through
where a chunk mentions a name that its file may not define.
"""
import ast
import dis

from syntax import guarded_lines, nodes, type_checking
from text import compiled


class RunTime(ast.NodeTransformer):
    """Leaves only what runs: no TYPE_CHECKING blocks, no postponed annotations."""

    def __init__(self, postponed):
        self.postponed = postponed

    def visit_If(self, node):
        self.generic_visit(node)
        if type_checking(node):
            return node.orelse or ast.copy_location(ast.Pass(), node)
        return node

    def visit_arg(self, node):
        if self.postponed:
            node.annotation = None
        return node

    def visit_FunctionDef(self, node):
        if self.postponed:
            node.returns = None
        return self.generic_visit(node)

    visit_AsyncFunctionDef = visit_FunctionDef

    def visit_AnnAssign(self, node):
        self.generic_visit(node)
        if self.postponed:
            node.annotation = ast.copy_location(ast.Constant(value=None, kind=None), node)
        return node


def at_once(chunk):
    return Globals(chunk, False)


def postponed(chunk):
    return Globals(chunk, True)


class Globals:
    """defined are names that the module gets here; mentioned are all names
    that the chunk may load as globals, some of which it may not."""

    def __init__(self, chunk, postponed):
        self.tree, self.code = chunk.tree, None
        if postponed or b"TYPE_CHECKING" in chunk.src:
            tree = ast.increment_lineno(ast.parse(chunk.src), chunk.base - 1)
            self.tree = ast.fix_missing_locations(RunTime(postponed).visit(tree))
            self.code = compile(self.tree, "undone", "exec", dont_inherit=True)
        else:
            self.code = chunk.kept(compiled)
        self.defined, self.mentioned, self._loads = set(), set(), None
        said = {n.id for n in nodes(self.tree) if isinstance(n, ast.Name)}
        writes = any(isinstance(n, ast.Global) for n in nodes(self.tree))
        for code, module in inner(self.code, True):
            self.mentioned.update(n for n in code.co_names if n in said or n.startswith("_"))  # that may be mangled
            if module or writes:
                self.defined.update(stored(code, module))

    def loads(self):
        """({name: first line} of the globals loaded, those of them that a
        handler of NameError minds)."""
        if self._loads is None:
            wanted = {}
            for code, _ in inner(self.code, True):
                loaded(code, wanted)
            soft = guarded_lines(self.tree, {"NameError", "Exception", "BaseException"})
            self._loads = {n: min(at) for n, at in wanted.items()}, {n for n, at in wanted.items() if at & soft}
        return self._loads


def inner(code, module):
    """A code object and those inside it, but for annotations, which are
    evaluated by nobody unless asked."""
    if code.co_name == "__annotate__":
        return
    yield code, module
    for const in code.co_consts:
        if hasattr(const, "co_code"):
            yield from inner(const, False)


def stored(code, module):
    kinds = ("STORE_GLOBAL", "STORE_NAME") if module else ("STORE_GLOBAL",)
    return {i.argval for i in dis.get_instructions(code) if i.opname in kinds}


def loaded(code, wanted):
    local, found = set(), {}
    line = code.co_firstlineno
    for i in dis.get_instructions(code):
        start = getattr(i, "line_number", None)
        if start is None and not isinstance(i.starts_line, bool):
            start = i.starts_line
        line = start or line
        if i.opname == "STORE_NAME":
            local.add(i.argval)
        elif i.opname in ("LOAD_NAME", "LOAD_GLOBAL", "LOAD_FROM_DICT_OR_GLOBALS"):
            found.setdefault(i.argval, set()).add(line)
    for name, at in found.items():
        if name not in local:
            wanted.setdefault(name, set()).update(at)
