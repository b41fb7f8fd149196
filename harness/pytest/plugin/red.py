"""Turns an exception into the facts a verdict needs, never into a verdict.

The rules are those of VERDICTS.md: which kind of failure, which name it is
about, and the places inside the tree it passed through.
"""
import functools
import re
import traceback

from _pytest.outcomes import Failed
from assay_pytest import record
from assay_pytest.job import get
from assay_pytest.places import Place

MESSAGE = 1024  # bytes
FRAMES = 64

# How CPython and inspect.Signature.bind word a call that does not fit.
_CALLEE = r"(?:(?P<callee>[\w.<>]+)\(\) )?"
_ARGUMENTS = [
    re.compile(_CALLEE + r"missing (?:\d+|a) required [\w -]*arguments?: '(?P<keyword>\w+)'"),
    re.compile(_CALLEE + r"got an unexpected keyword argument '(?P<keyword>\w+)'"),
    re.compile(_CALLEE + r"got multiple values for (?:keyword )?argument '(?P<keyword>\w+)'"),
    re.compile(_CALLEE + r"got some positional-only arguments passed as keyword arguments: '(?P<keyword>\w+)"),
    re.compile(r"'(?P<keyword>\w+)' is an invalid keyword argument for (?P<callee>[\w.<>]+)"),
    re.compile(r"(?P<callee>[\w.<>]+)\(\) takes (?:no|at least|at most|exactly|from|\d+) [\w ]*arguments?"),
    re.compile(r"(?P<callee>[\w.<>]+)\(\) takes from \d+ to \d+ positional arguments"),
    re.compile(r"(?P<callee>[\w.<>]+) expected (?:at least |at most |exactly )?\d+ arguments?"),
    re.compile(r"too many positional arguments"),
]
_DOCTEST = ("DocTestFailure", "MultipleDoctestFailures")
# What pytest raises in place of the exception of a module that it collects.
_WRAPPERS = ("CollectError", "ConftestImportFailure")
_NAMED = ("name", "attribute", "import", "arguments", "syntax")


def of(error, phase):
    """The red of an exception: a dict as the Go side reads it."""
    kind, symbol, keyword, about = _deepest(error)
    frames = _frames(about)
    for one in _chain(error):
        if one is error or type(one).__name__ in _DOCTEST:
            frames += [f for f in _frames(one) if f not in frames]
    return {
        "kind": kind,
        "phase": phase,
        "symbol": record.text(symbol),
        "keyword": record.text(keyword),
        "type": type(error).__name__,
        "message": record.clip(_message(error, about), MESSAGE),
        "frames": frames[:FRAMES],
    }


def said(text, phase):
    """The red of a failure that came without an exception, such as a strict xpass."""
    return {
        "kind": "assertion", "phase": phase, "symbol": "", "keyword": "", "type": "Failed",
        "message": record.clip(text, MESSAGE), "frames": [],
    }


def _deepest(error):
    """Classifies error, or what it was raised from when that is a missing name.

    A test that catches everything and calls pytest.fail would otherwise turn a
    missing name into an assertion.
    """
    first = None
    for one in _chain(error):
        kind, symbol, keyword = _classify(one)
        if kind in _NAMED:
            return kind, symbol, keyword, one
        if first is None or type(first[3]).__name__ in _WRAPPERS:
            first = (kind, symbol, keyword, one)
    return first


def _chain(error):
    """error, the members of a group, and everything it was raised from or during."""
    todo, seen = [error], set()
    while todo:
        one = todo.pop(0)
        if one is None or id(one) in seen:
            continue
        seen.add(id(one))
        yield one
        todo.extend(_inner(one))


def _inner(error):
    inner = []
    if type(error).__name__ == "ConftestImportFailure":  # pytest keeps the cause in a field of its own
        cause = getattr(error, "cause", None) or getattr(error, "excinfo", (None, None))[1]
        inner.append(cause if isinstance(cause, BaseException) else None)
    if type(error).__name__ == "UnexpectedException":  # an exception inside a doctest
        inner.append(error.exc_info[1])
    for name in ("exceptions", "failures"):  # of a group, of a doctest
        several = getattr(error, name, None)
        if isinstance(several, (tuple, list)):
            inner.extend(e for e in several if isinstance(e, BaseException))
    inner.append(error.__cause__)
    if not error.__suppress_context__:
        inner.append(error.__context__)
    return inner


def _classify(error):
    text = _str(error)
    if isinstance(error, Failed):
        hang = re.match(r"Timeout \(?>", text) is not None  # how pytest-timeout fails a test
        return ("hang" if hang else "assertion"), "", ""
    if isinstance(error, AssertionError) or type(error).__name__ in _DOCTEST:
        return "assertion", "", ""
    if isinstance(error, NameError):
        return "name", _name(error, text, r"(?:name|variable) '(\w+)'"), ""
    if isinstance(error, AttributeError):
        return "attribute", _name(error, text, r"has no attribute '(\w+)'"), ""
    if isinstance(error, ImportError):
        found = re.search(r"cannot import name '?(\w+)'?", text)
        return "import", found.group(1) if found else (error.name or _search(r"No module named '?([\w.]+)'?", text)), ""
    if isinstance(error, SyntaxError):
        inside = _tree(get("tree")).relative(error.filename) is not None
        return ("syntax" if inside else "error"), "", ""
    if isinstance(error, TypeError):
        return _arguments(text)
    return "error", "", ""


def _arguments(text):
    for pattern in _ARGUMENTS:
        found = pattern.search(text)
        if found:
            groups = found.groupdict()
            return "arguments", groups.get("callee") or "", groups.get("keyword") or ""
    return "error", "", ""


def _name(error, text, pattern):
    return getattr(error, "name", None) or _search(pattern, text)


def _search(pattern, text):
    found = re.search(pattern, text)
    return found.group(1) if found else ""


def _message(error, about):
    if about is not error and type(error).__name__ in _WRAPPERS:
        error = about
    text = _str(error) or type(error).__name__
    if about is error:
        return text
    return "%s (from %s: %s)" % (record.clip(text, MESSAGE // 2), type(about).__name__, _str(about))


def _str(error):
    try:
        return str(error).strip()
    except Exception as broken:  # an exception's own __str__ may raise
        return "<%s while describing %s>" % (type(broken).__name__, type(error).__name__)


@functools.lru_cache(maxsize=None)
def _tree(path):
    return Place(path)


def _frames(error):
    tree = _tree(get("tree"))
    frames = []
    for frame in traceback.walk_tb(error.__traceback__):
        code, line = frame[0].f_code, frame[1]
        path = tree.relative(code.co_filename)
        if path is not None:
            frames.append({"path": record.text(path), "line": line, "func": record.text(code.co_name)})
    path, line = _text(error)
    path = tree.relative(path)
    if path is not None:
        frames.append({"path": record.text(path), "line": line, "func": ""})
    return frames[::-1]


def _text(error):
    """The file and line of a text that an exception speaks of without having run it."""
    if isinstance(error, SyntaxError):
        return error.filename, error.lineno or 0
    example, about = getattr(error, "example", None), getattr(error, "test", None)
    if type(error).__name__ in _DOCTEST + ("UnexpectedException",) and example is not None:
        return about.filename, (about.lineno or 0) + example.lineno + 1
    return None, 0
