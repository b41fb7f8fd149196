"""Head with some units un-done and some text added."""
import bisect

import calls
import inside
import scopes
from finding import unreadable
from syntax import SCOPES, first_line
from text import Text, absent


class State:
    def __init__(self, world, units, added):
        self.world, self.units, self.added = world, units, added
        self.touched = sorted({world.units[u].path for u in units} | {a.path for a in added})

    def key(self):
        return self.units, tuple(a.key() for a in self.added)

    def text(self, path):
        """The text of a path in this state; head's own where nothing is touched."""
        return self.built(path)[0] if path in self.touched else self.world.head(path)

    def built(self, path):
        units = frozenset(u for u in self.units if self.world.units[u].path == path)
        added = tuple(a for a in self.added if a.path == path)
        key = path, units, tuple(a.key() for a in added)
        if key not in self.world.known:
            self.world.known[key] = self.build(path, units, added)
        return self.world.known[key]

    def build(self, path, units, added):
        """(text, [(offset in it, origin)]): origin is a unit, or head's offset, or None."""
        mine = [self.world.units[u] for u in units]
        for u in mine:
            if u.op == "remove":
                return absent(), [(0, u)]
            if u.op == "create":
                return self.world.bases[path], [(0, u)]
        splices = [(u.start, u.end, u.text, u) for u in mine] + [(a.start, a.end, a.text, None) for a in added]
        splices.sort(key=lambda s: s[:2])
        src, out, pieces, at = self.world.head(path).src, b"", [], 0
        for start, end, text, origin in splices:
            if start < at:
                broken = Text(b"")
                broken.error = "two edits of one place"
                return broken, [(0, None)]
            pieces += [(len(out), at), (len(out) + start - at, origin)]
            out += src[at:start] + text
            at = end
        pieces.append((len(out), at))
        out += src[at:]
        whole = len(mine) == len(self.world.of(path)) and not added
        return (self.world.bases[path] if whole and out == self.world.bases[path].src else self.world.head(path).variant(out)), pieces

    def locate(self, path, line):
        """(unit whose restored text has the line, or None; head's line, or None)."""
        if path not in self.touched:
            return None, line
        text, pieces = self.built(path)
        off = text.line_start(line)
        at = bisect.bisect_right([p[0] for p in pieces], off) - 1
        start, origin = pieces[max(at, 0)]
        if isinstance(origin, int):
            head = self.world.head(path)
            return None, head.src.count(b"\n", 0, origin + off - start) + 1
        return origin, None

    def first(self):
        """The first Finding that base does not have as well: syntax, then names
        of the files touched, then what the rest of the project misses, tests
        last."""
        return next(self.all(), None)

    def all(self):
        for path in self.touched:
            if not self.text(path).parses:
                yield unreadable(path, self.text(path))
                return
        for path in self.touched:
            for f in inside.findings(path, self.text(path), self.world.head(path)):
                if not self.base_has(f):
                    yield f
        found = [f for f in map(self.missed, self.touched) if f is not None]
        yield from sorted(found, key=lambda f: self.world.is_test(f.path))

    def missed(self, path):
        loss = self.world.loss(path, self.text(path))
        wanted = set(self.world.changed()) | loss.files() | self.world.mentioning(loss.words())
        if self.text(path).absent:
            wanted |= self.world.mentioning([path.split("/")[-1][:-3], path.split("/")[-2] if "/" in path else ""])
        return loss.verdict({p: self.text(p) for p in wanted})

    def base_has(self, f):
        """Whether base as a whole breaks the same way: then it is not the
        un-doing that breaks it."""
        base = self.world.base(f.path)
        if not base.parses:
            return False
        if f.kind == "undefined":
            undefined = base.kept(scopes.undefined)
            return undefined is not None and f.name in undefined
        if f.kind == "unbound":
            return f.name in {n for _, n in base.of_tree(scopes.unbound)}
        return f.name in {n for n, _ in base.kept(calls.misfits)}

    def scope(self, path, line):
        """Dotted names of the declarations around a line, outermost first."""
        names, body = [], []
        for chunk, at in self.text(path).between(line, line):
            body, line = chunk.tree.body, line - at + chunk.base
        while True:
            inner = [n for n in body if isinstance(n, SCOPES) and first_line(n) <= line <= n.end_lineno]
            if not inner:
                return [".".join(names[:i + 1]) for i in range(len(names))]
            names.append(inner[0].name)
            body = inner[0].body
