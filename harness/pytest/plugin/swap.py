"""Puts the code of an edited source into the functions of a forked process.

Only where nothing but the bodies of functions differs, and where none of these
functions ran before the fork: then the process is what a fresh one with the
edit on disk would be. Everything else is refused, and tried in a fresh one.
"""
import hashlib
import importlib.util
import linecache
import os
import sys
import warnings

from assay_pytest import escape, functions, ran
from assay_pytest.codes import Refused, pairs
from assay_pytest.places import Place

_state = {"on": False, "tree": None, "why": ""}
_loaded = {}  # path in the tree -> [(path as its loader knows it, text)], once for each load
_texts = {}  # in a child: path in the tree -> edited text
_live = {}  # file name of code -> what lives of it, see functions.py
_ran = {}  # file name of code -> places of the functions that ran
_compiled = {}  # path in the tree -> code of head and the warnings of compiling it
_plugins = set()  # real paths of modules that are plugins of pytest
_modules = {}  # path in the tree -> whether all its modules came by the loader of sources


def begin(tree):
    _state.update(on=True, tree=Place(tree))


def text(rel):
    """The edited text that a loader is to load, or None; called in any process."""
    return _texts.get(rel)


def loaded(rel, path, data):
    """Told by the loader of the tree's sources, which nobody else uses."""
    if _state["on"]:
        _loaded.setdefault(rel, []).append((path, data))


def index(config):
    """Called once everything is collected. Returns why nothing can be swapped, or ""."""
    import gc

    if gc.get_freeze_count():
        return "the project freezes objects (gc.freeze), so that its functions cannot be found"
    files = {path for loads in _loaded.values() for path, _ in loads}
    for code in ran.code():
        if code.co_filename in files:
            _ran.setdefault(code.co_filename, set()).add(functions.place(code))
    ran.forget()
    _live.update(functions.find(gc.get_objects(), files))
    for plugin in config.pluginmanager.get_plugins():
        path = getattr(plugin, "__file__", None)
        if isinstance(path, str):
            _plugins.add(os.path.realpath(path))
    _index_modules()
    return ""


def _index_modules():
    for module in list(sys.modules.values()):
        try:
            rel = _state["tree"].relative(getattr(module, "__file__", None))
            if rel is None:
                continue
            loader = getattr(module.__spec__, "loader", None)
        except Exception as error:  # a module object may be anything, with any __getattr__
            if not isinstance(error, AttributeError):
                continue
            loader = None
        _modules[rel] = _modules.get(rel, True) and hasattr(loader, "assay_path")


def warm(paths):
    """Compiles head's text of the files, in the process that is forked, so that no child has to."""
    for path in paths:
        rel = _state["tree"].relative(path)
        if rel in _loaded and rel not in _compiled:
            try:
                _compiled[rel] = _compile(_loaded[rel][0][1], _loaded[rel][0][0])
            except Exception:  # it was loaded, so that this should not be; the child refuses
                pass


def apply(swaps):
    """Makes the edits in force. Raises Refused when one of them cannot be, with nothing changed."""
    planned = []
    for swap in swaps:
        with open(swap["new"], "rb") as f:
            new = f.read()
        rel = _state["tree"].relative(swap["path"])
        planned.append((rel, swap["path"], new, _plan(rel, swap["path"], swap["old"], new)))
    for rel, path, new, (swapped, classes) in planned:
        _texts[rel] = new
        for function, code in swapped:
            function.__code__ = code
        for found, line in classes:
            type.__setattr__(found, "__firstlineno__", line)
        _remember({path} | {p for p, _ in _loaded.get(rel, ())}, new)


def show(paths):
    """Lets tracebacks and inspect find the texts of files that are not edited without opening them, as they find others."""
    for path in paths:
        for name, data in _loaded.get(_state["tree"].relative(path), ()):
            _remember([name], data)


def _remember(names, data):
    lines = importlib.util.decode_source(data).splitlines(True)
    for name in names:
        linecache.cache[name] = (len(data), None, lines, name)


def _plan(rel, path, old, new):
    """The live functions and classes of a file, each with what it is to get."""
    loads = _loaded.get(rel, [])
    _reached_otherwise(rel, path, loads)
    if not loads:
        return [], []  # not loaded yet: whoever loads it gets the new text
    if any(hashlib.sha256(data).hexdigest() != old for _, data in loads) or rel not in _compiled:
        raise Refused("another text than that of head was loaded")
    name = loads[0][0]
    if any(p != name for p, _ in loads):
        raise Refused("the file was loaded under two names")
    before, said = _compiled[rel]
    try:
        after, says = _compile(new, name)
    except Exception as error:  # a fresh process tells what comes of it
        raise Refused("the edited text does not compile: %s" % type(error).__name__)
    if said != says:
        raise Refused("compiling the edited text gives other warnings")
    live = _live.get(name) or functions.Live()
    return live.match(*pairs(before, after), _ran.get(name, ()))


def _reached_otherwise(rel, path, loads):
    if os.path.realpath(path) in _plugins:
        raise Refused("the file is a plugin of pytest")
    if escape.opened(path):
        raise Refused("the file was read by other means than an import")
    if rel in _modules and not (loads and _modules[rel]):
        raise Refused("the file was loaded by another loader than that of sources")


def _compile(data, path):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        code = compile(data, path, "exec", dont_inherit=True)
    return code, [(w.category.__name__, str(w.message)) for w in caught]
