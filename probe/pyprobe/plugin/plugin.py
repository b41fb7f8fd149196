"""The hooks: which test is running, in which phase, what it left behind."""
import sys

import pytest

from assay_probe import deadline, half, imports, job, place, plant, record, test

job.read()
record.start(job.get("records"))
plant.start()
deadline.install()
imports.install()


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
    for item in items:
        record.write("item", node=item.nodeid, group=_group(item))


def _group(item):
    """The xdist group: the tests that share a worker with this one."""
    mark = item.get_closest_marker("xdist_group")
    if mark is None:
        return ""
    return str(mark.kwargs.get("name", mark.args[0] if mark.args else "default"))


@pytest.hookimpl(hookwrapper=True, tryfirst=True)
def pytest_runtest_protocol(item):
    test.Now.node, test.Now.phase = item.nodeid, "setup"
    test.Now.limited = item.get_closest_marker("timeout") is not None
    yield
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


@pytest.hookimpl(hookwrapper=True, tryfirst=True)
def pytest_runtest_setup():
    test.Now.phase = "setup"
    yield


@pytest.hookimpl(hookwrapper=True, tryfirst=True)
def pytest_runtest_call():
    test.Now.phase = "call"
    yield


@pytest.hookimpl(hookwrapper=True, tryfirst=True)
def pytest_runtest_teardown():
    test.Now.phase = "teardown"
    yield


@pytest.hookimpl(hookwrapper=True, tryfirst=True)
def pytest_fixture_setup(fixturedef):
    test.Now.fixtures.append(fixturedef.argname)
    try:
        yield
    finally:
        test.Now.fixtures.pop()


def pytest_sessionfinish(session, exitstatus):
    record.write("finish", code=int(exitstatus))
