package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"assay/change"
)

// A PlantConfig is a standing plant: an un-doing of head that must always turn
// tests red.
type PlantConfig struct {
	Name    string   `toml:"name"`
	File    string   `toml:"file"`
	Find    string   `toml:"find"`
	Replace string   `toml:"replace"`
	Patch   string   `toml:"patch"` // a unified diff, in place of the three above
	Tests   []string `toml:"tests"`
}

// title is how messages call the plant.
func (c PlantConfig) title() string {
	switch {
	case c.Name != "":
		return c.Name
	case c.Patch != "":
		return c.Patch
	}
	return c.File
}

// check refuses a plant that cannot mean anything; where names the file it
// stands in.
func (c PlantConfig) check(where string) error {
	inline := c.File != "" && c.Find != ""
	switch {
	case inline == (c.Patch != ""):
		return mistakef("%s: plant %q: give either file and find (and replace), or patch", where, c.title())
	case inline && c.Find == c.Replace:
		return mistakef("%s: plant %q: replace is what find is, so nothing would be planted", where, c.title())
	case len(c.Tests) == 0:
		return mistakef("%s: plant %q: tests is empty; name the tests that must turn red", where, c.title())
	}
	return nil
}

// edits are the plant's edits of head. root is where a patch file is looked
// for. A text that head does not hold exactly once is an error: the plant no
// longer says what it was written to say.
func (c PlantConfig) edits(root string, read func(string) ([]byte, error)) ([]change.Edit, error) {
	swaps := []swap{{c.File, c.Find, c.Replace}}
	if c.Patch != "" {
		text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(c.Patch)))
		if err != nil {
			return nil, mistakef("plant %q: cannot read its patch: %w", c.title(), err)
		}
		if swaps, err = swapsOf(string(text)); err != nil {
			return nil, mistakef("plant %q: %s: %w", c.title(), c.Patch, err)
		}
	}
	var edits []change.Edit
	for _, s := range swaps {
		text, err := read(s.file)
		if err != nil {
			return nil, mistakef("plant %q: %s is not there at HEAD; mend the plant or remove it", c.title(), s.file)
		}
		if n := bytes.Count(text, []byte(s.find)); n != 1 {
			return nil, mistakef("plant %q: what it replaces stands %d times in %s at HEAD, not once; mend the plant or remove it:\n%s", c.title(), n, s.file, s.find)
		}
		at := bytes.Index(text, []byte(s.find))
		edits = append(edits, change.Edit{Path: s.file, Start: at, End: at + len(s.find), Text: []byte(s.replace)})
	}
	return edits, nil
}

// A swap replaces a text of a file by another.
type swap struct{ file, find, replace string }

// swapsOf reads a unified diff: each hunk's old lines, context included, are
// replaced by its new ones, wherever they stand now.
func swapsOf(patch string) ([]swap, error) {
	var all []swap
	file, in := "", false
	for line := range strings.Lines(patch) {
		switch {
		case strings.HasPrefix(line, "--- ") && !in:
			continue
		case strings.HasPrefix(line, "+++ "):
			name, _, _ := strings.Cut(strings.TrimSpace(line[4:]), "\t")
			file, in = strings.TrimPrefix(name, "b/"), false
		case strings.HasPrefix(line, "@@"):
			if file == "" {
				return nil, fmt.Errorf("a hunk stands before its +++ line")
			}
			all, in = append(all, swap{file: file}), true
		case strings.HasPrefix(line, "diff "), strings.HasPrefix(line, "index "):
			in = false
		case in:
			last := &all[len(all)-1]
			if line[0] != '+' {
				last.find += line[1:]
			}
			if line[0] != '-' {
				last.replace += line[1:]
			}
		}
	}
	for _, s := range all {
		if s.find == "" {
			return nil, fmt.Errorf("a hunk of %s has no old line to find its place by; make the patch with context", s.file)
		}
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("it holds no hunk of a unified diff")
	}
	return all, nil
}
