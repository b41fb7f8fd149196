"""Modules that an interrupted import left behind without their package, or unknown to it.

A name whose package is a module of its own making (py replaces itself) is not
looked at, nor is one whose import is still running in another thread.
"""
import sys
from types import ModuleType


def imported():
    found = []
    for name, module in list(sys.modules.items()):
        package, dot, child = name.rpartition(".")
        if dot and _own(module, name) and _lost(package, child, module):
            found.append(name)
    return sorted(found)


def _own(module, name):
    return getattr(_spec(module), "name", None) == name


def _lost(package, child, module):
    parent = sys.modules.get(package)
    if _busy(module) or _busy(parent):
        return False
    return parent is None or type(parent) is ModuleType and child not in parent.__dict__


def _spec(module):
    space = getattr(module, "__dict__", None)
    return space.get("__spec__") if isinstance(space, dict) else None


def _busy(module):
    return bool(getattr(_spec(module), "_initializing", False))
