"""The undo ladder for one unit: the first rung on which it honestly stands."""
import neutral
import partners
import rename
import same


def plan(world, unit):
    """The plan as Go reads it."""
    state, found = partners.mended(world, {unit.id})
    alone = world.state({unit.id})
    without = alone.text(unit.path)
    nothing, note = settled(world, unit, without)
    if nothing:
        return answer("none", nothing=nothing, note=note)
    if found is None:
        same_as_head = unchanged(world, state)
        if same_as_head:
            return answer("none", nothing=same_as_head)
        return answer("glue" if state.added else "revert", state)
    added, why = neutral.neutralise(world, unit, without)
    if added:
        quiet = world.state((), added)
        if world.finding(quiet) is None:
            return answer("neutralise", quiet)
        why = "silencing it breaks something else"
    together, still = partners.group(world, unit)
    if still is not None and len(together.units) > partners.WIDEST:
        return answer("none", why="it stands only in a group of more than %d; not silenced: %s" % (partners.WIDEST, why),
                      missing=found.name)
    if still is not None:
        return none(world, still, why)
    others = [u for u in together.units if u != unit.id]
    real = [u for u in others if world.units[u].settled != "imports"]
    if len(real) >= partners.MOST:
        return answer("none", why="it stands only in a group of %d; not silenced: %s" % (len(real) + 1, why), missing=found.name)
    glue = ["%s line %d: imports un-done" % (world.units[u].path, world.units[u].new_span[0]) for u in others if u not in real]
    return answer("partners" if real else "glue", together, partners=sorted(real), glue=glue)


def settled(world, unit, without):
    """("moved", "") or ("renamed", note) of a unit that does nothing else."""
    if rename.only_moved(world, unit):
        return "moved", ""
    found = rename.only_renamed(world, unit, without)
    if not found:
        return "", ""
    public = ["%s is now %s" % (r.old, r.new) for r in found if not r.old.startswith("_")]
    return "renamed", "API changed: " + ", ".join(public) if public else ""


def unchanged(world, state):
    """Why the mended text means what head means, or "": nothing is un-done then."""
    why = ""
    for path in state.touched:
        if state.text(path).absent or world.head(path).absent:
            return ""
        why = same.inertness(state.text(path), world.head(path))
        if not why:
            return ""
    return why


def none(world, found, why):
    if world.is_test(found.path):
        said = "tests need %s" % (found.name or "it")
    else:
        said = "nothing in the change goes with it: " + found.why
    return answer("none", why="%s (%s); not silenced: %s" % (said, found.why, why), missing=found.name)


def answer(rung, state=None, nothing="", note="", partners=(), glue=(), why="", missing=""):
    glue = list(glue)
    if state is not None:
        glue += [a.says for a in state.added]
    return {"rung": rung, "nothing": nothing, "note": note, "partners": list(partners), "glue": glue, "why": why,
            "missing": missing, "units": sorted(state.units) if state is not None else [],
            "added": list(state.added) if state is not None else []}
