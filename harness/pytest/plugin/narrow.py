"""Leaves out of the collection what cannot reach the change.

The project's own configuration still says which files hold tests: this only
takes files away.
"""
import fnmatch
import os

from assay_pytest import record
from assay_pytest.job import get
from assay_pytest.places import Place, loaded

_state = {"tree": None, "only": None, "ignored": 0}


def ignore(path, config):
    """True for a file that is left out; None leaves the decision to others."""
    if not get("narrow") or not path.endswith(".py"):
        return None
    name = os.path.basename(path)
    if name in ("conftest.py", "__init__.py") or os.path.isdir(path):
        return None
    if _state["tree"] is None:
        _state.update(tree=Place(get("tree")), only=frozenset(get("only")))
    rel = _state["tree"].relative(path)
    if rel is None or rel in _state["only"]:
        return None
    if any(fnmatch.fnmatch(rel if "/" in p else name, p) for p in config.getini("python_files")):
        _state["ignored"] += 1
    return True


def finish():
    """Says how many test files were left out, and which files of the tree are loaded."""
    if not get("narrow"):
        return
    files = [record.text(rel) for rel in loaded(Place(get("tree")))]
    record.write("narrowed", ignored=_state["ignored"], loaded=files)
