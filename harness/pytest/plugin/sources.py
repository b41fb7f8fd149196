"""Loads the sources of the tree as they are on disk now.

Byte code beside a source is matched by size and by the second of its last
change; an edit can keep both. The environment's own byte code stays in use:
compiling pytest and its plugins anew would cost each run seconds.
"""
import importlib.machinery
import os
import sys

from assay_pytest import escape, hits, redirect, swap
from assay_pytest.places import Place


def install(tree, cache):
    sys.meta_path.insert(0, Finder(Place(tree)))
    _rewrite_afresh(Place(tree), cache)


class Finder:
    """A meta path finder that gives sources of the tree a loader of ours."""

    def __init__(self, tree):
        self.tree = tree

    def find_spec(self, name, path=None, target=None):
        spec = redirect.behind(self, name, path, target)
        if spec is not None and type(spec.loader) is importlib.machinery.SourceFileLoader:
            rel = self.tree.relative(spec.loader.path)
            if rel is not None:
                spec.loader = Loader(spec.loader.name, spec.loader.path)
                spec.loader.assay_path = rel
        return spec

    def invalidate_caches(self):
        """Nothing is cached here."""


class Loader(importlib.machinery.SourceFileLoader):
    """Loads a source of the tree without byte code, and with probes when it is watched."""

    assay_path = ""

    def path_stats(self, path):
        # importlib then neither reads nor writes byte code.
        raise OSError("assay reads sources only")

    def exec_module(self, module):
        with hits.importing():
            super().exec_module(module)

    def get_data(self, path):
        own = path == self.path
        edited = swap.text(self.assay_path) if own else None
        if edited is not None:
            return edited
        with hits.reading(), escape.reading():
            data = super().get_data(path)
        if own:
            swap.loaded(self.assay_path, path, data)
        return data

    def source_to_code(self, data, path, *, _optimize=-1):
        code = hits.code(self.assay_path, data, path, _optimize)
        return super().source_to_code(data, path, _optimize=_optimize) if code is None else code


def _rewrite_afresh(tree, cache):
    """Gives the byte code of pytest's rewritten tests a directory that is new for each run."""
    from pathlib import Path

    from _pytest.assertion import rewrite

    usual = rewrite.get_cache_dir

    def fresh(path):
        rel = tree.relative(str(path))
        return usual(path) if rel is None else Path(cache, os.path.dirname(rel))

    rewrite.get_cache_dir = fresh
