"""Sees every way in which Python starts a process, but for those of C code.

The audit events leave out what multiprocessing does: it calls the function
below subprocess itself, without an event.
"""
import os
import sys

_EVENTS = frozenset((
    "os.system", "os.exec", "os.posix_spawn", "os.spawn", "os.fork", "os.forkpty", "pty.spawn", "os.startfile",
))
# Programs that import and configuration code asks about the machine or the
# repository; they run nothing of the project.
_HARMLESS = frozenset(("git", "hg", "uname", "ldconfig", "gcc", "cc", "ld", "objdump", "file", "lsb_release", "arch"))


def watch(tell):
    """Calls tell with the name of each program that is started from now on, or with that of the way."""
    def hook(event, args):
        if event == "subprocess.Popen":
            tell(_program(args[0], args[1]))
        elif event in _EVENTS:
            tell(_program(args[0], ()) if event in ("os.exec", "os.posix_spawn", "os.spawn") else event)

    sys.addaudithook(hook)
    _wrap(tell)


def harmless(name):
    return name in _HARMLESS


def _wrap(tell):
    try:
        import _posixsubprocess
    except ImportError:  # Windows
        return
    plain = _posixsubprocess.fork_exec

    def fork_exec(args, *more):
        if sys._getframe(1).f_globals.get("__name__") != "subprocess":  # which has an event of its own
            tell(_program(None, args))
        return plain(args, *more)

    _posixsubprocess.fork_exec = fork_exec


def _program(executable, args):
    first = executable
    if first is None:
        first = args if isinstance(args, (str, bytes, os.PathLike)) else next(iter(args), "")
    try:
        return os.path.basename(os.fsdecode(first)).split(" ")[0]
    except TypeError:  # not a name at all; starting it fails by itself
        return repr(first)
