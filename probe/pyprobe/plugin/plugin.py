"""The hooks: which test is running, in which phase, what it left behind."""
import inspect
import sys

import pluggy
import pytest

from assay_probe import deadline, half, imports, job, place, plant, record, test

job.read()
record.start(job.get("records"))
plant.start()
deadline.install()
imports.install()


# Around other hooks: pluggy's newer way is the cheaper one, from 1.2 on. A
# generator that returns what it was sent suits both.
_NEW = "wrapper" in inspect.signature(pluggy.HookimplMarker.__call__).parameters
_around = pytest.hookimpl(wrapper=True, tryfirst=True) if _NEW else pytest.hookimpl(hookwrapper=True, tryfirst=True)


@pytest.hookimpl(tryfirst=True)
def pytest_sessionstart(session):
    place.start(str(session.config.rootdir))
    _State.half = set(half.imported())


class _State:
    """What the hooks of this one session remember."""

    half = set()  # half-imported modules that are known already
    modules = 0  # how many modules there were then


@pytest.hookimpl(hookwrapper=True, trylast=True)
def pytest_collection_modifyitems(session, config, items):
    yield
    first = job.get("first")
    items.sort(key=lambda item: item.nodeid != first)  # stable: the others keep their order
    record.write_all("item", [{"node": item.nodeid, "group": _group(item)} for item in items])


def _group(item):
    """The xdist group: the tests that share a worker with this one."""
    mark = item.get_closest_marker("xdist_group")
    if mark is None:
        return ""
    return str(mark.kwargs.get("name", mark.args[0] if mark.args else "default"))


@_around
def pytest_runtest_protocol(item):
    test.Now.node, test.Now.phase = item.nodeid, "setup"
    test.Now.limited = item.get_closest_marker("timeout") is not None
    try:
        return (yield)
    finally:
        test.Now.node, test.Now.phase, test.Now.limited = "", "between", False
        _leftovers(item.nodeid)


def _leftovers(node):
    """Half-imported modules that this test left. It costs a look at every module, so only when one came or went."""
    if len(sys.modules) == _State.modules:
        return
    _State.modules = len(sys.modules)
    now = set(half.imported())
    new = sorted(now - _State.half)
    _State.half = now
    if new:
        record.write("half", node=node, modules=new)


@_around
def pytest_runtest_setup():
    test.Now.phase = "setup"
    return (yield)


@_around
def pytest_runtest_call():
    test.Now.phase = "call"
    return (yield)


@_around
def pytest_runtest_teardown():
    test.Now.phase = "teardown"
    return (yield)


@_around
def pytest_fixture_setup(fixturedef):
    test.Now.fixtures.append(fixturedef.argname)
    try:
        return (yield)
    finally:
        test.Now.fixtures.pop()


def pytest_sessionfinish(session, exitstatus):
    record.write("finish", code=int(exitstatus))
