package pysrc

import (
	"bytes"
	"strings"

	"assay/change"
	"assay/mutate"
)

// A request is one question to the helper; []byte travels as base64, nil as
// null.
type request struct {
	Op      string   `json:"op"`
	ID      int      `json:"id,omitempty"`
	IDs     []int    `json:"ids,omitempty"`
	Path    string   `json:"path,omitempty"`
	Paths   []string `json:"paths,omitempty"`
	Source  []byte   `json:"source"`
	Undone  []byte   `json:"undone"`
	Old     []byte   `json:"old"`
	New     []byte   `json:"new"`
	OldSpan [2]int   `json:"old_span"`
	NewSpan [2]int   `json:"new_span"`
}

// A fileAnswer is both sides of one file.
type fileAnswer struct {
	Old, New sideAnswer
	Remarks  []remark
}

type remark struct {
	Line int
	Text string
}

func (a fileAnswer) remarks() []mutate.Remark {
	var out []mutate.Remark
	for _, r := range a.Remarks {
		out = append(out, mutate.Remark{Line: r.Line, Text: r.Text})
	}
	return out
}

type sideAnswer struct {
	Error    string
	Sections []section
}

type section struct {
	Key, Name   string
	First, Last int
	Parts       []section
}

func (a sideAnswer) sections() []mutate.Section { return convert(a.Sections) }

func convert(in []section) []mutate.Section {
	var out []mutate.Section
	for _, s := range in {
		out = append(out, mutate.Section{Key: s.Key, Name: s.Name, First: s.First, Last: s.Last, Parts: convert(s.Parts)})
	}
	return out
}

// A unitAnswer is what one file tells of one unit.
type unitAnswer struct {
	Nothing     mutate.Inertness
	Broken      string
	Missing     string
	Declaration string
	Edits       []plant
	Body        [2]int
	ImportTime  bool `json:"import_time"`
	Defines     []string
	Uses        []string
	Words       []string // names the rest of the project may miss
	Files       []string // files the restored text imports from
}

// A plant is a piece of text and the byte offset it goes to.
type plant struct {
	Offset int
	Text   []byte
}

func (a unitAnswer) note(f *change.File) *mutate.Note {
	n := &mutate.Note{
		Nothing: a.Nothing, Broken: a.Broken, Missing: a.Missing, Declaration: a.Declaration,
		Body: change.Span{Start: a.Body[0], Lines: a.Body[1]}, ImportTime: a.ImportTime,
		Defines: a.Defines, Uses: a.Uses,
	}
	for _, p := range a.Edits {
		n.Control = append(n.Control, change.Edit{Path: f.Path, Start: p.Offset, End: p.Offset, Text: p.Text})
	}
	if f.Status == change.Deleted && strings.HasSuffix(f.Path, ".py") {
		n.Control = plantRestored(f)
	}
	return n
}

// plantRestored plants in a deleted file: it is there again, and fails when it
// is imported.
func plantRestored(f *change.File) []change.Edit {
	text := append(bytes.Clone(f.Old), "\nraise BaseException(\"assay: planted failure\")\n"...)
	return []change.Edit{{Path: f.Path, Op: change.Create, Text: text, Mode: f.OldMode}}
}
