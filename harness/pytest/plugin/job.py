"""The job this process was started for, as the Go side wrote it."""

import json

_current = {}


def read(path):
    """The job that a file holds."""
    with open(path, encoding="utf-8") as f:
        return {name: [] if value is None and name != "select" else value for name, value in json.load(f).items()}


def set(job):
    _current.clear()
    _current.update(job)


def update(fields):
    _current.update(fields)


def get(key):
    return _current[key]


def all():  # noqa: A001 - the module is always used by its full name
    return dict(_current)
