"""Says where in the project something happened: "file:line" of the frame that asked for it."""
import os
import sys

from assay_probe.job import HERE

_OWN = (HERE + os.sep, os.path.join(os.path.dirname(HERE), "assay_pytest") + os.sep)
_STANDARD = os.path.dirname(os.__file__) + os.sep
# Files that only pass a call on: who called them is the one that asked.
_BETWEEN = ("contextlib.py", "functools.py", "runpy.py", os.path.join("importlib", "__init__.py"))

_state = {"root": os.getcwd() + os.sep}


def start(root):
    _state["root"] = os.path.abspath(root) + os.sep


def own(path):
    """Whether a file is assay's, be it this plugin or the one that runs the tests."""
    return path.startswith(_OWN) or (os.sep + "assay_pytest" + os.sep) in path


def _between(path):
    if path.startswith("<frozen "):
        return True
    return path.startswith(_STANDARD) and path[len(_STANDARD):] in _BETWEEN


def caller(depth):
    """The file and line that asked, from the given depth outwards."""
    frame = sys._getframe(depth)
    last = frame
    while frame is not None:
        path = frame.f_code.co_filename
        if not own(path) and not _between(path):
            return path, frame.f_lineno
        last, frame = frame, frame.f_back
    return last.f_code.co_filename, last.f_lineno


def _libraries():
    """Where installed packages and the standard library lie, the innermost first."""
    installed = [os.path.abspath(p) + os.sep for p in sys.path if p.endswith(("site-packages", "dist-packages"))]
    return sorted(installed, key=len, reverse=True) + [_STANDARD]


def shown(path, line):
    """A place for people: relative to the project, or to the library it lies in."""
    full = os.path.abspath(path) if not path.startswith("<") else path
    for prefix in [_state["root"]] + _libraries():
        if full.startswith(prefix):
            full = full[len(prefix):]
            break
    return "%s:%d" % (full.replace(os.sep, "/"), line)
