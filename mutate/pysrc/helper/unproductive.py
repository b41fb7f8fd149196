"""Mutants that no reasonable test would notice, each by a rule that is named.

The rules are those of the field, as for Go: Petrovic and Ivankovic, "State of
mutation testing at Google" (2018), call such code arid.
"""
import ast
import re

from syntax import FUNCTIONS, is_docstring, last_name, type_checking

LOGGING = "logging: what is only written to a log is not for tests to hold"
SHOWN = "debug: __repr__ and __str__ are for people to read"
TYPES = "types: it only serves type checkers"
DOCSTRING = "docstring: it is read by people"
EXPORTS = "exports: __all__ only serves imports of everything"
ERROR_TEXT = "error text: the wording of an error or a warning is not its meaning"
UNREACHABLE = "unreachable: no run comes here"
PROGRAM = "program: what runs only when the file is started is not imported by tests"
CACHE = "cache: remembering a result changes none"

LOGGER = re.compile(r"(?i)(^|_)(log|logger|logging)$")
LEVELS = frozenset("debug info warning warn error critical exception log fatal".split())
SHOWING = ("__repr__", "__str__")
FOR_TYPES = frozenset("overload final override no_type_check runtime_checkable type_check_only".split())
TYPE_CALLS = frozenset("TypeVar ParamSpec TypeVarTuple NewType cast".split())
CACHES = frozenset(("lru_cache", "cache"))
TEXTS = ("string-changed", "arithmetic", "bitwise")


def rule(site, operator, start):
    """Why a proposal of an operator at an offset is not worth a run, or ""."""
    if site.within(is_logging):
        return LOGGING
    if operator == "string-changed" and is_docstring(site.above(1)):
        return DOCSTRING
    if operator in TEXTS and site.within(is_error_text):
        return ERROR_TEXT
    if operator == "decorator-removed":
        return of_decorator(site, start)
    for test, why in ((in_types, TYPES), (in_exports, EXPORTS), (in_program, PROGRAM), (in_showing, SHOWN), (in_cache, CACHE),
                      (is_unreachable, UNREACHABLE)):
        if any(test(node, inner) for node, inner in site.around()):
            return why
    return ""


def is_logging(node, inner):
    """A statement that calls a method of a logger, or what makes one."""
    call = node.value if isinstance(node, ast.Expr) else node
    if not isinstance(call, ast.Call):
        return False
    if last_name(call.func) == "getLogger":
        return True
    return isinstance(node, ast.Expr) and isinstance(call.func, ast.Attribute) and call.func.attr in LEVELS and (
        LOGGER.search(last_name(call.func.value)) is not None)


def is_error_text(node, inner):
    """What is raised or warned of, and what an assertion says."""
    if isinstance(node, ast.Raise):
        return inner is not None
    if isinstance(node, ast.Assert):
        return inner is node.msg
    return isinstance(node, ast.Call) and last_name(node.func) in ("warn", "warn_explicit") and inner in node.args[:1]


def of_decorator(site, start):
    for decorator in site.node.decorator_list:
        if site.start(decorator) > start:
            name = last_name(decorator)
            return TYPES if name in FOR_TYPES else CACHE if name in CACHES else ""
    return ""


def in_types(node, inner):
    if type_checking(node):
        return inner is not node.test and inner not in node.orelse
    if isinstance(node, FUNCTIONS):
        return any(last_name(d) == "overload" for d in node.decorator_list)
    return isinstance(node, ast.Call) and last_name(node.func) in TYPE_CALLS and inner in node.args[:1]


def in_exports(node, inner):
    targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
    return isinstance(node, (ast.Assign, ast.AugAssign, ast.AnnAssign)) and any(last_name(t) == "__all__" for t in targets)


def in_program(node, inner):
    test = node.test if isinstance(node, ast.If) else None
    return isinstance(test, ast.Compare) and last_name(test.left) == "__name__" and inner not in node.orelse


def in_showing(node, inner):
    return isinstance(node, FUNCTIONS) and node.name in SHOWING


def in_cache(node, inner):
    return isinstance(node, FUNCTIONS) and inner in node.decorator_list and last_name(inner) in CACHES


def is_unreachable(node, inner):
    """Whether inner stands behind a statement that always leaves its suite."""
    for field in ("body", "orelse", "finalbody"):
        suite = getattr(node, field, None)
        if not isinstance(suite, list) or inner not in suite:
            continue
        for stmt in suite[:suite.index(inner)]:
            if isinstance(stmt, (ast.Return, ast.Raise, ast.Break, ast.Continue)) and not yields(inner, node):
                return True
    return False


def yields(inner, node):
    """Whether what cannot be reached still makes a generator of the function."""
    return any(isinstance(n, (ast.Yield, ast.YieldFrom)) for n in ast.walk(inner))
