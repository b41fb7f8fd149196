"""Which code ran before the fork.

A function that ran while modules were imported and tests collected may have
left something behind that a change of its code would have made different: a
computed constant, a warm cache, a parameter list. From Python 3.12 each code
object tells once, at no cost; before, a trace function sees every call.
"""
import sys
import threading

_code = {}  # id -> code object, kept so that the id stays its own
_state = {"tool": None, "trace": None}


def begin():
    monitoring = getattr(sys, "monitoring", None)
    if monitoring is None:
        _state["trace"] = _called
        threading.settrace(_called)
        sys.settrace(_called)
        return
    free = [n for n in (4, 3) if monitoring.get_tool(n) is None]
    if not free:
        return
    tool = _state["tool"] = free[0]
    monitoring.use_tool_id(tool, "assay")
    events = monitoring.events.PY_START | monitoring.events.PY_RESUME
    for event in (monitoring.events.PY_START, monitoring.events.PY_RESUME):
        monitoring.register_callback(tool, event, _started)
    monitoring.set_events(tool, events)


def end():
    """Stops watching. Returns why what ran is not known, or ""."""
    monitoring = getattr(sys, "monitoring", None)
    if monitoring is None:
        threading.settrace(None)
        if sys.gettrace() is not _called:
            return "the project sets a trace function of its own while it is imported"
        sys.settrace(None)
        return ""
    if _state["tool"] is None:
        return "all of Python's monitoring tools are in use"
    monitoring.set_events(_state["tool"], 0)
    monitoring.free_tool_id(_state["tool"])
    return ""


def code():
    """The code objects that ran."""
    return _code.values()


def forget():
    _code.clear()


def _called(frame, event, arg):
    found = frame.f_code
    _code[id(found)] = found


def _started(found, offset):
    _code[id(found)] = found
    return sys.monitoring.DISABLE
