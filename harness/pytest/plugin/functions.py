"""Finds the functions, and what else holds code, that live in a process.

Asking the garbage collector reaches what no path of names does: decorated
functions, properties, closures, implementations behind singledispatch.
"""
import types
import weakref

from assay_pytest.codes import Refused

_SUSPENDED = ((types.GeneratorType, "gi_code"), (types.CoroutineType, "cr_code"), (types.AsyncGeneratorType, "ag_code"))


def place(code):
    """What tells the functions of one file apart, but for several on one line."""
    return code.co_firstlineno, code.co_name


def find(objects, files):
    """What lives of each of the files, by the file name in its code."""
    live, suspended = {}, dict(_SUSPENDED)
    for thing in objects:
        kind = type(thing)
        if kind is types.FunctionType:
            name = thing.__code__.co_filename
            if name in files:
                live.setdefault(name, Live()).functions.append(weakref.ref(thing))
        elif kind in suspended:
            code = getattr(thing, suspended[kind])
            if code is not None and code.co_filename in files:
                live.setdefault(code.co_filename, Live()).suspended.add(place(code))
        elif issubclass(kind, type):
            _add_class(thing, live)
    return live


def _add_class(found, live):
    """A class from Python 3.13 on, which knows its own first line; its file is that of one of its functions."""
    names = type.__dict__["__dict__"].__get__(found)
    if "__firstlineno__" not in names:
        return
    for value in list(names.values()):
        if type(value) is types.FunctionType:
            live.setdefault(value.__code__.co_filename, Live()).classes.append(weakref.ref(found))
            return


class Live:
    """What lives of one file."""

    def __init__(self):
        self.functions, self.classes = [], []  # weak references
        self.suspended = set()  # places of generators and coroutines that wait

    def match(self, pairs, classes, ran):
        """The functions and classes with what each is to get.

        Raises Refused unless every function is one of the old text, and every
        changed one lives and did not run.
        """
        known = {}
        for pair in pairs:
            known.setdefault(place(pair.old), []).append(pair)
            if pair.changed:
                self._fresh(place(pair.old), ran)
        swaps, found = [], set()
        for ref in self.functions:
            function = ref()
            if function is not None:
                pair = _own(function.__code__, known)
                found.add(id(pair))
                swaps.append((function, pair.new))
        for pair in pairs:
            if pair.changed and id(pair) not in found:
                raise Refused("no function with the code of %s was found" % pair.old.co_name)
        return swaps, self._lines(classes)

    def _fresh(self, where, ran):
        if where in ran:
            raise Refused("%s ran before the tests" % where[1])
        if where in self.suspended:
            raise Refused("%s waits to go on" % where[1])

    def _lines(self, classes):
        lines = {(a.co_firstlineno, a.co_name): b.co_firstlineno for a, b in classes}
        found = [ref() for ref in self.classes]
        return [(c, lines[c.__firstlineno__, c.__name__]) for c in found
                if c is not None and (c.__firstlineno__, c.__name__) in lines]


def _own(code, known):
    """The pair that a live function belongs to."""
    same = [p for p in known.get(place(code), ()) if p.old == code]
    if not same:
        raise Refused("%s lives with code that its text does not have" % code.co_name)
    if any(p.new != same[0].new for p in same):
        raise Refused("several functions on line %d cannot be told apart" % code.co_firstlineno)
    return same[0]
