"""The hooks: choose the tests, write down what becomes of each."""
import inspect
import os
import sys
import time

import pytest

from assay_pytest import hits, narrow, options, record, red, redirect, threads
from assay_pytest.job import get
from assay_pytest.places import Place

TEXT = 8192  # bytes kept of a collection error


class State:
    """What the hooks of this one session remember."""

    session = None
    forked = False  # from a bare process

    tree = None
    told = {}  # id(item) -> what is said of it
    numbers = {}  # id(item) -> its place in the order of collection
    missing = 0  # selected tests that were not collected
    broken = False  # something could not be collected


@pytest.hookimpl(hookwrapper=True, tryfirst=True)
def pytest_load_initial_conftests(early_config, args):
    if get("bare"):
        from assay_pytest import bare

        bare.become(sys.modules[__name__], early_config, args)
        State.forked = True
    record.write("begin", python=".".join(map(str, sys.version_info[:3])), pytest=pytest.__version__)
    options.uncover(early_config)
    outcome = yield
    if outcome.excinfo is not None:
        _broken("conftest.py", outcome.excinfo[1], "")


@pytest.hookimpl(hookwrapper=True, tryfirst=True)
def pytest_cmdline_main(config):
    options.quiet(config)
    yield


@pytest.hookimpl(tryfirst=True)
def pytest_sessionstart(session):
    State.session = session
    if State.forked:
        from assay_pytest import job, zygote

        zygote.relocate(session.config, job.all())
    options.unplug(session.config)


@pytest.hookimpl(hookwrapper=True, tryfirst=True)
def pytest_make_collect_report(collector):
    outcome = yield
    if get("zygote"):
        threads.collected(str(getattr(collector, "path", None) or getattr(collector, "fspath", "")))
    if outcome.excinfo is not None:
        return
    report = outcome.get_result()
    if report.outcome == "failed":
        call = getattr(report, "call", None)
        error = call.excinfo.value if call is not None and call.excinfo is not None else None
        _broken(report.nodeid or str(collector.name), error, str(report.longrepr))


@pytest.hookimpl(hookwrapper=True, tryfirst=True)
def pytest_collection_modifyitems(session, config, items):
    yield
    _choose(config, items)


def _choose(config, items):
    """Leaves the tests of the job, in the order in which they were collected but for those that are to be first."""
    wanted, unwanted = get("select"), set(get("exclude"))
    if wanted is None:
        keep = [i for i in items if record.text(i.nodeid) not in unwanted and _in_focus(i)]
    else:
        wanted = set(wanted)
        keep = [i for i in items if record.text(i.nodeid) in wanted]
        State.missing = len(wanted - {record.text(i.nodeid) for i in keep})
        first = set(get("first"))
        if first:
            keep.sort(key=lambda i: record.text(i.nodeid) not in first)
    kept = {id(i) for i in keep}
    gone = [i for i in items if id(i) not in kept]
    if gone:
        config.hook.pytest_deselected(items=gone)
    items[:] = keep


def _in_focus(item):
    """True for the tests of the declarations that the job is confined to, wherever they are inherited."""
    focus = get("focus")
    if not focus:
        return True
    file, _, name = record.text(item.nodeid).partition("::")
    places = ((file, name.partition("[")[0].replace("::", ".")), _written(item, Place(get("tree"))))
    return any(file == f["file"] and (name == f["name"] or name.startswith(f["name"] + ".")) for file, name in places for f in focus)


def _written(item, tree):
    """The file and the qualified name with which a test's function stands in the source; empty when not known.

    A method that a class of tests inherits stands in another class, perhaps of another file."""
    try:
        function = inspect.unwrap(item.obj)
        file = tree.relative(function.__code__.co_filename)
        return (file, function.__qualname__) if file else ("", "")
    except Exception:  # not a function, or one that pretends to be
        return "", ""


if int(pytest.__version__.split(".")[0]) >= 7:
    @pytest.hookimpl(tryfirst=True)
    def pytest_ignore_collect(collection_path, config):
        return narrow.ignore(str(collection_path), config)
else:
    @pytest.hookimpl(tryfirst=True)
    def pytest_ignore_collect(path, config):
        return narrow.ignore(str(path), config)


def pytest_collection_finish(session):
    if not get("zygote"):
        _list(session)


def _list(session):
    for n, item in enumerate(session.items):
        State.numbers[id(item)] = n
    record.write_all("item", [dict(_told(item), n=n) for n, item in enumerate(session.items)])
    record.write("collected", missing=State.missing)


def _told(item):
    """What is said of a test; found out once, by the process that is forked."""
    if id(item) not in State.told:
        tree = Place(get("tree")) if State.tree is None else State.tree
        State.tree = tree
        path = str(getattr(item, "path", None) or item.fspath)
        file, name = _written(item, tree)
        State.told[id(item)] = {"id": record.text(item.nodeid), "file": record.text(tree.relative(path) or ""),
                                "written": record.text(file), "name": record.text(name)}
    return State.told[id(item)]


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop(session):
    if get("zygote"):
        _become(session)
    if get("terse"):  # no sources are parsed to cut statements out of them, which takes longer than most tests
        session.config.option.tbstyle = "native"
    if State.missing and (get("strict") or State.broken):
        return True  # the Go side collects everything, or says what is missing
    return None


def _become(session):
    """Comes back in the child of a fork, which is to run the tests of one trial."""
    from assay_pytest import codes, zygote

    for item in session.items:
        _told(item)
    job = zygote.serve(session, State.broken)
    try:
        zygote.begin(session, job)
    except codes.Refused as why:
        record.write("refused", why=record.text(str(why)))
        os._exit(0)
    _choose(session.config, session.items)
    session.testscollected, session.testsfailed = len(session.items), 0
    _list(session)


@pytest.hookimpl(hookwrapper=True, tryfirst=True)
def pytest_runtest_protocol(item):
    n = State.numbers[id(item)]
    hits.between(n)
    record.write("start", n=n)
    began = time.perf_counter()
    outcome = yield
    if outcome.excinfo is not None:
        return  # pytest.exit or an interrupt: the test never came to its end
    record.write("end", n=n, seconds=time.perf_counter() - began, **hits.test(item, n))


@pytest.hookimpl(hookwrapper=True)
def pytest_fixture_setup(fixturedef):
    with hits.fixture(fixturedef):
        yield


@pytest.hookimpl(hookwrapper=True, tryfirst=True)
def pytest_runtest_teardown(item):
    hits.using(item)
    yield


@pytest.hookimpl(hookwrapper=True, tryfirst=True)
def pytest_runtest_makereport(item, call):
    outcome = yield
    if outcome.excinfo is not None:
        return
    report = outcome.get_result()
    report.assay_item = State.numbers.get(id(item), -1)
    if report.outcome == "failed":
        if call.excinfo is not None:
            report.assay_red = red.of(call.excinfo.value, report.when)
        else:
            report.assay_red = red.said(str(report.longrepr), report.when)


def pytest_runtest_logreport(report):
    n = getattr(report, "assay_item", -1)
    fields = {"n": n, "when": report.when, "outcome": report.outcome, "xfail": hasattr(report, "wasxfail")}
    if n < 0:
        fields["id"] = record.text(report.nodeid)
    if report.outcome == "failed":
        fields["red"] = getattr(report, "assay_red", None) or red.said(str(report.longrepr), report.when)
        if get("first_red"):
            State.session.shouldfail = "assay: the first red is enough"
    record.write("report", **fields)


def pytest_internalerror(excinfo):
    found = red.of(excinfo.value, "collect")
    record.write("internal", text="%s: %s" % (found["type"], found["message"].split("\n")[0]))


@pytest.hookimpl(hookwrapper=True, tryfirst=True)
def pytest_sessionfinish(exitstatus):
    yield
    narrow.finish()
    record.write("finish", exit=int(exitstatus), strays=[record.text(s) for s in redirect.strays()], **hits.session())


def _broken(where, error, text):
    if record.text(where) not in get("broken"):
        State.broken = True
    found = red.of(error, "collect") if error is not None else red.said(text, "collect")
    record.write("broken", id=record.text(where), red=found, text=record.clip(text or found["message"], TEXT))
