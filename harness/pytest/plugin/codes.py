"""Compares the code of two texts of one module.

Two rules of Python make this worth while: what runs at import is the code of
the module and of its classes, and what runs later is the code of functions.
Line numbers are left out of every comparison: an edit moves what stands below.
"""
import dis
import sys
import types

_FUNCTION = 0x1 | 0x2  # CO_OPTIMIZED | CO_NEWLOCALS, which the body of a class does not have
_HAS_DOCSTRING = 0x4000000 if sys.version_info >= (3, 14) else 0  # before, a first constant that is text is one


class Refused(Exception):
    """Why an edit cannot be put into a running process."""


class Pair:
    """The code of one function in both texts."""

    def __init__(self, old, new, changed):
        self.old, self.new, self.changed = old, new, changed


def pairs(old, new):
    """The functions of two module codes, and the first lines of their classes.

    Raises Refused when what runs at import differs, or how a function is called.
    """
    functions, classes = [], []
    _import_time(old, new, functions, classes)
    return functions, classes


def _import_time(old, new, functions, classes):
    if _surface(old) != _surface(new):
        raise Refused("code that runs at import differs")
    for a, b in zip(_inner(old), _inner(new)):
        if _is_function(a):
            _function(a, b, functions, True)
        else:
            classes.append((a, b))
            _import_time(a, b, functions, classes)


def _function(a, b, functions, outermost):
    changed = outermost and _deep(a) != _deep(b)
    if changed and _signature(a) != _signature(b):
        raise Refused("%s changes its arguments, kind, documentation or closure" % a.co_name)
    functions.append(Pair(a, b, changed))
    if not changed:  # live inner functions get their new line numbers
        for x, y in zip(_inner(a), _inner(b)):
            _function(x, y, functions, False)


def _inner(code):
    return [c for c in code.co_consts if isinstance(c, types.CodeType)]


def _is_function(code):
    return code.co_flags & _FUNCTION == _FUNCTION


def _deep(code):
    """Everything that a function does, whatever the lines."""
    return _surface(code), tuple(_deep(c) for c in _inner(code))


def _signature(code):
    arguments = code.co_argcount + code.co_kwonlyargcount + bool(code.co_flags & 0x4) + bool(code.co_flags & 0x8)
    return (code.co_flags, code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount,
            code.co_varnames[:arguments], code.co_freevars, _documentation(code))


def _documentation(code):
    first = code.co_consts[0] if code.co_consts else None
    if _HAS_DOCSTRING and not code.co_flags & _HAS_DOCSTRING:
        return None
    return first if isinstance(first, str) else None


def _surface(code):
    """What code does without that of the code inside it."""
    return (code.co_name, getattr(code, "co_qualname", ""), code.co_flags, code.co_argcount, code.co_posonlyargcount,
            code.co_kwonlyargcount, code.co_nlocals, code.co_names, code.co_varnames, code.co_freevars,
            code.co_cellvars, getattr(code, "co_exceptiontable", b""), _instructions(code))


def _instructions(code):
    if sys.version_info < (3, 13) or _is_function(code):
        return code.co_code, tuple(_constant(c) for c in code.co_consts)
    # The body of a class stores its own first line.
    found = [(i.opname, _constant(i.argval)) for i in dis.get_instructions(code)]
    return tuple(item for n, item in enumerate(found) if found[n + 1:n + 2] != [("STORE_NAME", _constant("__firstlineno__"))])


def _constant(value):
    """A constant as something that is equal only to the very same constant."""
    if isinstance(value, types.CodeType):
        return ("code", value.co_name, _is_function(value))
    if isinstance(value, tuple):
        return ("tuple",) + tuple(_constant(v) for v in value)
    if isinstance(value, frozenset):
        return ("frozenset",) + tuple(sorted((repr(_constant(v)) for v in value)))
    return (type(value).__name__, repr(value))
