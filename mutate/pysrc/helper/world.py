"""The project at head, the change, and every state between base and head.

Texts, findings and word lists are kept for as long as one request for plans
lasts: the same file with the same units un-done is read once.
"""
import functools
import os
import re

import localnames
import neutral
import project
import rename
from finding import is_test
from state import State
from text import Text

WORD = re.compile(rb"[^\W\d]\w*")


class Unit:
    """A unit as Go cut it. edit is its un-doing: op, start, end, text."""

    def __init__(self, at, path, old_span, new_span, edit, settled):
        self.id, self.path, self.old_span, self.new_span = at, path, old_span, new_span
        self.op, self.start, self.end, self.text = edit
        self.settled = settled  # why Study found nothing to prove, or ""

    def has_new(self, line):
        return self.new_span[0] <= line < self.new_span[0] + self.new_span[1]

    def has_old(self, line):
        return self.old_span[0] <= line < self.old_span[0] + self.old_span[1]

    def distance(self, line):
        """How far a line of head is from the unit."""
        first, last = self.new_span[0], self.new_span[0] + max(self.new_span[1], 1) - 1
        return max(first - line, line - last, 0)


class World:
    def __init__(self, root, paths, seen):
        """seen is {path: Text} of files that were read before; they may have changed."""
        self.root, self.paths, self.seen = root, list(paths), seen
        self.heads, self.bases, self.kinds, self.units = {}, {}, {}, {}
        self.former = []
        self.known, self.found, self.words = {}, {}, None
        self.project = project.Project(self.paths)

    def add_file(self, path, old, new, kind, was):
        self.former += [was] if was else []
        self.bases[path], self.heads[path], self.kinds[path] = old, new, kind

    def seal(self):
        """Called when every file of the change is known."""
        self.project = project.Project(set(self.paths) | set(self.heads))
        self.project.former = {n for was in self.former for n in self.project.names(was)}

    @functools.cached_property
    def moves(self):
        return rename.moves(self)

    @functools.cached_property
    def renames(self):
        return rename.renames(self)

    @functools.cached_property
    def local_renames(self):
        return {p: localnames.renamed(self, p) for p in rename.production(self)}

    def base_attributes(self):
        return set().union(*(t.of_tree(project.class_attributes) for t in self.bases.values() if t.parses))

    def is_test(self, path):
        """Whether head's side of a path always stays: a test of the change, or
        what is named as part of the tests and not in the change."""
        return self.kinds[path] == "test" if path in self.kinds else is_test(path)

    def head(self, path):
        if path not in self.heads:
            src, seen = self.head_bytes(path), self.seen.get(path)
            self.heads[path] = seen if seen is not None and seen.src == src else Text(src)
        return self.heads[path]

    def base(self, path):
        """The base side of a path; head's when the change does not touch it."""
        return self.bases[path] if path in self.bases else self.head(path)

    def changed(self):
        return list(self.bases)

    def of(self, path):
        """The units of a path in file order."""
        return [u for u in self.units.values() if u.path == path]

    def mentioning(self, words):
        """Files of head that have one of the words anywhere."""
        if self.words is None:
            self.words = {}
            for path in self.paths:
                for w in set(WORD.findall(self.head_bytes(path))):
                    self.words.setdefault(w, []).append(path)
        out = set()
        for w in words:
            out.update(self.words.get(w.encode(), ()) if w.isascii() else self.paths)
        return out

    def head_bytes(self, path):
        if path in self.heads:
            return self.heads[path].src
        with open(os.path.join(self.root, *path.split("/")), "rb") as f:
            return f.read()

    def removed(self):
        """What neutral.moved compares with."""
        if "removed" not in self.known:
            self.known["removed"] = neutral.removed_lines(self)
        return self.known["removed"]

    def state(self, units, added=()):
        return State(self, frozenset(units), tuple(added))

    def finding(self, state):
        """The first thing that certainly breaks in a state, or None."""
        key = state.key()
        if key not in self.found:
            self.found[key] = state.first()
        return self.found[key]

    def loss(self, path, text):
        make = lambda: project.Loss(self.project, path, text, self.head(path), self.base_attributes)
        return text.kept_as(("loss", path), make)
