"""Which test reached which probe, opened which watched file, started a process.

Everything is an event added to one set: an int is a probe, "open:i" the i-th
watched file, "spawn" a new process. Whoever is running owns what is in the
set; taking it out and giving it to its owner is all the bookkeeping there is.
Threads add to the test that runs at that time.
"""
import builtins
import contextlib
import os
import sys
import threading

from assay_pytest import children, probe, record, spawn
from assay_pytest.places import Place

_seen = set()  # what the current owner caused
_idle = set()  # what belongs to no test: imports, collection, hooks
_outer = []  # owners that wait: what they had seen
_shared = {}  # id of a wider fixture -> itself (so that the id stays its own) and what setting it up caused
_using = []  # the wider fixtures of the test that is being torn down
_loading = threading.local()
_state = {"on": False, "tree": None, "targets": {}, "next": 0}


def install(tree, probes, watch, own, plugin):
    """Watches the given files of the tree: probes are Python sources, watch is any file."""
    _state.update(on=True, tree=Place(tree), targets={p: None for p in probes})
    setattr(builtins, probe.NAME, _seen.add)
    for path in _loaded():
        record.write("unprobed", file=record.text(path), why="imported before pytest")
    sys.addaudithook(_auditor(watch))
    spawn.watch(_spawned)
    children.install(own, plugin, tree, probes)


def between(n):
    """Called before the test of that number: what happened since the last one belongs to none."""
    _idle.update(_cut())
    if _state["on"]:
        children.test(n)


def test(item, n):
    """Called after a test: its events, with those of the wider fixtures it used."""
    if not _state["on"]:
        return {}
    events = _cut()
    if "spawn" in events:
        _join(events, n)
    for definition in _using:
        events |= _shared.get(id(definition), (None, set()))[1]
    _using.clear()
    return _fields(events)


def session():
    """Called last: the events of no test, and the watched sources that ran without probes."""
    if not _state["on"]:
        return {}
    between("")
    for path in _loaded():
        record.write("unprobed", file=record.text(path), why="imported without assay's loader")
    return {"idle": _fields(_idle)}


@contextlib.contextmanager
def fixture(definition):
    """Around the set-up of a fixture: a wider one belongs to all tests that use it."""
    if not _state["on"] or definition.scope == "function":
        yield
        return
    _begin()
    try:
        yield
    finally:
        _shared.setdefault(id(definition), (definition, set()))[1].update(_end())


def using(item):
    """Called before a test is torn down, while pytest still knows its fixtures."""
    _using.clear()
    request = getattr(item, "_request", None) or getattr(item, "fixture_request", None)
    active = getattr(request, "_fixture_defs", None)
    if active is not None:
        _using.extend(active.values())
    else:  # a kind of item that hides them: every wider fixture that it could use
        _using.extend(d for d, _ in _shared.values() if item.nodeid.startswith(d.baseid))


def _spawned(program):
    children.started()
    _seen.add("spawn")


def _join(events, n):
    """Adds what the processes of a test reached; when they told everything, nothing else is to be feared of them."""
    places, everything = children.reached(n)
    for rel, at in places:
        if _state["targets"].get(rel) is None:
            _adopt(rel, children.points(rel))
        events.add(_state["targets"][rel].base + at)
    if everything:
        events.discard("spawn")


def _adopt(rel, probes):
    probes.base = _state["next"]
    _state["next"] += len(probes.points)
    _state["targets"][rel] = probes
    record.write("probed", file=record.text(rel), base=probes.base, points=probes.points, functions=probes.functions)


def _begin():
    _outer.append(_cut())


def _end():
    """What happened since _begin; it stays with the outer owner as well."""
    got = _cut()
    _seen.update(_outer.pop())
    _seen.update(got)
    return got


def _cut():
    got = set(_seen)
    _seen.clear()
    return got


def _fields(events):
    return {
        "hits": sorted(e for e in events if isinstance(e, int)),
        "opens": sorted(int(e[5:]) for e in events if isinstance(e, str) and e.startswith("open:")),
        "spawned": "spawn" in events,
    }


def _loaded():
    """The watched sources that are loaded as modules but carry no probes."""
    missing = {p for p, found in _state["targets"].items() if found is None}
    found = set()
    for module in list(sys.modules.values()) if missing else ():
        try:
            path = _state["tree"].relative(getattr(module, "__file__", None))
        except Exception:  # a module object may be anything, with any __getattr__
            continue
        if path in missing:
            found.add(path)
    return sorted(found)


@contextlib.contextmanager
def importing():
    """Around the execution of a module of the tree.

    What an import causes belongs to no single test, even when a test is the
    first to import: later tests use the same module.
    """
    if not _state["on"]:
        yield
        return
    _begin()
    try:
        yield
    finally:
        _idle.update(_end())


@contextlib.contextmanager
def reading():
    """Around the reading of a module's source by its loader: not an opening of interest."""
    _loading.now = True
    try:
        yield
    finally:
        _loading.now = False


def code(path, data, name, optimize):
    """The code of a watched source, with probes; None for any other."""
    if path not in _state["targets"]:
        return None
    probes = probe.Probes(_state["next"])
    found = probes.code(data, name, optimize)
    _adopt(path, probes)
    return found


def _auditor(watch):
    places = {}
    for i, rel in enumerate(watch):
        places.setdefault(os.path.basename(rel), []).append((os.path.realpath(os.path.join(_state["tree"].path, rel)), i))
    ends = tuple(places)

    def opened(path):
        if isinstance(path, bytes):
            path = os.fsdecode(path)
        if not isinstance(path, str) or not path.endswith(ends) or getattr(_loading, "now", False):
            return
        for real, i in places.get(os.path.basename(path), ()):
            if os.path.realpath(path) == real:
                _seen.add("open:%d" % i)

    def hook(event, args):
        if event == "open" and ends:
            opened(args[0])

    return hook
