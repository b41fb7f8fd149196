"""How what is known of the statements of a text becomes what is known of it all."""


def merged(how):
    """Marks a function of a tree as one that can be asked statement by
    statement; how is given [(result, how far its lines are off)]."""
    def mark(function):
        function.merge = how
        return function
    return mark


def union(parts):
    """Sets; None, which is anything, takes the whole."""
    parts = [p for p, _ in parts]
    return None if any(p is None for p in parts) else set().union(*parts)


def lines(parts):
    """Sets of lines."""
    return {n + shift for found, shift in parts for n in found}


def firsts(parts):
    """{what: line}, the first one counts."""
    out = {}
    for found, shift in parts:
        for what, line in found.items():
            out.setdefault(what, line + shift)
    return out


def lists(parts):
    return [x for found, _ in parts for x in found]


def located(parts):
    """[(line, ...)] in order."""
    return [(x[0] + shift,) + x[1:] for found, shift in parts for x in found]


def groups(parts):
    """{key: [(line, ...)]}."""
    out = {}
    for found, shift in parts:
        for key, entries in found.items():
            out.setdefault(key, []).extend((x[0] + shift,) + x[1:] for x in entries)
    return out
