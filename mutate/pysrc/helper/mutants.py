"""The mutants of a file: what the operators propose, without what is proposed
twice, does not compile, or leaves the program as it was.
"""
import __future__
import ast
import functools
import importlib
import types

import unproductive
from sites import Site, Source


class Operator:
    def __init__(self, rank, name):
        module = importlib.import_module("operators." + name.replace("-", "_"))
        self.rank, self.name, self.nodes, self.at = rank, name, module.NODES, module.at


def propose(text, names):
    """What the operators of the names, the most telling first, propose for a
    text: dicts in order of the text."""
    found = {}
    for p in proposals(text, [Operator(i, n) for i, n in enumerate(names)]):
        key = tuple(p["splices"])
        if key not in found or p["rank"] < found[key]["rank"]:
            found[key] = p
    return sorted(found.values(), key=lambda p: (p["start"], p["rank"]))


def proposals(text, operators):
    site, by_kind = Site(Source(text)), {}
    for node in walk(site, text.tree):
        kind = type(node)
        if kind not in by_kind:
            by_kind[kind] = [o for o in operators if kind in o.nodes]
        for operator in by_kind[kind]:
            site.found.clear()
            operator.at(site)
            for start, end, description, splices in site.found:
                yield {"operator": operator.name, "rank": operator.rank, "description": description, "function": site.declared(),
                       "start": start, "end": end, "splices": sorted(splices),
                       "suppressed": unproductive.rule(site, operator.name, start)}


def walk(site, node):
    """Every node that may be altered, with site standing on it. What an
    f-string holds has true positions only from Python 3.12 on."""
    site.stack.append(node)
    yield node
    if not isinstance(node, ast.JoinedStr):
        for child in children(node):
            yield from walk(site, child)
    site.stack.pop()


def children(node):
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns", "type_params") or type(node).__name__ in ("TypeAlias", "TemplateStr"):
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST):
                yield child


def mutants(text, names, wanted):
    """The proposals that begin on a wanted line and alter what the file does.
    Those that are suppressed were not compiled."""
    out = []
    for p in propose(text, names):
        line, last = line_of(text, p["start"]), line_of(text, max(p["start"], p["end"] - 1))
        if wanted(line) and (p["suppressed"] or alters(text, p["splices"])):
            out.append(dict(p, line=line, lines=last - line + 1))
    return out


def line_of(text, offset):
    return text.src.count(b"\n", 0, offset) + 1


def alters(text, splices):
    """Whether a text with the splices compiles, and to something else. Only the
    top-level statements that the splices touch are compiled, and the whole text
    where these do not stand alone."""
    first, last = splices[0][0], splices[-1][1]
    at = 0
    touched, start = [], None
    for chunk in text.chunks:
        if at <= last and first < at + len(chunk.src):
            start = at if start is None else start
            touched.append(chunk)
        at += len(chunk.src)
    part = b"".join(c.src for c in touched)
    flags = text.kept(future)
    before = text.kept_as(("essence", start, len(part)), lambda: essence(part, flags))
    return essence(applied(part, splices, start), flags) not in (before, None)


def future(text):
    """The flags of what the text imports from the future."""
    names = [a.name for s in text.tree.body if isinstance(s, ast.ImportFrom) and s.module == "__future__" for a in s.names]
    return functools.reduce(lambda flags, name: flags | getattr(__future__, name).compiler_flag, names, 0)


def applied(src, splices, base=0):
    """The text with the splices, whose places count from base."""
    for start, end, said in reversed(splices):
        src = src[:start - base] + said + src[end - base:]
    return src


def essence(src, flags):
    """What the compiler makes of a text, without where it stands; None when it
    does not compile."""
    try:
        return reduced(compile(src, "head", "exec", flags, True))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def reduced(code):
    constants = tuple(reduced(c) if isinstance(c, types.CodeType) else (type(c).__name__, repr(c)) for c in code.co_consts)
    return (code.co_code, constants, code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars, code.co_flags, code.co_name,
            code.co_argcount, code.co_kwonlyargcount, getattr(code, "co_exceptiontable", b""))
