"""Ways in which a test gets at the text on disk, where a fork's edit is not.

A process that a test starts, and a test that opens the changed file, would
see head. The child then says so and ends; the trial is made again with the
edit on disk.
"""
import contextlib
import os
import sys
import threading

from assay_pytest import record, spawn

_state = {"armed": False, "pid": 0, "ends": (), "real": (), "started": ""}
_loading = threading.local()
_opened = set()  # Python files that something other than their loader opened before the fork


def install():
    _state["pid"] = os.getpid()
    spawn.watch(_started)
    sys.addaudithook(_hook)


def before():
    """Why this process cannot be forked from: what it started may have run code of the project."""
    return _state["started"] and "a process was started while tests were collected (%s)" % _state["started"]


def opened(path):
    """Whether a file was read by other means than an import before the fork."""
    return os.path.realpath(path) in _opened


def arm(paths):
    """From now on, in this child, nothing gets at the disk unnoticed. The paths are absolute."""
    _state.update(armed=True, ends=tuple(os.path.basename(p) for p in paths),
                  real=tuple(os.path.realpath(p) for p in paths))


@contextlib.contextmanager
def reading():
    """Around the reading of a module's source by its loader: nothing that a fork gets wrong."""
    _loading.now = True
    try:
        yield
    finally:
        _loading.now = False


def _hook(event, args):
    if event == "open" and not getattr(_loading, "now", False):
        path = args[0]
        if isinstance(path, bytes):
            path = os.fsdecode(path)
        if isinstance(path, str):
            _open(path)


def _open(path):
    if not _state["armed"]:
        if path.endswith(".py"):
            _opened.add(os.path.realpath(path))
    elif _state["ends"] and path.endswith(_state["ends"]) and os.path.realpath(path) in _state["real"]:
        _leave("a test opened " + path)


def _started(name):
    if _state["armed"]:
        _leave("a test started a process (%s)" % name)
    elif not spawn.harmless(name) and os.getpid() == _state["pid"]:
        _state["started"] = name


def _leave(why):
    record.write("escaped", why=record.text(why))
    os._exit(0)
