"""Tells the project's own files from those of the environment around it."""
import os
import sys

_FOREIGN = ("site-packages", "dist-packages", "node_modules")


class Place:
    """One directory, known by the name it was given and by its real name."""

    def __init__(self, path):
        self.path = path
        self.names = tuple({p.rstrip(os.sep) + os.sep for p in (os.path.abspath(path), os.path.realpath(path))})
        prefixes = {os.path.abspath(p) + os.sep for p in (sys.prefix, sys.exec_prefix, sys.base_prefix)}
        # A prefix is only foreign when it lies inside the directory: a project
        # may well live below the prefix, as in /usr/src or a container.
        self.foreign = tuple(p for p in prefixes if p.startswith(self.names))
        self._known = {}  # a traceback asks for the same few files again and again

    def relative(self, path):
        """path relative to the directory with slashes, or None when it is not the project's own."""
        if not isinstance(path, str) or not path or path.startswith("<"):  # "<string>" is no file
            return None
        path = os.path.abspath(path)
        if path not in self._known:
            self._known[path] = self._find(path)
        return self._known[path]

    def _find(self, path):
        for name in self.names:
            if path.startswith(name):
                break
        else:
            path = os.path.realpath(path)
            for name in self.names:
                if path.startswith(name):
                    break
            else:
                return None
        if self.foreign and path.startswith(self.foreign):
            return None
        rel = path[len(name):].replace(os.sep, "/")
        if any(part in _FOREIGN for part in rel.split("/")):
            return None
        return rel


def loaded(tree):
    """The files of a Place that modules of this process were loaded from, as they are named there, sorted."""
    found = set()
    for module in list(sys.modules.values()):
        try:
            rel = tree.relative(getattr(module, "__file__", None))
        except Exception:  # a module object may be anything, with any __getattr__
            continue
        if rel is not None:
            found.add(rel)
    return sorted(found)
