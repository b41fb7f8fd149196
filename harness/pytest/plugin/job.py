"""The job this process was started for, as the Go side wrote it."""

_current = {}


def set(job):
    _current.clear()
    _current.update(job)


def update(fields):
    _current.update(fields)


def get(key):
    return _current[key]
