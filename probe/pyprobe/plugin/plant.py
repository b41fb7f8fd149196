"""Plants: delays put into imports, and deadlines that are made to fire inside one.

A delay before a module is loaded charges its time to whatever deadline is
armed. To leave a half-imported package behind, the interruption has to come
after a submodule was loaded and while its package is still being loaded; that
is where nested plants and interrupts strike.
"""
import threading
import time

from assay_probe import deadline, job, record, test

_state = {"armed": True, "interrupt": True}
_planted = {}  # module -> seconds, taken out once it has struck


def start():
    _planted.update(job.get("plants"))
    _state["armed"] = job.get("armed_delay")
    _state["interrupt"] = bool(job.get("interrupt"))


def before(name, stack):
    """Sleeps at the first import of a planted module."""
    if name in _planted and not job.get("nested"):
        _sleep(name, _planted.pop(name), False)


def after(name, entry, stack):
    """Called when a module is loaded: what strikes after it, if anything."""
    armed = deadline.current()
    if _nested(name, stack):
        return
    if armed is None or armed.glob and not job.get("timeouts"):
        return
    if _state["interrupt"] and _interrupts(name, stack):
        _state["interrupt"] = not _fire(name, stack, armed)
    elif _state["armed"] and entry.armed is not None and entry.depth == 0:
        _state["armed"] = False
        _sleep(name, deadline.left(armed) + 1 if job.get("delay") <= 0 else job.get("delay"), True)


def _nested(name, stack):
    """Sleeps once a first part of a planted package is loaded while the package itself is not."""
    if not _planted or not job.get("nested"):
        return False
    for outer in stack:
        if outer.name in _planted:
            _sleep(outer.name, _planted.pop(outer.name), False)
            return True
    if name in _planted and not any(name.startswith(o.name + ".") for o in stack):
        _sleep(name, _planted.pop(name), False)  # it imports nothing itself: there is no inside to strike
        return True
    return False


def _sleep(name, seconds, armed):
    over = deadline.current()
    record.write("planted", node=test.Now.node, module=name, seconds=seconds, armed=armed,
                 under=over is not None and (job.get("timeouts") or not over.glob))
    time.sleep(seconds)


def _interrupts(name, stack):
    """Whether the deadline is to fire now that name is loaded.

    "package": a submodule is loaded and its package is not yet; "nested": any
    import inside another; "any": the first import there is; else a module.
    """
    if threading.current_thread() is not threading.main_thread():
        return False  # signals are taken by the main thread: nothing here would be cut short
    wanted = job.get("interrupt")
    if wanted == "package":
        return any(name.startswith(outer.name + ".") for outer in stack)
    if wanted == "nested":
        return bool(stack)
    return wanted == "any" or name == wanted


def _fire(name, stack, armed):
    record.write("interrupt", node=test.Now.node, module=name, inside=[outer.name for outer in stack])
    return deadline.fire(armed)
