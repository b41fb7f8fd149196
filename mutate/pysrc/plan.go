package pysrc

import (
	"slices"

	"assay/change"
	"assay/mutate"
)

// A world tells the helper the whole change.
type world struct {
	Op    string      `json:"op"`
	Dir   string      `json:"dir"`
	Paths []string    `json:"paths"`
	Files []worldFile `json:"files"`
	Units []worldUnit `json:"units"`
}

type worldFile struct {
	Path string `json:"path"`
	Kind string `json:"kind"`
	Was  string `json:"was"` // its name at base, when that was another one
	Old  []byte `json:"old"` // null when absent, as New
	New  []byte `json:"new"`
}

type worldUnit struct {
	ID      int              `json:"id"`
	Path    string           `json:"path"`
	OldSpan [2]int           `json:"old_span"`
	NewSpan [2]int           `json:"new_span"`
	Op      change.Op        `json:"op"`
	Start   int              `json:"start"`
	End     int              `json:"end"`
	Text    []byte           `json:"text"`
	Settled mutate.Inertness `json:"settled"`
}

// A planAnswer is how the helper would un-do one unit.
type planAnswer struct {
	Rung     mutate.Rung
	Nothing  mutate.Inertness
	Note     string
	Units    []int // un-done, the unit itself included; none when it is neutralised
	Partners []int
	Added    []addition
	Glue     []string
	Why      string
	Missing  string
	Dropped  []string
	Users    []int // of a carried declaration
	Else     *planAnswer
}

// An addition is text put in place of bytes [Start,End) of a path at head.
type addition struct {
	Path       string
	Start, End int
	Text       []byte
}

func (a planAnswer) edits() []change.Edit {
	var out []change.Edit
	for _, t := range a.Added {
		out = append(out, change.Edit{Path: t.Path, Start: t.Start, End: t.End, Text: t.Text})
	}
	return out
}

// A planning is one conversation with the helper about plans. Units are known
// by numbers, from 1 in the order of the change.
type planning struct {
	ids   map[*change.Unit]int
	units []*change.Unit
}

// world describes the change with each of its units.
func (p *planning) world(dir string, c *change.Change, notes map[*change.Unit]*mutate.Note) world {
	w := world{Op: "world", Dir: dir}
	for _, f := range c.Files {
		if !isSource(f) {
			continue
		}
		was := ""
		if f.Status == change.Renamed {
			was = f.OldPath
		}
		w.Files = append(w.Files, worldFile{Path: f.Path, Kind: f.Kind.String(), Was: was, Old: present(f.Old, f.Status != change.Added), New: present(f.New, f.Status != change.Deleted)})
		for _, h := range f.Hunks {
			for _, u := range h.Units {
				if !h.Whole {
					w.Units = append(w.Units, p.unit(u, notes[u]))
				}
			}
		}
	}
	return w
}

func (p *planning) unit(u *change.Unit, n *mutate.Note) worldUnit {
	p.units = append(p.units, u)
	p.ids[u] = len(p.units)
	e := u.Undo()
	out := worldUnit{ID: len(p.units), Path: e.Path, OldSpan: pair(u.Old), NewSpan: pair(u.New), Op: e.Op, Start: e.Start, End: e.End, Text: e.Text}
	if n != nil {
		out.Settled = n.Nothing
	}
	return out
}

// wholeWorld describes the change with the given edits as its units, so that a
// renamed file is one that goes and one that comes back.
func (p *planning) wholeWorld(dir string, c *change.Change, edits []change.Edit) world {
	w := world{Op: "world", Dir: dir}
	for _, f := range c.Files {
		if !isSource(f) {
			continue
		}
		old, neu := present(f.Old, f.Status != change.Added), present(f.New, f.Status != change.Deleted)
		mine := func(e change.Edit) bool { return e.Path == f.Path }
		if f.Status == change.Renamed && slices.ContainsFunc(edits, func(e change.Edit) bool { return mine(e) && e.Op == change.Remove }) {
			w.Files = append(w.Files, worldFile{Path: f.OldPath, Kind: f.Kind.String(), Old: old})
			mine = func(e change.Edit) bool { return e.Path == f.Path || e.Path == f.OldPath }
			old = nil
		}
		w.Files = append(w.Files, worldFile{Path: f.Path, Kind: f.Kind.String(), Old: old, New: neu})
		for _, e := range edits {
			if mine(e) {
				w.Units = append(w.Units, worldUnit{ID: len(w.Units) + 1, Path: e.Path, Op: e.Op, Start: e.Start, End: e.End, Text: e.Text})
			}
		}
	}
	return w
}

// present keeps an empty file apart from one that is not there.
func present(content []byte, there bool) []byte {
	if !there {
		return nil
	}
	return append([]byte{}, content...)
}

// planOf turns the helper's answer into a Plan.
func (p *planning) planOf(a planAnswer) *mutate.Plan {
	plan := &mutate.Plan{Rung: a.Rung, Nothing: a.Nothing, Glue: a.Glue, Why: a.Why, Missing: a.Missing, Note: a.Note}
	for _, id := range a.Partners {
		plan.Partners = append(plan.Partners, p.units[id-1])
	}
	for _, id := range a.Users {
		plan.Users = append(plan.Users, p.units[id-1])
	}
	if a.Else != nil {
		plan.Else = p.planOf(*a.Else)
	}
	undone := map[*change.File]int{}
	var units []*change.Unit
	for _, id := range a.Units {
		units = append(units, p.units[id-1])
		undone[p.units[id-1].Hunk.File]++
	}
	added := a.edits()
	for _, v := range units {
		f := v.Hunk.File
		if f.Status == change.Added && undone[f] == countUnits(f) {
			if v == f.Hunks[0].Units[0] {
				plan.Edits = append(plan.Edits, change.Edit{Path: f.Path, Op: change.Remove})
			}
			continue
		}
		plan.Edits = append(plan.Edits, v.Undo())
	}
	plan.Edits = append(plan.Edits, added...)
	if a.Rung == mutate.RungNone && a.Nothing == "" {
		plan.Edits = nil
	}
	return plan
}
