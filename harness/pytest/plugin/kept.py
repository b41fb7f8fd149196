"""Keeps compiled code by what it was compiled from.

A name in the directory is a digest of the text, of where it stands and of all
else that decides what becomes of it, so that nothing kept is ever out of date.
The runs of one session share the directory.
"""
import hashlib
import marshal
import os
import sys
import types

_state = {"dir": ""}


def begin(directory):
    _state["dir"] = directory


def code(compiled, *of):
    """What compiled() returns, a code object, or what it once returned for the same texts and bytes."""
    name = os.path.join(_state["dir"], _digest(of))
    try:
        with open(name, "rb") as f:
            found = marshal.load(f)
        if isinstance(found, types.CodeType):
            return found
    except (OSError, EOFError, ValueError, TypeError):
        pass  # not kept yet
    made = compiled()
    try:
        own = "%s.%d" % (name, os.getpid())
        with open(own, "wb") as f:
            marshal.dump(made, f)
        os.replace(own, name)
    except (OSError, ValueError):
        pass  # it is compiled again next time
    return made


def _digest(of):
    digest = hashlib.sha256()
    for part in (sys.version, sys.flags.optimize) + of:
        part = part if isinstance(part, bytes) else repr(part).encode("utf-8", "backslashreplace")
        digest.update(b"%d:" % len(part) + part)
    return digest.hexdigest()
