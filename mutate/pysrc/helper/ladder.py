"""The undo ladder for one unit: the first rung on which it honestly stands."""
import carried
import localnames
import loose
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
        plan = answer("glue" if state.added else "revert", state)
        zero, _ = silenced(world, neutral.zero(world, unit))
        if zero and not neutral.entangled(world, unit, values=True):
            plan["else"] = answer("neutralise", zero)
        followed(world, unit, last(plan), state)
        quiet, _ = silenced(world, neutral.neutralise(world, unit, without))
        if quiet:
            last(plan)["else"] = answer("neutralise", quiet)
        return plan
    users = carried.users(world, unit)
    if users:
        return answer("none", nothing="carried", users=users)
    quiet, why = silenced(world, neutral.neutralise(world, unit, without))
    entangled = neutral.entangled(world, unit) if quiet else ""
    if quiet and not entangled:
        return answer("neutralise", quiet)
    zero, _ = (None, "") if quiet else silenced(world, neutral.zero(world, unit))
    if zero and not neutral.entangled(world, unit, values=True):
        return answer("neutralise", zero)
    plan = together(world, unit, found, why)
    if plan["rung"] != "none" and len(plan["partners"]) <= partners.MOST:
        return plan
    if quiet:
        return answer("neutralise", quiet, note=entangled + ": a red may be the old behaviour's")
    return answer("neutralise", zero, note=neutral.ZERO) if zero else plan


def silenced(world, what):
    """(state, "") of a neutral form that stands, or (None, why not)."""
    added, why = what
    if not added:
        return None, why
    quiet = world.state((), added)
    return (quiet, "") if world.finding(quiet) is None else (None, "silencing it breaks something else")


def followed(world, unit, plan, state):
    """The plan with what to try when the tests miss what no check sees."""
    after = loose.wider(world, state)
    if after is not None and len(after.units) <= partners.MOST + 1:
        plan["else"] = answer("partners", after, partners=sorted(after.units - {unit.id}))
    return plan


def last(plan):
    """The plan that is tried when all before it did not stand."""
    while plan.get("else"):
        plan = plan["else"]
    return plan


def together(world, unit, found, why):
    """The plan of the unit with its partners, or why there is none."""
    together, still = partners.group(world, unit)
    if still is not None and len(together.units) > partners.WIDEST:
        return answer("none", why="it stands only in a group of more than %d; not silenced: %s" % (partners.WIDEST, why),
                      missing=found.name)
    if still is not None:
        return none(world, still, why)
    others = [u for u in together.units if u != unit.id]
    real = [u for u in others if world.units[u].settled != "imports"]
    glue = ["%s line %d: imports un-done" % (world.units[u].path, world.units[u].new_span[0]) for u in others if u not in real]
    plan = answer("partners" if real else "glue", together, partners=sorted(real), glue=glue)
    return followed(world, unit, plan, together)


def settled(world, unit, without):
    """("moved", "") or ("renamed", note) of a unit that does nothing else."""
    if rename.only_moved(world, unit):
        return "moved", ""
    inner = localnames.only(world, unit)
    if inner is not None:
        return "renamed", ", ".join("%s is now %s" % r for r in sorted(inner.names.items()))
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


def answer(rung, state=None, nothing="", note="", partners=(), glue=(), why="", missing="", users=()):
    glue = list(glue)
    if state is not None:
        glue += [a.says for a in state.added]
    return {"rung": rung, "nothing": nothing, "note": note, "partners": list(partners), "glue": glue, "why": why,
            "missing": missing, "users": list(users), "else": None, "units": sorted(state.units) if state is not None else [],
            "added": list(state.added) if state is not None else []}
