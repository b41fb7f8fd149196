"""In a Python process that a test of the probed run started: probes there too.

It came in by a sitecustomize module on PYTHONPATH (see children.py) and writes
what it reaches to a file named for the test and for itself, a JSON value a
line. The last line of a process that told everything is "end".
"""
import atexit
import builtins
import importlib.machinery
import importlib.util
import json
import os
import sys

from assay_pytest import probe, redirect, spawn
from assay_pytest.places import Place

_points = []  # probe -> the file and which of its probes
_seen = set()
_state = {"pid": 0, "out": None, "tree": None, "probes": (), "blind": False}


def begin(config, site):
    sys.path[:] = [p for p in sys.path if os.path.abspath(p or ".") != os.path.abspath(site) or not p]
    test = os.environ.get("ASSAY_TEST", "")
    name = os.path.join(config["spool"], "%s.%d" % (test, os.getpid()))
    _state.update(pid=os.getpid(), out=open(name, "a", encoding="ascii"), tree=Place(config["tree"]), probes=frozenset(config["probes"]))
    setattr(builtins, probe.NAME, _hit)
    sys.meta_path.insert(0, Finder())
    spawn.watch(lambda program: _say("spawn"))
    atexit.register(_end)
    _others(site)


def _others(site):
    """Runs the sitecustomize of the environment, which ours stands before."""
    spec = importlib.machinery.PathFinder.find_spec("sitecustomize", [p for p in sys.path if p != site])
    if spec is not None and spec.loader is not None:
        spec.loader.exec_module(importlib.util.module_from_spec(spec))


def _say(what):
    if os.getpid() == _state["pid"] and not _state["out"].closed:
        _state["out"].write(json.dumps(what) + "\n")
        _state["out"].flush()


def _end():
    main = sys.modules["__main__"]
    # CPython takes __file__ away from a script that ended.
    names = [getattr(main, "__file__", None)] + list(sys.argv[:1])
    run_as_script = main.__spec__ is None and any(_state["tree"].relative(n) in _state["probes"] for n in names)
    if not run_as_script:  # else its statements had no probes
        _say("end")
    if os.getpid() == _state["pid"]:
        _state["out"].close()


class Finder:
    """A meta path finder that gives the watched sources a loader with probes."""

    def find_spec(self, name, path=None, target=None):
        spec = redirect.behind(self, name, path, target)
        if spec is not None and type(spec.loader) is importlib.machinery.SourceFileLoader:
            rel = _state["tree"].relative(spec.loader.path)
            if rel in _state["probes"]:
                spec.loader = Loader(spec.loader.name, spec.loader.path)
                spec.loader.assay_path = rel
        return spec

    def invalidate_caches(self):
        """Nothing is cached here."""


class Loader(importlib.machinery.SourceFileLoader):
    """Loads a watched source with probes that tell each statement once."""

    assay_path = ""

    def path_stats(self, path):
        raise OSError("assay reads sources only")  # importlib then neither reads nor writes byte code

    def source_to_code(self, data, path, *, _optimize=-1):
        probes = probe.Probes(len(_points))
        code = probes.code(data, path, _optimize)
        _points.extend((self.assay_path, n) for n in range(len(probes.points)))
        return code


def _hit(number):
    if number not in _seen:
        _seen.add(number)
        _say(_points[number])
