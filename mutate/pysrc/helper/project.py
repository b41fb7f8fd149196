"""What else in the project would certainly break when one unit is un-done."""
import ast
import sys

import calls
from finding import Finding, is_test
from merge import firsts, lines, located, merged, union
from syntax import FUNCTIONS, guarded_lines, last_name, nodes, type_checking


class Foreign:
    """Attributes that objects from outside the project have, as far as the
    standard library shows; a name of theirs is never certain to be missing."""

    names = None

    @classmethod
    def has(cls, name):
        if cls.names is None:
            cls.names = set()
            for module in list(sys.modules.values()):
                cls.names.update(dir(module))
                for value in list(vars(module).values()):
                    if isinstance(value, type):
                        cls.names.update(dir(value))
        return name in cls.names


def distinctive(name):
    """Unlikely to be an attribute of a library's object as well."""
    return "_" in name.strip("_") or len(name) >= 10


class Project:
    """Resolves module names to the files of the head tree."""

    def __init__(self, paths):
        self.paths = set(paths)
        self.by_name = {}
        for p in sorted(paths):
            for name in self.names(p):
                self.by_name.setdefault(name, p)
        self.former = set()  # modules that have another name at head
        self.tops = {n.split(".")[0] for n in self.by_name}

    def package(self, path):
        """The dotted package parts of a file, climbing while __init__.py is there."""
        parts = path.split("/")[:-1]
        start = len(parts)
        while start > 0 and "/".join(parts[:start]) + "/__init__.py" in self.paths:
            start -= 1
        return parts[start:]

    def names(self, path):
        stem = path.split("/")[-1][:-3]
        tail = [] if stem == "__init__" else [stem]
        full = path.split("/")[:-1] + tail
        found = {".".join(self.package(path) + tail), ".".join(full)}
        if full and full[0] in ("src", "lib"):
            found.add(".".join(full[1:]))
        return {n for n in found if n}

    def resolve(self, path, module, level):
        """The dotted name an import in path means."""
        if level:
            base = self.package(path)
            base = base[: len(base) - (level - 1)] if level > 1 else base
            return ".".join(base + ([module] if module else []))
        return module or ""

    def imports_of(self, path, text):
        """imports of a Text, computed once."""
        return text.kept_as(("imports", path), lambda: self.imports(path, text))

    def imports(self, path, text):
        """[(file or None, dotted module, name or None, local name, line)] of every import."""
        out = []
        for line, n in text.of_tree(import_statements):
            if isinstance(n, ast.Import):
                for a in n.names:
                    local = a.asname or (a.name if "." not in a.name else None)
                    out.append((self.by_name.get(a.name), a.name, None, local, line))
                continue
            dotted = self.resolve(path, n.module, n.level)
            for a in n.names:
                sub = self.by_name.get(dotted + "." + a.name)
                if sub is not None:
                    out.append((sub, dotted + "." + a.name, None, a.asname or a.name, line))
                out.append((self.by_name.get(dotted), dotted, a.name, a.asname or a.name, line))
        return out


@merged(located)
def import_statements(tree):
    return [(n.lineno, n) for n in nodes(tree) if isinstance(n, (ast.Import, ast.ImportFrom))]


@merged(union)
def top_names(tree):
    """Names a module surely or possibly defines; None when it may define any."""
    out = set()
    todo = list(tree.body)
    while todo:
        n = todo.pop()
        if isinstance(n, FUNCTIONS + (ast.ClassDef,)):
            if n.name == "__getattr__":
                return None
            out.add(n.name)
            continue
        if isinstance(n, (ast.Import, ast.ImportFrom)):
            for a in n.names:
                if a.name == "*":
                    return None
                out.add((a.asname or a.name).split(".")[0])
        elif isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store):
            out.add(n.id)
        todo.extend(ast.iter_child_nodes(n))
    for n in nodes(tree):
        if isinstance(n, ast.Global):
            out.update(n.names)
        if isinstance(n, ast.Call) and last_name(n) in ("globals", "exec"):
            return None
    return out


@merged(union)
def defined_attributes(tree):
    """Names that some object of this file may have as an attribute."""
    out = set()
    for n in nodes(tree):
        if isinstance(n, FUNCTIONS + (ast.ClassDef,)):
            out.add(n.name)
        elif isinstance(n, ast.Attribute) and not isinstance(n.ctx, ast.Load):
            out.add(n.attr)
        elif isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store):
            out.add(n.id)
        elif isinstance(n, (ast.Import, ast.ImportFrom)):
            out.update((a.asname or a.name).split(".")[0] for a in n.names)
        elif isinstance(n, ast.Constant) and isinstance(n.value, str) and len(n.value) < 200:
            out.update(n.value.replace(",", " ").split())  # setattr, __slots__, namedtuple
        elif isinstance(n, ast.keyword) and n.arg:
            out.add(n.arg)
    return out


@merged(union)
def class_attributes(tree):
    """Names that classes of this file, or whatever it assigns to, have."""
    out = set()
    for n in nodes(tree):
        if isinstance(n, ast.ClassDef):
            for m in n.body:
                if isinstance(m, FUNCTIONS):
                    out.add(m.name)
                elif isinstance(m, (ast.Assign, ast.AnnAssign)):
                    out.update(t.id for t in ast.walk(m) if isinstance(t, ast.Name) and isinstance(t.ctx, ast.Store))
        elif isinstance(n, ast.Attribute) and isinstance(n.ctx, ast.Store):
            out.add(n.attr)
    return out


@merged(union)
def owned_attributes(tree):
    """{(class, attribute)} of what a class or its methods give it."""
    return {(c.name, name) for c in nodes(tree) if isinstance(c, ast.ClassDef) for name in class_attributes(c)}


@merged(firsts)
def loaded_attributes(tree):
    """{attribute: line} of plain reads that a missing attribute would break."""
    soft = guarded_lines(tree, {"AttributeError", "Exception", "BaseException"})
    out = {}
    for n in nodes(tree):
        if isinstance(n, ast.Attribute) and isinstance(n.ctx, ast.Load) and n.lineno not in soft:
            own = isinstance(n.value, ast.Name) and n.value.id in ("self", "cls")
            if own or distinctive(n.attr):
                out.setdefault(n.attr, n.lineno)
    return out


@merged(lines)
def soft_lines(tree):
    """Lines where a failing import is expected or does not run."""
    soft = guarded_lines(tree, {"ImportError", "ModuleNotFoundError", "Exception", "BaseException"})
    for n in nodes(tree):
        if type_checking(n):
            soft.update(range(n.lineno, n.end_lineno + 1))
    return soft


class Loss:
    """What un-doing some of `path` takes from the rest of the project, and
    what the restored text needs of it."""

    def __init__(self, project, path, without, head, bases):
        """bases() is every attribute that a class of a base side has."""
        self.project, self.path = project, path
        before, after = head.of_tree(top_names), without.of_tree(top_names)
        self.gone = before - after if before is not None and after is not None else set()
        known, was = without.kept(calls.signatures), head.kept(calls.signatures)
        self.retyped = {n: s for n, s in known.items() if n in was and vars(was[n]) != vars(s)}
        mine = without.of_tree(defined_attributes)
        lost = head.of_tree(class_attributes) - mine
        self.lost_attributes = {a for a in lost if not Foreign.has(a)}
        soft = without.of_tree(soft_lines)
        had = {(f, m, n) for f, m, n, _, _ in project.imports_of(path, head)}
        self.needs = [i for i in project.imports_of(path, without) if i[:3] not in had and i[4] not in soft]
        wanted = set(without.of_tree(loaded_attributes)) - set(head.of_tree(loaded_attributes))
        wanted = {a for a in wanted if a not in mine and not Foreign.has(a)}
        self.wanted_attributes = wanted & bases() if wanted else wanted
        self.without, self.head = without, head

    def words(self):
        return self.gone | set(self.retyped) | self.lost_attributes | self.wanted_attributes

    def files(self):
        return {f for f, _, _, _, _ in self.needs if f}

    def verdict(self, others):
        """The first Finding, or None, given {path: Text} of the files that
        mention a word; what production code misses comes before tests."""
        return self.missing_import(others) or self.unfit(others) or self.missed_by(others) or self.missed_attribute(others)

    def missing_import(self, others):
        for file, dotted, name, _, line in self.needs:
            if file is None:
                parent = dotted.rpartition(".")[0]
                lost = name is None and parent in self.project.by_name and dotted.split(".")[0] in self.project.tops
                if lost or dotted in self.project.former:
                    return Finding("import", dotted, self.path, line,
                                   "the restored text imports module %s, which is not there at head" % dotted)
                continue
            if file == self.path or others.get(file) is None or name == "*":
                continue
            if others[file].absent:
                return Finding("import", name or dotted, self.path, line,
                               "the restored text imports module %s, which is not there" % dotted, file)
            if name is None:
                continue
            names = others[file].of_tree(top_names) if others[file].parses else None
            if names is not None and name not in names and self.project.by_name.get(dotted + "." + name) is None:
                return Finding("import", name, self.path, line,
                               "the restored text imports %s from %s, which does not define it at head" % (name, file), file)
        return None

    def unfit(self, others):
        """A call in the restored text that the definition elsewhere refuses."""
        stored, made = self.without.of_tree(stored_plainly), self.without.of_tree(calls.plain_calls)
        for file, _, name, local, _ in self.project.imports_of(self.path, self.without):
            text = others.get(file)
            if file == self.path or name is None or local in stored or text is None or not text.parses:
                continue
            sig = text.kept(calls.signatures).get(name)
            for line, n in made.get(local, []) if sig is not None else []:
                if sig.refuses(n) and not self.called_at_head(local, n):
                    why = "the restored text calls %s of %s, which at head %s" % (name, file, sig.refuses(n))
                    return Finding("call", name, self.path, line, why, file)
        return None

    def called_at_head(self, local, call):
        made = self.head.of_tree(calls.plain_calls).get(local, [])
        return any(ast.dump(n) == ast.dump(call) for _, n in made)

    def missed_by(self, others):
        for path, text in in_order(others):
            if path == self.path or text is None or not text.parses:
                continue
            soft = text.of_tree(soft_lines)
            aliases, direct = {}, {}
            for file, dotted, name, local, line in self.project.imports_of(path, text):
                if file != self.path or line in soft:
                    continue
                if self.without.absent:
                    why = "%s line %d imports %s, which only this change adds" % (path, line, dotted)
                    return Finding("gone", name or dotted, path, line, why, self.path)
                if name is None and local:
                    aliases[local] = line
                elif name in self.gone:
                    why = "%s line %d imports %s, which only this text defines" % (path, line, name)
                    return Finding("gone", name, path, line, why, self.path)
                elif name in self.retyped:
                    direct[local] = self.retyped[name]
            found = self.through(text, path, aliases, direct) if aliases or direct else None
            if found:
                return found
        return None

    def through(self, text, path, aliases, direct):
        stored = text.of_tree(stored_plainly)
        for line, name, attr in text.of_tree(module_reads) if aliases and self.gone else []:
            if name in aliases and name not in stored and attr in self.gone:
                why = "%s line %d uses %s.%s, which only this text defines" % (path, line, name, attr)
                return Finding("gone", attr, path, line, why, self.path)
        made = [(line, n, direct[name]) for name in sorted(direct.keys() - stored)
                for line, n in text.of_tree(calls.plain_calls).get(name, [])]
        made += [(line, n, self.retyped[attr]) for line, name, attr, n in text.of_tree(module_calls)
                 if self.retyped and name in aliases and attr in self.retyped]
        for line, n, sig in made:
            why = sig.refuses(n)
            if why:
                name = last_name(n)
                why = "%s line %d calls %s, which un-done %s" % (path, line, name, why)
                return Finding("call", name, path, line, why, self.path)
        return None

    def missed_attribute(self, others):
        if not self.lost_attributes and not self.wanted_attributes:
            return None
        texts = dict(others)
        texts[self.path] = self.without
        defined = set()
        for text in texts.values():
            if text is None or not text.parses:
                return None  # it may define anything
            defined |= text.of_tree(defined_attributes)
        lost = sorted(self.lost_attributes - defined)
        reads = [(path, text.of_tree(loaded_attributes)) for path, text in in_order(texts)] if lost else []
        for path, read in reads:
            for attr in lost:
                line = read.get(attr)
                if line is not None:
                    why = "%s line %d uses attribute %s, which only this text defines" % (path, line, attr)
                    return Finding("attribute", attr, path, line, why, self.path)
        for attr in sorted(self.wanted_attributes - defined):
            return Finding("wanted", attr, self.path, self.without.of_tree(loaded_attributes)[attr],
                           "the restored text uses attribute %s, which the change takes away" % attr)
        return None


def in_order(texts):
    """Production first: what only tests miss is another matter."""
    return sorted(texts.items(), key=lambda x: (is_test(x[0]), x[0]))


@merged(union)
def stored_plainly(tree):
    return {n.id for n in nodes(tree) if isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Load)}


@merged(located)
def module_reads(tree):
    """[(line, name, attribute)] of reads of an attribute of a name."""
    soft = guarded_lines(tree, {"AttributeError", "Exception", "BaseException"})
    return [(n.lineno, n.value.id, n.attr) for n in nodes(tree)
            if isinstance(n, ast.Attribute) and isinstance(n.value, ast.Name) and isinstance(n.ctx, ast.Load)
            and n.lineno not in soft]


@merged(located)
def module_calls(tree):
    """[(line, name, attribute, call)] of calls of name.attribute that are not
    expected to fail."""
    calls.mark_expected(tree)
    return [(n.lineno, n.func.value.id, n.func.attr, n) for n in nodes(tree)
            if isinstance(n, ast.Call) and isinstance(n.func, ast.Attribute) and isinstance(n.func.value, ast.Name)
            and not calls.expected(n)]
