"""The warm process: it imports and collects once, then forks for every trial.

Requests come as lines on what was standard input when the process began: each
names a file that holds the job of one trial. Replies go into the output, each
between two record separators, so that the one stream tells what was printed
before which reply. The child of a fork leaves `serve` and goes on exactly as
the process of a plain run does: pytest's own loop, session end, exit.

Only one child runs at a time, in a process group of its own, and not before
the Go side knows its number: what knows the group can end all of it.
"""
import gc
import json
import os
import resource
import select
import signal
import sys
import tempfile
import warnings

from assay_pytest import escape, job as current, prime, ran, record, redirect, swap, threads

_SEPARATOR = "\x1e"
_CHUNK = 1 << 16
_LOOK = 0.05  # seconds between looks at a child, where the system cannot tell of its end

_state = {"requests": -1, "replies": -1}


def enter(tree):
    """Takes the two streams for itself and begins to watch what runs; called before pytest is imported."""
    take()
    swap.begin(tree)
    escape.install()
    threads.begin()
    ran.begin()


def take():
    """Takes the two streams."""
    _state.update(requests=os.dup(0), replies=os.dup(2))
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.close(null)


def serve(session, broken):
    """Forks once for each request. Returns the job in each child; in this process it never returns."""
    prime.inspect()
    why = ran.end() or escape.before() or swap.index(session.config) or broken and "some tests do not collect" or ""
    return forks({"why": why, "threads": threads.left()}, lambda job: swap.warm([s["path"] for s in job["swaps"]]))


def forks(ready, before):
    """Says that the process is ready and forks for each request, before which it calls before with the job.

    Returns the job in each child; in this process it never returns.
    """
    redirect.settle()
    gc.collect()
    gc.freeze()
    _reply(k="ready", size=_size(), **ready)
    for request in _lines():
        job = current.read(request)
        before(job)
        if _fork():
            return job
    os._exit(0)


def begin(session, job):
    """In the child: makes the process what a fresh one with the edit on disk would be, or says that it cannot."""
    current.update({name: job[name] for name in ("records", "basetemp", "cache", "select", "first", "first_red", "terse")})
    record.open(job["records"])
    temporary(job["tmp"])
    relocate(session.config, job)
    swap.show(job["watch"])
    swap.apply(job["swaps"])
    escape.arm(job["watch"])


def temporary(directory):
    os.environ["TMPDIR"] = directory
    tempfile.tempdir = None


def relocate(config, job):
    """Gives pytest's directories for temporary files and for its cache the places of this trial."""
    from pathlib import Path

    config.option.basetemp = job["basetemp"]
    factory = getattr(config, "_tmp_path_factory", None)
    if factory is not None:
        factory._given_basetemp, factory._basetemp = Path(job["basetemp"]), None
    cache = getattr(config, "cache", None)
    if cache is not None:
        cache._cachedir = Path(job["cache"])


def _lines():
    rest = b""
    while True:
        got = os.read(_state["requests"], _CHUNK)
        if not got:
            return  # the Go side ended
        rest += got
        *whole, rest = rest.split(b"\n")
        for text in whole:
            yield text.decode("utf-8", "surrogateescape")


def _fork():
    """True in the child, which may run; False in this process once the child ended."""
    for stream in (sys.stdout, sys.stderr, sys.__stdout__, sys.__stderr__):
        try:
            stream.flush()  # else each child would print it again
        except Exception:  # the project closed or replaced it
            pass
    gate, opener = os.pipe()
    with warnings.catch_warnings():  # Python 3.12 warns of threads, which threads.left tells of
        warnings.simplefilter("ignore")
        pid = os.fork()
    if pid == 0:
        os.close(opener)
        _alone()
        if not os.read(gate, 1):
            os._exit(0)  # the parent ended first
        for fd in (gate, _state["requests"], _state["replies"]):
            os.close(fd)
        return True
    os.close(gate)
    _group(pid)
    _reply(k="forked", pid=pid)
    os.write(opener, b"g")
    os.close(opener)
    status = _wait(pid)
    _kill(pid)
    _reply(k="ended", status=status, size=_size())
    return False


def _alone():
    os.setpgid(0, 0)


def _group(pid):
    try:
        os.setpgid(pid, pid)
    except OSError:  # the child was faster, or is gone
        pass


def _wait(pid):
    """How the child ended, as os.wait tells it; -1 when somebody else took the answer."""
    handle = os.pidfd_open(pid) if hasattr(os, "pidfd_open") else None
    watched = [_state["requests"]] + ([handle] if handle is not None else [])
    try:
        while True:
            try:
                got, status = os.waitpid(pid, os.WNOHANG)
            except ChildProcessError:
                return -1
            if got:
                return status
            ready = select.select(watched, [], [], None if handle is not None else _LOOK)[0]
            if _state["requests"] in ready:  # nothing is asked while a child runs: the Go side ended
                _kill(pid)
                os._exit(0)
    finally:
        if handle is not None:
            os.close(handle)


def _kill(pid):
    try:
        os.killpg(pid, signal.SIGKILL)
    except OSError:  # nothing of the group is left
        pass


def _size():
    """The most memory this process ever held, in KiB (bytes on macOS), which only growth is read from."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def _reply(**fields):
    text = json.dumps(fields, ensure_ascii=True)
    data = (_SEPARATOR + current.get("nonce") + " " + text + _SEPARATOR).encode("ascii")
    while data:
        data = data[os.write(_state["replies"], data):]
