"""Which threads are alive when the process is to be forked, and whose they are.

A fork has none of the threads of its parent: whatever a test needs from one is
not there. So tests of the files that start threads while they are collected
run in fresh processes.
"""
import os
import sys
import threading

# Threads of plugins that are switched off anyhow, by the file they run in.
_HARMLESS = ("pytest_rerunfailures.py",)

_known = set()
_files = []  # test files during whose collection a thread began, and these threads


def begin():
    _known.update(_alive())


def collected(file):
    """Called after a file was collected: new threads belong to it."""
    new = _alive() - _known
    if new:
        _known.update(new)
        _files.append((file, new))


def left():
    """The files whose threads are still alive; "" stands for whatever is not a test file."""
    alive, owners = _alive(), []
    for file, started in _files:
        if started & alive:
            owners.append(file)
            alive -= started
    return owners + ([""] if alive else [])


def _alive():
    """The threads that run Python code, but for the main one and harmless ones."""
    main = threading.main_thread().ident
    return {n for n, frame in sys._current_frames().items() if n != main and not _is_harmless(frame)}


def _is_harmless(frame):
    while frame is not None:
        if os.path.basename(frame.f_code.co_filename) in _HARMLESS:
            return True
        frame = frame.f_back
    return False
