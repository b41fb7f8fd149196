"""Makes imports that would land in the user's own tree land in the copy.

Editable installs come as .pth lines, as finders appended to sys.meta_path and
as finders put first. The answer to all: rewrite sys.path once, then stand
first on sys.meta_path, ask the others, and move whatever they found.
"""
import importlib.util
import os
import sys
import types

from assay_pytest.places import Place

_state = {}
_clear = {}  # id of a module -> itself (so that the id stays its own): those that are known to be no strays


def install(origin, tree):
    _state["tree"] = Place(tree)
    if not origin or os.path.realpath(origin) == os.path.realpath(tree):
        return
    _state["origin"] = Place(origin)
    for i, entry in enumerate(sys.path):
        moved = _moved(entry)
        if moved:
            sys.path[i] = moved
    sys.meta_path.insert(0, Redirect())


def strays():
    """Files of the original tree that are loaded as modules, in a stable order."""
    if "origin" not in _state:
        return []
    found = set()
    for module in list(sys.modules.values()):
        path = None if id(module) in _clear else _file(module)
        if path is not None and _stray(path):
            found.add(path)
    return sorted(found)


def settle():
    """Looks at the modules that are loaded, so that no fork of this process has to."""
    if "origin" not in _state:
        return
    for module in list(sys.modules.values()):
        # Others may load themselves when they are asked for anything.
        if type(module) is types.ModuleType and not _stray(vars(module).get("__file__")):
            _clear[id(module)] = module


def _file(module):
    try:
        return getattr(module, "__file__", None)
    except Exception:  # a module object may be anything, with any __getattr__
        return None


def _stray(path):
    # A copy that lies inside the original is still the copy.
    return _state["tree"].relative(path) is None and _state["origin"].relative(path) is not None


def _moved(path):
    """The copy's counterpart of a path of the original, or None."""
    if not path or not _stray(path):
        return None
    moved = os.path.join(_state["tree"].path, *_state["origin"].relative(path).split("/"))
    return moved if os.path.exists(moved) else None


class Redirect:
    """A meta path finder that moves what the finders behind it found."""

    def find_spec(self, name, path=None, target=None):
        spec = behind(self, name, path, target)
        if spec is None:
            return None
        places = spec.submodule_search_locations
        moved = None if places is None else [_moved(p) or p for p in places]
        origin = _moved(spec.origin) if spec.has_location else None
        if origin:
            return importlib.util.spec_from_file_location(name, origin, submodule_search_locations=moved)
        if moved is not None and moved != list(places):
            spec.submodule_search_locations = moved
        return spec

    def invalidate_caches(self):
        """Nothing is cached here."""


def behind(self, name, path, target):
    """What the finders after self on sys.meta_path find."""
    after = False
    for finder in list(sys.meta_path):
        if finder is self:
            after = True
            continue
        find = getattr(finder, "find_spec", None)
        if not after or find is None:
            continue
        spec = find(name, path, target)
        if spec is not None:
            return spec
    return None
