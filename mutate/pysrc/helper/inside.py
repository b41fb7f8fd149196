"""What certainly breaks inside one file."""
import calls
import scopes
from finding import Finding


def first(path, without, head):
    """The first Finding of a text that head's text does not have, or None."""
    return next(findings(path, without, head), None)


def findings(path, without, head):
    for name, line in scopes.newly_undefined(without, head):
        yield Finding("undefined", name, path, line, "%s undefined (line %d)" % (name, line))
    had = head.of_tree(scopes.unbound)
    for (function, name), line in sorted(without.of_tree(scopes.unbound).items()):
        if (function, name) not in had:
            yield Finding("unbound", name, path, line, "%s without a value in %s (line %d)" % (name, function, line))
    had = head.kept(calls.misfits)
    for (callee, why), line in sorted(without.kept(calls.misfits).items()):
        if (callee, why) not in had:
            yield Finding("misfit", callee, path, line, "a call that cannot work: %s %s (line %d)" % (callee, why, line))
