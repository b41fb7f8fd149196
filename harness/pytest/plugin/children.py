"""What the Python processes that tests start reach, in the probed run.

Each inherits a sitecustomize module that puts probes into the watched sources
there as well (child.py) and writes to a file named for the test. A test all of
whose processes told everything before it ended needs no other precaution; one
that started anything else may reach anything.
"""
import json
import os

from assay_pytest import probe

_SITE = """import os, sys
sys.path.insert(0, %r)
from assay_pytest import child
sys.path.remove(%r)
child.begin(%r, os.path.dirname(os.path.abspath(__file__)))
"""

_state = {"spool": None, "tree": None, "started": 0}


def install(own, plugin, tree, probes):
    """Lets the processes that are started from now on come in; own is a directory of this run's own."""
    site, spool = os.path.join(own, "site"), os.path.join(own, "spool")
    os.mkdir(site)
    os.mkdir(spool)
    with open(os.path.join(site, "sitecustomize.py"), "w", encoding="utf-8") as f:
        f.write(_SITE % (plugin, plugin, {"spool": spool, "tree": tree, "probes": list(probes)}))
    os.environ["PYTHONPATH"] = os.pathsep.join(p for p in (site, os.environ.get("PYTHONPATH", "")) if p)
    _state.update(spool=spool, tree=tree)


def test(n):
    """Called before a test: the processes that start now are its own; called with "" between tests."""
    _state["started"] = 0
    os.environ["ASSAY_TEST"] = str(n)


def started():
    """Called for each process that this one starts."""
    _state["started"] += 1


def reached(n):
    """Called after a test: the places that its processes reached, and whether all of them told everything."""
    told, ended, expected, places = 0, 0, _state["started"], set()
    for name in os.listdir(_state["spool"]):
        if name.split(".")[0] != str(n):
            continue
        told += 1
        with open(os.path.join(_state["spool"], name), encoding="ascii") as f:
            for line in f:
                what = json.loads(line) if line.endswith("\n") else None
                if what == "spawn":
                    expected += 1
                elif what == "end":
                    ended += 1
                elif what is not None:
                    places.add(tuple(what))
    return places, told == ended == expected


def points(rel):
    """The probes of a file that only a child loaded."""
    path = os.path.join(_state["tree"], *rel.split("/"))
    with open(path, "rb") as f:
        data = f.read()
    probes = probe.Probes(0)
    probes.code(data, path, -1)
    return probes
