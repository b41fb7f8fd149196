"""Writes one JSON object a line to the file the Go side reads afterwards.

Each line is flushed, so that a process that dies has said what it was doing.
A forked child inherits the file but writes nothing: its news are not ours.
"""
import io
import json
import os
import threading

_lock = threading.RLock()
_state = {"file": None, "pid": 0}


def open(path):  # noqa: A001 - the module is always used by its full name
    before = _state["file"]
    _state["file"] = io.open(path, "w", encoding="ascii")
    _state["pid"] = os.getpid()
    if before is not None:
        before.close()  # in a fork: left to the collector it would warn in the middle of a test


def write(kind, **fields):
    write_all(kind, [fields])


def write_all(kind, all_fields):
    if os.getpid() != _state["pid"]:
        return
    lines = "".join(json.dumps(dict(fields, k=kind), ensure_ascii=True) + "\n" for fields in all_fields)
    with _lock:
        _state["file"].write(lines)
        _state["file"].flush()


def text(s):
    """A string that survives JSON: lone surrogates become escapes."""
    return s.encode("utf-8", "backslashreplace").decode("utf-8")


def clip(s, size):
    """The longest start of s that is at most size bytes of UTF-8."""
    raw = text(s).encode("utf-8")
    return raw[:size].decode("utf-8", "ignore")
