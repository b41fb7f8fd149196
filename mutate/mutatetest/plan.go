package mutatetest

import (
	"fmt"
	"strings"

	"assay/change"
	"assay/mutate"
)

// Planned writes what a Plan decides, one line: the place and name of the
// unit, then the rung with its partners and glue, or why there is none.
func Planned(u *change.Unit, p *mutate.Plan) string {
	out := fmt.Sprintf("%s %v->%v %s: ", u.Hunk.File.Path, u.Old, u.New, u.Name)
	switch {
	case p == nil:
		return out + "no plan"
	case p.Nothing != "":
		out += "nothing: " + string(p.Nothing)
	case p.Rung == mutate.RungNone:
		return out + "none: " + p.Why
	default:
		out += string(p.Rung)
	}
	var with []string
	for _, v := range p.Partners {
		with = append(with, fmt.Sprintf("%s:%v", v.Hunk.File.Path, v.New))
	}
	if len(with) > 0 {
		out += " with " + strings.Join(with, " ")
	}
	if len(p.Glue) > 0 {
		out += " + " + strings.Join(p.Glue, ", ")
	}
	if p.Note != "" {
		out += " (" + p.Note + ")"
	}
	return out
}
