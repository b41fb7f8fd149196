"""Fills a cache before the fork that else each child would fill for itself."""
import inspect as _inspect
import os
import sys
import types


def inspect():
    """The table from files to modules by which inspect, and so every traceback of pytest, finds sources.

    inspect fills it at the first question and asks every module for its file;
    here only plain modules are asked, since others may load themselves at that.
    """
    known, files = getattr(_inspect, "modulesbyfile", None), getattr(_inspect, "_filesbymodname", None)
    if known is None or files is None:
        return
    for name, module in list(sys.modules.items()):
        if type(module) is not types.ModuleType or not isinstance(vars(module).get("__file__"), str):
            continue
        try:
            path = _inspect.getabsfile(module)
        except Exception:  # no source; inspect itself would find out
            continue
        files[name] = vars(module)["__file__"]
        known[path] = known[os.path.realpath(path)] = module.__name__
