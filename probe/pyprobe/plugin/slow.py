"""Deadlines that only ask to stop: they interrupt no import, they only run out during one.

asyncio, anyio and trio look at their deadlines when a task waits, a future
and a child process when they are waited for. Their functions are wrapped once
the module that holds them is loaded, before others can copy them.
"""
import functools
import sys

_running = []  # names of the deadlines that are running
_done = set()


def running():
    return tuple(_running)


def install():
    """Looks at all that is loaded already."""
    for module in _WRAPPERS:
        loaded(module)


def loaded(name):
    """Called when a module is loaded."""
    wrap = _WRAPPERS.get(name)
    if wrap is not None and name not in _done and name in sys.modules:
        _done.add(name)
        wrap(sys.modules[name])


class _Window:
    """One deadline, from its start to its end."""

    def __init__(self, name):
        self.name = name

    def __enter__(self):
        _running.append(self.name)

    def __exit__(self, *_):
        _running.remove(self.name)


def _replace(module, name, wrapped):
    """Also where the packages above have copied it already."""
    old = getattr(module, name)
    wrapper = functools.wraps(old)(wrapped(old))
    package = module.__name__
    while package:
        holder = sys.modules.get(package)
        if holder is not None and holder.__dict__.get(name) is old:
            setattr(holder, name, wrapper)
        package = package.rpartition(".")[0]


def _timeouts(module):
    """asyncio.timeout and timeout_at, from Python 3.11."""
    timeout = module.Timeout
    enter, leave = timeout.__aenter__, timeout.__aexit__

    async def aenter(self):
        entered = await enter(self)
        if self.when() is not None:
            self._assay_window = _Window("asyncio.timeout")
            self._assay_window.__enter__()
        return entered

    async def aexit(self, *error):
        window = self.__dict__.pop("_assay_window", None)
        if window is not None:
            window.__exit__()
        return await leave(self, *error)

    timeout.__aenter__, timeout.__aexit__ = aenter, aexit


def _wait_for(module):
    def wrapped(real):
        async def wait_for(fut, timeout, **more):
            if timeout is None:
                return await real(fut, timeout, **more)
            with _Window("asyncio.wait_for"):
                return await real(fut, timeout, **more)
        return wait_for

    _replace(module, "wait_for", wrapped)


def _scopes(library):
    """The context managers of anyio and trio."""
    def wrap(module):
        for name in ("fail_after", "move_on_after", "fail_at", "move_on_at"):
            if hasattr(module, name):
                _replace(module, name, functools.partial(_scope, "%s.%s" % (library, name)))
    return wrap


def _scope(name, real):
    def scope(when=None, *args, **more):
        manager = real(when, *args, **more)
        return manager if when is None or when == float("inf") else _Scope(name, manager)
    return scope


class _Scope:
    """A context manager that behaves as the one inside it."""

    def __init__(self, name, inner):
        self._window, self._inner = _Window(name), inner

    def __enter__(self):
        entered = self._inner.__enter__()
        self._window.__enter__()
        return entered

    def __exit__(self, *error):
        self._window.__exit__()
        return self._inner.__exit__(*error)

    def __getattr__(self, name):
        return getattr(self._inner, name)


def _method(cls, method, name, position):
    """Wraps a method that takes its time-out by name or as the argument at position."""
    real = getattr(cls, method)

    @functools.wraps(real)
    def wrapped(self, *args, **named):
        given = named.get("timeout", args[position] if len(args) > position else None)
        if given is None:
            return real(self, *args, **named)
        with _Window(name):
            return real(self, *args, **named)

    setattr(cls, method, wrapped)


def _futures(module):
    _method(module.Future, "result", "Future.result", 0)
    _method(module.Future, "exception", "Future.exception", 0)


def _subprocess(module):
    _method(module.Popen, "wait", "Popen.wait", 0)
    _method(module.Popen, "communicate", "Popen.communicate", 1)


_WRAPPERS = {
    "asyncio.timeouts": _timeouts,
    "asyncio.tasks": _wait_for,
    "anyio._core._tasks": _scopes("anyio"),
    "trio._timeouts": _scopes("trio"),
    "concurrent.futures._base": _futures,
    "subprocess": _subprocess,
}
