package mutate

import (
	"regexp"
	"strings"

	"assay/change"
)

// A Remark is one line of a comment of the head text, without its markers.
type Remark struct {
	Line int
	Text string
}

var ignoreMark = regexp.MustCompile(`(?:^|\s)assay:ignore(?:\s+(.*))?$`)

// Ignore looks for `assay:ignore reason` in the remarks on the unit's new
// lines and on the line just above them, and notes it in n. A mark without a
// reason is noted as bare and ignores nothing.
func (n *Note) Ignore(u *change.Unit, remarks []Remark) {
	first := u.New.Start - 1
	if u.New.Lines == 0 {
		first = u.New.Start
	}
	for _, r := range remarks {
		if r.Line < first || r.Line > u.New.End() {
			continue
		}
		m := ignoreMark.FindStringSubmatch(strings.TrimSpace(r.Text))
		switch {
		case m == nil:
		case m[1] == "":
			n.IgnoredBare = true
		default:
			n.Ignored = strings.TrimSpace(m[1])
			return
		}
	}
}
