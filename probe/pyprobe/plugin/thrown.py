"""Exceptions that one thread throws into another: they come from outside whatever they interrupt."""
import sys

_types = []  # thrown and not seen to arrive yet
_state = {"last": 0}


def outside(error):
    """Whether an exception is not of the interrupted code's own making.

    KeyboardInterrupt, which interrupt_main and Ctrl-C raise, and what pytest
    raises to end a test are no Exceptions; any other type is known only when
    it was seen being thrown.
    """
    if not isinstance(error, Exception) or id(error) == _state["last"]:
        return True
    if type(error) not in _types:
        return False
    _types.remove(type(error))
    _state["last"] = id(error)  # it goes on through the imports around this one
    return True


def forget():
    """Called when no import is under way: whatever was thrown before has arrived."""
    _state["last"] = 0


def loaded(module):
    """Called with ctypes once it is loaded: its door to PyThreadState_SetAsyncExc gets a watcher."""
    module.pythonapi.PyThreadState_SetAsyncExc = _Door(module.pythonapi.PyThreadState_SetAsyncExc)


def install():
    if "ctypes" in sys.modules:
        loaded(sys.modules["ctypes"])


class _Door:
    """The foreign function, which also takes argtypes and restype."""

    def __init__(self, real):
        object.__setattr__(self, "_real", real)

    def __call__(self, thread, error):
        thrown = getattr(error, "value", error)
        if isinstance(thrown, type):
            _types.append(thrown)
        return self._real(thread, error)

    def __getattr__(self, name):
        return getattr(self._real, name)

    def __setattr__(self, name, value):
        setattr(self._real, name, value)
