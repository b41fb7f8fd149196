"""Turns off what would make a run tell less than the whole truth.

Options stay parsed, markers stay registered and plugins stay importable, so
that strict settings of the project do not trip over a plugin that is off.
"""
from assay_pytest import record

# Options of pytest and of plugins that spread, stop, repeat or hide tests:
# destination, harmless value, and what a user should be told.
_OPTIONS = [
    ("numprocesses", 0, "-n (pytest-xdist)"),
    ("dist", "no", "--dist (pytest-xdist)"),
    ("distload", False, "-d (pytest-xdist)"),
    ("tx", [], "--tx (pytest-xdist)"),
    ("looponfail", False, "--looponfail (pytest-xdist)"),
    ("forked", False, "--forked (pytest-forked)"),
    ("maxfail", 0, "-x/--maxfail"),
    ("usepdb", False, "--pdb"),
    ("trace", False, "--trace"),
    ("lf", False, "--last-failed"),
    ("failedfirst", False, "--failed-first"),
    ("newfirst", False, "--new-first"),
    ("stepwise", False, "--stepwise"),
    ("stepwise_skip", False, "--stepwise-skip"),
    ("testmon", False, "--testmon"),
    ("reruns", 0, "--reruns (pytest-rerunfailures)"),
]

# Plugins that run a test again or in another order, by the name pytest knows.
_PLUGINS = ("rerunfailures", "flaky", "pytest-retry", "randomly", "random_order", "random-order", "reverse",
            "lfplugin", "nfplugin", "stepwiseplugin")

_ORDERING = ("randomly", "random_order", "random-order", "reverse")


def uncover(early_config):
    """Keeps pytest-cov from starting: it would slow every run and trace our probes."""
    known = early_config.known_args_namespace
    if getattr(known, "cov_source", None):
        known.cov_source = []
        record.write("note", text="--cov (pytest-cov)")


def quiet(config):
    """Sets the options above to their harmless values."""
    for name, value, said in _OPTIONS:
        had = getattr(config.option, name, value)
        if had != value and had is not None:
            record.write("note", text=said)
        if hasattr(config.option, name):
            setattr(config.option, name, value)


def unplug(config):
    """Takes the plugins above out of the session, once their options and markers are known."""
    for name in _PLUGINS:
        plugin = config.pluginmanager.get_plugin(name)
        if plugin is None:
            continue
        config.pluginmanager.unregister(plugin)
        if name in _ORDERING:
            record.write("note", text=name + " (it orders tests)")
