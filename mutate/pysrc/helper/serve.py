"""Answers requests, one JSON object a line, until the input ends."""
import base64
import json
import re
import sys

import inside
import ladder
import mutants
import names
import plant
import project
import same
import sections
import whole
import world
from text import Text, absent

sys.setrecursionlimit(20000)


class Server:
    def __init__(self):
        self.planned = None
        self.tree({})

    def tree(self, request):
        """Starts the study of a change to a project."""
        self.project = project.Project(request.get("paths", []))
        self.texts, self.losses = {}, {}
        return {}

    def file(self, request):
        """Keeps both sides of a file and returns their sections."""
        out = {}
        for side, text in self.sides(request["path"], request["old"], request["new"]):
            self.texts[request["path"], side] = text
            out[side] = {"error": text.error if text else "the file does not exist",
                         "sections": sections.sections(text) if text else []}
        new = self.texts[request["path"], "new"]
        out["remarks"] = [{"line": n, "text": t} for n, t in new.comments()] if new else []
        return out

    def sides(self, path, old, new):
        """("new", Text or None) and ("old", ...); what is known of them stays."""
        new = self.known(path, "new", new)
        yield "new", new
        yield "old", self.known(path, "old", old, new)

    def known(self, path, side, value, like=None):
        before = self.texts.get((path, side))
        src = None if value is None else base64.b64decode(value)
        if before is not None and before.src == src:
            return before
        return decode(value, like)

    def parses(self, request):
        return {"ok": decode(request["source"], self.texts.get((request["path"], "new"))).parses}

    def unit(self, request):
        """The note of one unit, as far as its own file tells."""
        path = request["path"]
        old, new = self.texts[path, "old"], self.texts[path, "new"]
        out = dict.fromkeys(("nothing", "broken", "missing", "declaration"), "")
        out.update(edits=[], body=request["new_span"], import_time=True, defines=[], uses=[], words=[], files=[])
        defines, uses, out["declaration"] = names.unit_names(old, new, request["old_span"], request["new_span"])
        out["defines"], out["uses"] = [local(path, n) for n in defines], [local(path, n) for n in uses]
        if new is None:
            return out
        if not new.parses:
            out["broken"] = "the file does not parse at head: " + new.error
            return out
        if not new.odd:
            out.update(plant.place(new, request["new_span"][0], request["new_span"][1], indent_of(old, request["old_span"])))
            out["edits"] = [{"offset": off, "text": encode(b)} for off, b in out["edits"]]
        without = decode(request["undone"], new)
        if without is None:
            without = Text(b"")
        if not without.parses:
            out["broken"] = "un-doing it alone leaves half of a syntactic construct: " + without.error
            return out
        out["nothing"] = same.inertness(without, new)
        if not out["nothing"]:
            found = inside.first(path, without, new)
            if found:
                out["broken"], out["missing"] = "un-doing it alone leaves " + found.why, found.name
            else:
                loss = project.Loss(self.project, path, without, new, self.base_attributes)
                self.losses[request["id"]] = loss
                out["words"], out["files"] = sorted(loss.words()), sorted(loss.files())
        return out

    def base_attributes(self):
        found = set()
        for (_, side), text in self.texts.items():
            if side == "old" and text is not None and text.parses:
                found |= text.of_tree(project.class_attributes)
        return found

    def rest(self, request):
        """Whether the rest of the project certainly breaks with the unit un-done."""
        others = {}
        for path in request.get("paths", []):
            others[path] = self.texts.get((path, "new"))
        found = self.losses[request["id"]].verdict(others)
        return {"broken": found.why if found else "", "missing": found.name if found else ""}

    def world(self, request):
        """Starts the planning: the whole change, and where head lies."""
        seen = dict(self.planned.heads) if self.planned else {}
        seen.update((path, text) for (path, side), text in self.texts.items() if side == "new" and text is not None)
        self.planned = world.World(request["dir"], request["paths"], seen)
        for f in request["files"]:
            sides = dict(self.sides(f["path"], f["old"], f["new"]))
            self.planned.add_file(f["path"], sides["old"] or absent(), sides["new"] or absent(), f["kind"], f["was"])
        for u in request["units"]:
            edit = u["op"], u["start"], u["end"], base64.b64decode(u["text"] or "")
            self.planned.units[u["id"]] = world.Unit(u["id"], u["path"], u["old_span"], u["new_span"], edit, u["settled"])
        self.planned.seal()
        return {}

    def plan(self, request):
        return shown(ladder.plan(self.planned, self.planned.units[request["id"]]))

    def whole(self, request):
        state, names = whole.whole(self.planned, request["ids"])
        return shown(dict(ladder.answer("revert", state), dropped=names))

    def mutants(self, request):
        """The mutants of a file, and its comments."""
        text = Text(base64.b64decode(request["source"]))
        if not text.parses or text.odd:
            return {"error": text.error or "a carriage return ends lines in it"}
        spans = request["lines"]
        wanted = lambda line: spans is None or any(first <= line < first + count for first, count in spans)
        found = mutants.mutants(text, request["operators"], wanted)
        for m in found:
            m["splices"] = [{"start": a, "end": b, "text": encode(t)} for a, b, t in m["splices"]]
        return {"error": "", "mutants": found, "remarks": [{"line": n, "text": t} for n, t in text.comments()]}

    def read(self, request):
        """Keeps a file of the project."""
        self.texts[request["path"], "new"] = decode(request["source"])
        return {}


def shown(plan):
    """A plan with its added text as JSON can carry it."""
    added = [{"path": a.path, "start": a.start, "end": a.end, "text": encode(a.text)} for a in plan["added"]]
    return dict(plan, added=added, **{"else": shown(plan["else"]) if plan["else"] else None})


def local(path, name):
    """Names that start with # are declarations of this very file."""
    return path + name if name.startswith("#") else name


def indent_of(text, span):
    """The indentation of the first line of code in the span, or None."""
    if text is None or not span[1]:
        return None
    for line in text.lines[span[0] - 1:span[0] + span[1] - 1]:
        if line.strip() and not line.lstrip().startswith(b"#"):
            return re.match(rb"[ \t\f]*", line).group()
    return None


def decode(value, like=None):
    if value is None or like is None:
        return None if value is None else Text(base64.b64decode(value))
    return like.variant(base64.b64decode(value))


def encode(b):
    return base64.b64encode(b).decode("ascii")


def serve(requests, answers):
    server = Server()
    for line in requests:
        request = json.loads(line)
        answer = getattr(server, request["op"])(request)
        answers.write(json.dumps(answer) + "\n")
        answers.flush()
