"""Loads the sources of the tree as they are on disk now.

Byte code beside a source is matched by size and by the second of its last
change; an edit can keep both. The environment's own byte code stays in use:
compiling pytest and its plugins anew would cost each run seconds.
"""
import importlib.machinery
import os
import sys

from assay_pytest import escape, hits, kept, redirect, swap
from assay_pytest.places import Place


def install(tree, codes):
    kept.begin(codes)
    sys.meta_path.insert(0, Finder(Place(tree)))
    _keep_rewritten()


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
        if code is not None or type(data) is not bytes:
            return code or super().source_to_code(data, path, _optimize=_optimize)
        compiled = super().source_to_code
        return kept.code(lambda: compiled(data, path, _optimize=_optimize), "source", path, _optimize, data)


def _keep_rewritten():
    """Keeps the code of the tests and plugins that pytest rewrites in our own way, and lets it read no other."""
    import importlib.util

    import pytest
    from _pytest.assertion import rewrite

    rewritten = rewrite._rewrite_test
    hashed = "source_hash" in rewrite._write_pyc.__code__.co_varnames  # else with the stat of the file

    def keep(fn, config):
        source = fn.read_bytes()
        code = kept.code(lambda: rewritten(fn, config)[1], "rewritten", str(fn), pytest.__version__,
                         config.getini("enable_assertion_pass_hook"), source)
        return importlib.util.source_hash(source) if hashed else os.stat(fn), code

    rewrite._rewrite_test = keep
    rewrite._read_pyc = lambda *args, **kwargs: None
