"""Sees every import from its start to its end, by standing in for importlib's _find_and_load.

Both the import statement and importlib.import_module come through that
function when a module is not loaded yet, and only then; nothing else in Python
tells when an import ends and how. What loads code without it (exec_module on a
spec of one's own, runpy, importlib.reload) is seen by an audit hook.
"""
import importlib._bootstrap as _bootstrap
import os
import sys
import threading
import time

from assay_probe import deadline, place, plant, record, slow, test, thrown

_here = threading.local()
_seen = set()  # names that were loaded once in this process
_state = {"audited": False}
_real = _bootstrap._find_and_load


class Import:
    """One import that was started."""

    __slots__ = ("name", "began", "armed", "number", "depth", "executed", "again", "loops")

    def __init__(self, name, depth):
        self.name, self.depth, self.began = name, depth, time.perf_counter()
        self.armed, self.number, self.executed = None, 0, False
        self.again, self.loops = name in _seen, ()


def install():
    _bootstrap._find_and_load = _find_and_load
    slow.install()
    thrown.install()


def _stack():
    try:
        return _here.stack
    except AttributeError:
        _here.stack = []
        return _here.stack


def _find_and_load(name, import_):
    if name in sys.modules:
        return _real(name, import_)
    return _watched(name, import_)


def _watched(name, import_):
    stack = _stack()
    entry = _begin(name, stack)
    try:
        plant.before(name, stack)
        module = _real(name, import_)
    except BaseException as error:
        stack.pop()
        _failed(entry, error)
        raise
    stack.pop()
    _loaded(entry)
    plant.after(name, entry, stack)
    return module


def _internal(function):
    """Gives a function the file name of importlib's own.

    Tracebacks then leave it out and warnings look past it, as they do with the
    function it stands in for.
    """
    function.__code__ = function.__code__.replace(co_filename="<frozen importlib._bootstrap>")


_internal(_find_and_load)
_internal(_watched)

_counter = [0]


def _begin(name, stack):
    if not stack:
        thrown.forget()
    entry = Import(name, len(stack))
    stack.append(entry)
    entry.armed = deadline.current()
    if entry.armed is None or entry.armed.glob:
        entry.loops = slow.running()
    if entry.loops:
        entry.armed = None
    if entry.armed is None and not entry.loops:
        return entry
    if entry.armed is not None:
        audit()
    path, line = place.caller(3)
    if place.own(path):
        entry.armed, entry.loops = None, ()
        return entry
    _counter[0] += 1
    entry.number = _counter[0]
    record.write("late" if entry.armed else "slow", n=entry.number, node=test.Now.node, module=name,
                 at=place.shown(path, line), depth=entry.depth, thread=_thread(), again=entry.again, **_by(entry))
    return entry


def _by(entry):
    if entry.armed:
        return {"under": entry.armed.number, "glob": entry.armed.glob}
    return {"by": entry.loops[-1]}


def _thread():
    now = threading.current_thread()
    return "" if now is threading.main_thread() else now.name


def _loaded(entry):
    _seen.add(entry.name)
    if entry.number:
        record.write("imported", n=entry.number, ms=_ms(entry), missing=False)
    slow.loaded(entry.name)
    if entry.name == "ctypes":
        thrown.loaded(sys.modules["ctypes"])


def _failed(entry, error):
    if entry.number:
        record.write("imported", n=entry.number, ms=_ms(entry), missing=isinstance(error, ImportError))
    if isinstance(error, ImportError):
        return
    armed = entry.armed if deadline.raised(entry.armed, error) else None
    if armed or thrown.outside(error):
        record.write("aborted", node=test.Now.node, module=entry.name, by=type(error).__name__, depth=entry.depth,
                     armed=armed.number if armed else 0, glob=bool(armed and armed.glob))


def _ms(entry):
    return round((time.perf_counter() - entry.began) * 1000, 3)


def audit():
    """Watches for modules that are executed without an import, from now on: the hook cannot be taken off again."""
    if not _state["audited"]:
        _state["audited"] = True
        sys.addaudithook(_executed)


def _executed(event, args):
    if event != "exec":
        return
    code = args[0]
    if getattr(code, "co_name", "") != "<module>" or not code.co_filename.endswith((".py", ".pyc")):
        return
    stack = _stack()
    if stack and not stack[-1].executed:
        stack[-1].executed = True  # the import that is under way executes its module
        return
    armed = deadline.current()
    if armed is None:
        return
    path, line = place.caller(2)
    if place.own(path) or os.path.basename(path) == "rewrite.py":
        return
    _counter[0] += 1
    record.write("late", n=_counter[0], node=test.Now.node, module=place.shown(code.co_filename, 0)[:-2],
                 at=place.shown(path, line), depth=len(stack), thread=_thread(), again=False, exec=True,
                 under=armed.number, glob=armed.glob)
