"""Un-doing a unit together with the units it cannot stand without."""
import itertools

import glue
import owners

MOST = 8      # other units un-done along for a red to say something of one
REPAIRS = 30  # pieces of glue in one state
CHECKS = 60   # states looked at while a group is made smaller
WIDEST = 24   # units that a group may have before it is made smaller


def mended(world, units, added=()):
    """(state, None) with the glue it needs, or (state, the Finding that stays)."""
    added = tuple(added)
    while True:
        state = world.state(units, added)
        found = world.finding(state)
        if found is None or len(added) > REPAIRS:
            return state, found
        more = glue.repair(world, state, found)
        if more is None:
            return state, found
        added += (more,)


def group(world, unit):
    """(state, None) of the smallest group found around the unit, or (the
    state that was too large or could not stand, the Finding that stays)."""
    state, found = closure(world, {unit.id})
    if found is not None:
        stuck = state
        if world.is_test(found.path) or len(world.units) > WIDEST or len(state.units) > WIDEST:
            return stuck, found
        everything = [u.id for u in world.units.values() if not world.is_test(u.path)]
        state, still = mended(world, everything)
        if still is not None:
            return stuck, found
    return shrink(world, unit, state), None


def closure(world, units):
    """First finding first: its owner joins, until nothing breaks."""
    units = set(units)
    while True:
        state, found = mended(world, units)
        if found is None:
            return state, None
        if world.is_test(found.path) and not defined_before(world, found):
            return state, found
        candidates = owners.owners(world, state, found)
        if not candidates:
            return state, found
        units.add(candidates[0].id)
        units |= writers(world, candidates[0])
        if len(units) > WIDEST:
            return world.state(units), found


def defined_before(world, found):
    """Whether an old side of the change defines what a test misses."""
    return bool(owners.defining(world, found.file, found.name, ("global", "attribute")))


def writers(world, unit):
    """A field that comes back brings whoever wrote it: one that is read and
    never filled would be a third program."""
    text = world.bases.get(unit.path)
    if text is None or not text.parses:
        return set()
    gone = {name for line, kind, name, _ in text.of_tree(owners.bound_names)
            if kind == "attribute" and unit.has_old(line)}
    head = world.heads[unit.path]
    if head.parses:
        gone -= {name for _, kind, name, _ in head.of_tree(owners.bound_names) if kind == "attribute"}
    return {u.id for name in gone for u, _ in owners.defining(world, unit.path, name, ("attribute",))
            if not world.is_test(u.path)}


def shrink(world, unit, state):
    """Takes out halves, then smaller parts down to singles, then pairs, as
    long as what is left still stands."""
    kept = sorted(state.units - {unit.id})
    budget = [CHECKS]

    def stands(rest):
        group = {unit.id, *rest}
        if budget[0] <= 0 or any(not writers(world, world.units[k]) <= group for k in group):
            return None
        budget[0] -= 1
        smaller, found = mended(world, group)
        return smaller if found is None else None

    size = max(len(kept) // 2, 1)
    while kept and size:
        at = 0
        while at < len(kept):
            rest = kept[:at] + kept[at + size:]
            smaller = stands(rest)
            if smaller is not None:
                kept, state = rest, smaller
            else:
                at += size
        size //= 2
    for pair in itertools.combinations(list(kept), 2):
        rest = [k for k in kept if k not in pair]
        smaller = stands(rest) if set(pair) <= set(kept) else None
        if smaller is not None:
            kept, state = rest, smaller
    return state
