"""The state of what the user watches: is it there, without importing anything?"""
import inspect
import sys

_MISSING = object()


def state(names):
    return {name: loaded(name) for name in names}


def loaded(name):
    """Whether a dotted name resolves, each part as an attribute of the one before.

    So a submodule that sys.modules holds but its package does not, which is
    what an interrupted import leaves behind, counts as not loaded.
    """
    parts = name.split(".")
    found = sys.modules.get(parts[0], _MISSING)
    for part in parts[1:]:
        if found is _MISSING:
            return False
        found = inspect.getattr_static(found, part, _MISSING)
    if found is _MISSING or found is None and len(parts) == 1:
        return False
    spec = getattr(sys.modules.get(name), "__spec__", None)
    return not getattr(spec, "_initializing", False)
