"""Sees deadlines being armed and disarmed.

A hard deadline interrupts: signal.setitimer, signal.alarm, and pytest-timeout's
signal method, which uses the former. The kernel has one timer of each kind, so
what is armed last replaces what was armed before.
"""
import os
import signal

from assay_probe import job, place, record, test, watch

_SIGNALS = {}  # which timer -> the signal it sends
_armed = {}  # which timer -> the Arming that holds it
_NAMES = {}
_real = {}


class Arming:
    """One deadline that was armed."""

    __slots__ = ("which", "by", "site", "glob", "number")

    def __init__(self, which, by, site, glob, number):
        self.which, self.by, self.site, self.glob, self.number = which, by, site, glob, number


def install():
    for name, number in (("ITIMER_REAL", "SIGALRM"), ("ITIMER_VIRTUAL", "SIGVTALRM"), ("ITIMER_PROF", "SIGPROF")):
        if hasattr(signal, name):
            _NAMES[getattr(signal, name)] = name
            _SIGNALS[getattr(signal, name)] = getattr(signal, number)
    if not _NAMES:
        return  # this system has no such timers
    _real.update(setitimer=signal.setitimer, alarm=signal.alarm, getitimer=signal.getitimer)
    signal.setitimer, signal.alarm = _setitimer, _alarm


_counter = [0]


def _setitimer(which, seconds, interval=0.0, /):
    if not seconds:
        left = _real["setitimer"](which, seconds, interval)
        _disarmed(which, left[0])
        return left
    return _arm(which, _NAMES.get(which, str(which)), seconds, lambda: _real["setitimer"](which, seconds + job.get("stretch"), interval))


def _alarm(seconds, /):
    if not seconds:
        left = _real["getitimer"](signal.ITIMER_REAL)[0]
        whole = _real["alarm"](seconds)
        _disarmed(signal.ITIMER_REAL, left)
        return whole
    return _arm(signal.ITIMER_REAL, "alarm", seconds, lambda: _real["alarm"](seconds + int(job.get("stretch"))))


def _arm(which, by, seconds, really):
    """Everything is written down first: the deadline is not charged for it."""
    path, line = place.caller(2)
    plugin = os.path.basename(path) == "pytest_timeout.py"
    _counter[0] += 1
    new = Arming(which, "pytest-timeout" if plugin else by, place.shown(path, line), plugin and not test.Now.limited, _counter[0])
    old = current(which)
    if old is not None and _file(old.site) != _file(new.site):
        _clobbered(old, new.site, "replaced", _real["getitimer"](which)[0])
    record.write("armed", n=new.number, node=test.Now.node, by=new.by, seconds=float(seconds), at=new.site,
                 phase=test.Now.phase, fixture=test.fixture(), glob=new.glob, watch=watch.state(job.get("watch")))
    _armed[which] = new
    return really()


def _file(site):
    return site.rpartition(":")[0]


def _disarmed(which, left):
    old = _armed.pop(which, None)
    if old is None:
        return
    if left > 0 and old.by == "pytest-timeout":
        path, line = place.caller(3)
        if os.path.basename(path) != "pytest_timeout.py":
            _clobbered(old, place.shown(path, line), "cancelled", left)
    record.write("disarmed", n=old.number, left=left)


def _clobbered(old, site, how, left):
    record.write("clobbered", node=test.Now.node, n=old.number, of=old.site, at=site, how=how, left=left)


def current(which=None):
    """The hard deadline that is running now, or None. One that fired runs no more."""
    found = None
    for timer, armed in _armed.items():
        if which in (None, timer) and (found is None or found.glob) and _real["getitimer"](timer)[0] > 0:
            found = armed  # that of the whole suite only when there is no other
    return found


def left(armed):
    """Seconds until a deadline fires."""
    return _real["getitimer"](armed.which)[0]


def fire(armed):
    """Sends the deadline's signal now; False when no handler would take it."""
    number = _SIGNALS[armed.which]
    if not callable(signal.getsignal(number)):
        return False
    record.write("fired", node=test.Now.node, n=armed.number)
    signal.raise_signal(number)
    return True


def raised(armed, error):
    """Whether it was the handler of a deadline that raised an exception, and not the code it passed through."""
    if armed is None:
        return False
    handler = signal.getsignal(_SIGNALS[armed.which])
    code = getattr(getattr(handler, "__func__", handler), "__code__", None)
    if code is None:
        code = getattr(getattr(type(handler), "__call__", None), "__code__", None)
    frames = error.__traceback__
    while frames is not None:
        if frames.tb_frame.f_code is code:
            return True
        frames = frames.tb_next
    return False
